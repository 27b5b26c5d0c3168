"""Duels in compiled code: games at equal nodes between two evaluations, networks or settings of the search.

A pair of games has one opening (random moves, or a given one), played with both colours. It depends only on
its number, the seed and the settings. Every search ends exactly at its node limit, as with `go nodes`, or is
limited by a clock that counts nodes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...engine.kernel.bitboard import load
from ...engine.kernel.compiler import entry_point, inner, part
from ...engine.kernel.parallel_compile import Part
from ...engine.movegen.legal_moves import COUNTING
from ...engine.variant import Variant
from ...eval.network.file import Network
from ...eval.network.output import SharedNetwork
from ...eval.network.vectors import Shape
from ...eval.terms.weights import Parameters
from ...search import time_management
from ...search.stop import Stop
from ...search.tree.memory import read_word
from ...search.tree.search import search_root
from ...search.tree.table import TranspositionTable
from ...search.tree.tunable import TUNABLES, tuned_numbers
from ...search.tree.worker import worker_dtype
from .compiled_games import (
    NO_SCORE,
    NO_START,
    OPENING_TRIES,
    STOPPED,
    SelfPlayedGame,
    Settings,
    advance,
    begin,
    centipawns,
    choose,
    count_agreement,
    forget,
    game_dtype,
    has_ended,
    legal_count,
    open_randomly,
    set_up,
    think,
    write_down,
)
from .game_player import check_ending, note_settings, playing_worker, read_game, search_address
from .starts import start_records, starts_for

DUEL_SETTINGS = Settings(nodes=8000, balance=200, win_score=1500)
CLOCKS = np.dtype([("base", np.int64), ("increment", np.int64), ("remaining", np.int64, (2,))])  # in nodes

_moves_left, _soft_and_hard = inner(time_management.moves_left), inner(time_management.soft_and_hard)


class NodeClock(NamedTuple):
    """A clock that counts nodes: the `base` of a game and an increment with each move. Games with it do not
    depend on the speed of the machine."""

    base: int
    increment: int = 0


class Duellist(NamedTuple):
    """A player: its `Network` (None for the hand-written evaluation), its settings of the search as (name,
    value), and the parameters of its weights (None for those of the game)."""

    network: Network | None = None
    tuned: tuple[tuple[str, int], ...] = ()
    parameters: Parameters | None = None


@entry_point
def open_pair(rules, worker, game, number):
    """Finds the random opening of a pair: the `game.opening` moves after which a search is within the
    balance. The ending is NO_START if there is none. The table must be empty."""
    plies = begin(rules, worker, game, number)
    for _ in range(OPENING_TRIES):
        if not open_randomly(rules, worker, game, plies):
            continue
        if load(worker, "checkers", 0):
            continue
        think(rules, worker, game, game.search)
        if read_word(worker.stop_address):
            game.ending = STOPPED
            return
        if abs(centipawns(worker, game.value)) <= game.balance:
            return
    game.ending = NO_START


@inner
def _choose_by_clock(rules, worker, game, count, search, clocks, side):
    """The result of `choose` for the player of `side`, whose search is limited by its clock."""
    if not game.timed:
        return choose(rules, worker, game, count, search)
    tuned = tuned_numbers(rules, worker)
    remaining, returned = (
        np.float64(clocks.remaining[side]),
        time_management.INCREMENT_SHARE * clocks.increment,
    )
    moves = _moves_left(tuned, np.int64(worker.root))
    soft, hard = _soft_and_hard(tuned, remaining, remaining, returned, moves)
    game.soft_nodes, game.hard_nodes = np.int64(soft), max(np.int64(1), np.int64(hard))
    move, score = choose(rules, worker, game, count, search)
    if score != NO_SCORE:
        clocks.remaining[side] = max(np.int64(0), clocks.remaining[side] - worker.nodes)
    clocks.remaining[side] += clocks.increment
    return move, score


@entry_point
def play_duel(rules, white, black, game, clocks):
    """Plays the game that `open_pair` has opened to its end. Both tables must be empty. Searches have the
    nodes of `game`, or those of the `clocks` if these have a base. The ending is STOPPED if the stop flag was
    set."""
    forget(rules, white)
    forget(rules, black)
    opening = game.opening
    game.timed = clocks.base > 0
    for side in range(2):
        clocks.remaining[side] = clocks.base
    set_up(rules, black, game)
    set_up(rules, white, game)
    for i in range(opening):
        move = np.int64(game.moves[i])
        write_down(game, move, np.int64(NO_SCORE))
        advance(rules, white, move)
        advance(rules, black, move)
    while True:
        count = legal_count(rules, white, COUNTING)
        if has_ended(rules, white, game, count):
            return
        if white.positions[0].side:
            move, score = _choose_by_clock(rules, black, game, count, game.reply, clocks, 1)
        else:
            move, score = _choose_by_clock(rules, white, game, count, game.search, clocks, 0)
        if read_word(white.stop_address):
            game.ending = STOPPED
            return
        write_down(game, move, score)
        advance(rules, white, move)
        advance(rules, black, move)
        if score != NO_SCORE:
            count_agreement(game, score)


class Duel:
    """Plays pairs of games of one variant between two `Duellist`s, by their numbers. With a `clock` the
    players distribute their nodes over the moves, and the nodes in the settings are for the openings only.
    Raises VariantError for an unknown variant, ValueError for an unknown setting of the search."""

    def __init__(
        self,
        variant: Variant,
        settings: Settings,
        first: Duellist,
        second: Duellist,
        clock: NodeClock | None = None,
    ) -> None:
        self.variant, self.settings = variant, settings
        rules, description = variant.rules, variant.description
        self.rules = rules
        self._stop = Stop()
        self._tables = [TranspositionTable(settings.table_mb) for _ in range(2)]
        self._shared: list[SharedNetwork | None] = []  # keeps the networks' memory, to which workers point
        self._workers: list[Any] = []
        for player, table in zip((first, second), self._tables, strict=True):
            check_names(dict(player.tuned))
            shared = SharedNetwork(player.network) if player.network else None
            asked = dict(player.tuned), player.parameters
            worker = playing_worker(table, self._stop, rules, description, shared, *asked)
            self._shared.append(shared)
            self._workers.append(worker)
        self._game = np.zeros(1, game_dtype(rules))[0]
        note_settings(self._game, variant, settings)
        self._starts = start_records(variant, starts_for(variant))
        self._start = self._game["start"].copy()
        self._clocks = np.zeros(1, CLOCKS)[0]
        if clock is not None:
            self._clocks["base"], self._clocks["increment"] = clock
        self._searches = [search_address(rules, worker) for worker in self._workers]

    def tune(self, player: int, tuned: Mapping[str, int]) -> None:
        """Changes settings of the search of player 0 or 1; others keep their values."""
        check_names(tuned)
        for name, value in tuned.items():
            self._workers[player]["tuned"][name] = value

    def play_pair(
        self, number: int, opening: Sequence[int] | None = None
    ) -> tuple[tuple[int, int], tuple[int, int]]:
        """(half points of the first player, plies) of both games of a pair; the first player is White in
        the first one. The game's starts have turns. If an `opening` is given, both games begin with its
        moves (codes of legal moves) from the game's own start and do not depend on the number. Raises
        OpeningError, and StoppedError after `stop`."""
        games = self.games(number, opening)
        first, second = games
        return (1 + first.result, 1 - second.result), (len(first.moves), len(second.moves))

    def games(self, number: int, opening: Sequence[int] | None = None) -> list[SelfPlayedGame]:
        """Both games of a pair; the first player is White in the first one. Raises as `play_pair` does."""
        game = self._game
        self._clear()
        game["timed"] = 0
        if self.settings.nodes:
            game["soft_nodes"] = game["hard_nodes"] = self.settings.nodes
        game["start"] = self._start if opening is not None else self._starts[number % len(self._starts)]
        if opening is None:
            game["search"] = self._searches[0]
            open_pair(self.rules, self._workers[0], game, number)
            self._check(number)
        else:
            game["moves"][: len(opening)] = opening
            game["opening"] = len(opening)
        return [self._play(number, order) for order in ((0, 1), (1, 0))]

    def _play(self, number: int, order: tuple[int, int]) -> SelfPlayedGame:
        game = self._game
        self._clear()
        white, black = (self._workers[i] for i in order)
        game["search"], game["reply"] = (self._searches[i] for i in order)
        play_duel(self.rules, white, black, game, self._clocks)
        self._check(number)
        return read_game(game, number)

    def _clear(self) -> None:
        for table in self._tables:
            table.clear()

    def _check(self, number: int) -> None:
        check_ending(self._game, self.variant, self.settings, f"pair {number}")

    def stop(self) -> None:
        """Ends the current game and all later ones within milliseconds; can be called from any thread."""
        self._stop.set()


def check_names(tuned: Iterable[str]) -> None:
    """Raises ValueError, which lists the valid names, for an unknown setting of the search."""
    for name in tuned:
        if name not in TUNABLES:
            raise ValueError(f"the search has no setting {name!r}; it has {', '.join(TUNABLES)}")


def entry_points(variant: Variant, first: Shape | None = None, second: Shape | None = None) -> list[Part]:
    """The functions that Python calls in a duel, as parts for `compile_ahead`; `first` and `second` are the
    `Shape`s of networks (None for the hand-written evaluation)."""
    rules = variant.rules
    one, other = (np.zeros(1, worker_dtype(rules, shape, True))[0] for shape in (first, second))
    game, clocks = np.zeros(1, game_dtype(rules))[0], np.zeros(1, CLOCKS)[0]
    searches = [part(search_root, rules, worker, 0, 0, 0) for worker in (one, other)]
    return [
        *searches[: 1 if first == second else 2],
        part(open_pair, rules, one, game, 0),
        part(play_duel, rules, one, other, game, clocks),
        *([] if first == second else [part(play_duel, rules, other, one, game, clocks)]),
    ]
