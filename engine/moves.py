"""Moves as numbers and as text, in the notation that the whole engine shares (`e2e5`, `a9a10g`, `P@d5`).

A move is the number `to | from << 8 | kind << 16 | action << 22`. `kind` is the piece that a promotion makes
or a drop sets down; for a drop `from` equals `to`. Zero is no move.
"""

import re

from .description import FILE_LETTERS

NORMAL, PROMOTION, DROP, EN_PASSANT, CASTLING = range(5)  # actions
KIND_SHIFT, ACTION_SHIFT = 16, 22
SYNTAX = re.compile(
    r"(?:(?P<piece>[A-Za-z])@(?P<drop>[a-p]\d{1,2})"
    r"|(?P<source>[a-p]\d{1,2})(?P<target>[a-p]\d{1,2})(?P<promotion>[A-Za-z+=]?))$"
)


class MoveError(ValueError):
    """A move text that cannot be played; `text` is what was given and `reason` says why."""

    def __init__(self, text, reason):
        self.text, self.reason = text, reason
        super().__init__(f"{text!r}: {reason}")


class MoveSyntaxError(MoveError):
    """A text that is no move in any position."""


class IllegalMoveError(MoveError):
    """A well-formed move that the position does not allow."""


class Move:
    """A move in one game; its `str()` is its spelling, and two moves are equal when they read alike."""

    __slots__ = ("code", "text")

    def __init__(self, code, text):
        self.code, self.text = code, text

    def __str__(self):
        return self.text

    def __repr__(self):
        return f"Move({self.text!r})"

    def __eq__(self, other):
        return isinstance(other, Move) and (self.code, self.text) == (other.code, other.text)

    def __hash__(self):
        return hash(self.text)

    @property
    def is_drop(self):
        """Whether a piece is set down from the hand."""
        return self.code >> ACTION_SHIFT == DROP

    @property
    def is_promotion(self):
        """Whether the moving piece is promoted."""
        return self.code >> ACTION_SHIFT == PROMOTION

    @property
    def is_castling(self):
        """Whether king and rook castle."""
        return self.code >> ACTION_SHIFT == CASTLING

    @property
    def to_square(self):
        """The square moved to: rank * files + file, both from 0."""
        return self.code & 255

    @property
    def from_square(self):
        """The square moved from, or None for a drop."""
        return None if self.is_drop else (self.code >> 8) & 255


def square_name(square, files):
    """The name of a square, like `a10`."""
    return f"{FILE_LETTERS[square % files]}{square // files + 1}"


def parse_square(text, files, ranks):
    """The number of the square called `text`, or None when the board has no such square."""
    file = FILE_LETTERS.find(text[:1]) if text else -1
    if not 0 <= file < files or not text[1:].isascii() or not text[1:].isdigit():
        return None
    rank = int(text[1:]) if len(text) < 4 else 0
    return (rank - 1) * files + file if 1 <= rank <= ranks and text[1] != "0" else None


def spell(code, description):
    """The `Move` of that code in the game described."""
    files = description.files
    source, target = (code >> 8) & 255, code & 255
    action, kind = code >> ACTION_SHIFT, (code >> KIND_SHIFT) & 63
    if action == DROP:
        return Move(code, f"{description.pieces[kind].letter}@{square_name(target, files)}")
    text = square_name(source, files) + square_name(target, files)
    if action == PROMOTION:
        text += description.pieces[kind].letter.lower()
    return Move(code, text)
