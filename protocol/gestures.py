"""What the user of XBoard does with the mouse, told by `lift`, `hover` and `put`: the engine answers where a
piece may go, what a move would do, and what a piece may become."""

from .highlight import CHOICE, consequences, marks, promotions
from .notation import Notation


class Gestures:
    """The piece in the user's hand, in the game of a `Session`. `write_line` takes what XBoard is told."""

    def __init__(self, session, write_line):
        self._session = session
        self._write = write_line
        self._lifted = None  # the number of a square, or the letter of a piece in the hand

    def do_lift(self, argument):
        notation = self._notation
        self._lifted = notation.read_square(argument)
        if self._lifted is None:
            self._lifted = notation.read_hand_square(argument)
        self._show(marks(self._session.position, self._lifted))

    def do_hover(self, argument):
        """Shows what else a move does, among the marks of the lifted piece: XBoard forgets those before."""
        position = self._session.position
        if position is None:
            return
        others = consequences(position, self._lifted, self._notation.read_square(argument))
        if others:
            self._show(others | marks(position, self._lifted))

    def do_put(self, argument):
        position, notation = self._session.position, self._notation
        target = notation.read_square(argument)
        if marks(position, self._lifted).get(target) == CHOICE:
            letters = promotions(position, self._lifted, target)
            self._write(f"choice {''.join(map(notation.write_piece, letters))}")
            self._lifted = None

    @property
    def _notation(self):
        return Notation(self._session.position.description)

    def _show(self, marked):
        if marked:
            self._write(f"highlight {self._notation.write_squares(marked)}")
