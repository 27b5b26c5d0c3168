"""Games for reinforcement learning, and files of games as NumPy arrays.

`env` makes an environment of PettingZoo for any game; it needs `pip install 'surajang[rl]'`. The rest needs
no more than NumPy.

>>> import surajang
>>> position = surajang.Position("crazyhouse")
>>> surajang.rl.planes(position).shape
(37, 8, 8)
>>> actions = surajang.rl.Actions("crazyhouse")
>>> int(actions.mask(position).sum()), actions.move(position, actions.of(position.parse_move("e2e4")))
(20, Move('e2e4'))
"""

from typing import TYPE_CHECKING, Any

from .engine.lazy_names import lazy_names

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from .engine.position import Position
    from .learn.reinforcement.actions import Actions
    from .learn.reinforcement.arrays import PositionBatch, read_chunks, read_pgn, read_positions
    from .learn.reinforcement.environment import GameEnvironment, env
    from .learn.reinforcement.planes import Planes
    from .learn.self_play.games_file import Chunk, GamesError

_HOMES = {
    ".learn.reinforcement.actions": ("Actions",),
    ".learn.self_play.games_file": ("Chunk", "GamesError"),
    ".learn.reinforcement.environment": ("GameEnvironment", "env"),
    ".learn.reinforcement.planes": ("Planes",),
    ".learn.reinforcement.arrays": ("PositionBatch", "read_chunks", "read_pgn", "read_positions"),
}
_find = lazy_names(__name__, _HOMES)
__all__ = [
    "Actions",
    "Chunk",
    "GameEnvironment",
    "GamesError",
    "Planes",
    "PositionBatch",
    "env",
    "planes",
    "read_chunks",
    "read_pgn",
    "read_positions",
]


def planes(position: "Position") -> "npt.NDArray[np.float32]":
    """A position as an array (planes, ranks, files); `Planes(variant).names` says what each plane is."""
    from .learn.reinforcement.planes import planes_for

    if not hasattr(position, "variant"):
        raise TypeError(f"{position!r} should be a surajang.Position")
    return planes_for(position.variant).of(position)


def __getattr__(name: str) -> Any:
    try:
        return _find(name)
    except ModuleNotFoundError as error:
        if error.name not in ("pettingzoo", "gymnasium"):
            raise
        raise ModuleNotFoundError(
            f"surajang.rl.{name} needs {error.name}: pip install 'surajang[rl]'", name=error.name
        ) from None


def __dir__() -> list[str]:
    return __all__
