"""UCI with hypothesis rules against a model: after any commands in any order, the game is the model's, and
refused commands change nothing.

The games are the main ones; chess and crazyhouse have referees in `test_uci_walks`. SURAJANG_WALKS is the
number of sequences."""

import os

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from surajang import FenError, MoveError, Position
from surajang.protocol.uci.protocol import Uci
from surajang.protocol.wire.stdio import excerpt
from surajang.tests.support.conversations import conversation
from surajang.tests.support.mutations import mutated, mutated_fen
from surajang.tests.support.surfaces import GAMES
from surajang.tests.support.uci import WAITING
from surajang.tests.support.utterances import DAMAGE

pytestmark = pytest.mark.compiled

SEQUENCES = int(os.environ.get("SURAJANG_WALKS", "60"))
games, numbers = st.sampled_from(GAMES), st.integers(0, 999)
SILENT = (
    *(
        "setoption name MultiPV value 2",
        "setoption name MultiPV value 1",
        "setoption name Move Overhead value 20",
    ),
    *("debug off", "register later", "setoption name Ponder value true", "", "  "),
    *("setoption name UCI_Elo value 900",),
    *("setoption name UCI_AnalyseMode value false", "setoption name UCI_LimitStrength value true"),
)
WRONG = (
    *("nonsense", "debug", "position", "position fen", "position startpos e2e4", "position fen x moves e2e4"),
    *("bench 0", "bench 1 1 1 default plies", "go perft", "go perft 0", "go perft 99", "setoption"),
    *("setoption name",),
    *(
        "setoption name Hash value 0",
        "setoption name MultiPV value x",
        "setoption name UCI_Variant value none",
    ),
    *(
        "setoption value 3",
        "setoption name VariantPath value ~nobody-at-all/x",
        "setoption name Hash value 1e3",
    ),
    *("setoption name UCI_Elo value 99999", "setoption name VariantPath value " + "x" * 5000, "é", "\0"),
)
BUSY = (
    *(
        "setoption name Hash value 8",
        "setoption name Threads value 1",
        "setoption name UCI_Variant value chess",
    ),
    *(
        "position startpos",
        "ucinewgame",
        "flip",
        "bench",
        "go",
        "go perft 2",
        "setoption name VariantPath value x",
    ),
)
GO = (
    *("depth 3", "infinite", "movetime 100", "wtime 900 btime 900", "nodes 5", "mate 2", "", "movestogo 3"),
    *("ponder wtime 9 btime 9", "ponder", "ponder infinite", "wtime -5 btime -5 winc 3 binc 3"),
    *("depth x", "nodes 5 depth", "wtime -5 btime -5 depth -3"),
)


