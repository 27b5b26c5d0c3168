"""The Chess Engine Communication Protocol, version 2, as XBoard 4.9 speaks it.

A thin dialect: it reads commands, tells the session, and writes what comes of it. Each method named
`_do_...` is the command of that name, as is each `do_...` of the rooms: limits, and what the mouse does.
Importing this module imports no compiled code, so that `protover` is answered at once. A game is compiled
when the GUI has said which one it wants.
"""

import math
import os
import re
import signal

from ... import __version__
from ...engine.game import catalogue
from ...engine.game.description import VariantError
from ..session.dialect import Dialect
from ..session.game import BLACK, WHITE
from ..session.own_games import register_path
from ..session.settings import Settings, Text, offer_common
from ..wire.arguments import RefusedError, whole, words
from ..wire.stdio import excerpt
from .aftermath import Aftermath
from .analysis import MATE, Analysis, why_illegal
from .announcements import announced
from .arrangement import Arrangement
from .gestures import Gestures
from .holding import read_holding
from .limits import Limits
from .notation import PASS, Notation
from .offers import RESIGNATION, Offers
from .setting_up import SettingUp, passes

DEFAULT_VARIANT = "chess"  # played after `new` when no `variant` follows
NAMES = {"chess": "normal"}  # XBoard's names of games, where they differ
KNOWN_TO_XBOARD = {"chess", "crazyhouse"}  # it is taught no pieces of these
AT_ONCE = {"xboard", "protover", "accepted", "rejected", "quit"}  # wait for nothing
# Commands that may stand between `new` and `variant`, besides: they need no game.
BEFORE_THE_GAME = AT_ONCE | {
    *("new", "variant", "option", "random", "hard", "easy", "post", "nopost", "computer", "name", "rating"),
    *("ics", "level", "st", "sd", "nps", "time", "otim", "memory", "cores", "force", "result", "hover"),
    *("holding", "egtpath", "partner", "ptell", "pause", "resume"),
}
OUTSIDE_EDIT = AT_ONCE | {"new", "ping"}  # mean the same in edit mode
MOST_MEGABYTES = 1 << 20
MOST_CORES = 10_000
FEATURES = (
    "ping=1 setboard=1 playother=1 usermove=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1 analyze=1 exclude=1"
    " pause=1 colors=0 ics=0 name=1 nps=1 debug=1 memory=1 smp=1 highlight=1 setscore=1"
)
_SIZED = re.compile(r"(?:(\d+x\d+\+\d+)_)?(.*)")  # a game, perhaps with its board and hands before it


