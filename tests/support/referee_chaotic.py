"""A slow, plain model of Chaotic Chess, written from the rule book alone: a referee of the tests.

Here the rules stand as a reader of the book would write them down: a mailbox of letters, every
move made and then tested. Nothing is shared with the engine, nothing is fast, and malformed input
is not looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

START_FEN = "knarm3/narmr3/pppppppp/8/8/PPPPPPPP/3RMRAN/3MRANK w - - 0 1"

SQUARE_NAMES = [f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh"]

# Directions are (files, ranks).
ORTHOGONAL = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
# Captures of the agents that capture by moving. Steps take any agent, slides any agent but a pawn.
STEPS = {"K": ORTHOGONAL + DIAGONAL, "N": JUMPS, "A": JUMPS, "R": ()}
SLIDES = {"K": (), "N": (), "A": DIAGONAL, "R": ORTHOGONAL}

OPPONENT = {"w": "b", "b": "w"}
# Fifty moves by each side, in plies.
FIFTY_MOVES = 100

Board = list[str | None]


def line(square: int, direction: tuple[int, int]) -> list[int]:
    """The squares from `square` in `direction` to the edge of the board, nearest first."""
    squares = []
    file, rank = square % 8 + direction[0], square // 8 + direction[1]
    while 0 <= file < 8 and 0 <= rank < 8:
        squares.append(rank * 8 + file)
        file, rank = file + direction[0], rank + direction[1]
    return squares


LINES = [
    {direction: line(square, direction) for direction in ORTHOGONAL + DIAGONAL + JUMPS}
    for square in range(64)
]


@dataclass
class State:
    """One position: everything that decides what may happen next, and the two counters."""

    board: Board
    turn: str
    halfmove: int
    fullmove: int


def colour_of(agent: str | None) -> str | None:
    return None if agent is None else "w" if agent.isupper() else "b"


def coloured(letter: str, colour: str) -> str:
    return letter.upper() if colour == "w" else letter.lower()


def beside_merchant(board: Board, square: int, colour: str) -> bool:
    """Whether a merchant of `colour` stands orthogonally next to `square`."""
    neighbours = [target for direction in ORTHOGONAL for target in LINES[square][direction][:1]]
    return any(board[target] == coloured("M", colour) for target in neighbours)


def immobilised(board: Board, square: int) -> bool:
    """Whether the agent on `square` can neither move nor capture nor give check."""
    if board[square] in "PpMm":
        return False
    colour = colour_of(board[square])
    return beside_merchant(board, square, OPPONENT[colour]) and not beside_merchant(board, square, colour)


def bumpable(board: Board, square: int) -> bool:
    """Whether a pawn pushes the agent on `square`, if only it has room to slide."""
    return (
        board[square] not in "Mm"
        and not immobilised(board, square)
        and not beside_merchant(board, square, colour_of(board[square]))
    )


def agent_targets(board: Board, square: int) -> Iterator[int]:
    """Where the king, knight, archbishop or rook on `square` may go; own agents are no targets."""
    letter, colour = board[square].upper(), colour_of(board[square])
    for direction in STEPS[letter]:
        yield from (target for target in LINES[square][direction][:1] if colour_of(board[target]) != colour)
    for direction in SLIDES[letter]:
        for target in LINES[square][direction]:
            if board[target] is None:
                yield target
                continue
            if colour_of(board[target]) != colour and board[target] not in "Pp":
                yield target
            break


def in_check(board: Board, colour: str) -> bool:
    """Whether an enemy of `colour` could take its king by moving onto it; a lost king is in no check."""
    if coloured("K", colour) not in board:
        return False
    king = board.index(coloured("K", colour))
    for square, agent in enumerate(board):
        if colour_of(agent) != OPPONENT[colour] or agent in "PpMm" or immobilised(board, square):
            continue
        if king in agent_targets(board, square):
            return True
    return False


def bare(board: Board, colour: str) -> bool:
    """Whether `colour` has nothing but king and pawns."""
    return all(agent in "KkPp" for agent in board if colour_of(agent) == colour)


def finished(state: State) -> bool:
    """Whether the side to move has lost by the last move: its king backstabbed, or its last piece gone.

    Two bare sides play on. Only a composed position has them: a bare side would have to take the
    other's last piece, and by then it has lost.
    """
    backstabbed = coloured("K", state.turn) not in state.board
    left_bare = bare(state.board, state.turn) and not bare(state.board, OPPONENT[state.turn])
    return backstabbed or left_bare


def moved(state: State, origin: int, target: int) -> State:
    """A copy with the agent moved and what stood on `target` taken, the other side to move."""
    board = state.board.copy()
    captured = board[target] is not None
    board[target], board[origin] = board[origin], None
    return State(
        board=board,
        turn=OPPONENT[state.turn],
        halfmove=0 if captured else state.halfmove + 1,
        fullmove=state.fullmove + (state.turn == "b"),
    )


def pawn_moves(state: State, origin: int) -> Iterator[tuple[int, State]]:
    """Every stop of the pawn on `origin`, with what the last stop of a line bumps."""
    for direction in ORTHOGONAL:
        path = LINES[origin][direction]
        stops = 0
        while stops < len(path) and state.board[path[stops]] is None:
            stops += 1
        for target in path[:stops]:
            child = moved(state, origin, target)
            if target == path[stops - 1] and stops < len(path) and bumpable(state.board, path[stops]):
                bump(child.board, path[stops], direction)
            yield target, child


def bump(board: Board, square: int, direction: tuple[int, int]) -> None:
    """Slide the agent on `square` until the next agent or the edge."""
    landing = square
    for target in LINES[square][direction]:
        if board[target] is not None:
            break
        landing = target
    agent, board[square] = board[square], None
    board[landing] = agent


def merchant_moves(state: State, origin: int) -> Iterator[tuple[int, State]]:
    """Every step of the merchant on `origin`, with what it takes together with another merchant."""
    merchant = state.board[origin]
    for direction in ORTHOGONAL + DIAGONAL:
        for target in LINES[origin][direction][:1]:
            if state.board[target] is not None:
                continue
            child = moved(state, origin, target)
            for side in ORTHOGONAL:
                ahead = LINES[target][side][:2]
                if len(ahead) < 2 or child.board[ahead[1]] != merchant:
                    continue
                victim = child.board[ahead[0]]
                if colour_of(victim) == OPPONENT[state.turn] and victim not in "Pp":
                    child.board[ahead[0]] = None
                    child.halfmove = 0
            yield target, child


def all_moves(state: State) -> Iterator[tuple[str, State]]:
    """Every move with the position behind it, before asking whether it leaves the king in check."""
    for origin, agent in enumerate(state.board):
        if colour_of(agent) != state.turn or immobilised(state.board, origin):
            continue
        if agent in "Pp":
            found = pawn_moves(state, origin)
        elif agent in "Mm":
            found = merchant_moves(state, origin)
        else:
            targets = agent_targets(state.board, origin)
            found = ((target, moved(state, origin, target)) for target in targets)
        for target, child in found:
            yield SQUARE_NAMES[origin] + SQUARE_NAMES[target], child


def replies(state: State) -> dict[str, State]:
    """Every legal move, by its text, with the position it leads to."""
    if finished(state):
        return {}
    legal = {}
    for text, child in all_moves(state):
        if not in_check(child.board, state.turn):
            assert text not in legal, f"{text} twice"
            legal[text] = child
    return legal


def read_fen(fen: str) -> State:
    """The state that a well-formed FEN describes."""
    placement, turn, _, _, halfmove, fullmove = fen.split()
    rows = [re.sub(r"\d", lambda gap: " " * int(gap[0]), row) for row in placement.split("/")]
    board = [None if agent == " " else agent for row in reversed(rows) for agent in row]
    return State(board, turn, int(halfmove), int(fullmove))


def write_fen(state: State) -> str:
    """The FEN of the state, in the form that the engine writes."""
    rows = ["".join(agent or " " for agent in state.board[rank * 8 : rank * 8 + 8]) for rank in range(8)]
    placement = re.sub(" +", lambda gap: str(len(gap[0])), "/".join(reversed(rows)))
    return f"{placement} {state.turn} - - {state.halfmove} {state.fullmove}"


class ChaoticReferee:
    """A game of Chaotic Chess from `fen` on, move by move."""

    def __init__(self, fen: str | None = None) -> None:
        self.states = [read_fen(fen or START_FEN)]

    @property
    def state(self) -> State:
        return self.states[-1]

    def legal_moves(self) -> list[str]:
        """Every legal move, sorted; none once the game has been won."""
        return sorted(replies(self.state))

    def push(self, text: str) -> None:
        """Play the move; KeyError when it is not legal."""
        self.states.append(replies(self.state)[text])

    def pop(self) -> None:
        """Take the last move back."""
        assert len(self.states) > 1, "no move to take back"
        self.states.pop()

    def fen(self) -> str:
        """The position in full; after backstabbing it lacks a king."""
        return write_fen(self.state)

    def is_check(self) -> bool:
        """Whether the side to move is in check; merchants give none."""
        return in_check(self.state.board, self.state.turn)

    def result(self) -> str | None:
        """The score when the game is over, None while it goes on."""
        lost = "0-1" if self.state.turn == "w" else "1-0"
        if finished(self.state):
            return lost
        if not replies(self.state):
            return lost if self.is_check() else "1/2-1/2"
        stood = [(state.board, state.turn) for state in self.states]
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
