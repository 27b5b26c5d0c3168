"""CECP with hypothesis rules against a model: after any commands in any order, the game is the model's, and
refused commands change nothing.

The games are the main ones; chess and crazyhouse have referees in `test_cecp_walks`. SURAJANG_WALKS is the
number of sequences."""

import os

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from surajang import FenError, MoveError, Position
from surajang.protocol.cecp.protocol import Cecp
from surajang.protocol.cecp.start import NAMES
from surajang.protocol.wire.arguments import words
from surajang.protocol.wire.stdio import excerpt
from surajang.tests.support.conversations import conversation
from surajang.tests.support.mutations import mutated, mutated_fen
from surajang.tests.support.surfaces import GAMES
from surajang.tests.support.utterances import DAMAGE, SQUARES

pytestmark = pytest.mark.compiled

SEQUENCES = int(os.environ.get("SURAJANG_WALKS", "60"))
games, numbers = st.sampled_from(GAMES), st.integers(0, 999)
SILENT = (
    *("post", "nopost", "random", "hard", "easy", "level 40 5 0", "st 0.5", "sd 3", "nps 1000"),
    *("nps -1", "cores 1"),
    *("time 500", "otim 9", "option MultiPV=2", "option MultiPV=1", "option Move Overhead=50"),
    *("rating 1 2", "hard"),
    *("option UCI_LimitStrength=1", "option UCI_LimitStrength=0", "accepted ping", "name x", "holding [] []"),
)
WRONG = (
    *("nonsense", "level", "level 40 x 0", "st x", "sd x", "nps", "time", "otim y", "memory 0"),
    *("cores 0", "option"),
    *("option MultiPV=0", "option Setup phase=x", "variant nonsense", "holding []", "ping", "ping x"),
    *("exclude e9", "setscore 5", "setscore x 3", "setscore 300000 4", "setscore 5 0"),
    *("include", "é", "\0", "e2", "usermove\0", "memory 1000000", "variant 9x9+0_chess", "undo1", "lift2 a1"),
)


