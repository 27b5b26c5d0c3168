"""`surajang install-gui`: adds the engine to the GUIs of this user, or removes it."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from ...engine.definition.catalogue import available, shipped
from ...engine.game.description import VariantError
from ...engine.game.replaced_file import replacing
from ...engine.variant import Variant
from ...eval.network.installing import default_network_path
from ..terminal.interrupts import ending_at_once
from ..terminal.progress import compile_together, compiling
from .gui_settings import GUIS, MODULE, GuiSettings, SettingsError

START_SECONDS = 60  # for the engine to print its version


@click.command()
@click.option(
    "--gui",
    "names",
    type=click.Choice(list(GUIS)),
    multiple=True,
    help="Choose this GUI, even if it was never run; may be repeated.",
)
@click.option("--remove", is_flag=True, help="Remove the engine from the lists.")
@click.option("--print", "only_print", is_flag=True, help="Only show what would be written, and where.")
@click.option("--compile/--no-compile", "compiles", default=True, help="Compile the games now.")
def main(names: tuple[str, ...], remove: bool, only_print: bool, compiles: bool) -> None:
    """Add the engine to the lists of XBoard, Cute Chess and PyChess, and compile its games.

    Without --gui the command serves the GUIs that you have run before. Close them first, because they write
    their lists of engines when they end. Exit code 1 if a list could not be written, or no GUI was found.
    """
    command = [sys.executable, *MODULE]
    chosen = {
        name: GUIS[name] for name in names or [name for name, gui in GUIS.items() if gui.trace.exists()]
    }
    trouble = False
    for gui in chosen.values():
        try:
            _serve(gui, command, remove, only_print)
        except (SettingsError, OSError) as error:
            trouble = True
            click.echo(f"Error: {gui.title}: {error}", err=True)
    for name, gui in GUIS.items():
        if not names and name not in chosen:
            click.echo(f"{gui.title}: skipped, there is no {gui.trace}; --gui {name} writes it anyway")
    if chosen and not remove and not _starts(command):
        click.echo("Warning: a GUI will not find the engine: install it (`pip install .`) first", err=True)
    if chosen and compiles and not (remove or only_print):
        _compile_all()
    if trouble or not (chosen or remove):
        sys.exit(1)


def _compile_all() -> None:
    """Compiles the games that have a network and the user's own, so that no GUI has to wait for them. All
    others would take half an hour; each is compiled when it is first played."""
    from ...search.native_code import prefer_native_code

    own = set(available()) - set(shipped())
    wanted = [
        name for name in map(Variant, available()) if name in own or default_network_path(name).exists()
    ]
    failures: list[str] = []

    def compile_if_possible(name: Variant, progress: Callable[[int, int, str], object]) -> None:
        try:
            compiling(name)(progress)
        except VariantError as error:
            failures.append(f"Warning: {name} is not compiled: {error}")

    with ending_at_once():
        prefer_native_code()
    compile_together([(name, partial(compile_if_possible, name)) for name in wanted], "game")
    for failure in failures:
        click.echo(failure, err=True)


def _serve(gui: GuiSettings, command: list[str], remove: bool, only_print: bool) -> None:
    """Changes the list of one GUI. Raises SettingsError and OSError; the file is then unchanged."""
    text = _read(gui.path)
    if remove:
        new = gui.without_engine(text) if text is not None else None
    else:
        new = gui.with_engine(text, command)
    if new is None or new == text:
        click.echo(f"{gui.title}: {gui.path} is not changed")
    elif only_print:
        click.echo(f"{gui.title}: {gui.path} would be")
        click.echo(new, nl=not new.endswith("\n"))
    else:
        write_whole(gui.path, new)
        click.echo(f"{gui.title}: {'removed from' if remove else 'entered in'} {gui.path}")


def _read(path: Path) -> str | None:
    """The text of a file, None if it does not exist. Bytes that are not UTF-8 survive a round trip."""
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None


def write_whole(path: Path, text: str) -> None:
    """Writes a file atomically. Raises OSError. A link is followed, and the permissions of the file stay."""
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    rights = path.stat().st_mode & 0o7777 if path.exists() else 0o644
    with replacing(path, synced=True) as file:
        os.chmod(file.name, rights)
        file.write(text.encode("utf-8", "surrogateescape"))


def _starts(command: list[str]) -> bool:
    """Whether the command starts in a GUI's environment: in another folder, and without this shell's
    PYTHONPATH."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with tempfile.TemporaryDirectory() as folder:
        run = [*command, "--version"]
        try:
            done = subprocess.run(
                run, cwd=folder, env=environment, capture_output=True, timeout=START_SECONDS
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
    return done.returncode == 0
