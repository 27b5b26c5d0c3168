"""Learning a game: self-play, training of networks, tuning, generations. `run` trains networks for a game, as
the command `surajang learn` does."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .generations.generations import LearningError
    from .generations.learned_match import MatchOutcome
    from .generations.learning import GenerationResult, LearningResult, run

_HOMES = {
    **dict.fromkeys(("GenerationResult", "LearningResult", "run"), "generations.learning"),
    "LearningError": "generations.generations",
    "MatchOutcome": "generations.learned_match",
}
__all__ = ["GenerationResult", "LearningError", "LearningResult", "MatchOutcome", "run"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
