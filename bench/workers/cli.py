"""Where a command's work is done, as its options say, and how a person ends it."""

import os
import signal
import sys
from contextlib import contextmanager

from ...engine.game.catalogue import SHIPPED, load
from .pool import LocalWorkers

SHOW_CURSOR = b"\x1b[?25h\n"  # which a live table hides
INTERRUPTED = 130  # exit code, as shells have it for Ctrl-C


def workers(cluster, concurrency: int, processes: bool = False):
    """The workers that the options --cluster and --concurrency name. Raises WorkersError."""
    if cluster is None:
        return LocalWorkers(concurrency, processes)
    from .dask_cluster import ClusterWorkers

    return ClusterWorkers(cluster)


def own_file(variant: str):
    """The text of the game's file where it is the user's own, which other machines do not have."""
    path = load(variant).path
    return None if path.parent in SHIPPED else path.read_text(encoding="utf-8")


@contextmanager
def stopped_by_signals(pool):
    """The first Ctrl-C or SIGTERM stops the workers, and what they do is abandoned in good order; a second
    one ends this process at once, and the guard its engines. Gives a list, empty until then."""

    def stop(number, frame):
        if interrupted:
            if sys.stdout.isatty():
                os.write(sys.stdout.fileno(), SHOW_CURSOR)
            os._exit(INTERRUPTED)
        interrupted.append(number)
        pool.stop()

    interrupted = []
    before = {name: signal.signal(name, stop) for name in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield interrupted
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
