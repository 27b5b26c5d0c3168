"""Compiles the engine of the game on the board before its first move, by a process of the lowest priority.

That process is `python -m surajang.board.compile_ahead GAME`. It prints "DONE TOTAL" as functions are ready.
It ends when its input ends, and so together with the board. The code compiled until then is kept."""

import asyncio
import os
import re
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from ..engine.variant import Variant
from .requests import ended

if TYPE_CHECKING:
    from .shared_board import SharedBoard

_PROGRESS = re.compile(rb"(\d+) (\d+)\r?\n")
COMMAND = (sys.executable, "-m", "surajang.board.compile_ahead")


class CompileAhead:
    """The compiler of the game that was chosen last. An engine that starts ends it, because it compiles what
    it needs at full speed."""

    def __init__(self, board: "SharedBoard") -> None:
        self._board = board
        self._task: asyncio.Task[None] | None = None
        self._variant: Variant | None = None
        self._done = self._total = 0

    def message(self) -> dict[str, object]:
        """The progress; `total` is 0 while nothing is compiled."""
        title = self._variant.description.title if self._variant else ""
        return {"type": "compile", "title": title, "done": self._done, "total": self._total}

    async def begin(self, variant: Variant) -> None:
        """Compiles a game, in place of the one before it."""
        await self.cancel()
        self._variant = variant
        self._task = asyncio.create_task(self._run(variant))

    async def cancel(self) -> None:
        """Ends the compiler, if one runs."""
        task, self._task = self._task, None
        await ended(task)
        self._tell(0, 0)

    async def _run(self, variant: Variant) -> None:
        command = [*COMMAND, str(variant.description.path)]
        pipe, quiet = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=quiet)
        assert process.stdout is not None
        try:
            async for line in process.stdout:
                if match := _PROGRESS.fullmatch(line):
                    self._tell(int(match[1]), int(match[2]))
            await process.wait()
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.communicate()  # so that the event loop closes the pipes while it runs
        self._tell(0, 0)

    def _tell(self, done: int, total: int) -> None:
        if (done, total) != (self._done, self._total):
            self._done, self._total = done, total
            self._board.tell(self.message(), "compile")


def _end_with_input() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


def main(game: str) -> None:
    """Compiles a game until the input ends."""
    from ..search.engine import Engine
    from ..search.native_code import lower_priority

    lower_priority()
    threading.Thread(target=_end_with_input, daemon=True).start()
    engine = Engine(Variant(game), hash_mb=1, compile_now=False)
    if not engine.is_compiled:
        # Several threads report, so each line is written at once.
        engine.compile(lambda done, total, what: os.write(1, f"{done} {total}\n".encode()))


if __name__ == "__main__":
    main(*sys.argv[1:])
    os._exit(0)  # Python aborts when it ends while a thread reads the input
