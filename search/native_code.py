"""Native code for a game that runs prebuilt code, compiled by a process of the lowest priority for the next
start.

That process is `python -m surajang.search.native_code GAME [HIDDEN KING_BUCKETS BY_HANDS]`. It ends when its
input ends, and so together with the engine that started it. The code compiled until then is kept."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from weakref import WeakSet

from ..engine.kernel.compiler import compile_ahead
from ..engine.kernel.prebuilt import OFF, PREBUILT, VARIABLE
from ..engine.kernel.store import STORE
from ..engine.variant import Variant
from .compile_plan import arguments, entry_points, read_shape
from .engine import Engine

NICENESS = 19


class NativeCompiler:
    """Compiles native code while it is allowed to. Its methods may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._allowed: tuple[Engine, float] | None = None
        self._tried: WeakSet[Engine] = WeakSet()  # engines whose code was compiled, or cannot be

    def allow(self, engine: Engine, moment: float) -> None:
        """Compiles the code of `engine` from a moment of `time.monotonic` on, unless it is already native or
        no prebuilt code is in use."""
        with self._lock:
            if self._allowed == (engine, moment) or not PREBUILT.usable or engine in self._tried:
                return
            self._end()
            self._allowed = engine, moment
            self._timer = threading.Timer(max(0.0, moment - time.monotonic()), self._begin, [engine, moment])
            self._timer.daemon = True
            self._timer.start()

    def forbid(self) -> None:
        """Stops the compiler at once."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        self._allowed = None
        if self._timer:
            self._timer.cancel()
        if self._process:
            self._process.kill()
        self._timer = self._process = None

    def _begin(self, engine: Engine, moment: float) -> None:
        with self._lock:
            if self._allowed != (engine, moment):
                return
            if STORE.folder is None or engine.is_native:
                self._tried.add(engine)
                return
            command = [sys.executable, "-m", __name__, *arguments(engine.variant, engine.shape)]
            quiet, environment = subprocess.DEVNULL, {**os.environ, VARIABLE: OFF}
            try:
                process = subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, env=environment
                )
            except OSError:
                self._tried.add(engine)
                return
            lower_priority(process.pid)
            self._process = process
        code = process.wait()
        with self._lock:
            if self._process is process:
                self._process = None
            if code >= 0:  # it had ended
                self._tried.add(engine)


def lower_priority(process: int = 0) -> None:
    """Lets a process, by default this one, run only on idle processors, if the system supports it."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, process, NICENESS)
        os.sched_setscheduler(process, os.SCHED_IDLE, os.sched_param(0))


def prefer_native_code() -> None:
    """Makes this process compile native code instead of running prebuilt code, at the lowest priority, so
    that games can be played at the same time."""
    if PREBUILT.usable:
        lower_priority()
        PREBUILT.turn_off()


def _end_with_input() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


def main(game: str, *numbers: str) -> None:
    """Compiles native code until the input ends."""
    threading.Thread(target=_end_with_input, daemon=True).start()
    variant = Variant(game)
    compile_ahead(entry_points(variant.rules, read_shape(variant, numbers)))


if __name__ == "__main__":
    main(*sys.argv[1:])
    os._exit(0)  # Python aborts when it ends while a thread reads the input
