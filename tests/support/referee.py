"""A slow, plain model of Pandemonium, written from the rule book alone: the referee of the tests.

Here the rules stand as a reader of the book would write them down: a mailbox of letters, every
move made and then tested. Nothing is shared with the engine, nothing is fast, and malformed input
is not looked for. Another game gets a model of its own in a file of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from surajang.tests.support.referee_base import (
    ALL,
    DIAGONAL,
    JUMPS,
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

START_FEN = "rnbqkmcbnr/pppppppppp/10/10/10/10/10/10/PPPPPPPPPP/RNBQKMCBNR[] w KQkq - 0 1"

FILES = RANKS = 10
SQUARE_NAMES = names_of(FILES, RANKS)
SQUARES = {name: square for square, name in enumerate(SQUARE_NAMES)}
LINES = lines_of(FILES, RANKS)

# Each piece has directions it slides in and single steps.
MOVEMENT = {
    "K": ((), ALL),
    "Q": (ALL, ()),
    "R": (ORTHOGONAL, ()),
    "B": (DIAGONAL, ()),
    "N": ((), JUMPS),
    "M": (ORTHOGONAL, JUMPS),
    "C": (DIAGONAL, JUMPS),
    "D": (ORTHOGONAL, ALL),
    "H": (DIAGONAL, ALL),
    "S": ((), ALL + JUMPS),
    "A": (ALL, ()),
    "W": (ALL, ()),
    "G": (ALL, ()),
}
PROMOTED = {"R": "D", "B": "H", "N": "S", "M": "A", "C": "W", "P": "G"}
BASE = {promoted: base for base, promoted in PROMOTED.items()}
HAND_ORDER = "QMCRBNP"

# What a colour calls its own: (forward, first rank, second, third, last), ranks counted from 0.
FORWARD = {"w": 1, "b": -1}
FIRST_RANK = {"w": 0, "b": 9}
SECOND_RANK = {"w": 1, "b": 8}
THIRD_RANK = {"w": 2, "b": 7}
LAST_RANK = {"w": 9, "b": 0}
COLOUR_NAME = {"w": "White", "b": "Black"}


@dataclass
class PandemoniumState(State):
    """A position with hands and the squares that a pawn has just crossed."""

    hands: dict[str, Counter]
    crossed: tuple[int, ...]


def pawn_attacks(square: int, colour: str) -> list[int]:
    """The squares that a pawn of `colour` on `square` attacks."""
    return [target for file in (-1, 1) for target in LINES[square][file, FORWARD[colour]][:1]]


def piece_attacks(board: Board, square: int) -> Iterator[int]:
    """The squares that the piece on `square`, no pawn, attacks; its own side's men included."""
    slides, steps = MOVEMENT[board[square].upper()]
    for direction in slides:
        for target in LINES[square][direction]:
            yield target
            if board[target] is not None:
                break
    for direction in steps:
        # What is one step away in a direction of the slides has been named already.
        if direction not in slides:
            yield from LINES[square][direction][:1]


def is_attacked(board: Board, square: int, by: str) -> bool:
    """Whether a man of colour `by` attacks `square`.

    Looks out from the square, since every man but the pawn moves alike in both directions.
    """
    for direction in ALL:
        for distance, origin in enumerate(LINES[square][direction]):
            piece = board[origin]
            if piece is not None:
                if colour_of(piece) == by and piece not in "Pp":
                    slides, steps = MOVEMENT[piece.upper()]
                    if direction in slides or (distance == 0 and direction in steps):
                        return True
                break
    for direction in JUMPS:
        for origin in LINES[square][direction][:1]:
            piece = board[origin]
            if colour_of(piece) != by or piece in "Pp":
                continue
            if direction in MOVEMENT[piece.upper()][1]:
                return True
    pawn = coloured("P", by)
    return any(board[origin] == pawn for origin in pawn_attacks(square, OPPONENT[by]))


def in_check(state: PandemoniumState, colour: str) -> bool:
    king = state.board.index(coloured("K", colour))
    return is_attacked(state.board, king, OPPONENT[colour])


def successor(state: PandemoniumState) -> PandemoniumState:
    """A copy with the other side to move, before anything has moved on it."""
    return PandemoniumState(
        board=state.board.copy(),
        hands={colour: hand.copy() for colour, hand in state.hands.items()},
        turn=OPPONENT[state.turn],
        crossed=(),
        halfmove=state.halfmove + 1,
        fullmove=state.fullmove + (state.turn == "b"),
    )


