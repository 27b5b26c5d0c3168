"""What every benchmark prints beside its figures: the machine, and the spread over several runs."""

import os
import platform
import statistics

import numba
import numpy as np
from rich.console import Console
from rich.table import Table

PIPED_WIDTH = 120


def machine():
    """One line on the machine and the versions that the figures depend on."""
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return (
        f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"Numba {numba.__version__}, NumPy {np.__version__}"
    )


def console():
    """Where reports go; wide enough for their tables where no terminal says otherwise."""
    terminal = Console()
    return terminal if terminal.is_terminal or "COLUMNS" in os.environ else Console(width=PIPED_WIDTH)


def print_spread(title, unit, rows):
    """A table of minimum, median and maximum; `rows` maps a name to the figures of its runs."""
    table = Table(title=title, caption=machine(), title_justify="left", caption_justify="left")
    table.add_column("what")
    for heading in ("minimum", "median", "maximum"):
        table.add_column(f"{heading} {unit}", justify="right")
    for name, figures in rows.items():
        spread = (min(figures), statistics.median(figures), max(figures))
        table.add_row(name, *(f"{figure:,.2f}" for figure in spread))
    console().print(table)
