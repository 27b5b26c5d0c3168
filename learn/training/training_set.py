"""The training and test positions of a network, from files of games, and their targets.

The test positions are in memory. The training positions are decoded when they are needed, a chunk of games at
a time, so their number costs no memory."""

import numpy as np

from ...eval.network.output_buckets import BOARD
from ..self_play.games_file import GamesError
from .decoding import Choice, Decoder, Targets
from .samples import Samples, samples_for
from .survey import HELD_OUT, Survey


class TrainingSet:
    """The positions of a `survey`: `positions` for training, and the `held_out` `Samples` for testing;
    `output_buckets` selects the outputs. Raises GamesError for too few games."""

    def __init__(self, survey: Survey, targets: Targets, output_buckets: str = BOARD) -> None:
        self.survey, self.variant = survey, survey.variant
        self._decoder = Decoder(survey.variant, targets, output_buckets)
        self.positions, tested = int(survey.to_learn.sum()), int(survey.held_out.sum())
        if not (self.positions and tested):
            paths = ", ".join(str(file.path) for file in survey.files)
            raise GamesError(
                f"{paths}: {self.positions} positions to learn from and {tested} for testing; more games are"
                f" needed (one in {HELD_OUT} is held out)"
            )
        self.held_out = self._held_out(tested)

    def _held_out(self, count: int) -> Samples:
        room = samples_for(count, count * self.most)
        behind = 0
        for chunk in np.flatnonzero(self.survey.held_out).tolist():
            behind = self._decode(chunk, True, room, behind)
        rows = room.rows[: room.starts[count]].copy()
        return room._replace(rows=rows)

    @property
    def most(self) -> int:
        """The largest number of features of a position."""
        return int(self._decoder.features.most)

    def load(self, chunk: int, samples: Samples, first: int) -> int:
        """Packs the training positions of a chunk after sample `first`; returns the number after the last
        one. Raises GamesError if the file has changed."""
        return self._decode(chunk, False, samples, first)

    def _decode(self, chunk: int, held_out: bool, samples: Samples, first: int) -> int:
        file = self.survey.files[self.survey.chunks[chunk]["file"]]
        choice = Choice(self.survey.modulus, held_out)
        data = self.survey.read(chunk)
        return self._decoder.survey(data, choice, file.factor, samples, first, starts=file.starts)[0]
