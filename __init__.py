"""Surajang: an engine for drop chess and its relatives, compiled for each game by Numba.

`Position` knows the rules, `Engine` searches. A tour:

>>> import surajang
>>> position = surajang.Position("chess")
>>> len(position.legal_moves)
20
>>> "e2e4" in position.legal_moves
True

Moves are text: from and to, with a letter for a promotion, or a drop such as `P@e4`.

>>> position.push("e2e4")
Move('e2e4')
>>> position.fen()
'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
>>> position.push("e4e5")
Traceback (most recent call last):
    ...
surajang.engine.game.moves.IllegalMoveError: 'e4e5': the piece on e4 is not Black's
>>> position.pop().text
'e2e4'
>>> position.piece_at("g1")
Piece(letter='N', name='Knight', colour=0, promoted=False)
>>> position.san("g1f3"), position.perft(4)
('Nf3', 197281)

SAN is read and written in every game; `surajang.pgn` has whole games in PGN, with variations.

>>> position.push_san("Nf3")
Move('g1f3')
>>> position.variation_san(["d5", "d4"])
'1...d5 2. d4'

An engine plays one game. Its limits are seconds, plies, nodes, or a clock.

>>> engine = surajang.Engine("chess", hash_mb=16)
>>> mate_in_two = surajang.Position("chess", "7k/8/5K2/8/8/8/8/R7 w - - 0 1")
>>> answer = engine.play(mate_in_two, depth=6)
>>> answer.score.mate
2
>>> for move in answer.pv:
...     _ = mate_in_two.push(move)
>>> mate_in_two.result()
Result(score='1-0', reason='White mates')
>>> engine.close()

`variants()` are the names of the games. Errors quote the text that was wrong.

>>> surajang.Position("jangi")
Traceback (most recent call last):
    ...
surajang.engine.game.description.VariantError: unknown variant 'jangi'; did you mean 'janggi'?

`help(surajang.Position)` and `help(surajang.Engine)` describe every method. Importing this package is cheap;
the compiler is loaded with the first name that needs it. The first position or search of a game compiles it.
"""

from typing import TYPE_CHECKING

from surajang.engine.lazy_names import lazy_names

if TYPE_CHECKING:
    from . import learn, match, pgn, rl, study, svg
    from .engine.game.description import VariantError
    from .engine.game.fen_error import FenError
    from .engine.game.moves import IllegalMoveError, Move, MoveError, MoveSyntaxError
    from .engine.game.piece import BLACK, WHITE, Piece
    from .engine.game_end import Result
    from .engine.legal_moves import LegalMoves
    from .engine.position import Position
    from .eval.network.file import Network, NetworkError, load_network
    from .search.analysis import AnalysisResult
    from .search.engine import Clock, Engine, Info, Limit, PlayResult, Ponder, Score

__version__ = "0.2.0"

_HOMES = {
    "engine.position": ("Position",),
    "engine.game_end": ("Result",),
    "engine.legal_moves": ("LegalMoves",),
    "engine.game.piece": ("Piece", "WHITE", "BLACK"),
    "engine.game.moves": ("Move", "MoveError", "MoveSyntaxError", "IllegalMoveError"),
    "engine.game.fen_error": ("FenError",),
    "engine.game.description": ("VariantError",),
    "eval.network.file": ("Network", "NetworkError", "load_network"),
    "search.analysis": ("AnalysisResult",),
    "search.engine": ("Clock", "Engine", "Info", "Limit", "PlayResult", "Ponder", "Score"),
}
_MODULES = ("learn", "match", "pgn", "rl", "study", "svg")  # imported with their first use
__all__ = [
    "BLACK",
    "WHITE",
    "AnalysisResult",
    "Clock",
    "Engine",
    "FenError",
    "IllegalMoveError",
    "Info",
    "LegalMoves",
    "Limit",
    "Move",
    "MoveError",
    "MoveSyntaxError",
    "Network",
    "NetworkError",
    "Piece",
    "PlayResult",
    "Ponder",
    "Position",
    "Result",
    "Score",
    "VariantError",
    "__version__",
    "learn",
    "load_network",
    "match",
    "pgn",
    "rl",
    "study",
    "svg",
    "variants",
]


def variants() -> tuple[str, ...]:
    """The names of all games, sorted."""
    from .engine.definition.catalogue import available

    return available()


__getattr__ = lazy_names(__name__, _HOMES, _MODULES)


def __dir__() -> list[str]:
    return __all__
