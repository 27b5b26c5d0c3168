"""What a page is sent: messages in order, except that of those with a key only the latest counts.

A page that is slow, or an engine that tells much, therefore never makes a queue grow.
"""

import asyncio


class Channel:
    """The way to one page."""

    def __init__(self):
        self._ordered, self._latest = [], {}
        self._ready = asyncio.Event()

    def send(self, message, key=None):
        """Sends a message, as soon as the page takes it; one with the same `key` that waits is replaced."""
        if key is None:
            self._ordered.append(message)
        else:
            self._latest[key] = message
        self._ready.set()

    async def take(self):
        """Waits for messages and returns all that there are."""
        await self._ready.wait()
        self._ready.clear()
        messages = [*self._ordered, *self._latest.values()]
        self._ordered, self._latest = [], {}
        return messages
