"""Options for the place of a command's work, and its end by signals."""

import os
import sys
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from types import FrameType

import click

from ...engine.definition.catalogue import SHIPPED
from ...engine.variant import Variant
from ...protocol.terminal.interrupts import INTERRUPTED, SHOW_CURSOR, handled
from .pool import LocalWorkers, Workers, WorkersError


def workers(cluster: str | None, concurrency: int, processes: bool = False) -> Workers:
    """The workers that the options --cluster and --concurrency name. Raises WorkersError."""
    if cluster is None:
        return LocalWorkers(concurrency, processes)
    from .dask_cluster import ClusterWorkers

    return ClusterWorkers(cluster)


def own_file(variant: Variant) -> str | None:
    """The text of the game's file if the game is the user's own, because other machines lack the file; else
    None."""
    path = variant.description.path
    return None if path.parent in SHIPPED else path.read_text(encoding="utf-8")


@contextmanager
def interruptible_workers(place: Workers, loss: str) -> Iterator[Workers]:
    """The workers of a place, for work that the first Ctrl-C or SIGTERM ends; then the command says so and
    exits. Raises WorkersError, with the text `loss`, for a process that was killed."""
    with place as pool, stopped_by_signals(pool) as interrupted:
        try:
            yield pool
        except BrokenExecutor:
            raise WorkersError(loss) from None
    if interrupted:
        click.echo("Interrupted.", err=True)
        raise click.exceptions.Exit(INTERRUPTED)


@contextmanager
def stopped_by_signals(pool: Workers) -> Iterator[list[int]]:
    """The first Ctrl-C or SIGTERM stops the workers, which abandon their tasks in good order; a second one
    ends this process at once, and the guard ends its engines. Yields the list of signals so far."""

    def stop(number: int, frame: FrameType | None) -> None:
        if interrupted:
            if sys.stdout.isatty():
                os.write(sys.stdout.fileno(), SHOW_CURSOR)
            os._exit(INTERRUPTED)
        interrupted.append(number)
        pool.stop()

    interrupted: list[int] = []
    with handled(stop):
        yield interrupted
