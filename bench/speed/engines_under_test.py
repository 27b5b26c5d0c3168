"""The contenders of a benchmark: this engine in this process, or another engine in its own process.

Both kinds of contender take their figures from the engine's own reports. They raise PlayerError for work that
they refuse."""

import shlex
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypedDict, TypeVar

import click

from ...engine.bench_positions import NamedPosition
from ...engine.variant import Variant
from ...match.players.control import TimeControl
from ...match.players.player import Answer, Player, PlayerError, ProtocolError, StartError, Thinking
from ...match.players.spec import parse_engine
from ...match.players.start import start_player
from ...protocol.terminal.progress import compile_with_bar

if TYPE_CHECKING:
    from ...engine.game.description import Description
    from ...match.players.spec import EngineSpec
    from ...search.results import Info
    from .options import Searching

OURS = "Surajang"
_Told = TypeVar("_Told")


class SearchLimit(TypedDict, total=False):
    """The limit of a search, one of these: `movetime` in seconds, `depth` in plies, `nodes`."""

    movetime: float
    depth: int
    nodes: int


class SearchReport(NamedTuple):
    """A finished search: its `move`, the moves to `mate` that it announced, negative when being mated;
    `reached` maps a depth to the seconds after which it was finished; `choices` are (nodes, best move) after
    each report of a line and at the end."""

    depth: int
    nodes: int
    seconds: float
    reached: dict[int, float]
    move: str | None = None
    mate: int | None = None
    choices: tuple[tuple[int, str], ...] = ()


class Contender:
    """A participant of a benchmark, by its name in reports."""

    name: str

    def ready(self, item: Any) -> None:
        """Prepares for a piece of work, if that takes anything. Raises PlayerError for work that it
        refuses."""

    def close(self) -> None:
        """Frees what it holds, if anything."""


class Surajang(Contender):
    """This engine, compiled before its first work."""

    def __init__(self, variant: Variant, threads: int = 1, hash_mb: int = 64, name: str = OURS) -> None:
        from ...search.engine import Engine

        self.name = name
        compile_with_bar(variant)
        self._engine = Engine(variant, hash_mb=hash_mb, threads=threads)

    def search(self, item: NamedPosition, limit: SearchLimit) -> SearchReport:
        """The `SearchReport` of a position, searched with an empty table."""
        reached: dict[int, float] = {}
        choices: list[tuple[int, str]] = []

        def note(info: "Info") -> None:
            reached[info.depth] = info.time
            if not info.bound:  # bounds are reported by the clock
                choices.append((info.nodes, str(info.pv[0])))

        self._engine.clear()
        result = self._engine.play(item.position, **limit, on_info=note)
        move = None if result.move is None else str(result.move)
        if move is not None:
            choices.append((result.nodes, move))
        mate = result.score.mate
        return SearchReport(result.depth, result.nodes, result.time, reached, move, mate, tuple(choices))

    def close(self) -> None:
        self._engine.close()


class MoveGenerator(Contender):
    """This engine's rules only, for perft; nothing else is compiled."""

    name = OURS

    def ready(self, item: NamedPosition) -> None:
        """Compiles perft for the position's game."""
        item.position.perft(1)

    def perft(self, item: NamedPosition, depth: int) -> tuple[int, float]:
        """(leaves, seconds) of one count."""
        started = time.perf_counter()
        return item.position.perft(depth), time.perf_counter() - started