def take(child: PandemoniumState, square: int, taker: str) -> None:
    """Move the man on `square` to the taker's hand, in its base form."""
    letter = child.board[square].upper()
    child.hands[taker][BASE.get(letter, letter)] += 1
    child.board[square] = None
    child.halfmove = 0


def moves_to(state: PandemoniumState, origin: int, target: int) -> Iterator[tuple[str, PandemoniumState]]:
    """The move from `origin` to `target`, once for each form that the man may arrive in."""
    letter = state.board[origin].upper()
    last_rank = LAST_RANK[state.turn]
    forms = [(letter, "")]
    if letter in PROMOTED and last_rank in (origin // FILES, target // FILES):
        promoted = (PROMOTED[letter], PROMOTED[letter].lower())
        forms = [promoted] if letter == "P" else [*forms, promoted]
    for form, suffix in forms:
        child = successor(state)
        if child.board[target] is not None:
            take(child, target, state.turn)
        child.board[origin] = None
        child.board[target] = coloured(form, state.turn)
        if letter == "P":
            child.halfmove = 0
        yield SQUARE_NAMES[origin] + SQUARE_NAMES[target] + suffix, child


def pawn_moves(state: PandemoniumState, origin: int) -> Iterator[tuple[str, PandemoniumState]]:
    """Steps, captures and captures in passing of the pawn on `origin`."""
    board, turn = state.board, state.turn
    reach = {SECOND_RANK[turn]: 3, THIRD_RANK[turn]: 2}.get(origin // FILES, 1)
    path: list[int] = []
    for target in LINES[origin][0, FORWARD[turn]][:reach]:
        if board[target] is not None:
            break
        for text, child in moves_to(state, origin, target):
            child.crossed = tuple(sorted(path))
            yield text, child
        path.append(target)
    for target in pawn_attacks(origin, turn):
        if colour_of(board[target]) == OPPONENT[turn]:
            yield from moves_to(state, origin, target)
        elif target in state.crossed:
            for text, child in moves_to(state, origin, target):
                # The pawn that stepped is the first man behind the square, seen from its own side.
                ahead = LINES[target][0, -FORWARD[turn]]
                take(child, next(square for square in ahead if board[square] is not None), turn)
                yield text, child


def castlings(state: PandemoniumState) -> Iterator[tuple[str, PandemoniumState]]:
    """Castling to either side; the king's last square is left to the common test for check."""
    home = FIRST_RANK[state.turn] * FILES
    king, rook = coloured("K", state.turn), coloured("R", state.turn)
    enemy = OPPONENT[state.turn]
    if state.board[home + 4] != king:
        return
    for rook_file, between, crossed, inner in (
        (0, (1, 2, 3), (4, 3, 2, 1), 2),
        (9, (5, 6, 7, 8), (4, 5, 6, 7), 6),
    ):
        if state.board[home + rook_file] != rook:
            continue
        if any(state.board[home + file] is not None for file in between):
            continue
        if any(is_attacked(state.board, home + file, enemy) for file in crossed):
            continue
        child = successor(state)
        child.board[home + 4] = child.board[home + rook_file] = None
        child.board[home + crossed[-1]] = king
        child.board[home + inner] = rook
        yield SQUARE_NAMES[home + 4] + SQUARE_NAMES[home + crossed[-1]], child


def drops(state: PandemoniumState) -> Iterator[tuple[str, PandemoniumState]]:
    """Every drop, those that mate with a pawn among them."""
    for letter in sorted(state.hands[state.turn]):
        for target in range(FILES * RANKS):
            if state.board[target] is not None:
                continue
            if letter == "P" and target // FILES in (0, RANKS - 1):
                continue
            child = successor(state)
            child.board[target] = coloured(letter, state.turn)
            child.hands[state.turn][letter] -= 1
            if not child.hands[state.turn][letter]:
                del child.hands[state.turn][letter]
            yield f"{letter}@{SQUARE_NAMES[target]}", child


def all_moves(state: PandemoniumState) -> Iterator[tuple[str, PandemoniumState]]:
    """Every move with the position after it, before asking whether it leaves the king in check."""
    for origin, piece in enumerate(state.board):
        if colour_of(piece) != state.turn:
            continue
        if piece in "Pp":
            yield from pawn_moves(state, origin)
        else:
            for target in piece_attacks(state.board, origin):
                if colour_of(state.board[target]) != state.turn:
                    yield from moves_to(state, origin, target)
    yield from castlings(state)
    yield from drops(state)


@worked_out_once
def replies(state: PandemoniumState) -> dict[str, PandemoniumState]:
    """Every legal move, by its text, with the position it leads to."""
    legal = {}
    for text, child in all_moves(state):
        if in_check(child, state.turn):
            continue
        if text.startswith("P@") and in_check(child, child.turn) and not replies(child):
            continue
        assert text not in legal, f"{text} twice"
        legal[text] = child
    return legal


def read_fen(fen: str) -> PandemoniumState:
    """The state that a well-formed FEN describes. Its castling field is not read."""
    placement, turn, _, crossed, halfmove, fullmove = fen.split()
    placement, hand_text = placement.rstrip("]").split("[")
    return PandemoniumState(
        board=read_board(placement),
        hands={
            "w": Counter(c for c in hand_text if c.isupper()),
            "b": Counter(c.upper() for c in hand_text if c.islower()),
        },
        turn=turn,
        # Squares that a pawn can cross have one-digit ranks.
        crossed=tuple(SQUARES[crossed[i : i + 2]] for i in range(0, len(crossed) - 1, 2)),
        halfmove=int(halfmove),
        fullmove=int(fullmove),
    )


def captured_in_passing(state: PandemoniumState, moves: Iterable[str]) -> str:
    """The crossed squares where one of the `moves`, all that are legal, captures; `-` where none does."""
    pawn, found = coloured("P", state.turn), set()
    for origin, target in (re.findall(r"[a-j]\d+", move) for move in moves if "@" not in move):
        pawn_moves = state.board[SQUARES[origin]] == pawn
        if pawn_moves and origin[0] != target[0] and SQUARES[target] in state.crossed:
            found.add(SQUARES[target])
    return "".join(SQUARE_NAMES[square] for square in sorted(found)) or "-"


def write_fen(state: PandemoniumState, moves: Iterable[str] | None = None) -> str:
    """The FEN of the state, as the engine writes it; `moves` are the legal ones, found by default."""
    moves = replies(state) if moves is None else moves
    hands = "".join(
        coloured(letter, colour) * state.hands[colour][letter] for colour in "wb" for letter in HAND_ORDER
    )
    castling = "".join(
        coloured(letter, colour)
        for colour in "wb"
        for letter, rook_file in (("K", 9), ("Q", 0))
        if state.board[FIRST_RANK[colour] * FILES + 4] == coloured("K", colour)
        and state.board[FIRST_RANK[colour] * FILES + rook_file] == coloured("R", colour)
    )
    return (
        f"{write_board(state.board, FILES)}[{hands}] {state.turn} {castling or '-'}"
        f" {captured_in_passing(state, moves)} {state.halfmove} {state.fullmove}"
    )


class Referee(GameReferee):
    """A game of Pandemonium."""

    START_FEN = START_FEN
    read_fen, write_fen = staticmethod(read_fen), staticmethod(write_fen)
    replies, in_check = staticmethod(replies), staticmethod(in_check)

    def result(self) -> tuple[str, str] | None:
        """(score, reason) when the game is over, None while it is in progress."""
        turn = self.state.turn
        if not replies(self.state):
            if not self.is_check():
                return "1/2-1/2", "Stalemate"
            return win_for(OPPONENT[turn]), f"{COLOUR_NAME[OPPONENT[turn]]} mates"
        return self._repetition()

    def _repetition(self) -> tuple[str, str] | None:
        """The end of the game if this position stands for the third time (or more)."""

        def repeated(state: PandemoniumState) -> tuple:
            return state.board, state.hands, state.turn

        here = repeated(self.state)
        earlier = [i for i, state in enumerate(self.states[:-1]) if repeated(state) == here]
        if len(earlier) < 2:
            return None
        since = self.states[earlier[-1] + 1 :]
        # A state with Black to move is what a move of White's has led to.
        checking = [
            colour
            for colour in "wb"
            if all(in_check(state, state.turn) for state in since if state.turn == OPPONENT[colour])
        ]
        if len(checking) == 1:
            name = COLOUR_NAME[checking[0]]
            return win_for(OPPONENT[checking[0]]), f"{name} checks perpetually"
        return "1/2-1/2", "Draw by repetition"
