"""A slow, plain model of XXL Chess, written from its rules alone: a referee of the tests.

Orthodox chess on 14 x 14 squares with five more kinds of pieces: a mailbox of letters, every move
made and then tested. Nothing is shared with the engine, nothing is fast, and malformed input is
not looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

START_FEN = "rnbhcmakmcebnr/pppppppppppppp" + "/14" * 10 + "/PPPPPPPPPPPPPP/RNBHCMAKMCEBNR w KQkq - 0 1"

SIZE = 14
SQUARE_NAMES = [f"{file}{rank}" for rank in range(1, SIZE + 1) for file in "abcdefghijklmn"]
SQUARES = {name: square for square, name in enumerate(SQUARE_NAMES)}

# Directions are (files, ranks). Each piece has directions it slides in and single steps.
ORTHOGONAL = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
ALL = ORTHOGONAL + DIAGONAL
JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
LONG_JUMPS = ((1, 3), (3, 1), (3, -1), (1, -3), (-1, -3), (-3, -1), (-3, 1), (-1, 3))
MOVEMENT = {
    "K": ((), ALL),
    "Q": (ALL, ()),
    "R": (ORTHOGONAL, ()),
    "B": (DIAGONAL, ()),
    "N": ((), JUMPS),
    "H": (DIAGONAL, JUMPS),
    "E": (ORTHOGONAL, JUMPS),
    "A": (ALL, JUMPS),
    "M": ((), ALL + JUMPS),
    "C": ((), LONG_JUMPS),
}

# What a colour calls its own, ranks counted from 0. Pawns promote on the eighth rank from their side.
FORWARD = {"w": 1, "b": -1}
FIRST_RANK = {"w": 0, "b": 13}
SECOND_RANK = {"w": 1, "b": 12}
PROMOTION_RANK = {"w": 7, "b": 6}
OPPONENT = {"w": "b", "b": "w"}
# By right: the files of the king's and the rook's first and last squares.
CASTLINGS = {"K": (7, 12, 13, 11), "Q": (7, 2, 0, 3)}
# The squares of kings and rooks that have not moved, and the rights that go when one is left or taken.
RIGHTS_AT = {"h1": "KQ", "n1": "K", "a1": "Q", "h14": "kq", "n14": "k", "a14": "q"}
# Fifty moves by each side, in plies.
FIFTY_MOVES = 100

Board = list[str | None]


def line(square: int, direction: tuple[int, int]) -> list[int]:
    """The squares from `square` in `direction` to the edge of the board, nearest first."""
    squares = []
    file, rank = square % SIZE + direction[0], square // SIZE + direction[1]
    while 0 <= file < SIZE and 0 <= rank < SIZE:
        squares.append(rank * SIZE + file)
        file, rank = file + direction[0], rank + direction[1]
    return squares


LINES = [
    {direction: line(square, direction) for direction in ALL + JUMPS + LONG_JUMPS}
    for square in range(SIZE * SIZE)
]


@dataclass
class State:
    """One position: everything that decides what may happen next, and the two counters."""

    board: Board
    turn: str
    rights: str
    crossed: int | None
    halfmove: int
    fullmove: int


def colour_of(piece: str | None) -> str | None:
    return None if piece is None else "w" if piece.isupper() else "b"


def coloured(letter: str, colour: str) -> str:
    return letter.upper() if colour == "w" else letter.lower()


def attacks(board: Board, square: int) -> Iterator[int]:
    """The squares that the man on `square` attacks; its own side's men included."""
    letter = board[square].upper()
    if letter == "P":
        for file in (-1, 1):
            yield from LINES[square][file, FORWARD[colour_of(board[square])]][:1]
        return
    slides, steps = MOVEMENT[letter]
    for direction in slides:
        for target in LINES[square][direction]:
            yield target
            if board[target] is not None:
                break
    for direction in steps:
        yield from LINES[square][direction][:1]


def attacked_squares(board: Board, by: str) -> set[int]:
    """Every square that a man of colour `by` attacks."""
    return {
        target
        for square, piece in enumerate(board)
        if colour_of(piece) == by
        for target in attacks(board, square)
    }


def in_check(board: Board, colour: str) -> bool:
    return board.index(coloured("K", colour)) in attacked_squares(board, OPPONENT[colour])


def moved(state: State, origin: int, target: int) -> State:
    """A copy with the man moved and what stood on `target` taken, the other side to move."""
    board = state.board.copy()
    irreversible = board[target] is not None or board[origin] in "Pp"
    board[target], board[origin] = board[origin], None
    gone = "".join(RIGHTS_AT.get(SQUARE_NAMES[square], "") for square in (origin, target))
    return State(
        board=board,
        turn=OPPONENT[state.turn],
        rights="".join(right for right in state.rights if right not in gone),
        crossed=None,
        halfmove=0 if irreversible else state.halfmove + 1,
        fullmove=state.fullmove + (state.turn == "b"),
    )


