"""The balance of a suite in play: games of the engine against itself from its openings, and White's score."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from ....engine.variant import Variant
from ....eval.network.installing import default_network
from ....learn.self_play.compiled_games import Settings
from ....learn.self_play.game_player import GamePlayer
from ....learn.self_play.generator import register_game
from ....match.openings.openings import Codes
from ....match.results.statistics import Z95, mean_and_deviation

NODES = 2_000  # of a search, on average
ROUND_NODES = 0.1  # by which share of NODES the searches of each further round are longer


@dataclass(frozen=True)
class PlayFromOpenings:
    """Plays game `number`, in any process, from opening `number` of `openings`, given as codes of moves.
    After the last one another round begins with slightly longer searches.

    One player has both sides, so games with exchanged colours would be the same. `toml` is the text of the
    game's file if the game is the user's own."""

    variant: Variant
    openings: tuple[Codes, ...]
    toml: str | None = None

    @property
    def heading(self) -> str:
        """The conditions of the games, besides the engine, in a line."""
        digest = sha256(repr(self.openings).encode()).hexdigest()[:16]
        return f"{self.variant}, games at about {NODES} nodes from {len(self.openings)} openings {digest}"

    def __call__(self, number: int) -> int:
        """White's result, 1, 0 or -1. Raises GamesError if this process has another game by that name."""
        register_game(self.variant, self.toml)
        turn, index = divmod(number, len(self.openings))
        nodes = round(NODES * (1 + ROUND_NODES * turn))
        return _player(self.variant, nodes).play_on(number, self.openings[index]).result


@lru_cache(maxsize=2)
def _player(variant: Variant, nodes: int) -> GamePlayer:
    """This process's player of a game, with the game's network."""
    return GamePlayer(variant, Settings(nodes=nodes), default_network(variant))


class Balance(NamedTuple):
    """White's results of games: (losses, draws, wins), the mean `score` from 0 to 1, and its `error`, half
    the interval that holds 95 %; nan where the results have no spread."""

    counts: tuple[int, int, int]
    score: float
    error: float

    def __str__(self) -> str:
        losses, draws, wins = self.counts
        error = "?" if math.isnan(self.error) else f"{100 * self.error:.1f}"
        return (
            f"White scores {100 * self.score:.1f} ± {error} % of {sum(self.counts)} games: "
            f"+{wins} ={draws} -{losses}"
        )

    @property
    def is_even(self) -> bool:
        """Whether both colours did equally well, within the error."""
        return abs(self.score - 0.5) <= self.error


def balance_of(results: Sequence[int], openings: int) -> Balance:
    """The `Balance` of White's results in games 0, 1, 2, ... of that many openings. Games of one opening are
    similar, so the error comes from the spread of the openings' sums about their expectation, the number of
    games times the mean score."""
    counts = (results.count(-1), results.count(0), results.count(1))
    score, _ = mean_and_deviation(counts)
    played = [results[first::openings] for first in range(min(openings, len(results)))]
    if len(played) < 2:
        return Balance(counts, score, math.nan)
    away = sum(sum((1 + each) / 2 - score for each in games) ** 2 for games in played)
    spread = math.sqrt(away * len(played) / (len(played) - 1)) / len(results)
    return Balance(counts, score, Z95 * spread if spread else math.nan)
