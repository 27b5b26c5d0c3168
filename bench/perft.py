"""Speed of the move generator: leaves per second of perft, the last ply counted in bulk.

Beside another engine both count in turn, so that a noisy machine troubles both alike.
"""

import statistics
import time
from contextlib import closing

import click
from rich.table import Table

from ..engine.perft import MAX_PERFT_DEPTH, perft
from ..protocol.options import position_of, variant_option
from ..protocol.progress import tracked
from .report import console, machine, print_spread
from .rival import Rival, RivalError

# Games that other engines play, each to a depth that takes them some seconds.
SUITE = {"chess": 6, "crazyhouse": 6, "janggi": 5, "capablanca": 5, "capahouse": 5, "grand": 4, "shako": 4}


def _measure(position, depth):
    """(leaves, seconds) of one count."""
    started = time.perf_counter()
    return perft(position, depth), time.perf_counter() - started


def _duel(work, runs, rival):
    """Game -> (depth, our leaves, our speeds, their leaves, their speeds), in million leaves per second."""
    found = {}
    for position, depth in work:
        perft(position, 1)
        found[position.variant] = (depth, set(), [], set(), [])
    rounds = [pair for _ in range(runs) for pair in work]
    for position, depth in tracked(rounds, "perft"):
        _, ours, our_speeds, theirs, their_speeds = found[position.variant]
        leaves, seconds = _measure(position, depth)
        ours.add(leaves)
        our_speeds.append(leaves / seconds / 1e6)
        leaves, seconds = rival.perft(position.variant, position.fen(), depth)
        theirs.add(leaves)
        their_speeds.append(leaves / seconds / 1e6)
    return found


def _print_duel(found, rival):
    table = Table(title="Perft in million leaves/s, medians", caption=machine(), title_justify="left")
    for heading in ("game", "depth", "leaves", "Surajang", rival.name, "their leaves", "ratio"):
        table.add_column(heading, justify="left" if heading == "game" else "right", no_wrap=True)
    for variant, (depth, ours, our_speeds, theirs, their_speeds) in found.items():
        mine, other = statistics.median(our_speeds), statistics.median(their_speeds)
        same = "the same" if ours == theirs else f"{max(theirs):,}"
        table.add_row(
            variant, str(depth), f"{max(ours):,}", f"{mine:.1f}", f"{other:.1f}", same, f"{mine / other:.1f}"
        )
    console().print(table)


@click.command()
@variant_option
@click.option("--depth", default=5, show_default=True, type=click.IntRange(1, MAX_PERFT_DEPTH))
@click.option("--runs", default=5, show_default=True, type=click.IntRange(1))
@click.option("--fen", help="The position; the start of the game by default.")
@click.option("--against", metavar="COMMAND", help="A UCI engine to count beside, like fairy-stockfish.")
@click.option("--suite", is_flag=True, help="All games that other engines play, each to its own depth.")
def main(variant, depth, runs, fen, against, suite):
    """Measure the move generator on one core, alone or beside another engine."""
    if suite and fen:
        raise click.UsageError("--suite starts every game at its start; it does not go with --fen")
    games = SUITE.items() if suite else [(variant, depth)]
    work = [(position_of(game, fen), deep) for game, deep in games]
    if against is None:
        for position, deep in work:
            _report(position, deep, runs)
        return
    try:
        with closing(Rival(against)) as rival:
            _print_duel(_duel(work, runs, rival), rival)
    except RivalError as error:
        raise click.UsageError(str(error)) from None


def _report(position, depth, runs):
    """Prints the spread of our own speed."""
    perft(position, 1)
    speeds, leaves = [], 0
    for _ in tracked(range(runs), f"perft {depth}"):
        leaves, seconds = _measure(position, depth)
        speeds.append(leaves / seconds / 1e6)
    title = f"{position.variant}, perft {depth}: {leaves:,} leaves"
    print_spread(title, "million/s", {position.fen(): speeds})
