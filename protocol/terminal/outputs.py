"""Options for files that a command will write, checked before the work begins, so that no work is lost."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click


class OutputFile(click.Path):
    """A file to be written. The file, old or new, must be writable, and its folder must exist, unless the
    command `makes_folders`."""

    name = "file"

    def __init__(self, makes_folders: bool = False) -> None:
        super().__init__(dir_okay=False, path_type=Path)
        self._makes_folders = makes_folders

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path. Fails with a sentence that quotes it."""
        path = Path(str(super().convert(value, param, ctx)))
        to_be_made = self._makes_folders and not path.parent.exists()
        if reason := why_no_folder(path.parent) if to_be_made else why_no_file(path):
            self.fail(f"{str(path)!r} cannot be written: {reason}", param, ctx)
        return path


class OutputFolder(click.Path):
    """A folder to be written into; it may not exist yet."""

    name = "directory"

    def __init__(self) -> None:
        super().__init__(file_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path. Fails with a sentence that quotes it."""
        path = Path(str(super().convert(value, param, ctx)))
        if reason := why_no_folder(path):
            self.fail(f"{str(path)!r} cannot be used: {reason}", param, ctx)
        return path


@contextmanager
def written(path: Path) -> Iterator[None]:
    """A context for writing a file after the work: an OSError ends the command with a sentence."""
    try:
        yield
    except OSError as error:
        raise click.ClickException(f"{str(path)!r} cannot be written: {error.strerror or error}") from None


def why_no_file(path: Path) -> str | None:
    """The reason why a file cannot be written, None if it can. An existing file does not change."""
    if not path.parent.is_dir():
        return f"there is no folder {str(path.parent)!r}"
    there = path.exists()
    if there and not path.is_file():
        return None  # a device or a pipe, which waits for its other end
    try:
        path.open("ab").close()
    except OSError as error:
        return error.strerror or str(error)
    if not there:
        path.unlink(missing_ok=True)
    return None


def why_no_folder(path: Path) -> str | None:
    """The reason why a folder, or the one in which it would be made, is not writable; None if it is."""
    place = path.absolute()
    while not place.exists() and place != place.parent:
        place = place.parent
    if not place.is_dir():
        return f"{str(place)!r} is not a folder"
    try:
        tempfile.TemporaryFile(dir=place).close()
    except OSError as error:
        return f"{str(place)!r} cannot be written into: {error.strerror or error}"
    return None
