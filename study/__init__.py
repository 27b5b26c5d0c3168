"""Studies of a game from games of the engine: balance, rules at work, character, pieces and openings. `run`
studies a game as the command `surajang study` does."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .figures.study import Study
    from .studying import StudyError, run

_HOMES = {"Study": "figures.study", "StudyError": "studying", "run": "studying"}
__all__ = ["Study", "StudyError", "run"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
