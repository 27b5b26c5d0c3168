"""Messages for a page in order; of those with the same key only the latest. So no queue grows if a page is
slow or an engine reports much."""

import asyncio
import itertools
from collections.abc import Hashable


class Channel:
    """The way to one page."""

    def __init__(self) -> None:
        self._waiting: dict[Hashable, object] = {}
        self._numbers = itertools.count()
        self._ready = asyncio.Event()

    def send(self, message: object, key: Hashable = None) -> None:
        """Sends a message as soon as the page receives it. It replaces a waiting one with the same `key`, but
        is sent last."""
        key = next(self._numbers) if key is None else key
        self._waiting.pop(key, None)
        self._waiting[key] = message
        self._ready.set()

    async def take(self) -> list[object]:
        """Waits for messages and returns all of them."""
        await self._ready.wait()
        self._ready.clear()
        messages, self._waiting = list(self._waiting.values()), {}
        return messages
