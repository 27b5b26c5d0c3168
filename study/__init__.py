"""Studies of a game from games of the engine: balance, rules at work, character, pieces, openings, puzzles.

`run` studies a game as the command `surajang study` does, `make_puzzles` makes puzzles as `surajang puzzles`
does."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .figures.comparison import Comparison
    from .figures.study import Study
    from .puzzles.finding import make_puzzles
    from .puzzles.puzzle import Puzzle
    from .run_study import StudyError, compare, run

_HOMES = {
    "Comparison": "figures.comparison",
    "Puzzle": "puzzles.puzzle",
    "Study": "figures.study",
    "StudyError": "run_study",
    "compare": "run_study",
    "make_puzzles": "puzzles.finding",
    "run": "run_study",
}
__all__ = ["Comparison", "Puzzle", "Study", "StudyError", "compare", "make_puzzles", "run"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
