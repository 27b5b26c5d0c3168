"""Material and squares, which enter the evaluation linearly: pieces are counted once.

A piece on a square is worth one number, its `value`, which is material and the table of squares together.
Squares that share a value form a class: mirror images do, except for kings."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.kernel.compiler import entry_point
from .records import unpacked

if TYPE_CHECKING:
    import numpy.typing as npt

    from ...engine.game.description import Description
    from ...eval.terms.weights import Parameters

    Floats = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.int64]


UNSEEN = 1e-9  # visits of a square that no piece was seen on: less than any other square's, but not 0


@entry_point
def _add_values(found, rows, places, signs, values):
    """Adds to each row of `found` the values of its pieces, negative for Black's."""
    for piece in range(len(rows)):
        found[rows[piece]] += signs[piece] * values[places[piece]]


@entry_point
def _add_errors(found, rows, places, signs, errors):
    """Adds to each value's slope in `found` the errors of the positions that its pieces are in."""
    for piece in range(len(rows)):
        found[places[piece]] += signs[piece] * errors[rows[piece]]


class PieceCounts:
    """The pieces of many positions by class, and the values of classes from parameters and back.

    `classes` is the number of classes; values are arrays of that length, in centipawns."""

    def __init__(self, records: "npt.NDArray[np.void]", rules: Any, description: "Description") -> None:
        self._rules, self._description, self._count = rules, description, len(records)
        self._class_of = square_classes(rules, description)
        self.classes = int(self._class_of.max()) + 1
        board = records["board"].astype(np.int64)
        rows, squares = np.nonzero(board != rules.no_kind)
        mine = unpacked(records["colours"][:, 0], rules.squares)[rows, squares]
        self._kinds = board[rows, squares]
        files = description.files
        turned = (rules.squares // files - 1 - squares // files) * files + squares % files
        self._places = self._class_of[self._kinds, np.where(mine, squares, turned)].astype(np.int32)
        self._rows, self._signs = rows.astype(np.int32), np.where(mine, 1, -1).astype(np.int8)

    def worth(self, values: "Floats") -> "Floats":
        """Centipawns of each position, White's view, by the values of classes."""
        found = np.zeros(self._count)
        _add_values(found, self._rows, self._places, self._signs, values)
        return found

    def slope(self, error: "Floats") -> "Floats":
        """The slope by each value, `error` being that by each position's worth: `worth` transposed."""
        found = np.zeros(self.classes)
        _add_errors(found, self._rows, self._places, self._signs, error)
        return found

    def values(self, parameters: "Parameters") -> "Floats":
        """The value of each class in the parameters: the mean over its squares."""
        whole = (parameters.material[:, None] + parameters.squares).ravel()
        classes = self._class_of.ravel()
        return np.bincount(classes, whole) / np.maximum(1, np.bincount(classes))

    def with_values(self, parameters: "Parameters", values: "Floats") -> "Parameters":
        """The parameters with these values, divided anew into material and squares.

        Material is what a piece is worth on average where it was seen. Kings keep their material, and kinds
        that were never seen keep everything."""
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

    def _visits(self, kind: int) -> "Floats":
        """How often a piece of that kind stood on squares of each class, spread over the class's squares."""
        classes = self._class_of[kind]
        counts = np.bincount(self._places[self._kinds == kind], minlength=self.classes)
        sizes = np.bincount(classes, minlength=self.classes)
        visits: Floats = counts[classes] / np.maximum(1, sizes[classes]) + UNSEEN
        return visits


def square_classes(rules: Any, description: "Description") -> "Integers":
    """By kind and square, White's view, the number of the class."""
    files = description.files
    squares = np.arange(rules.squares)
    mirrored = np.minimum(squares % files, files - 1 - squares % files) + files * (squares // files)
    table = np.array([squares if piece.royal else mirrored for piece in description.pieces])
    table = table + rules.squares * np.arange(rules.kinds)[:, None]
    return np.unique(table, return_inverse=True)[1].reshape(table.shape)
