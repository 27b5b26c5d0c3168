"""`surajang bench average`: averages the weights of networks."""

from pathlib import Path
from typing import Annotated

import click

from ...eval.network.file import NetworkError, game_of, load_network, save_network
from ...protocol.terminal.command_options import FILE, NEW_FILE, Option, told_errors, with_options
from ...protocol.terminal.options import told_unknown_game, variant_file_option
from .averaging import AVERAGE_OF, averaged


def _numbers(text: str) -> list[float]:
    """The numbers of a text such as "0.6,0.4". Raises ValueError."""
    try:
        return [float(word) for word in text.split(",")]
    except ValueError:
        raise ValueError(f"{text!r} are not numbers with commas between them, such as 0.6,0.4") from None


@click.command()
@variant_file_option
@click.argument("files", nargs=-1, type=FILE, required=True)
@with_options
def main(
    files: tuple[Path, ...],
    out: Annotated[Path, Option("The new file.", type=NEW_FILE)],
    shares: Annotated[
        list[float] | None,
        Option("Shares of the files, such as 0.6,0.4.  [default: equal]", parse=_numbers, metavar="NUMBERS"),
    ] = None,
) -> None:
    """Average the weights of the networks in FILES.

    One should have been trained further from the other. Where that gained little, the average may play
    better than both; `surajang bench duel` decides. The new file has the units and the search factor of the
    first network.
    """
    with told_errors(NetworkError), told_unknown_game():
        networks = [(path.name, load_network(path, game_of(path))) for path in files]
        network = averaged(networks, shares if shares is not None else [1.0] * len(files))
        save_network(out, network)
    listed = ", ".join(f"{share:g} of {name}" for name, share in network.metadata[AVERAGE_OF])
    click.echo(f"{out}: {listed}")
