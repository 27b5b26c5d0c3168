"""Moves as numbers and as text, in the notation that the whole engine shares (`e2e5`, `a9a10g`, `P@d5`).

A move is the number `to | from << 8 | kind << 16 | action << 22`. `kind` is the piece that a promotion makes
or a drop sets down; for a drop `from` equals `to`. In a pass both are the king's square, in a setup choice
the two kings', and `kind` tells the swaps. Zero is not a move.
"""

import re

from .description import FILE_LETTERS, Description

NORMAL, PROMOTION, DROP, EN_PASSANT, CASTLING, PASS, SETUP = range(7)  # actions
KIND_SHIFT, ACTION_SHIFT = 16, 22
SETUP_SIDE_BIT = 5  # of the kind of a setup choice: whose it is; the bits below are swaps
PASSES = ("0000", "@@@@")  # other spellings of a pass
SYNTAX = re.compile(
    r"(?:(?P<piece>[A-Za-z])@(?P<drop>[a-p]\d{1,2})"
    r"|(?P<source>[a-p]\d{1,2})(?P<target>[a-p]\d{1,2})(?P<promotion>[A-Za-z+=-]?))$"
)
CHOICES = re.compile(r"[a-p]\d{1,2}[a-p]\d{1,2}(,[a-p]\d{1,2}[a-p]\d{1,2})+")


class MoveError(ValueError):
    """A move text that cannot be played; `text` is what was given and `reason` says why."""

    def __init__(self, text: str, reason: str) -> None:
        self.text, self.reason = text, reason
        super().__init__(f"{text!r}: {reason}")


class MoveSyntaxError(MoveError):
    """A text that is not a move in any position."""


class IllegalMoveError(MoveError):
    """A well-formed move that the position does not allow."""


class Move:
    """A move in one game; its `str()` is its spelling, and two moves are equal when code and text are."""

    __slots__ = ("code", "text")

    def __init__(self, code: int, text: str) -> None:
        self.code, self.text = code, text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Move) and (self.code, self.text) == (other.code, other.text)

    def __hash__(self) -> int:
        return hash(self.text)

    @property
    def is_drop(self) -> bool:
        """Whether a piece is set down from the hand."""
        return self.code >> ACTION_SHIFT == DROP

    @property
    def is_promotion(self) -> bool:
        """Whether the moving piece is promoted."""
        return self.code >> ACTION_SHIFT == PROMOTION

    @property
    def is_castling(self) -> bool:
        """Whether king and rook castle."""
        return self.code >> ACTION_SHIFT == CASTLING

    @property
    def is_pass(self) -> bool:
        """Whether the move leaves everything in its place."""
        return self.code >> ACTION_SHIFT == PASS

    @property
    def is_choice(self) -> bool:
        """Whether the move chooses an arrangement in the setup phase."""
        return self.code >> ACTION_SHIFT == SETUP

    @property
    def to_square(self) -> int:
        """The square moved to: rank * files + file, both from 0."""
        return self.code & 255

    @property
    def from_square(self) -> int | None:
        """The square moved from, or None for a drop."""
        return None if self.is_drop else (self.code >> 8) & 255


def square_name(square: int, files: int) -> str:
    """The name of a square, like `a10`."""
    return f"{FILE_LETTERS[square % files]}{square // files + 1}"


def parse_square(text: str, files: int, ranks: int) -> int | None:
    """The number of the square called `text`, or None when the board has no such square."""
    file = FILE_LETTERS.find(text[:1]) if text else -1
    if not 0 <= file < files or not text[1:].isascii() or not text[1:].isdigit():
        return None
    rank = int(text[1:]) if len(text) < 4 else 0
    return (rank - 1) * files + file if 1 <= rank <= ranks and text[1] != "0" else None


def spell(code: int, description: Description) -> Move:
    """The `Move` of that code in the game described."""
    if code >> ACTION_SHIFT == SETUP:
        return Move(code, spell_choice(code, description))
    files = description.files
    source, target = (code >> 8) & 255, code & 255
    action, kind = code >> ACTION_SHIFT, (code >> KIND_SHIFT) & 63
    if action == DROP:
        return Move(code, f"{description.pieces[kind].letter}@{square_name(target, files)}")
    text = square_name(source, files) + square_name(target, files)
    if action == PROMOTION:
        text += description.pieces[kind].letter[0].lower()
    return Move(code, text)


def spell_choice(code: int, description: Description) -> str:
    """The text of a setup choice: swaps joined by a comma, or the king onto the enemy king for none."""
    kind = (code >> KIND_SHIFT) & 63
    rank = description.ranks if kind >> SETUP_SIDE_BIT else 1
    swaps = [pair for number, pair in enumerate(description.setup_swaps) if kind >> number & 1]
    squares = [
        [square_name((rank - 1) * description.files + file, description.files) for file in p] for p in swaps
    ]
    if not swaps:
        squares = [[square_name(square, description.files) for square in ((code >> 8) & 255, code & 255)]]
    return ",".join("".join(pair) for pair in squares)
