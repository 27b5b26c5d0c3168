"""The parts of a game's file that are about the whole game: castling, palace, setup, special endings.

Each function takes the `TableReader` of the file's top table, and gives what a `Description` holds, or its
default where the file has no such part. Raises VariantError."""

from collections.abc import Collection
from typing import Any

from ..game.betza import Ride
from ..game.description import (
    FILE_LETTERS,
    Bumping,
    CastlingDescription,
    DeadPositions,
    FacingKings,
    GoalSquares,
    Merchants,
    Palace,
)
from ..game.table_reader import TableReader

MAX_SWAPS = 4


def unplayed_modes(move: Ride) -> str | None:
    """The kind of move that the compiled generators cannot play, in words, or None."""
    if move.jumping:
        return "leapers that need a piece to jump"
    if move.hop == "g":
        return "hoppers that land right behind the piece they jump"
    if move.hop and move.reach == 1:
        return "hoppers that go one square"
    if move.lame and move.reach != 1:
        return "lame riders"
    return None


def read_castling(top: TableReader, files: int, ranks: int, known: Collection[str]) -> dict[str, Any]:
    castling = top.table_at("castling", {})
    if not castling.table:
        return dict(
            castling=(),
            castling_by="position",
            castling_once=False,
            castling_dropped=False,
            castling_rank=1,
            castling_rook="",
        )
    castling.finish("by", "once", "dropped", "rank", "rook", "K", "Q")
    sides = []
    for letter in "KQ":
        if letter not in castling.table:
            continue
        side = castling.table_at(letter)
        names = ("king", "rook", "king_to", "rook_to")
        side.finish(*names)
        squares = [side.file_index(name, files) for name in names]
        for one, other in (("king", "rook"), ("king_to", "rook_to")):
            if side.table[one] == side.table[other]:
                raise side.error(other, f"king and rook cannot both stand on file {side.table[one]!r}")
        sides.append(CastlingDescription(letter, *squares))
    if not sides:
        raise top.error("castling", "needs 'K' or 'Q', the files of king and rook before and after")
    rook = castling.one_letter("rook", known) if "rook" in castling.table else "R"
    if rook not in known:
        raise top.error("castling", "needs a piece 'R', or the letter of another by 'rook'")
    return dict(
        castling=tuple(sides),
        castling_by=castling.choice("by", ("position", "rights")),
        castling_once=castling.get("once", bool, False),
        castling_dropped=castling.get("dropped", bool, False),
        castling_rank=castling.number("rank", 1, ranks, 1),
        castling_rook=rook,
    )


# Mechanics that few games have


def read_dead_positions(end: TableReader, known: Collection[str]) -> DeadPositions | None:
    table = end.optional_table("dead_positions", "single", "colourbound")
    if table is None:
        return None
    return DeadPositions(table.letters("single", known), table.letters("colourbound", known))


def read_palace(top: TableReader, files: int, ranks: int) -> Palace | None:
    table = top.optional_table("palace", "files", "ranks", "confined", "diagonals")
    if table is None:
        return None
    for letter in table.get("files", str):
        if letter not in FILE_LETTERS[:files]:
            raise table.error("files", f"{letter!r} is not a file of this board")
    inside = tuple(FILE_LETTERS.index(letter) for letter in table.table["files"])
    palace = Palace(inside, table.rank_list("ranks", ranks))
    for key, numbers in (("files", palace.files), ("ranks", palace.ranks)):
        if len(numbers) != 3 or numbers != tuple(range(numbers[0], numbers[0] + 3)):
            raise table.error(key, f"{table.table[key]!r} should be three neighbours, in order")
    return palace


def read_palace_pieces(top: TableReader, known: Collection[str]) -> tuple[dict[str, tuple[Ride, ...]], str]:
    """(letter -> moves along palace diagonals, letters that are confined)."""
    if "palace" not in top.table:
        return {}, ""
    table = top.table_at("palace")
    diagonals = table.table_at("diagonals", {})
    diagonals.finish(*known)
    moves = {}
    for letter in diagonals.table:
        moves[letter] = diagonals.moves(letter)
        for move in moves[letter]:
            odd = move.initial or move.en_passant or unplayed_modes(move)
            if abs(move.files) != 1 or abs(move.ranks) != 1 or odd:
                raise diagonals.error(letter, f"{diagonals.table[letter]!r} is not a diagonal move like 'F'")
    return moves, table.letters("confined", known)


def read_setup(top: TableReader, files: int) -> tuple[tuple[int, int], ...]:
    table = top.optional_table("setup", "swaps")
    if table is None:
        return ()
    swaps = []
    for text in table.get("swaps", list):
        if not isinstance(text, str) or len(text) != 2 or not set(text) <= set(FILE_LETTERS[:files]):
            raise table.error("swaps", f"{text!r} should be the letters of two files, like 'bc'")
        swaps.append((FILE_LETTERS.index(text[0]), FILE_LETTERS.index(text[1])))
    if not 1 <= len(swaps) <= MAX_SWAPS or len({file for swap in swaps for file in swap}) < 2 * len(swaps):
        raise table.error("swaps", f"{table.table['swaps']!r} should be 1 to {MAX_SWAPS} separate pairs")
    return tuple(swaps)


def read_goal(top: TableReader, known: Collection[str], files: int, ranks: int) -> GoalSquares | None:
    table = top.optional_table("goal", "pieces", "squares", "black")
    if table is None:
        return None
    black = table.squares("black", files, ranks) if "black" in table.table else ()
    return GoalSquares(table.letters("pieces", known, ...), table.squares("squares", files, ranks), black)


def read_facing_kings(top: TableReader) -> FacingKings | None:
    table = top.optional_table("facing_kings", "lines", "lasting", "result")
    if table is None:
        return None
    lines = table.choices("lines", ("file", "rank"), ["file"])
    return FacingKings(
        lines, table.get("lasting", bool, False), table.choice("result", ("loss", "draw", "illegal"))
    )


def read_passing(top: TableReader) -> bool:
    table = top.optional_table("passing", "twice")
    return table is not None and bool(table.choice("twice", ("draw",)))


def read_merchants(top: TableReader, known: Collection[str]) -> Merchants | None:
    table = top.optional_table("merchants", "piece", "immune", "spared")
    if table is None:
        return None
    return Merchants(
        table.one_letter("piece", known), table.letters("immune", known), table.letters("spared", known)
    )


def read_bumping(top: TableReader, known: Collection[str]) -> Bumping | None:
    table = top.optional_table("bumping", "piece", "immune")
    if table is None:
        return None
    return Bumping(table.one_letter("piece", known), table.letters("immune", known))


def read_bare_king(top: TableReader, known: Collection[str]) -> str | None:
    table = top.optional_table("bare_king", "result", "spared", "reply")
    if table is None:
        return None
    table.choice("result", ("loss",))
    return table.letters("spared", known)
