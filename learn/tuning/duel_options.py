"""Options and errors that the commands for duels share."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import click

from ...protocol.terminal.command_options import Option, told_errors

SearchNodes = Annotated[int, Option("Nodes of each search.", least=100)]
Plies = Annotated[int, Option("Random plies of an opening.", least=0, most=200)]
NodeClock = Annotated[
    str | None,
    Option("A clock of nodes instead: nodes of a game and more with each move.", metavar="NODES[+NODES]"),
]
Processes = Annotated[int, Option("Number of processes.", least=1)]


@contextmanager
def word_errors() -> Iterator[None]:
    """Converts the errors of reading options to those of the command line."""
    try:
        with told_errors(ValueError, failures=()):
            yield
    except OSError as error:
        raise click.UsageError(f"{error.filename}: {error.strerror}") from None
