"""Ctrl-C in commands.

Python turns it into a KeyboardInterrupt, which waits for compiled code to return, and which compilers swallow
or show as an error of their own. So work with nothing to save ends at once."""

import contextlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import NoReturn

INTERRUPTED = 130  # the exit code that shells use for Ctrl-C
SHOW_CURSOR = b"\x1b[?25h\n"  # the cursor, which a progress bar hides


def end_at_once(code: int = INTERRUPTED) -> NoReturn:
    """Ends the process and its threads at once with this exit code, after a line about the interruption."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    if code == INTERRUPTED:
        os.write(2, (SHOW_CURSOR if sys.stderr.isatty() else b"") + b"Interrupted.\n")
    os._exit(code)


@contextlib.contextmanager
def ending_at_once() -> Iterator[None]:
    """A context in which Ctrl-C ends the process at once, even while the main thread is in compiled code. It
    has no effect unless Python's own handler is set, because another handler may save something."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    heard, told = socket.socketpair()
    told.setblocking(False)
    threading.Thread(target=_listen, args=(heard,), daemon=True).start()
    earlier = signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, lambda number, frame: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.set_wakeup_fd(earlier)
        told.close()  # which ends the thread


@contextlib.contextmanager
def handled(
    handler: Callable[[int, FrameType | None], object] | signal.Handlers,
    numbers: tuple[int, ...] = (signal.SIGINT, signal.SIGTERM),
) -> Iterator[None]:
    """A context in which a handler, as `signal.signal` takes it, gets these signals. Only the main thread can
    enter it."""
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


def _listen(heard: socket.socket) -> None:
    """Waits for the number of a signal, which its handler in C sends, until the other end is closed."""
    with heard:
        while numbers := heard.recv(16):
            if signal.SIGINT in numbers:
                end_at_once()
