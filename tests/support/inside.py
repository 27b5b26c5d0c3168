"""Access for tests to parts of the search that only compiled code can call. They use the root of a worker.
The code is cached in the folder of the engine's own code."""

import random

import numpy as np
from surajang import Position
from surajang.engine.kernel.bitboard import from_words, store
from surajang.engine.kernel.compiler import entry_point
from surajang.engine.movegen.attacks import inspect
from surajang.engine.movegen.entry_points import advance
from surajang.engine.movegen.legal_moves import QUIET, TACTICAL, add_moves
from surajang.engine.movegen.make_move import key_after
from surajang.search.tree import checks as checking
from surajang.search.tree import picker, ranking
from surajang.search.tree import see as exchange
from surajang.search.tree.correction import corrected, learn_error
from surajang.search.tree.hanging import hanging
from surajang.search.tree.pruning import must_mate
from surajang.search.tree.tunable import tuned_numbers
from surajang.search.tree.worker import load_game, new_worker

NEVER = 1 << 30


@entry_point
def _prepare(rules, worker):
    checkers, pinned = inspect(rules, worker.positions[0])
    store(worker, "checkers", 0, checkers)
    store(worker, "pinned", 0, pinned)


@entry_point
def _pick(rules, worker, table_move, wanted, skip_from, out):
    picker.start_picking(rules, worker, 0, table_move, wanted)
    n = 0
    while n < len(out):
        move = picker.next_move(rules, worker, 0, n >= skip_from)
        if move == 0:
            break
        out[n] = move
        n += 1
    return n


@entry_point
def _known(rules, worker, safe):
    """Picks all moves at the root; sets for each whether the picker then says that it loses nothing."""
    picker.start_picking(rules, worker, 0, 0, picker.EVERYTHING)
    n = 0
    while picker.next_move(rules, worker, 0, False):
        safe[n] = picker.loses_nothing(rules, worker, 0)
        n += 1


@entry_point
def _parts(rules, worker):
    """(number of tactical moves, number of all) in the list of the root, the tactical ones first."""
    position, moves = worker.positions[0], worker.lists[0]
    checkers, pinned = inspect(rules, position)
    tactical = add_moves(rules, TACTICAL, moves, np.int64(0), position, checkers, pinned)
    return tactical, add_moves(rules, QUIET, moves, tactical, position, checkers, pinned)


@entry_point
def _judge(rules, worker, moves, threshold, quiet, wins, direct):
    position = worker.positions[0]
    checking.mark_checks(rules, worker, 0)
    for i in range(len(moves)):
        quiet[i] = picker.is_quiet(rules, position, moves[i])
        wins[i] = exchange.see_ge(rules, worker, position, moves[i], threshold)
        direct[i] = checking.checks(rules, worker, 0, position, moves[i])


@entry_point
def _wins(rules, worker, move, threshold):
    return exchange.see_ge(rules, worker, worker.positions[0], move, threshold)


@entry_point
def _checking_drops(rules, worker):
    checking.mark_checks(rules, worker, 0)
    return checking.checking_drops(rules, np.int64(0), worker, 0)


@entry_point
def _key_after(rules, position, move):
    return key_after(rules, position, move)


@entry_point
def _best_index(worker, start, end):
    return ranking.best_index(worker.lists[0], start, end)


@entry_point
def _corrected(rules, worker, static_eval):
    return corrected(rules, worker, tuned_numbers(rules, worker), np.int64(0), static_eval)


@entry_point
def _learn(rules, worker, depth, error):
    learn_error(rules, worker, np.int64(0), depth, error)


@entry_point
def _losses(rules, worker):
    squares, most, second = hanging(rules, worker, worker.positions[0])
    store(worker, "pinned", 0, squares)
    return most, second


@entry_point
def _must_mate(rules, worker, depth, alpha, ply):
    return must_mate(rules, tuned_numbers(rules, worker), depth, alpha, ply)


