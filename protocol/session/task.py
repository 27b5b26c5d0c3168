"""Work that a command begins and another can end, other than a search of the current game: perft, bench."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple


class Told(NamedTuple):
    """A task has lines to write, and has counted that many nodes since the last event."""

    task: "Task"
    lines: tuple[str, ...]
    nodes: int = 0


class Ended(NamedTuple):
    """A task has finished, or has failed with an `error`."""

    task: "Task"
    error: Exception | None = None


class Task(ABC):
    """Work in its own thread; `post` takes its events, Told and then Ended.

    Its owner adds up the nodes of the events in `nodes`, and writes the `summary` after the end. Events of a
    stopped task are ignored."""

    def __init__(self, post: Callable[[object], None]) -> None:
        self._post = post
        self.stopped = False
        self.nodes = 0
        threading.Thread(target=self._run, name="task", daemon=True).start()

    def stop(self) -> None:
        """Asks the thread to end soon; does not wait for it."""
        self.stopped = True

    def _tell(self, *lines: str, nodes: int = 0) -> None:
        self._post(Told(self, lines, nodes))

    def _run(self) -> None:
        try:
            self._work()
        except Exception as error:
            self._post(Ended(self, error))
        else:
            self._post(Ended(self))

    @abstractmethod
    def _work(self) -> None:
        """Does all of it, or what there is until `stopped` is set."""

    @abstractmethod
    def summary(self) -> list[str]:
        """The last lines, about the `nodes` so far."""
