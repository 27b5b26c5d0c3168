"""Players from specs: which protocol, which program."""

from typing import TYPE_CHECKING

from .cecp import CecpPlayer
from .player import StartError
from .uci import UciPlayer

if TYPE_CHECKING:
    from ...engine.game.description import Description


PLAYERS = {"cecp": CecpPlayer, "uci": UciPlayer}


def start_player(spec, description: "Description", log=None, environment=None):
    """A `Player` for an `EngineSpec` in the game of a `Description`, ready for its first game.

    `log` takes all that both sides say: a path, to which is appended, or an open file. `environment` are the
    engine's environment variables, this process's by default. Raises StartError or another PlayerError, and
    leaves nothing running then.
    """
    try:
        command = spec.resolved()
    except FileNotFoundError as error:
        raise StartError(f"{spec.name} does not start: {error}") from None
    return PLAYERS[spec.protocol](spec, command, description, log, environment)
