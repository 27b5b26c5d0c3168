"""Proofs of mates by programs that share no code with the engine: python-chess, Fairy-Stockfish, slow models.

A judge knows one game: `state(fen)`, the `replies` of a state by their text with the states after them,
whether the side to move is in `check`, and the result without a reply: `lost` or `won` for the side to move.
`mates` uses them for every line. `stuck` says whether a state has no reply, for less work."""

import functools

import chess
import chess.variant
import pyffish
from surajang.tests.support import referee, referee_chaotic, referee_vchess


class PythonChess:
    def __init__(self, board):
        self._board = board

    def state(self, fen):
        return self._board(fen)

    def replies(self, board):
        found = {}
        for move in board.legal_moves:
            child = board.copy(stack=False)
            child.push(move)
            found[str(move)] = child
        return found

    def stuck(self, board):
        return not any(board.legal_moves)

    def check(self, board):
        return board.is_check()

    lost = check

    def won(self, board):
        return False


class Fairy:
    """Fairy-Stockfish, which writes `letters` of our FENs (a dictionary) in another way, and + for every
    promotion. A state is a FEN with the moves played since: each question takes it two milliseconds."""

    def __init__(self, variant, letters):
        self._letters = str.maketrans(letters)
        self._legal = functools.cache(lambda fen, *moves: pyffish.legal_moves(variant, fen, [*moves]))
        self._checks = functools.cache(lambda fen, *moves: pyffish.gives_check(variant, fen, [*moves]))

    def state(self, fen):
        board, rest = fen.split(" ", 1)
        return f"{board.translate(self._letters)} {rest}", ()

    def replies(self, state):
        fen, moves = state
        return {move: (fen, (*moves, move)) for move in self._legal(fen, *moves)}

    def stuck(self, state):
        fen, moves = state
        return not self._legal(fen, *moves)

    def check(self, state):
        fen, moves = state
        return self._checks(fen, *moves)

    lost = check

    def won(self, state):
        return False


class Model:
    """A slow model of the rules in pure Python: one of `referee*.py`."""

    def __init__(self, referee, lost, check):
        self._referee, self.replies, self._lost, self.check = referee, referee.replies, lost, check

    def state(self, fen):
        return self._referee(fen).state

    def stuck(self, state):
        return not self.replies(state)

    def lost(self, state):
        return self._lost(state)

    def won(self, state):
        return not self._lost(state)


def _checked(state):
    return referee.in_check(state, state.turn)


def _checked_in_chaos(state):
    return referee_chaotic.in_check(state.board, state.turn)


def _faced(state):
    return not referee_vchess.kings_face(state.board) and _checked(state)


def _lost_in_chaos(state):
    return referee_chaotic.finished(state) or _checked_in_chaos(state)


PROMOTED_IN_SHOGI = {"D": "+R", "H": "+B", "N": "+S", "T": "+P", "d": "+r", "h": "+b", "n": "+s", "t": "+p"}
JUDGES = {
    "chess": PythonChess(chess.Board),
    "crazyhouse": PythonChess(chess.variant.CrazyhouseBoard),
    "janggi": Fairy("janggitraditional", {"E": "B", "e": "b"}),
    "minishogi": Fairy("minishogi", PROMOTED_IN_SHOGI),
    "pandemonium": Model(referee.Referee, _checked, _checked),
    "pandemonium-vchess": Model(referee_vchess.VchessReferee, _faced, _checked),
    "chaotic": Model(referee_chaotic.ChaoticReferee, _lost_in_chaos, _checked_in_chaos),
}


def mates(judge, state, moves, quiet=True):
    """Whether the side to move mates within `moves` moves by every line, with checks alone unless `quiet`."""
    children = sorted(judge.replies(state).values(), key=lambda child: not judge.check(child))
    for child in children:
        if not quiet and not judge.check(child):
            break
        if mates_after(judge, child, moves, quiet):
            return True
    return False


def mates_after(judge, child, moves, quiet=True):
    """Whether the move that led to `child` mates, leaves only replies that lose, or leaves a mate within
    `moves` less one."""
    if judge.stuck(child):
        return judge.lost(child)
    return all(_goes_on(judge, state, moves - 1, quiet) for state in judge.replies(child).values())


def _goes_on(judge, state, moves, quiet):
    if judge.stuck(state):
        return judge.won(state)
    return moves > 0 and mates(judge, state, moves, quiet)
