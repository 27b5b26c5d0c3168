"""Start-up: seconds from the start of a process to its first answer, with an empty and a full cache."""

import os
import subprocess
import tempfile
import time

import click
from rich.progress import Progress

from ..engine.description import load
from ..protocol.options import variant_option
from ..protocol.progress import error_console
from .player import SURAJANG, CecpPlayer
from .report import print_spread


def _perft(variant, environment):
    """A process that counts the moves of the start position."""
    command = [*SURAJANG, "perft", "--variant", variant, "--depth", "1"]
    subprocess.run(command, check=True, capture_output=True, env=environment)


def _first_move(variant, environment):
    """A process that a GUI starts, and that has made its first move."""
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
    with Progress(console=error_console(), transient=True) as bar:
        task = bar.add_task("starting", total=2 * (runs + 1))
        for what, start in (("perft 1", _perft), ("first move", _first_move)):
            with tempfile.TemporaryDirectory() as cache:
                environment = {**os.environ, "SURAJANG_CACHE_DIR": cache}
                for run in range(runs + 1):
                    started = time.perf_counter()
                    finish = start(variant, environment)
                    name = f"{what}, {'warm' if run else 'cold'}"
                    seconds.setdefault(name, []).append(time.perf_counter() - started)
                    if finish:
                        finish()
                    bar.advance(task)
    print_spread(f"{variant}, start to first answer", "s", seconds)
