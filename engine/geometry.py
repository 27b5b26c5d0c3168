"""Squares, ranks and lines of a board as plain ints; a bitboard here is an int with bit `square` set.

`square = rank * files + file`, both from 0. Everything is seen from White; `mirrored` turns a set of moves
or squares round for Black, whose first rank is the board's last.
"""

LINES = ((1, 0), (0, 1), (1, 1), (-1, 1))  # steps (files, ranks) towards higher squares


class Geometry:
    """The board of `files` times `ranks` squares."""

    def __init__(self, files, ranks):
        self.files, self.ranks = files, ranks
        self.squares = files * ranks
        self.board = (1 << self.squares) - 1

    def square(self, file, rank):
        """The square's number, or None off the board."""
        if 0 <= file < self.files and 0 <= rank < self.ranks:
            return rank * self.files + file
        return None

    def shifted(self, square, files, ranks):
        """The square that many files and ranks away, or None off the board."""
        return self.square(square % self.files + files, square // self.files + ranks)

    def leaps(self, offsets):
        """For each square the board of its targets by the leaps `offsets`, pairs (files, ranks)."""
        return [
            sum(
                1 << target
                for target in {self.shifted(square, f, r) for f, r in offsets}
                if target is not None
            )
            for square in range(self.squares)
        ]

    def ray(self, square, step):
        """The squares from `square` (excluded) on in direction `step`."""
        squares, files, ranks = 0, *step
        target = self.shifted(square, files, ranks)
        while target is not None:
            squares |= 1 << target
            target = self.shifted(target, files, ranks)
        return squares

    def sources(self, offset):
        """The squares from which the leap `offset` stays on the board."""
        return sum(1 << s for s in range(self.squares) if self.shifted(s, *offset) is not None)

    def rank_board(self, ranks, side):
        """The squares on these ranks, counted from 1 from the side's own first rank."""
        board = 0
        for rank in ranks:
            row = rank - 1 if side == 0 else self.ranks - rank
            board |= ((1 << self.files) - 1) << (row * self.files)
        return board


def mirrored(offsets):
    """The same leaps as Black's pieces make them."""
    return {(files, -ranks) for files, ranks in offsets}