class Inside:
    """A worker of one game with a position at its root. Moves are codes, and lists of them arrays."""

    def __init__(self, variant):
        start = Position(variant)
        self.rules, self.description = start.rules, start.description
        self.worker = new_worker(self.rules, self.description)
        self.room = np.zeros(2 * self.rules.max_moves, np.int64)

    def after(self, position, code):
        """The record that a move leads to; the move need not be legal."""
        states = np.array([position.state, position.state])
        advance(self.rules, states, 0, int(code))
        return states[1]

    def checkers(self, state):
        """The squares of the pieces that check the side to move."""
        self.worker["positions"][0] = state
        _prepare(self.rules, self.worker)
        bits = from_words(self.worker["checkers"][0])
        return [square for square in range(self.rules.squares) if bits >> square & 1]

    @property
    def weights(self):
        return self.worker["weights"]

    def show(self, position):
        """Makes a `Position` the root; returns its legal moves."""
        load_game(self.worker, position)
        _prepare(self.rules, self.worker)
        return codes(position.legal_moves())

    def picked(self, wanted=picker.EVERYTHING, table_move=0, skip_from=NEVER):
        """The moves of the picker; from number `skip_from` on it is asked to skip quiet ones."""
        count = _pick(self.rules, self.worker, int(table_move), wanted, skip_from, self.room)
        return self.room[:count].copy()

    def known_safe(self):
        """For each move of the picker, in its order, whether it then says that the move loses nothing."""
        safe = np.zeros(len(self.room), bool)
        _known(self.rules, self.worker, safe)
        return safe

    def parts(self):
        """(tactical, quiet) moves, as the generator divides them."""
        tactical, everything = _parts(self.rules, self.worker)
        moves = self.worker["lists"][0]["moves"].astype(np.int64)
        return moves[:tactical].copy(), moves[tactical:everything].copy()

    def judged(self, moves, threshold=0):
        """For each move whether it is quiet, wins the threshold in its exchange, checks directly."""
        answers = [np.zeros(len(moves), bool) for _ in range(3)]
        _judge(self.rules, self.worker, moves, threshold, *answers)
        return answers

    def see_ge(self, move, threshold):
        """Whether the exchange of a move leaves the mover that much."""
        return bool(_wins(self.rules, self.worker, int(move), int(threshold)))

    def worth(self, move):
        """The greatest threshold that the exchange of a move reaches."""
        low, high = -20_000, 20_000
        while low + 1 < high:
            middle = (low + high) // 2
            if self.see_ge(move, middle):
                low = middle
            else:
                high = middle
        return low

    def losses(self):
        """(largest, second largest loss of a piece that hangs, their squares)."""
        most, second = _losses(self.rules, self.worker)
        bits = from_words(self.worker["pinned"][0])
        _prepare(self.rules, self.worker)
        return int(most), int(second), {each for each in range(self.rules.squares) if bits >> each & 1}

    def key_after(self, position, code):
        """The key that a move of a `Position` is predicted to lead to."""
        return int(_key_after(self.rules, position.state, int(code)))

    def best_index(self, scores, start, end):
        """Which of the scores of a list, from `start` to `end`, is found to be the highest."""
        self.worker["lists"][0]["scores"][: len(scores)] = scores
        return int(_best_index(self.worker, start, end))

    def corrected(self, static_eval):
        """The static evaluation of the root with the learned correction."""
        return int(_corrected(self.rules, self.worker, np.int64(static_eval)))

    def learn(self, depth, error):
        """Learns the error of the root's evaluation, which was corrected before."""
        _learn(self.rules, self.worker, np.int64(depth), np.int64(error))

    def must_mate(self, depth, alpha, ply):
        """Whether a node tries only moves that may mate at once."""
        return bool(_must_mate(self.rules, self.worker, np.int64(depth), np.int64(alpha), np.int64(ply)))

    def checking_drops(self):
        """The drops that the search lists as checks."""
        count = _checking_drops(self.rules, self.worker)
        return self.worker["lists"][0]["moves"][:count].astype(np.int64)


def codes(moves):
    """The moves as an array of their codes."""
    return np.array([move.code for move in moves], np.int64)


def is_sharp(position, move):
    """Whether a move captures or promotes."""
    return move.is_promotion or not (move.is_pass or position.piece_at(move.to_square) is None)


def walked(variant, fens, count, seed, plies=60):
    """`count` positions with legal moves, of random games that prefer captures and promotions now and then.

    The games begin at `fens` by turns, None being the start.
    """
    source, found = random.Random(seed), []
    while len(found) < count:
        position = Position(variant, fens[source.randrange(len(fens))])
        for _ in range(source.randrange(1, plies)):
            moves = position.legal_moves()
            if not moves or position.result():
                break
            if source.random() < 0.25 or position.is_check():
                found.append(position.copy())
            sharp = [move for move in moves if is_sharp(position, move)] if source.random() < 0.4 else []
            position.push(source.choice(sharp or moves))
    return found[:count]
