"""Progress of compiling on a terminal, for callers without a display of their own."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[int, int, str], object]  # (done, total, what), in units of about one function
CLEAR = "\r\033[K"  # the line


@contextmanager
def terminal_progress(what: str) -> Iterator[Progress | None]:
    """A `Progress` that shows the finished share of `what` in one line on stderr, which it clears at the end;
    None if stderr is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    shown = ""

    def show(done: int, total: int, _: str) -> None:
        nonlocal shown
        text = f"{what}: {100 * done // total} %"
        if done < total and text != shown:
            shown = text
            sys.stderr.write(f"{CLEAR}{text}")
            sys.stderr.flush()

    try:
        yield show
    finally:
        if shown:
            sys.stderr.write(CLEAR)
            sys.stderr.flush()
