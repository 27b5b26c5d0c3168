"""What a page is sent: messages in order, except that of those with a key only the latest counts.

A page that is slow, or an engine that tells much, therefore never makes a queue grow.
"""

import asyncio
import itertools


class Channel:
    """The way to one page."""

    def __init__(self):
        self._waiting = {}
        self._numbers = itertools.count()
        self._ready = asyncio.Event()

    def send(self, message, key=None):
        """Sends a message, as soon as the page takes it; one with the same `key` that waits is replaced, and
        the new one comes last."""
        key = next(self._numbers) if key is None else key
        self._waiting.pop(key, None)
        self._waiting[key] = message
        self._ready.set()

    async def take(self):
        """Waits for messages and returns all that there are."""
        await self._ready.wait()
        self._ready.clear()
        messages, self._waiting = list(self._waiting.values()), {}
        return messages
