"""The common part of the slow models: the board with its lines, FEN, and a game move by move. It shares
nothing with the engine, is not fast, and does not check malformed input."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

# Directions are (files, ranks).
ORTHOGONAL = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
ALL = ORTHOGONAL + DIAGONAL
JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
LONG_JUMPS = ((1, 3), (3, 1), (3, -1), (1, -3), (-1, -3), (-3, -1), (-3, 1), (-1, 3))

OPPONENT = {"w": "b", "b": "w"}
FIFTY_MOVES = 100  # by each side, in plies
REMEMBERED = 100  # states whose replies are known, more than a game has

Board = list[str | None]  # by square, from White's left: letters, upper case for White


@dataclass
class State:
    """One position: everything that determines the following moves, and the two counters."""

    board: Board
    turn: str
    halfmove: int
    fullmove: int


def names_of(files: int, ranks: int) -> list[str]:
    """The names of the squares of a board."""
    return [f"{file}{rank}" for rank in range(1, ranks + 1) for file in "abcdefghijklmn"[:files]]


def lines_of(files: int, ranks: int) -> list[dict[tuple[int, int], list[int]]]:
    """By square and direction: the squares from there to the edge of the board, nearest first."""

    def line(square: int, direction: tuple[int, int]) -> list[int]:
        squares = []
        file, rank = square % files + direction[0], square // files + direction[1]
        while 0 <= file < files and 0 <= rank < ranks:
            squares.append(rank * files + file)
            file, rank = file + direction[0], rank + direction[1]
        return squares

    directions = ALL + JUMPS + LONG_JUMPS
    return [
        {direction: line(square, direction) for direction in directions} for square in range(files * ranks)
    ]


def colour_of(piece: str | None) -> str | None:
    return None if piece is None else "w" if piece.isupper() else "b"


def coloured(letter: str, colour: str) -> str:
    return letter.upper() if colour == "w" else letter.lower()


def win_for(colour: str) -> str:
    return "1-0" if colour == "w" else "0-1"


def read_board(placement: str) -> Board:
    """The board of the first field of a FEN."""
    rows = [re.sub(r"\d+", lambda gap: " " * int(gap[0]), row) for row in placement.split("/")]
    return [None if piece == " " else piece for row in reversed(rows) for piece in row]


def write_board(board: Board, files: int) -> str:
    """The first field of a FEN, without hands."""
    ranks = [board[first : first + files] for first in range(0, len(board), files)]
    rows = "/".join("".join(piece or " " for piece in rank) for rank in reversed(ranks))
    return re.sub(" +", lambda gap: str(len(gap[0])), rows)


def worked_out_once(replies: Callable[[State], dict[str, State]]) -> Callable[[State], dict[str, State]]:
    """`replies` that remember their last answers: a state must not change after it is asked for."""
    known: dict[int, tuple[State, dict[str, State]]] = {}

    def remembered(state: State) -> dict[str, State]:
        if id(state) not in known:
            answer = replies(state)
            if len(known) >= REMEMBERED:
                del known[next(iter(known))]
            known[id(state)] = state, answer  # the state is kept, so that no other one has its id
        return known[id(state)][1]

    return remembered


class GameReferee:
    """A game from `fen` on, move by move. A model gives the rules: the start, how it reads and writes a FEN,
    every legal move by its text with the position after it, and whether a side is in check."""

    START_FEN: str
    read_fen: Callable[[str], State]
    write_fen: Callable[[State], str]
    replies: Callable[[State], dict[str, State]]
    in_check: Callable[[State, str], bool]

    def __init__(self, fen: str | None = None) -> None:
        self.states = [self.read_fen(fen or self.START_FEN)]

    @property
    def state(self) -> State:
        return self.states[-1]

    def legal_moves(self) -> list[str]:
        """Every legal move, sorted; none once the game has been won."""
        return sorted(self.replies(self.state))

    def push(self, text: str) -> None:
        """Play the move; KeyError when it is not legal."""
        self.states.append(self.replies(self.state)[text])

    def pop(self) -> None:
        """Take the last move back."""
        assert len(self.states) > 1, "no move to take back"
        self.states.pop()

    def fen(self) -> str:
        """The position in full."""
        return self.write_fen(self.state)

    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        return self.in_check(self.state, self.state.turn)

    def is_drawn_by_counting(self, key: Callable[[State], object]) -> bool:
        """Whether the position, as `key` sees it, stands for the third time, or fifty moves have passed."""
        stood = [key(state) for state in self.states]
        return stood.count(stood[-1]) >= 3 or self.state.halfmove >= FIFTY_MOVES

    def perft(self, depth: int) -> int:
        """How many sequences of `depth` legal moves there are; repetition and counts play no part."""
        return self._count(self.state, depth)

    def _count(self, state: State, depth: int) -> int:
        if depth == 0:
            return 1
        children = self.replies(state)
        if depth == 1:
            return len(children)
        return sum(self._count(child, depth - 1) for child in children.values())
