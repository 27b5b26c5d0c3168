"""The fields of a FEN, in the orders in which programs write them.

Board and turn come first. The form of the other fields identifies them:

| fields after the turn        | written by |
|---|---|
| `KQkq e3 0 1`                | nearly all programs |
| `0 1`                        | pyffish for kinds of shogi, XBoard for xiangqi, shogi and makruk |
| `- 0 1`, `e3 0 1`            | XBoard in games without castling |
| `- 2`                        | Cute Chess for kinds of shogi: the number of the full move |
| `- 32 4 1`                   | Fairy-Stockfish and Cute Chess for makruk: limit, plies counted, full move |
| `2P3p 14`, without brackets  | SFEN: hands and the number of the ply; `b` is the side that begins |
| `3+3` among the counters     | checks that each side still needs |
| `+0+0` at the end            | checks that each side has given, by Lichess |

People paste FENs with quotes around them, behind `fen` or `position sfen`, as a tag of PGN, with other
dashes and characters of no width, and with operations of EPD after them. In xiangqi many programs write `r`,
red, for the side that begins.
"""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..game.description import Description
from ..game.fen_error import FenError, shown

if TYPE_CHECKING:
    from ..mechanics.mechanic import FenField

_SQUARES = re.compile(r"(?:[a-p]\d{1,2},?)+", re.ASCII)
_PASTED = re.compile(r"""\s*(["'`]?)(?:position\s+)?(?:s?fen\s+)?(.*?)\1\s*""", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"""\s*\[\s*\w*fen\s*"(.*?)"\s*\]?\s*""", re.DOTALL | re.IGNORECASE)
_EPD = re.compile(
    r"(\S+(?:\s+\S+){3}(?:\s+\d+\s+\d+)?)\s*(;|\s[A-Za-z]\w+\s[^;]*;)(.*)", re.DOTALL | re.ASCII
)
_COUNTERS = re.compile(r"(?<!\S)(hmvc|fmvn)\s+(\d{1,9})\s*;", re.ASCII)
_NO_WIDTH = re.compile("[\u200b-\u200d\u2060\ufeff]")
_HANDS = re.compile(r"\[[A-Za-z0-9]*\]")
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2212"
_TURNS = {"w": "w", "b": "b", "white": "w", "black": "b"}
_RED = ("r", "red")
_SFEN_HANDS = re.compile(r"-|(?:\d{0,2}[A-Za-z])+", re.ASCII)


@dataclass
class Fields:
    """The fields of a FEN as text; `hands` is None if the FEN has none. `of_mechanics` has the numbers in the
    fields of mechanics, by their names. `notes` are sentences about ignored parts."""

    rows: list[str]
    hands: str | None
    turn: str = "w"
    castling: str = "-"
    crossed: str = "-"
    of_mechanics: dict[str, tuple[int, ...]] = field(default_factory=dict)
    halfmoves: str = "0"
    fullmoves: str = "1"
    notes: list[str] = field(default_factory=list)


def fields_of_mechanics() -> "tuple[FenField, ...]":
    """The FEN fields of mechanics."""
    from ..mechanics import FEN_FIELDS  # imported late, so that protocols answer their first line at once

    return FEN_FIELDS


def split_fields(text: str, description: Description) -> Fields:
    """The fields of a FEN. Raises FenError for fields that fit no known order, and for wrong brackets."""
    if not isinstance(text, str) or not text.split():
        raise FenError(f"FEN: {shown(text)} is empty; it should begin with the board's ranks")
    notes: list[str] = []
    words = _without_operations(_unwrapped(text), notes).split()
    if len(words) == 1:
        words = re.sub("_|%20", " ", words[0]).split() or words  # as in addresses of web pages
    if words[0] == "startpos":  # UCI's word
        words[:1] = description.start_fen.split()
    elif len(words) > 1 and "[" not in words[0] and _HANDS.fullmatch(words[1]):  # behind a blank
        words[:2] = [words[0] + words[1]]
    rows, hands = _split_hands(words[0], description)
    fields = Fields(rows, hands, turn=_turn(words[1], description) if len(words) > 1 else "w", notes=notes)
    rest = words[2:]
    for each in fields_of_mechanics():
        fields.of_mechanics[each.name] = each.read(rest, description, fields.notes)
    if not _take_sfen(rest, fields, description):
        _take_others(rest, fields, description)
    return fields