class Rival(Contender):
    """Another engine, as `rival_specs` describes it; one process for each game that it plays."""

    def __init__(self, specs: "Sequence[EngineSpec]") -> None:
        self._specs, self.name = specs, specs[0].name
        self._players: dict[str, Player] = {}  # by game

    def ready(self, item: NamedPosition) -> None:
        """Starts the engine, unless it runs, for the position's game."""
        self._player(item)

    def search(self, item: NamedPosition, limit: SearchLimit) -> SearchReport:
        """The `SearchReport` of a position, searched at the start of a new game."""
        reached: dict[int, float] = {}
        choices: list[tuple[int, str]] = []

        def note(thinking: Thinking) -> None:
            reached[thinking.depth] = thinking.seconds
            if thinking.line:
                choices.append((thinking.nodes, thinking.line.split()[0]))

        def ask(player: Player) -> Answer:
            control = TimeControl(**limit)
            player.new_game(item.position, control, control, item.position.turn)
            return player.think(item.position, None, None, note)

        answer = self._guarded(item, ask)
        thinking = answer.thinking
        if thinking is None or not thinking.nodes:
            raise ProtocolError(f"{self.name} does not report its nodes")
        seconds = thinking.seconds or answer.seconds
        if answer.move is not None:
            choices.append((thinking.nodes, answer.move))
        found = (answer.move, thinking.mate, tuple(choices))
        return SearchReport(thinking.depth, thinking.nodes, seconds, reached, *found)

    def perft(self, item: NamedPosition, depth: int) -> tuple[int, float]:
        """(leaves, seconds) of one count."""
        if not hasattr(self._player(item), "perft"):
            raise ProtocolError(f"{self.name} speaks a protocol that has no perft")
        counted: tuple[int, float] = self._guarded(item, lambda player: player.perft(item.position, depth))
        return counted

    def _player(self, item: NamedPosition) -> Player:
        if item.variant not in self._players:
            self._players[item.variant] = self._start(item.position.description)
        return self._players[item.variant]

    def _start(self, game: "Description") -> Player:
        """A player by the first of the specs that the engine accepts."""
        *more, last = self._specs
        for spec in more:
            try:
                return start_player(spec, game)
            except StartError:  # perhaps for an option that it does not have
                continue
        return start_player(last, game)

    def _guarded(self, item: NamedPosition, act: Callable[[Any], _Told]) -> _Told:
        """The result of `act(player)`; after an error the process ends, and the next position gets
        another."""
        player = self._player(item)
        try:
            return act(player)
        except PlayerError:
            self._players.pop(item.variant).close()
            raise

    def close(self) -> None:
        for player in self._players.values():
            player.close()


Searcher: TypeAlias = Surajang | Rival
LeafCounter: TypeAlias = MoveGenerator | Rival


def rival_specs(text: str, threads: int | None = None, hash_mb: int | None = None) -> "list[EngineSpec]":
    """The `EngineSpec`s of an option --against, to be tried in turn. Raises BadParameter.

    With `threads` and `hash_mb` (MB) the engine gets the same resources as this one. An engine without an
    option for its table keeps its own size; one without an option for threads is accepted if one thread is
    wanted."""
    wishes = [""]
    if threads is not None:
        must = f"option.Threads={threads}" if threads > 1 else ""
        both = f"option.Threads={threads} option.Hash={hash_mb}"
        wishes = [both, f"{must} option.Hash={hash_mb}", must]
    specs = [spec_of(text, options) for options in wishes]
    return [replace(spec, name=f"{OURS} (other)") if spec.name == OURS else spec for spec in specs]


def spec_of(text: str, options: str = "") -> "EngineSpec":
    """The `EngineSpec` of a command line alone or of the words of `match`, with those options where it sets
    no others. Its limit is not used: benchmarks set their own. Raises BadParameter."""
    if "cmd=" not in text:
        text = f"cmd={shlex.quote(text)}"
    try:
        return parse_engine(text, each=f"st=1 {options}")
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--against") from None


def searchers(variant: Variant, searching: "Searching") -> list[Callable[[], Searcher]]:
    """Makers of this engine and, if another one is named, of the other."""
    threads, hash_mb, against = searching.threads, searching.hash_mb, searching.against
    specs = rival_specs(against, threads, hash_mb) if against else []
    return [lambda: Surajang(variant, threads, hash_mb), *([lambda: Rival(specs)] if specs else [])]


def generators(against: str | None) -> list[Callable[[], LeafCounter]]:
    """Makers of this move generator and, if `against` names one, of the other engine."""
    specs = rival_specs(against) if against else []
    return [MoveGenerator, *([lambda: Rival(specs)] if specs else [])]
