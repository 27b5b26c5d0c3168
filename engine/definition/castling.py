"""The table `castling` of a game's file."""

from collections.abc import Collection
from typing import Any

from ..game.description import CastlingDescription
from ..game.table_reader import TableReader
from ..mechanics import keys_in


def read_castling(top: TableReader, files: int, ranks: int, known: Collection[str]) -> dict[str, Any]:
    """The fields of a `Description` that it sets, or their defaults without it. Raises VariantError."""
    castling = top.table_at("castling", {})
    if not castling.table:
        return dict(
            castling=(),
            castling_by="position",
            castling_once=False,
            castling_rank=1,
            castling_king="",
        )
    castling.finish("by", "once", "rank", "king", "rook", "K", "Q", *keys_in("castling"))
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
        castling_king=castling.one_letter("king", known) if "king" in castling.table else _royal(top, known),
    )


def _royal(top: TableReader, known: Collection[str]) -> str:
    """The letter of the royal piece, or ""."""
    pieces = top.table_at("pieces")
    return next((letter for letter in known if pieces.table_at(letter).get("royal", bool, False)), "")
