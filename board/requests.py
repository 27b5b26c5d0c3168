"""Shared by the parts of the board: the error of an impossible request, and the end of tasks."""

import asyncio
import contextlib


class RequestError(ValueError):
    """An impossible request; `where` is the part of the page that should show the text."""

    def __init__(self, text: str, where: str = "general") -> None:
        super().__init__(text)
        self.where = where


async def ended(task: "asyncio.Task[None] | None") -> None:
    """Cancels a task, if there is one, and waits for its end."""
    if task is not None:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