class Cecp(Dialect):
    """A conversation with XBoard."""

    at_once = AT_ONCE
    asks_for_life = "ping"

    def __init__(self, write_line, post, log=None):
        super().__init__(write_line, post, log)
        self._variant = None  # the game wanted, from the first command that needs one
        self._notation = Notation(catalogue.load(DEFAULT_VARIANT))
        self._arrangement = Arrangement()
        self._settings = Settings()
        offer_common(self._settings, self._session)
        self._arrangement.offer(self._settings)
        self._offers = Offers()
        self._offers.offer(self._settings)
        self._settings.add(Text("VariantPath", kind="path"), self._add_games)
        self._awaited = False  # `new` has come, so that a game will be played
        self._pings = []  # pings that wait for the engine's move
        self._posting = False
        self._analysis = Analysis(self._session, write_line)
        self._setting_up = SettingUp(self._session, write_line)
        # With commands of their own:
        self._aftermath = Aftermath(self._session, write_line)
        self._rooms = (
            *(Gestures(self._session, self._aftermath, write_line), self._aftermath),
            *(Limits(self._session), self._setting_up, self._analysis),
        )
        self._cores = None  # the number of threads that waits for the end of a search
        self._may_comment = True
        self._renewed = set()  # games whose files have been read since they were loaded

    # Events

    def _command(self, text):
        return words(text)[0]

    def _tell_failed_load(self, event):
        self._write(f"tellusererror Cannot play {event.variant}: {excerpt(str(event.error), 300)}")

    def _tell_bug(self, lines):
        for line in lines:
            self._comment(line)
        self._write("telluser An internal error was met; the log tells where.")

    def warn(self, text):
        self._write(f"tellusererror {text}")

    def remark(self, text):
        self._comment(text)

    def _show_life(self, text):
        self._write(f"pong {words(text)[1]}")

    def _comment(self, text):
        """For the GUI's log, unless the GUI keeps no such lines apart."""
        if self._may_comment:
            self._write(f"# {text}")

    def _play_by(self, variant):
        self._variant = variant
        self._notation = Notation(catalogue.load(variant))

    def _execute(self, text):
        command, argument = words(text)
        try:
            method, argument = self._method(command, argument)
            if self._variant is None and self._needs_game(command):
                self._begin(DEFAULT_VARIANT)
            if self._session.loading and command not in AT_ONCE:
                self._let_wait(text, first=True)
            else:
                method(argument)
        except RefusedError as refusal:
            self._refuse(str(refusal), text)
        except Exception as error:
            self._confess(error)
        self._take_cores()
        if self._variant is not None:
            self._analysis.go_on()
        self._answer_pings()

    def _method(self, command, argument):
        """What carries out the command, and its argument. Raises RefusedError for an unknown one."""
        if self._setting_up.editing and command not in OUTSIDE_EDIT:
            return self._setting_up.edit, f"{command} {argument}".strip()
        if self._notation.is_move(command) and not argument:
            return self._do_usermove, command
        if command in ("?", "."):
            return {"?": self._do_move_now, ".": self._analysis.tell_status}[command], argument
        names = [(self, f"_do_{command}"), *((room, f"do_{command}") for room in self._rooms)]
        method = next((getattr(room, name) for room, name in names if hasattr(room, name)), None)
        if method is None or not command.isalpha():
            raise RefusedError("unknown command")
        return method, argument

    def _needs_game(self, command):
        """Whether the command is about a game, so that now it must be known which."""
        return self._awaited if command == "ping" else command not in BEFORE_THE_GAME

    def _begin(self, variant):
        """Begins a game of that name; loads it first if it is another than the last one."""
        self._play_by(variant)
        if variant in self._renewed and not self._session.loading:
            self._session.outdate()
        self._renewed.discard(variant)
        self._session.start(variant, self._arrangement.start_fen(catalogue.load(variant)))

    def _refuse(self, reason, text):
        self._write(f"Error ({reason}): {excerpt(text)}")

    # Getting to know each other

    def _do_xboard(self, argument):
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def _do_protover(self, argument):
        self._write(f"feature {FEATURES}")
        self._tell_games()
        for option in self._settings.options():
            self._write(f'feature option="{announced(option)}"')
        self._write(f'feature myname="Surajang {__version__}" done=1')

    def _tell_games(self):
        games = sorted(catalogue.available(), key=lambda name: (name != DEFAULT_VARIANT, name))
        self._write(f'feature variants="{",".join(NAMES.get(name, name) for name in games)}"')

    def _ignore(self, argument):
        """For commands that tell something of no use here."""

    _do_random = _do_name = _do_rating = _do_ics = _ignore
    _do_egtpath = _do_partner = _do_ptell = _ignore

    def _do_rejected(self, argument):
        if argument == "debug":
            self._may_comment = False

    def _do_option(self, argument):
        name, _, value = (part.strip() for part in argument.partition("="))
        self._settings.set(name, value)
        if self._analysis.active:
            self._session.abandon()  # to go on with what is wanted now

    def _add_games(self, text):
        """Makes the games of a file, or of all files of a folder, known by their names."""
        if not text:
            return
        self._renewed.update(register_path(text))
        self._tell_games()

    def _do_quit(self, argument):
        self.ended = True

    def _do_ping(self, argument):
        if not re.fullmatch("[0-9]{1,20}", argument):
            raise RefusedError("ping needs a number")
        self._pings.append(argument)

    def _answer_pings(self):
        """A ping during a search is answered after the move, as the protocol asks."""
        while self._pings and not self._session.thinker.thinking:
            self._write(f"pong {self._pings.pop(0)}")

    # The game

    def _do_new(self, argument):
        self._session.reset()
        self._variant, self._awaited = None, True
        self._setting_up.cancel()
        self._offers.forget()
        self._aftermath.forget()

    def _do_variant(self, argument):
        size, name = _SIZED.fullmatch(argument).groups()
        games = {NAMES.get(name, name): name for name in catalogue.available()}
        variant = games.get(name, name)
        if variant not in games.values():
            raise RefusedError("unknown variant")
        try:
            game = catalogue.load(variant)
        except VariantError as error:
            raise RefusedError(excerpt(str(error), 300)) from None
        if size not in (None, f"{game.files}x{game.ranks}+{len(game.hand_pieces)}"):
            raise RefusedError("the game has another board or other hands")
        if self._variant is not None:
            self._do_new("")
        if variant not in KNOWN_TO_XBOARD:
            self._teach(game)
        self._begin(variant)

    def _teach(self, game):
        """Tells XBoard the start of a game, its pieces and their moves."""
        notation = Notation(game)
        start = self._arrangement.start_fen(game) or game.start_fen
        for line in (notation.setup(start), *notation.pieces()):
            self._write(line)
        if missing := notation.unseen:
            self._write(f"telluser XBoard has too few pictures; it cannot show {', '.join(missing)}.")
        self._aftermath.advise(game)

    def _do_setboard(self, argument):
        fen = self._notation.read_fen(argument)
        if self._is_pass(fen):
            self._do_usermove(PASS)
            return
        try:
            self._session.set_position(fen)
        except ValueError as error:
            # XBoard takes every double step for one from the second rank.
            without = re.sub(r"( [wb] \S+) [a-p]\d ", r"\1 - ", fen)
            self._setting_up.set_position(without if str(error).startswith("ep:") else fen)

    def _is_pass(self, fen):
        """Whether the position is the one after a pass: so XBoard tells a playing engine of one."""
        if self._aftermath.passes(fen):
            return True
        plays = self._session.game.engine_side is not None and not self._session.thinker.deciding
        return plays and passes(self._session.position, fen)

    def _do_usermove(self, argument):
        if self._session.thinker.deciding:
            self._illegal("not your turn", argument)
            return
        try:
            if not self._aftermath.makes(argument):
                self._session.game.push(self._notation.read_move(self._aftermath.whole(argument)))
                self._aftermath.moved()
        except ValueError as error:
            self._illegal(why_illegal(self._session, self._notation, argument, error), argument)
            return
        if self._analysis.active:
            self._session.abandon()
        else:
            self._go_on()

    def _go_on(self):
        """What follows when a move has been made, or a part of its aftermath."""
        if self._aftermath.carry_on() and not self._claim_result():
            if self._session.game.on_move:
                self._session.thinker.think()
            elif self._session.thinker.ponder():
                self._do_hint("")

    def _illegal(self, reason, text):
        self._write(f"Illegal move ({reason}): {excerpt(text)}")

    def _do_undo(self, argument):
        self._take_back(1)

    def _do_remove(self, argument):
        self._take_back(2)

    def _take_back(self, count):
        try:
            self._aftermath.take_back(count)
        except ValueError as error:
            raise RefusedError(str(error)) from None

    def _do_result(self, argument):
        self._session.end()

    def _claim_result(self):
        """Claims the result if the game has ended by rule, and returns whether it has."""
        result = self._session.game.result()
        if result:
            self._session.end()
            self._write(f"{result.score} {{{result.reason}}}")
        return bool(result)

    def _do_draw(self, argument):
        if self._session.thinker.accepts_draw():
            self._write("offer draw")

    def _do_holding(self, argument):
        hands, session = read_holding(argument), self._session
        if session.ready and self._variant is not None:
            own = [session.position.hand(side) for side in (WHITE, BLACK)]
            if [dict(hand) for hand in hands] != own:
                self._comment(f"other hands than those of the position: {session.position.fen()}")

    # Who plays

    def _do_force(self, argument):
        self._session.force()

    def _do_go(self, argument):
        self._analysis.end()
        self._session.abandon()
        self._session.game.over = False
        self._session.game.engine_side = self._aftermath.turn
        self._go_on()

    def _do_playother(self, argument):
        self._session.abandon()
        self._session.game.engine_side = 1 - self._aftermath.turn

    def _do_pause(self, argument):
        self._session.thinker.pause()

    def _do_resume(self, argument):
        self._session.thinker.resume()

    def _do_hard(self, argument):
        self._session.thinker.set_pondering(True)

    def _do_easy(self, argument):
        self._session.thinker.set_pondering(False)

    def _do_hint(self, argument):
        search, move = self._session.search, self._session.thinker.expected
        if self._analysis.active:
            move = search.last_info.pv[0] if search and search.last_info else None
        if move is not None and not self._session.thinker.thinking:
            self._write(f"Hint: {self._notation.write_move(move)}")

    # Memory and cores

    def _do_memory(self, argument):
        self._set_option(self._session.set_hash, whole(argument, 1, MOST_MEGABYTES))

    def _do_cores(self, argument):
        threads = min(whole(argument, 1, MOST_CORES), os.cpu_count() or 1)
        if self._session.thinker.deciding:
            self._cores = threads
        else:
            self._set_option(self._session.set_threads, threads)

    def _take_cores(self):
        """Obeys the `cores` of a search that has ended meanwhile."""
        threads, self._cores = (None, self._cores) if self._session.thinker.deciding else (self._cores, None)
        if threads:
            self._session.set_threads(threads)

    def _set_option(self, setter, value):
        if self._session.thinker.deciding:
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

    def _do_move_now(self, argument):
        if self._session.thinker.thinking:
            self._make_move()

    def _think_aloud(self, search, info):
        """A line of thinking output; one on the other side's time begins with the move that is expected.

        Bounds are left out: python-chess warns of the signs that the protocol has for them.
        """
        if not self._posting or info.bound:
            return
        score = info.score.centipawns
        if info.score.mate is not None:
            score = info.score.mate + math.copysign(MATE, info.score.mate)
        line = (
            [self._session.thinker.expected, *info.pv]
            if search is self._session.thinker.pondering
            else info.pv
        )
        moves = " ".join(map(self._notation.write_move, line))
        self._write(f"{info.depth} {score:.0f} {100 * info.time:.0f} {info.nodes} {moves}")

    def _tell_current(self, current):
        """The GUI asks for it, with a dot."""

    def _finished(self, search):
        if search.held and search.error:
            self._analysis.end()
            self._session.thinker.set_aside(search)
            self._confess(search.error)
        elif not search.held:
            self._make_move()

    def _make_move(self):
        move, search = self._session.thinker.finish()
        if search.error:
            self._confess(search.error)
        offer = self._offers.judge(search.last_info, self._session.position.ply)
        if offer:
            self._write(offer)
        if offer == RESIGNATION and move is not None:
            self._session.take_back(1)  # a move that nobody hears of
            self._session.end()
            self._answer_pings()
            return
        if move is not None:
            for line in self._aftermath.lines(move):
                self._write(line)
            self._aftermath.moved()
        self._take_cores()
        if move is None:
            self._claim_result()
        else:
            self._go_on()
        self._answer_pings()

    # Analysing

    def _do_bk(self, argument):
        self._write(" There is no opening book.")
        self._write("")
