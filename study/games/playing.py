"""Plays the games of a study in compiled code, in this process, in several, or on a cluster, within the time
of the study."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from ...learn.self_play.generator import PlayGames
from .recording import record

Task = tuple[int, tuple[int, ...]]  # number of the game, codes of the moves of its opening


class StudyPart(float, Enum):
    """The parts of a study in their order, with the share of the time at which each ends. What runs then is
    finished: the games end early enough for the longest one, and for the searches behind them."""

    OPENINGS, GAMES, POSITIONS, LINES, HANDICAPS = 0.2, 0.75, 0.83, 0.9, 0.97


class StudyBudget:
    """So many `seconds` from now on for all parts of a study, without a limit for None. `now` is a clock."""

    def __init__(self, seconds: float | None = None, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self._seconds = seconds
        self._start = now()

    def end_of(self, part: StudyPart) -> float | None:
        """When a part should end by the clock; None for no limit."""
        return None if self._seconds is None else self._start + part * self._seconds

    def left_for(self, part: StudyPart) -> bool:
        """Whether there is time left for a part."""
        end = self.end_of(part)
        return end is None or self.now() < end


@dataclass(frozen=True)
class PlayStudyGames:
    """Plays the games of one series in any process."""

    work: PlayGames

    def __call__(self, task: Task) -> str:
        """The `StudyGame` with a number and an opening, as a line of a journal."""
        number, opening = task
        played = self.work.player().play_on(number, opening)
        return record(self.work.header.variant, played).encoded()

    def key(self, task: Task) -> tuple[object, ...]:
        """A name that is unique among all tasks ever."""
        return (self.work.header.encoded(), *task)

    def close(self) -> None:
        """Ends the games that this process plays."""
        self.work.close()


def until_time(
    tasks: Iterable[Task], until: float | None, now: Callable[[], float] = time.monotonic
) -> Iterator[Task]:
    """Yields tasks while `now()` is before `until`; running tasks are finished, and the workers can continue
    with other tasks. Yields all of them for None."""
    for task in tasks:
        if until is not None and now() >= until:
            return
        yield task
