"""Puzzles from fast games of the engine against itself.

A game's searches are short, so both sides make mistakes. Positions are examined first where the expected
score of one search differs most from that of the next: a player was mistaken there.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from ...bench.suites.collecting import Moment
from ...bench.suites.judged_source import JudgedSource
from ...engine.variant import Variant
from ...eval.network.installing import default_network
from ...learn.self_play.compiled_games import Settings
from ...learn.self_play.games_file import Header, evaluation_digest
from ...learn.self_play.generator import PlayGames
from ...learn.self_play.options import MostGames, Seed
from ...match.workers.options import own_file
from ...protocol.terminal.command_options import check_argument
from ...search.results import Score
from ..games.study_options import Count, GameNodes, JudgeNodes
from .puzzle import Puzzle, different, expected
from .solving import PuzzleJudge

NODES = 100_000  # of the searches that judge
GAME_NODES = 50  # of the searches in the games: few, so that there are mistakes
PLIES = 8  # random ones that open a game
NEVER = 1 << 20  # centipawns: no game is adjudicated before the mate
FIRST_PLY = 6  # of a game from which positions are examined
EXAMINED = 12  # positions of a game
LEAST_CHANGE = 0.1  # of the expected score from one search to the next


@dataclass(frozen=True)
class PuzzleFinder(JudgedSource):
    """Plays one of the games that `work` describes and returns its `Puzzle`s; any process may call it."""

    per_game, apart = 2, 6

    @classmethod
    def of(
        cls, variant: Variant, nodes: int, game_nodes: int, plies: int = PLIES, seed: int = 1
    ) -> "PuzzleFinder":
        """Puzzles by searches of `nodes`, from games by the hand-written evaluation with `game_nodes` a move
        and `plies` random plies. Raises VariantError, NetworkError."""
        settings = Settings(nodes=game_nodes, plies=plies, seed=seed, win_score=NEVER)
        work = PlayGames(Header.of(variant, settings, None), own_file(variant), None)
        return cls(work, nodes, evaluation_digest(variant, default_network(variant)))

    @property
    def heading(self) -> str:
        return f"{super().heading}, puzzles by {self.nodes} nodes, evaluation {self.evaluation}"

    @staticmethod
    def examined(moments: Sequence[Moment], left_out: Counter[str]) -> Sequence[Moment]:
        return changes(moments)[:EXAMINED]

    def new_judge(self) -> PuzzleJudge:
        return PuzzleJudge(self.variant, self.nodes)


def changes(moments: Sequence[Moment]) -> list[Moment]:
    """The positions from FIRST_PLY on whose expected score differs by LEAST_CHANGE or more from that of the
    last or the next search, those with the greatest change first."""
    found = dict.fromkeys((moment.ply for moment in moments), 0.0)  # ply -> change
    for before, after in pairwise(moments):
        if before.score is None or after.score is None or before.ply < FIRST_PLY:
            continue
        change = abs(expected(Score(after.score)) - expected(Score(before.score)))
        for moment in (before, after):
            found[moment.ply] = max(change, found[moment.ply])
    changed = [moment for moment in moments if found[moment.ply] >= LEAST_CHANGE]
    return sorted(changed, key=lambda moment: (-found[moment.ply], moment.ply))


def make_puzzles(
    game: str | Path,
    *,
    count: int = 20,
    nodes: int = NODES,
    games: int = 2000,
    game_nodes: int = GAME_NODES,
    seed: int = 1,
    progress: Callable[[int, int], object] = lambda found, played: None,
) -> list[Puzzle]:
    """Up to `count` puzzles from games of the engine against itself, in this process.

    `game` is the name of a game or the path of its file. `nodes` are those of each search that judges,
    `game_nodes` the average nodes of a search in the games, of which at most `games` are played.
    `progress(found, played)` is called after each game. The same arguments give the same puzzles.

    Raises VariantError, NetworkError, GamesError; TypeError or ValueError for an argument of another type or
    a number that is out of range."""
    check_argument("count", Count, count)
    check_argument("nodes", JudgeNodes, nodes)
    check_argument("games", MostGames, games)
    check_argument("game_nodes", GameNodes, game_nodes)
    check_argument("seed", Seed, seed)
    finder = PuzzleFinder.of(Variant(Variant(game).description.name), nodes, game_nodes, seed=seed)
    found: list[Puzzle] = []
    try:
        for number in range(games):
            found += [puzzle for puzzle in finder(number) if isinstance(puzzle, Puzzle)]
            chosen = different(found, count)
            progress(len(chosen), number + 1)
            if len(chosen) == count:
                break
    finally:
        finder.close()
    return different(found, count)
