"""Squares, ranks and lines of a board as plain ints; a bitboard here is an int with bit `square` set.

`square = rank * files + file`, both from 0. Everything is from White's view; `mirrored` converts a set of
moves or squares for Black, whose first rank is the board's last."""

import functools
import operator
from collections.abc import Collection, Iterable, Iterator
from typing import Any, NamedTuple

from ..game.description import Palace


class SlidingLine(NamedTuple):
    """A family of parallel lines along which pieces slide.

    (`files`, `ranks`) is the step towards higher squares, `reach` the most steps (0: any number). `way` is 0
    for sliders in both directions, 1 or -1 for those that go only towards higher or lower squares. `palace`
    lines join the centre of a palace with its corners, and nothing else.
    """

    files: int
    ranks: int
    reach: int = 0
    way: int = 0
    palace: bool = False


LINES = (SlidingLine(1, 0), SlidingLine(0, 1), SlidingLine(1, 1), SlidingLine(-1, 1))  # of rook and bishop


class Geometry:
    """The board of `files` times `ranks` squares; `palace` has the files and ranks of White's, if any.
    Nothing moves to or over the `holes`, which have numbers like other squares."""

    def __init__(
        self, files: int, ranks: int, palace: Palace | None = None, holes: Iterable[int] = ()
    ) -> None:
        self.files, self.ranks = files, ranks
        self.squares = files * ranks
        self.holes = frozenset(holes)
        self.board = (1 << self.squares) - 1 - sum(1 << square for square in self.holes)
        self.palaces = (0, 0)
        self._palace_lines = ()
        self.diagonal_squares = 0  # of the palaces
        if palace:
            corners = [(palace.files[0], rank) for rank in (palace.ranks[0] - 1, ranks - palace.ranks[-1])]
            self.palaces = tuple(self._block(*corner) for corner in corners)
            self._palace_lines = tuple(
                sum(1 << self.square(file + i, rank + (i if rising else 2 - i)) for i in range(3))
                for file, rank in corners
                for rising in (True, False)
            )
            self.diagonal_squares = functools.reduce(operator.or_, self._palace_lines)

    def light_squares(self) -> int:
        """The squares of the colour that a1 does not have."""
        return sum(1 << square for square in range(self.squares) if sum(divmod(square, self.files)) % 2)

    def _block(self, file: int, rank: int) -> int:
        """Three by three squares from this corner on."""
        return sum(1 << self.square(file + i, rank + j) for i in range(3) for j in range(3))

    def square(self, file: int, rank: int) -> int | Any:  # callers that know it is on the board need no check
        """The square's number, or None off the board."""
        if 0 <= file < self.files and 0 <= rank < self.ranks:
            return rank * self.files + file
        return None

    def shifted(self, square: int, files: int, ranks: int) -> int | None:
        """The square that many files and ranks away, or None off the board and for a hole."""
        target = self.square(square % self.files + files, square // self.files + ranks)
        return None if target in self.holes else target

    def leaps(self, offsets: Collection[tuple[int, int]]) -> list[int]:
        """For each square the board of its targets by the leaps `offsets`, pairs (files, ranks)."""
        return [
            sum(
                1 << target
                for target in {self.shifted(square, f, r) for f, r in offsets}
                if target is not None
            )
            for square in range(self.squares)
        ]

    def palace_leaps(self, offsets: Collection[tuple[int, int]]) -> list[int]:
        """Like `leaps`, but only along the diagonals of a palace."""
        return [
            sum(1 << target for target in bits(board) if self._joined(square, target))
            for square, board in enumerate(self.leaps(offsets))
        ]

    def _joined(self, first: int, second: int) -> bool:
        """Whether a palace diagonal holds both squares."""
        return any(line >> first & 1 and line >> second & 1 for line in self._palace_lines)

    def ray(self, square: int, step: tuple[int, int], reach: int = 0, palace: bool = False) -> int:
        """The squares from `square` (excluded) on in direction `step`, at most `reach` steps if not 0."""
        squares, files, ranks = 0, *step
        target = self.shifted(square, files, ranks)
        steps = 1
        while target is not None and (not reach or steps <= reach):
            if palace and not self._joined(square, target):
                break
            squares |= 1 << target
            target = self.shifted(target, files, ranks)
            steps += 1
        return squares

    def rays(self, square: int, line: SlidingLine) -> tuple[int, int]:
        """The squares of a line below and above a square that a slider on that line may reach."""
        below = self.ray(square, (-line.files, -line.ranks), line.reach, line.palace)
        above = self.ray(square, (line.files, line.ranks), line.reach, line.palace)
        return (0 if line.way > 0 else below, 0 if line.way < 0 else above)

    def sources(self, offset: tuple[int, int]) -> int:
        """The squares from which the leap `offset` stays on the board."""
        return sum(1 << s for s in range(self.squares) if self.shifted(s, *offset) is not None)

    def rank_board(self, ranks: Iterable[int], side: int) -> int:
        """The squares on these ranks, counted from 1 from the side's own first rank."""
        board = 0
        for rank in ranks:
            row = rank - 1 if side == 0 else self.ranks - rank
            board |= ((1 << self.files) - 1) << (row * self.files)
        return board

    def file_board(self, file: int) -> int:
        """The squares of a file, counted from 0."""
        return sum(1 << (rank * self.files + file) for rank in range(self.ranks))


def bits(board: int) -> Iterator[int]:
    """The squares of a board, lowest first."""
    while board:
        yield (board & -board).bit_length() - 1
        board &= board - 1


def flipped(geometry: Geometry, board: int) -> int:
    """The squares of a board from Black's view."""
    files, ranks = geometry.files, geometry.ranks
    return sum(1 << ((ranks - 1 - square // files) * files + square % files) for square in bits(board))


def turned(geometry: Geometry, board: int) -> int:
    """The squares of a board after half a turn."""
    return sum(1 << (geometry.squares - 1 - square) for square in bits(board))


def mirrored(offsets: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
    """The same leaps for Black's pieces, which look the other way."""
    return {(-files, -ranks) for files, ranks in offsets}


def lame_path(files: int, ranks: int) -> list[tuple[int, int]]:
    """The offsets that a lame leap passes: straight steps first, then diagonal ones, without the target."""
    small = min(abs(files), abs(ranks))
    big = max(abs(files), abs(ranks))
    right, up = (files > 0) - (files < 0), (ranks > 0) - (ranks < 0)
    straight = (right, 0) if abs(files) > abs(ranks) else (0, up)
    path, place = [], (0, 0)
    for step in range(big - 1):
        move = straight if step < big - small else (right, up)
        place = (place[0] + move[0], place[1] + move[1])
        path.append(place)
    return path
