"""Who does the work of a benchmark: this engine in this process, or another engine in its own.

A limit of a search is {"movetime": seconds}, {"depth": plies} or {"nodes": number}. Both kinds of contender
take their figures from what the engine itself reports of its search. For work that they refuse they raise
PlayerError.
"""

import shlex
import time
from dataclasses import replace
from typing import Any, NamedTuple

import click

from ...engine.game.catalogue import load
from ..players.control import TimeControl
from ..players.player import PlayerError, ProtocolError, StartError

OURS = "Surajang"


class SearchReport(NamedTuple):
    """A search that is over: its `move`, the moves to `mate` that it announced, negative when being mated;
    `reached` maps a depth to the seconds after which it was finished."""

    depth: int
    nodes: int
    seconds: float
    reached: dict[int, float]
    move: str | None = None
    mate: int | None = None


class Surajang:
    """This engine. It is compiled before it is asked for the first time."""

    def __init__(self, variant: str, threads: int = 1, hash_mb: int = 64, name=OURS) -> None:
        from ...protocol.terminal.progress import compile_with_bar
        from ...search.engine import Engine

        self.name = name
        compile_with_bar(variant)
        self._engine = Engine(variant, hash_mb=hash_mb, threads=threads)

    def ready(self, item) -> None:
        """Nothing more to do for a position."""

    def search(self, item, limit):
        """The `SearchReport` of a position by an engine that knows nothing yet."""
        reached = {}
        self._engine.clear()
        result = self._engine.play(
            item.position, **limit, on_info=lambda info: reached.update({info.depth: info.time})
        )
        move = result.move and str(result.move)
        return SearchReport(result.depth, result.nodes, result.time, reached, move, result.score.mate)

    def close(self) -> None:
        """Gives the memory back."""
        self._engine.close()


class MoveGenerator:
    """This engine's rules alone, for perft; nothing else is compiled."""

    name = OURS

    def ready(self, item) -> None:
        """Compiles what counts in the position's game."""
        from ...engine.moving.perft import perft

        perft(item.position, 1)

    def perft(self, item, depth: int):
        """(leaves, seconds) of one count."""
        from ...engine.moving.perft import perft

        started = time.perf_counter()
        return perft(item.position, depth), time.perf_counter() - started

    def close(self) -> None:
        """Nothing to give back."""


class Rival:
    """Another engine, as `rival_specs` describes it; one process for each game that it is asked for."""

    def __init__(self, specs) -> None:
        self._specs, self.name = specs, specs[0].name
        self._players: dict[Any, Any] = {}

    def ready(self, item) -> None:
        """Starts the engine, unless it runs, for the position's game."""
        self._player(item)

    def search(self, item, limit):
        """The `SearchReport` of a position by an engine that was told of a new game."""
        reached = {}

        def ask(player):
            control = TimeControl(**limit)
            player.new_game(item.position, control, control, item.position.turn)
            note = lambda thinking: reached.update({thinking.depth: thinking.seconds})  # noqa: E731
            return player.think(item.position, None, None, note)

        answer = self._guarded(item, ask)
        thinking = answer.thinking
        if thinking is None or not thinking.nodes:
            raise ProtocolError(f"{self.name} says nothing of its nodes")
        seconds = thinking.seconds or answer.seconds
        return SearchReport(thinking.depth, thinking.nodes, seconds, reached, answer.move, thinking.mate)

    def perft(self, item, depth: int):
        """(leaves, seconds) of one count."""
        if not hasattr(self._player(item), "perft"):
            raise ProtocolError(f"{self.name} speaks a protocol that has no perft")
        return self._guarded(item, lambda player: player.perft(item.position, depth))

    def _player(self, item):
        if item.variant not in self._players:
            self._players[item.variant] = self._start(item.variant)
        return self._players[item.variant]

    def _start(self, variant):
        """A player by the first of the specs that the engine takes."""
        *more, last = self._specs
        for spec in more:
            try:
                return start(spec, variant)
            except StartError:  # perhaps for an option that it does not have
                continue
        return start(last, variant)

    def _guarded(self, item, act):
        """What `act(player)` returns; after an error the process ends, and the next position gets another."""
        player = self._player(item)
        try:
            return act(player)
        except PlayerError:
            self._players.pop(item.variant).close()
            raise

    def close(self) -> None:
        """Ends the processes."""
        for player in self._players.values():
            player.close()


def rival_specs(text: str, threads: int | None = None, hash_mb: int | None = None):
    """The `EngineSpec`s of an option --against, to be tried in turn. Raises BadParameter.

    With `threads` and `hash_mb` (MB) it searches with as much as we do. An engine that has no option for its
    table keeps its own; one that has none for threads will do where one thread is wanted.
    """
    wishes = [""]
    if threads is not None:
        must = f"option.Threads={threads}" if threads > 1 else ""
        both = f"option.Threads={threads} option.Hash={hash_mb}"
        wishes = [both, f"{must} option.Hash={hash_mb}", must]
    specs = [spec_of(text, options) for options in wishes]
    return [replace(spec, name=f"{OURS} (other)") if spec.name == OURS else spec for spec in specs]


def spec_of(text: str, options: str = ""):
    """The `EngineSpec` of a command line alone or of the words of `match`, with those options where it sets
    no others. Its limit is not used: benchmarks set their own. Raises BadParameter."""
    from ..players.spec import parse_engine

    if "cmd=" not in text:
        text = f"cmd={shlex.quote(text)}"
    try:
        return parse_engine(text, each=f"st=1 {options}")
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--against") from None


def start(spec, variant: str, environment=None):
    """A player of that game. Raises PlayerError."""
    from ..players.start import start_player

    return start_player(spec, load(variant), environment=environment)


def searchers(variant: str, threads: int, hash_mb: int, against):
    """Makers of this engine and, if `against` names one, of the other."""
    specs = against and rival_specs(against, threads, hash_mb)
    return [lambda: Surajang(variant, threads, hash_mb), *([lambda: Rival(specs)] if specs else [])]


def generators(against):
    """Makers of this move generator and, if `against` names one, of the other engine."""
    specs = against and rival_specs(against)
    return [MoveGenerator, *([lambda: Rival(specs)] if specs else [])]
