"""The phases of a game: opening, middle game and ending, by the pieces that have moved and that are left."""

from collections import Counter
from collections.abc import Sequence

from ..engine.position import Position
from .tree import ROOT, Tree, advanced
from .view import pieces_of

OPENING, MIDDLE, ENDING = PHASES = range(3)
DEVELOPED = 0.65  # share of the pieces that have left their squares, from which on the opening is over
OPENING_PLIES = 30  # most of an opening
# Shares of the material, with that in hands, below which the opening is over and the ending begins.
OPENING_MATERIAL, ENDING_MATERIAL = 0.75, 0.45


def phases_of(tree: Tree, line: Sequence[int]) -> list[int]:
    """The phase of the position before each move of a line of nodes from the root. Phases never go back.

    The most frequent kind of the start counts as pawn. The opening is over when 65 % of the other pieces have
    left their squares, a quarter of the material is gone, or after OPENING_PLIES; the ending begins when less
    than 45 % of the material without royal pieces is left. In a game from another position than the start of
    the game, pieces that are not on their squares count as developed."""
    position = tree.position_at(ROOT)
    measure = _Measure(position, tree)
    found, phase = [], OPENING
    for number in line:
        phase = max(phase, measure.phase(position))
        found.append(phase)
        position = advanced(position, tree.nodes[number].move)
    return found


class _Measure:
    """What the phases of a game are measured by: the pieces at its start."""

    def __init__(self, root: Position, tree: Tree) -> None:
        description = root.description
        # Royal pieces count nothing.
        self._values = {piece.letter: 0 if piece.royal else piece.value for piece in description.pieces}
        start = root if tree.start is not None else Position(tree.variant)
        pieces = pieces_of(start)
        kinds = Counter(letter.upper() for letter in pieces.values())
        pawn = kinds.most_common(1)[0][0]
        self._homes = {square: letter for square, letter in pieces.items() if letter.upper() != pawn}
        self._material = max(1.0, self._material_of(start))

    def phase(self, position: Position) -> int:
        pieces = pieces_of(position)
        material = self._material_of(position) / self._material
        if material < ENDING_MATERIAL:
            return ENDING
        home = sum(pieces.get(square) == letter for square, letter in self._homes.items())
        developed = home <= (1 - DEVELOPED) * len(self._homes)
        over = developed or material < OPENING_MATERIAL or position.ply >= OPENING_PLIES
        return MIDDLE if over else OPENING

    def _material_of(self, position: Position) -> float:
        hands = [(letter, count) for side in (0, 1) for letter, count in position.hand(side).items()]
        board = sum(self._values[letter.upper()] for letter in pieces_of(position).values())
        return board + sum(count * self._values[letter] for letter, count in hands)
