"""Positions of the games, searched again: what the second-best move loses, and when the best move changes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...engine.position import played
from ...search.engine import Engine, Info, Limit
from .study_game import StudyGame

PROBES = 200  # positions
NODES = 20_000  # of each search
HASH_MB = 16
MOST_LOSS = 1_000  # centipawns: a greater loss counts as this much


@dataclass(frozen=True)
class Probe:
    """A search of two lines in the position of a game before a `ply`: what the second-best move loses, in
    centipawns up to MOST_LOSS, and the best moves of the depths that it finished, as texts."""

    game: int
    ply: int
    loss: int
    best: tuple[str, ...]


def probe_games(
    variant: str,
    games: Sequence[StudyGame],
    seed: int,
    engine: Engine,
    count: int = PROBES,
    progress: Callable[[int], object] = lambda done: None,
    stop: Callable[[], bool] = lambda: False,
) -> list[Probe]:
    """Probes of `count` positions, drawn at random from the games in turn, after their openings and where
    there is a choice; fewer where games are short, or once `stop` ends them. The same games and seed give the
    same probes."""
    random = np.random.default_rng(seed)
    found = []
    for number in range(count if games else 0):
        if stop():
            break
        game = games[number % len(games)]
        plies = [ply for ply in range(game.opening, game.plies) if game.legal[ply] > 1]
        if plies and (probe := _probe(variant, engine, game, int(random.choice(plies)))):
            found.append(probe)
        progress(number + 1)
    return found


def _probe(variant: str, engine: Engine, game: StudyGame, ply: int) -> Probe | None:
    """The probe of a position; None where the search has no second line."""
    position = played(variant, game.moves[:ply])
    engine.clear()  # so that the result depends on the position alone
    best: dict[int, str] = {}

    def note(info: Info) -> None:
        if info.multipv == 1 and not info.bound and info.pv:
            best[info.depth] = info.pv[0].text

    lines = engine.analyse(position, Limit(nodes=NODES), multipv=2, info=note)
    if len(lines) < 2:
        return None
    first, second = lines
    loss = min(MOST_LOSS, max(0, first.score.centipawns - second.score.centipawns))
    return Probe(game.number, ply, loss, tuple(best[depth] for depth in sorted(best)))
