"""A slow, plain model of Chaotic Chess, written from the rule book alone: a referee of the tests.

Here the rules stand as a reader of the book would write them down: a mailbox of letters, every
move made and then tested. Nothing is shared with the engine, nothing is fast, and malformed input
is not looked for.
"""

from __future__ import annotations

from collections.abc import Iterator

from surajang.tests.support.referee_base import (
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

START_FEN = "knarm3/narmr3/pppppppp/8/8/PPPPPPPP/3RMRAN/3MRANK w - - 0 1"

SQUARE_NAMES = names_of(8, 8)
LINES = lines_of(8, 8)

# Captures of the agents that capture by moving. Steps take any agent, slides any agent but a pawn.
STEPS = {"K": ORTHOGONAL + DIAGONAL, "N": JUMPS, "A": JUMPS, "R": ()}
SLIDES = {"K": (), "N": (), "A": DIAGONAL, "R": ORTHOGONAL}


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
    """Every move with the position after it, before asking whether it leaves the king in check."""
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


@worked_out_once
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
    return State(read_board(placement), turn, int(halfmove), int(fullmove))


def write_fen(state: State) -> str:
    """The FEN of the state, in the form that the engine writes."""
    return f"{write_board(state.board, 8)} {state.turn} - - {state.halfmove} {state.fullmove}"


class ChaoticReferee(GameReferee):
    """A game of Chaotic Chess. After backstabbing a position lacks a king; merchants give no check."""

    START_FEN = START_FEN
    read_fen, write_fen, replies = staticmethod(read_fen), staticmethod(write_fen), staticmethod(replies)

    @staticmethod
    def in_check(state: State, colour: str) -> bool:
        return in_check(state.board, colour)

    def result(self) -> str | None:
        """The score when the game is over, None while it is in progress."""
        lost = win_for(OPPONENT[self.state.turn])
        if finished(self.state):
            return lost
        if not replies(self.state):
            return lost if self.is_check() else "1/2-1/2"
        if self.is_drawn_by_counting(lambda state: (state.board, state.turn)):
            return "1/2-1/2"
        return None
