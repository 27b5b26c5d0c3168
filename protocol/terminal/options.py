"""Options that several commands share: the game, by its name or its file."""

import os
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from ...engine.game.description import VariantError
from ...engine.variant import Variant
from ..session.user_games import FILE_VARIABLE, register_file

if TYPE_CHECKING:
    from ...engine.position import Position

Function = TypeVar("Function", bound=Callable[..., Any])

_CHOSEN = "surajang.variant"  # key in the context: the game of the file that the command line names


def known_game(name: str) -> Variant:
    """The game of that name. Raises VariantError, with a suggestion if one is close."""
    if name.endswith(".toml"):
        raise VariantError(f"{name!r} is a file, which --variant-file names; a variant is known by its name")
    return Variant(name).check()


def _register(context: click.Context, parameter: click.Parameter, path: Path | None) -> None:
    """Registers the file here and for engines started from here. A file on the command line also selects its
    game; the variable only registers it."""
    if path is None:
        return
    try:
        name = register_file(path)
    except VariantError as error:
        raise click.BadParameter(str(error)) from None
    if context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE:
        context.meta[_CHOSEN] = Variant(name)
        os.environ[FILE_VARIABLE] = str(path.resolve())


def _choose(context: click.Context, parameter: click.Parameter, name: str) -> Variant:
    """The name of the game that the options select together."""
    chosen: Variant | None = context.meta.get(_CHOSEN)
    if chosen is not None and context.get_parameter_source(parameter.name) is ParameterSource.DEFAULT:
        return chosen
    try:
        variant = known_game(name)
    except VariantError as error:
        raise click.BadParameter(str(error)) from None
    if chosen not in (None, name):
        raise click.BadParameter(f"{name!r}, but the game in the file of --variant-file is {chosen!r}")
    return variant


@contextmanager
def told_unknown_game() -> Iterator[None]:
    """Converts the VariantError of a file that is of an unknown game to a usage error."""
    try:
        yield
    except VariantError as error:
        own = "a game of your own needs --variant-file with its file"
        raise click.UsageError(f"{error}; {own}") from None


def refuse_beside(context: click.Context, free: Collection[str], reason: str) -> None:
    """Raises UsageError for an option on the command line whose name is not in `free`; the reason follows the
    option's name in the message."""
    for parameter in context.command.params:
        given = context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE
        if given and parameter.name not in free:
            raise click.UsageError(f"{parameter.opts[0]} cannot be combined with {reason}")


def game_by_file() -> Variant | None:
    """The name of the game in the file on the command line, or None."""
    chosen: Variant | None = click.get_current_context().meta.get(_CHOSEN)
    return chosen


variant_file_option = click.option(
    "--variant-file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    is_eager=True,
    expose_value=False,
    envvar=FILE_VARIABLE,
    callback=_register,
    help="The TOML file of your own game.",
)
_variant_name_option = click.option(
    "--variant", default="pandemonium", show_default=True, metavar="NAME", callback=_choose, help="The game."
)


network_option = click.option(
    "--eval-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The network.  [default: the one that comes with the game, if any]",
)


def variant_option(function: Function) -> Function:
    """The options --variant and --variant-file, as the single argument `variant`: the name of a game."""
    return _variant_name_option(variant_file_option(function))


def position_of(variant: Variant, fen: str | None) -> "Position":
    """The `Position` of the options; its notes go to standard error. Raises BadParameter for a FEN that
    cannot be set up."""
    from ...engine.position import FenError, Position

    try:
        position = Position(variant, fen)
    except FenError as error:
        raise click.BadParameter(str(error), param_hint="--fen") from None
    for note in position.notes:
        click.echo(f"--fen: {note}", err=True)
    return position