class UciMachine(RuleBasedStateMachine):
    """The model: the position with its moves, and the kind of the current search."""

    def __init__(self):
        super().__init__()
        self._open = conversation(Uci)
        self.talk = self._open.__enter__()
        self.searching = self.held = self.pondering = False
        self.talk.say("uci")

    def teardown(self):
        self.talk.check_game()
        self.talk.check_alive()
        self._open.__exit__(None, None, None)

    def send(self, line):
        """The output. A line that waits for the end of the search gets it by `stop`."""
        if self.searching and not self.held and line.split()[:1] and line.split()[0] in WAITING:
            assert self.talk.say(line) == []
            line = "stop"
        return self.heed([*self.talk.say(line), *self.talk.finish_loading()])

    def heed(self, lines):
        """Takes the answers of searches out of the output; the caller checks the rest."""
        read = self.talk.talk._notation.read_move
        for line in [line for line in lines if line.startswith("bestmove")]:
            assert self.searching, "a move that nobody asked for"
            self.searching = self.held = self.pondering = False
            _, best, *ponder = line.split()
            if best == "(none)":
                assert not self.position.legal_moves()
                continue
            after = self.position.copy()
            after.push(read(best, after))
            if ponder:
                after.parse_move(read(ponder[1], after))
        return [line for line in lines if not line.startswith(("bestmove", "info depth"))]

    @initialize(game=games)
    def choose_first(self, game):
        self.choose(game)

    @precondition(lambda self: not self.searching)
    @rule(game=games)
    def choose(self, game):
        (line,) = self.send(f"setoption name UCI_Variant value {game}")
        assert line.startswith(f"info string variant {game} ")
        self.position = Position(game)
        assert self.send("isready") == ["readyok"]

    @precondition(lambda self: not self.searching)
    @rule()
    def new_game(self):
        self.position = Position(self.position.variant)
        assert self.send("ucinewgame") == []

    @precondition(lambda self: not self.searching)
    @rule(picks=st.lists(numbers, max_size=5), again=st.booleans(), by_fen=st.booleans())
    def go_on(self, picks, again, by_fen):
        """`position` with the moves so far and some more, or from where they have led to."""
        board = self.position.copy() if again else Position(self.position.variant)
        if by_fen:
            board = Position(board.variant, self.position.fen())
        for pick in picks:
            moves = [] if board.result() else board.legal_moves()
            if moves:
                board.push(moves[pick % len(moves)])
        start = (
            "startpos" if board.start_fen == Position(board.variant).start_fen else f"fen {board.start_fen}"
        )
        assert self.send(f"position {start} moves {' '.join(map(str, board.moves))}") == []
        self.position = board

    @precondition(lambda self: not self.searching)
    @rule(random=st.randoms(), picks=st.lists(numbers, max_size=3))
    def bad_position(self, random, picks):
        """A damaged FEN; the moves before a damaged one are made."""
        fen, read = mutated_fen(random, self.position.fen()), self.talk.talk._notation
        moves = [str(move) for pick in picks for move in self.position.legal_moves()[pick : pick + 1]]
        moves = [mutated(random, move, "abc019@+=,", 1) for move in moves[:1]]
        line = f"position fen {fen} moves {' '.join(moves)}"
        fields, _, made = line.split(maxsplit=2)[2].partition("moves")
        try:
            board = Position(self.position.variant, " ".join(fields.split()))
        except FenError:
            (answer,) = self.send(line)
            assert answer.startswith("info string ") and answer.endswith(f": {excerpt(line)}")
            return
        illegal = False
        for move in made.split():
            try:
                board.push(read.read_move(move, board))
            except MoveError:
                illegal = True
                break
        notes = {f"info string {note}" for note in board.notes}
        answers = [answer for answer in self.send(line) if answer not in notes]
        assert len(answers) == illegal
        assert all(answer.endswith("; the position is the one before this move") for answer in answers)
        self.position = board

    @precondition(lambda self: not self.searching)
    @rule()
    def flip(self):
        """The colours are exchanged, and again; only the moves so far are forgotten."""
        fen = self.position.fen()
        if self.send("flip") == []:
            assert self.talk.session.position.fen() != fen
            assert self.send("flip") == []
            self.position = Position(self.position.variant, fen)

    @precondition(lambda self: not self.searching)
    @rule(words=st.sampled_from(GO), picks=st.lists(numbers, max_size=2))
    def go(self, words, picks):
        legal = self.position.legal_moves()
        chosen = [str(legal[pick % len(legal)]) for pick in picks if legal]
        text = f"go {words} {f'searchmoves {chr(32).join(chosen)}' if chosen else ''}".rstrip()
        self.searching, self.pondering = True, "ponder" in words
        limited = {"depth", "movetime", "wtime", "nodes", "mate"} & set(words.split())
        self.held = self.pondering or "infinite" in words or not limited
        faults = self.heed(self.talk.say(text))
        assert all("; it is left out" in line or "no limit is left" in line for line in faults)
        assert bool(faults) == (words in ("depth x", "nodes 5 depth", "wtime -5 btime -5 depth -3"))

    @rule()
    def stop(self):
        assert self.send("stop") == []
        assert not self.searching

    @rule()
    def end_search(self):
        assert self.heed(self.talk.release()) == []
        assert not self.searching or self.held

    @rule()
    def ponderhit(self):
        pondered = self.searching and self.pondering
        if pondered:  # which starts the limits, whatever they are
            self.held = self.pondering = False
        assert self.send("ponderhit") == (
            [] if pondered else ["info string no search is pondering: ponderhit"]
        )

    @precondition(lambda self: self.searching and self.held)
    @rule(line=st.sampled_from(BUSY))
    def say_too_early(self, line):
        assert self.send(line) == [f"info string not while searching; 'stop' comes first: {line}"]

    @rule(line=st.sampled_from(SILENT))
    def say_silent(self, line):
        assert self.send(line) == []

    @rule(line=st.sampled_from(WRONG))
    def say_wrong(self, line):
        answers = self.send(line)
        assert all(answer.startswith("info string ") for answer in answers)
        assert answers[-1].endswith(f": {excerpt(line)}")

    @rule(data=st.sampled_from(DAMAGE) | st.binary(max_size=30))
    def damage(self, data):
        self.heed([*self.talk.hear(data), *self.talk.finish_loading()])
        if self.talk.talk._backlog:
            self.send("stop")
        if data.startswith(b"position ") and not self.searching:
            self.position = self.talk.session.position.copy()  # the legal moves of the line are made

    @rule(line=st.sampled_from(("isready", "joho isready")))
    def is_ready(self, line):
        assert self.send(line) == ["readyok"]

    @rule()
    def show(self):
        fen = self.talk.talk._notation.write_fen(self.position.fen())
        assert f"Fen: {fen}" in self.send("d")

    @invariant()
    def game_is_the_models(self):
        session = self.talk.session
        if hasattr(self, "position"):
            assert session.position.moves == self.position.moves
            assert session.position.fen() == self.position.fen()
            assert (session.search is not None) == self.searching


TestUci = UciMachine.TestCase
TestUci.settings = settings(
    derandomize=True,
    deadline=None,
    max_examples=SEQUENCES,
    stateful_step_count=25,
    suppress_health_check=list(HealthCheck),
)
