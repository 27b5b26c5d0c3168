"""Random commands of UCI against a model: python-chess for the game, and whether a search is running.

SURAJANG_WALKS is the number of walks; each depends only on its number, so that a failure can be repeated."""

import os
import random

import chess
import pytest
from surajang.protocol.uci.protocol import Uci
from surajang.tests.support.uci import WAITING
from surajang.tests.support.walks import BOARDS, GROUPS, same_position, take_walks

pytestmark = [pytest.mark.compiled, pytest.mark.quick]

WALKS = int(os.environ.get("SURAJANG_WALKS", "100"))
FENS = (
    "7k/8/6K1/8/8/8/8/R7 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/5N2/PPPP1PPP/RNBQKB1R b KQkq e3 0 3",
)
SILENT = (
    *(
        "setoption name MultiPV value 1",
        "setoption name Move Overhead value 20",
        "debug off",
        "register later",
    ),
    *("setoption name Ponder value true", "setoption name UCI_AnalyseMode value false", "", "   "),
    *("setoption name UCI_LimitStrength value false",),
)
WRONG = (
    *("nonsense", "debug", "position", "position fen", "position startpos e2e4", "position fen x moves e2e4"),
    *(
        "bench x",
        "bench 1 1 1 default plies",
        "go perft",
    ),
    *("go perft 99", "setoption", "setoption name", "setoption name Hash value 0", "é", "go perft 0"),
    *("setoption name MultiPV value x", "setoption name UCI_Variant value none", "setoption value 3"),
)
BUSY = (
    "flip",
    "bench",
    "setoption name Hash value 8",
    "setoption name Threads value 1",
    "position startpos",
    "ucinewgame",
    "go",
)
GO = (
    "depth 3",
    "infinite",
    "movetime 100",
    "wtime 900 btime 900",
    "nodes 5",
    "ponder wtime 9 btime 9",
    "mate 2",
    "",
    "depth x",
    "movetime 100 depth",
    "wtime 5 btime 5 depth -3",
)


