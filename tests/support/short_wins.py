"""The moves that win fastest, by trying every line of few plies. The rules are those of programs that share
no code with the engine: python-chess, Fairy-Stockfish, slow models.

A judge has the `replies` of a state by their text, with the states after them, and the `end` of a state: 1, 0
or -1 for the side to move, None while the game is in progress."""

import chess
import chess.variant
import pyffish
from surajang.tests.support.chess_relatives import ChessRelative
from surajang.tests.support.referee_rule_changes import SelfCaptureBoard


def fastest_wins(judge, state, most):
    """(plies, moves): the fewest plies in which the side to move wins against every reply, up to `most`,
    and the first moves that do; (None, set()) if there are none."""
    for plies in range(1, most + 1):
        moves = {text for text, child in judge.replies(state).items() if _loses(judge, child, plies - 1)}
        if moves:
            return plies, moves
    return None, set()


def _loses(judge, state, plies):
    """Whether the side to move has lost after at most so many plies whatever it does."""
    if (end := judge.end(state)) is not None:
        return end < 0
    return plies > 0 and all(_wins(judge, child, plies - 1) for child in judge.replies(state).values())


def _wins(judge, state, plies):
    if (end := judge.end(state)) is not None:
        return end > 0
    return plies > 0 and any(_loses(judge, child, plies - 1) for child in judge.replies(state).values())


class Fairy:
    """A game by its name in Fairy-Stockfish; `rules` is an entry of a `variants.ini` that describes it."""

    def __init__(self, game, rules=""):
        self._game = game
        if rules and game not in pyffish.variants():
            pyffish.load_variant_config(rules)

    def state(self, fen):
        return fen, ()

    def replies(self, state):
        fen, moves = state
        return {text: (fen, (*moves, text)) for text in pyffish.legal_moves(self._game, fen, list(moves))}

    def end(self, state):
        fen, moves = state[0], list(state[1])
        is_over, value = pyffish.is_immediate_game_end(self._game, fen, moves)
        if not is_over and not pyffish.legal_moves(self._game, fen, moves):
            is_over, value = True, pyffish.game_result(self._game, fen, moves)
        return (value > 0) - (value < 0) if is_over else None


class PythonChess:
    """A kind of board of python-chess."""

    def __init__(self, board):
        self.state = board

    def replies(self, board):
        found = {}
        for move in board.legal_moves:
            found[str(move)] = board.copy(stack=False)
            found[str(move)].push(move)
        return found

    def end(self, board):
        outcome = board.outcome()
        if outcome is None:
            return None
        return 0 if outcome.winner is None else 1 if outcome.winner == board.turn else -1


class Relative:
    """Chess with one of the rules of `chess_relatives`."""

    def __init__(self, game):
        self._game = ChessRelative(game)

    def state(self, fen):
        board = chess.Board(fen)
        board.passed = None
        return board

    def replies(self, board):
        return self._game.replies_of(board)

    def end(self, board):
        if self.replies(board):
            return None
        return -1 if self._game._checks(board) else 0


class OwnCaptures:
    """Chess in which a side may capture its own pieces."""

    state = SelfCaptureBoard

    def replies(self, game):
        return game.replies()

    def end(self, game):
        if game.replies():
            return None
        return -1 if game.board.is_check() else 0


CHESS = PythonChess(chess.Board)
