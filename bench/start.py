"""Start-up: seconds from the start of a process to its first answer, with an empty and a full cache.

Another engine keeps no compiled code, so it has warm starts only, and no perft from its command line.
"""

import os
import subprocess
import sys
import tempfile
import time
from functools import partial
from typing import NamedTuple

import click

from ..engine.position import Position
from .contenders import OURS, rival_specs, spec_of, start
from .outcome import SECONDS, Outcome
from .players.control import TimeControl
from .rounds import against_option, bench_options, carry_out

CACHE_VARIABLE = "SURAJANG_CACHE_DIR"
ONE_PLY = TimeControl(depth=1)


class Start(NamedTuple):
    """A way to start: up to perft 1 or to the first move, with an empty cache (once) or a full one."""

    what: str
    cold: bool

    @property
    def name(self):
        """The name of its line."""
        return f"{self.what}, {'cold' if self.cold else 'warm'}"


PERFT, FIRST_MOVE = "perft 1", "first move"
STARTS = [Start(what, cold) for what in (PERFT, FIRST_MOVE) for cold in (True, False)]


class Starter:
    """Starts an engine again and again; each way to start has a cache of its own in `folder`."""

    def __init__(self, spec, variant, folder, ours):
        self.name = spec.name
        self._spec, self._variant, self._folder, self._ours = spec, variant, folder, ours
        self._ways = {PERFT: self._perft, FIRST_MOVE: self._first_move}

    def ready(self, how):
        """Nothing to do before a start."""

    def seconds(self, how, run):
        """Line -> figures of one start; none for a way that this engine does not have."""
        if (how.cold and run) or not (self._ours or how == Start(FIRST_MOVE, False)):
            return {}
        environment = {**os.environ, CACHE_VARIABLE: f"{self._folder}/{how.what}"}
        return {how.name: {"seconds": self._ways[how.what](environment)}}

    def _perft(self, environment):
        command = [sys.executable, "-m", "surajang", "perft", "--variant", self._variant, "--depth", "1"]
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, env=environment)
        return time.perf_counter() - started

    def _first_move(self, environment):
        """As a GUI starts it: handshake, new game, a search of one ply."""
        position = Position(self._variant)
        started = time.perf_counter()
        player = start(self._spec, self._variant, environment)
        try:
            player.new_game(position, ONE_PLY, ONE_PLY, position.turn)
            player.think(position, None, None)
            return time.perf_counter() - started
        finally:
            player.close()

    def close(self):
        """Nothing runs on."""


@click.command()
@bench_options(fen=False)
@against_option
def main(variant, against, **report):
    """Measure the time from the start of a process to its first answer, once cold and warm in each run."""
    specs = [spec_of(f"cmd=surajang name={OURS}")] + (rival_specs(against) if against else [])
    with tempfile.TemporaryDirectory() as folder:
        carry_out(
            Outcome("start", variant, {}, {}, (SECONDS,)),
            STARTS,
            [partial(Starter, spec, variant, folder, not number) for number, spec in enumerate(specs)],
            lambda who, how, run: who.seconds(how, run),
            **report,
        )
