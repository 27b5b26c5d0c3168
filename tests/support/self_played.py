"""Files of games of the engine against itself."""

from itertools import count as numbers
from pathlib import Path
from zlib import crc32

import numpy as np
from surajang.engine.variant import Variant
from surajang.learn.self_play.compiled_games import Settings
from surajang.learn.self_play.game_player import GamePlayer
from surajang.learn.self_play.games_file import GamesFile, Header, encode
from surajang.learn.training.survey import HELD_OUT


def is_held_out(moves):
    """Whether a game belongs to the one in HELD_OUT games for testing. It depends only on the game's moves,
    so a game that is in two files is always on the same side."""
    return crc32(np.ascontiguousarray(moves, "<u4").data) % HELD_OUT == 0


def write_games(path: Path, games, header: Header) -> Path:
    """Adds these games to a file, which is made if it does not exist."""
    with GamesFile(path, header) as file:
        for game in games:
            file.add(encode(game), 1)
    return path


def write_self_play(
    path: Path, count: int, settings: Settings, variant: str = "crazyhouse", first: int = 0
) -> Path:
    """A file with `count` more games, from number `first` on, with the settings."""
    player = GamePlayer(Variant(variant), settings)
    return write_games(
        path, map(player.play, range(first, first + count)), Header.of(Variant(variant), settings)
    )


def write_training_games(path: Path, count: int, settings: Settings, variant: str = "crazyhouse") -> Path:
    """The same, with as many more games as are needed until one is held out."""
    player, games = GamePlayer(Variant(variant), settings), []
    for number in numbers():
        games.append(player.play(number))
        if number + 1 >= count and any(is_held_out(game.moves) for game in games):
            return write_games(path, games, Header.of(Variant(variant), settings))
    raise AssertionError("numbers do not end")
