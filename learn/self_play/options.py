"""Options of commands that play games of the engine against itself."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from ...engine.variant import Variant
from ...match.workers.options import own_file
from ...protocol.terminal.command_options import FILE, Cluster, Option

if TYPE_CHECKING:
    from .generator import PlayGames

NODES = 1000

Plies = Annotated[int, Option("Random plies at the start of a game.", least=0, most=200)]
Seed = Annotated[int, Option("Seed of the random moves.", least=0, most=2**64 - 1)]
MostGames = Annotated[int, Option("Maximum number of games.", least=1)]
Concurrency = Annotated[int, Option("Number of processes that play.", least=1)]


@dataclass(frozen=True)
class SelfPlayOptions:
    """The options for which games are played, and where."""

    nodes: Annotated[
        int | None,
        Option(f"Average nodes of a search, which finishes its iteration.  [default: {NODES}]", least=1),
    ] = None
    depth: Annotated[int | None, Option("Depth of each search in plies instead.", least=1, most=100)] = None
    plies: Plies = 8
    seed: Seed = 1
    eval_file: Annotated[
        Path | None, Option("The network that plays.  [default: the hand-written evaluation]", type=FILE)
    ] = None
    concurrency: Concurrency = 1
    cluster: Cluster = None

    def work(self, variant: Variant, starts: int = 1, **more: int) -> "PlayGames":
        """The `PlayGames` of these options from so many `starts`, with the `Settings` in `more`; prints which
        evaluation plays. Raises UsageError for two limits, VariantError, NetworkError."""
        from ...eval.network.file import load_network
        from .compiled_games import Settings
        from .games_file import Header
        from .generator import PlayGames

        if self.nodes is not None and self.depth is not None:
            raise click.UsageError("--nodes and --depth both limit a search; use one of them")
        nodes = None if self.depth else self.nodes or NODES
        settings = Settings(nodes=nodes, depth=self.depth, plies=self.plies, seed=self.seed, **more)
        network = load_network(self.eval_file, variant) if self.eval_file else None
        header = Header.of(variant, settings, network, starts)
        click.echo(f"{variant}: games by {header.player}", err=True)
        data = self.eval_file.read_bytes() if self.eval_file else None
        return PlayGames(header, own_file(variant), data)
