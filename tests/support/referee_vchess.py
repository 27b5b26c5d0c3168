"""A slow, plain model of the vchess edition of Pandemonium: the referee of the tests for that game.

It reads as the difference to Pandemonium: a setup phase, castling once by rights, facing kings.
Everything else is the Pandemonium referee's. Malformed input is not looked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from surajang.tests.support.referee import (
    FIRST_RANK,
    LINES,
    SQUARE_NAMES,
    PandemoniumState,
    Referee,
    all_moves,
    in_check,
    read_fen,
    successor,
    write_fen,
)
from surajang.tests.support.referee_base import (
    OPPONENT,
    ORTHOGONAL,
    Board,
    coloured,
    win_for,
    worked_out_once,
)

START_FEN = "rnbqkmcbnr/pppppppppp/10/10/10/10/10/10/PPPPPPPPPP/RNBQKMCBNR[] w KQkqSs - 0 1"

RIGHTS = "KQkqSs"
# What a king's move over three files is written as, and the right it needs.
CASTLINGS = {"w": {"e1h1": "K", "e1b1": "Q"}, "b": {"e10h10": "k", "e10b10": "q"}}
# What a choice of the setup phase may swap: pairs of files, a knight on one and a bishop on the other.
LEFT, RIGHT = (1, 2), (8, 7)


@dataclass
class VchessState(PandemoniumState):
    """A position of Pandemonium with the rights to castle and the choices still to come."""

    rights: str


def with_rights(state: PandemoniumState, rights: str) -> VchessState:
    return VchessState(**{**vars(state), "rights": rights})


def kings_face(board: Board) -> bool:
    """Whether the kings see each other along a rank or a file with nothing between them."""
    king = board.index("K")
    for direction in ORTHOGONAL:
        men = [board[square] for square in LINES[king][direction] if board[square] is not None]
        if men[:1] == ["k"]:
            return True
    return False


def castling_right(state: VchessState, text: str) -> str | None:
    """The right that the move makes use of, None when it is no castling."""
    if state.board[FIRST_RANK[state.turn] * 10 + 4] != coloured("K", state.turn):
        return None
    return CASTLINGS[state.turn].get(text)


def arrangements(state: VchessState) -> Iterator[tuple[str, VchessState]]:
    """The choices of the setup phase: keep, one swap, or both."""
    home = FIRST_RANK[state.turn] * 10
    rights = state.rights.replace(coloured("S", state.turn), "")
    for swaps in ((), (LEFT,), (RIGHT,), (LEFT, RIGHT)):
        child = with_rights(successor(state), rights)
        names = []
        for pair in swaps:
            one, other = (home + file for file in pair)
            child.board[one], child.board[other] = child.board[other], child.board[one]
            names.append(SQUARE_NAMES[one] + SQUARE_NAMES[other])
        king, enemy_king = (coloured("K", colour) for colour in (state.turn, OPPONENT[state.turn]))
        keep = SQUARE_NAMES[state.board.index(king)] + SQUARE_NAMES[state.board.index(enemy_king)]
        yield ",".join(names) or keep, child


@worked_out_once
def replies(state: VchessState) -> dict[str, VchessState]:
    """Every legal move, by its text, with the position it leads to."""
    if kings_face(state.board):
        return {}
    if coloured("S", state.turn) in state.rights:
        return dict(arrangements(state))
    legal = {}
    for text, child in all_moves(state):
        right = castling_right(state, text)
        if right and right not in state.rights:
            continue
        if in_check(child, state.turn):
            continue
        used_up = coloured("KQ", state.turn) if right else ""
        child = with_rights(child, "".join(letter for letter in state.rights if letter not in used_up))
        if text.startswith("P@") and in_check(child, child.turn) and not replies(child):
            continue
        assert text not in legal, f"{text} twice"
        legal[text] = child
    return legal


class VchessReferee(Referee):
    """A game of Pandemonium in its vchess edition. No moves are left once the kings have faced each other."""

    START_FEN = START_FEN
    replies = staticmethod(replies)

    @staticmethod
    def read_fen(fen: str) -> VchessState:
        castling = fen.split()[2]
        return with_rights(read_fen(fen), "".join(right for right in RIGHTS if right in castling))

    @staticmethod
    def write_fen(state: VchessState) -> str:
        """With the rights as they are held and not as the squares suggest."""
        choosing = {"S", "s"}.intersection(state.rights)
        board, turn, _, *rest = write_fen(state, [] if choosing else replies(state)).split()
        return " ".join([board, turn, state.rights or "-", *rest])

    def result(self) -> str | None:
        """The score when the game is over, None while it is in progress."""
        if kings_face(self.state.board):
            # The move that made them face has lost, so the side to move has won.
            return win_for(self.state.turn)
        if not replies(self.state):
            return win_for(OPPONENT[self.state.turn]) if self.is_check() else "1/2-1/2"
        repetition = self._repetition()
        return repetition and repetition[0]

    def _repetition(self) -> tuple[str, str] | None:
        """As in Pandemonium; positions of the setup phase, before play proper, do not count."""
        game = Referee()
        game.states = [state for state in self.states if not {"S", "s"}.intersection(state.rights)]
        return Referee._repetition(game) if game.states else None
