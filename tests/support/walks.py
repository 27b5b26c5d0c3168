"""Random walks through a dialect, in one process: an engine that thinks until it is released, and a driver
that handles every event in its turn. So the result of a command is deterministic."""

import os
import queue
import random
import time

import chess
import chess.variant
import pytest
from surajang import PlayResult, Position, Score
from surajang.engine.variant import Variant
from surajang.protocol.session.loading import Loaded, Loader
from surajang.protocol.wire.stdio import InputLine
from surajang.tests.support.engines import Indifferent

BOARDS = {"chess": chess.Board, "crazyhouse": chess.variant.CrazyhouseBoard}
PATIENCE = 10  # seconds for what should take milliseconds
FIRST = int(os.environ.get("SURAJANG_FIRST_WALK", "0"))  # the number of the first walk
STEPS = 40  # of a walk
GROUPS = 4  # of walks, each a test
BUG = ("Traceback", "internal error")


class SearchControl(Indifferent):
    """An engine that thinks until it is stopped or released, and then plays a move by chance."""

    def __init__(self, seed):
        self._random = random.Random(seed)
        self.released = False

    def play(self, position, limit, *, stop, ponder=None, searchmoves=None, **options):
        board = position.copy()
        moves = sorted(searchmoves or board.legal_moves(), key=str)
        line = [board.push(self._random.choice(moves))] if moves else []
        replies = sorted(board.legal_moves(), key=str) if line else []
        line += [self._random.choice(replies)] if replies else []
        while not stop.is_set() and (not self.released or (ponder is not None and not ponder.is_hit)):
            time.sleep(0.0003)
        return PlayResult(line[0] if line else None, Score(0), 1, 1000, tuple(line), 0.0)


class Driver:
    """A dialect with its events, and its output."""

    def __init__(self, dialect, seed):
        self._events = queue.SimpleQueue()
        self._lines = []
        self._seed = seed
        self.talk = dialect(self._lines.append, self._events.put)
        self.session = self.talk._session

    def load(self, loader, variant, fen, eval_file, number):
        """Replaces the thread that loads a game: no compiler is used."""
        self._engine = SearchControl(self._seed)
        position = fen if isinstance(fen, Position) else Position(variant, fen)
        loader._post(Loaded(Variant(variant), self._engine, position, number))

    def send(self, *lines):
        """The output of the lines."""
        self._lines.clear()
        for line in lines:
            self.talk.handle(InputLine(line))
            while self.session.loading:
                self.talk.handle(self._events.get(timeout=PATIENCE))
        while not self._events.empty():
            self.talk.handle(self._events.get())
        return self._written()

    def release(self):
        """Lets the current search end by itself; returns the output."""
        self._lines.clear()
        search, self._engine.released = self.session.search, True
        while search is not None and not search.held and self.session.search is search:
            self.talk.handle(self._events.get(timeout=PATIENCE))
        self._engine.released = False
        return self._written()

    def _written(self):
        assert not [line for line in self._lines if any(word in line for word in BUG)], self._lines
        assert not self.talk.ended
        return list(self._lines)

    def close(self):
        self.session.abandon()


def driven(monkeypatch, dialect, seed):
    """A `Driver` whose games are loaded without a compiler."""
    driver = Driver(dialect, seed)
    monkeypatch.setattr(Loader, "_load", lambda loader, *arguments: driver.load(loader, *arguments))
    return driver


def take_walks(group, count, monkeypatch, dialect, walk_of):
    """Takes the walks of one group, of `count` in all. `walk_of(driver, number)` has STEPS, pairs of a method
    and its weight, and `check`, which is called after each step; `said` is shown where a walk fails."""
    for number in range(FIRST + group, FIRST + count, GROUPS):
        walk, driver = None, driven(monkeypatch, dialect, number)
        try:
            walk = walk_of(driver, number)
            steps, weights = zip(*walk.STEPS, strict=True)
            for step in walk.random.choices(steps, weights, k=STEPS):
                step(walk)
                walk.check()
        except Exception as error:
            said = "\n".join(walk.said if walk else ())
            pytest.fail(f"walk {number}: {type(error).__name__} {error}\n{said}")
        finally:
            driver.close()


def same_position(position, board):
    """Whether the engine's position is python-chess's: board, hands in any order, turn, castling and captures
    in passing."""
    return _facts(position.fen()) == _facts(board.fen(en_passant="legal"))


def _facts(fen):
    board, *rest = fen.split()[:4]
    pieces, _, hands = board.partition("[")
    return [pieces, sorted(hands), *rest]


def is_over(board):
    """Whether the rules end the game here, the count of quiet moves apart."""
    return not any(board.legal_moves) or board.is_repetition(3)
