"""The options of benchmarks."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import click

from ...protocol.session.resources import memory_left
from ...protocol.terminal.command_options import FILE, NEW_FILE, Option

AGAINST_HELP = "Let another engine do the same work in turn: a command line, or \"cmd='...' option.Hash=64\"."


def _within_memory(context: click.Context, parameter: click.Parameter, megabytes: int) -> int:
    """The size of the table. Raises BadParameter for one that does not fit into the free memory."""
    if megabytes > memory_left():
        raise click.BadParameter("this machine does not have so much memory")
    return megabytes


Fen = Annotated[str | None, Option("One position; the game's list by default.", metavar="FEN")]
Runs = Annotated[int, Option("Rounds over all of the work.", least=1)]
Depth = Annotated[
    int | None, Option("Plies to search; by default suited to each position.", least=1, most=100)
]
HashMb = Annotated[int, Option("Size of the table in MB.", "--hash", least=1, callback=_within_memory)]
Against = Annotated[str | None, Option(AGAINST_HELP, metavar="ENGINE")]


@dataclass(frozen=True)
class Report:
    """The number of runs, the file for all figures, and the saved file to compare with."""

    runs: Runs = 5
    json_file: Annotated[Path | None, Option("Save all figures in this file.", "--json", type=NEW_FILE)] = (
        None
    )
    compare: Annotated[Path | None, Option("Compare with the figures in this file.", type=FILE)] = None


@dataclass(frozen=True)
class Searching:
    """The searching engine: this one, and another one in turn if `against` names it."""

    threads: Annotated[int, Option("Number of search threads.", least=1)] = 1
    hash_mb: HashMb = 64
    against: Against = None

    @property
    def parameters(self) -> dict[str, object]:
        """The parameters that must be the same for comparable figures."""
        return {"threads": self.threads, "hash": self.hash_mb}
