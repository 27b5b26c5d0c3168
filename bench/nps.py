"""Speed of the search: nodes per second and depth within a fixed time, over several positions."""

import click
from rich.progress import track

from ..engine.position import Position
from ..protocol.progress import error_console
from ..search.engine import Engine
from .report import print_spread

POSITIONS = {
    "pandemonium": {
        "start": None,
        "middle game": "r1b1r5/2qnp2p1p/4k1P1rQ/4P1p3/10/pp2p5/2pC5p/N3PPB2P/1P1K3P2/1NB2M1BNR"
        "[MCPPPP] b - - 0 1",
        "full hands": "1n1WH2r2/1p1p4pd/1p1k6/q2N1m4/6P3/r1Pp6/7P2/N4P4/PPh2K1P2/8n1"
        "[PPPqmcrbbppppp] b - - 0 1",
    }
}


@click.command()
@click.option("--variant", default="pandemonium", show_default=True, metavar="NAME", help="The game.")
@click.option("--seconds", default=5.0, show_default=True, type=click.FloatRange(0.1), help="Each search.")
@click.option("--runs", default=3, show_default=True, type=click.IntRange(1))
@click.option("--threads", default=1, show_default=True, type=click.IntRange(1))
@click.option("--hash", "hash_mb", default=64, show_default=True, type=click.IntRange(1), help="Megabytes.")
def main(variant, seconds, runs, threads, hash_mb):
    """Measure the search."""
    engine = Engine(variant, hash_mb=hash_mb, threads=threads)
    engine.compile()
    speeds, depths = {}, {}
    positions = POSITIONS.get(variant, {"start": None})
    work = [(name, fen) for _ in range(runs) for name, fen in positions.items()]
    for name, fen in track(work, "searching", console=error_console(), transient=True):
        engine.clear()
        result = engine.play(Position(variant, fen), movetime=seconds)
        speeds.setdefault(name, []).append(result.nodes / result.time / 1e6)
        depths.setdefault(name, []).append(result.depth)
    title = f"{variant}, {seconds:g} s a search, {threads} thread{'s' * (threads > 1)}, {hash_mb} MB"
    print_spread(title, "million nodes/s", speeds)
    print_spread("", "plies", depths)
