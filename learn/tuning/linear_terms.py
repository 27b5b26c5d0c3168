"""Material and squares, in which the evaluation is linear: pieces are counted once.

A piece on a square has one `value`, the sum of material and table of squares. Squares that share a value form
a class: mirror images do, except for kings."""

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ...engine.game.description import Description
from ...engine.kernel.compiler import entry_point
from ...eval.terms.weights import Parameters
from ..self_play.array_types import Doubles, Integers, unpacked

UNSEEN = 1e-9  # visits of a square where no piece was seen: fewer than any other square's, but not 0


@entry_point
def _add_values(found, rows, places, signs, values):
    """Adds the values of its pieces to each row of `found`, negative for Black's."""
    for piece in range(len(rows)):
        found[rows[piece]] += signs[piece] * values[places[piece]]


@entry_point
def _add_errors(found, rows, places, signs, errors):
    """Adds the errors of a value's positions to its gradient in `found`."""
    for piece in range(len(rows)):
        found[places[piece]] += signs[piece] * errors[rows[piece]]


class PieceCounts:
    """The pieces of many positions by class; converts parameters to values of classes and back. `classes` is
    the number of classes; values are arrays of that length, in centipawns."""

    def __init__(self, records: npt.NDArray[np.void], rules: Any, description: Description) -> None:
        self._rules, self._description, self._count = rules, description, len(records)
        self._class_of = square_classes(rules, description)
        self.classes = int(self._class_of.max()) + 1
        board = records["board"].astype(np.int64)
        rows, squares = np.nonzero(board != rules.no_kind)
        mine = unpacked(records["colours"][:, 0], rules.squares)[rows, squares]
        self._kinds = board[rows, squares]
        files = description.files
        flipped = (rules.squares // files - 1 - squares // files) * files + squares % files
        self._places = self._class_of[self._kinds, np.where(mine, squares, flipped)].astype(np.int32)
        self._rows, self._signs = rows.astype(np.int32), np.where(mine, 1, -1).astype(np.int8)

    def worth(self, values: Doubles) -> Doubles:
        """Centipawns of each position for White, by the values of classes."""
        found = np.zeros(self._count)
        _add_values(found, self._rows, self._places, self._signs, values)
        return found

    def slope(self, error: Doubles) -> Doubles:
        """The gradient by the values, from the `error` by each position's worth: the transpose of `worth`."""
        found = np.zeros(self.classes)
        _add_errors(found, self._rows, self._places, self._signs, error)
        return found

    def values(self, parameters: Parameters) -> Doubles:
        """The value of each class in the parameters: the mean over its squares."""
        whole = (parameters.material[:, None] + parameters.squares).ravel()
        classes = self._class_of.ravel()
        return np.bincount(classes, whole) / np.maximum(1, np.bincount(classes))

    def with_values(self, parameters: Parameters, values: Doubles) -> Parameters:
        """The parameters with these values, divided again into material and squares. Material is the mean
        value of a piece on the squares where it was seen. Kings keep their material, and kinds that were
        never seen keep all values."""
        whole = values[self._class_of]
        material, squares = np.array(parameters.material, float), np.array(parameters.squares, float)
        seen = np.bincount(self._kinds, minlength=self._rules.kinds)
        for kind, piece in enumerate(self._description.pieces):
            if not (piece.royal or seen[kind]):
                continue
            if not piece.royal:
                material[kind] = np.average(whole[kind], weights=self._visits(kind))
            squares[kind] = whole[kind] - material[kind]
        return replace(parameters, material=material, squares=squares)

    def _visits(self, kind: int) -> Doubles:
        """How often a piece of that kind stood on squares of each class, divided by the squares of the
        class."""
        classes = self._class_of[kind]
        counts = np.bincount(self._places[self._kinds == kind], minlength=self.classes)
        sizes = np.bincount(classes, minlength=self.classes)
        visits: Doubles = counts[classes] / np.maximum(1, sizes[classes]) + UNSEEN
        return visits


def square_classes(rules: Any, description: Description) -> Integers:
    """The class number by kind and square, from White's view."""
    files = description.files
    squares = np.arange(rules.squares)
    mirrored = np.minimum(squares % files, files - 1 - squares % files) + files * (squares // files)
    table = np.array([squares if piece.royal else mirrored for piece in description.pieces])
    table = table + rules.squares * np.arange(rules.kinds)[:, None]
    return np.unique(table, return_inverse=True)[1].reshape(table.shape)
