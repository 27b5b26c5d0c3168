"""Sphinx's settings for `make docs`."""

import json
import re

import surajang
from myst_parser.parsers.sphinx_ import MystParser

project = "Surajang"
author = "The Surajang authors"
copyright = author
release = version = surajang.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
nitpicky = True
# Names of other libraries, because nothing is fetched, and of modules inside the package.
nitpick_ignore_regex = [("py:.*", r"(?!surajang\.[A-Z]).*")]

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
suppress_warnings = ["misc.highlighting_failure"]  # blocks with output are no shell
highlight_language = "sh"

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = "Surajang"
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
html_static_path = ["_static"]
html_css_files = ["site.css"]


def _as_code(app, what, name, obj, options, lines):
    """Docstrings have words in single backquotes, as Markdown has them; reStructuredText wants two."""
    if "Alias for field number" in "".join(lines):  # the field of a named tuple, which its class describes
        lines[:] = [""]
    for number, line in enumerate(lines):
        lines[number] = re.sub(r"(?<!`)`([^`]+)`(?!`)", r"``\1``", line)


def _to_the_site(app, name, source):
    """Links to pages in the root of the repository lead to the pages that include them."""
    source[0] = re.sub(r"\]\((?:\.\./)+CONTRIBUTING\.md", "](/internals/contributing.md", source[0])
    source[0] = re.sub(r"\]\((?:\.\./)+CHANGELOG\.md", "](/changes.md", source[0])


class NotebookParser(MystParser):
    """Pages from notebooks of Jupyter, with the outputs that are in their files."""

    supported = ("notebook",)

    def parse(self, inputstring, document):
        cells = json.loads(inputstring)["cells"]
        super().parse("\n\n".join(map(_cell_as_page, cells)), document)


def _cell_as_page(cell):
    """A cell of a notebook as Markdown."""
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return source
    parts = [f"```python\n{source}\n```"]
    for output in cell["outputs"]:
        data = output.get("data", {})
        if svg := data.get("image/svg+xml"):
            parts.append(f'````{{raw}} html\n<p class="output">{"".join(svg)}</p>\n````')
        else:
            text = "".join(output.get("text") or data["text/plain"]).rstrip("\n")
            parts.append(f"````{{code-block}} text\n:class: output\n\n{text}\n````")
    return "\n\n".join(parts)


def setup(app):
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
    app.connect("autodoc-process-docstring", _as_code)
    app.connect("source-read", _to_the_site)
