"""Moves read in the notations of shogi, xiangqi and Janggi.

A text is compared with the spellings of the legal moves. Accepted besides what `traditional` writes:

- shogi: an origin that is not needed, letters or numbers for ranks, missing `-`, `x` and `=`, a typographic
  apostrophe in drops;
- WXF: `.` for `=`, the file of a piece that is one of several on it, `+R=4`, `N` for a horse, `B` for an
  elephant;
- Janggi: any character before and between the squares (`79卒78`).
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from ..game.moves import ACTION_SHIFT, ACTIONS, PASS, SETUP, IllegalMoveError, Move, MoveSyntaxError
from .position_like import PositionLike
from .san_reading import OTHER_SIGNS, PASSES, parse_san
from .traditional import USUAL_LETTERS, origin_of, shogi_move, write, wxf_file, wxf_step, wxf_tandem

SHOWN = 8  # moves in an error
SIGNS = OTHER_SIGNS | {0x2019: "'", 0xD7: "x"}
_KOREAN = re.compile(r"(?P<letter>[^\d\s]?)\s?(?P<source>\d\d)\D{0,2}?(?P<target>\d\d)\D*")
_FORMER_FIRST = re.compile(r"([+-])([A-Z])(?=[-+=])")


def parse(board: PositionLike, text: str, notation: str) -> Move:
    """The legal move that `text` spells in a traditional notation. Raises MoveSyntaxError for a text that is
    not a move of it and IllegalMoveError for one that is not legal here or fits several moves."""
    reader = _READERS[notation]
    if not isinstance(text, str):
        raise MoveSyntaxError(text, f"is not a text; moves look like {reader.examples}")
    word = text.strip().rstrip("!?").translate(SIGNS)
    if word.lower() in PASSES or "," in word:
        return parse_san(board, text)
    moves = [move for move in board.legal_moves if move.code >> ACTION_SHIFT & ACTIONS not in (PASS, SETUP)]
    found = [move for move in moves if write(board, move, notation) == word]
    normal = reader.normal(word)
    if not found:
        found = [move for move in moves if normal in reader.spellings(board, move)]
    if len(found) == 1:
        return found[0]
    if not found and not reader.form.fullmatch(normal):
        raise MoveSyntaxError(text, f"is not a move in {notation}; moves look like {reader.examples}")
    listed = ", ".join(
        write(board, move, notation) for move in (found or _alike(board, moves, normal, notation))
    )
    reason = (
        f"fits several moves: {listed}" if found else f"is not legal here; possible: {listed or 'no move'}"
    )
    raise IllegalMoveError(text, reason)


def _alike(board: PositionLike, moves: list[Move], normal: str, notation: str) -> list[Move]:
    """Some legal moves for an error: those that begin like a word, otherwise any."""
    spelled = [(write(board, move, notation), move) for move in moves]
    alike = [move for spelling, move in spelled if spelling[:1] == normal[:1]]
    return (alike or moves)[:SHOWN]


class _Reader(NamedTuple):
    """How a notation is read: examples for errors, the `normal` form of a word, the `form` of all these, and
    the normal forms of the spellings of a move."""

    examples: str
    form: re.Pattern[str]
    normal: Callable[[str], str]
    spellings: Callable[[PositionLike, Move], set[str]]


def _shogi_normal(word: str) -> str:
    """A word without the signs that may be missing, with numbers for ranks."""
    plain = re.sub(r"[-xX=]", "", word).replace("'", "*")
    return re.sub(r"(?<=\d)[a-i]", lambda rank: str(ord(rank[0]) - ord("a") + 1), plain)


def _shogi_spellings(board: PositionLike, move: Move) -> set[str]:
    origins = {""} if move.is_drop else {"", origin_of(board, move, "hosking")}
    return {_shogi_normal(shogi_move(board, move, "hosking", origin)) for origin in origins}


def _wxf_normal(word: str) -> str:
    reordered = _FORMER_FIRST.sub(r"\2\1", word.upper().replace(".", "="))
    return USUAL_LETTERS.get(reordered[:1], reordered[:1]) + reordered[1:]


def _wxf_spellings(board: PositionLike, move: Move) -> set[str]:
    named = {wxf_file(board, move), wxf_tandem(board, move)} - {""}
    return {name + wxf_step(board, move) for name in named}


def _korean_normal(word: str) -> str:
    """A word as its squares, after its letter if that is one of the alphabet."""
    match = _KOREAN.fullmatch(re.sub(r"(?<=[xX])[A-Z]", "", word))
    if not match:
        return word
    letter = match["letter"].upper() if match["letter"].isascii() else ""
    return USUAL_LETTERS.get(letter, letter) + match["source"] + match["target"]


def _korean_spellings(board: PositionLike, move: Move) -> set[str]:
    word = _korean_normal(write(board, move, "korean"))
    return {word, word[1:]}


_SHOGI_FORM = re.compile(r"\+?[A-Z](\*|[1-9]{2})?[1-9]{2}\+?")
_READERS = {
    "usi": _Reader(
        "'7g7f', '8h2b+' or 'P*5e'",
        re.compile(r"([1-9][a-i]|[A-Z]\*)[1-9][a-i]\+?"),
        str,
        lambda board, move: {write(board, move, "usi")},
    ),
    "hodges": _Reader("'P-7f', 'G6i-5h', 'Bx2b+' or 'P*5e'", _SHOGI_FORM, _shogi_normal, _shogi_spellings),
    "hodges-numbers": _Reader(
        "'P-76', 'G69-58', 'Bx22+' or 'P*55'", _SHOGI_FORM, _shogi_normal, _shogi_spellings
    ),
    "hosking": _Reader("'P76', 'G69-58', 'Bx22+' or \"P'55\"", _SHOGI_FORM, _shogi_normal, _shogi_spellings),
    "wxf": _Reader(
        "'H2+3', 'C2=5' or 'R+=4'",
        re.compile(r"([A-Z1-9][-+1-9]|\+\+|--)[-+=][1-9]"),
        _wxf_normal,
        _wxf_spellings,
    ),
    "korean": _Reader(
        "'P71-72', 'H08-87' or 'E44x72'", re.compile(r"[A-Z]?\d\d\d\d"), _korean_normal, _korean_spellings
    ),
}
