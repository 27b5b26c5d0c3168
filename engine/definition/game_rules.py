"""The parts of a game's file about the whole game that are not mechanics: castling and palace.

Each function takes the `TableReader` of the file's top table, and returns a field of `Description`, or its
default if the file has no such part. Raises VariantError."""

from collections.abc import Collection
from typing import Any

from ..game.betza import Ride
from ..game.description import (
    FILE_LETTERS,
    CastlingDescription,
    Palace,
)
from ..game.table_reader import TableReader
from ..mechanics import keys_in


def unplayed_modes(move: Ride) -> str | None:
    """The kind of move that the compiled generators do not support, in words, or None."""
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
            castling_rank=1,
        )
    castling.finish("by", "once", "rank", "rook", "K", "Q", *keys_in("castling"))
    rook = castling.one_letter("rook", known) if "rook" in castling.table else "R"
    sides = []
    for letter in "KQ":
        if letter not in castling.table:
            continue
        side = castling.table_at(letter)
        names = ("king", "rook", "king_to", "rook_to")
        side.finish(*names, "piece")
        squares = [side.file_index(name, files) for name in names]
        for one, other in (("king", "rook"), ("king_to", "rook_to")):
            if side.table[one] == side.table[other]:
                raise side.error(other, f"king and rook cannot both stand on file {side.table[one]!r}")
        piece = side.one_letter("piece", known) if "piece" in side.table else rook
        if piece not in known:
            raise top.error("castling", "needs a piece 'R', or the letter of another by 'rook'")
        king, own_rook, king_to, rook_to = squares
        sides.append(CastlingDescription(letter, king, own_rook, king_to, rook_to, piece))
    if not sides:
        raise top.error("castling", "needs 'K' or 'Q', the files of king and rook before and after")
    return dict(
        castling=tuple(sides),
        castling_by=castling.choice("by", ("position", "rights")),
        castling_once=castling.get("once", bool, False),
        castling_rank=castling.number("rank", 1, ranks, 1),
    )


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
    """(letter -> moves along palace diagonals, letters that are confined to the palace)."""
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
