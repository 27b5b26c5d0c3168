"""Registers the user's own games by the path of a file or a folder."""

from pathlib import Path
from typing import NamedTuple

from ...engine.definition.catalogue import register
from ...engine.fairy_ini import SUFFIX
from ...engine.game.description import VariantError

FILE_VARIABLE = "SURAJANG_VARIANT_FILE"  # passes the file to engines that this process starts


class Registered(NamedTuple):
    """The names of the registered games, sentences for games that cannot be played, and warnings about lines
    with a surprising meaning."""

    names: list[str]
    refused: list[str]
    warnings: list[str]


def register_file(path: Path) -> str:
    """Registers the game in a TOML file, or the only one of an .ini file; returns its name. Raises
    VariantError."""
    if path.suffix == SUFFIX:
        names, refused, _ = _register_all(path)
        if len(names) + len(refused) > 1:
            raise VariantError(f"{path}: has several games; `surajang variants import` makes a file of each")
        return names[0]
    if path.suffix != ".toml":
        raise VariantError(
            f"{path}: the name of a game's file ends in .toml, or in .ini for Fairy-Stockfish's"
        )
    return register(path.resolve())


def _register_all(path: Path) -> Registered:
    """Registers the games of Fairy-Stockfish's file. Raises VariantError if none can be played."""
    from ...engine.fairy_ini.conversion import import_file, kept  # late: most games are read from TOML

    games = import_file(path)
    names, refused = [], list(map(str, games.refused.values()))
    warnings = list(games.warnings)
    for name, game in games.found.items():
        warnings += [f"{path.name}: [{name}] {warning}" for warning in game.warnings]
        try:
            names.append(register(kept(game)))
        except VariantError as error:
            refused.append(f"{path.name}: {str(error).rpartition('.toml: ')[2]}")
    if not names:
        raise VariantError(refused[0])
    return Registered(names, refused, warnings)


def _register_files(files: list[Path]) -> Registered:
    """Registers the games of TOML files; one that is wrong stops no other. Raises VariantError if none can be
    played."""
    names, refused = [], []
    for file in files:
        try:
            names.append(register_file(file))
        except VariantError as error:
            refused.append(str(error))
    if not names:
        raise VariantError(refused[0])
    return Registered(names, refused, [])


def register_path(text: str) -> Registered:
    """Registers the games of a file, or of all files of a folder; returns `Registered`. Raises VariantError
    if none can be played."""
    try:
        path = Path(text).expanduser()
        found = path.exists()
        files = sorted(path.glob("*.toml")) if path.is_dir() else [path]
    except (OSError, RuntimeError) as error:  # too long a name, a folder without permission, no such user
        raise VariantError(f"{text}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if not found:
        raise VariantError("there is no such file or folder")
    if not files:
        raise VariantError("the folder has no game; the name of a game's file ends in .toml")
    if path.suffix == SUFFIX and path.is_file():
        return _register_all(path)
    return _register_files(files)
