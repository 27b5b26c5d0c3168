"""A client of the Universal Chess Interface."""

import itertools
import re
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from . import player
from .client import SPEAK_SECONDS, Client
from .notations import UciSpelling
from .player import ProtocolError, StartError, Thinking

if TYPE_CHECKING:
    from ...engine.game.moves import Move
    from ...engine.position import Position
    from .control import TimeControl


VARIANT, PONDER, CHESS960 = "UCI_Variant", "Ponder", "UCI_Chess960"
PERFT_SECONDS = 3600.0  # the longest count
NULL_MOVES = ("(none)", "none", "0000", "NULL", "null")
_OPTION = re.compile(r"option\s+name\s+(?P<name>.+?)\s+type\s+(?P<kind>\w+)(?P<rest>.*)")
_COUNTS = ("depth", "seldepth", "nodes")
_NUMBERS = (*_COUNTS, "time", "multipv", "nps")
_BOOLEANS = {"on": "true", "1": "true", "yes": "true", "off": "false", "0": "false", "no": "false"}


class UciPlayer(Client):
    """A UCI engine in one game."""

    def _introduce(self) -> None:
        self._options: dict[str, tuple[str, str, list[str]]] = {}  # lower-case name -> name, type, the rest
        # The reply to its last move that the engine expects, in its own spelling.
        self._expected: str | None = None
        self._pondering: list[Move] | None = None  # the moves after which it searches in its opponent's time
        self._ask_who()
        for name, value in self.spec.options:
            self._set(name, value)
        if self.spec.ponder:
            if not self.has(PONDER):
                raise StartError(f"{self.name} cannot ponder: it has no option {PONDER!r}")
            self._set(PONDER, "true")
        try:
            self._spelling = self._known_game()
        except ValueError:
            self._ask_who()  # an option may have brought more games
            try:
                self._spelling = self._known_game()
            except ValueError as error:
                raise StartError(f"{self.name} does not play {self.description.name!r}; {error}") from None
        if self.has(VARIANT):
            self._process.write(f"setoption name {VARIANT} value {self._spelling.name}")
        if self._spelling.castles_freely:
            self._set(CHESS960, "true")
        self._made = 0
        self.synchronise(player.STARTUP_SECONDS)

    def _known_game(self) -> UciSpelling:
        """The game as the engine knows it. Raises ValueError where it does not."""
        return UciSpelling(self.description, self._offered(), self.has(CHESS960))

    def _ask_who(self) -> None:
        self._process.write("uci")
        self._wait(lambda text: text.strip() == "uciok", SPEAK_SECONDS, self._read_identity)

    def _read_identity(self, text: str) -> None:
        if text.startswith("id name "):
            self.own_name = text.removeprefix("id name ").strip()
        elif match := _OPTION.match(text):
            self._options[match["name"].lower()] = (match["name"], match["kind"], match["rest"].split())

    def has(self, name: str) -> bool:
        """Whether the engine has an option of that name."""
        return name.lower() in self._options

    def _offered(self) -> set[str]:
        """The names of the games that the engine plays."""
        if not self.has(VARIANT):
            return {"chess"}
        words = self._options[VARIANT.lower()][2]
        return {after for word, after in itertools.pairwise(words) if word == "var"}

    def _set(self, name: str, value: str) -> None:
        """Sets an option. Raises StartError if the engine lacks it or does not accept the value."""
        if not self.has(name):
            known = ", ".join(sorted(name for name, *_ in self._options.values())) or "none"
            raise StartError(f"{self.name} has no option {name!r}; it has {known}")
        name, kind, words = self._options[name.lower()]
        value = _BOOLEANS.get(value.lower(), value.lower()) if kind == "check" else value
        if not _fits(value, kind, words):
            kinds = " ".join([kind, *words])
            raise StartError(f"{self.name} has no {value!r} for its option {name!r}, which is {kinds}")
        self._process.write(f"setoption name {name}" + ("" if kind == "button" else f" value {value}"))

    # A game

    def new_game(self, position: "Position", own: "TimeControl", other: "TimeControl", colour: int) -> None:
        self._stop_pondering()
        self._own, self._other, self._made, self._expected = own, other, 0, None
        self.thinking = Thinking()
        self._process.write("ucinewgame")
        self.synchronise(player.STALL_SECONDS)

    def _ask(self, position: "Position", clock: float | None, other_clock: float | None) -> bool:
        hit = self._pondering is not None and self._pondering == position.moves
        if hit:
            self._pondering = None
            self._process.write("ponderhit")
        else:
            if self._pondering is not None:
                begun = time.monotonic()
                self._stop_pondering()
                clock = None if clock is None else clock - (time.monotonic() - begun)
            self._process.write(self._position(position), self._go(position.turn, clock, other_clock))
        self._made += 1
        self._expected = None
        return hit

    def ponder(self, position: "Position", clock: float | None, other_clock: float | None) -> None:
        """Begins a search after the reply that the engine expects, unless there is none or it ends the
        game."""
        if not self.spec.ponder or self._expected is None:
            return
        ahead = position.copy()
        try:
            ahead.push(self._spelling.read_move(self._expected, position))
        except ValueError:
            return
        if ahead.result() is not None or any(move.is_choice for move in ahead.legal_moves()):
            return
        self._pondering = ahead.moves
        self._process.write(self._position(ahead), self._go(ahead.turn, clock, other_clock, "go ponder"))

    def _stop_pondering(self) -> None:
        """Ends a search in the opponent's time; its move is not used. Raises StallError."""
        if self._pondering is None:
            return
        self._pondering = None
        self._process.write("stop")
        self._wait(lambda text: text.split()[:1] == ["bestmove"], player.GRACE_SECONDS)

    def _position(self, position: "Position") -> str:
        try:
            return position_command(position, self._spelling)
        except ValueError as error:
            raise ProtocolError(f"{self.name} {error}") from None

    def _go(self, turn: int, clock: float | None, other_clock: float | None, command: str = "go") -> str:
        own, words = self._own, [command]
        if own.base is not None and clock is not None:
            words += self._clock_words(turn, clock, clock if other_clock is None else other_clock)
        if own.movetime is not None:
            words += ["movetime", _milliseconds(own.movetime)]
        for name in ("nodes", "depth"):
            if getattr(own, name) is not None:
                words += [name, str(getattr(own, name))]
        return " ".join(words)

    def _clock_words(self, turn: int, clock: float, other_clock: float) -> list[str]:
        """The arguments of `go` for clocks; UCI knows no byoyomi, so it is part of times and increments."""
        if (seconds := self._own.movetime_in_byoyomi(clock)) is not None:
            return ["movetime", _milliseconds(seconds)]
        clocks, controls, words = (clock, other_clock), (self._own, self._other), []
        for number, colour in enumerate("wb"):
            whose = 0 if number == turn else 1
            control = controls[whose]
            words += [f"{colour}time", _milliseconds(clocks[whose] + control.byoyomi)]
            words += [f"{colour}inc", str(round(1000 * control.each))]
        if to_go := self._own.moves_to_go(self._made):
            words += ["movestogo", str(to_go)]
        return words

    def _read_answer(self, text: str, position: "Position") -> tuple[str | None, str | None, str] | None:
        words = text.split()
        if not words or words[0] != "bestmove":
            return None
        if len(words) < 2 or words[1] in NULL_MOVES:
            raise ProtocolError(f"{self.name} has no move where there is one: {text!r}")
        if words[2:3] == ["ponder"]:
            self._expected = "".join(words[3:4]) or None
        return self._spelling.read_move(words[1], position), None, ""

    def _read_thinking(self, text: str) -> Thinking | None:
        return read_info(text, self.thinking, self._spelling)

    def end_game(self, position: "Position", score: str, reason: str) -> None:
        """Only stops a search in the opponent's time, because UCI has no command for the end of a game. The
        next `new_game` clears the engine."""
        self._stop_pondering()

    def synchronise(self, seconds: float = 10.0) -> None:
        self._process.write("isready")
        self._wait(lambda text: text.strip() == "readyok", seconds)

    def perft(self, position: "Position", depth: int) -> tuple[int, float]:
        """(leaves, seconds) of `go perft`, which Stockfish and its forks understand. Raises PlayerError."""
        self._process.write(self._position(position))
        self.synchronise(player.STARTUP_SECONDS)
        started = time.monotonic()
        self._process.write(f"go perft {depth}")
        line = self._wait(lambda text: text.startswith("Nodes searched"), PERFT_SECONDS)
        leaves = line.text.split()[-1]
        if not leaves.isdecimal():
            raise ProtocolError(f"{self.name} counted no leaves: {line.text!r}")
        return int(leaves), line.at - started


