"""Players from specs: which protocol, which program."""

from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from ...engine.game.description import Description
from .cecp import CecpPlayer
from .client import Client
from .player import StartError
from .spec import EngineSpec
from .uci import UciPlayer

PLAYERS = {"cecp": CecpPlayer, "uci": UciPlayer}


def command_of(spec: EngineSpec) -> list[str]:
    """The command line of an engine, with the path of its program. Raises StartError."""
    try:
        return spec.resolved()
    except FileNotFoundError as error:
        raise StartError(f"{spec.name} does not start: {error}") from None


def start_player(
    spec: EngineSpec,
    description: Description,
    log: Path | TextIO | None = None,
    environment: dict[str, str] | None = None,
    begun: Callable[[Client], None] = lambda player: None,
) -> Client:
    """A `Client` for an `EngineSpec` in the game of a `Description`, ready for its first game.

    `log` takes all that both sides say: a path, to which is appended, or an open file. `environment` are the
    engine's environment variables, this process's by default. `begun` gets the client before its engine has
    said anything; another thread may then close it, so that a start does not outlive whoever waits for it.
    Raises StartError or another PlayerError, also if the client was closed, and what `begun` raises; leaves
    nothing running then.
    """
    player = PLAYERS[spec.protocol](spec, command_of(spec), description, log, environment)
    try:
        begun(player)
    except BaseException:
        player.close()
        raise
    player.introduce()
    return player
