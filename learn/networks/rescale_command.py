"""`surajang bench rescale`: a network that counts more or less in the search."""

from pathlib import Path

import click

from ...engine.game.description import VariantError
from ...eval.network.file import NetworkError
from ...protocol.terminal.options import network_option, variant_option
from ...protocol.terminal.outputs import OutputFile
from ..training.train_command import SEARCH_FACTORS


@click.command()
@variant_option
@network_option
@click.option("--factor", required=True, type=SEARCH_FACTORS, help="Multiply the search factor by this.")
@click.option("--out", required=True, type=OutputFile(), help="The new file.")
def main(variant: str, eval_file: Path | None, factor: float, out: Path) -> None:
    """Scale a network's scores before they are compared with the margins of the search.

    Users see the same scores. `surajang bench duel` decides which of two files plays better.
    """
    from ...eval.network.file import load_network, save_network
    from ...eval.network.installing import default_network_path
    from ..training.score_units import SEARCH_FACTOR, rescaled

    path = eval_file or default_network_path(variant)
    try:
        if not path.exists():
            raise NetworkError(f"{variant!r} comes without a network; name one by --eval-file")
        network = rescaled(load_network(path, variant), factor)
        save_network(out, network)
    except (NetworkError, VariantError) as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        raise click.ClickException(str(error)) from None
    whole = network.certificate[SEARCH_FACTOR]
    click.echo(f"{out}: {path.name} with search factor {whole:g}")
