"""Finds the network of a game, installs a new one, and restores the previous one.

The network of a user's own game is beside its file. The network of a shipped game is beside the game, too;
one that the user trained is in the user's data folder and takes precedence."""

import os
import shutil
from pathlib import Path

import platformdirs

from ...engine.definition.catalogue import SHIPPED
from ...engine.variant import Variant
from .file import SUFFIX, Network, NetworkError, lender_of, load_network

FOLDER_VARIABLE = "SURAJANG_DATA_DIR"  # the user's data folder, if it is not the system's usual one
BEFORE = ".before"  # after the name of the network that a new one replaced


def user_network_path(variant: Variant) -> Path:
    """The path of a network that the user trained. Raises VariantError."""
    path = variant.description.path
    if path.parent not in SHIPPED:
        return path.with_suffix(SUFFIX)
    chosen = os.environ.get(FOLDER_VARIABLE)
    folder = Path(chosen) if chosen else Path(platformdirs.user_data_dir("surajang"))
    return folder / "networks" / path.with_suffix(SUFFIX).name


def default_network_path(variant: Variant) -> Path:
    """The path of a game's network: the user's, if there is one, else the one beside the game's file. A game
    that has neither may use that of the game that it extends (`lender_of`). Raises VariantError."""
    own = user_network_path(variant)
    path = own if own.exists() else variant.description.path.with_suffix(SUFFIX)
    lender = None if path.exists() else lender_of(variant)
    return path if lender is None else default_network_path(lender)


def default_network(variant: Variant) -> Network | None:
    """The game's network; None if it has none. Raises VariantError, NetworkError."""
    path = default_network_path(variant)
    return load_network(path, variant) if path.exists() else None


def install(network: str | os.PathLike[str], variant: Variant) -> Path:
    """Installs a network and returns its new path; keeps the previous network. Raises NetworkError for a
    damaged network or one of another game, VariantError, OSError."""
    load_network(network, variant)
    path = user_network_path(variant)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        shutil.copyfile(network, draft)
        if path.exists():
            os.replace(path, _before(path))
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
    return path


def take_back(variant: Variant) -> str:
    """Undoes the last `install`: restores the previous network, or none. Returns a sentence about it. Raises
    NetworkError if nothing can be undone, VariantError, OSError."""
    path = user_network_path(variant)
    if not path.exists():
        raise NetworkError(f"{path}: there is no network to take back")
    if _before(path).exists():
        os.replace(_before(path), path)
        return f"{path}: the network from before is back"
    path.unlink()
    shipped = variant.description.path.with_suffix(SUFFIX)
    then = f"the network {shipped.name} that comes with the game" if shipped.exists() else "no network"
    return f"{path} is deleted; the engine plays with {then}"


def _before(path: Path) -> Path:
    return path.with_name(path.name + BEFORE)
