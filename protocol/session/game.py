"""A game in progress: its position with the moves so far, the engine's side, and the excluded moves."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...engine.game.moves import MoveError
from ...engine.variant import Variant

if TYPE_CHECKING:
    from ...engine.game.moves import Move
    from ...engine.position import Position, Result

WHITE, BLACK = 0, 1


def with_side_to_move(text: str, side: int) -> str:
    """The FEN with `side` to move, 0 for White, and without en passant."""
    board, _, rights, _, rest = text.split(maxsplit=4)
    return f"{board} {'wb'[side]} {rights} - {rest}"


class GameInProgress:
    """A game in progress. Methods that raise ValueError change nothing then."""

    def __init__(self) -> None:
        self.variant: Variant | None = None
        self.position: Position = None  # type: ignore[assignment]  # until the first game is loaded
        self.engine_side: int | None = BLACK  # None: the engine plays neither side
        self.over = False  # the GUI or the rules have ended it
        # The last arguments of `follow`, if they led to the position.
        self._followed: tuple[str | None, list[str]] | None = None
        # The position before `set_turn`, until anything else happens.
        self._turned_from: Position | None = None
        self.excluded: frozenset[Move] = frozenset()  # excluded moves of the position

    @property
    def on_move(self) -> bool:
        """Whether the engine is to move."""
        return not self.over and self.position.turn == self.engine_side

    def begin(self, position: "Position") -> None:
        """Continues from another position; the moves so far are discarded."""
        self.position, self._followed, self._turned_from = position, None, None
        self.over = False
        self.excluded = frozenset()

    def start(self, fen: str | None) -> "Position":
        """The position of a FEN, or the start of the game. Raises ValueError."""
        assert self.variant is not None
        return type(self.position)(self.variant, fen)

    def follow(
        self, fen: str | None, moves: list[str], read: Callable[[str, "Position"], "str | Move"]
    ) -> MoveError | None:
        """Goes to the position after `moves` from a FEN, or from the start. Returns None, or the MoveError of
        the first illegal move, in which case the position is the one before that move. Raises ValueError and
        changes nothing if the FEN is invalid.

        `read(text, position)` converts a move to the engine's spelling. If the moves continue the game in
        progress, only the new ones are made."""
        position, made = self.position.copy(), self._followed
        if made is None or made[0] != fen or made[1] != moves[: len(made[1])]:
            position, made = self.start(fen), (fen, [])
        played, refused = len(made[1]), None
        try:
            for move in moves[played:]:
                position.push(read(move, position))
                played += 1
        except MoveError as error:
            refused = type(error)(moves[played], error.reason)  # in the program's spelling
        self.begin(position)
        self._followed = fen, moves[:played]
        return refused

    def set_turn(self, side: int) -> bool:
        """Sets the side to move, for a program that does not know FEN; returns whether it changed. Raises
        ValueError. The moves so far are discarded, unless the next call sets the turn back."""
        before, position = self.position, self._turned_from
        if before.turn == side:
            return False
        self.begin(position or self.start(with_side_to_move(before.fen(), side)))
        self._turned_from = before
        return True

    def push(self, text: "str | Move") -> "Move":
        """Makes a move and returns it. Raises ValueError."""
        move = self.position.push(text)
        self.excluded, self._followed, self._turned_from = frozenset(), None, None
        return move

    def take_back(self, count: int) -> None:
        """Takes back that many half moves. Raises ValueError if there are fewer. If it is then the engine's
        move, the engine waits for a command, because it would only repeat its move."""
        if len(self.position.moves) < count:
            raise ValueError("no moves to take back" if count == 1 else "fewer than two moves made")
        for _ in range(count):
            self.position.pop()
        self.over = False
        self.excluded, self._followed = frozenset(), None
        if self.position.turn == self.engine_side:
            self.engine_side = None

    def exclude(self, text: str | None, out: bool) -> None:
        """Excludes a move from the searches of this position, or includes it again; None means all moves.
        Raises ValueError."""
        moves = self.position.legal_moves() if text is None else [self.position.parse_move(text)]
        self.excluded = self.excluded.union(moves) if out else self.excluded.difference(moves)

    def searchmoves(self) -> "tuple[Move, ...] | None":
        """The moves that are not excluded; None if all may be searched."""
        if not self.excluded:
            return None
        return tuple(move for move in self.position.legal_moves() if move not in self.excluded)

    def result(self) -> "Result | None":
        """The result by rule, or None."""
        return self.position.result()
