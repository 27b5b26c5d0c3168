"""A game with its tags, moves, variations, comments and glyphs, as in PGN. The names are those of
python-chess's `chess.pgn` if the meaning is the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ..game.moves import IllegalMoveError, Move, MoveError
from ..variant import CHESS, Variant
from . import comments
from .glyphs import check_nags
from .headers import Headers
from .nulls import NULL, played
from .variants import tag_of, variant_named
from .writing import StringExporter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..position import Position
    from .comments import WhiteScore
    from .scanning import PgnError
NO_VALUES = (None, "", "?")  # of a tag that says nothing


_starts: dict[int, Position] = {}  # by the id of the rules, which a position keeps alive


def first_position(variant: str, fen: str | None = None) -> Position:
    """A new `Position`; the usual start of a game is set up once and copied. Raises VariantError or
    FenError."""
    from ..position import Position

    if fen is not None:
        return Position(variant, fen)
    rules = Variant(variant).rules
    found = _starts.get(id(rules))
    if found is None:
        found = _starts[id(rules)] = Position(variant)
    return found.copy()


class GameNode:
    """A position of a game by the `move` that led to it from its `parent`; both are None at the root.

    `variations` are the nodes of the moves from here, the first that of the main line. `comment` follows the
    move, `starting_comment` stands before the first move of a variation, `nags` are the numbers of glyphs:
    1 for `!`, 2 for `?`, 3 for `!!`, 4 for `??`, 5 for `!?`, 6 for `?!`.
    """

    __slots__ = ("comment", "move", "nags", "parent", "starting_comment", "variations")

    def __init__(self, parent: GameNode | None, move: Move | None, comment: str = "") -> None:
        self.parent, self.move, self.comment = parent, move, comment
        self.variations: list[GameNode] = []
        self.starting_comment = ""
        self.nags: set[int] = set()

    # Places in the tree

    def game(self) -> Game:
        """The root."""
        node = self
        while node.parent is not None:
            node = node.parent
        assert isinstance(node, Game)
        return node

    def path(self) -> list[GameNode]:
        """The nodes from the root, without it, to this one."""
        found, node = [], self
        while node.parent is not None:
            found.append(node)
            node = node.parent
        return found[::-1]

    def next(self) -> GameNode | None:
        """The node of the next move of the line, or None at its end."""
        return self.variations[0] if self.variations else None

    def end(self) -> GameNode:
        """The last node of the line."""
        node = self
        while node.variations:
            node = node.variations[0]
        return node

    def is_end(self) -> bool:
        """Whether no move follows."""
        return not self.variations

    def is_main_variation(self) -> bool:
        """Whether this is the first of its parent's variations, or the root."""
        return self.parent is None or self.parent.variations[0] is self

    def is_mainline(self) -> bool:
        """Whether the node is on the main line of the game."""
        return all(node.is_main_variation() for node in self.path())

    def starts_variation(self) -> bool:
        """Whether this is the first move of a variation beside another line."""
        return not self.is_main_variation()

    def mainline(self) -> Iterator[GameNode]:
        """The nodes after this one by first variations."""
        node = self.next()
        while node is not None:
            yield node
            node = node.next()

    def mainline_moves(self) -> Iterator[Move]:
        """The moves after this one by first variations."""
        return (node.move for node in self.mainline() if node.move is not None)

    def ply(self) -> int:
        """The number of half-moves of the game up to here, by the move number of its first position. Raises
        what `position` raises."""
        game, count = self.game(), len(self.path())
        return game.first_ply() + count

    def turn(self) -> int:
        """The side to move: 0 for White, 1 for Black. Raises what `position` raises."""
        return self.ply() % 2

    def position(self) -> Position:
        """A new `Position` with the moves to this node. Raises FenError or VariantError if the tags of the
        game are invalid."""
        return self.game().position_of(self)

    def san(self) -> str:
        """The move to this node in SAN. Raises ValueError at the root."""
        if self.parent is None or self.move is None:
            raise ValueError("no move leads to the beginning of a game")
        return NULL.text if self.move == NULL else self.parent.position().san(self.move)

    # Changes

    def add_variation(
        self, move: Move | str, *, comment: str = "", starting_comment: str = "", nags: Iterable[int] = ()
    ) -> GameNode:
        """Adds a move as the last variation, and returns its node. A text is read as SAN, or as a null move;
        a `Move` must be legal. Raises MoveError, and TypeError, ValueError for `nags` that are not numbers of
        glyphs."""
        nags = set(nags)
        check_nags(nags)
        node = GameNode(self, self._read(move), comment)
        node.starting_comment, node.nags = starting_comment, nags
        self.variations.append(node)
        return node

    def add_main_variation(
        self, move: Move | str, *, comment: str = "", nags: Iterable[int] = ()
    ) -> GameNode:
        """Adds a move as the first variation; otherwise like `add_variation`."""
        node = self.add_variation(move, comment=comment, nags=nags)
        self.variations.insert(0, self.variations.pop())
        return node

    def add_line(self, moves: Iterable[Move | str], *, comment: str = "") -> GameNode:
        """Adds consecutive moves, and returns the node of the last one, which gets the comment."""
        node = self
        for move in moves:
            node = node.add_variation(move)
        node.comment = comment
        return node

    def _read(self, move: Move | str) -> Move:
        position = self.position()
        if isinstance(move, Move):
            if move == NULL:
                played(position, NULL)
                return NULL
            if position.parse_move(move.text) != move:
                raise IllegalMoveError(move.text, "is a move of another game")
            return move
        try:
            return position.parse_san(move)
        except MoveError:
            if move != NULL.text:
                raise
        played(position, NULL)
        return NULL

    def variation(self, move: int | Move | str | GameNode) -> GameNode:
        """The variation with that number from 0, or of that move, which is read as by `add_variation`. Raises
        KeyError, and for a text what `position` raises."""
        found = self._find(move)
        if found is None:
            raise KeyError(f"no variation {move} here")
        return found

    def has_variation(self, move: int | Move | str | GameNode) -> bool:
        """Whether `variation` finds one."""
        return self._find(move) is not None

    def _find(self, move: int | Move | str | GameNode) -> GameNode | None:
        if isinstance(move, str) and self.variations:
            try:
                move = self._read(move)
            except MoveError:
                return None
        for number, node in enumerate(self.variations):
            if move in (number, node.move) or move is node:
                return node
        return None

    def remove_variation(self, move: int | Move | str | GameNode) -> None:
        """Removes a variation and its descendants. Raises KeyError."""
        self.variations.remove(self.variation(move))

    def promote(self, move: int | Move | str | GameNode) -> None:
        """Moves a variation one place to the front. Raises KeyError."""
        self._shift(move, -1)

    def demote(self, move: int | Move | str | GameNode) -> None:
        """Moves a variation one place to the back. Raises KeyError."""
        self._shift(move, 1)

    def promote_to_main(self, move: int | Move | str | GameNode) -> None:
        """Makes a variation the main line. Raises KeyError."""
        node = self.variation(move)
        self.variations.remove(node)
        self.variations.insert(0, node)

    def _shift(self, move: int | Move | str | GameNode, by: int) -> None:
        node = self.variation(move)
        place = self.variations.index(node)
        self.variations.remove(node)
        self.variations.insert(max(0, place + by), node)

    # Commands in the comment

    def eval(self) -> WhiteScore | None:
        """The score in the comment's `[%eval ...]`, or None."""
        return comments.read_eval(self.comment)

    def clock(self) -> float | None:
        """The seconds left for the mover, from `[%clk ...]`, or None."""
        return comments.read_clock(self.comment, "clk")

    def emt(self) -> float | None:
        """The seconds of the move, from `[%emt ...]`, or None."""
        return comments.read_clock(self.comment, "emt")

    def set_eval(self, score: WhiteScore | None) -> None:
        """Writes a score into the comment, replacing an existing one; None removes it. Raises TypeError or
        ValueError for a score that PGN cannot hold."""
        self._set("eval", "" if score is None else comments.write_eval(score))

    def set_clock(self, seconds: float | None) -> None:
        """Writes the seconds left into the comment, as `set_eval` does. Raises TypeError for something else
        than a number, ValueError for one that is not finite."""
        self._set("clk", "" if seconds is None else comments.write_clock(seconds, "clk"))

    def set_emt(self, seconds: float | None) -> None:
        """Writes the seconds of the move into the comment, as `set_eval` does."""
        self._set("emt", "" if seconds is None else comments.write_clock(seconds, "emt"))

    def _set(self, name: str, command: str) -> None:
        self.comment = comments.with_command(self.comment, name, command)

    def __repr__(self) -> str:
        try:
            place = f"ply {self.ply()}"
        except ValueError:  # the tags of the game are invalid
            place = f"move {len(self.path())}"
        return f"<{type(self).__name__} at {place}, {self.move}>"


