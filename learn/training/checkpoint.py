"""The checkpoint of a training: its state and its current weights."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from ...engine.game.replaced_file import replacing

if TYPE_CHECKING:
    import numpy.typing as npt

    Arrays = Mapping[str, npt.NDArray[Any]]


class TrainingError(ValueError):
    """A training that cannot begin or continue; the text gives the reason."""


def save(path: Path, state: dict[str, Any], arrays: "Arrays") -> None:
    """Writes a checkpoint atomically. Raises OSError."""
    with replacing(path, synced=True) as file:
        text = np.frombuffer(json.dumps(state).encode(), np.uint8)
        np.savez(file, state=text, **arrays)  # type: ignore[arg-type]


def load(path: Path, names: Iterable[str]) -> "tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]":
    """(state, arrays by name) of a checkpoint. Raises TrainingError if it is damaged."""
    try:
        with np.load(path, allow_pickle=False) as found:
            state = json.loads(found["state"].tobytes())
            arrays = {name: found[name] for name in names}
        if not isinstance(state, dict):
            raise ValueError("its state is no object")
    except OSError as error:
        raise TrainingError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, EOFError, BadZipFile) as error:
        raise TrainingError(f"{path}: not a readable checkpoint: {error}") from None
    return state, arrays
