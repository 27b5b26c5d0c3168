"""Start-up: seconds from the start of a process to its first answer, with an empty and a full cache."""

import os
import subprocess
import tempfile
import time

import click

from ..engine.description import load
from ..protocol.options import variant_option
from ..protocol.progress import tracked
from .player import SURAJANG, CecpPlayer
from .report import print_spread


def _perft(variant, environment):
    """Starts a process that counts the moves of the start position; returns how to end it."""
    command = [*SURAJANG, "perft", "--variant", variant, "--depth", "1"]
    subprocess.run(command, check=True, capture_output=True, env=environment)
    return lambda: None


def _first_move(variant, environment):
    """Starts a process as a GUI does, up to its first move; returns how to end it."""
    player = CecpPlayer("surajang", SURAJANG, load(variant), environment)
    player.new_game(1.0, 0.0)
    player.think(1.0, 1.0, 60.0)
    return player.close


@click.command()
@variant_option
@click.option("--runs", default=5, show_default=True, type=click.IntRange(1), help="Warm starts.")
def main(variant, runs):
    """Measure the time from the start of a process to its first answer."""
    seconds = {}
    starts = {"perft 1": _perft, "first move": _first_move}
    with tempfile.TemporaryDirectory() as folder:
        work = [(what, run) for what in starts for run in range(runs + 1)]
        for what, run in tracked(work, "starting"):
            environment = {**os.environ, "SURAJANG_CACHE_DIR": f"{folder}/{what}"}
            started = time.perf_counter()
            finish = starts[what](variant, environment)
            name = f"{what}, {'warm' if run else 'cold'}"
            seconds.setdefault(name, []).append(time.perf_counter() - started)
            finish()
    print_spread(f"{variant}, start to first answer", "s", seconds)
