"""The Universal Chinese Chess Interface, version 3: UCI with the squares and the clocks of xiangqi programs.

Its options have no `name` and `value` before them, and times are in milliseconds only after
`setoption usemillisec true`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ... import __version__
from ...engine.game.moves import MoveError
from ...engine.variant import Variant
from ..session.settings import Button, Check, Spin
from ..uci.protocol import COMMANDS, Command, Uci, by_name, in_uci
from ..uci.report import best_of
from ..wire.arguments import RefusedError, words
from ..wire.stdio import excerpt
from .notation import UcciNotation

if TYPE_CHECKING:
    from ...engine.position import Move
    from ...search.engine import Info, Score
    from ..session.search_thread import SearchThread

NAMES = {"hashsize": "Hash", "threads": "Threads", "evalfile": "EvalFile", "usennue": "Use NNUE"}
MILLISECONDS = Check("usemillisec", False)
NEW_GAME = Button("newgame")
BATCH = Check("batch", False)
TIMES = {"time": "time", "increment": "inc"}  # of the side to move, to the words of UCI
OPPONENTS = {"opptime": "time", "oppincrement": "inc"}
COUNTS = ("depth", "nodes", "movestogo")
FLAGS = ("ponder", "infinite")
IGNORED = ("draw",)  # an offer of a draw; the engine does not answer it
WITHOUT_USE = ("oppmovestogo",)
HIGHEST = 30_000  # the score of a mate on the board
LONGEST_REASON = 300


SAME = ("isready", "setoption", "stop", "ponderhit", "d", "eval", "bench", "debug", "help", "quit")


class Ucci(Uci):
    """A conversation with a program for xiangqi."""

    commands = by_name(
        Command("ucci", "show the name and the options", at_once=True),
        Command("position", "startpos or fen FEN, moves M1 M2 ...", needs_game=True, at_rest=True),
        Command("banmoves", "leave moves out of the search", needs_game=True, at_rest=True),
        Command(
            "go",
            "search; time, increment, movestogo, opptime, oppincrement, depth, nodes, infinite, ponder",
            needs_game=True,
            at_rest=True,
        ),
        *map(COMMANDS.__getitem__, SAME),
    )
    first_game = Variant("xiangqi")
    means_first_game = True
    notation_of = UcciNotation

    _notation: UcciNotation

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._in_milliseconds = MILLISECONDS.default
        self._banned: tuple[str, ...] = ()  # moves that the next search leaves out, as the GUI spells them

    # Getting to know each other

    def _do_ucci(self, argument: str) -> None:
        self._write(f"id name Surajang {__version__}")
        self._write("id copyright GPL-3.0-or-later")
        self._write("id author the Surajang authors")
        self._write(described(MILLISECONDS))
        self._write(described(BATCH))
        self._write(described(NEW_GAME))
        known = {option.name: option for option in self._settings.options()}
        for name, ours in NAMES.items():
            self._write(described(known[ours]._replace(name=name)))
        self._write("ucciok")

    def _do_setoption(self, argument: str) -> None:
        """Sets an option: `NAME VALUE`, or as in UCI."""
        name, value = words(argument)
        if name == "name":
            name, value = words(value)
            value = re.sub(r"^value(?!\S)\s*", "", value)
        match name.lower():
            case "usemillisec":
                self._in_milliseconds = MILLISECONDS.read(value)
            case "batch":
                BATCH.read(value)  # each line is carried out in its order anyway
            case "newgame":
                self._do_ucinewgame("")
            case "":
                raise RefusedError("setoption should be followed by: NAME VALUE")
            case lower:
                self._settings.set(NAMES.get(lower, name), value)

    def _do_quit(self, argument: str) -> None:
        super()._do_quit(argument)
        self._write("bye")

    def _say(self, text: str) -> None:
        self._write(f"info message {text}")

    # The game

    def _do_position(self, argument: str) -> None:
        start, rest = words(argument)
        self._banned = ()
        if start == "fen":
            argument = in_uci(rest, self._notation.read_fen)
        super()._do_position(argument)

    def _do_banmoves(self, argument: str) -> None:
        for text in argument.split():
            try:
                self._read_move(text)
            except MoveError as error:
                raise RefusedError(excerpt(str(error), LONGEST_REASON)) from None
        self._banned = tuple(argument.split())

    # Searching

    def _do_go(self, argument: str) -> None:
        text = self._limits(argument.split())
        if self._banned:
            banned = {self._read_move(each) for each in self._banned}
            left = [move for move in self._position.legal_moves if move not in banned]
            if not left:
                self._write("nobestmove")
                return
            text += ["searchmoves", *map(self._notation.write_move, left)]
        super()._do_go(" ".join(text))

    def _limits(self, text: list[str]) -> list[str]:
        """The words after `go` as UCI has them. Raises RefusedError that quotes a wrong one."""
        found: list[str] = []
        own, other = "wb"[self._position.turn], "bw"[self._position.turn]
        while text:
            word = text.pop(0)
            if word in IGNORED:
                continue
            if word in FLAGS:
                found.append(word)
                continue
            number = text.pop(0) if text else ""
            if word == "depth" and number == "infinite":
                found.append("infinite")
            elif word not in (*TIMES, *OPPONENTS, *COUNTS, *WITHOUT_USE):
                known = ", ".join((*FLAGS, *COUNTS, *TIMES, *OPPONENTS))
                raise RefusedError(f"go does not know {word[:60]!r}; it knows {known}")
            elif not re.fullmatch(r"\d{1,12}", number, re.ASCII):
                raise RefusedError(f"{word} needs a whole number, not {number[:20]!r}")
            elif word in TIMES or word in OPPONENTS:
                side, name = (own, TIMES[word]) if word in TIMES else (other, OPPONENTS[word])
                found += [side + name, str(int(number) * (1 if self._in_milliseconds else 1000))]
            elif word in COUNTS:
                found += [word, number]
        return found

    def _think_aloud(self, search: SearchThread, info: Info) -> None:
        if info.multipv > 1 or info.bound:
            return
        self._told = info
        score = self._score(info.score)
        self._write(
            f"info depth {info.depth} time {1000 * info.time:.0f} nodes {info.nodes}"
            f" score {score} pv {self._spell(info.pv)}"
        )

    def _score(self, score: Score) -> str:
        """A score as one number; a mate is that many plies below HIGHEST."""
        if score.mate is None:
            return str(score.centipawns)
        plies = 2 * abs(score.mate) - (score.mate > 0)
        return str(HIGHEST - plies if score.mate > 0 else plies - HIGHEST)

    def _answer(self) -> None:
        line, search = self._session.search_control.conclude()
        if search.error:
            self._confess(search.error)
        self._tell_provisional(search)
        self._write(self._best(line))

    def _best(self, line: tuple[Move, ...]) -> str:
        return best_of(line, self._spell) if line else "nobestmove"

    def _tell_current(self, current: Any) -> None:
        """Says nothing; programs read lines only."""


def described(option: Any) -> str:
    """The announcement of an option in UCCI."""
    match option:
        case Check(name, default):
            return f"option {name} type check default {str(default).lower()}"
        case Spin(name, default, least, most):
            return f"option {name} type spin min {least} max {most} default {default}"
        case Button(name):
            return f"option {name} type button"
        case _:
            return f"option {option.name} type string default {option.default or '<empty>'}"
