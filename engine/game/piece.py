"""A piece on the board, as `Position` returns it."""

from dataclasses import dataclass

WHITE, BLACK = 0, 1


@dataclass(frozen=True)
class Piece:
    """A piece: `letter` in upper case, `name`, `colour` (0 White, 1 Black), whether it has been `promoted`.

    Its `str()` is the letter as in a FEN, upper case for White.
    """

    letter: str
    name: str
    colour: int
    promoted: bool = False

    def symbol(self) -> str:
        """The letter, upper case for White and lower case for Black."""
        return self.letter if self.colour == WHITE else self.letter.lower()

    def __str__(self) -> str:
        return self.symbol()
