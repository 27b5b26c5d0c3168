"""Speed of the search: nodes per second and depth within a fixed time, over several positions."""

import click

from ..engine.position import Position
from ..protocol.options import variant_option
from ..protocol.progress import tracked
from ..search.engine import Engine
from .report import print_spread

POSITIONS = {
    "pandemonium": {
        "start": None,
        "middle game": "rn1q1k2nr/pbp1pp1pp1/9p/4m1p3/B9/p2pB1PcN1/3P2p3/2M6C/1PP1PP1PPP/R2QK4R"
        "[bn] w KQ - 0 19",
        "full hands": "r1bq1k3r/pp2p1bppp/n9/3pn1p3/2p7/6Nc2/1p2B5/4P1M3/PPPPNP1PPP/R1B1K4R"
        "[QCPm] w KQ - 2 25",
        "attack": "rn1q1k2rG/pbp1ppnp2/9p/10/B9/p2p2P1N1/1m1P2p3/1P8/1KP1PP1PPP/R2Q5R[CCBmbnp] w - - 1 31",
    }
}


@click.command()
@variant_option
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
    for name, fen in tracked(work, "searching"):
        engine.clear()
        result = engine.play(Position(variant, fen), movetime=seconds)
        speeds.setdefault(name, []).append(result.nodes / result.time / 1e6)
        depths.setdefault(name, []).append(result.depth)
    title = f"{variant}, {seconds:g} s a search, {threads} thread{'s' * (threads > 1)}, {hash_mb} MB"
    print_spread(title, "million nodes/s", speeds)
    print_spread("", "plies", depths)
