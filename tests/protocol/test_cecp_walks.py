"""Random commands of CECP against a model: python-chess for the game, a few flags for the side that thinks.

SURAJANG_WALKS is the number of walks; each depends only on its number, so that a failure can be repeated."""

import os
import random

import chess
import pytest
from surajang.protocol.cecp.protocol import Cecp
from surajang.tests.support.walks import BOARDS, GROUPS, is_over, same_position, take_walks

pytestmark = [pytest.mark.compiled, pytest.mark.quick]

WALKS = int(os.environ.get("SURAJANG_WALKS", "60"))
LETTERS = "pnbrqk"
FENS = (
    "7k/8/6K1/8/8/8/8/R7 w - - 0 1",
    "7k/4P3/8/8/3pP3/8/8/4K2R b K e3 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "k7/8/1K6/8/8/8/8/7Q b - - 0 1",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/5N2/PPPP1PPP/RNBQKB1R b KQkq e3 0 3",
)
NO_FENS = (
    "",
    "x",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "7k/8/8/8/8/8/8/R6K b KQ - x 1",
    "7k/7R/8/8/8/8/8/K7 w - - 0 1",
)
EDITS = (("Ke1", "Ra1", "Ph2"), ("Ke8", "Rh8", "Na7")), (("Kb1", "Qb2"), ("Kg8", "Pg7", "Pf7", "Ph7"))
SILENT = (
    *("post", "nopost", "random", "computer", "name Daphne", "rating 2000 1500", "ics -", "egtpath x /"),
    *("partner", "ptell hello", "accepted ping", "rejected colors", "level 40 5 0", "level 0 2:30 12"),
    *("level 40 25+5 0", "st 0.5", "st 1:30", "sd 3", "nps 1000", "nps -1", "time 500", "time -5", "otim 9"),
    *("st 0", "option MultiPV=1", "option Move Overhead=50", "option UCI_LimitStrength=0"),
)
WRONG = (
    *(
        "nonsense",
        "setscore 3",
        "level",
        "level 40 x 0",
        "level 0 5",
        "st x",
        "sd x",
        "nps",
        "time",
        "otim y",
    ),
    *("memory 0", "cores 0", "option", "option Hash=3", "option MultiPV=0", "variant nonsense"),
    *(
        "variant 9x9+0_chess",
        "holding []",
        "ping",
        "ping x",
        "exclude e9e1",
        "include",
        "é",
        "undo1",
        "\\",
        "e2",
    ),
)
ILLEGAL = ("a1a8", "e1e8", "z9z9", "K@e4", "e2e4q", "a0a1", "@@@@", "h8h8", "P@e9", "0000", "e2,e4")


class Model:
    """What the position is and who thinks, after the text of the protocol."""

    def __init__(self):
        self.analysing = self.pondering = False
        self.begin(chess.Board())
        self.new()

    def begin(self, board):
        self.board, self.unturned = board, None
        self.thinking = self.paused = self.over = False
        self.excluded = set()

    def new(self):
        self.engine_side = chess.BLACK

    def stop(self):
        self.thinking = self.paused = False

    def push(self, move):
        self.board.push(move)
        self.excluded, self.unturned = set(), None

    def after_move(self):
        """Who thinks after a move of the user's that has been made."""
        if not self.analysing:
            self.over = self.over or is_over(self.board)
            self.thinking = not self.over and self.board.turn == self.engine_side

    def pop(self, count):
        for _ in range(count):
            self.board.pop()
        self.stop()
        self.over, self.excluded = False, set()
        if self.board.turn == self.engine_side:
            self.engine_side = None

    def turn_to(self, side):
        """Whether `white` or `black` may be said."""
        if self.board.turn != side:
            if self.board.is_check():
                return False
            board = self.unturned
            if board is None:
                board = type(self.board)(self.board.fen())
                board.turn, board.ep_square = side, None
            before = self.board
            self.begin(board)
            self.unturned = before
        self.stop()
        self.engine_side = not side
        return True


