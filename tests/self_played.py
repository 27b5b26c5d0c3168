"""Files of games that the engine has played against itself."""

from pathlib import Path

from surajang.bench.learning.games_file import GamesFile, Header, encode
from surajang.search.game_player import GamePlayer
from surajang.search.selfplay import Settings


def write_games(path: Path, games, header: Header) -> Path:
    """Adds these games to a file, which is made if it does not exist."""
    with GamesFile(path, header) as file:
        for game in games:
            file.add(encode(game), 1)
    return path


def write_self_play(path: Path, count: int, settings: Settings, variant: str = "crazyhouse") -> Path:
    """A file of the first `count` games that the settings lead to."""
    player = GamePlayer(variant, settings)
    return write_games(path, map(player.play, range(count)), Header.of(variant, settings))
