"""Speed of the move generator: leaves per second of perft, the last ply counted in bulk."""

import time

import click

from ..engine.perft import MAX_PERFT_DEPTH, perft
from ..protocol.options import position_of, variant_option
from ..protocol.progress import tracked
from .report import print_spread


@click.command()
@variant_option
@click.option("--depth", default=5, show_default=True, type=click.IntRange(1, MAX_PERFT_DEPTH))
@click.option("--runs", default=5, show_default=True, type=click.IntRange(1))
@click.option("--fen", help="The position; the start of the game by default.")
def main(variant, depth, runs, fen):
    """Measure the move generator on one core."""
    position = position_of(variant, fen)
    perft(position, 1)
    speeds, leaves = [], 0
    for _ in tracked(range(runs), f"perft {depth}"):
        started = time.perf_counter()
        leaves = perft(position, depth)
        speeds.append(leaves / (time.perf_counter() - started) / 1e6)
    title = f"{variant}, perft {depth}: {leaves:,} leaves"
    print_spread(title, "million/s", {position.fen(): speeds})
