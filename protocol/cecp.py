"""The Chess Engine Communication Protocol, version 2, as XBoard 4.9 speaks it.

A thin dialect: it reads commands, tells the session, and writes what comes of it. Each method named
`_do_...` is the command of that name. Importing this module imports no compiled code, so that
`protover` is answered while the rest still loads.
"""

import math
import os
import re
import signal
import traceback

from .. import __version__
from ..engine import description
from .notation import Notation
from .session import Finished, Loaded, LoadFailed, Session, Thought
from .stdio import EndOfInput, Line, LongLine, excerpt

DEFAULT_VARIANT = "pandemonium"
AT_ONCE = {"xboard", "protover", "accepted", "rejected", "quit"}  # need no game to be loaded
MATE = 100_000  # mate in N moves is sent as MATE + N
MOST_MEGABYTES = 1 << 20
MOST_CORES = 10_000
LONGEST_TIME = 1e8  # in whatever unit a command counts
DEEPEST = 1000  # plies


class RefusedError(Exception):
    """A command that is not carried out; the text is the reason, for the `Error (...)` line."""


class Cecp:
    """A conversation with XBoard."""

    def __init__(self, write_line, post):
        self._write = write_line
        self._session = Session(post)
        self._session.load(DEFAULT_VARIANT)
        self._notation = Notation(description.load(DEFAULT_VARIANT))
        self._backlog = []  # lines that wait for a game to be loaded
        self._pings = []  # pings that wait for the engine's move
        self._features_due = False
        self._posting = False
        self._lifted = None  # what the user has picked up: a square, the letter of a hand piece
        self.ended = False
        self.exit_code = 0

    # Events

    def handle(self, event):
        """Takes an event of the reader or of the session. Whatever goes wrong is reported."""
        try:
            match event:
                case Line(text):
                    self._take_line(text)
                case LongLine(text):
                    self._error("line too long", text)
                case EndOfInput():
                    self.ended = True
                case Loaded():
                    self._loaded(event)
                case LoadFailed():
                    self._load_failed(event)
                case Thought(search, info) if search is self._session.search:
                    self._think_aloud(info)
                case Finished(search) if search is self._session.search:
                    self._make_move()
        except Exception as error:
            self._confess(error)

    def _take_line(self, text):
        command = _words(text)[0]
        if command not in AT_ONCE and (self._backlog or not self._session.ready):
            self._backlog.append(text)
        elif command:
            self._execute(text)

    def _loaded(self, event):
        self._session.loaded(event)
        self._notation = Notation(self._session.description)
        if self._features_due:
            self._write_features()
        self._work_off()

    def _load_failed(self, event):
        self._session.load_failed(event)
        self._write(f"tellusererror Cannot play {event.variant}: {excerpt(str(event.error), 300)}")
        if not self._session.ready:
            self.ended, self.exit_code = True, 1
        self._work_off()

    def _work_off(self):
        """Does what waited, until the next game has to be loaded."""
        while self._backlog and self._session.ready:
            self._execute(self._backlog.pop(0))

    def _execute(self, text):
        command, argument = _words(text)
        try:
            if self._notation.is_move(command) and not argument:
                self._do_usermove(command)
            elif command == "?":
                self._do_move_now()
            elif method := getattr(self, f"_do_{command}", None) if command.isalpha() else None:
                method(argument)
            elif command:
                raise RefusedError("unknown command")
        except RefusedError as refusal:
            self._error(str(refusal), text)
        except Exception as error:
            self._confess(error)
        self._answer_pings()

    def _error(self, reason, text):
        self._write(f"Error ({reason}): {excerpt(text)}")

    def _confess(self, error):
        """An error of this program: where it came from goes to the GUI's log."""
        for line in "".join(traceback.format_exception(error)).splitlines():
            self._write(f"# {line}")
        self._write("telluser An internal error was met; the log tells where.")

    # Getting to know each other

    def _do_xboard(self, argument):
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def _do_protover(self, argument):
        self._write("feature done=0")
        if self._session.ready:
            self._write_features()
        else:
            self._features_due = True

    def _write_features(self):
        self._features_due = False
        variants = ",".join(description.available())
        self._write(
            "feature ping=1 setboard=1 playother=1 usermove=1 time=1 draw=1 sigint=0 sigterm=0"
            " reuse=1 analyze=0 colors=0 ics=0 name=1 nps=0 debug=1 memory=1 smp=1 highlight=1"
            f' variants="{variants}"'
        )
        self._write(f'feature myname="Surajang {__version__}" done=1')

    def _ignore(self, argument):
        """For commands that tell something of no use here."""

    _do_accepted = _do_rejected = _do_random = _do_hard = _do_easy = _ignore
    _do_computer = _do_name = _do_rating = _do_ics = _do_hover = _ignore

    def _do_quit(self, argument):
        self.ended = True

    def _do_ping(self, argument):
        if not re.fullmatch("[0-9]{1,20}", argument):
            raise RefusedError("ping needs a number")
        self._pings.append(argument)

    def _answer_pings(self):
        """A ping during a search is answered after the move, as the protocol asks."""
        while self._pings and not self._session.search:
            self._write(f"pong {self._pings.pop(0)}")

    # The game

    def _do_new(self, argument):
        self._session.new_game()

    def _do_variant(self, argument):
        if argument not in description.available():
            raise RefusedError("unknown variant")
        notation = Notation(description.load(argument))
        for line in (notation.setup(), *notation.pieces()):
            self._write(line)
        if argument == self._session.variant:
            self._session.new_game()
        else:
            self._session.load(argument)

    def _do_setboard(self, argument):
        try:
            self._session.set_position(argument)
        except ValueError as error:
            self._write(f"tellusererror Illegal position: {excerpt(str(error), 300)}")

    def _do_usermove(self, argument):
        if self._session.search:
            self._illegal("not your turn", argument)
            return
        try:
            self._session.push(self._notation.read_move(argument))
        except ValueError as error:
            self._illegal(self._why_illegal(argument, error), argument)
            return
        if not self._claim_result() and self._session.on_move:
            self._session.think()

    def _why_illegal(self, text, error):
        result = self._session.result()
        if result:
            return f"game over: {result.reason}"
        return self._notation.respell(error.reason) if self._notation.is_move(text) else "not a move"

    def _illegal(self, reason, text):
        self._write(f"Illegal move ({reason}): {excerpt(text)}")

    def _do_undo(self, argument):
        self._take_back(1)

    def _do_remove(self, argument):
        self._take_back(2)

    def _take_back(self, count):
        try:
            self._session.take_back(count)
        except ValueError as error:
            raise RefusedError(str(error)) from None

    def _do_result(self, argument):
        self._session.end()

    def _claim_result(self):
        """Claims the result if the game has ended by rule, and returns whether it has."""
        result = self._session.result()
        if result:
            self._session.end()
            self._write(f"{result.score} {{{result.reason}}}")
        return bool(result)

    def _do_draw(self, argument):
        if self._session.accepts_draw():
            self._write("offer draw")

    # Who plays

    def _do_force(self, argument):
        self._session.force()

    def _do_go(self, argument):
        self._session.abandon()
        self._session.over = False
        self._session.engine_side = self._session.position.turn
        if not self._claim_result():
            self._session.think()

    def _do_playother(self, argument):
        self._session.abandon()
        self._session.engine_side = 1 - self._session.position.turn

    # Time, depth, memory

    def _do_level(self, argument):
        words = argument.split()
        if len(words) != 3:
            raise RefusedError("level needs moves, base time and increment")
        moves = _whole(words[0], 0, 10_000)
        minutes, _, seconds = words[1].partition(":")
        base = 60 * _number(minutes) + (_number(seconds) if seconds else 0)
        limits = self._session.limits
        limits.moves, limits.base, limits.increment = moves, base, _number(words[2])
        limits.per_move = None
        self._session.clock = base

    def _do_st(self, argument):
        minutes, _, seconds = argument.rpartition(":")
        limit = (60 * _number(minutes) if minutes else 0) + _number(seconds)
        if limit <= 0:
            raise RefusedError("time per move must be more than nothing")
        self._session.limits.per_move = limit

    def _do_sd(self, argument):
        self._session.limits.depth = _whole(argument, 1, DEEPEST)

    def _do_time(self, argument):
        self._session.clock = _number(argument, least=-LONGEST_TIME) / 100

    def _do_otim(self, argument):
        _number(argument, least=-LONGEST_TIME)

    def _do_memory(self, argument):
        self._set_option(self._session.set_hash, _whole(argument, 1, MOST_MEGABYTES))

    def _do_cores(self, argument):
        threads = min(_whole(argument, 1, MOST_CORES), os.cpu_count() or 1)
        self._set_option(self._session.set_threads, threads)

    def _set_option(self, setter, value):
        if self._session.search:
            raise RefusedError("not while thinking")
        try:
            setter(value)
        except ValueError as error:
            raise RefusedError(str(error)) from None

    # Thinking

    def _do_post(self, argument):
        self._posting = True

    def _do_nopost(self, argument):
        self._posting = False

    def _do_move_now(self):
        if self._session.search:
            self._make_move()

    def _think_aloud(self, info):
        if not self._posting:
            return
        score = info.score.centipawns
        if info.score.mate is not None:
            score = info.score.mate + math.copysign(MATE, info.score.mate)
        moves = " ".join(self._notation.write_move(move) for move in info.pv)
        self._write(f"{info.depth} {score:.0f} {100 * info.time:.0f} {info.nodes} {moves}")

    def _make_move(self):
        move, search = self._session.finish()
        if search.error:
            self._confess(search.error)
        if move is not None:
            self._write(f"move {self._notation.write_move(move)}")
        self._claim_result()
        self._answer_pings()

    # What the user has in hand: with it XBoard shows where a piece may go, and asks about promotions

    def _do_lift(self, argument):
        self._lifted = self._notation.read_square(argument)
        if self._lifted is None:
            self._lifted = self._notation.read_hand_square(argument)
        marks = self._marks()
        if marks:
            self._write(f"highlight {self._notation.write_squares(marks)}")

    def _do_put(self, argument):
        target = self._notation.read_square(argument)
        if self._marks().get(target) == "M":
            piece = self._session.position.piece_at(self._lifted)
            self._write(f"choice +{piece.upper()}")
            self._lifted = None

    def _marks(self):
        """Square -> M for the choice of a promotion, R for a capture, Y for another move."""
        position, marks = self._session.position, {}
        for move in position.legal_moves():
            origin = str(move)[0] if move.is_drop else move.from_square
            if origin == self._lifted:
                target = move.to_square
                quiet = position.piece_at(target) is None
                marks[target] = "M" if target in marks else "Y" if quiet else "R"
        return marks


def _words(text):
    """The command of a line and the rest, both without blanks around them."""
    command, *rest = text.split(maxsplit=1) or [""]
    return command, "".join(rest).strip()


def _number(text, least=0.0):
    """A finite number within reason, else RefusedError."""
    if not re.fullmatch(r"-?\d{1,9}(\.\d{0,9})?|-?\.\d{1,9}", text):
        raise RefusedError("not a number")
    value = float(text)
    if not least <= value <= LONGEST_TIME:
        raise RefusedError("number out of range")
    return value


def _whole(text, least, most):
    """A whole number from `least` to `most`, else RefusedError."""
    if not re.fullmatch(r"\d{1,9}", text):
        raise RefusedError("not a whole number")
    if not least <= int(text) <= most:
        raise RefusedError(f"not from {least} to {most}")
    return int(text)
