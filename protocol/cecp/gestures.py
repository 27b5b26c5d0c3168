"""Mouse actions of XBoard's user, by `lift`, `hover` and `put`: the engine answers where a
piece may go, what a move would do, and what a piece may become."""

from collections.abc import Callable

from ..session.session import Session
from .aftermath import Aftermath
from .highlight import CHOICE, LEG, consequences, promotions
from .notation import Notation


class Gestures:
    """The piece in the user's hand, in the game of a `Session`, whose moves may have an `Aftermath`.
    `write_line` takes what XBoard is told."""

    def __init__(self, session: Session, aftermath: Aftermath, write_line: Callable[[str], None]) -> None:
        self._session = session
        self._aftermath = aftermath
        self._write = write_line
        self._lifted: int | str | None = None  # the number of a square, or the letter of a piece in the hand
        self._victim: int | None = None  # where the first leg of a move has ended

    def lift(self, argument: str) -> None:
        """Shows where a piece may go, also that it may go nowhere: XBoard draws marks of its own where it is
        shown nothing. It lifts a piece anew where a first leg ends."""
        self._aftermath.touch()
        notation = self._notation
        square = notation.read_square(argument)
        if square is None or square != self._victim:
            self._victim = None
            self._lifted = notation.read_hand_square(argument) if square is None else square
        self._show(self._marks())

    def hover(self, argument: str) -> None:
        """Shows what else a move does, among the marks of the lifted piece: XBoard forgets those before."""
        position = self._session.position
        if position is None or self._aftermath.pending:
            return
        others = consequences(position, self._lifted, self._notation.read_square(argument))
        if others:
            self._show(others | self._marks())

    def put(self, argument: str) -> None:
        """Offers the choice of what a piece becomes where it was put down."""
        position, notation = self._session.position, self._notation
        target = notation.read_square(argument)
        colour = None if target is None else self._marks().get(target)
        self._victim = target if colour == LEG else None
        if target is not None and colour == CHOICE:
            letters = promotions(position, self._lifted, target)
            self._write(f"choice {''.join(map(notation.write_piece, letters))}")
            self._lifted = None

    def _marks(self) -> dict[int, str]:
        return self._aftermath.marks(self._lifted, self._victim)

    @property
    def _notation(self) -> Notation:
        return Notation(self._session.position.description)

    def _show(self, marked: dict[int, str]) -> None:
        self._write(f"highlight {self._notation.write_squares(marked)}")
