"""The conversation on stdin and stdout, from the first line to the end of input."""

import gc
import os
import queue
import signal
import threading
from contextlib import suppress
from typing import Any, NoReturn

from .. import __version__
from ..engine.garbage import YOUNG_OBJECTS
from .session.base_protocol import Dialect, ThreadFailed
from .session.loading import Loaded, LoadFailed
from .wire.arguments import words
from .wire.stdio import DebugLog, InputLine, LineReader, Writer, aside

# First words of people and scripts that omit `uci`; CECP programs do not send them.
UCI_WORDS = (
    *("uci", "isready", "setoption", "ucinewgame", "position", "stop", "ponderhit", "debug", "register"),
    *("d", "eval", "flip", "bench", "help"),
)
GREETING = f"""\
Surajang {__version__} is a game engine for a GUI, which talks to it by the protocol CECP, UCI, USI or UCCI.
To talk to it yourself: type `new`, `variant crazyhouse`, then moves like `e2e4`; `quit` ends it.
Commands for people: `surajang show` plays a game here, `surajang --help` lists all."""


def converse(log_file: str | None = None) -> NoReturn:
    """Talks until `quit` or the end of input takes effect, and then ends the process at once. `log_file` is a
    file that records all lines; if it cannot be written, the user is told and the conversation continues."""
    thresholds = gc.get_threshold()
    gc.set_threshold(YOUNG_OBJECTS, *thresholds[1:])
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Python's own handler waits for other work to end
    events: queue.SimpleQueue[Any] = queue.SimpleQueue()
    log = DebugLog()
    threading.excepthook = lambda failure: events.put(ThreadFailed(failure.exc_value or SystemExit()))
    trouble = log_file and _open(log, log_file)
    LineReader(events.put, log).start()
    if os.isatty(0):
        aside(GREETING)
    first = events.get()
    while isinstance(first, InputLine) and not first.text.strip():
        first = events.get()
    talk = _dialect(getattr(first, "text", "").strip())(Writer(log).line, events.put, log)
    talk.handle(first)
    if trouble:
        talk.warn(trouble)
    threading.Thread(target=_import_compiler, name="importer", daemon=True).start()
    while not talk.ended:
        event = events.get()
        talk.handle(event)
        freeze_first_game(event, thresholds)
    # Threads may still search or compile; nobody needs their results.
    os._exit(talk.exit_code)


def freeze_first_game(event: object, thresholds: tuple[int, int, int]) -> None:
    """Exempts the objects of the first game from garbage collection, after it is loaded or has failed, and
    restores the usual `thresholds`. Modules and the first game stay. Later games may be replaced, and a
    frozen one would never be collected."""
    if isinstance(event, Loaded | LoadFailed) and not gc.get_freeze_count():
        gc.freeze()
        gc.set_threshold(*thresholds)


def _dialect(first: str) -> type[Dialect]:
    """The dialect of the first line of input. CECP is also for people who type, and for GUIs that begin with
    another word. Only one dialect is imported, because the GUI waits."""
    command, argument = words(first)
    if command in UCI_WORDS or (command == "go" and argument):
        from .uci.protocol import Uci

        return Uci
    if command == "usi":
        from .usi.protocol import Usi

        return Usi
    if command == "ucci":
        from .ucci.protocol import Ucci

        return Ucci
    from .cecp.protocol import Cecp

    return Cecp


def _import_compiler() -> None:
    """Imports the modules of every game before the GUI has chosen one. Errors are reported when a game is
    loaded: if Numba cannot be imported, no module that needs it is left half initialised for that thread."""
    with suppress(Exception):
        import numba  # noqa: F401

        from ..search import engine  # noqa: F401


def _open(log: DebugLog, path: str) -> str | None:
    """Opens the log. On failure, writes the reason to standard error and returns it for the GUI."""
    try:
        log.open(path)
    except (OSError, ValueError) as error:
        trouble = f"The log {path} cannot be written: {getattr(error, 'strerror', None) or error}"
        aside(trouble)
        return trouble
    return None
