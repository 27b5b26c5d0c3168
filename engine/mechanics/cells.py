"""A board of cells: every move must leave the cell of its piece, and so must every attack."""

from dataclasses import dataclass

from ..game.description import Description
from ..game.table_reader import GameReader, TableReader
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules
from .mechanic import Mechanic, Rule, refuse_together

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import has
    from ..kernel.facts import Facts
    from ..representation.piece_plan import Plan
    from ..representation.position_record import source_of, target_of


@dataclass(frozen=True)
class Cells:
    """Cells of `files` x `ranks` squares; the first one has only `first_files` x `first_ranks`."""

    files: int
    ranks: int
    first_files: int
    first_ranks: int

    def of(self, file: int, rank: int) -> tuple[int, int]:
        """The cell of a square, whose file and rank are counted from 0."""
        return (
            (file + self.files - self.first_files) // self.files,
            (rank + self.ranks - self.first_ranks) // self.ranks,
        )


def read(game: GameReader, table: TableReader) -> Cells:
    files, ranks = table.number("files", 1, 15), table.number("ranks", 1, 15)
    first_files = table.number("first_files", 1, files, files)
    return Cells(files, ranks, first_files, table.number("first_ranks", 1, ranks, ranks))


def check(cells: Cells, top: TableReader, description: Description) -> None:
    others = ("drops", "explosion", "gates", "self_capture", "merchants", "bumping", "facing_kings")
    refuse_together(top, "cells", description, *others, "passing")
    if cells.files * cells.ranks == 1 or (cells.files, cells.ranks) >= (description.files, description.ranks):
        raise top.error("cells", "should have more than one square and be smaller than the board")


def facts(cells: Cells, plan: Plan) -> Facts:
    places = [
        cells.of(square % plan.geometry.files, square // plan.geometry.files)
        for square in range(plan.geometry.squares)
    ]
    same = [sum(1 << square for square, other in enumerate(places) if other == place) for place in places]
    return Facts("cells", same=plan.table(same))


def sentences(cells: Cells, description: Description) -> list[str]:
    size = f"{cells.files} x {cells.ranks}"
    odd = (cells.first_files, cells.first_ranks) != (cells.files, cells.ranks)
    first = f" The cell of a1 has {cells.first_files} x {cells.first_ranks} squares." if odd else ""
    return [
        f"The board is divided into cells of {size} squares.{first} Every move ends in another cell than it"
        " begins. A piece attacks nothing in its own cell: a king there is not in check."
    ]


@over_rules("cells")
def from_other_cells(cells, pieces, rules, square):
    """Those of the `pieces` that stand in another cell than `square`."""
    return pieces & ~cells.same[square]


@over_rules("cells")
def without_moves_inside(cells, end, rules, out, position, first):
    """The end of the moves listed from `first` on that leave their cell."""
    kept = np.int64(first)
    for i in range(first, end):
        move = np.int64(out.moves[i])
        if not has(cells.same[source_of(move)], target_of(move)):
            out.moves[kept] = np.uint32(move)
            kept += 1
    return kept


MECHANIC = Mechanic(
    of="cells",
    fact="cells",
    table=("files", "ranks", "first_files", "first_ranks"),
    read=read,
    check=check,
    facts=facts,
    rules=(Rule("cells", "Special rules", sentences),),
    narrow=without_moves_inside,
)
