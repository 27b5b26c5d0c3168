"""Converts the games of a Fairy-Stockfish file to files of ours; each file is written atomically."""

import hashlib
import os
import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

import platformdirs

from ..game.description import VariantError
from ..game.replaced_file import replacing
from .importing import Imported, import_game
from .ini import IniFile, read_file, some


class Games(NamedTuple):
    """The results of a conversion: the games that can be played, and the reasons for the others, by their
    names in the file; and warnings on the file as a whole."""

    found: dict[str, Imported]
    refused: dict[str, VariantError]
    warnings: list[str]


def import_file(path: str | Path, names: Collection[str] = ()) -> Games:
    """Imports the games of a file, or those of the given names. Raises VariantError for a file that cannot be
    read, and for a name that is not in it."""
    path = Path(path)
    file: IniFile = read_file(path)
    if not file.sections:
        raise VariantError(f"{path.name}: has no game; a game begins with '[name]' or '[name:template]'")
    games = Games({}, {}, file.warnings)
    owners: dict[str, str] = {}
    for name in names or file.sections:
        try:
            if name not in file.sections:
                known = some(file.sections)
                raise VariantError(f"{path.name}: [{name}]: the file has no such game ({known})")
            game = import_game(name, file)
            if game.name in owners:
                raise VariantError(
                    f"{path.name}: [{name}]: is called {game.name!r} here, as {owners[game.name]} is"
                )
            games.found[name], owners[game.name] = game, name
        except VariantError as error:
            games.refused[name] = error
    return games


def write(game: Imported, folder: Path) -> Path:
    """Writes the file of an `Imported` game to a folder atomically; returns its path. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{game.name}.toml"
    with replacing(path) as file:
        file.write(game.toml.encode())
    return path


def would_replace(game: Imported, folder: Path) -> Path | None:
    """The file in a folder that `write` would replace although it is no import from that file; or None."""
    path = folder / f"{game.name}.toml"
    try:
        there = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        return path
    return None if there.get("source") == tomllib.loads(game.toml)["source"] else path


def kept(game: Imported) -> Path:
    """The path of the file of an `Imported` game in the user's folder for such files. Raises VariantError."""
    chosen = os.environ.get("SURAJANG_CACHE_DIR")
    base = Path(chosen) if chosen else Path(platformdirs.user_cache_dir("surajang"))
    digest = hashlib.sha256(game.toml.encode()).hexdigest()[:16]
    try:
        return write(game, base / "imported" / digest)
    except OSError as error:
        raise VariantError(f"{base}: the game {game.name!r} cannot be kept there: {error.strerror}") from None