def position_command(position: "Position", spelling: UciSpelling) -> str:
    """The `position` command for a `Position`: the start and all moves, or those since the setup phase.

    Raises ValueError in the setup phase."""
    moves, fen = position.moves, position.start_fen
    choices = [number for number, move in enumerate(moves, 1) if move.is_choice]
    if choices:
        start = position.copy()
        for _ in moves[choices[-1] :]:
            start.pop()
        moves, fen = moves[choices[-1] :], start.fen()
    if any(move.is_choice for move in position.legal_moves()):
        raise ValueError("cannot choose an arrangement: UCI has no setup phase")
    standard = spelling.name == "chess" and fen == position.description.start_fen
    text = "position startpos" if standard else f"position fen {spelling.write_fen(fen)}"
    if moves:
        text += " moves " + " ".join(map(spelling.write_move, moves))
    return text


class InfoLine(NamedTuple):
    """An `info` line. `numbers` by their names in UCI; `score` is ("cp" or "mate", number), for the side to
    move, or None; `bound` whether it is only a bound; `pv` are moves in the engine's spelling, or None."""

    numbers: dict[str, int]
    score: tuple[str, int] | None
    bound: bool
    pv: list[str] | None


def parse_info(text: str) -> InfoLine | None:
    """The content of an `info` line, or None for another line."""
    words = text.split()
    if words[:1] != ["info"]:
        return None
    numbers: dict[str, int] = {}
    score, bound, pv = None, False, None
    for index, word in enumerate(words):
        if word == "string":
            break
        if word == "pv":
            pv = words[index + 1 :]
            break
        if word in _NUMBERS and (number := _number(words[index + 1 : index + 2])) is not None:
            numbers[word] = number
        elif word in ("cp", "mate") and (number := _number(words[index + 1 : index + 2])) is not None:
            score = word, number
        elif word in ("lowerbound", "upperbound"):
            bound = True
    return InfoLine(numbers, score, bound, pv)


