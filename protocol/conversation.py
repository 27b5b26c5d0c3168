"""The conversation on stdin and stdout, from the first line to the end of input."""

import os
import queue
import sys

from .. import __version__
from .cecp import Cecp
from .stdio import Line, Reader, Writer
from .uci import Uci

# The first line of input that is not empty names the dialect. XBoard's is also for people who type, and for
# GUIs that begin with something else.
DIALECTS = {"uci": Uci, "xboard": Cecp}
GREETING = f"""\
Surajang {__version__} is a game engine for a GUI, which talks to it by the protocol CECP or UCI.
To talk to it yourself: type `new`, `variant crazyhouse`, then moves like `e2e4`; `quit` ends it.
Commands for people: `surajang show` plays a game here, `surajang --help` lists all."""


def converse():
    """Talks until the input or the conversation ends, and then ends the process at once."""
    events = queue.SimpleQueue()
    Reader(events.put).start()
    if sys.stdin.isatty():
        print(GREETING, file=sys.stderr, flush=True)
    first = events.get()
    while isinstance(first, Line) and not first.text.strip():
        first = events.get()
    dialect = DIALECTS.get(getattr(first, "text", "").strip(), Cecp)
    talk = dialect(Writer().line, events.put)
    talk.handle(first)
    while not talk.ended:
        talk.handle(events.get())
    sys.stderr.flush()
    # Threads may still search or compile; nothing they do matters any more.
    os._exit(talk.exit_code)
