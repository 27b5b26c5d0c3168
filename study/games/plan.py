"""The plan of a study: the game, the strengths, the number of games, and the sources of openings."""

import math
from dataclasses import dataclass, replace

from ...engine.variant import Variant
from ...learn.self_play.compiled_games import Settings

STRENGTHS = (100, 1_000, 10_000, 100_000)  # nodes a move
GAMES = 1_000  # at the weaker strengths
QUICK_STRENGTHS, QUICK_GAMES = (100, 1_000, 10_000), 200
FULL_NODES = 1_000  # up to which all games are played
LEAST_GAMES = 20  # at any strength, where so many were asked for
SUITE_SHARE = 0.5  # of the games, from the openings of the game's suite
MOST_PLIES = 600  # of a game
NEVER = 1 << 20  # plies; disables an adjudication, because no game is as long

START, SUITE = "start", "suite"
SOURCES = (START, SUITE)


@dataclass(frozen=True)
class Series:
    """Games of one strength in `nodes` a move, from the openings of one `source`."""

    source: str
    nodes: int

    @property
    def name(self) -> str:
        """The name of its files."""
        return f"{self.source}-{self.nodes}"


@dataclass(frozen=True)
class StudyPlan:
    """A plan of a study of the game `variant`: `games` at each of `strengths` (nodes a move) up to
    FULL_NODES, and fewer at greater ones."""

    variant: Variant
    games: int = GAMES
    strengths: tuple[int, ...] = STRENGTHS
    seed: int = 1
    most_plies: int = MOST_PLIES

    def __post_init__(self) -> None:
        if self.games < 1:
            raise ValueError(f"games {self.games} should be at least 1")
        if not self.strengths or min(self.strengths) < 1:
            raise ValueError(f"strengths {self.strengths} should be one or more numbers of nodes from 1 on")
        object.__setattr__(self, "strengths", tuple(sorted(set(self.strengths))))

    @property
    def series(self) -> tuple[Series, ...]:
        """All series, the weakest first."""
        return tuple(Series(source, nodes) for nodes in self.strengths for source in SOURCES)

    def games_of(self, series: Series) -> int:
        """The number of games of a series, if there are openings for them. The time of a game is proportional
        to the nodes, and the error falls with the root of the games, so the number falls with the root of the
        nodes."""
        games: float = self.games * (SUITE_SHARE if series.source == SUITE else 1)
        games *= min(1.0, math.sqrt(FULL_NODES / series.nodes))
        return max(min(self.games, LEAST_GAMES), round(games))

    def settings_of(self, series: Series) -> Settings:
        """The `Settings` of the games of a series. Only rules or the limit of plies end a game, scores do
        not."""
        return Settings(
            nodes=series.nodes,
            plies=0,
            seed=self.seed,
            win_plies=NEVER,
            draw_plies=NEVER,
            most_plies=self.most_plies,
        )

    def quick(self) -> "StudyPlan":
        """A plan for a first impression, with fewer games and without the greatest strength."""
        return replace(self, games=QUICK_GAMES, strengths=QUICK_STRENGTHS)


def parse_strengths(text: str) -> tuple[int, ...]:
    """The strengths of a text such as "100,1000". Raises ValueError that quotes it."""
    try:
        found = tuple(int(part.replace("_", "")) for part in text.split(","))
    except ValueError:
        found = ()
    if not found or min(found) < 1:
        raise ValueError(f"{text!r} should be nodes a move, such as 100,1000,10000")
    return found