class Walk:
    """One walk: each step is a command to the dialect and to the model."""

    def __init__(self, driver, number):
        self.random = random.Random(number)
        self.driver, self.model, self.said = driver, Model(), []
        self.pings, self.unanswered = 0, []
        self.begin()

    def send(self, *lines):
        self.said += lines
        return self.heed(self.driver.send(*lines))

    def heed(self, lines):
        """Takes moves and pongs out of the output; the caller checks the rest."""
        rest = []
        for line in lines:
            if line.startswith("move "):
                self.make(line.removeprefix("move "))
            elif line.startswith("pong "):
                assert self.unanswered.pop(0) == int(line.split()[1])
            elif not line.startswith("Hint: "):
                rest.append(line)
        return rest

    def make(self, text):
        model = self.model
        assert model.thinking and not model.paused, "a move that nobody asked for"
        move = chess.Move.from_uci(text)
        assert move in model.board.legal_moves
        legal = set(model.board.legal_moves)
        assert move not in model.excluded or legal <= model.excluded
        model.push(move)
        model.thinking = False
        model.over = is_over(model.board)

    def claims(self, lines):
        """Judges the claims among the lines and returns the others."""
        claims = [line for line in lines if line[:2] in ("1-", "0-", "1/")]
        board = self.model.board
        for claim in claims:
            if "mates" in claim:
                assert board.is_checkmate() and claim[:3] == ("0-1" if board.turn else "1-0")
            else:
                assert "Stalemate" in claim or "repetition" in claim or "neither side can mate" in claim, (
                    claim
                )
        return [line for line in lines if line not in claims], bool(claims)

    def check(self):
        model, session, talk = self.model, self.driver.session, self.driver.talk
        position = session.position
        assert same_position(position, model.board), (position.fen(), model.board.fen())
        assert [str(move) for move in position.moves] == [move.uci() for move in model.board.move_stack]
        searching = session.search is not None and not talk.analysis.active
        assert searching == (model.thinking and not model.paused), "who thinks"
        assert session.game.engine_side == (None if model.engine_side is None else int(not model.engine_side))
        assert {str(move) for move in session.game.excluded} == {move.uci() for move in model.excluded}
        if not model.thinking or model.paused:
            assert not self.unanswered

    # Steps

    def begin(self):
        game = self.random.choice(list(BOARDS))
        if game == "chess" and self.random.random() < 0.5:
            assert self.send("new", "undo")[-1] == "Error (no moves to take back): undo"
        else:
            assert self.send("new", f"variant {game if game != 'chess' else 'normal'}") == []
        self.model.begin(BOARDS[game]())
        self.model.new()

    def move(self):
        model = self.model
        moves = list(model.board.legal_moves) if not self.driver.session.game.result() else []
        if not moves:
            return
        move = self.random.choice(moves)
        line = self.random.choice(["", "usermove "]) + move.uci()
        if model.thinking and self.unanswered:
            return  # it would wait for the pong
        if model.thinking:
            assert self.send(line) == [f"Illegal move (not your turn): {move.uci()}"]
            return
        model.push(move)
        lines, claimed = self.claims(self.send(line))
        assert lines == []
        model.over = model.over or claimed
        model.after_move()

    def illegal(self):
        text = self.random.choice(ILLEGAL)
        if text in {move.uci() for move in self.model.board.legal_moves}:
            return
        if self.model.thinking and self.unanswered:
            return
        (line,) = self.send(f"usermove {text}")
        assert line.startswith("Illegal move (") and line.endswith(f": {text}")

    def go(self):
        model = self.model
        if model.thinking and self.unanswered:
            return  # it would wait for the pong
        model.analysing, model.engine_side = False, model.board.turn
        model.stop()
        model.over = is_over(model.board)
        model.thinking = not model.over
        lines, claimed = self.claims(self.send("go"))
        assert lines == []
        if claimed:
            model.over, model.thinking = True, False

    def end_thinking(self):
        if self.model.thinking and not self.model.paused:
            lines = self.random.choice([lambda: self.send("?"), self.release])()
            lines, claimed = self.claims(lines)
            assert lines == []
            self.model.over = self.model.over or claimed

    def release(self):
        self.said.append("(the search ends)")
        return self.heed(self.driver.release())

    def force(self):
        self.model.engine_side = None
        self.model.stop()
        assert self.send("force") == []

    def playother(self):
        if self.model.thinking and self.unanswered:
            return
        self.model.stop()
        self.model.engine_side = not self.model.board.turn
        assert self.send("playother") == []

    def take_back(self):
        if self.model.thinking and self.unanswered:
            return
        command, count = self.random.choice([("undo", 1), ("remove", 2)])
        if len(self.model.board.move_stack) < count:
            assert self.send(command)[-1].startswith("Error (")
        else:
            self.model.pop(count)
            assert self.send(command) == []

    def setboard(self):
        fen = self.random.choice(FENS)
        self.model.begin(type(self.model.board)(fen))
        assert self.send(f"setboard {fen}") == []

    def bad_setboard(self):
        (line,) = self.send(f"setboard {self.random.choice(NO_FENS)}")
        assert line.startswith("tellusererror Illegal position")

    def edit(self):
        white, black = self.random.choice(EDITS)
        board = type(self.model.board)(None)
        board.turn = self.model.board.turn
        for colour, pieces in ((chess.WHITE, white), (chess.BLACK, black)):
            for text in pieces:
                kind = LETTERS.index(text[0].lower()) + 1
                board.set_piece_at(chess.parse_square(text[1:]), chess.Piece(kind, colour))
        board.castling_rights = board.rooks & (chess.BB_CORNERS if white[0] == "Ke1" else 0)
        if self.random.random() < 0.2:
            (line,) = self.send("edit", "#", *white, ".")
            assert line.startswith("tellusererror Illegal position: board: Black has no kings")
            self.model.stop()
            return
        self.model.begin(board)
        assert self.send("edit", "#", *white, "c", *black, ".") == []

    def turn_to(self):
        side = self.random.choice(chess.COLORS)
        may = self.model.turn_to(side)
        lines = self.send(chess.COLOR_NAMES[side])
        assert (lines == []) == may and (may or lines[0].startswith("Error ("))

    def result(self):
        self.model.stop()
        self.model.over = True
        assert self.send("result * {stopped}") == []

    def analyze(self):
        if self.random.random() < 0.5:
            self.model.engine_side, self.model.analysing = None, True
            self.model.stop()
            assert self.send("analyze", self.random.choice([".", "hint", "exit"])) == []
            self.model.analysing = self.driver.talk.analysis.active
        else:
            self.model.analysing = False
            assert self.send("exit") == []

    def pause(self):
        self.model.paused = self.model.thinking
        assert self.send("pause") == []

    def resume(self):
        self.model.paused = False
        assert self.send("resume") == []

    def ponder(self):
        assert self.send(self.random.choice(["hard", "easy"])) == []

    def exclude(self):
        model, moves = self.model, list(self.model.board.legal_moves)
        if not moves or self.driver.session.game.result():
            return
        command, move = self.random.choice(["exclude", "include"]), self.random.choice([*moves, None])
        lines = self.send(f"{command} {move.uci() if move else 'all'}")
        if model.thinking:
            assert lines[0].startswith("Error (not while thinking)")
            return
        assert lines == []
        chosen = {move} if move else set(moves)
        model.excluded = model.excluded | chosen if command == "exclude" else model.excluded - chosen

    def sized(self):
        for command in ("memory 8", "cores 1"):
            lines = self.send(command)
            busy = self.model.thinking and command[0] == "m"
            assert lines == ([f"Error (not while thinking): {command}"] if busy else [])

    def mouse(self):
        for command in self.random.choices(("lift", "put", "hover"), k=3):
            file, rank = self.random.choice("abcdefghijk"), self.random.randint(0, 9)
            for line in self.send(f"{command} {file}{rank}"):
                assert line.startswith(("highlight ", "choice "))

    def ping(self):
        self.pings += 1
        self.unanswered.append(self.pings)
        assert self.send(f"ping {self.pings}") == []
        assert (self.pings in self.unanswered) == (self.model.thinking and not self.model.paused)

    def silent(self):
        assert self.send(self.random.choice(SILENT)) == []

    def wrong(self):
        line = self.random.choice(WRONG)
        (answer,) = self.send(line)
        assert answer.startswith("Error (") and answer.endswith(f": {line}")

    def draw(self):
        assert self.send("draw") in ([], ["offer draw"])

    def book(self):
        assert self.send("bk")[-1] == ""

    STEPS = (
        *((move, 30), (illegal, 3), (go, 6), (end_thinking, 14), (force, 5), (playother, 3), (take_back, 5)),
        *((setboard, 3), (bad_setboard, 2), (edit, 2), (turn_to, 3), (result, 1), (analyze, 3), (pause, 3)),
        *((resume, 3), (ponder, 3), (exclude, 4), (sized, 1), (mouse, 3), (ping, 4), (silent, 4), (wrong, 4)),
        *((draw, 2), (book, 1), (begin, 2)),
    )


@pytest.mark.parametrize("group", range(GROUPS))
def test_position_is_the_models_after_every_command(group, monkeypatch):
    take_walks(group, WALKS, monkeypatch, Cecp, Walk)
