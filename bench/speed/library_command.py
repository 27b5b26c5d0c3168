"""Speed of the library: leaves per second of a perft written in Python, by `Position` and by python-chess."""

import time
from functools import partial
from typing import Annotated, Any

import click

from ...engine.bench_positions import Item
from ...engine.chess_boards import BOARDS
from ...engine.variant import Variant
from ...protocol.terminal.command_options import Option, with_options
from ...protocol.terminal.options import variant_option
from .engines_under_test import OURS, Contender
from .options import Fen, Report
from .perft_command import measure_perft
from .repeat import work_of

FEWER_PLIES = 2  # plies fewer than for a perft in compiled code


def count_leaves(board: Any, depth: int) -> int:
    """The leaves below a `Position` or a board of python-chess, each of them pushed and popped."""
    if depth == 0:
        return 1
    leaves = 0
    for move in board.legal_moves:
        board.push(move)
        leaves += count_leaves(board, depth - 1)
        board.pop()
    return leaves


class Library(Contender):
    """A library for positions: this one, or python-chess where it knows the game."""

    def __init__(self, name: str, of_chess: bool) -> None:
        self.name, self._of_chess = name, of_chess

    def ready(self, item: Item) -> None:
        count_leaves(self._board(item), 1)

    def _board(self, item: Item) -> Any:
        return item.position.to_chess() if self._of_chess else item.position

    def perft(self, item: Item, depth: int) -> tuple[int, float]:
        """(leaves, CPU seconds) of one count."""
        board = self._board(item)
        started = time.process_time()
        return count_leaves(board, depth), time.process_time() - started


@click.command()
@variant_option
@with_options
def main(
    variant: Variant,
    *,
    fen: Fen = None,
    report: Report,
    depth: Annotated[
        int | None, Option("Plies; by default suited to each position.", least=1, most=8)
    ] = None,
) -> None:
    """Measure the library for Python: a perft that pushes and pops every move, in leaves per CPU second.

    Chess, crazyhouse and King of the Hill are counted by python-chess as well.
    """
    items = work_of(variant, fen)
    depths = {item: depth or max(2, item.perft - FEWER_PLIES) for item in items}
    libraries = [partial(Library, OURS, of_chess=False)]
    if variant in BOARDS:
        libraries.append(partial(Library, "python-chess", of_chess=True))
    measure_perft("library", variant, items, depths, libraries, report)