def _unwrapped(text: str) -> str:
    """The FEN without surrounding text; a text without a FEN is returned unchanged."""
    text = _NO_WIDTH.sub("", text)
    tag, match = _TAG.fullmatch(text), _PASTED.fullmatch(text)
    inner = tag[1] if tag else match[2] if match else text
    return re.sub(rf"(?<!\S)[{_DASHES}](?!\S)", "-", inner if inner.split() else text)


def _without_operations(text: str, notes: list[str]) -> str:
    """The FEN without EPD operations after it, but with the counters that they give; `notes` lists the
    others."""
    match = _EPD.fullmatch(text.strip())
    if not match:
        return text
    fen, operations = match[1], f"{match[2]}{match[3]}".strip("; \n")
    counters = {"hmvc": "0", "fmvn": "1"} | dict(_COUNTERS.findall(f"{operations};"))
    if others := _COUNTERS.sub("", f"{operations};").strip("; "):
        notes.append(f"FEN: {shown(others)} is ignored: operations of EPD")
    return fen if len(fen.split()) == 6 else f"{fen} {counters['hmvc']} {counters['fmvn']}"


def _turn(word: str, description: Description) -> str:
    """`w` or `b`; any other word is returned unchanged."""
    facing = description.facing_kings
    if word.lower() in _RED and facing and facing.result == "illegal":  # a kind of xiangqi
        return "w"
    return _TURNS.get(word.lower(), word)


def _split_hands(board: str, description: Description) -> tuple[list[str], str | None]:
    """Splits the first field into the rows of the board and the text of the hands, which are in brackets or,
    by Lichess and PyChess, in an additional rank."""
    match = re.fullmatch(r"([^\[\]]*)(?:\[([^\[\]]*)\])?", board)
    if not match:
        raise FenError(f"hands: {shown(board)} has a bracket without its partner")
    rows, hands = match[1].split("/"), match[2]
    if hands is None and len(rows) == description.ranks + 1 and (description.has_drops or not rows[-1]):
        hands = rows.pop()
    if hands not in (None, "", "-") and not description.has_drops:
        raise FenError(f"hands: {shown(board)} has hands, but {description.name} has no drops")
    return rows, hands


def _take_sfen(rest: list[str], fields: Fields, description: Description) -> bool:
    """Reads the fields after the turn of an SFEN, the notation of shogi programs. Returns whether it is
    one."""
    holds = description.has_drops and not description.castling
    if fields.hands is not None or not holds or len(rest) != 2 or fields.turn not in ("w", "b"):
        return False
    if not (_SFEN_HANDS.fullmatch(rest[0]) and _is_number(rest[1])):
        return False
    turn = "wb"[fields.turn == "w"]
    who = "White" if turn == "w" else "Black"
    fields.notes.append(f"turn: {fields.turn!r} is read as in SFEN, which has no brackets: {who} is to move")
    fields.turn, fields.hands = turn, rest[0]
    fields.fullmoves = str(int(rest[1]) // 2 + int(rest[1]) % 2)
    return True


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 9


def _take_others(rest: list[str], fields: Fields, description: Description) -> None:
    """Reads castling, en passant and the counters, each of which may be missing."""
    passes = any(piece.en_passant for piece in description.pieces)
    if rest and _is_number(rest[0]):
        rest = ["-", "-", *rest]
    elif len(rest) in (2, 3) and _is_number(rest[1]):
        pair = ["-", rest[0]] if _SQUARES.fullmatch(rest[0].lower()) else [rest[0], "-"]
        rest = [*pair, "0", rest[1]] if len(rest) == 2 else [*pair, *rest[1:]]
    elif len(rest) == 4 and _is_number(rest[1]) and not passes:
        if int(rest[1]):
            fields.notes.append(
                f"counting: {rest[1]!r} is ignored: {description.name} is played without rules of counting"
            )
        rest[1] = "-"
    if len(rest) > 4:
        raise FenError(f"FEN: {shown(rest[4])} is too much; a FEN has at most 6 fields, the counters last")
    rest += ["-", "-", "0", "1"][len(rest) :]
    fields.castling, fields.crossed, fields.halfmoves, fields.fullmoves = rest
