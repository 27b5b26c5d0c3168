"""The conversation on stdin and stdout, from the first line to the end of input."""

import os
import queue
import signal
import threading

from .. import __version__
from .cecp import Cecp
from .debug_log import DebugLog
from .dialect import ThreadFailed
from .stdio import Line, Reader, Writer, aside
from .uci import Uci

# The first line of input that is not empty names the dialect. XBoard's is also for people who type, and for
# GUIs that begin with something else.
DIALECTS = {"uci": Uci, "xboard": Cecp}
GREETING = f"""\
Surajang {__version__} is a game engine for a GUI, which talks to it by the protocol CECP or UCI.
To talk to it yourself: type `new`, `variant crazyhouse`, then moves like `e2e4`; `quit` ends it.
Commands for people: `surajang show` plays a game here, `surajang --help` lists all."""


def converse(log_file=None):
    """Talks until the input or the conversation ends, and then ends the process at once.

    `log_file` names a file that records what is said; where it cannot be written, the user is told and the
    conversation goes on.
    """
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Python's own handler waits for other work to end
    events, log = queue.SimpleQueue(), DebugLog()
    threading.excepthook = lambda failure: events.put(ThreadFailed(failure.exc_value))
    trouble = log_file and _open(log, log_file)
    Reader(events.put, log).start()
    if os.isatty(0):
        aside(GREETING)
    first = events.get()
    while isinstance(first, Line) and not first.text.strip():
        first = events.get()
    dialect = DIALECTS.get(getattr(first, "text", "").strip(), Cecp)
    talk = dialect(Writer(log).line, events.put, log)
    talk.handle(first)
    if trouble:
        talk.warn(trouble)
    while not talk.ended:
        talk.handle(events.get())
    # Threads may still search or compile; nothing they do matters any more.
    os._exit(talk.exit_code)


def _open(log, path):
    """Opens the log. What stands in the way goes to standard error, and is returned for the GUI."""
    try:
        log.open(path)
    except (OSError, ValueError) as error:
        trouble = f"The log {path} cannot be written: {getattr(error, 'strerror', None) or error}"
        aside(trouble)
        return trouble
    return None
