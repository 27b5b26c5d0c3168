"""A game as its TOML file tells it: read, checked and frozen, in plain Python.

Nothing here knows NumPy or Numba; `rules` turns a `Description` into what compiled code needs.
"""

import re
import tomllib
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType

from . import betza

FOLDER = Path(__file__).parent / "variants"
MAX_FILES = MAX_RANKS = 16
MAX_VALUE = 20_000
FILE_LETTERS = "abcdefghijklmnop"


class VariantError(ValueError):
    """A game that is unknown, or whose file is wrong; the text names file, key and reason."""


@dataclass(frozen=True)
class PieceDescription:
    """One kind of piece. Values are centipawns; letters are upper case."""

    letter: str
    name: str
    betza: str
    moves: tuple[betza.Ride, ...]
    value: int
    hand_value: int
    royal: bool
    promotes_to: tuple[str, ...]
    promotion_mandatory: bool
    droppable: bool
    drop_forbidden: tuple[int, ...]  # ranks from the mover's own side
    no_drop_mate: bool
    steps: MappingProxyType  # rank from the mover's own side -> most squares forward
    en_passant: bool
    base: str  # the letter it reverts to when captured
    promoted: bool  # comes into being by promotion alone


@dataclass(frozen=True)
class CastlingDescription:
    """Castling to one side: files counted from 0; the FEN letter is that of White."""

    letter: str
    king: int
    rook: int
    king_to: int
    rook_to: int


@dataclass(frozen=True)
class Description:
    """A whole game. Ranks and files count from 1 and 0; `pieces` keeps the file's order."""

    name: str
    title: str
    source: str
    files: int
    ranks: int
    start_fen: str
    pieces: tuple[PieceDescription, ...]
    promotion_zone: tuple[int, ...]  # ranks from the mover's own side
    promotion_on: frozenset[str]  # "enter", "leave"
    castling: tuple[CastlingDescription, ...]
    stalemate: str
    repetition_times: int
    repetition_perpetual_check: str
    path: Path = field(compare=False)

    @property
    def squares(self):
        """The number of squares."""
        return self.files * self.ranks

    @property
    def has_drops(self):
        """Whether any piece can be dropped."""
        return any(piece.droppable for piece in self.pieces)

    @property
    def hand_pieces(self):
        """The droppable pieces, most valuable first: the order in which hands are written."""
        droppable = [piece for piece in self.pieces if piece.droppable]
        return tuple(sorted(droppable, key=lambda piece: -piece.hand_value))

    def piece(self, letter):
        """The piece with this upper-case letter. Raises KeyError."""
        for piece in self.pieces:
            if piece.letter == letter:
                return piece
        raise KeyError(letter)


class _Reader:
    """A table of the file with its path, for errors that say where."""

    def __init__(self, file, table, path=""):
        self.file, self.table, self.path = file, table, path

    def error(self, key, reason):
        where = f"{self.path}.{key}" if self.path and key else key or self.path
        return VariantError(f"{self.file}: {where}: {reason}")

    def get(self, key, kind, default=...):
        """The value of `key`, which must be of type `kind`."""
        if key not in self.table:
            if default is ...:
                raise self.error(key, "is missing")
            return default
        value = self.table[key]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            words = {int: "a whole number", str: "a text", bool: "true or false"}
            words |= {list: "a list", dict: "a table"}
            raise self.error(key, f"{value!r} should be {words[kind]}")
        return value

    def number(self, key, low, high, default=...):
        value = self.get(key, int, default)
        if not low <= value <= high:
            raise self.error(key, f"{value} should be from {low} to {high}")
        return value

    def choice(self, key, choices, default=...):
        value = self.get(key, str, default)
        if value not in choices:
            raise self.error(key, f"{value!r} should be one of {', '.join(choices)}")
        return value

    def table_at(self, key, default=...):
        value = self.get(key, dict, default)
        return _Reader(self.file, value, f"{self.path}.{key}" if self.path else key)

    def letters(self, key, known):
        """A text of piece letters, each of them `known`."""
        text = self.get(key, str, "")
        for index, letter in enumerate(text):
            if letter not in known:
                raise self.error(key, f"{letter!r} is no piece of this game ({''.join(known)})")
            if letter in text[:index]:
                raise self.error(key, f"{letter!r} stands twice in {text!r}")
        return text

    def rank_list(self, key, ranks, default=...):
        values = self.get(key, list, default)
        for value in values:
            if type(value) is not int or not 1 <= value <= ranks:
                raise self.error(key, f"{value!r} should be a rank from 1 to {ranks}")
        return tuple(values)

    def finish(self, *known):
        """Refuses keys that are not in `known`."""
        for key in self.table:
            if key not in known:
                raise self.error(key, f"unknown key (known here: {', '.join(known)})")


