"""Progress for people, on stderr: results never go there.

On a terminal it is a bar, elsewhere a plain line now and then: what is done soon says nothing there.
"""

import sys
import time

PLAIN_SECONDS = 10.0  # between two plain lines


class _PlainLines:
    """Tells in lines how much of the work called `what` is done, whenever PLAIN_SECONDS have passed."""

    def __init__(self, what, now=time.monotonic):
        self._what, self._now = what, now
        self._started = self._told = now()

    def tell(self, done, total):
        """Takes note of so much of the work, and says so when it is time."""
        moment = self._now()
        if moment - self._told >= PLAIN_SECONDS:
            self._told = moment
            text = f"{self._what}: {done} of {total}, {moment - self._started:.0f} s"
            print(text, file=sys.stderr, flush=True)


def tracked(work, what, total=None):
    """Yields `work` itself with its progress on stderr; `total` where it has no length."""
    total = len(work) if total is None else total
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import track

        yield from track(work, what, total, console=Console(stderr=True), transient=True)
        return
    lines = _PlainLines(what)
    for done, item in enumerate(work, 1):
        yield item
        lines.tell(done, total)


def compile_with_bar(variant):
    """Compiles a game with its progress on stderr. Raises VariantError for an unknown one."""
    from ..search.engine import Engine

    engine = Engine(variant)
    try:
        if sys.stderr.isatty():
            _compile_with_bar(engine)
        else:
            lines = _PlainLines(f"compiling {variant}")
            engine.compile(progress=lambda done, total, what: lines.tell(done, total))
    finally:
        engine.close()


def _compile_with_bar(engine):
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(f"compiling {engine.variant}", total=None)

        def show(done, total, what):
            bar.update(task, completed=done, total=total, description=what)

        engine.compile(progress=show)
        bar.update(task, description=f"{engine.variant} is compiled")
