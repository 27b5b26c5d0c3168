"""The console for tables and sentences of commands."""

import os
from typing import Any

import click
from rich.console import Console
from rich.table import Table

PIPED_WIDTH = 120  # columns


def console() -> Console:
    """The console for reports; PIPED_WIDTH columns wide if neither a terminal nor COLUMNS sets the width."""
    terminal = Console()
    return terminal if terminal.is_terminal or "COLUMNS" in os.environ else Console(width=PIPED_WIDTH)


def table(*headings: str, left: int = 1, **settings: Any) -> Table:
    """An empty table with its title on the left: columns of text, then columns of numbers. `settings` are
    those of `Table`."""
    found = Table(title_justify="left", **settings)
    for index, heading in enumerate(headings):
        found.add_column(heading, justify="left" if index < left else "right")
    return found


def say(text: str) -> None:
    """Prints a line of the report, without markup or wrapping."""
    console().print(text, highlight=False, soft_wrap=True, markup=False)


def note(text: str) -> None:
    """Prints a note on stderr that does not end the command."""
    click.echo(f"Note: {text}", err=True)
