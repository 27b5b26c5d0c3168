"""Work that Ctrl-C ends at once: another thread does it, because compiled code does not notice Ctrl-C."""

import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

LOOK_SECONDS = 0.1  # between looks for an interrupt, where waiting cannot be interrupted
_Answer = TypeVar("_Answer")


def interruptible(work: Callable[[], _Answer], stop: Callable[[], object]) -> _Answer:
    """The answer of a search or a count. In the main thread an interrupt calls `stop`, waits for the end of
    the work, and is raised; callbacks of the work run in another thread there."""
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

    thread = threading.Thread(target=run, name="work", daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(LOOK_SECONDS)
    except BaseException:
        stop()
        while thread.is_alive():
            with suppress(KeyboardInterrupt):  # a second one: the work ends in milliseconds
                thread.join(LOOK_SECONDS)
        raise
    if errors:
        raise errors[0]
    return answers[0]
