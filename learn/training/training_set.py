"""The positions that a network learns from and is tested with: games of some files, and how they get targets.

The positions to test with are in memory. Those to learn from are decoded when they are wanted, a chunk of
games at a time, so their number costs no memory."""

from typing import TYPE_CHECKING

import numpy as np

from ...eval.network.output_buckets import BOARD
from ..self_play.games_file import GamesError
from .decoding import Choice, Decoder, Targets
from .samples import samples_for
from .survey import HELD_OUT

if TYPE_CHECKING:
    from .samples import Samples
    from .survey import Survey


class TrainingSet:
    """The positions of a `survey`: `positions` to learn from, and the `Samples` that are `held_out`; outputs
    are chosen by `output_buckets`. Raises GamesError for too few games."""

    def __init__(self, survey: "Survey", targets: Targets, output_buckets: str = BOARD) -> None:
        self.survey, self.variant = survey, survey.variant
        self._decoder = Decoder(survey.variant, targets, output_buckets)
        self.positions, tested = int(survey.to_learn.sum()), int(survey.held_out.sum())
        if not (self.positions and tested):
            paths = ", ".join(str(file.path) for file in survey.files)
            raise GamesError(
                f"{paths}: {self.positions} positions to learn from and {tested} to test with: more games are"
                f" needed (one in {HELD_OUT} is held out)"
            )
        self.held_out = self._held_out(tested)

    def _held_out(self, count: int) -> "Samples":
        room = samples_for(count, count * self.most)
        behind = 0
        for chunk in np.flatnonzero(self.survey.held_out).tolist():
            behind = self._decode(chunk, True, room, behind)
        rows = room.rows[: room.starts[count]].copy()
        return room._replace(rows=rows)

    @property
    def most(self) -> int:
        """The most features of a position."""
        return int(self._decoder.features.most)

    def load(self, chunk: int, samples: "Samples", first: int) -> int:
        """Packs the positions to learn from of a chunk behind sample `first`; returns the number behind the
        last one. Raises GamesError where the file is not what it was."""
        return self._decode(chunk, False, samples, first)

    def _decode(self, chunk: int, held_out: bool, samples: "Samples", first: int) -> int:
        file = self.survey.files[self.survey.chunks[chunk]["file"]]
        choice = Choice(self.survey.modulus, held_out)
        return self._decoder.decode(self.survey.read(chunk), choice, file.factor, samples, first)
