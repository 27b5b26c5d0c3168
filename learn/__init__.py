"""Learning a game: self-play, training of networks, tuning, generations. `run` trains networks for a game, as
the command `surajang learn` does."""

from typing import TYPE_CHECKING

from ..engine.lazy_names import lazy_names

if TYPE_CHECKING:
    from .generations.generations import LearningError
    from .generations.learned_match import MatchOutcome
    from .generations.learning import GenerationResult, LearningResult, run

_HOMES = {
    "generations.learning": ("GenerationResult", "LearningResult", "run"),
    "generations.generations": ("LearningError",),
    "generations.learned_match": ("MatchOutcome",),
}
__all__ = ["GenerationResult", "LearningError", "LearningResult", "MatchOutcome", "run"]


__getattr__ = lazy_names(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
