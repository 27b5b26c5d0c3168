"""The declaration of a mechanic: everything that other modules need of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ..game.description import Description
    from ..game.state_fields import StateField
    from ..game.table_reader import GameReader, TableReader
    from ..representation.piece_plan import Plan


class Rule(NamedTuple):
    """A rule in words: its name in lists, the heading of its sentences, and the function that makes them."""

    name: str
    heading: str
    sentences: Callable[[Description], list[str]]


def _allows_all(numbers: tuple[int, ...], side: int) -> None:
    pass


Board = dict[int, tuple[int, str]]  # squares to (side, letter)
Hands = tuple[dict[str, int], dict[str, int]]


def _as_read(
    numbers: tuple[int, ...], board: Board, hands: Hands, description: Description, notes: list[str]
) -> tuple[int, ...]:
    return numbers


class FenField(NamedTuple):
    """A field of its own in a FEN, written before the counters of moves, and in the record of a position."""

    name: str  # in the record, as an array of numbers
    # (words behind the turn, description, notes): takes its words out and returns the numbers, none in games
    # without the mechanic. What is left out is noted in a sentence. Raises FenError.
    read: Callable[[list[str], Description, list[str]], tuple[int, ...]]
    write: Callable[[tuple[int, ...]], str]
    key: Callable[[Any, Any], int]  # (rules, state): its part of the position's key
    check: Callable[[tuple[int, ...], int], None] = _allows_all  # (numbers, side to move): raises FenError
    # (numbers, board, hands, description, notes): those that have a meaning with the board and the hands
    settle: Callable[[tuple[int, ...], Board, Hands, Description, list[str]], tuple[int, ...]] = _as_read
    # (castling field, numbers, description): the field with letters for the numbers, which then have no field
    castling: Callable[[str, tuple[int, ...], Description], str] | None = None


def refuse_together(top: TableReader, key: str, description: Description, *others: str) -> None:
    """Raises an error for `key` if the game has one of the `others`: attributes of it, or "drops"."""
    for name in others:
        if description.has_drops if name == "drops" else getattr(description, name):
            raise top.error(key, f"cannot be combined with {name}")


def _reads_nothing(game: GameReader) -> dict[str, Any]:
    return {}


def _refuses_nothing(top: TableReader, description: Description) -> None:
    pass


@dataclass(frozen=True)
class Mechanic:
    """A rule that few games have, declared for its file, plain Python and compiled code.

    A hook is a function that `over_rules` made. Hooks of one kind are called in the order of the mechanics;
    each gets the value of the one before, and as many of the arguments as it takes."""

    facts: Callable[[Plan], dict[str, Any]]  # of `rules`: empty tuples if a game lacks the mechanic

    # The file. Keys in a table have a dot: "end.moves".
    keys: tuple[str, ...] = ()
    read: Callable[[GameReader], Mapping[str, Any]] = _reads_nothing  # attributes of a `Description`
    read_pieces: Callable[[GameReader], Mapping[str, Mapping[str, Any]]] = _reads_nothing  # letter -> value
    piece_defaults: Mapping[str, Any] = field(default_factory=dict)  # attributes of a `PieceDescription`
    check: Callable[[TableReader, Description], None] = _refuses_nothing  # raises VariantError

    # Its field in a FEN and its number in the record of a position, if it has them
    fen: FenField | None = None
    state: StateField | None = None

    # The rule in words
    rules: tuple[Rule, ...] = ()

    # Moves
    narrow: Any = None  # (end, rules, out, position, first): the end of the allowed ones of listed moves
    moves: Any = None  # (n, rules, first, sink, out, position, checkers): n after adding or replacing moves
    drop_targets: Any = None  # (targets, rules, position, side, hand): those of the targets that are allowed

    # What a move does, on `child`. The value of the first four is 0.
    stand_still: Any = None  # (0, rules, child, side, action, move): of a move that moves no piece
    after_drop: Any = None  # (0, rules, child, side, kind, target)
    after_step: Any = (
        None  # (0, rules, child, parent, side, action, move): of a piece on the board, before others
    )
    push: Any = None  # (0, rules, child, parent, kind, source, target): moves or changes pieces
    capture: Any = None  # (outcome, rules, child, parent, kind, source, target): takes from other squares

    # How the game ends. `check` says whether the side to move in `child` is in check.
    after_move: Any = None  # (outcome, rules, child, parent, action, check)
    at_setup: Any = None  # (outcome, rules, position): of a position without known history
    quiet_moves_end: bool = True  # whether moves that neither capture nor check can end the game by it
