"""A search that Ctrl-C ends at once: another thread searches, because compiled code does not notice
Ctrl-C."""

import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from .stop import Stop

LOOK_SECONDS = 0.1  # between looks for an interrupt, where waiting cannot be interrupted
_Answer = TypeVar("_Answer")


def interruptible(work: Callable[[], _Answer], stop: Stop) -> _Answer:
    """The answer of a search. In the main thread an interrupt stops the search, waits for its end, and is
    raised; callbacks of the search run in another thread there."""
    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return work()
    answers: list[_Answer] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            answers.append(work())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, name="search", daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(LOOK_SECONDS)
    except BaseException:
        stop.set()
        while thread.is_alive():
            with suppress(KeyboardInterrupt):  # a second one: the search ends in milliseconds
                thread.join(LOOK_SECONDS)
        raise
    if errors:
        raise errors[0]
    return answers[0]
