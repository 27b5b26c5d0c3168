"""What the commands that play duels share: options, and the errors of their words."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import click

from ...protocol.terminal.command_options import Option, told_errors

SearchNodes = Annotated[int, Option("Of each search.", least=100)]
NodeClock = Annotated[
    str | None,
    Option(
        "Nodes of a game, and of each move beside, instead: the players share them out as they would time.",
        metavar="NODES[+NODES]",
    ),
]
Processes = Annotated[int, Option("Processes.", least=1)]


@contextmanager
def word_errors() -> Iterator[None]:
    """Turns the errors of reading options into those that the command line shows."""
    try:
        with told_errors(ValueError, failures=()):
            yield
    except OSError as error:
        raise click.UsageError(f"{error.filename}: {error.strerror}") from None
