"""Pairs of games between two settings of this program, in parallel, here or on other machines.

A batch of pairs is one task: `PlayPairs` is called with it. Its results depend only on the seed and the
settings, not on the batches or on the machines."""

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from ...engine.game.description import VariantError
from ...engine.kernel.compiler import compile_ahead
from ...engine.variant import Variant
from ...eval.network.file import Network, decoded, load_network
from ...eval.network.installing import default_network_path
from ...eval.network.vectors import shape_of
from ...eval.terms.weights import Parameters, default_parameters, read_parameters
from ...match.openings.openings import Codes
from ...match.workers.per_thread import PerThread
from ...search.tree.tunable import TUNABLES, tuned_values
from ..self_play.compiled_games import Settings
from ..self_play.duel_games import DUEL_SETTINGS, Duel, Duellist, NodeClock, check_names, entry_points
from ..self_play.generator import register_game

LEAST_CLOCK = 1_000  # nodes of a game
LEAST_NODES = 100  # of a search
CLOCK_MOVES = 32  # that the nodes of a game are for, roughly
MOST = 2**31 - 1  # that a number of the search may be
NONE = "none"  # value in place of a file: no network, or no tuned weights

Tuned = tuple[tuple[str, int], ...]  # numbers of the search, as (name, value)

_duels = PerThread["PlayPairs", Duel]()


class PlayerSpec(NamedTuple):
    """A player by the words of a command line: the bytes of its network's file (None for the hand-written
    evaluation), its settings of the search as (name, value), and the text of a file of weights (empty for the
    default ones, None for those of the game)."""

    network: bytes | None
    tuned: Tuned = ()
    weights: str | None = None


def parse_player(text: str, variant: Variant) -> PlayerSpec:
    """The player of a text like "eval=FILE rfp_margin=80"; the default is the game's network. `eval=none` is
    the hand-written evaluation. `weights=FILE` replaces the game's tuned weights; `weights=none` uses the
    untuned ones that follow from the game's file. Raises ValueError that quotes the wrong word, OSError for a
    file that cannot be read."""
    default = default_network_path(variant)
    path = default if default.exists() else None
    weights: str | None = None
    tuned: dict[str, int] = {}
    for word in shlex.split(text):
        name, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"{word!r} should be NAME=NUMBER, eval=FILE, weights=FILE or eval={NONE}")
        if name == "eval":
            path = None if value == NONE else Path(value)
            if path is not None:
                load_network(path, variant)
            continue
        if name == "weights":
            weights = "" if value == NONE else _text(Path(value))
            if value != NONE and read_parameters(weights, variant.rules, variant.description, value) is None:
                raise ValueError(f"{value}: the weights are for other pieces than those of {variant!r}")
            continue
        check_names((name,))
        try:
            tuned[name] = int(value)
        except ValueError:
            raise ValueError(f"{name} {value!r} should be a whole number") from None
        if abs(tuned[name]) > MOST:
            low, high = TUNABLES[name].low, TUNABLES[name].high
            raise ValueError(f"{name} {value!r} is too large; sensible values are from {low} to {high}")
    return PlayerSpec(path.read_bytes() if path is not None else None, tuple(tuned.items()), weights)


def parse_clock(text: str) -> NodeClock:
    """The clock of a text like "400000+4000": nodes per game and increment per move. Raises
    ValueError that quotes the text."""
    base, plus, increment = text.partition("+")
    try:
        clock = NodeClock(int(base), int(increment) if plus else 0)
    except ValueError:
        raise ValueError(f"a clock {text!r} should be nodes, as in 400000+4000") from None
    if clock.base < LEAST_CLOCK or clock.increment < 0:
        raise ValueError(f"a clock {text!r} should have at least {LEAST_CLOCK:,} nodes for the game")
    return clock


