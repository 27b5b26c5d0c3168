"""Command-line options that several commands share."""

import click

from ..engine.description import VariantError, load


def _known(context, parameter, value):
    """The name itself, when a game of that name can be loaded."""
    try:
        load(value)
    except VariantError as error:
        raise click.BadParameter(str(error)) from None
    return value


variant_option = click.option(
    "--variant",
    default="pandemonium",
    show_default=True,
    metavar="NAME",
    callback=_known,
    help="The game.",
)


def position_of(variant, fen):
    """The `Position` that the options name. Raises BadParameter for a FEN that cannot be set up."""
    from ..engine.position import FenError, Position

    try:
        return Position(variant, fen)
    except FenError as error:
        raise click.BadParameter(str(error), param_hint="--fen") from None