class Game(GameNode):
    """The root of a game: its `headers`, and the `errors` that reading it met, each a sentence with the line.

    `variant` is the name of the game that is played, or its TOML file; `fen` its first position if it is not
    the usual one. Raises VariantError for an unknown game and FenError for an impossible position."""

    __slots__ = ("_default", "_first", "_reached", "_tag", "errors", "headers")

    def __init__(
        self, variant: str = CHESS, fen: str | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(None, None)
        self.headers = Headers.with_roster(headers)
        self.errors: list[PgnError] = []
        self._default, self._tag = Variant(variant), tag_of(variant)
        self._reached: tuple[GameNode, Position, str | None] | None = None  # with the FEN that it rests on
        self._first: tuple[str | None, int] | None = None  # FEN and half-moves before it
        if "Variant" not in self.headers and self._tag:
            self.headers["Variant"] = self._tag
        if fen is not None:
            self.setup(fen)

    @property
    def variant(self) -> str:
        """The name of the game, by the tag Variant. Raises VariantError for an unknown one."""
        name = self.headers.get("Variant")
        return self._default if name in (*NO_VALUES, self._tag) else variant_named(str(name))

    @property
    def default_variant(self) -> str:
        """The game to use without the tag Variant."""
        return self._default

    @property
    def fen(self) -> str | None:
        """The FEN of the first position by its tag, None for the usual start."""
        fen = self.headers.get("FEN")
        return None if fen in NO_VALUES else fen

    def setup(self, start: Position | str) -> None:
        """Sets the first position, by a position or a FEN; the moves are removed. Raises FenError, and
        ValueError for a position of another game."""
        from ..position import Position

        position = start if isinstance(start, Position) else Position(self.variant, start)
        if position.variant != self.variant:
            raise ValueError(f"a position of {position.variant!r}, but the game is {self.variant!r}")
        fen = position.fen()
        for name in ("FEN", "SetUp"):
            self.headers.pop(name, None)
        if fen != position.description.start_fen:
            self.headers.update({"SetUp": "1", "FEN": fen})
        self.variations.clear()
        self._reached = None if position is start else (self, position, self.fen)

    def first_ply(self) -> int:
        """The half-moves before the first position, by its move number and the side to move."""
        fen = self.fen
        if self._first is None or self._first[0] != fen:
            start = first_position(self.variant, fen)
            self._first = (fen, 2 * (int(start.state["fullmoves"]) - 1) + start.turn)
        return self._first[1]

    def position_of(self, node: GameNode) -> Position:
        """A separate `Position` for a node of this game."""
        moves, found = [], node
        reached, near, fen = self._reached or (None, None, None)
        if fen != self.fen:
            reached = near = None
        while found.parent is not None and found is not reached:
            moves.append(found.move)
            found = found.parent
        if found is reached and near is not None:
            position = near.copy()
        else:
            position = first_position(self.variant, self.fen)
        for move in reversed(moves):
            assert move is not None  # only the root has none
            position = played(position, move)
        self._reached = (node, position.copy(), self.fen)
        return position

    def accept(self, exporter: StringExporter) -> str:
        """The game as an exporter writes it."""
        return exporter.export(self)

    def __str__(self) -> str:
        return StringExporter().export(self)

    def __repr__(self) -> str:
        names = [self.headers.get(name, "?") for name in ("White", "Black", "Date")]
        return f"<Game {names[0]!r} against {names[1]!r}, {names[2]}>"
