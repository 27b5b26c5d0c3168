"""The modules of the page as one script. A browser that asks for each of them shows the board later."""

import re
from functools import cache
from graphlib import TopologicalSorter
from importlib.resources import files

ENTRY = "main"
_IMPORT = re.compile(r'^import \{(.+?)\} from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) ([\w$]+))", re.MULTILINE)


@cache
def page_script() -> str:
    """`main.js` after the modules that it needs: each is a function that is called once and returns its
    exports."""
    texts: dict[str, str] = {}
    pending = [ENTRY]
    while pending:
        name = pending.pop()
        if name not in texts:
            path = files("surajang.board").joinpath("static", f"{name}.js")
            texts[name] = path.read_text(encoding="utf-8")
            pending += imported(texts[name])
    order = TopologicalSorter({name: imported(text) for name, text in texts.items()}).static_order()
    return "".join(_called(name, texts[name]) for name in order)


def imported(text: str) -> list[str]:
    """The names of the modules that a module imports."""
    return [match[2] for match in _IMPORT.finditer(text)]


def _called(name: str, text: str) -> str:
    exports = ", ".join(_EXPORT.findall(text))
    body = _EXPORT.sub("", _IMPORT.sub(r"const {\1} = module_\2;", text))
    return f"const module_{name} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"
