"""The quiet positions of self-play games, in the form for the tuner."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...engine.variant import Variant
from ..self_play.games_file import GamesError
from ..self_play.positions import read_positions


class LabelledPositions(NamedTuple):
    """Positions as records of `position_dtype`, the scores of their searches in centipawns, and the points
    of their games, both White's."""

    positions: np.ndarray
    scores: np.ndarray
    points: np.ndarray


def read_games(path: Path, variant: Variant) -> LabelledPositions:
    """The `LabelledPositions` of a file of games. Raises GamesError if it cannot be read, is of another game
    or has none."""
    batches = list(read_positions(path, variant))
    if not sum(len(batch.plies) for batch in batches):
        raise GamesError(f"{path}: there are no positions in it")
    results = np.concatenate([batch.results for batch in batches])
    return LabelledPositions(
        np.concatenate([batch.positions for batch in batches]),
        np.concatenate([batch.scores for batch in batches]).astype(float),
        (results + 1) / 2,
    )
