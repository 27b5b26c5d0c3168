"""The match on the screen: a live table on a terminal, plain lines elsewhere."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from ..players.player import verdict
from ..records.model import MatchGame, MoveRecord, Record
from .standings import Standings, first_colour
from .summary import engines_table, finished_line, pairs_line, plain_table, running_score, sprt_line, summary

PROGRESS_BAR, SPRT_BAR = 20, 30  # columns
REFRESHES = 4  # a second
NAME = 14  # columns of a name among the running games
MOST_BOARDS = 12  # running games on the screen; the rest is counted


@dataclass
class Running:
    """A game in play: its board (from 1), the plies so far and the last one of each colour."""

    board: int
    game: MatchGame
    plies: int = 0
    last: list[MoveRecord | None] = field(default_factory=lambda: [None, None])


class MatchView:
    """Shows a match while it is played; a context manager.

    `total` is the number of games in the schedule, including those that `standings` had before. The methods
    may be called from any thread. On a terminal there is a live table; elsewhere there are two lines for each
    finished game, its end and the running score, and a summary after every `every` games.
    """

    def __init__(
        self,
        standings: Standings,
        total: int,
        every: int = 10,
        console: Console | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.standings, self.total, self.every = standings, total, every
        self.console = console or Console()
        self._clock = clock
        self._begin, self._done = clock(), 0
        self._running: dict[tuple[int, int], Running] = {}  # by (number, replay)
        self._lock = threading.RLock()
        self._live: Live | None = None

    def __enter__(self) -> Self:
        if self.console.is_terminal:
            self._live = Live(self, console=self.console, refresh_per_second=REFRESHES)
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._live:
            with self._lock:
                self._running.clear()
            self._live.stop()
            self._live = None

    def started(self, game: MatchGame) -> None:
        """A MatchGame has begun; it takes the lowest free board."""
        with self._lock:
            taken = {running.board for running in self._running.values()}
            board = next(number for number in range(1, len(taken) + 2) if number not in taken)
            self._running[game.key] = Running(board, game)

    def moved(self, game: MatchGame, ply: MoveRecord) -> None:
        """A move has been played in a game; does nothing for a game that has not begun."""
        with self._lock:
            running = self._running.get(game.key)
            if running:
                colour = first_colour(game) ^ (running.plies % 2)
                running.plies += 1
                running.last[colour] = ply

    def finished(self, record: Record) -> bool:
        """A game is over: adds its Record to the standings. Whether it counts, see `Standings.add`."""
        with self._lock:
            self._running.pop(record.game.key, None)
            counts = self.standings.add(record)
            self._done += counts
            if not self._live:
                self.say(finished_line(record, self.standings.names, self.total))
                if counts:
                    self.say(running_score(self.standings, record.game))
                if counts and self.every and self.standings.played % self.every == 0:
                    for line in summary(self.standings):
                        self.say(line)
        return counts

    def say(self, text: str) -> None:
        """Prints a line that stays: above the live table, or among the other lines.

        The console's own lock is enough here; the table is drawn while it is held.
        """
        self.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def __rich__(self) -> Group:
        with self._lock:
            parts: list[Table | Text] = [engines_table(self.standings), Text("")]
            tally = self.standings.total(0)
            if len(self.standings.names) == 2 and any(tally.pairs):
                parts.append(Text(f"{pairs_line(tally)}, nElo {tally.normalised_elo}"))
            if self.standings.sprt:
                parts += [Text(sprt_line(self.standings)), _sprt_bar(self.standings)]
            parts.append(self._progress())
            if self._running:
                parts += [Text(""), self._boards()]
            return Group(*parts)

    def _progress(self) -> Text:
        done = self.standings.played
        filled = round(PROGRESS_BAR * min(done / self.total, 1)) if self.total else PROGRESS_BAR
        bar = Text.assemble(("━" * filled, "green"), ("━" * (PROGRESS_BAR - filled), "dim"))
        return Text.assemble(bar, f" {done} of {self.total} games{self._forecast()}")

    def _forecast(self) -> str:
        """Games a minute since the match was begun or resumed, and when it will end at that rate."""
        seconds, left = self._clock() - self._begin, self.total - self.standings.played
        if not self._done or seconds <= 0:
            return ""
        rate = self._done / seconds
        text = f", {60 * rate:,.0f} a minute" if 60 * rate >= 10 else f", {60 * rate:.2g} a minute"
        if left <= 0:
            return text
        wait = timedelta(seconds=round(left / rate))
        end = datetime.now() + wait
        at_most = "at most " if self.standings.sprt else ""
        until = f" to {end:%H:%M}" if wait < timedelta(days=1) else ""
        return f"{text}, {at_most}{wait}{until}"

    def _boards(self) -> Table:
        table = plain_table("board", "game", "White", "", "Black", "", "move", "opening")
        for column in (2, 4, 7):
            table.columns[column].justify, table.columns[column].max_width = "left", NAME
        shown = sorted(self._running.values(), key=lambda running: running.board)
        for running in shown[:MOST_BOARDS]:
            game = running.game
            white, black = (Text(self.standings.names[engine]) for engine in (game.white, game.black))
            scores = [_score(ply) for ply in running.last]
            move = str((running.plies + 1) // 2)
            cells = str(game.number + 1), white, scores[0], black, scores[1], move, Text(game.opening.name)
            table.add_row(str(running.board), *cells)
        if len(shown) > MOST_BOARDS:
            table.add_row(f"and {len(shown) - MOST_BOARDS} more")
        return table


def _score(ply: MoveRecord | None) -> str:
    """The mover's score of its move: pawns, or moves to mate."""
    if ply is None or (ply.score is None and ply.mate is None):
        return ""
    return verdict(ply.score or 0, ply.mate)


def _sprt_bar(standings: Standings) -> Text:
    """The log-likelihood ratio between its bounds, as a bar."""
    sprt, llr = standings.sprt, standings.llr
    assert sprt is not None and llr is not None
    span = sprt.upper - sprt.lower
    place = round(SPRT_BAR * min(max((llr - sprt.lower) / span, 0), 1))
    zero = round(SPRT_BAR * -sprt.lower / span)
    marks = ["┼" if column == zero else "─" for column in range(SPRT_BAR + 1)]
    marks[place] = "●"
    style = "green" if llr > 0 else "red" if llr < 0 else ""
    line = [(mark, style if mark == "●" else "dim") for mark in marks]
    return Text.assemble(f"H0 {sprt.lower:.2f} ├", *line, f"┤ {sprt.upper:.2f} H1")
