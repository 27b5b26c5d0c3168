"""Where the commands of bench print their tables and sentences."""

import os

from rich.console import Console

PIPED_WIDTH = 120  # columns


def console() -> Console:
    """Where reports go; wide enough for their tables where no terminal says otherwise."""
    terminal = Console()
    return terminal if terminal.is_terminal or "COLUMNS" in os.environ else Console(width=PIPED_WIDTH)


def say(text: str) -> None:
    """A line of the report, as it stands."""
    console().print(text, highlight=False, soft_wrap=True, markup=False)
