"""Whole games of the engine against itself in compiled code, as data for tuning and training.

A game depends only on its number, the seed and the settings. Random moves open it, a short search chooses
every later move, and it ends by the rules of the game or by adjudication. `game_player` calls this code from
Python."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import intrinsic

from ...engine.kernel.bitboard import load, store
from ...engine.kernel.compiler import entry_point, inner
from ...engine.mechanics.dead_positions import is_dead
from ...engine.mechanics.move_limit import is_over
from ...engine.mechanics.no_moves import sign_without_moves
from ...engine.mechanics.outcomes import score_sign
from ...engine.movegen.attacks import inspect
from ...engine.movegen.legal_moves import COUNTING, LISTING, legal_moves
from ...engine.movegen.make_move import play
from ...engine.representation.position_record import copy_record, position_dtype
from ...eval.terms.weights import NORMAL_SCALE
from ...search import aspiration, time_management
from ...search.aspiration import NO_LIMIT
from ...search.tree.memory import read_word
from ...search.tree.parameters import ASPIRATION_WINDOW, DECISIVE, INFINITE, MATE, SEEN_SLOTS
from ...search.tree.repetition import enter
from ...search.tree.table import AGES
from ...search.tree.tunable import tuned_numbers

MAX_PLIES = 1024  # of a game, including random moves
OPENING_TRIES = 400
NO_SCORE = -32_768  # of a random move and of a forced evasion: no search took place
SOFT_SHARE = 0.6  # of a search's nodes, after which no iteration begins: the last one brings them to the mean
HARD_NODES = 4  # a search is stopped at so many times its nodes
NODES_PER_MB = 1_000  # of a move: the table has room for some fifty moves
MAX_TABLE_MB = 64
DEPTH_TABLE_MB = 4

# How a game ended: by the rules, ...
UNENDED, MATED, NO_MOVE, BY_RULE, QUIET_LIMIT, DEAD, REPETITION, PERPETUAL = range(8)
# ... by adjudication, or not at all.
WON, LEVEL, TOO_LONG, NO_START, STOPPED = range(8, 13)
ENDINGS = (
    *("none", "mate", "no legal move", "a rule of the game", "no progress", "dead position", "repetition"),
    *("perpetual check", "adjudicated win", "adjudicated draw", "most plies"),
)

_stretch = inner(time_management.stretch)
_first_window, _wider_window = inner(aspiration.first_window), inner(aspiration.wider_window)


class Settings(NamedTuple):
    """The settings of games besides the variant and its evaluation.

    A search ends after the iteration in which it reaches `nodes` (on average), or at a fixed `depth`; one of
    them is None. A game opens with `plies` random moves, or one more in every second game; an opening is
    rejected if the first search scores it more than `balance` centipawns from 0. A game is won after
    `win_plies` consecutive searches with a score of `win_score` for one side. It is drawn after `draw_plies`
    searches within `draw_score` of 0 from ply `draw_after` on, and at ply `most_plies`."""

    nodes: int | None = 1000
    depth: int | None = None
    plies: int = 8
    seed: int = 1
    balance: int = 400
    win_score: int = 2000
    win_plies: int = 4
    draw_score: int = 10
    draw_plies: int = 16
    draw_after: int = 100
    most_plies: int = 400

    @property
    def table_mb(self) -> int:
        """Megabytes of the transposition table; small tables fit into the processor's cache."""
        if self.nodes is None:
            return DEPTH_TABLE_MB
        return min(MAX_TABLE_MB, 1 << max(0, (self.nodes - 1) // NODES_PER_MB).bit_length())


class SelfPlayedGame(NamedTuple):
    """A complete game: move codes and search scores (centipawns for White) by ply. The first `opening` moves
    are random. `result` is 1, 0 or -1 for White; `ending` is an index of ENDINGS."""

    number: int
    moves: np.ndarray
    scores: np.ndarray
    opening: int
    result: int
    ending: int


@cache
def game_dtype(rules: Any) -> np.dtype[Any]:
    """The record of a running game: the settings as integers, the state of play, and the result.

    `search` is the address of `search_root` (in a duel White's; `reply` is Black's). `best` and `value` are
    the results of the last search. If `timed`, the soft limit of nodes varies as with a clock. `won` and
    `level` count searches for adjudication; the sign of `won` is that of the winner."""
    numbers = (
        *("max_depth", "soft_nodes", "hard_nodes", "plies", "balance", "win_score"),
        *("win_plies", "draw_score", "draw_plies", "draw_after", "most_plies"),
        *("best", "value", "won", "level", "length", "opening", "result", "ending", "nodes"),
        "timed",
    )
    return np.dtype(
        [
            ("start", position_dtype(rules)),
            *((name, np.int64) for name in numbers),
            ("seed", np.uint64),
            ("random", np.uint64),
            ("search", np.uint64),
            ("reply", np.uint64),
            ("moves", np.uint32, (MAX_PLIES,)),
            ("scores", np.int16, (MAX_PLIES,)),
        ],
        align=True,
    )


@intrinsic
def _call_search(typingctx, address, rules, worker, depth, alpha, beta):
    """Calls `search_root` by its address; linking it in would compile the whole search again."""
    arguments = (rules, worker, depth, alpha, beta)

    def generate(context, builder, sig, args):
        convention = context.call_conv
        kind = convention.get_function_type(sig.return_type, sig.args[1:])
        function = builder.inttoptr(args[0], kind.as_pointer())
        _, value = convention.call_function(builder, function, sig.return_type, sig.args[1:], args[1:])
        return value

    return types.int64(address, *arguments), generate


# Random numbers: splitmix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators",
# 2014).


@inner
def _mixed(number):
    """A uint64 hash of a uint64."""
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


@inner
def seed(game, number):
    """Seeds the random numbers with the number of the game."""
    game.random = _mixed(_mixed(game.seed) ^ np.uint64(number))


@inner
def _below(game, bound):
    """A random number from 0 to `bound` - 1; `bound` is at least 1."""
    game.random = game.random + np.uint64(0x9E3779B97F4A7C15)
    return np.int64(_mixed(game.random) % np.uint64(bound))


# The position at the root, and its end.


@inner
def _note_root(rules, worker):
    """Notes checkers and pins of the root."""
    checkers, pinned = inspect(rules, worker.positions[0])
    store(worker, "checkers", 0, checkers)
    store(worker, "pinned", 0, pinned)


@inner
def set_up(rules, worker, game):
    """Resets the game to its start position."""
    copy_record(worker.positions[0], game.start)
    _note_root(rules, worker)
    for slot in range(SEEN_SLOTS):
        worker.seen[slot] = 0
    position = worker.positions[0]
    worker.root = 0
    worker.keys[0] = position.repetition_key
    worker.checks[0] = bool(load(worker, "checkers", 0))
    worker.horizon[0] = 0
    worker.seen[np.int64(position.repetition_key & np.uint64(SEEN_SLOTS - 1))] = 1
    game.length = 0
    game.won = 0
    game.level = 0
    game.ending = UNENDED
    game.result = 0


@inner
def write_down(game, move, score):
    """Appends a move and its score (White's view) to the record of the game."""
    game.moves[game.length] = move
    game.scores[game.length] = score
    game.length += 1


@inner
def advance(rules, worker, move):
    """Plays a legal move at the root."""
    play(rules, worker.positions[1], worker.positions[0], move)
    copy_record(worker.positions[0], worker.positions[1])
    _note_root(rules, worker)
    worker.root += 1
    enter(worker, 0, worker.positions[0].repetition_key, bool(load(worker, "checkers", 0)), False)


@inner
def _all_checks(worker, first, last):
    """Whether the side to move is in check in every second position from `first` to before `last`."""
    for index in range(first, last, 2):
        if worker.checks[index] == 0:
            return False
    return True


@inner
def _end(game, ending, sign, side):
    """Ends the game; `sign` is 1, 0 or -1 for `side`."""
    game.ending = ending
    game.result = -sign if side else sign


@inner
def _judge_repetition(rules, worker, game, side):
    """Ends the game if its position has occurred often enough."""
    last = np.int64(worker.root)
    key = worker.keys[last]
    if worker.seen[np.int64(key & np.uint64(SEEN_SLOTS - 1))] < rules.repetition_times:
        return
    times, latest = 1, np.int64(0)
    for index in range(last):
        if worker.keys[index] == key:
            times += 1
            latest = index
    if times < rules.repetition_times:
        return
    if rules.perpetual_check_loses:
        mine = _all_checks(worker, latest + 1, last)
        theirs = _all_checks(worker, latest + 2, last + 1)
        if mine != theirs:
            _end(game, np.int64(PERPETUAL), np.int64(-1 if mine else 1), side)
            return
    sign = np.int64(rules.repetition_sign)
    if rules.repetition_absolute and side:
        sign = -sign
    _end(game, np.int64(REPETITION), sign, side)


@inner
def judge(rules, worker, game, count):
    """Ends the game if the rules end it, in the order of `Position.result`; the root has `count` legal
    moves."""
    position = worker.positions[0]
    side = np.int64(position.side)
    if rules.can_end and position.outcome:
        _end(game, np.int64(BY_RULE), np.int64(score_sign(np.int64(position.outcome))), side)
    elif count == 0 and load(worker, "checkers", 0):
        sign = sign_without_moves(rules, np.int64(-1), position, True)
        _end(game, np.int64(MATED), sign, side)
    elif count == 0:
        sign = 0 if rules.stalemate_is_draw else -1 if rules.stalemate_is_loss else 1
        _end(game, np.int64(NO_MOVE), sign_without_moves(rules, np.int64(sign), position, False), side)
    elif is_over(rules, bool(rules.quiet_limit) and position.halfmoves >= rules.quiet_limit, position):
        _end(game, np.int64(QUIET_LIMIT), np.int64(0), side)
    elif is_dead(rules, False, position):
        _end(game, np.int64(DEAD), np.int64(0), side)
    else:
        _judge_repetition(rules, worker, game, side)


@inner
def adjudicate(game):
    """Ends the game if the scores of the searches decide it, or if it is too long."""
    if abs(game.won) >= game.win_plies:
        _end(game, np.int64(WON), np.int64(1 if game.won > 0 else -1), np.int64(0))
    elif game.level >= game.draw_plies:
        _end(game, np.int64(LEVEL), np.int64(0), np.int64(0))
    elif game.length >= game.most_plies:
        _end(game, np.int64(TOO_LONG), np.int64(0), np.int64(0))


@inner
def count_agreement(game, score):
    """Counts a search's score, White's view, towards adjudication."""
    if score >= game.win_score:
        game.won = max(np.int64(0), game.won) + 1
    elif score <= -game.win_score:
        game.won = min(np.int64(0), game.won) - 1
    else:
        game.won = 0
    if abs(score) <= game.draw_score and game.length > game.draw_after:
        game.level += 1
    else:
        game.level = 0


# The moves.


@inner
def _make(rules, worker, game, move, score):
    """Plays a legal move at the root and writes it down."""
    write_down(game, move, score)
    advance(rules, worker, move)


@inner
def _aspire(rules, worker, game, search, depth):
    """The value of the root at a depth. The aspiration window around the last value widens until it contains
    the new one."""
    width = np.int64(ASPIRATION_WINDOW)
    alpha, beta = _first_window(depth, np.int64(game.value))
    while True:
        value = _call_search(search, rules, worker, depth, alpha, beta)
        if worker.pv_length[0] > 0:
            game.best = worker.pv[0, 0]
        if worker.stopped or alpha < value < beta or (alpha == -INFINITE and beta == INFINITE):
            return value
        width *= aspiration.WIDENING
        alpha, beta = _wider_window(alpha, beta, value, width)


@inner
def think(rules, worker, game, search):
    """Searches the root, which has a legal move, with the `search_root` at the address `search`. Sets `best`
    and `value`, for the side to move."""
    worker.age = (worker.age + 1) % AGES
    worker.nodes = 0
    worker.stopped = 0
    game.best = 0
    game.value = 0
    stable = np.int64(0)
    for depth in range(1, game.max_depth + 1):
        worker.node_limit = np.int64(NO_LIMIT) if depth == 1 else game.hard_nodes
        worker.stoppable_from = np.int64(0) if depth > 1 else np.int64(NO_LIMIT)
        best, nodes = game.best, worker.nodes
        value = _aspire(rules, worker, game, search, np.int64(depth))
        if worker.stopped:
            break
        soft = np.float64(game.soft_nodes)
        if game.timed:
            stable = stable + 1 if game.best == best else np.int64(0)
            score = centipawns(worker, value)
            drop = centipawns(worker, game.value) - score if depth > 1 else np.int64(0)
            share = worker.effort / max(np.int64(1), worker.nodes - nodes)
            soft *= _stretch(tuned_numbers(rules, worker), stable, drop, share)
        game.value = value
        if worker.nodes >= soft or MATE - abs(value) <= depth:
            break
    game.nodes += worker.nodes


@inner
def centipawns(worker, value):
    """A search's value in normalised centipawns, within int16; mate scores stay."""
    if abs(value) >= DECISIVE:
        return value
    score = np.int64(np.rint(value * NORMAL_SCALE / worker.weights.scale))
    return max(np.int64(1 - DECISIVE), min(np.int64(DECISIVE - 1), score))


@inner
def legal_count(rules, worker, sink):
    """The number of legal moves at the root, listed in its list when `sink` lists."""
    checkers, pinned = load(worker, "checkers", 0), load(worker, "pinned", 0)
    return legal_moves(rules, sink, worker.lists[0], worker.positions[0], checkers, pinned)


@inner
def open_randomly(rules, worker, game, plies):
    """Plays that many random moves from the start; returns whether the game is still in progress."""
    set_up(rules, worker, game)
    while True:
        count = legal_count(rules, worker, LISTING)
        judge(rules, worker, game, count)
        if game.ending != UNENDED:
            return False
        if game.length == plies:
            game.opening = plies
            return True
        move = np.int64(worker.lists[0].moves[_below(game, count)])
        _make(rules, worker, game, move, np.int64(NO_SCORE))


@inner
def choose(rules, worker, game, count, search):
    """Searches the root, which has `count` moves, as `think` does; returns (move, score for White). A forced
    evasion is played without a search and gets NO_SCORE."""
    if count == 1 and load(worker, "checkers", 0):
        legal_count(rules, worker, LISTING)
        return np.int64(worker.lists[0].moves[0]), np.int64(NO_SCORE)
    think(rules, worker, game, search)
    score = centipawns(worker, game.value)
    return np.int64(game.best), -score if np.int64(worker.positions[0].side) else score


@inner
def forget(rules, worker):
    """Clears the move histories of the search, as `clear_worker` does; most rows were never touched."""
    worker.history[:] = 0
    worker.captures[:] = 0
    worker.counters[:] = 0
    worker.killers[:] = 0
    worker.correction[:] = 0
    worker.move_correction[:] = 0
    for row in range(len(worker.touched_rows)):
        if worker.touched_rows[row]:
            worker.continuation[row, :] = 0
            worker.touched_rows[row] = 0
    worker.age = 0


@inner
def begin(rules, worker, game, number):
    """Clears all state and seeds the random numbers with the number of the game; returns the plies of its
    opening."""
    forget(rules, worker)
    seed(game, number)
    game.nodes = 0
    return game.plies + (number & 1)


@inner
def has_ended(rules, worker, game, count):
    """Whether the game has ended at the root, which has `count` moves, by the rules or by adjudication."""
    judge(rules, worker, game, count)
    if game.ending == UNENDED:
        adjudicate(game)
    return game.ending != UNENDED


@inner
def _play_ply(rules, worker, game):
    """Plays the next move of the game, unless it has ended, and returns the score of its search."""
    count = legal_count(rules, worker, COUNTING)
    if has_ended(rules, worker, game, count):
        return np.int64(NO_SCORE)
    move, score = choose(rules, worker, game, count, game.search)
    _make(rules, worker, game, move, score)
    if score != NO_SCORE:
        count_agreement(game, score)
    if read_word(worker.stop_address):
        game.ending = STOPPED
    return score


@entry_point
def play_game(rules, worker, game, number):
    """Plays the game with this number from `game.start` to its end. The table must be empty. The ending is
    NO_START if no opening was balanced, and STOPPED if the stop flag was set."""
    plies = begin(rules, worker, game, number)
    for _ in range(OPENING_TRIES):
        if not open_randomly(rules, worker, game, plies):
            continue
        while True:
            score = _play_ply(rules, worker, game)
            if game.ending != UNENDED:
                return
            if game.length == plies + 1 and score != NO_SCORE and abs(score) > game.balance:
                break
    game.ending = NO_START


@entry_point
def play_on(rules, worker, game):
    """Continues a game, whose first `game.opening` moves are in `game.moves`, to its end. The table must be
    empty. The ending is STOPPED if the stop flag was set."""
    forget(rules, worker)
    game.nodes = 0
    opening = game.opening
    set_up(rules, worker, game)
    for i in range(opening):
        _make(rules, worker, game, np.int64(game.moves[i]), np.int64(NO_SCORE))
    while game.ending == UNENDED:
        _play_ply(rules, worker, game)
