"""`surajang bench rescale`: changes how much a network's scores count in the search."""

from pathlib import Path
from typing import Annotated

import click

from ...engine.game.description import VariantError
from ...engine.variant import Variant
from ...eval.network.file import NetworkError, load_network, save_network
from ...eval.network.installing import default_network_path
from ...protocol.terminal.command_options import NEW_FILE, Option, told_errors, with_options
from ...protocol.terminal.options import network_option, variant_option
from ..self_play.score_units import SEARCH_FACTOR, rescaled
from ..training.train_command import SEARCH_FACTORS


@click.command()
@variant_option
@network_option
@with_options
def main(
    variant: Variant,
    eval_file: Path | None,
    factor: Annotated[float, Option("Multiply the search factor by this.", type=SEARCH_FACTORS)],
    out: Annotated[Path, Option("The new file.", type=NEW_FILE)],
) -> None:
    """Scale a network's scores before they are compared with the margins of the search.

    Users see the same scores. `surajang bench duel` decides which of two files plays better.
    """
    path = eval_file or default_network_path(variant)
    with told_errors(NetworkError, VariantError):
        if not path.exists():
            raise NetworkError(f"{variant!r} comes without a network; name one by --eval-file")
        network = rescaled(load_network(path, variant), factor)
        save_network(out, network)
    whole = network.metadata[SEARCH_FACTOR]
    click.echo(f"{out}: {path.name} with search factor {whole:g}")
