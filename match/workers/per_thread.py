"""Tools that a task needs in each thread."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Task = TypeVar("Task")
Tool = TypeVar("Tool")


class PerThread(Generic[Task, Tool]):
    """The tools of tasks, one for each task and thread, made at their first use."""

    def __init__(self) -> None:
        self._tools: dict[tuple[Task, int], Tool] = {}
        self._lock = threading.Lock()

    def get(self, task: Task, make: Callable[[], Tool]) -> Tool:
        """This thread's tool for a task; `make` makes it."""
        key = (task, threading.get_ident())
        with self._lock:
            tool = self._tools.get(key)
        if tool is None:
            tool = make()
            with self._lock:
                self._tools[key] = tool
        return tool

    def take(self, task: Task) -> list[Tool]:
        """Removes and returns the tools of a task in all threads."""
        with self._lock:
            return [self._tools.pop(key) for key in list(self._tools) if key[0] == task]
