"""The conversation on stdin and stdout, from the first line to the end of input."""

import os
import queue
import sys

from .cecp import Cecp
from .stdio import Reader, Writer

# The first line of input names the dialect. XBoard's is also for people who type, and for GUIs
# that begin with something else.
DIALECTS = {"xboard": Cecp}


def converse():
    """Talks until the input or the conversation ends, and then ends the process at once."""
    events = queue.SimpleQueue()
    Reader(events.put).start()
    first = events.get()
    dialect = DIALECTS.get(getattr(first, "text", "").strip(), Cecp)
    talk = dialect(Writer().line, events.put)
    talk.handle(first)
    while not talk.ended:
        talk.handle(events.get())
    sys.stderr.flush()
    # Threads may still search or compile; nothing they do matters any more.
    os._exit(talk.exit_code)
