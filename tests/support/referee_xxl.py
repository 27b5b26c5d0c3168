"""A slow, plain model of XXL Chess, written from its rules alone: a referee of the tests.

Orthodox chess on 14 x 14 squares with five more kinds of pieces: a mailbox of letters, every move
made and then tested. Nothing is shared with the engine, nothing is fast, and malformed input is
not looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from surajang.tests.support.referee_base import (
    ALL,
    DIAGONAL,
    JUMPS,
    LONG_JUMPS,
    OPPONENT,
    ORTHOGONAL,
    Board,
    GameReferee,
    State,
    colour_of,
    coloured,
    lines_of,
    names_of,
    read_board,
    win_for,
    worked_out_once,
    write_board,
)

START_FEN = "rnbhcmakmcebnr/pppppppppppppp" + "/14" * 10 + "/PPPPPPPPPPPPPP/RNBHCMAKMCEBNR w KQkq - 0 1"

SIZE = 14
SQUARE_NAMES = names_of(SIZE, SIZE)
SQUARES = {name: square for square, name in enumerate(SQUARE_NAMES)}
LINES = lines_of(SIZE, SIZE)

# Each piece has directions it slides in and single steps.
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
# By right: the files of the king's and the rook's first and last squares.
CASTLINGS = {"K": (7, 12, 13, 11), "Q": (7, 2, 0, 3)}
# The squares of kings and rooks that have not moved, and the rights that go when one is left or taken.
RIGHTS_AT = {"h1": "KQ", "n1": "K", "a1": "Q", "h14": "kq", "n14": "k", "a14": "q"}


@dataclass
class XxlState(State):
    """A position with the rights to castle and the square that a pawn has just crossed."""

    rights: str
    crossed: int | None


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


def moved(state: XxlState, origin: int, target: int) -> XxlState:
    """A copy with the man moved and what stood on `target` taken, the other side to move."""
    board = state.board.copy()
    irreversible = board[target] is not None or board[origin] in "Pp"
    board[target], board[origin] = board[origin], None
    gone = "".join(RIGHTS_AT.get(SQUARE_NAMES[square], "") for square in (origin, target))
    return XxlState(
        board=board,
        turn=OPPONENT[state.turn],
        rights="".join(right for right in state.rights if right not in gone),
        crossed=None,
        halfmove=0 if irreversible else state.halfmove + 1,
        fullmove=state.fullmove + (state.turn == "b"),
    )


def pawn_moves(state: XxlState, origin: int) -> Iterator[tuple[str, XxlState]]:
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


def castlings(state: XxlState) -> Iterator[tuple[str, XxlState]]:
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


def all_moves(state: XxlState) -> Iterator[tuple[str, XxlState]]:
    """Every move with the position after it, before asking whether it leaves the king in check."""
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


@worked_out_once
def replies(state: XxlState) -> dict[str, XxlState]:
    """Every legal move, by its text, with the position it leads to."""
    legal = {}
    for text, child in all_moves(state):
        if not in_check(child.board, state.turn):
            assert text not in legal, f"{text} twice"
            legal[text] = child
    return legal


def takeable_in_passing(state: XxlState) -> str:
    """The square that a pawn has just crossed if a legal move captures there, else `-`."""
    for text in replies(state):
        origin, target = (SQUARES[name] for name in re.findall(r"[a-n]\d+", text))
        captures = state.board[origin] == coloured("P", state.turn) and origin % SIZE != target % SIZE
        if captures and target == state.crossed:
            return SQUARE_NAMES[target]
    return "-"


def read_fen(fen: str) -> XxlState:
    """The state that a well-formed FEN describes."""
    placement, turn, castling, crossed, halfmove, fullmove = fen.split()
    return XxlState(
        board=read_board(placement),
        turn=turn,
        rights="".join(right for right in "KQkq" if right in castling),
        crossed=SQUARES.get(crossed),
        halfmove=int(halfmove),
        fullmove=int(fullmove),
    )


def write_fen(state: XxlState) -> str:
    """The FEN of the state, in the form that the engine writes."""
    fields = (state.turn, state.rights or "-", takeable_in_passing(state), state.halfmove, state.fullmove)
    return " ".join([write_board(state.board, SIZE), *map(str, fields)])


class XxlReferee(GameReferee):
    """A game of XXL Chess."""

    START_FEN = START_FEN
    read_fen, write_fen, replies = staticmethod(read_fen), staticmethod(write_fen), staticmethod(replies)

    @staticmethod
    def in_check(state: XxlState, colour: str) -> bool:
        return in_check(state.board, colour)

    def result(self) -> str | None:
        """The score when the game is over, None while it is in progress."""
        if not replies(self.state):
            return win_for(OPPONENT[self.state.turn]) if self.is_check() else "1/2-1/2"
        # As in orthodox chess, a position is more than its men: castling and passing count too.
        if self.is_drawn_by_counting(
            lambda state: (state.board, state.turn, state.rights, takeable_in_passing(state))
        ):
            return "1/2-1/2"
        return None
