"""Moves before anything of a game is compiled: the compiler never ends here, and each protocol gets a legal
move."""

import queue
import threading

import cchess
import chess.variant
import cshogi
import pytest
from surajang.engine.kernel import compiler
from surajang.engine.movegen import entry_points
from surajang.engine.movegen.entry_points import EntryPoints
from surajang.protocol.cecp.protocol import Cecp
from surajang.protocol.ucci.protocol import Ucci
from surajang.protocol.uci.protocol import Uci
from surajang.protocol.usi.protocol import Usi
from surajang.protocol.wire.stdio import InputLine
from surajang.search import compiled_search

pytestmark = [pytest.mark.compiled, pytest.mark.quick]
SECONDS = 60  # for a move; a compiler that is waited for never ends

CRAZYHOUSE = {move.uci() for move in chess.variant.CrazyhouseBoard().legal_moves}
AFTER_E4 = chess.variant.CrazyhouseBoard()
AFTER_E4.push_uci("e2e4")
SHOGI = {cshogi.move_to_usi(move) for move in cshogi.Board().legal_moves}
XIANGQI = {cchess.pos2iccs(*move) for move in cchess.ChessBoard(cchess.FULL_INIT_FEN).create_moves()}
UCI_GAME = ["uci", "setoption name UCI_Variant value crazyhouse", "position startpos"]
CECP_GAME = ["xboard", "protover 2", "new", "variant crazyhouse"]


class Talk:
    """A dialect in this process whose games are never compiled."""

    def __init__(self, kind):
        self.events, self.lines = queue.Queue(), []
        self.talk = kind(self.lines.append, self.events.put)

    def say(self, *lines):
        for line in lines:
            self.talk.handle(InputLine(line))

    def answer(self, word):
        """The line that begins with `word`."""
        while not any(line.startswith(word) for line in self.lines):
            self.talk.handle(self.events.get(timeout=SECONDS))
        answer = next(line for line in self.lines if line.startswith(word))
        self.lines.clear()
        return answer.split()[1]


@pytest.fixture
def talk(monkeypatch):
    """Makes a `Talk`; the compiler waits until the end of the test."""
    ended, loaders, made = threading.Event(), [], {}

    def wait(*rest):
        loaders.append(threading.current_thread())
        ended.wait()
        raise RuntimeError("the test has ended")

    def points_of(rules):
        return made.setdefault(rules, EntryPoints(rules))

    monkeypatch.setattr(compiled_search.CompiledSearch, "is_compiled", False)
    for place in (compiled_search, entry_points, compiler):
        monkeypatch.setattr(place, "compile_ahead", wait)
    for place in ("engine.position", "engine.movegen.entry_points", "search.first_move"):
        monkeypatch.setattr(f"surajang.{place}.entry_points_of", points_of)
    yield Talk
    ended.set()
    for loader in loaders:
        loader.join()


@pytest.mark.parametrize("go", ["go infinite", "go ponder wtime 9000 btime 9000", "go depth 30", "go mate 5"])
def test_stop_in_uci(talk, go):
    uci = talk(Uci)
    uci.say(*UCI_GAME, go, "stop")
    assert uci.answer("bestmove") in CRAZYHOUSE
    uci.say("position startpos moves e2e4", go, "stop")
    assert uci.answer("bestmove") in {move.uci() for move in AFTER_E4.legal_moves}


@pytest.mark.parametrize("go", ["go movetime 100", "go wtime 400 btime 400", "go wtime 0 btime 0"])
def test_time_of_a_move_in_uci(talk, go):
    uci = talk(Uci)
    uci.say(*UCI_GAME, go)
    assert uci.answer("bestmove") in CRAZYHOUSE
    uci.say(go)
    assert uci.answer("bestmove") in CRAZYHOUSE


def test_reason_for_the_move_is_reported(talk):
    uci = talk(Uci)
    uci.say(*UCI_GAME, "go movetime 10")
    while not any("search of crazyhouse is still being compiled" in line for line in uci.lines):
        uci.talk.handle(uci.events.get(timeout=SECONDS))


def test_question_mark_in_cecp(talk):
    cecp = talk(Cecp)
    cecp.say(*CECP_GAME, "st 100", "go", "?")
    assert cecp.answer("move") in CRAZYHOUSE


@pytest.mark.parametrize("clock", [["st 0.1"], ["level 0 0:01 0", "time 50", "otim 50"], ["sd 20", "st 0.1"]])
def test_time_of_a_move_in_cecp(talk, clock):
    cecp = talk(Cecp)
    cecp.say(*CECP_GAME, *clock, "go")
    assert cecp.answer("move") in CRAZYHOUSE


def test_reply_in_cecp_to_a_move_that_comes_before_the_game_is_compiled(talk):
    cecp = talk(Cecp)
    cecp.say(*CECP_GAME, "st 100", "usermove e2e4", "?")
    assert cecp.answer("move") in {move.uci() for move in AFTER_E4.legal_moves}


@pytest.mark.parametrize("go", [["go infinite", "stop"], ["go btime 0 wtime 0 byoyomi 100"]])
def test_usi(talk, go):
    usi = talk(Usi)
    usi.say("usi", "position startpos", *go)
    assert usi.answer("bestmove") in SHOGI


@pytest.mark.parametrize("go", [["go infinite", "stop"], ["go time 1 increment 0"]])
def test_ucci(talk, go):
    ucci = talk(Ucci)
    ucci.say("ucci", f"position fen {cchess.FULL_INIT_FEN}", *go)
    assert ucci.answer("bestmove") in XIANGQI
