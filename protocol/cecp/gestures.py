"""Mouse actions of XBoard's user, by `lift`, `hover` and `put`: the engine answers with the targets of a
piece, the effects of a move, and the promotion choices."""

from collections.abc import Callable

from ..session.session import Session
from .highlight import CHOICE, LEG, consequences, promotions
from .move_effects import MoveEffects
from .notation import Spelled


class Gestures(Spelled):
    """The piece that the user has picked up, in the game of a `Session`, whose moves may have `MoveEffects`.
    `write_line` takes the lines for XBoard."""

    def __init__(self, session: Session, effects: MoveEffects, write_line: Callable[[str], None]) -> None:
        self._session = session
        self._move_effects = effects
        self._write = write_line
        self._lifted: int | str | None = None  # the number of a square, or the letter of a piece in the hand
        self._victim: int | None = None  # the end of the first leg of a move

    def lift(self, argument: str) -> None:
        """Shows where a piece may go, even if it may go nowhere: without an answer XBoard draws marks of its
        own. XBoard lifts a piece again where a first leg ends."""
        self._move_effects.touch()
        notation = self._notation
        square = notation.read_square(argument)
        if square is None or square != self._victim:
            self._victim = None
            self._lifted = notation.read_hand_square(argument) if square is None else square
        self._show(self._marks())

    def hover(self, argument: str) -> None:
        """Shows the other effects of a move, together with the marks of the lifted piece, because XBoard
        forgets the earlier ones."""
        position = self._session.position
        if position is None or self._move_effects.pending:
            return
        others = consequences(position, self._lifted, self._notation.read_square(argument))
        if others:
            self._show(others | self._marks())

    def put(self, argument: str) -> None:
        """Offers the promotion choices where a piece was put down."""
        position, notation = self._session.position, self._notation
        target = notation.read_square(argument)
        colour = None if target is None else self._marks().get(target)
        self._victim = target if colour == LEG else None
        if target is not None and colour == CHOICE:
            letters = promotions(position, self._lifted, target)
            self._write(f"choice {''.join(map(notation.write_piece, letters))}")
            self._lifted = None

    def _marks(self) -> dict[int, str]:
        return self._move_effects.marks(self._lifted, self._victim)

    def _show(self, marked: dict[int, str]) -> None:
        self._write(f"highlight {self._notation.write_squares(marked)}")
