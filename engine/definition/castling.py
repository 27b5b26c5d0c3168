"""The table `castling` of a game's file.

With `mirrored` the king may begin on the mirror image of its file as well, and castles from there as in a
mirror. A wing has the letter of the side of its rook, so that each letter then means two wings: that of the
file where the king stands."""

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
            castling=(), castling_by="position", castling_once=False, castling_rank=1, castling_king=""
        )
    castling.finish("by", "once", "rank", "king", "rook", "mirrored", "K", "Q", *keys_in("castling"))
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
    if castling.get("mirrored", bool, False):
        sides += _mirrored(castling, sides, files)
    return dict(
        castling=tuple(sides),
        castling_by=castling.choice("by", ("position", "rights")),
        castling_once=castling.get("once", bool, False),
        castling_rank=castling.number("rank", 1, ranks, 1),
        castling_king=castling.one_letter("king", known) if "king" in castling.table else _royal(top, known),
    )


def _mirrored(
    castling: TableReader, sides: list[CastlingDescription], files: int
) -> list[CastlingDescription]:
    """The mirror images of both wings. Raises VariantError where they are not different from the wings."""
    others = {
        "by = 'position'": castling.table.get("by") != "rights",
        "free": castling.table.get("free"),
        "dropped": castling.table.get("dropped"),
    }
    for name, has_it in others.items():
        if has_it:
            raise castling.error("mirrored", f"cannot be combined with {name}")
    if [wing.letter for wing in sides] != ["K", "Q"]:
        raise castling.error("mirrored", "needs both 'K' and 'Q'")
    found = []
    for wing in reversed(sides):
        king, rook, king_to, rook_to = (
            files - 1 - file for file in (wing.king, wing.rook, wing.king_to, wing.rook_to)
        )
        letter = "K" if rook > king else "Q"
        found.append(CastlingDescription(letter, king, rook, king_to, rook_to, wing.piece))
    if sides[0].king == found[0].king or len({wing.king_to for wing in sides + found}) < 4:
        raise castling.error("mirrored", "the king begins and ends on other files in the mirror")
    return found


def _royal(top: TableReader, known: Collection[str]) -> str:
    """The letter of the royal piece, or ""."""
    pieces = top.table_at("pieces")
    return next((letter for letter in known if pieces.table_at(letter).get("royal", bool, False)), "")
