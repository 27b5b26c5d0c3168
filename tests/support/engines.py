"""Engines in the process of a test: the interface for a session besides searching, and a scripted one."""

import threading
import time

from surajang import PlayResult, Score
from surajang.protocol.session.search_thread import SearchRequest


class Indifferent:
    """An engine that accepts everything."""

    def set_hash(self, megabytes):
        pass

    def set_threads(self, threads):
        pass

    def clear(self):
        pass

    def give_score(self, position, score, depth):
        pass

    def close(self):
        pass


class Puppet(Indifferent):
    """An engine that plays the first legal move, expecting the first reply, when `may_end` is set.

    `calls` are its searches: whether each was for pondering, and its `SearchRequest`."""

    def __init__(self):
        self.may_end = threading.Event()
        self.may_end.set()
        self.calls = []

    def play(self, position, limit, *, stop, ponder=None, multipv=1, searchmoves=None, **listeners):
        self.calls.append((ponder is not None, SearchRequest(limit, searchmoves, multipv)))
        while (ponder is not None and not ponder.is_hit) or not self.may_end.is_set():
            if stop.is_set():
                break
            time.sleep(0.005)
        board = position.copy()
        line = [board.push(board.legal_moves()[0]), board.legal_moves()[0]]
        return PlayResult(line[0], Score(0), 1, 1000, tuple(line), 0.0)
