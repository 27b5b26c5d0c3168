"""Start-up: seconds from the start of a process to its first answer, with an empty and a full cache.

A cold start has a new cache folder in every run; the warm start after it uses the same one. Another engine
keeps no compiled code, so it has only warm starts, and no perft from its command line."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, NamedTuple

import click

from ...engine.position import Position
from ...engine.variant import Variant
from ...match.players.control import TimeControl
from ...match.players.spec import EngineSpec
from ...match.players.start import start_player
from ...protocol.terminal.command_options import Option, with_options
from ...protocol.terminal.options import variant_option
from .engines_under_test import OURS, Contender, rival_specs, spec_of
from .options import Against, Report, Runs
from .repeat import carry_out
from .result import SECONDS, BenchmarkResult

CACHE_VARIABLE = "SURAJANG_CACHE_DIR"
PROCESSES_VARIABLE = "SURAJANG_COMPILERS"
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"  # an installed program has its bytecode
ONE_PLY = TimeControl(depth=1)
SEEDS = ("pandemonium", "pandemonium-vchess", "crazyhouse", "janggi", "chaotic", "chess")
PERFT, FIRST_MOVE = "perft 1", "first move"
PROFILE_LINES = 60
ALL_HELP = "Measure the first move of every game of the engine, without the examples."


@dataclass(frozen=True)
class StartReport(Report):
    """As `Report`, with fewer rounds."""

    runs: Runs = 3


class StartCase(NamedTuple):
    """A way to start a game: up to perft 1 or to the first move, with an empty cache or a full one."""

    variant: Variant
    what: str
    cold: bool
    name: str  # of its line


def starts_of(variants: Sequence[Variant], ways: Sequence[str]) -> list[StartCase]:
    """Every way to start each game; cold before warm."""
    return [
        StartCase(
            variant,
            what,
            cold,
            f"{variant + ', ' if len(variants) > 1 else ''}{what}, {'cold' if cold else 'warm'}",
        )
        for variant in variants
        for what in ways
        for cold in (True, False)
    ]


class Starter(Contender):
    """Starts an engine repeatedly; each run of each way to start has its own cache in `folder`."""

    def __init__(self, spec: EngineSpec, folder: str | Path, ours: bool) -> None:
        self.name = spec.name
        self._spec, self._folder, self._ours = spec, folder, ours
        self._ways = {PERFT: self._perft, FIRST_MOVE: self._first_move}

    def seconds(self, how: StartCase, run: int) -> dict[str, dict[str, float]]:
        """Line -> figures of one start; empty if this engine does not support this way."""
        if not self._ours and (how.cold or how.what != FIRST_MOVE):
            return {}
        environment = {name: value for name, value in os.environ.items() if name != NO_BYTECODE}
        environment[CACHE_VARIABLE] = f"{self._folder}/{how.variant}/{how.what}/{run}"
        return {how.name: {"seconds": self._ways[how.what](how.variant, environment)}}

    def _perft(self, variant: Variant, environment: dict[str, str]) -> float:
        command = [sys.executable, "-m", "surajang", "perft", "--variant", variant, "--depth", "1"]
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, env=environment)
        return time.perf_counter() - started

    def _first_move(self, variant: Variant, environment: dict[str, str]) -> float:
        """Seconds of a start as a GUI makes it: handshake, new game, a search of one ply."""
        position = Position(variant)
        started = time.perf_counter()
        player = start_player(self._spec, position.description, environment=environment)
        try:
            player.new_game(position, ONE_PLY, ONE_PLY, position.turn)
            player.think(position, None, None)
            return time.perf_counter() - started
        finally:
            player.close()


def _print_profile(variant: Variant) -> None:
    """Prints the report of Python's profiler on compiling in one process with an empty cache."""
    command = [sys.executable, "-m", "cProfile", "-s", "tottime", "-m", "surajang"]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [*command, "compile", "--variant", variant],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, CACHE_VARIABLE: folder, PROCESSES_VARIABLE: "1"},
        )
    click.echo("\n".join(done.stdout.splitlines()[:PROFILE_LINES]))


@click.command()
@variant_option
@with_options
def main(
    variant: Variant,
    *,
    report: StartReport,
    every: Annotated[bool, Option(ALL_HELP, "--all")] = False,
    profile: Annotated[bool, Option("Show the parts of a cold start instead.")] = False,
    against: Against = None,
) -> None:
    """Measure the time from the start of a process to its first answer, with an empty and a full cache."""
    if profile:
        _print_profile(variant)
        return
    specs = [spec_of(f"cmd=surajang name={OURS}")] + (rival_specs(against) if against else [])
    starts = (
        starts_of([*map(Variant, SEEDS)], [FIRST_MOVE])
        if every
        else starts_of([variant], [PERFT, FIRST_MOVE])
    )
    with tempfile.TemporaryDirectory() as folder:
        carry_out(
            BenchmarkResult("start", "all" if every else variant, {}, {}, (SECONDS,)),
            starts,
            [partial(Starter, spec, folder, not number) for number, spec in enumerate(specs)],
            lambda who, how, run: who.seconds(how, run),
            report=report,
        )