def available():
    """The names of the games that come with the engine, sorted."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


@cache
def load(name_or_path):
    """The game of that name, or of the TOML file at that path.

    Raises VariantError with a sentence naming file, key and reason.
    """
    path = FOLDER / f"{name_or_path}.toml"
    if str(name_or_path).endswith(".toml"):
        path = Path(name_or_path)
    elif name_or_path not in available():
        raise VariantError(f"unknown variant {name_or_path!r} (known: {', '.join(available())})")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise VariantError(f"{path}: cannot be read: {error}") from None
    return parse(text, path)


def parse(text, path):
    """The game described by TOML `text`; `path` is for messages. Raises VariantError."""
    path = Path(path)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise VariantError(f"{path.name}: not TOML: {error}") from None
    top = _Reader(path.name, table)
    top.finish(
        *("name", "title", "source", "start", "board", "pieces"),
        *("promotion", "drops", "castling", "end"),
    )
    board = top.table_at("board")
    board.finish("files", "ranks")
    files = board.number("files", 2, MAX_FILES)
    ranks = board.number("ranks", 2, MAX_RANKS)
    promotion = top.table_at("promotion", {})
    promotion.finish("zone", "on", "mandatory")
    pieces = _pieces(top, promotion, ranks)
    end = top.table_at("end")
    end.finish("checkmate", "stalemate", "repetition")
    end.choice("checkmate", ("loss",))
    repetition = end.table_at("repetition", {})
    repetition.finish("times", "result", "perpetual_check")
    repetition.choice("result", ("draw",), "draw")
    description = Description(
        name=_name(top),
        title=top.get("title", str),
        source=top.get("source", str, ""),
        files=files,
        ranks=ranks,
        start_fen=top.get("start", str),
        pieces=pieces,
        promotion_zone=promotion.rank_list("zone", ranks, []),
        promotion_on=_promotion_on(promotion),
        castling=_castling(top, files),
        stalemate=end.choice("stalemate", ("draw", "loss", "win")),
        repetition_times=repetition.number("times", 2, 9, 3),
        repetition_perpetual_check=repetition.choice("perpetual_check", ("draw", "loss"), "draw"),
        path=path,
    )
    _check_whole(top, description)
    return description


def _name(top):
    name = top.get("name", str)
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", name):
        raise top.error("name", f"{name!r} should be lower-case letters, digits and hyphens")
    return name


def _promotion_on(promotion):
    values = promotion.get("on", list, ["enter"])
    for value in values:
        if value not in ("enter", "leave"):
            raise promotion.error("on", f"{value!r} should be 'enter' or 'leave'")
    return frozenset(values)


def _pieces(top, promotion, ranks):
    tables = top.table_at("pieces")
    known = list(tables.table)
    for letter in known:
        if not re.fullmatch("[A-Z]", letter):
            raise tables.error(letter, "a piece is named by one capital letter")
    drops = top.table_at("drops", {})
    drops.finish("pieces", "forbidden", "no_mate")
    droppable = drops.letters("pieces", known)
    no_mate = drops.letters("no_mate", known)
    forbidden = drops.table_at("forbidden", {})
    forbidden.finish(*known)
    mandatory = promotion.letters("mandatory", known)
    bases = {}
    for letter in known:
        for promoted in tables.table_at(letter).letters("promotes", known):
            bases.setdefault(promoted, letter)
    pieces = []
    for letter in known:
        table = tables.table_at(letter)
        table.finish(*("name", "moves", "royal", "value", "hand", "promotes", "steps", "en_passant"))
        promoted = letter in bases and letter not in droppable
        _check_promotions(table, letter, tables)
        royal = table.get("royal", bool, False)
        value = table.number("value", 0, MAX_VALUE, 0 if royal else ...)
        if royal and letter in droppable:
            raise drops.error("pieces", f"the royal piece {letter!r} cannot be dropped")
        pieces.append(
            PieceDescription(
                letter=letter,
                name=table.get("name", str),
                betza=table.get("moves", str),
                moves=_moves(table),
                value=value,
                hand_value=table.number("hand", 0, MAX_VALUE, value),
                royal=royal,
                promotes_to=tuple(table.letters("promotes", known)),
                promotion_mandatory=letter in mandatory,
                droppable=letter in droppable,
                drop_forbidden=forbidden.rank_list(letter, ranks, []),
                no_drop_mate=letter in no_mate,
                steps=_steps(table, ranks),
                en_passant=table.get("en_passant", bool, False),
                base=bases[letter] if promoted else letter,
                promoted=promoted,
            )
        )
    return tuple(pieces)


def _check_promotions(table, letter, tables):
    for promoted in table.get("promotes", str, ""):
        if promoted == letter or tables.table_at(promoted).get("royal", bool, False):
            raise table.error(
                "promotes", f"{letter!r} cannot promote to {promoted!r}, a royal piece or itself"
            )


def _moves(table):
    try:
        moves = betza.parse(table.get("moves", str))
    except betza.BetzaError as error:
        raise table.error("moves", str(error)) from None
    for move in moves:
        if move.initial or move.en_passant:
            raise table.error("moves", "say first steps and en passant by 'steps' and 'en_passant'")
        if unplayed := _unplayed(move, moves):
            raise table.error("moves", f"{unplayed} cannot be played yet")
    return moves


def _unplayed(move, moves):
    """What the compiled generator does not know of a move yet, or None."""
    slides = move.reach == 0
    if move.lame or move.jumping or move.hop:
        return "lame leapers and hoppers"
    if move.reach > 1:
        return "moves of a limited range"
    if slides and max(abs(move.files), abs(move.ranks)) > 1:
        return "riders other than rook, bishop and queen"
    if slides and not (move.quiet and move.capture):
        return "sliders that capture otherwise than they move"
    if slides and replace(move, files=-move.files, ranks=-move.ranks) not in moves:
        return "sliders in one direction of a line"
    if not (move.quiet and move.capture) and any(other.reach == 0 for other in moves):
        return "leapers that capture otherwise than they move and slide as well"
    return None


def _steps(table, ranks):
    steps = table.table_at("steps", {})
    found = {}
    for key in steps.table:
        if not (key.isascii() and key.isdigit()) or not 1 <= int(key) <= ranks:
            raise steps.error(key, f"should be a rank from 1 to {ranks}")
        found[int(key)] = steps.number(key, 2, ranks - int(key))
    return MappingProxyType(found)


def _castling(top, files):
    castling = top.table_at("castling", {})
    if not castling.table:
        return ()
    castling.finish("by", "K", "Q")
    castling.choice("by", ("position",))
    sides = []
    for letter in "KQ":
        if letter not in castling.table:
            continue
        side = castling.table_at(letter)
        names = ("king", "rook", "king_to", "rook_to")
        side.finish(*names)
        for name in names:
            if side.get(name, str) not in tuple(FILE_LETTERS[:files]):
                raise side.error(name, f"{side.table[name]!r} is no file of this board")
        for one, other in (("king", "rook"), ("king_to", "rook_to")):
            if side.table[one] == side.table[other]:
                raise side.error(other, f"king and rook cannot both stand on file {side.table[one]!r}")
        sides.append(CastlingDescription(letter, *(FILE_LETTERS.index(side.table[name]) for name in names)))
    return tuple(sides)


def _check_whole(top, description):
    """What no single key can tell."""
    royals = [piece.letter for piece in description.pieces if piece.royal]
    if len(royals) != 1:
        raise top.error("pieces", f"exactly one kind must be royal, not {len(royals)}")
    if len(description.pieces) > 32:
        raise top.error("pieces", "at most 32 kinds fit")
    for piece in description.pieces:
        where = f"pieces.{piece.letter}"
        if piece.promotes_to and not description.promotion_zone:
            raise top.error("promotion.zone", f"is missing, but {piece.letter!r} promotes")
        if piece.promotion_mandatory and not piece.promotes_to:
            raise top.error("promotion.mandatory", f"{piece.letter!r} has no 'promotes'")
        if piece.promotion_mandatory and "enter" not in description.promotion_on:
            raise top.error("promotion.on", f"lacks 'enter', but {piece.letter!r} must promote")
        optional = piece.promotes_to and not piece.promotion_mandatory
        if optional and _is_split(piece) and "leave" in description.promotion_on:
            reason = "promotes on leaving the zone and captures otherwise than it moves"
            raise top.error(where, f"{reason}: that cannot be played yet")
        if (piece.steps or piece.en_passant) and not any(
            (move.files, move.ranks, move.quiet, move.capture) == (0, 1, True, False) for move in piece.moves
        ):
            raise top.error(f"{where}.steps", "only a piece with the move 'fmW' has longer steps")
        if piece.no_drop_mate and not piece.droppable:
            raise top.error("drops.no_mate", f"{piece.letter!r} cannot be dropped")
        if piece.no_drop_mate and any(move.reach != 1 for move in piece.moves):
            raise top.error("drops.no_mate", f"{piece.letter!r} is no stepper or leaper")
    if description.castling and "R" not in {piece.letter for piece in description.pieces}:
        raise top.error("castling", "needs a piece 'R'")
    if sum(piece.no_drop_mate for piece in description.pieces) > 1:
        raise top.error("drops.no_mate", "at most one kind of piece")
    from .fen import FenError
    from .fen import parse as parse_fen

    try:
        parse_fen(description.start_fen, description)
    except FenError as error:
        raise top.error("start", str(error)) from None


def _is_split(piece):
    """Whether a piece captures otherwise than it moves."""
    return any(move.quiet != move.capture for move in piece.moves)
