"""How a position may have ended the game by a rule other than mate, stalemate, repetition or move counting.

A mechanic gets numbers for its outcomes from `draw`, `loss` and `win`. The position has them in the field
`outcome`, 8 bits wide; `score_sign` gives the value of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..kernel.deferred_decorators import inner

if TYPE_CHECKING:
    from ..game.description import Description

    # A text with {mover} for the side to move and {other} for its enemy, or what makes one of those names.
    Sentence = str | Callable[[Description, str, str], str]

UNDECIDED = 0
FIRST_DRAW, FIRST_LOSS, FIRST_WIN, LAST = 1, 64, 128, 255

_sentences: dict[int, Sentence] = {}


def draw(sentence: Sentence) -> int:
    """The number of a new outcome that draws."""
    return _numbered(sentence, FIRST_DRAW, FIRST_LOSS)


def loss(sentence: Sentence) -> int:
    """The number of a new outcome that the side to move has lost."""
    return _numbered(sentence, FIRST_LOSS, FIRST_WIN)


def win(sentence: Sentence) -> int:
    """The number of a new outcome that the side to move has won."""
    return _numbered(sentence, FIRST_WIN, LAST + 1)


def _numbered(sentence: Sentence, first: int, end: int) -> int:
    number = next(number for number in range(first, end) if number not in _sentences)
    _sentences[number] = sentence
    return number


def outcomes() -> list[int]:
    """The numbers of all outcomes except UNDECIDED."""
    return sorted(_sentences)


def reason(outcome: int, description: Description, mover: str, other: str) -> str:
    """The sentence for an outcome; `mover` and `other` are the names of the side to move and of its enemy."""
    sentence = _sentences[outcome]
    if isinstance(sentence, str):
        return sentence.format(mover=mover, other=other)
    return sentence(description, mover, other)


@inner
def score_sign(outcome):
    """1 for an outcome that the side to move has won, -1 for one that it has lost, 0 for a draw."""
    if outcome >= FIRST_WIN:
        return 1
    return -1 if outcome >= FIRST_LOSS else 0
