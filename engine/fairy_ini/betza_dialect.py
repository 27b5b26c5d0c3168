"""Betza notation as Fairy-Stockfish reads it, and as we do: they differ in directions before `K` and `Q`.

There `fK` is `fWfF`, three squares; here, as in XBoard, one letter takes the straight move, two the diagonal
one. Every other atom says the same in both.
"""

import re
from collections.abc import Callable

from ..game.betza import DIRECTIONS, direction_groups

STRAIGHT, DIAGONAL = {"K": "W", "Q": "R"}, {"K": "F", "Q": "B"}
_KINGLY = re.compile(r"([a-z]*)([KQ])(\d*)")


def read(text: str) -> str:
    """Their notation in ours."""
    return _translated(text, _read_term)


def write(text: str) -> str:
    """Our notation in theirs."""
    return _translated(text, _write_term)


def _translated(text: str, term: Callable[[str, list[str], str, str], str]) -> str:
    def translate(match: re.Match[str]) -> str:
        directions = "".join(letter for letter in match[1] if letter in DIRECTIONS)
        modes = "".join(letter for letter in match[1] if letter not in DIRECTIONS)
        return term(modes, direction_groups(directions), match[2], match[3]) if directions else match[0]

    return _KINGLY.sub(translate, text)


def _read_term(modes: str, groups: list[str], letter: str, reach: str) -> str:
    """Of two letters that go together the second names the straight move."""
    straight = "".join(group[-1] for group in groups)
    return f"{straight}{modes}{STRAIGHT[letter]}{reach}{''.join(groups)}{modes}{DIAGONAL[letter]}{reach}"


def _write_term(modes: str, groups: list[str], letter: str, reach: str) -> str:
    single = "".join(group for group in groups if len(group) == 1)
    double = "".join(group for group in groups if len(group) == 2)
    text = f"{single}{modes}{STRAIGHT[letter]}{reach}" if single else ""
    return text + (f"{double}{modes}{DIAGONAL[letter]}{reach}" if double else "")
