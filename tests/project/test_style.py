"""Pages, docstrings, comments, messages and names of tests have no old-fashioned phrases. The notebook is
exempt."""

import os
import re
from pathlib import Path

import pytest
import surajang

pytestmark = [pytest.mark.pure, pytest.mark.quick]

ROOT = Path(surajang.__file__).parent
OTHER_FOLDERS = {"notebook", "data", "build", "dist", "node_modules"}
SUFFIXES = {".py", ".md", ".js", ".html", ".css", ".toml"}
# Phrase -> plain words
PHRASES = {
    "anew": "again",
    "as ever": "still",
    "be it": "if it is",
    "belong into": "put ... in",
    "belongs into": "put ... in",
    "brought up to date": "updated",
    "but for": "except",
    "by the way that": "by how",
    "comes to its end": "ends",
    "does not go with": "cannot be combined with",
    "for ever": "forever",
    "foretell": "predict",
    "foretells": "predicts",
    "foretold": "predicted",
    "go on with": "continue",
    "goes on with": "continues",
    "gone on with": "continued",
    "hitherto": "until now",
    "in vain": "without effect",
    "lest": "so that ... not",
    "nought": "0",
    "of old": "old",
    "parted": "divided",
    "save for": "except",
    "spares the": "avoids the",
    "stays as it is": "is not changed",
    "stays as it was": "is not changed",
    "tell apart": "distinguish",
    "tells apart": "distinguishes",
    "tells of": "reports",
    "thence": "from there",
    "upon": "on",
    "were it not": "without",
    "what becomes of": "the result of",
    "what came of": "the result of",
    "what is not said": "omitted values",
    "whence": "from where",
    "wherever it is called": "in any process",
}


def found_in(text):
    """Yields (line number, phrase) of each phrase; names of tests count as words."""
    text = re.sub(r"\btest_\w+", lambda name: name[0].replace("_", " "), text).lower()
    for phrase in PHRASES:
        if phrase in text:
            for match in re.finditer(rf"\b{phrase}\b", text):
                yield text.count("\n", 0, match.start()) + 1, phrase


def texts():
    """The files of the checkout with text, apart from the notebook, data and this file."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name[0] not in "._" and name not in OTHER_FOLDERS]
        paths = (Path(folder) / name for name in names if Path(name).suffix in SUFFIXES)
        yield from (path for path in paths if path.name != Path(__file__).name)


def test_texts_have_no_old_fashioned_phrases():
    found = [
        f"{path.relative_to(ROOT)}:{line}: {phrase!r}; write: {PHRASES[phrase]}"
        for path in texts()
        for line, phrase in found_in(path.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "text",
    ["Older files are read as ever.", "def test_file_is_gone_on_with():", "# one\n# of old", "Lest it ends"],
)
def test_phrases_are_found(text):
    assert list(found_in(text))


@pytest.mark.parametrize(
    "text", ["The search goes on.", "the fewest blessed nodes", "departed", "whenceforth"]
)
def test_plain_words_are_accepted(text):
    assert not list(found_in(text))
