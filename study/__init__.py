"""Studies of a game from games of the engine: balance, rules at work, character, pieces, openings, puzzles.

`run` studies a game as the command `surajang study` does, `make_puzzles` makes puzzles as `surajang puzzles`
does."""

from typing import TYPE_CHECKING

from ..engine.lazy_names import lazy_names

if TYPE_CHECKING:
    from .figures.comparison import Comparison
    from .figures.study import Study
    from .puzzles.finding import make_puzzles
    from .puzzles.puzzle import Puzzle
    from .run_study import StudyError, compare, run

_HOMES = {
    "figures.comparison": ("Comparison",),
    "puzzles.puzzle": ("Puzzle",),
    "figures.study": ("Study",),
    "run_study": ("StudyError", "compare", "run"),
    "puzzles.finding": ("make_puzzles",),
}
__all__ = ["Comparison", "Puzzle", "Study", "StudyError", "compare", "make_puzzles", "run"]


__getattr__ = lazy_names(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
