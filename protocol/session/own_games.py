"""Games of the user's own, made known by the path of a file or a folder."""

from pathlib import Path

from ...engine.game.catalogue import register
from ...engine.game.description import VariantError

FILE_VARIABLE = "SURAJANG_VARIANT_FILE"  # how engines that this process starts learn of a file


def register_file(path: Path) -> str:
    """Makes the game in a TOML file known by its name; returns the name. Raises VariantError."""
    if path.suffix != ".toml":
        raise VariantError(f"{path}: the name of a game's file ends in .toml")
    return register(path.resolve())


def register_path(text: str) -> list[str]:
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
