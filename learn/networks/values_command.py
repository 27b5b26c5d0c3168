"""`surajang bench values`: the values of pieces to a network, or to the hand-written evaluation."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click
from rich import box
from rich.console import Console

from ...engine.game.description import VariantError
from ...engine.variant import Variant
from ...match.results.plot_option import plot_option
from ...match.results.summary import decimal
from ...protocol.terminal.command_options import Option, told_errors, with_options
from ...protocol.terminal.console import table
from ...protocol.terminal.options import network_option, variant_option
from ...protocol.terminal.outputs import written
from ...protocol.terminal.progress import compiled_with_bar, counted

if TYPE_CHECKING:
    from ...engine.game.description import Description
    from .piece_values import Values


@click.command()
@variant_option
@network_option
@with_options
def main(
    variant: Variant,
    eval_file: Path | None,
    no_network: Annotated[bool, Option("Use the hand-written evaluation.")] = False,
    games: Annotated[int, Option("Games to play for positions.", least=2)] = 1000,
    seed: Annotated[int, Option("Seed of the games.", least=0, most=2**64 - 1)] = 1,
    plot: Annotated[Path | None, plot_option()] = None,
) -> None:
    """Show what pieces are worth to a network, on the board and in hand.

    The engine plays games against itself and splits the scores of their quiet positions into what each piece
    adds, in centipawns with standard errors.
    """
    from ...eval.network.file import NetworkError, load_network
    from ...eval.network.installing import default_network_path
    from ..self_play.generator import compile_all
    from .piece_values import positions_of, values_of

    if no_network and eval_file:
        raise click.UsageError("--no-network and --eval-file are two evaluations; give one of them")
    with told_errors(VariantError, NetworkError, ValueError, failures=()):
        description = variant.description
        path = None if no_network else eval_file or default_network_path(variant)
        network = load_network(path, variant) if path and path.exists() else None
        compiled_with_bar(variant, lambda progress: compile_all(variant, network, progress))
        with counted(f"playing {variant}", 0, games, "positions") as tell:
            positions, numbers = positions_of(variant, games, network, seed, tell)
        found = values_of(variant, positions, numbers, network)
    by = f"the network {path.name}" if network and path else "the hand-written evaluation"
    title = f"{description.title}: what pieces are worth to {by}"
    _show(title, description, found)
    if plot is not None:
        from .values_plot import plot_values

        with written(plot):
            plot_values(found, description, plot, title)
        click.echo(f"picture: {plot}")


def _show(title: str, description: "Description", found: "Values") -> None:
    hands = any(not math.isnan(value.hand) for value in found.pieces)
    click.echo(title)
    headings = ("piece", "", "file", "on the board", "±", *["in hand", "±"] * hands)
    shown = table(*headings, left=2, box=box.SIMPLE_HEAD)
    for value in found.pieces:
        row = [value.piece, description.piece(value.piece).name, str(value.file)]
        row += [decimal(value.board, 0), decimal(value.board_error, 0)]
        shown.add_row(*row, *[decimal(value.hand, 0), decimal(value.hand_error, 0)] * hands)
    console = Console(markup=False, highlight=False)
    console.print(shown)
    click.echo(
        f"The move is worth {found.turn:.0f} ± {found.turn_error:.0f}. {found.positions:,} positions of "
        f"{found.games:,} games; material explains {found.explained:.0%} of the variance of the scores."
    )
