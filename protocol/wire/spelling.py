"""Spellings of moves and positions that programs of several protocols have in common."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...engine.game.description import Description
    from ...engine.position import Position


PASS = "0000"
_CASTLING = re.compile(r"[O0]-[O0](-[O0])?")
_DROP = re.compile(r"([A-Za-z])[@*]([a-p]\d{1,2})", re.ASCII)
_STEP = re.compile(r"([a-p]\d{1,2})[-x]?([a-p]\d{1,2})(?:=?([A-Za-z])|([+=-]))?", re.ASCII)


def write_board(fen: str, paired: Mapping[str, str], letters: Mapping[str, str] | tuple[()] = ()) -> str:
    """A position as other programs read it: promoted pieces as `+R`.

    `paired` maps the letter of a promoted form to that of its base, `letters` our letters to theirs.
    """
    spelled = dict(letters) | {form: f"+{base}" for form, base in paired.items()}
    board, rest = fen.split(maxsplit=1)

    def write(letter: re.Match[str]) -> str:
        text = spelled.get(letter[0].upper(), letter[0].upper())
        return text if letter[0].isupper() else text.lower()

    return f"{re.sub('[A-Za-z]', write, board)} {rest}"


def read_rights(text: str, description: "Description") -> str:
    """The castling field of another program in our letters: a right that is named after the file of its rook
    is found, one that the game does not have is left out."""
    if not re.fullmatch("[A-Za-z]+", text):
        return text
    rights = {chr(ord("A") + wing.rook): wing.letter for wing in description.castling}
    rights |= {wing.letter: wing.letter for wing in description.castling}
    if description.setup_swaps:
        rights["S"] = "S"
    found = (rights.get(letter.upper(), "") for letter in text)
    read = (right if letter.isupper() else right.lower() for letter, right in zip(text, found, strict=True))
    return "".join(read) or "-"


def castling(text: str, position: "Position | None") -> str | None:
    """The castling move of `position` that `O-O` (to the king's right as White sees it) or `O-O-O` names,
    or None."""
    match = _CASTLING.fullmatch(text)
    if not match or position is None:
        return None
    files = position.description.files
    for move in position.legal_moves():
        start, end = move.from_square, move.to_square
        if move.is_castling and start is not None and (end % files < start % files) == bool(match[1]):
            return str(move)
    return None


def plain(text: str) -> str:
    """A step or a drop without what older engines add: `e2-e4`, `e7e8=Q`, `p@e4`, `P*e4`."""
    if drop := _DROP.fullmatch(text):
        return f"{drop[1].upper()}@{drop[2]}"
    if text.lower() in ("pass", "null"):
        return PASS
    if step := _STEP.fullmatch(text):
        return step[1] + step[2] + ((step[3] or "").lower() or step[4] or "")
    return text
