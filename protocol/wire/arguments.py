"""Reads the arguments of commands and refuses invalid ones, for all dialects."""

import re

LONGEST_TIME = 1e8  # in the unit of the command


class RefusedError(Exception):
    """A command that is refused; the text is the reason."""


def words(text: str) -> tuple[str, str]:
    """The command of a line and the rest, both stripped of blanks."""
    command, *rest = text.split(maxsplit=1) or [""]
    return command, "".join(rest).strip()


def number(text: str, least: float = 0.0) -> float:
    """A number from `least` to LONGEST_TIME. Raises RefusedError."""
    if not re.fullmatch(r"-?\d{1,9}(\.\d{0,9})?|-?\.\d{1,9}", text, re.ASCII):
        raise RefusedError("not a number")
    value = float(text)
    if not least <= value <= LONGEST_TIME:
        raise RefusedError("number out of range")
    return value


def minutes(text: str) -> float:
    """Seconds of a time given as MIN or MIN:SEC, as in `level`. Further text is for later protocols, and
    ignored. Raises RefusedError."""
    match = re.match(r"([\d.]+)(?::([\d.]+))?(?![\d.:])", text, re.ASCII)
    if not match:
        raise RefusedError("not a number of minutes")
    return 60 * number(match[1]) + number(match[2] or "0")


def whole(text: str, least: int, most: int) -> int:
    """A whole number from `least` to `most`. Raises RefusedError."""
    if not re.fullmatch(r"-?\d+", text, re.ASCII):
        raise RefusedError("not a whole number")
    if not (re.fullmatch(r"\d{1,9}", text, re.ASCII) and least <= int(text) <= most):
        raise RefusedError(f"not from {least} to {most}")
    return int(text)
