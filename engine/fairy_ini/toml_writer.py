"""Writes a table as TOML text: keys first, then a heading for each table; deeper tables are in braces."""

import json
import re
from typing import Any


def write(table: dict[str, Any]) -> str:
    """The TOML text of a table of texts, numbers, booleans, lists and tables, which `tomllib` reads back
    unchanged."""
    plain = {key: value for key, value in table.items() if not isinstance(value, dict)}
    lines = [f"{_key(key)} = {_value(value)}" for key, value in plain.items()]
    for heading, inner in table.items():
        if isinstance(inner, dict):
            lines += ["", f"[{_key(heading)}]"]
            lines += [f"{_key(key)} = {_value(value)}" for key, value in inner.items()]
    return "\n".join(lines) + "\n"


def _key(key: str | int) -> str:
    return str(key) if re.fullmatch("[A-Za-z0-9_-]+", str(key)) else json.dumps(key)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        inner = ", ".join(f"{_key(key)} = {_value(one)}" for key, one in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False)
