"""Progress on stderr; results never go there. On a terminal it is a bar, elsewhere a plain line every
PLAIN_SECONDS, so short work has none."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import contextmanager
from functools import partial
from typing import Literal, TypeVar

from ...engine.variant import Variant
from .interrupts import ending_at_once

PLAIN_SECONDS = 10.0  # between two plain lines
Item = TypeVar("Item")


class _PlainLines:
    """Prints a line with the finished share of the work `what` every PLAIN_SECONDS."""

    def __init__(self, what: str, now: Callable[[], float] = time.monotonic) -> None:
        self.what, self._now = what, now
        self._started = self._told = now()

    def tell(self, done: int, total: int, note: str = "") -> None:
        """Updates the finished share, and prints a line when it is due."""
        moment = self._now()
        if moment - self._told >= PLAIN_SECONDS:
            self._told = moment
            text = f"{self.what}: {done} of {total}, {note}{moment - self._started:.0f} s"
            print(text, file=sys.stderr, flush=True)


def tracked(work: Iterable[Item], what: str, total: int | None = None) -> Iterator[Item]:
    """Yields the items of `work` with progress on stderr; `total` is needed if it has no length."""
    if total is None:
        assert isinstance(work, Sized)
        total = len(work)
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import track

        yield from track(work, what, total, console=Console(stderr=True), transient=True)
        return
    lines = _PlainLines(what)
    for done, item in enumerate(work, 1):
        yield item
        lines.tell(done, total)


def _rate(a_second: float) -> str:
    """A rate as text, in the unit of time in which it is at least one."""
    for unit, seconds in (("second", 1), ("minute", 60)):
        if a_second * seconds >= 1:
            return f"{a_second * seconds:,.0f} a {unit}"
    return f"{a_second * 3600:,.0f} an hour"


@contextmanager
def counted(what: str, begun: int, total: int, unit: str) -> Iterator[Callable[[int, int], None]]:
    """A function(done, items) that shows the progress of work of which `begun` of `total` was done before:
    the share, the number of `items` of that `unit`, their rate and the remaining time."""
    started = time.monotonic()

    def rate(done: int, items: int) -> tuple[str, float]:
        seconds = max(time.monotonic() - started, 1e-6)
        left = (total - done) * seconds / max(done - begun, 1)
        return f"{items:,} {unit}, {_rate(items / seconds)}", left

    if not sys.stderr.isatty():
        lines = _PlainLines(what)

        def tell(done: int, items: int) -> None:
            text, left = rate(done, items)
            lines.tell(done, total, f"{text}, {left:.0f} s left, ")

        yield tell
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total, completed=begun)
        yield lambda done, items: bar.update(
            task, completed=done, description=f"{what}, {rate(done, items)[0]}"
        )


EvalFile = str | Literal[False] | None  # as `Engine` takes it
CompileAll = Callable[..., object]  # takes a `progress` as `Engine.compile` does


def compiling(variant: Variant, eval_file: EvalFile = None) -> CompileAll:
    """A function that compiles a game for the network that comes with it, the one at a path, or none (False).
    It raises VariantError for an unknown game, NetworkError."""

    def compile_all(progress: Callable[[int, int, str], object]) -> None:
        from ...search.engine import Engine

        engine = Engine(variant, hash_mb=1, eval_file=eval_file, compile_now=False)
        try:
            engine.compile(progress)
        finally:
            engine.close()

    return compile_all


def compile_with_bar(variant: Variant) -> None:
    """Compiles a game as `compiling` does, with its progress on stderr."""
    compiled_with_bar(variant, compiling(variant))


def compiled_with_bar(variant: Variant, compile_all: CompileAll) -> None:
    """Calls `compile_all` with its progress on stderr. Ctrl-C ends the process at once."""
    compile_together([(variant, compile_all)], "game")


def compile_together(works: Sequence[tuple[str, CompileAll]], unit: str) -> None:
    """Calls each of the functions, which have names, in turn, with one bar for all of them on stderr: "game 3
    of 21" where "game" is the `unit`. The bar appears with the first function that is compiled: there is none
    if all code is in the cache. Ctrl-C ends the process at once."""
    with ending_at_once(), _bar(len(works)) as show:
        for index, (name, compile_all) in enumerate(works):
            place = f", {unit} {index + 1} of {len(works)}" if len(works) > 1 else ""
            compile_all(progress=partial(show, f"compiling {name}{place}", index))


@contextmanager
def _bar(works: int) -> Iterator[Callable[[str, int, int, int, str], object]]:
    """A function(text, index of the work, done, total, what) that shows the progress of several works."""
    if not sys.stderr.isatty():
        lines = _PlainLines("")

        def tell(text: str, index: int, done: int, total: int, what: str) -> None:
            lines.what = text
            lines.tell(done, total)

        yield tell
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), TaskProgressColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    bar = Progress(*columns, console=Console(stderr=True))
    task = bar.add_task("compiling", total=works)

    def show(text: str, index: int, done: int, total: int, what: str) -> None:
        if done < total:
            bar.start()
        bar.update(task, completed=index + done / total, description=text)

    try:
        yield show
        bar.update(task, completed=works, description="compiled")
    finally:
        if bar.live.is_started:
            bar.stop()