def read_info(text: str, before: Thinking, spelling: UciSpelling) -> Thinking | None:
    """The `Thinking` that `before` becomes with what an `info` line says, or None when it says nothing new.

    Scores that are only bounds are left out, and so are all lines but the best of MultiPV.
    """
    info = parse_info(text)
    if info is None or info.numbers.get("multipv", 1) > 1:
        return None
    found: dict[str, Any] = {name: info.numbers[name] for name in _COUNTS if name in info.numbers}
    if "time" in info.numbers:
        found["seconds"] = info.numbers["time"] / 1000
    if info.score is not None and not info.bound:
        kind, number = info.score
        found |= {"score": number, "mate": None} if kind == "cp" else {"score": 0, "mate": number}
    if not found:
        return None
    if info.pv is not None and not info.bound:
        found["line"] = " ".join(map(spelling.read_move, info.pv))
    return before._replace(**found)


def _number(words: list[str]) -> int | None:
    """The whole number that the first word is, or None."""
    return int(words[0]) if words and re.fullmatch(r"-?\d{1,18}", words[0]) else None


def limits_of(words: list[str]) -> tuple[int | None, int | None]:
    """(least, most) value of a number; `words` are the rest of the engine's `option` line."""
    said = dict(itertools.pairwise(words))
    return _number([said.get("min", "")]), _number([said.get("max", "")])


def _fits(value: str, kind: str, words: list[str]) -> bool:
    """Whether an option of that kind takes the value; `words` are the rest of the engine's `option` line."""
    if kind == "check":
        return value in ("true", "false")
    if kind == "spin":
        number, (least, most) = _number([value]), limits_of(words)
        if number is None:
            return False
        return (least is None or number >= least) and (most is None or number <= most)
    if kind == "combo":
        listed = re.split(r"\s*\bvar\s+", " ".join(words))[1:]
        return value.lower() in (choice.strip().lower() for choice in listed)
    return True


def _milliseconds(seconds: float) -> str:
    """The time in milliseconds, at least 1: some engines take 0 for no limit."""
    return str(max(1, int(1000 * seconds)))
