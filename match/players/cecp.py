"""A client of the Chess Engine Communication Protocol, version 2, that also accepts version 1."""

import re
import time
from typing import TYPE_CHECKING

from . import player
from .client import SPEAK_SECONDS, Client
from .notations import CecpSpelling
from .player import ProtocolError, StallError, StartError, Thinking

if TYPE_CHECKING:
    from ...engine.game.moves import Move
    from ...engine.position import Position
    from .control import TimeControl


QUIET_SECONDS = 2.0  # an engine that has spoken and sends no feature for this long does not know version 2
SILENT_SECONDS = 30.0  # the same for one that has not spoken at all; it may still be starting
PATIENT_SECONDS = 60.0  # for the features of an engine that plays another game than chess: version 1 has none
MATE = 100_000  # how CECP says "mate in n": this plus n
LONG_MOVE = 3600  # seconds a move for an engine that has no clock
UNDERSTOOD = {
    *("ping", "setboard", "usermove", "time", "draw", "reuse", "colors", "myname", "name", "variants"),
    *("nps", "memory", "smp", "option", "done", "debug", "sigint", "sigterm", "playother", "analyze", "ics"),
}
# The protocol's defaults for features that an engine does not send.
DEFAULTS = {
    "ping": "0",
    "setboard": "0",
    "usermove": "0",
    "time": "1",
    "reuse": "1",
    "memory": "0",
    "smp": "0",
}
# Commands that an engine may refuse.
DISPENSABLE = {
    *("xboard", "protover", "accepted", "rejected", "easy", "hard", "post", "time", "otim", "result", "quit")
}
_FEATURE = re.compile(r'(\w+)\s*=\s*("[^"]*"|\S+)')
_THINKING = re.compile(r"\s*(\d{1,4})\S?\s+([+-]?\d{1,12})\s+(\d{1,12})\s+(\d{1,18})(?:\s(.*))?")
_MOVE = re.compile(r"move\s+(\S+)|[Mm]y move is\s*:\s*(\S+)|\d+\.\s*\.\.\.\s*(\S+)")
_CLAIM = re.compile(r"(?:RESULT\s+)?(1-0|0-1|1/2-1/2)\s*(?:\{(.*)\}?)?\s*")
_RESIGNATION = re.compile(r"(?:tellics\s+)?resign\b.*")
_COMPLAINT = re.compile(r"(?:Error|Illegal move)\s*(?:\((.*?)\))?\s*:?\s*(.*)")


