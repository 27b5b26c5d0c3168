"""The Chess Engine Communication Protocol, version 2, as XBoard 4.9 speaks it.

A thin dialect: it looks up each line in the table of `commands`, calls the method, and reports the session's
events. Importing this module imports no compiled code, so that `protover` is answered at once. A game is
compiled when the GUI has chosen it."""

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from ...engine.variant import CHESS, Variant
from ..session.base_protocol import Dialect
from ..session.loading import LoadFailed
from ..session.search_thread import SearchThread
from ..session.settings import OptionTable
from ..uci.perft import DEEPEST, Perft
from ..wire.arguments import RefusedError, whole, words
from ..wire.stdio import DebugLog, excerpt
from .commands import CecpCommand, When, commands
from .notation import Notation
from .parts import Parts
from .play import Play
from .start import Start

if TYPE_CHECKING:
    from ...search.engine import Current, Info


class Cecp(Dialect):
    """A conversation with XBoard. Its `Parts` have the commands."""

    asks_for_life = "ping"
    ends_work = "?"
    begins_work = ("go", "usermove", "perft")
    needs_search = ("eval",)

    def __init__(
        self, write_line: Callable[[str], None], post: Callable[[object], None], log: DebugLog | None = None
    ) -> None:
        super().__init__(write_line, post, log)
        self.session = self._session
        parts = Parts(self.session, write_line, self.remark)
        self.gui, self.analysis, self.setting_up = parts.gui, parts.analysis, parts.setting_up
        self._limits, self._thoughts = parts.limits, parts.thoughts
        self._settings = OptionTable()
        self.start = Start(parts, self._settings, self.read_by, self.farewell)
        self.play = Play(parts, self.start, self._confess)
        self._pings: list[str] = []  # pings that wait for the engine's move
        known = [
            CecpCommand("ping", "NUMBER", self._ping, When.WHILE_EDITING | When.IDLE),
            CecpCommand("?", "", lambda argument: self._end_work()),
            CecpCommand("perft", "PLIES", self._perft, When.AFTER_MOVE),
            *commands(parts, self.start, self.play),
        ]
        self._commands = {command.name: command for command in known}
        self.at_once = self._names(When.AT_ONCE) - {"quit"}
        self._after_move, self._after_ping = self._names(When.AFTER_MOVE), self._names(When.AFTER_PING)
        self.idle = self._names(When.WITHOUT_GAME | When.IDLE)

    def _names(self, when: When) -> set[str]:
        """The commands with one of these flags."""
        return {name for name, command in self._commands.items() if command.when & when}

    @cached_property
    def _notation(self) -> Notation:
        """The spelling of the current game; the first one is loaded when it is needed."""
        return Notation(CHESS.description)

    # Lines

    def _command(self, text: str) -> str:
        """The first word, or `usermove` for a move without it."""
        name, argument = words(text)
        is_move = name not in self._commands and not argument and self._notation.is_move(name)
        return "usermove" if is_move else name

    def _has_to_wait(self, command: str) -> bool:
        if self._waits_for_search(command):
            return True
        if self._task:
            return command != self.ends_work
        if self.session.loading:
            return command != "quit"
        waiting = self._after_move | (self._after_ping if self._pings else set())
        return self.session.search_control.thinking and command in waiting

    def _is_done(self) -> bool:
        """A program that quits a game needs no move of it, so it does not wait for the compiler."""
        return bool(self.session.loading and self.gui.is_program) or super()._is_done()

    def _execute(self, text: str) -> None:
        name, argument = words(text)
        try:
            command = self._find(name, argument)
            if self.start.wanted is None and self._needs_game(command):
                self.start.begin(CHESS)
            if self.session.loading and When.AT_ONCE not in command.when:
                self._let_wait(text, first=True)
            elif When.AT_REST in command.when and self.session.search_control.deciding:
                raise RefusedError("not while thinking")
            else:
                command.run(argument)
        except RefusedError as refusal:
            self._refuse(str(refusal), text)
        except Exception as error:
            self._confess(error)
        self._limits.take_cores()
        if self.start.wanted is not None:
            self.analysis.go_on()
        self._answer_pings()

    def _find(self, name: str, argument: str) -> CecpCommand:
        """The command of a line. Raises RefusedError for an unknown one."""
        command = self._commands.get(name)
        if self.setting_up.editing and not (command and When.WHILE_EDITING in command.when):
            line = f"{name} {argument}".strip()
            return CecpCommand(name, "", lambda argument: self.setting_up.carry_out(line))
        if self._notation.is_move(name) and not argument:
            return CecpCommand(name, "", lambda argument: self.play.usermove(name))
        if command is None:
            raise RefusedError("unknown command")
        return command

    def _needs_game(self, command: CecpCommand) -> bool:
        return self.start.awaited if command.name == "ping" else When.WITHOUT_GAME not in command.when

    def read_by(self, variant: Variant) -> None:
        """From now on, reads and writes by the rules of that game; it becomes the wanted game."""
        self.start.wanted = variant
        self._notation = Notation(variant.description)

    def _ping(self, argument: str) -> None:
        """Answers when all earlier lines are finished."""
        if not re.fullmatch("[0-9]{1,20}", argument):
            raise RefusedError("ping needs a number")
        self._pings.append(argument)

    def _answer_pings(self) -> None:
        """A ping during a search is answered after the move, as the protocol asks."""
        while self._pings and not self.session.search_control.thinking:
            self._write(f"pong {self._pings.pop(0)}")

    # Counting

    def _perft(self, argument: str) -> None:
        """Counts the leaves of the tree of legal moves, for people."""
        depth = whole(argument, 1, DEEPEST)
        self._task = Perft(self._post, self.session.position.copy(), depth, self._notation.write_move)

    def _end_work(self) -> None:
        self._end_task()
        if self.session.search_control.thinking:
            self._make_move()
        self._answer_pings()

    # Events

    def _make_move(self) -> None:
        search = self.session.search
        self.play.make_move()
        if search:
            self._tell_provisional(search)

    def _finished(self, search: SearchThread) -> None:
        if search.held and search.error:
            self.analysis.end()
            self.session.search_control.set_aside(search)
            self._confess(search.error)
        elif not search.held:
            self._make_move()
            self._answer_pings()

    def _think_aloud(self, search: SearchThread, info: "Info") -> None:
        self._thoughts.tell(search, info, self._notation)

    def _tell_current(self, current: "Current") -> None:
        """Writes nothing: the GUI asks for it, with a dot."""

    def _play_by(self, variant: Variant) -> None:
        self.read_by(variant)

    # Messages

    def _refuse(self, reason: str, text: str) -> None:
        self._write(f"Error ({reason}): {excerpt(text)}")

    def warn(self, text: str) -> None:
        self._write(f"tellusererror {text}")

    def remark(self, text: str) -> None:
        """Writes to the GUI's log, if the GUI has one."""
        if self.gui.keeps_comments:
            self._write(f"# {text}")

    def announce(self, text: str) -> None:
        """Writes to the log, and to a window in XBoard, which shows no log."""
        self.remark(text)
        if self.gui.is_xboard:
            self._write(f"telluser {text[0].upper()}{text[1:]}.")

    def _show_life(self, text: str) -> None:
        self._write(f"pong {words(text)[1]}")

    def _tell_failed_load(self, event: LoadFailed) -> None:
        self._write(f"tellusererror Cannot play {event.variant}: {excerpt(str(event.error), 300)}")

    def _tell_bug(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.remark(line)
        self._write("telluser An internal error occurred; the log has the details.")
