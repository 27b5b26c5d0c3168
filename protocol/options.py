"""Command-line options that several commands share: the game, by its name or by its file."""

import os
from difflib import get_close_matches
from pathlib import Path

import click
from click.core import ParameterSource

from ..engine.description import VariantError, available, load, register

FILE_VARIABLE = "SURAJANG_VARIANT_FILE"  # how engines that this process starts learn of the file
_CHOSEN = "surajang.variant"  # key in the context: the game of the file that the command line names


def known_game(name):
    """The `Description` of the game of that name. Raises VariantError, with a suggestion if one is close."""
    if name.endswith(".toml"):
        raise VariantError(f"{name!r} is a file, which --variant-file names; a variant is known by its name")
    if name not in available():
        close = get_close_matches(name, available(), n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise VariantError(f"unknown variant {name!r}{hint} (known: {', '.join(available())})")
    return load(name)


def register_file(path):
    """Makes the game in a TOML file known by its name; returns the name. Raises VariantError."""
    if path.suffix != ".toml":
        raise VariantError(f"{path}: the name of a game's file ends in .toml")
    return register(path.resolve())


def register_path(text):
    """Makes the games of a file, or of all files of a folder, known by their names, which it returns. Raises
    VariantError."""
    try:
        path = Path(text).expanduser()
        found = path.exists()
        files = sorted(path.glob("*.toml")) if path.is_dir() else [path]
    except (OSError, RuntimeError) as error:  # too long a name, a folder that nobody may read, no such user
        raise VariantError(f"{text}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if not found:
        raise VariantError("there is no such file or folder")
    if not files:
        raise VariantError("the folder has no game; the name of a game's file ends in .toml")
    return [register_file(file) for file in files]


def _register(context, parameter, path):
    """Registers the file here and for engines started from here.

    A file that the command line names chooses its game, too; the variable only makes one known.
    """
    if path is None:
        return
    try:
        name = register_file(path)
    except VariantError as error:
        raise click.BadParameter(str(error)) from None
    if context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE:
        context.meta[_CHOSEN] = name
        os.environ[FILE_VARIABLE] = str(path.resolve())


def _choose(context, parameter, name):
    """The name of the game that the options choose together."""
    chosen = context.meta.get(_CHOSEN)
    if chosen is not None and context.get_parameter_source(parameter.name) is ParameterSource.DEFAULT:
        return chosen
    try:
        known_game(name)
    except VariantError as error:
        raise click.BadParameter(str(error)) from None
    if chosen not in (None, name):
        raise click.BadParameter(f"{name!r}, but the game in the file of --variant-file is {chosen!r}")
    return name


variant_file_option = click.option(
    "--variant-file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    is_eager=True,
    expose_value=False,
    envvar=FILE_VARIABLE,
    callback=_register,
    help="A game of your own: its TOML file.",
)
_variant_name_option = click.option(
    "--variant",
    default="pandemonium",
    show_default=True,
    metavar="NAME",
    callback=_choose,
    help="The game.",
)


def variant_option(function):
    """The options --variant and --variant-file, as the one argument `variant`: the name of a game."""
    return _variant_name_option(variant_file_option(function))


def position_of(variant, fen):
    """The `Position` that the options name. Raises BadParameter for a FEN that cannot be set up."""
    from ..engine.position import FenError, Position

    try:
        return Position(variant, fen)
    except FenError as error:
        raise click.BadParameter(str(error), param_hint="--fen") from None