def pawn_moves(state: State, origin: int) -> Iterator[tuple[str, State]]:
    """Steps, captures and captures in passing of the pawn on `origin`."""
    board, turn = state.board, state.turn
    ahead = LINES[origin][0, FORWARD[turn]][: 2 if origin // SIZE == SECOND_RANK[turn] else 1]
    steps = []
    for target in ahead:
        if board[target] is not None:
            break
        steps.append(target)
    captures = [
        target
        for target in attacks(board, origin)
        if colour_of(board[target]) == OPPONENT[turn] or target == state.crossed
    ]
    for target in steps + captures:
        child = moved(state, origin, target)
        text = SQUARE_NAMES[origin] + SQUARE_NAMES[target]
        if target // SIZE == PROMOTION_RANK[turn]:
            child.board[target] = coloured("Q", turn)
            text += "q"
        if target in steps[1:]:
            child.crossed = steps[0]
        if target in captures and target == state.crossed:
            child.board[target - FORWARD[turn] * SIZE] = None
        yield text, child


def castlings(state: State) -> Iterator[tuple[str, State]]:
    """Castling to either side by the rights that are left."""
    home = FIRST_RANK[state.turn] * SIZE
    for letter, files in CASTLINGS.items():
        if coloured(letter, state.turn) not in state.rights:
            continue
        king, king_target, rook, rook_target = (home + file for file in files)
        if any(state.board[square] is not None for square in range(min(king, rook) + 1, max(king, rook))):
            continue
        path = range(min(king, king_target), max(king, king_target) + 1)
        if attacked_squares(state.board, OPPONENT[state.turn]).intersection(path):
            continue
        child = moved(state, king, king_target)
        child.board[rook_target], child.board[rook] = child.board[rook], None
        yield SQUARE_NAMES[king] + SQUARE_NAMES[king_target], child


def all_moves(state: State) -> Iterator[tuple[str, State]]:
    """Every move with the position behind it, before asking whether it leaves the king in check."""
    for origin, piece in enumerate(state.board):
        if colour_of(piece) != state.turn:
            continue
        if piece in "Pp":
            yield from pawn_moves(state, origin)
            continue
        for target in attacks(state.board, origin):
            if colour_of(state.board[target]) != state.turn:
                yield SQUARE_NAMES[origin] + SQUARE_NAMES[target], moved(state, origin, target)
    yield from castlings(state)


def replies(state: State) -> dict[str, State]:
    """Every legal move, by its text, with the position it leads to."""
    legal = {}
    for text, child in all_moves(state):
        if not in_check(child.board, state.turn):
            assert text not in legal, f"{text} twice"
            legal[text] = child
    return legal


def takeable_in_passing(state: State) -> str:
    """The square that a pawn has just crossed if a legal move captures there, else `-`."""
    for text in replies(state):
        origin, target = (SQUARES[name] for name in re.findall(r"[a-n]\d+", text))
        captures = state.board[origin] == coloured("P", state.turn) and origin % SIZE != target % SIZE
        if captures and target == state.crossed:
            return SQUARE_NAMES[target]
    return "-"


def read_fen(fen: str) -> State:
    """The state that a well-formed FEN describes."""
    placement, turn, castling, crossed, halfmove, fullmove = fen.split()
    rows = [re.sub(r"\d+", lambda gap: " " * int(gap[0]), row) for row in placement.split("/")]
    return State(
        board=[None if piece == " " else piece for row in reversed(rows) for piece in row],
        turn=turn,
        rights="".join(right for right in "KQkq" if right in castling),
        crossed=SQUARES.get(crossed),
        halfmove=int(halfmove),
        fullmove=int(fullmove),
    )


def write_fen(state: State) -> str:
    """The FEN of the state, in the form that the engine writes."""
    ranks = [state.board[rank * SIZE : (rank + 1) * SIZE] for rank in reversed(range(SIZE))]
    rows = "/".join("".join(piece or " " for piece in rank) for rank in ranks)
    placement = re.sub(" +", lambda gap: str(len(gap[0])), rows)
    fields = (state.turn, state.rights or "-", takeable_in_passing(state), state.halfmove, state.fullmove)
    return " ".join([placement, *map(str, fields)])


class XxlReferee:
    """A game of XXL Chess from `fen` on, move by move."""

    def __init__(self, fen: str | None = None) -> None:
        self.states = [read_fen(fen or START_FEN)]

    @property
    def state(self) -> State:
        return self.states[-1]

    def legal_moves(self) -> list[str]:
        """Every legal move, sorted."""
        return sorted(replies(self.state))

    def push(self, text: str) -> None:
        """Play the move; KeyError when it is not legal."""
        self.states.append(replies(self.state)[text])

    def pop(self) -> None:
        """Take the last move back."""
        assert len(self.states) > 1, "no move to take back"
        self.states.pop()

    def fen(self) -> str:
        """The position in full."""
        return write_fen(self.state)

    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        return in_check(self.state.board, self.state.turn)

    def result(self) -> str | None:
        """The score when the game is over, None while it goes on."""
        if not replies(self.state):
            if not self.is_check():
                return "1/2-1/2"
            return "0-1" if self.state.turn == "w" else "1-0"
        # As in orthodox chess, a position is more than its men: castling and passing count too.
        stood = [(state.board, state.turn, state.rights, takeable_in_passing(state)) for state in self.states]
        if stood.count(stood[-1]) >= 3 or self.state.halfmove >= FIFTY_MOVES:
            return "1/2-1/2"
        return None

    def perft(self, depth: int) -> int:
        """How many sequences of `depth` legal moves there are; repetition and the count play no part."""
        return count(self.state, depth)


def count(state: State, depth: int) -> int:
    if depth == 0:
        return 1
    children = replies(state)
    if depth == 1:
        return len(children)
    return sum(count(child, depth - 1) for child in children.values())
