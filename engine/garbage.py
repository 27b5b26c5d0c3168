"""Python's garbage collector in programs that create hundreds of thousands of objects at their start, which
stay."""

import atexit
import gc

YOUNG_OBJECTS = 50_000  # new objects between two collections; Python's own number is 700


def collect_seldom() -> None:
    """Makes collections rare in this process, and lets those at its end visit nothing. Otherwise they take a
    fifth of the time of a command that plays a few moves."""
    gc.set_threshold(YOUNG_OBJECTS, *gc.get_threshold()[1:])
    atexit.register(gc.freeze)