class CecpMachine(RuleBasedStateMachine):
    """The model: the position with its moves, the engine's side, and who is at work."""

    def __init__(self):
        super().__init__()
        self._open = conversation(Cecp)
        self.talk = self._open.__enter__()
        self.analysing = False
        self.talk.say("xboard", "protover 2")

    def teardown(self):
        self.talk.check_game()
        self.talk.check_alive()
        self._open.__exit__(None, None, None)

    def send(self, *lines):
        return self.heed([*self.talk.say(*lines), *self.talk.finish_loading()])

    def heed(self, lines):
        """Takes moves, claims and answers of pings out of the output; the caller checks the rest."""
        rest = []
        for line in lines:
            if line.startswith("move "):
                assert self.thinking and not self.paused, "a move that nobody asked for"
                self.position.push(self.talk.talk._notation.read_move(line.removeprefix("move ")))
                self.thinking = False
            elif line[:2] in ("1-", "0-", "1/"):
                result = self.position.result()
                assert line == f"{result.score} {{{result.reason}}}"
                self.over = True
            elif not line.startswith(("pong ", "Hint: ", "stat01: ", "1 ", "12 ", "highlight ", "choice ")):
                rest.append(line)
        return rest

    def begin(self, position):
        self.position = position
        self.thinking = self.paused = self.over = False

    def stop(self):
        self.thinking = self.paused = False

    @initialize(game=games)
    def first_game(self, game):
        self.new_game(game)

    @rule(game=games)
    def new_game(self, game):
        self.begin(Position(game))
        lines = self.send("new", f"variant {NAMES.get(game, game)}")
        assert all(line.startswith(("setup ", "piece ", "telluser ")) for line in lines)
        start = self.talk.talk.start.arrangement.start_fen(self.position.description)
        self.begin(Position(game, start))
        self.side = 1

    @precondition(lambda self: not self.is_awaited)
    @rule(number=numbers, prefix=st.sampled_from(("", "usermove ")))
    def move(self, number, prefix):
        moves = [] if self.position.result() else self.position.legal_moves()
        if not moves:
            return
        move = moves[number % len(moves)]
        text = self.talk.talk._notation.write_move(move)
        if self.thinking:
            assert self.send(prefix + text) == [f"Illegal move (not your turn): {text}"]
            return
        self.position.push(move)
        self.thinking = not (self.analysing or self.over) and self.position.turn == self.side
        self.thinking = self.thinking and self.position.result() is None
        assert self.send(prefix + text) == []

    @precondition(lambda self: not self.is_awaited)
    @rule(random=st.randoms(), number=numbers)
    def wrong_move(self, random, number):
        moves = self.position.legal_moves() or ["e2e4"]
        _, text = words(f"usermove {mutated(random, str(moves[number % len(moves)]), 'abc019@+=,', 1)}")
        try:
            self.position.parse_move(self.talk.talk._notation.read_move(text, self.position))
        except MoveError:
            (line,) = self.send(f"usermove {text}")
            assert line.startswith("Illegal move (") and line.endswith(f": {excerpt(text)}")

    @precondition(lambda self: not self.is_awaited)
    @rule()
    def go(self):
        self.analysing, self.side = False, self.position.turn
        self.stop()
        self.over = False
        self.thinking = self.position.result() is None
        assert self.send("go") == []

    @precondition(lambda self: not self.is_awaited)
    @rule(number=numbers, stop=st.booleans())
    def let_the_engine_reply(self, number, stop):
        """A move of the user, the engine's reply, and its next search, if nothing prevents them."""
        self.go()
        self.end_search()
        self.move(number, "")
        if stop:
            self.end_search()

    @property
    def is_awaited(self):
        """Whether a ping waits for the engine's move, as moves would that come after it."""
        return bool(self.thinking and not self.paused and self.talk.talk._pings)

    @rule()
    def move_now(self):
        was = self.thinking and not self.paused
        assert self.send("?") == []
        assert not (was and self.thinking)

    @rule()
    def end_search(self):
        assert self.heed(self.talk.release()) == []
        assert self.paused or not self.thinking

    @rule()
    def force(self):
        self.side = None
        self.stop()
        assert self.send("force") == []

    @precondition(lambda self: not self.is_awaited)
    @rule()
    def playother(self):
        self.stop()
        self.side = 1 - self.position.turn
        assert self.send("playother") == []

    @precondition(lambda self: not self.is_awaited)
    @rule(command=st.sampled_from(("undo", "remove")))
    def take_back(self, command):
        count = 1 if command == "undo" else 2
        if self.position.ply < count:
            assert self.send(command)[-1].startswith("Error (")
            return
        for _ in range(count):
            self.position.pop()
        self.stop()
        self.over = False
        if self.position.turn == self.side:
            self.side = None
        assert self.send(command) == []

    @rule(picks=st.lists(numbers, max_size=6))
    def setboard(self, picks):
        board = Position(self.position.variant)
        for pick in picks:
            moves = [] if board.result() else [move for move in board.legal_moves() if not move.is_pass]
            if moves:
                board.push(moves[pick % len(moves)])
        self.begin(Position(board.variant, board.fen()))
        assert self.send(f"setboard {board.fen()}") == []

    @rule(random=st.randoms())
    def bad_setboard(self, random):
        fen = mutated_fen(random, self.position.fen())
        try:
            Position(self.position.variant, fen)
        except FenError:
            (line,) = self.send(f"setboard {fen}")
            assert line.startswith("tellusererror Illegal position")

    @rule()
    def edit_in_vain(self):
        self.stop()
        answers = self.send("edit", "go", "#", "Zz9", ".")
        assert [answer.split("(")[0] for answer in answers[:2]] == ["Error ", "Error "]
        assert answers[-1].startswith("tellusererror Illegal position")

    @rule()
    def result(self):
        self.stop()
        self.over = True
        assert self.send("result * {stopped}") == []

    @rule()
    def analyze(self):
        self.side, self.analysing = None, True
        self.stop()
        assert self.send("analyze") == []

    @rule()
    def exit(self):
        self.analysing = False
        assert self.send("exit") == []

    @rule()
    def pause(self):
        self.paused = self.thinking
        assert self.send("pause") == []

    @rule()
    def resume(self):
        self.paused = False
        assert self.send("resume") == []

    @rule(line=st.sampled_from(SILENT))
    def say_silent(self, line):
        assert self.send(line) == []

    @rule(line=st.sampled_from((".", "hint", "?", "draw", "bk", "xboard", "protover 2")))
    def ask(self, line):
        self.send(line)

    @rule(line=st.sampled_from(WRONG))
    def say_wrong(self, line):
        (answer,) = self.send(line)
        assert answer.startswith(("Error (", "Illegal move ("))

    @rule(data=st.sampled_from(DAMAGE) | st.binary(max_size=30))
    def damage(self, data):
        if b"setboard" not in data and not self.talk.talk._notation.is_move(data.decode("latin-1").strip()):
            self.heed([*self.talk.hear(data), *self.talk.finish_loading()])

    @rule(command=st.sampled_from(("lift", "put", "hover")), square=st.sampled_from(SQUARES))
    def mouse(self, command, square):
        assert self.send(f"{command} {square}") == []

    @rule(number=st.integers(0, 10**9))
    def ping(self, number):
        lines = self.talk.say(f"ping {number}")
        assert (f"pong {number}" in lines) == (not self.thinking or self.paused)
        self.heed(lines)

    @precondition(lambda self: not self.thinking)
    @rule(number=numbers, command=st.sampled_from(("exclude", "include")))
    def exclude(self, number, command):
        moves = [] if self.position.result() else self.position.legal_moves()
        if moves:
            text = self.talk.talk._notation.write_move(moves[number % len(moves)])
            assert self.send(f"{command} {text}") == []

    @precondition(lambda self: not self.thinking)
    @rule(score=st.integers(-110_000, 110_000), depth=st.integers(1, 1000))
    def setscore(self, score, depth):
        assert self.send(f"setscore {score} {depth}") == []

    @invariant()
    def game_is_the_models(self):
        session = self.talk.session
        if not hasattr(self, "position"):
            return
        assert session.position.moves == self.position.moves
        assert session.position.fen() == self.position.fen()
        assert session.game.engine_side == self.side
        searching = session.search is not None and not self.talk.talk.analysis.active
        assert searching == (self.thinking and not self.paused)
        assert self.talk.talk.analysis.active == self.analysing


TestCecp = CecpMachine.TestCase
TestCecp.settings = settings(
    derandomize=True,
    deadline=None,
    max_examples=SEQUENCES,
    stateful_step_count=30,
    suppress_health_check=list(HealthCheck),
)
