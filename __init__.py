"""Surajang: an engine for drop chess and its relatives, compiled for each game by Numba.

`surajang.Position` plays by the rules, `surajang.Engine` thinks. Importing this package is cheap; the
compiler is loaded with the first name that needs it.
"""

from importlib import import_module

__version__ = "0.1.0"

_HOMES = {
    "Move": "engine.position",
    "Position": "engine.position",
    "Result": "engine.position",
    "FenError": "engine.game.fen",
    "MoveError": "engine.game.moves",
    "MoveSyntaxError": "engine.game.moves",
    "IllegalMoveError": "engine.game.moves",
    "VariantError": "engine.game.description",
    "Network": "eval.network.file",
    "NetworkError": "eval.network.file",
    "load_network": "eval.network.file",
    "Clock": "search.engine",
    "Engine": "search.engine",
    "Info": "search.engine",
    "PlayResult": "search.engine",
    "Ponder": "search.engine",
    "Score": "search.engine",
}
__all__ = [*sorted(_HOMES), "__version__"]


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)


def __dir__():
    return __all__
