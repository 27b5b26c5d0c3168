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
surajang.engine.game.description.VariantError: unknown variant 'jangi'; did you mean 'janggi'? (known: ...)

`help(surajang.Position)` and `help(surajang.Engine)` describe every method. Importing this package is cheap;
the compiler is loaded with the first name that needs it. The first position or search of a game compiles it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

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
    "Position": "engine.position",
    "Result": "engine.game_end",
    "LegalMoves": "engine.legal_moves",
    "Piece": "engine.game.piece",
    "WHITE": "engine.game.piece",
    "BLACK": "engine.game.piece",
    "Move": "engine.game.moves",
    "FenError": "engine.game.fen_error",
    "MoveError": "engine.game.moves",
    "MoveSyntaxError": "engine.game.moves",
    "IllegalMoveError": "engine.game.moves",
    "VariantError": "engine.game.description",
    "Network": "eval.network.file",
    "NetworkError": "eval.network.file",
    "load_network": "eval.network.file",
    "AnalysisResult": "search.analysis",
    "Clock": "search.engine",
    "Engine": "search.engine",
    "Info": "search.engine",
    "Limit": "search.engine",
    "PlayResult": "search.engine",
    "Ponder": "search.engine",
    "Score": "search.engine",
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


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