def duel_settings(clock: NodeClock | None, nodes: int, **others: int) -> Settings:
    """The settings of duels with that many `nodes` per search, or about those of a move by the `clock`, which
    the sizes of tables and the openings follow; `others` are fields of the settings."""
    if clock is not None:
        nodes = max(LEAST_NODES, clock.base // CLOCK_MOVES + clock.increment)
    return DUEL_SETTINGS._replace(nodes=nodes, **others)


def _text(path: Path) -> str:
    """The text of a file. Raises OSError, and ValueError if it is not text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(
            f"{path} is not text; weights are a TOML file, as `surajang bench tune` writes"
        ) from None


def parse_numbers(text: str, rules: Any) -> tuple[tuple[str, float], ...]:
    """The settings of the search in a text like "rfp_margin,lmr_base=600", with their start values; the
    default is the game's value. Raises ValueError that quotes the wrong word."""
    values = tuned_values(rules)
    found: dict[str, float] = {}
    for word in text.replace(",", " ").split():
        name, equals, value = word.partition("=")
        check_names((name,))
        try:
            found[name] = float(value) if equals else float(values[name])
        except ValueError:
            raise ValueError(f"{name} {value!r} should be a number") from None
        low, high = TUNABLES[name].low, TUNABLES[name].high
        if not low <= found[name] <= high:
            raise ValueError(f"{name} {value!r} should be from {low} to {high}")
    if not found:
        raise ValueError(f"{text!r} is not a setting of the search; the settings are {', '.join(TUNABLES)}")
    return tuple(found.items())


@dataclass(frozen=True)
class PlayPairs:
    """Plays pairs of games of two players, in any process. `toml` is the text of the game's file if the game
    is the user's own. Pair `number` begins with opening `number` of `openings` (codes of moves), if there are
    any. With a `clock` its nodes are distributed over the moves."""

    variant: Variant
    settings: Settings
    first: PlayerSpec
    second: PlayerSpec
    toml: str | None = None
    openings: tuple[Codes, ...] = ()
    clock: NodeClock | None = None

    def __hash__(self) -> int:
        return hash((self.variant, self.settings, self.first.tuned, self.second.tuned))

    def __call__(self, batch: tuple[int, int]) -> tuple[list[tuple[tuple[int, int], tuple[int, int]]], float]:
        """([(half points of the first player in both games, plies of both)], seconds) of a batch (first
        number, count). Raises GamesError if no game can be started."""
        duel, (first, count) = self.duel(), batch
        started = perf_counter()
        pairs = [duel.play_pair(number, self._opening(number)) for number in range(first, first + count)]
        return pairs, perf_counter() - started

    def _opening(self, number: int) -> Codes | None:
        return self.openings[number] if self.openings else None

    def duel(self) -> Duel:
        """This thread's `Duel` for this work."""
        return _duels.get(self, self._new_duel)

    def _new_duel(self) -> Duel:
        register_game(self.variant, self.toml)
        first, second = self._duellists()
        return Duel(self.variant, self.settings, first, second, self.clock)

    def _duellists(self) -> list[Duellist]:
        players = (self.first, self.second)
        return [Duellist(self._network(player), player.tuned, self._parameters(player)) for player in players]

    def _parameters(self, player: PlayerSpec) -> Parameters | None:
        """The parameters of a player's weights, None for the game's. Raises VariantError."""
        if player.weights is None:
            return None
        rules, description = self.variant.rules, self.variant.description
        if not player.weights:
            return default_parameters(rules, description)
        found = read_parameters(player.weights, rules, description)
        if found is None:
            raise VariantError(f"the weights are for other pieces than those of {self.variant!r}")
        return found

    def _network(self, player: PlayerSpec) -> Network | None:
        return decoded(player.network, "the network", self.variant) if player.network is not None else None

    def compile(self, progress: Callable[[int, int, str], object] | None = None) -> None:
        """Compiles the code for the games, or loads it from the cache. Raises NetworkError, and VariantError
        for weights."""
        shapes = [shape_of(each.network) for each in self._duellists()]
        compile_ahead(entry_points(self.variant, *shapes), progress)

    def close(self) -> None:
        """Ends the games of this process within milliseconds."""
        for duel in _duels.take(self):
            duel.stop()


@dataclass(frozen=True)
class PlayChoices(PlayPairs):
    """Plays pairs of games between two settings of the search, which each task names."""

    __hash__ = PlayPairs.__hash__

    def __call__(  # type: ignore[override] # tasks of another kind, and another result
        self, task: tuple[int, int, Tuned, Tuned]
    ) -> int:
        """The points of the first setting minus those of the second; the task is (number, pairs of games,
        first setting, second setting), both as (name, value). Raises GamesError if no game can be started."""
        duel, (number, pairs, *choices) = self.duel(), task
        for player, tuned in enumerate(choices):
            duel.tune(player, dict(tuned))
        found = [duel.play_pair(each) for each in range(number * pairs, (number + 1) * pairs)]
        return sum(sum(points) - 2 for points, _ in found)