class CecpPlayer(Client):
    """A CECP engine in one game."""

    def _introduce(self) -> None:
        self._features = dict(DEFAULTS)
        self._options: dict[str, str] = {}  # name -> type
        self._done: bool | None = None  # whether the engine has sent all its features; None before the first
        self._pings, self._playing = 0, False
        self._told: list[Move] = []  # the moves that the engine knows
        self._used = False  # a game has been played
        self._placing = False  # a position has been set up, and the engine may still refuse it
        self.complaint = ""  # the last `tellusererror`
        self._spelling = CecpSpelling(self.description)
        self._process.write("xboard", "protover 2")
        self._learn_features()
        self._refuse_unfit()
        self._set_options()
        self._process.write(*self._begin())
        self.synchronise(player.STARTUP_SECONDS)

    def _learn_features(self) -> None:
        """Reads features to `done=1`, or until it is clear that there are none."""
        begun, spoken = time.monotonic(), False
        while not self._done:
            if self._done is False:
                deadline = begun + player.STARTUP_SECONDS
            elif self._spelling.name != "normal":
                deadline = begun + PATIENT_SECONDS
            else:
                deadline = time.monotonic() + (QUIET_SECONDS if spoken else SILENT_SECONDS)
            try:
                text = self._process.read(min(deadline, begun + player.STARTUP_SECONDS)).text
            except StallError:
                if self._done is False:
                    raise
                return
            self._heed(text)
            spoken = spoken or bool(text.strip())  # an empty line may come long before the features
            if self._done is None and time.monotonic() > begun + SPEAK_SECONDS:
                return

    def _refuse_unfit(self) -> None:
        """Raises StartError for an engine that lacks the game or the limits it is asked for."""
        if self._done is None and self._spelling.name != "normal":
            raise StartError(
                f"{self.name} does not play {self._spelling.name!r}: it has sent no features in"
                f" {PATIENT_SECONDS:g} s after 'protover 2'"
            )
        games = self._features.get("variants", "normal").split(",")
        if self._spelling.name not in games:
            raise StartError(
                f"{self.name} does not play {self._spelling.name!r}; it plays {', '.join(sorted(games))}"
            )
        if self.spec.control.nodes is not None and self._features.get("nps") == "0":
            raise StartError(
                f"{self.name} cannot be limited by nodes: it says nps=0; depth= or st= may do instead"
            )

    def _set_options(self) -> None:
        for name, value in self.spec.options:
            kind = self._options.get(name, "")
            if name in self._options:
                value = {"true": "1", "on": "1", "false": "0", "off": "0"}.get(value.lower(), value)
                self._process.write(f"option {name}" + ("" if kind in ("button", "save") else f"={value}"))
            elif name.lower() in ("hash", "memory") and self._features["memory"] == "1":
                self._process.write(f"memory {value}")
            elif name.lower() in ("threads", "cores") and self._features["smp"] == "1":
                self._process.write(f"cores {value}")
            else:
                known = [*self._options]
                known += ["Hash"] * (self._features["memory"] == "1")
                known += ["Threads"] * (self._features["smp"] == "1")
                raise StartError(
                    f"{self.name} has no option {name!r}; it has {', '.join(sorted(known)) or 'none'}"
                )

    # A game

    def _begin(self) -> list[str]:
        """The commands that begin a game in which the engine plays neither side."""
        variant = [] if self._spelling.name == "normal" else [f"variant {self._spelling.name}"]
        # With `hard` the engine ponders by itself, on the reply that it expects.
        return ["new", *variant, "hard" if self.spec.ponder else "easy", "post", "force"]

    def new_game(self, position: "Position", own: "TimeControl", other: "TimeControl", colour: int) -> None:
        self._own, self._other = own, other
        self.thinking = Thinking()
        if self._used and self._features["reuse"] == "0":
            self._restart()
        self._used = True
        for line in self._process.waiting():
            self._heed_politely(line.text)
        start = position.start_fen
        self._placing = start != self.description.start_fen or bool(self.description.setup_swaps)
        if self._placing and self._features["setboard"] != "1":
            raise ProtocolError(f"{self.name} cannot set up positions: it says setboard=0")
        board = [f"setboard {self._spelling.write_fen(start)}"] * self._placing
        # A new game resets limits, so they come after it.
        self._process.write(*self._begin(), *board, *self._limits(own))
        self._told, self._playing = [], False
        self._process.write(*self._tell(position))
        self.synchronise(player.STALL_SECONDS)
        self._placing = False

    def _limits(self, control: "TimeControl") -> list[str]:
        """The commands that set an engine's limits; nodes as a rate and one second of them for each move."""
        lines = []
        if control.nodes is not None:
            if self._features.get("nps") == "0":
                raise ProtocolError(f"{self.name} cannot be limited by nodes: it says nps=0")
            lines += ["st 1", f"nps {control.nodes}"]
        elif control.movetime is not None:
            lines += [f"st {control.movetime:g}"]
        elif control.base is not None:
            minutes, seconds = divmod(max(1, int(control.base)), 60)
            lines += [f"level {control.moves} {minutes}:{seconds:02} {control.each:g}"]
        else:
            lines += [f"st {LONG_MOVE}"]
        return lines + ([f"sd {control.depth}"] if control.depth is not None else [])

    def _tell(self, position: "Position") -> list[str]:
        """The commands for the moves that the engine does not know yet."""
        moves = position.moves
        if moves[: len(self._told)] != self._told:
            raise ValueError("the position does not continue the game of new_game")
        news, self._told = moves[len(self._told) :], moves
        return [self._move_command(move) for move in news]

    def _move_command(self, move: "Move") -> str:
        return "usermove " * (self._features["usermove"] == "1") + self._spelling.write_move(move)

    def _ask(self, position: "Position", clock: float | None, other_clock: float | None) -> bool:
        clocks: list[str] = []
        ticking = self._own.base is not None and self._own.nodes is None
        if ticking and clock is not None and self._features["time"] == "1":
            other_clock = clock if other_clock is None else other_clock
            own = self._own.movetime_in_byoyomi(clock) or clock + self._own.byoyomi
            other = other_clock + self._other.byoyomi
            clocks = [f"time {max(1, int(100 * own))}", f"otim {max(1, int(100 * other))}"]
        moves = self._tell(position)
        if self._playing and len(moves) == 1:
            self._process.write(*clocks, *moves)
        else:
            self._process.write(*["force"] * self._playing, *moves, *clocks, "go")
        self._playing = True
        return False

    def ponder(self, position: "Position", clock: float | None, other_clock: float | None) -> None:
        """Does nothing: after `hard` the engine ponders by itself."""

    def _read_answer(self, text: str, position: "Position") -> tuple[str | None, str | None, str] | None:
        if match := _MOVE.match(text):
            move = next(filter(None, match.groups()))
            if move == "resign":
                return None, "resign", text
            move = self._spelling.read_move(move, position)
            self._remember(move, position)
            return move, None, ""
        if match := _CLAIM.fullmatch(text):
            return None, match[1], (match[2] or "").rstrip("}")
        if _RESIGNATION.fullmatch(text):
            return None, "resign", text
        self._heed(text)
        return None

    def _remember(self, move: str, position: "Position") -> None:
        """Notes that the engine knows its own move, if the move is legal."""
        try:
            self._told = [*self._told, position.parse_move(move)]
        except ValueError:
            self._playing = False

    def _read_thinking(self, text: str) -> Thinking | None:
        return read_post(text, self._spelling)

    def end_game(self, position: "Position", score: str, reason: str) -> None:
        words = reason.replace("{", "(").replace("}", ")").replace("\n", " ")
        self._process.write("force", f"result {score} {{{words}}}")
        self._playing = False

    def synchronise(self, seconds: float = 10.0) -> None:
        """Waits for the answer to a ping; an engine without `ping` counts as ready."""
        if self._features["ping"] != "1":
            return
        self._pings += 1
        self._process.write(f"ping {self._pings}")
        self._wait(lambda text: text.strip() == f"pong {self._pings}", seconds, self._heed)

    # Other output

    def _heed(self, text: str) -> None:
        """Reads a line that is neither move nor claim. Raises ProtocolError for a refusal that matters."""
        if text.startswith("feature "):
            self._take_features(text.removeprefix("feature "))
        elif text.startswith(("tellusererror", "tellerror")):
            self.complaint = text
            if self._placing and "position" in text.lower():
                raise ProtocolError(f"{self.name} refuses a position: {text!r}")
            if self._done and text.lower().startswith("tellusererror cannot play"):
                raise ProtocolError(f"{self.name} does not play the game: {text!r}")
        elif match := _COMPLAINT.fullmatch(text):
            refused = match[2].split()[:1]
            if text.startswith("Illegal") or (self._done is not None and not DISPENSABLE & set(refused)):
                raise ProtocolError(f"{self.name} refuses a command: {text!r}")

    def _heed_politely(self, text: str) -> None:
        """Reads a line that is left from the game before; its complaints no longer matter."""
        if text.startswith("feature "):
            self._heed(text)

    def _take_features(self, text: str) -> None:
        replies = []
        for name, value in _FEATURE.findall(text):
            value = value.strip('"')
            replies.append(f"{'accepted' if name in UNDERSTOOD else 'rejected'} {name}")
            if name == "option":
                option, _, kind = value.partition(" -")
                self._options[option.strip()] = kind.split()[0] if kind else ""
            elif name == "done":
                self._done = value == "1"
            elif name in UNDERSTOOD:
                self._features[name] = value
            if name == "myname":
                self.own_name = value
        if self._done is None:
            self._done = False
        self._process.write(*replies)


def read_post(text: str, spelling: CecpSpelling) -> Thinking | None:
    """The `Thinking` of a line like `9 156 1084 48000 Nf3 Nc6`, or None for another line.

    Columns: depth, centipawns, centiseconds, nodes; then, if a tab follows, selective depth and others that
    do not matter here; then the line.
    """
    match = _THINKING.fullmatch(text)
    if not match:
        return None
    depth, score, centiseconds, nodes = map(int, match.groups()[:4])
    extra, tab, line = (match[5] or "").rpartition("\t")
    columns = extra.split()
    seldepth = int(columns[0]) if tab and columns and columns[0].isdecimal() else 0
    mate = None
    if MATE < abs(score) < 2 * MATE:
        score, mate = 0, score - MATE if score > 0 else score + MATE
    line = " ".join(map(spelling.read_move, line.split()))
    return Thinking(depth, seldepth, score, mate, centiseconds / 100, nodes, line)
