"""The Universal Shogi Interface: UCI with the squares, positions and clocks of shogi programs.

The first player is Black in USI and White here, so `btime` is the clock of the side that `wtime` means in
UCI. Mates are counted in plies. `byoyomi` is the time for each move after the clock has run out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ... import __version__
from ...engine.variant import Variant
from ..session.settings import Combo
from ..uci.go import MOST
from ..uci.options import games, option_line
from ..uci.protocol import COMMANDS, Command, Uci, by_name, in_uci
from ..wire.arguments import RefusedError, words
from .notation import SFEN, UsiNotation, fits

if TYPE_CHECKING:
    from ...engine.position import Position
    from ...search.engine import Score

NAMES = {"Hash": "USI_Hash", "Ponder": "USI_Ponder", "UCI_Variant": "USI_Variant"}  # of options, in USI
LEFT_OUT = (
    "Syzygy",
    "USI_ShowWDL",
    "USI_Chess960",
)  # beginnings of names of options that no program for shogi sets
SWAPPED = {"btime": "wtime", "wtime": "btime", "binc": "winc", "winc": "binc"}
RESULTS = ("win", "lose", "draw")
LONGEST_MATE = 200  # moves, of a search for a mate


SAME = ("isready", "setoption", "stop", "ponderhit", "d", "eval", "bench", "debug", "help", "quit")


class Usi(Uci):
    """A conversation with a program for shogi."""

    commands = by_name(
        Command("usi", "show the name and the options", at_once=True),
        Command("usinewgame", "forget the game before", needs_game=True, at_rest=True),
        Command("gameover", "win, lose or draw: the game is over"),
        Command(
            "go",
            "search; btime, wtime, byoyomi, binc, winc, movetime, depth, nodes, mate, ponder, infinite",
            needs_game=True,
            at_rest=True,
        ),
        Command("position", "startpos or sfen SFEN, moves M1 M2 ...", needs_game=True, at_rest=True),
        *map(COMMANDS.__getitem__, SAME),
    )
    first_game = Variant("shogi")
    means_first_game = True
    notation_of = UsiNotation
    no_move = "resign"

    _notation: UsiNotation

    def __init__(self, *arguments: object) -> None:
        self._solving = False  # the search under way looks for a mate alone
        super().__init__(*arguments)  # type: ignore[arg-type]
        self._settings.rename(usi_name)

    # Getting to know each other

    def _do_usi(self, argument: str) -> None:
        self._offer_games()
        self._write(f"id name Surajang {__version__}")
        self._write("id author the Surajang authors")
        for option in self._settings.options():
            if not option.name.startswith(LEFT_OUT):
                self._write(option_line(option))
        self._write("usiok")

    def _games(self) -> Combo:
        """The games with drops whose boards fit."""
        found = games()
        fitting = [
            name for name in found.choices if (game := Variant(name).description).has_drops and fits(game)
        ]
        ordered = sorted(fitting, key=lambda name: (name != self.first_game, name))

        def meant(text: str) -> str | None:
            name = found.meant(text)
            return name if name in ordered else None

        return Combo(usi_name(found.name), str(self.first_game), tuple(ordered), meant)

    def _do_usinewgame(self, argument: str) -> None:
        self._do_ucinewgame(argument)

    def _do_gameover(self, argument: str) -> None:
        """Ends the search and forgets it; the next game begins with `usinewgame`."""
        if argument and argument not in RESULTS:
            raise RefusedError(f"gameover is followed by {', '.join(RESULTS)}")
        self._session.abandon()

    # The game

    def _do_position(self, argument: str) -> None:
        start, rest = words(argument)
        if start == "sfen":
            try:
                argument = in_uci(rest, self._notation.read_sfen)
            except ValueError as error:
                raise RefusedError(f"the position does not change; {error}") from None
        elif start != "startpos":
            raise RefusedError(
                f"position should be followed by: startpos, or sfen {SFEN}; then: moves M1 M2 ..."
            )
        super()._do_position(argument)

    def _do_d(self, argument: str) -> None:
        super()._do_d(argument)
        self._write(f"Sfen: {self._notation.write_sfen(self._position.fen())}")

    # Searching

    def _do_go(self, argument: str) -> None:
        text = argument.split()
        self._solving = "mate" in text
        super()._do_go(" ".join(mate_words(text) if self._solving else clock_words(text, self._position)))

    def _answer(self) -> None:
        if not self._solving:
            super()._answer()
            return
        self._solving = False
        _, search = self._session.search_control.conclude()
        if search.error:
            self._confess(search.error)
        mates = search.result is not None and (search.result.score.mate or 0) > 0
        if not self._position.legal_moves():
            self._write("checkmate nomate")
        else:
            self._write(
                f"checkmate {self._spell(search.result.pv) if mates and search.result else 'timeout'}"
            )

    def _score(self, score: Score) -> str:
        """A score as text; the length of a mate is in plies."""
        if score.mate is None:
            return f"cp {score.centipawns}"
        return f"mate {2 * score.mate - 1 if score.mate > 0 else 2 * score.mate}"


def usi_name(name: str) -> str:
    """The name of an option in USI, which has no spaces."""
    return NAMES.get(name, name.replace("UCI_", "USI_").replace(" ", "_"))


def clock_words(text: Iterable[str], position: Position) -> list[str]:
    """The words after `go` as UCI has them.

    `byoyomi` is the time for the move if the clock is empty; else it is added to the clock, and to the
    increment."""
    found = [SWAPPED.get(word, word) for word in text]
    if "byoyomi" not in found:
        return found
    place = found.index("byoyomi")
    number = found[place + 1] if place + 1 < len(found) else ""
    if not number.isdecimal():
        raise RefusedError(f"byoyomi needs a whole number of milliseconds, not {number!r}")
    del found[place : place + 2]
    extra = min(int(number), MOST)
    own = "wb"[position.turn]
    times = {word: _number_after(found, word) for word in ("wtime", "btime", "winc", "binc")}
    if not extra:
        return found
    if not times[f"{own}time"]:
        return [*_without(found, times), "movetime", str(extra + (times[f"{own}inc"] or 0))]
    rest = _without(found, times)
    for side in "wb":
        clock = (times[f"{side}time"] or 0) + extra
        rest += [f"{side}time", str(clock), f"{side}inc", str((times[f"{side}inc"] or 0) + extra)]
    return rest


def mate_words(text: list[str]) -> list[str]:
    """The words after `go` of a search for a mate: `mate` with milliseconds or `infinite`."""
    place = text.index("mate")
    limit = text[place + 1] if place + 1 < len(text) else "infinite"
    if limit == "infinite":
        return ["mate", str(LONGEST_MATE)]
    if not limit.isdecimal():
        raise RefusedError(f"mate needs milliseconds or infinite, not {limit!r}")
    return ["mate", str(LONGEST_MATE), "movetime", limit]


def _number_after(text: list[str], word: str) -> int | None:
    place = text.index(word) + 1 if word in text else len(text)
    number = text[place] if place < len(text) else ""
    return max(0, int(number)) if re.fullmatch(r"-?\d{1,12}", number, re.ASCII) else None


def _without(text: list[str], times: Iterable[str]) -> list[str]:
    """The words without the clocks and their numbers."""
    found, skipped = [], False
    for word in text:
        if word in times:
            skipped = True
        elif skipped:
            skipped = False
        else:
            found.append(word)
    return found
