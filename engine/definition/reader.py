"""Converts a TOML table to a `Description`: every key is read and checked; errors name file, key and reason.

`consistency` checks combinations of keys; `rules` makes facts for compiled code."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..game import betza
from ..game.description import FEWER, REVERTING, Advanced, Description, PieceDescription
from ..game.mobility import estimated_value
from ..game.table_reader import GameReader, TableReader
from ..mechanics import MECHANICS, keys_in
from . import fen
from .castling import read_castling
from .consistency import check_whole

MAX_FILES = MAX_RANKS = 16
MAX_VALUE = 20_000
MAX_LIMIT = 200
REPETITION_RESULTS = ("draw", "loss", "win", "white", "black")
WAYS = ("enter", "leave", "stay")
PIECE_KEYS = (
    *("name", "moves", "royal", "value", "hand", "promotes", "steps", "en_passant"),
    *("also", "shielded", "picture", "region", "advanced", "barred"),
)
DROP_KEYS = (*("pieces", "captures", "forbidden", "no_mate", "reverts", "squares"), *keys_in("drops"))
TOP_KEYS = (
    *(
        "extends",
        "name",
        "title",
        "source",
        "aliases",
        "shares_network",
        "start",
        "board",
        "pieces",
        "promotion",
        "drops",
        "castling",
        "end",
    ),
    *keys_in(""),
)


DEFAULTS = {name: value for mechanic in MECHANICS for name, value in mechanic.piece_defaults.items()}
DROP_DEFAULTS = {  # of the mechanics that are about drops
    name: value
    for mechanic in MECHANICS
    for name, value in mechanic.piece_defaults.items()
    if any(key.startswith("drops.") for key in mechanic.keys)
}


def parse_table(table: dict[str, Any], path: Path) -> Description:
    """The game of a TOML table; `path` is for messages. Raises VariantError."""
    top = TableReader(path.name, table)
    top.finish(*TOP_KEYS)
    board = top.table_at("board")
    if "holes" in board.table:
        raise board.error("holes", "is not a key: holes are '*' in the ranks of 'start'")
    board.finish("files", "ranks")
    files = board.number("files", 2, MAX_FILES)
    ranks = board.number("ranks", 2, MAX_RANKS)
    promotion = top.table_at("promotion", {})
    keys = ("zone", "on", "mandatory", "limit", "squares", "captures", "plus")
    promotion.finish(*keys, *keys_in("promotion"))
    zone = promotion.rank_list("zone", ranks, [])
    known = _known_letters(top)
    _check_royals(top, known)
    start = " ".join(top.get("start", str).split())
    end = top.table_at("end")
    end.finish("checkmate", "stalemate", "repetition", "quiet_moves", *keys_in("end"))
    repetition = end.table_at("repetition", {})
    repetition.finish("times", "result", "perpetual_check", "compares")
    drops = top.table_at("drops", {})
    on, ways = _promotion_ways(promotion, known)
    game = GameReader(top, files, ranks, known)
    mechanics = {name: value for mechanic in MECHANICS for name, value in mechanic.read_game(game).items()}
    pieces = _pieces(game, promotion, zone)
    description = Description(
        name=_name(top),
        title=top.words("title"),
        source=top.get("source", str, ""),
        aliases=_other_names(top),
        shares_network=top.get("shares_network", bool, False),
        files=files,
        ranks=ranks,
        start_fen=start,
        pieces=pieces,
        promotion_zone=zone,
        promotion_on=on,
        promotion_ways=ways,
        promotion_limit=_limit(promotion, start, pieces, known),
        plus=_plus(promotion, pieces, known),
        captures_to_hand=drops.get("captures", bool, True),
        **read_castling(top, files, ranks, known),
        checkmate=end.choice("checkmate", ("loss", "win")),
        stalemate=end.choice("stalemate", ("draw", "loss", "win", FEWER)),
        repetition_times=_times(repetition),
        repetition_result=repetition.choice("result", REPETITION_RESULTS, "draw"),
        repetition_perpetual_check=repetition.choice("perpetual_check", ("draw", "loss"), "draw"),
        repetition_compares=repetition.choices("compares", ("castling", "en_passant"), []),
        quiet_moves=end.number("quiet_moves", 1, 1000, 0),
        mechanics=MappingProxyType(mechanics),
        roles=tuple(game.roles),
        path=path,
    )
    check_whole(top, description)
    start = _whole_start(description)
    limit = _limit(promotion, start, pieces, known)
    return replace(description, start_fen=start, promotion_limit=limit)


def _check_royals(top: TableReader, known: list[str]) -> None:
    """Raises an error if several kinds are royal, which makes further contradictions."""
    pieces = top.table_at("pieces")
    royals = [letter for letter in known if pieces.table_at(letter).get("royal", bool, False)]
    if len(royals) > 1:
        others = "".join(royals[1:])
        raise top.error(
            "pieces",
            f"at most one kind can be royal, not {len(royals)}, {' and '.join(map(repr, royals))};"
            f" co_royal = {others!r} makes further kinds royal",
        )


def _whole_start(description: Description) -> str:
    """The complete FEN of the start in one form, for any form in the file."""
    setup = fen.parse(description.start_fen, description)
    return fen.write(setup, fen.castling_field(setup), description)


def _name(top: TableReader) -> str:
    name = top.get("name", str)
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", name):
        raise top.error("name", f"{name!r} should be lower-case letters, digits and hyphens")
    return name


def _other_names(top: TableReader) -> tuple[str, ...]:
    found = top.get("aliases", list, [])
    for name in found:
        if not isinstance(name, str) or not re.fullmatch(r"[a-z0-9][a-z0-9-]*", name):
            raise top.error("aliases", f"{name!r} should be lower-case letters, digits and hyphens")
    return tuple(found)


def _known_letters(top: TableReader) -> list[str]:
    pieces = top.table_at("pieces")
    for letter in pieces.table:
        if not re.fullmatch("[A-Z]", letter):
            raise pieces.error(letter, "a piece is named by one capital letter")
    return list(pieces.table)


def _limit(
    promotion: TableReader, start: str, pieces: tuple[PieceDescription, ...], known: list[str]
) -> MappingProxyType[str, int]:
    """Letters -> the most pieces of these kinds that promotions may bring on the board together; empty
    without a limit."""
    if "limit" not in promotion.table:
        return MappingProxyType({})
    if isinstance(promotion.table["limit"], dict):
        return MappingProxyType(_numbered_limit(promotion.table_at("limit"), known))
    if not isinstance(promotion.table["limit"], str):
        raise promotion.error(
            "limit", f"{promotion.table['limit']!r} should be 'captured' or a table like {{ Q = 1 }}"
        )
    promotion.choice("limit", ("captured",))
    if any(piece.droppable for piece in pieces):
        reason = "'captured' cannot be combined with drops, because captured pieces return by themselves"
        raise promotion.error("limit", reason)
    board = start.split(" ")[0].split("[")[0]
    made = {letter for piece in pieces for letter in piece.promotes_to}
    letters = dict.fromkeys([*filter(str.isupper, board), *sorted(made)])
    return MappingProxyType({letter: board.count(letter) for letter in letters})


def _numbered_limit(table: TableReader, known: list[str]) -> dict[str, int]:
    """A numeric limit, like `{ Q = 1, RB = 3 }`."""
    seen: set[str] = set()
    for letters in table.table:
        for letter in letters:
            if letter not in known:
                raise table.error(letters, f"{letter!r} is not a piece of this game ({''.join(known)})")
            if letter in seen:
                raise table.error(letters, f"{letter!r} has a limit already")
            seen.add(letter)
    return {letters: table.number(letters, 0, MAX_LIMIT) for letters in table.table}


def _plus(
    promotion: TableReader, pieces: tuple[PieceDescription, ...], known: list[str]
) -> MappingProxyType[str, str] | None:
    """Letter -> the form that other programs write as `+` and that letter; None if the file does not give
    it."""
    if "plus" not in promotion.table:
        return None
    table = promotion.table_at("plus")
    table.finish(*known)
    found = {}
    for piece in pieces:
        if piece.letter in table.table:
            made = [letter.removesuffix(REVERTING) for letter in piece.promotes_to]
            found[piece.letter] = table.choice(piece.letter, made) if made else ""
            if not made:
                raise table.error(piece.letter, f"{piece.letter!r} has no 'promotes'")
    if len(set(found.values())) < len(found):
        raise promotion.error("plus", "two pieces have the same form")
    return MappingProxyType(found)


def _pieces(game: GameReader, promotion: TableReader, zone: tuple[int, ...]) -> tuple[PieceDescription, ...]:
    top, known, files, ranks = game.top, game.known, game.files, game.ranks
    tables = top.table_at("pieces")
    drops = top.table_at("drops", {})
    drops.finish(*DROP_KEYS)
    droppable = drops.letters("pieces", known)
    no_mate = drops.letters("no_mate", known)
    reverts = drops.get("reverts", bool, False)
    forbidden = drops.table_at("forbidden", {})
    forbidden.finish(*known)
    drop_squares = _drop_squares(drops, game)
    zones = _squares_by_letter(promotion, game)
    must_promote = _must_promote(promotion, zone, zones, game)
    by_captures = promotion.letters("captures", known)
    mechanics = _pieces_of_mechanics(game)
    # A piece may have a negative value if a side wants to lose it.
    least = -MAX_VALUE if top.table_at("extinction", {}).table.get("result") == "win" else 0
    bases: dict[str, str] = {}
    made: list[str] = []
    for letter in known:
        for form in tables.table_at(letter).letters("promotes", known):
            bases.setdefault(form, letter)
            if reverts and form in droppable and form not in made:
                made.append(form)
    pieces = []
    for letter in known:
        table = tables.table_at(letter)
        table.finish(*PIECE_KEYS)
        promoted = letter in bases and letter not in droppable
        _check_promotions(table, letter, tables)
        royal = table.get("royal", bool, False)
        moves = _moves(table)
        estimate = 0 if royal else min(MAX_VALUE, estimated_value(files, ranks, moves))
        value = table.number("value", least, MAX_VALUE, estimate)
        promotes_to = table.letters("promotes", known)
        pieces.append(
            PieceDescription(
                letter=letter,
                name=table.words("name"),
                also=_aliases(tables, letter),
                betza=table.get("moves", str),
                moves=moves,
                value=value,
                hand_value=table.number("hand", 0, MAX_VALUE, max(value, 0)),
                royal=royal,
                promotes_to=tuple(x + REVERTING if x in made else x for x in promotes_to),
                must_promote=must_promote.get(letter, ()),
                promotion_squares=zones.get(letter, ()),
                captures_promote=letter in by_captures,
                droppable=letter in droppable,
                drop_forbidden=forbidden.rank_list(letter, ranks, []),
                drop_squares=drop_squares.get(letter, ()),
                no_drop_mate=letter in no_mate,
                barred=table.rank_list("barred", ranks, []),
                steps=_steps(table, ranks),
                en_passant=_en_passant(table, ranks),
                shielded=table.choice("shielded", ("slides", "hops"), ""),
                region=table.squares("region", files, ranks) if "region" in table.table else (),
                advanced=_advanced(table, ranks),
                base=bases[letter] if promoted else letter,
                promoted=promoted,
                picture=table.picture("picture"),
                mechanics=MappingProxyType(DEFAULTS | mechanics[letter]),
            )
        )
    return tuple(pieces) + tuple(_reverting(pieces, letter, bases[letter]) for letter in made)


def _pieces_of_mechanics(game: GameReader) -> dict[str, dict[str, Any]]:
    """Letter -> the fields that mechanics read for that piece."""
    found: dict[str, dict[str, Any]] = {letter: {} for letter in game.known}
    for mechanic in MECHANICS:
        for name, values in mechanic.read_pieces(game).items():
            for letter, value in values.items():
                found[letter][name] = value
    return found


def _reverting(pieces: list[PieceDescription], letter: str, base: str) -> PieceDescription:
    """The kind of a promoted piece if pieces of that letter also exist without promotion."""
    piece = next(piece for piece in pieces if piece.letter == letter)
    changes: dict[str, Any] = dict(letter=letter + REVERTING, droppable=False, base=base, promoted=True)
    changes |= dict(
        drop_forbidden=(), drop_squares=(), mechanics=MappingProxyType(piece.mechanics | DROP_DEFAULTS)
    )
    return replace(piece, name=f"promoted {piece.name}", **changes)


def _promotion_ways(
    promotion: TableReader, known: Sequence[str]
) -> tuple[frozenset[str], MappingProxyType[str, frozenset[str]]]:
    """(how pieces promote, letter -> how pieces with their own rule promote)."""
    if not isinstance(promotion.table.get("on"), dict):
        return promotion.choices("on", WAYS, ["enter"]), MappingProxyType({})
    table = promotion.table_at("on")
    table.finish(*known)
    ways = {letter: table.choices(letter, WAYS, ["enter"]) for letter in table.table}
    return frozenset(["enter"]), MappingProxyType(ways)


def _times(repetition: TableReader) -> int:
    """The occurrence of a position that ends the game; 0 for none."""
    times = repetition.number("times", 0, 9, 3)
    if times == 1:
        raise repetition.error("times", "1 should be from 2 to 9, or 0 for no such rule")
    return times


def _squares_by_letter(table: TableReader, game: GameReader) -> dict[str, tuple[int, ...]]:
    """Letter -> squares, for White, of the table `squares`."""
    inner = table.table_at("squares", {})
    inner.finish(*game.known)
    return {letter: game.squares(inner, letter) for letter in inner.table}


def _drop_squares(drops: TableReader, game: GameReader) -> dict[str, tuple[int, ...]]:
    """Letter -> the only squares for its drops: one list for all, or a table."""
    if isinstance(drops.table.get("squares"), list):
        return dict.fromkeys(drops.letters("pieces", game.known), game.squares(drops, "squares"))
    return _squares_by_letter(drops, game)


def _must_promote(
    promotion: TableReader, zone: tuple[int, ...], zones: dict[str, tuple[int, ...]], game: GameReader
) -> dict[str, tuple[int, ...]]:
    """Letter -> ranks that it reaches only by promoting: its whole zone, or those of a table."""
    if isinstance(promotion.table.get("mandatory"), dict):
        table = promotion.table_at("mandatory")
        table.finish(*game.known)
        return {letter: table.rank_list(letter, game.ranks) for letter in table.table}
    if not isinstance(promotion.table.get("mandatory", ""), str):
        value = promotion.table["mandatory"]
        raise promotion.error(
            "mandatory", f"{value!r} should be a text like 'P' or a table like {{ P = [8] }}"
        )
    return {
        letter: tuple(sorted({s // game.files + 1 for s in zones[letter]})) if letter in zones else zone
        for letter in promotion.letters("mandatory", game.known)
    }


def _check_promotions(table: TableReader, letter: str, tables: TableReader) -> None:
    for promoted in table.get("promotes", str, ""):
        if promoted == letter or tables.table_at(promoted).get("royal", bool, False):
            raise table.error(
                "promotes", f"{letter!r} cannot promote to {promoted!r}, a royal piece or itself"
            )


def _aliases(tables: TableReader, letter: str) -> str:
    table = tables.table_at(letter)
    earlier = list(tables.table)[: list(tables.table).index(letter)]
    taken = "".join(tables.table) + "".join(tables.table_at(one).get("also", str, "") for one in earlier)
    text = table.get("also", str, "")
    for index, alias in enumerate(text):
        if not re.fullmatch("[A-Z]", alias) or alias in taken + text[:index]:
            raise table.error("also", f"{alias!r} should be a capital letter that no piece has")
    return text


def _moves(table: TableReader) -> tuple[betza.Ride, ...]:
    moves = table.moves("moves")
    for move in moves:
        if move.initial or move.en_passant:
            raise table.error("moves", "use the keys 'steps' and 'en_passant' for first steps and en passant")
        if unplayed := betza.unplayed_modes(move):
            raise table.error("moves", f"{unplayed} cannot be played")
    return moves


def _steps(table: TableReader, ranks: int) -> MappingProxyType[int, int]:
    steps = table.table_at("steps", {})
    found = {}
    for key in steps.table:
        if not re.fullmatch("[0-9]{1,2}", key) or not 1 <= int(key) <= ranks:
            raise steps.error(key, f"should be a rank from 1 to {ranks}")
        found[int(key)] = steps.number(key, 2, ranks - int(key))
    return MappingProxyType(found)


def _en_passant(table: TableReader, ranks: int) -> tuple[int, ...]:
    """The ranks on which a piece captures en passant: those of a list, all for `true`."""
    if isinstance(table.table.get("en_passant"), list):
        return table.rank_list("en_passant", ranks)
    return tuple(range(1, ranks + 1)) if table.get("en_passant", bool, False) else ()


def _advanced(table: TableReader, ranks: int) -> Advanced | None:
    inner = table.optional_table("advanced", "ranks", "moves")
    if inner is None:
        return None
    moves = inner.moves("moves")
    if any(move.reach != 1 or move.lame or move.hop or move.initial or move.en_passant for move in moves):
        raise inner.error("moves", f"{inner.table['moves']!r} should be only steps and leaps, like 'sW'")
    if any(move.quiet != move.capture for move in moves):
        raise inner.error("moves", f"{inner.table['moves']!r} should capture as it moves")
    return Advanced(inner.rank_list("ranks", ranks), moves)
