"""The commands on the pages exist, with their options."""

import re
from functools import cache

import pytest
from click.testing import CliRunner
from surajang.cli import main
from surajang.tests.support.pages import ROOT, command_path, commands, inline_commands, pages

pytestmark = pytest.mark.pure


@cache
def help_of(path):
    """The output of `--help` of a command."""
    done = CliRunner().invoke(main, [*path, "--help"])
    assert done.exit_code == 0, f"surajang {' '.join(path)}: {done.output}"
    return done.output


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_on_the_page_exist_with_their_options(page):
    for words in (*commands(page), *inline_commands(page)):
        text = help_of(tuple(command_path(words)))
        for option in (word.split("=")[0] for word in words if word.startswith("--")):
            assert re.search(rf"(?<![\w-]){option}(?![\w-])", text), f"surajang {' '.join(words)}"


def test_commands_are_found_on_the_pages():
    found = [words for page in pages() for words in commands(page)]
    assert len(found) > 100
    assert {"match", "learn", "board", "show", "variants"} <= {words[0] for words in found if words}