class Walk:
    """One walk: each step is a command to the dialect and to the model."""

    def __init__(self, driver, number):
        self.random = random.Random(number)
        self.driver, self.said = driver, []
        self.searching = self.held = self.pondering = False
        self.allowed = set()
        self.variant = "chess"
        self.board = chess.Board()
        assert self.send("ucinewgame") == []  # before a game is named there is none
        assert self.send("isready") == ["readyok"]

    def send(self, line):
        """The output. A line that waits for the end of the search gets it by `stop`."""
        self.said.append(line)
        if self.searching and not self.held and line.split()[:1] and line.split()[0] in WAITING:
            assert self.driver.send(line) == []
            self.said.append("stop")
            return self.heed(self.driver.send("stop"))
        return self.heed(self.driver.send(line))

    def release(self):
        self.said.append("(the search ends)")
        return self.heed(self.driver.release())

    def heed(self, lines):
        """Takes the answers of searches out of the output; the caller checks the rest."""
        for line in [line for line in lines if line.startswith("bestmove")]:
            assert self.searching, "a move that nobody asked for"
            self.searching = False
            word = line.split()[1]
            if word == "(none)":
                assert not self.allowed
                continue
            move = chess.Move.from_uci(word)
            assert move in self.allowed
            if "ponder" in line:
                after = self.board.copy()
                after.push(move)
                assert chess.Move.from_uci(line.split()[3]) in after.legal_moves
        return [line for line in lines if not line.startswith(("bestmove", "info depth"))]

    def check(self):
        position = self.driver.session.position
        assert same_position(position, self.board), (position.fen(), self.board.fen())
        assert (self.driver.session.search is not None) == self.searching, "who searches"

    # Steps

    def position(self):
        if self.searching:
            return
        fen = self.random.choice([None, *FENS])
        board = BOARDS[self.variant](*[fen] * (fen is not None))
        start, moves = board.fen(), []
        if self.random.random() < 0.5 and self.board.move_stack and not self.driver.session.game.result():
            board, moves = self.board.copy(), [move.uci() for move in self.board.move_stack]
            root = self.board.root().fen()
            fen, start = root, root
        for _ in range(self.random.randint(0, 4)):
            # The rules of the engine end a game with the third repetition; UCI goes on.
            legal = list(board.legal_moves)
            if not legal or board.is_insufficient_material():
                break
            move = self.random.choice(legal)
            board.push(move)
            moves.append(move.uci())
        text = "startpos" if fen is None else f"fen {start}"
        assert self.send(f"position {text} moves {' '.join(moves)}".removesuffix(" moves ")) == []
        self.board = board

    def go(self):
        if self.searching:
            return
        words, legal = self.random.choice(GO), list(self.board.legal_moves)
        self.allowed = set(legal)
        if legal and self.random.random() < 0.3:
            self.allowed = set(self.random.choices(legal, k=2))
            words += " searchmoves " + " ".join(move.uci() for move in self.allowed)
        self.searching, self.pondering = True, "ponder" in words
        self.held = self.pondering or "infinite" in words or words.split(" search")[0].strip() == ""
        self.held = self.held or words.startswith(" searchmoves")
        if not legal:
            self.allowed = set()
        self.said.append(f"go {words}")
        lines = self.heed(self.driver.send(f"go {words}".strip()))
        assert all(line.startswith("info string depth ") or "no limit is left" in line for line in lines)
        assert bool(lines) == ("depth" in words and "depth 3" not in words)

    def go_wrong(self):
        """A move that is not legal: those before it are made."""
        if not self.searching and self.variant == "chess":
            (line,) = self.send("position startpos moves e2e4 e2e4 e7e5")
            assert line.startswith("info string 'e2e4': ")
            self.board = chess.Board()
            self.board.push_uci("e2e4")

    def stop(self):
        assert self.send("stop") == []
        assert not self.searching

    def end(self):
        assert self.release() == []
        assert not self.searching or self.held

    def ponderhit(self):
        lines = self.send("ponderhit")
        if self.searching and self.pondering:
            assert lines == []
            self.pondering = self.held = False
        else:
            assert lines == ["info string no search is pondering: ponderhit"]

    def new_game(self):
        if not self.searching:
            assert self.send("ucinewgame") == []
            self.board = BOARDS[self.variant]()

    def choose(self):
        if self.searching:
            return
        self.variant = self.random.choice(list(BOARDS))
        (line,) = self.send(f"setoption name UCI_Variant value {self.variant}")
        assert line.startswith(f"info string variant {self.variant} ")
        assert self.send("isready") == ["readyok"]
        self.board = BOARDS[self.variant]()

    def busy(self):
        """Only a search that nothing but `stop` ends refuses commands for which others wait."""
        if self.searching and self.held:
            line = self.random.choice(BUSY)
            assert self.send(line) == [f"info string not while searching; 'stop' comes first: {line}"]

    def ready(self):
        assert self.send("isready") == ["readyok"]

    def show(self):
        assert any(line.startswith("Fen: ") for line in self.send("d"))

    def silent(self):
        assert self.send(self.random.choice(SILENT)) == []

    def wrong(self):
        line = self.random.choice(WRONG)
        (answer,) = self.send(line)
        assert answer.startswith("info string ") and answer.endswith(f": {line}")

    def unknown_words(self):
        assert self.send("joho isready") == ["readyok"]

    STEPS = (
        *((position, 25), (go, 20), (stop, 10), (end, 14), (ponderhit, 6), (new_game, 3), (choose, 3)),
        *((busy, 6), (go_wrong, 2), (ready, 4), (show, 2), (silent, 4), (wrong, 6), (unknown_words, 1)),
    )


@pytest.mark.parametrize("group", range(GROUPS))
def test_position_is_the_models_after_every_command(group, monkeypatch):
    take_walks(group, WALKS, monkeypatch, Uci, Walk)
