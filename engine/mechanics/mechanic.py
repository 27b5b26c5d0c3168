"""The declaration of a mechanic: everything that other modules need of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ..kernel.deferred import deferred_imports

with deferred_imports():
    from ..kernel.facts import Facts

if TYPE_CHECKING:
    from ..game.description import Description
    from ..game.state_fields import StateField
    from ..game.table_reader import GameReader, TableReader
    from ..representation.piece_plan import Plan


class Rule(NamedTuple):
    """A rule in words: its name in lists, the heading of its sentences, and the function that makes them."""

    name: str
    heading: str
    sentences: Callable[..., list[str]]  # of a `Description`


Board = dict[int, tuple[int, str]]  # squares to (side, letter)
Hands = tuple[dict[str, int], dict[str, int]]


class FenField(NamedTuple):
    """A field of its own in a FEN, written before the counters of moves, and in the record of a position."""

    name: str  # in the record, as an array of numbers
    # (words behind the turn, description, notes): takes its words out and returns the numbers, none in games
    # without the mechanic. What is left out is noted in a sentence. Raises FenError.
    read: Callable[[list[str], Description, list[str]], tuple[int, ...]]
    key: Callable[[Any, Any], int]  # (rules, state): its part of the position's key
    write: Callable[[tuple[int, ...]], str] = lambda numbers: ""
    # (numbers, side to move): raises FenError
    check: Callable[[tuple[int, ...], int], None] = lambda numbers, side: None
    # (numbers, board, hands, description, notes): those that have a meaning with the board and the hands
    settle: Callable[[tuple[int, ...], Board, Hands, Description, list[str]], tuple[int, ...]] = (
        lambda numbers, board, hands, description, notes: numbers
    )
    # (castling field, numbers, description): the field with letters for the numbers, which then have no field
    castling: Callable[[str, tuple[int, ...], Description], str] | None = None


# Keys of a game's file -> whether a game has what they say, where no attribute of that name tells it
_HAS: Mapping[str, Callable[[Description], bool]] = {
    "drops": lambda game: game.has_drops,
    "drops.must": lambda game: any(piece.must_drop for piece in game.pieces),
    "drops.no_mate": lambda game: any(piece.no_drop_mate for piece in game.pieces),
    "drops.checks": lambda game: bool(game.drop_checks),
    "drops.one_per_file": lambda game: any(piece.most_per_file for piece in game.pieces),
    "drops.both_colours": lambda game: any(piece.both_colours for piece in game.pieces),
    "castling.free": lambda game: game.castling_free,
    "castling.by = 'position'": lambda game: bool(game.castling) and game.castling_by != "rights",
    "checks": lambda game: game.checks_forbidden,
    "setup": lambda game: bool(game.setup_swaps),
    "bare_king": lambda game: game.bare_king is not None,
    "end.dead_positions": lambda game: game.dead_positions is not None,
}


def has_key(description: Description, key: str) -> bool:
    """Whether a game has what a key of its file says: a name in `_HAS`, or an attribute."""
    return _HAS[key](description) if key in _HAS else bool(getattr(description, key))


def refuse_together(
    top: TableReader, key: str, description: Description, *others: str, what: str = ""
) -> None:
    """Raises an error for `key`, or for its value `what`, if the game has what one of the keys `others`
    says."""
    for name in others:
        if has_key(description, name):
            raise top.error(key, f"{what}cannot be combined with {name}")


def flag(table: TableReader, key: str) -> bool:
    """The value of a key that is true or false."""
    return table.get(key, bool, False)


def _reads_nothing(game: GameReader) -> dict[str, Any]:
    return {}


@dataclass(frozen=True)
class Mechanic:
    """A rule that few games have, declared for its file, plain Python and compiled code.

    `of` is an attribute of a `Description` that is None or empty in a game without the mechanic. With it,
    `check`, `mirrors` and the sentences of `rules` are called only for a game that has the mechanic, and
    their first argument is its value. `fact` is the name of the only facts of the mechanic. With it, `facts`
    is called in the same way and returns these alone; without `facts` they are empty and say only that a game
    has it.

    A hook is a function that `over_rules` made. Hooks of one kind are called in the order of the mechanics;
    each gets the value of the one before, and as many of the arguments as it takes."""

    of: str = ""
    fact: str = ""
    facts: Callable[..., Any] | None = None  # (plan), of `rules`: empty tuples if a game lacks the mechanic

    # The file. Keys in a table have a dot, as in "end.moves"; without `keys` the only key is `of`. With the
    # keys of its own table, `table`, which `of` names, `read` is called only if there is that table, and
    # returns the value of the attribute `of`. With `read_key`
    # the value is that of its only key.
    keys: tuple[str, ...] = ()
    table: tuple[str, ...] = ()
    read_key: Callable[[TableReader, str], Any] | None = None  # (table, key in it), such as `flag`
    read: Callable[..., Any] = _reads_nothing  # (game), (game, table): attributes of a `Description`
    read_pieces: Callable[[GameReader], Mapping[str, Mapping[str, Any]]] = _reads_nothing  # letter -> value
    piece_defaults: Mapping[str, Any] = field(default_factory=dict)  # attributes of a `PieceDescription`
    check: Callable[..., None] | None = None  # (top, description): raises VariantError
    # (description): whether the rule is the same for both sides from their first rank; None if always
    mirrors: Callable[..., bool] | None = None

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
    # (0, rules, child, parent, side, action, move): of a piece on the board, before others
    after_step: Any = None
    push: Any = None  # (0, rules, child, parent, kind, source, target): moves or changes pieces
    capture: Any = None  # (outcome, rules, child, parent, kind, source, target): takes from other squares

    # How the game ends. `check` says whether the side to move in `child` is in check.
    after_move: Any = None  # (outcome, rules, child, parent, action, check)
    at_setup: Any = None  # (outcome, rules, position): of a position without known history
    quiet_moves_end: bool = True  # whether moves that neither capture nor check can end the game by it

    @property
    def file_keys(self) -> tuple[str, ...]:
        """The keys of the mechanic in a game's file."""
        return self.keys or ((self.of,) if self.of else ())

    def read_game(self, game: GameReader) -> Mapping[str, Any]:
        """The attributes of a `Description` by their names. Raises VariantError."""
        if self.read_key:
            place, _, key = self.file_keys[0].rpartition(".")
            return {self.of: self.read_key(game.top.table_at(place, {}) if place else game.top, key)}
        if not self.table:
            found: Mapping[str, Any] = self.read(game)
            return found
        table = game.table(self.of, *self.table)
        return {self.of: None if table is None else self.read(game, table)}

    def check_game(self, top: TableReader, description: Description) -> None:
        """Raises an error from `top` if the mechanic does not fit the rest of the game."""
        if self.check is not None and not self.of:
            self.check(top, description)
        elif self.check is not None and (value := getattr(description, self.of)):
            self.check(value, top, description)

    def is_mirrored(self, description: Description) -> bool:
        """Whether the rule is the same for both sides of a game, or the game does not have it."""
        if self.mirrors is None:
            return True
        if not self.of:
            return self.mirrors(description)
        value = getattr(description, self.of)
        return not value or self.mirrors(value, description)

    def facts_of(self, plan: Plan) -> dict[str, Any]:
        """The facts of `rules` by their names."""
        if not self.fact:
            return {} if self.facts is None else dict(self.facts(plan))
        value = getattr(plan.description, self.of)
        if not value:
            return {self.fact: ()}
        return {self.fact: (self.facts(value, plan) if self.facts else Facts(self.fact.replace("_", "-")),)}

    def told_rules(self) -> Iterator[Rule]:
        """The `rules` with functions that take a `Description` alone."""
        for rule in self.rules:
            yield rule._replace(sentences=partial(self._sentences, rule.sentences)) if self.of else rule

    def _sentences(self, sentences: Callable[..., list[str]], description: Description) -> list[str]:
        value = getattr(description, self.of)
        return sentences(value, description) if value else []
