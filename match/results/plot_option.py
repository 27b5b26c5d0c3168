"""The option of commands that draw a picture."""

from pathlib import Path

import click

from ...protocol.terminal.command_options import NEW_FILE, Option


def _checked(context: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
    """The path. Raises BadParameter for a suffix that is not a picture's, and without matplotlib."""
    if path is None:
        return None
    try:
        from .plots import check_plot

        return check_plot(path)
    except (ImportError, ValueError) as error:
        raise click.BadParameter(str(error)) from None


def plot_option(help: str = "Draw the values: PNG, SVG, PDF.") -> Option:
    """The option of a picture's file, which is checked before the work begins."""
    return Option(help, type=NEW_FILE, callback=_checked)
