"""Spellings of moves and positions that programs of several protocols share."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...engine.game.moves import MoveError, parse_square
from .pieces import paired_forms

if TYPE_CHECKING:
    from ...engine.position import Position


PASS = "0000"
PASSES = ("0000", "@@@@", "pass", "null", "--", "z0")  # in small letters
_CASTLING = re.compile(r"[o0]-?[o0](-?[o0])?", re.IGNORECASE)
_SQUARE = r"[a-p]\d{1,2}"
_DROP = re.compile(rf"(\+?[a-z])[@*]({_SQUARE})\+?", re.ASCII | re.IGNORECASE)
_STEP = re.compile(rf"({_SQUARE})[-x:]?({_SQUARE})(?:[=/(]?([a-z])\)?\+?|([+=-]))?", re.ASCII | re.IGNORECASE)


def write_board(fen: str, paired: Mapping[str, str], letters: Mapping[str, str] | tuple[()] = ()) -> str:
    """A position as other programs read it: promoted pieces as `+R`. `paired` maps the letter of a promoted
    form to that of its base, `letters` our letters to theirs."""
    spelled = dict(letters) | {form: f"+{base}" for form, base in paired.items()}
    board, rest = fen.split(maxsplit=1)

    def write(letter: re.Match[str]) -> str:
        text = spelled.get(letter[0].upper(), letter[0].upper())
        return text if letter[0].isupper() else text.lower()

    return f"{re.sub('[A-Za-z]', write, board)} {rest}"


def plain(text: str) -> str:
    """A step, a drop or a pass in the engine's spelling, without additions of other programs: `e2-e4`,
    `E2E4`, `e7e8=Q`, `p@e4`, `P*e4`, `e2e4!`. Other text is unchanged."""
    bare = text.rstrip("#!?")
    bare = bare.rstrip("+") + "+" * bare.endswith("+")
    if bare.lower() in PASSES:
        return PASS
    if drop := _DROP.fullmatch(bare):
        return f"{drop[1].upper()}@{drop[2].lower()}"
    if step := _STEP.fullmatch(bare):
        return (step[1] + step[2] + (step[3] or step[4] or "")).lower()
    return bare if _CASTLING.fullmatch(bare.rstrip("+")) else text


def resolved(text: str, position: "Position | None") -> str:
    """The meaning of a `plain` move in a position: castling that is spelled `O-O`, by the square of the rook,
    or in Chess960 by the king's last square, and a `+` that means a check if it cannot mean a promotion.
    Other text is unchanged."""
    if position is None:
        return text
    if found := _castling(text, position):
        return found
    if text.endswith("+") and not paired_forms(position.description):
        return text if _is_legal(text, position) or not _is_legal(text[:-1], position) else text[:-1]
    return text


def is_castling(text: str) -> bool:
    """Whether `text` spells castling without squares."""
    return bool(_CASTLING.fullmatch(plain(text).rstrip("+")))


def _is_legal(text: str, position: "Position") -> bool:
    try:
        position.parse_move(text)
    except MoveError:
        return False
    return True


def _castling(text: str, position: "Position") -> str | None:
    """The castling move for `O-O` (`Description.castles_short`), `O-O-O`, or a step of the king
    onto its rook or to where it castles, or None."""
    game = position.description
    if match := _CASTLING.fullmatch(text.rstrip("+")):
        king, long = None, bool(match[1])
    elif step := _step_onto_own_rook(text, position):
        king, long = step[0], not game.castles_short(*step)
    elif (wing := _wing_of_step(text, position)) is not None:
        king, long = None, bool(wing)
    else:
        return None
    letter = _STEP.fullmatch(text)
    entry = letter[3].upper() if letter and letter[3] else None
    for move in position.legal_moves():
        start, end = move.from_square, move.to_square
        if move.entry != entry or move.enters_on_rook:
            continue
        if not move.is_castling or start is None or king not in (None, start):
            continue
        if game.castles_short(start, end) != long:
            return str(move)
    return None


def _wing_of_step(text: str, position: "Position") -> int | None:
    """The wing of castling from any files that the king's way to its last square means, unless that is
    another legal move."""
    game, step = position.description, _STEP.fullmatch(text)
    if not game.castling_free or not step or _is_legal(text, position):
        return None
    king, target = (parse_square(step[number], game.files, game.ranks) for number in (1, 2))
    if king is None or target is None or king // game.files != target // game.files:
        return None
    if king != position.king(position.turn):
        return None
    ends = [wing.king_to for wing in game.castling]
    return ends.index(target % game.files) if target % game.files in ends else None


def _step_onto_own_rook(text: str, position: "Position") -> tuple[int, int] | None:
    """The squares of a king and of its own rook, if the text is a step from one to the other and the king may
    have the right to castle there."""
    game, step = position.description, _STEP.fullmatch(text)
    if not step:
        return None
    king, rook = (parse_square(step[number], game.files, game.ranks) for number in (1, 2))
    if king is None or rook is None:
        return None
    if not game.castling_free and rook % game.files not in {wing.rook for wing in game.castling}:
        return None
    pieces = position.letter_at(king) or "", position.letter_at(rook) or ""
    if not all(pieces) or pieces[0].isupper() != pieces[1].isupper():
        return None
    return (king, rook) if pieces[0].upper() == game.castling_king else None
