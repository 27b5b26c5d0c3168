"""Cute Chess's part of a conversation, in either protocol: its lines, their order, and its waits. Nothing is
sent while an answer to a ping is awaited; the side to move gets a ping before its clock runs. The board is
python-chess's."""

import re

import chess
import chess.variant
from surajang.tests.support.gui import READY, Gui

BOARDS = {"standard": chess.Board, "crazyhouse": chess.variant.CrazyhouseBoard}
CLOCK, INCREMENT = 10_000, 50  # milliseconds, which hardly pass in a test
LIMIT = 15  # seconds; an engine that leaves a ping unanswered for longer has lost its connection
FEATURE = re.compile(r'(\w+)\s*=\s*("[^"]*"|\d+)')
KNOWN = {"ping", "setboard", "san", "usermove", "nps", "time", "reuse", "myname", "variants", "name"}
KNOWN |= {"memory", "smp", "egt", "option", "done"}


class Player:
    """An engine in Cute Chess. `answers` has all of its output since the start of the game."""

    expected = None  # the move that the engine ponders, where the protocol tells
    patience = READY  # seconds that a ping may take; Cute Chess's own are LIMIT

    def __init__(self, pondering=False, gui=None):
        self.gui = gui or Gui()
        self.pondering = pondering
        self.answers = []
        self.variant = self.board = self.side = None

    def hear(self, pattern, within=READY):
        """The line that matches; all lines before it are kept."""
        lines = self.gui.expect(pattern, within)
        self.answers += lines
        return lines[-1]

    def begin(self, variant, side, fen=None):
        """A new game in which the engine plays `side`."""
        self.variant, self.side, self.answers = variant, side, []
        self.board = BOARDS[variant](fen) if fen else BOARDS[variant]()
        self._say_game(fen.replace("[]", "[-]") if fen else None)  # as Cute Chess writes empty hands

    def play(self, moves):
        """Plays until the engine has made that many moves, or has mated; its opponent plays the first legal
        move of python-chess."""
        for _ in range(moves):
            if self.board.is_checkmate():
                break
            if self.board.turn != self.side:
                self.make(next(iter(self.board.legal_moves)))
            self.think()

    def quit(self):
        """Sends it without waiting; returns the exit code of the engine."""
        self.gui.send("quit")
        return self.gui.end()


class Xboard(Player):
    """The engine over XBoard's protocol."""

    _pending = None  # a move of the opponent's, which is told with the word to think
    _pings = 0

    def start(self, options):
        """The first words. `options` are set by those names and values, sorted, as from its settings."""
        self.gui.send("xboard", "protover 2")
        self.features, self.options = {}, []
        while "done" not in self.features:
            for name, value in FEATURE.findall(self.hear("feature .*").removeprefix("feature ")):
                self.features[name] = value.strip('"')
                self.options += [value.strip('"')] if name == "option" else []
                self.gui.send(f"{'accepted' if name in KNOWN else 'rejected'} {name}")
        for name, value in sorted(options.items()):
            number = int(value) if isinstance(value, bool) else value
            short = name in ("memory", "cores")
            self.gui.send(f"{name} {number}" if short else f"option {name}={number}")

    def _say_game(self, fen):
        self._pending = None
        self.gui.send("new", *(["variant crazyhouse"] if self.variant == "crazyhouse" else []), "force")
        self._forced = True
        if fen:
            self.gui.send(*(["b2b3"] if self.board.turn == chess.BLACK else []), f"setboard {fen}")
        self.gui.send(f"level 0 0:{CLOCK // 1000} {INCREMENT / 1000}", "post")
        self.gui.send("hard" if self.pondering else "easy", "computer", "name Sjaak II 1.4.1")

    def ping(self):
        self._pings = self._pings % 32 + 1
        self.gui.send(f"ping {self._pings}")
        self.hear(f"pong {self._pings}", self.patience)

    def make(self, move):
        """A move of the opponent's."""
        self.board.push(move)
        if self._forced:
            self.gui.send(f"usermove {move.uci()}")
        else:
            self._pending = move

    def ask(self):
        """Makes the engine think."""
        self.ping()
        self._forced = False
        self.gui.send(f"time {CLOCK // 10}\notim {CLOCK // 10}")
        self.gui.send(f"usermove {self._pending.uci()}" if self._pending else "go")
        self._pending = None

    def answer(self):
        """The move that the engine makes."""
        self.board.push_uci(self.hear("move .*").removeprefix("move "))

    def think(self):
        self.ask()
        self.answer()

    def finish(self, result, thinking=False):
        """The end of a game, for a reason of its own where the engine is `thinking` still."""
        self.gui.send(*(["?"] if thinking else []), *([] if self._forced else ["force"]))
        self.gui.send(*([f"usermove {self._pending.uci()}"] if self._pending else []))
        self.gui.send(f"result {result} {{Arbiter's decision}}")
        self._forced, self._pending = True, None
        self.ping()


class Uci(Player):
    """The engine over UCI."""

    _hit = False

    def start(self, options):
        """The first words. `options` are set by those names and values, sorted, as from its settings."""
        self.gui.send("uci")
        self.hear("uciok")
        self.options = [line for line in self.answers if line.startswith("option ")]
        for name, value in sorted(options.items()):
            self._set(name, str(value).lower() if isinstance(value, bool) else value)
        self.ping()

    def _set(self, name, value):
        self.gui.send(f"setoption name {name} value {value}")

    def _say_game(self, fen):
        self._start = f"fen {fen}" if fen else "startpos"
        if self.variant == "crazyhouse":  # it has no word for chess: an engine begins with that
            self._set("UCI_Variant", "crazyhouse")
        self.gui.send("ucinewgame")
        self._set("Ponder", str(self.pondering).lower())
        self._say_position(self.board.move_stack)

    def _say_position(self, moves):
        played = "".join(f" {move.uci()}" for move in moves)
        self.gui.send(f"position {self._start}{' moves' if moves else ''}{played}")

    def ping(self):
        self.gui.send("isready")
        self.hear("readyok", self.patience)

    def make(self, move):
        """A move of the opponent's; a guess of the engine's is right with it, or stopped."""
        expected, self.expected = self.expected, None
        self.board.push(move)
        self._hit = move == expected
        if expected and not self._hit:
            self.gui.send("stop")
            self.hear("bestmove .*")
        if not self._hit:
            self._say_position(self.board.move_stack)

    def ask(self):
        """Has the engine think, or tells it that it does so already."""
        if self._hit:
            self.gui.send("ponderhit")
        else:
            self.ping()
            self._say_go("go")

    def _say_go(self, command):
        clocks = f"wtime {CLOCK} btime {CLOCK} winc {INCREMENT} binc {INCREMENT}"
        self.gui.send(f"{command} {clocks}")

    def answer(self):
        """The move that the engine makes, after which it may ponder."""
        _, move, *ponder = self.hear("bestmove .*").split()
        self.board.push_uci(move)
        self._hit, self.expected = False, None
        if ponder and self.pondering:
            self.expected = self.board.parse_uci(ponder[1])
            self._say_position([*self.board.move_stack, self.expected])
            self.ping()
            self._say_go("go ponder")

    def think(self):
        self.ask()
        self.answer()

    def finish(self, result, thinking=False):
        """The end of a game, for a reason of its own where the engine is `thinking` still."""
        if thinking or self.expected:
            self.gui.send("stop")
            self.hear("bestmove .*")
        self.expected = None
        self.ping()


PLAYERS = {"uci": Uci, "xboard": Xboard}
