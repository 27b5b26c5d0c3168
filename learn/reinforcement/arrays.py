"""Files of games as NumPy arrays: games of `surajang bench data` and PGN."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ...engine.game.arguments import check_range
from ...engine.notation.game_tree import Game
from ...engine.notation.lines import open_pgn
from ...engine.notation.nulls import NULL
from ...engine.notation.reading import read_games
from ...engine.variant import Variant
from ..self_play import positions
from ..self_play.games_file import Chunk, GamesReader
from ..self_play.positions import Filter
from .actions import actions_for
from .planes import planes_for

BATCH = 4096  # positions, or plies
POINTS = {"1-0": 1, "0-1": -1}


class PositionBatch(NamedTuple):
    """Positions as arrays, one row each.

    `planes` are float32 (see `rl.planes`). `actions` are the moves that were played, `results` those of the
    games, and `scores` those of the searches in centipawns, both for White (int64). `games` and `plies` say
    where a position occurred. In PGN, the score is the `%eval` of the position, or 0."""

    planes: npt.NDArray[np.float32]
    actions: npt.NDArray[np.int64]
    results: npt.NDArray[np.int64]
    scores: npt.NDArray[np.int64]
    games: npt.NDArray[np.int64]
    plies: npt.NDArray[np.int64]


def read_chunks(path: str | Path, plies: int = 65_536) -> Iterator[Chunk]:
    """Yields the games of a file of self-play games as arrays, about that many plies at a time. By ply:
    `moves` (as `Move.code`) and `scores` (centipawns for White). By game: `ends` (the index after its last
    ply), `results` (1, 0, -1), `openings` (random plies) and `endings`. Raises GamesError."""
    check_range("plies", plies, 1)
    with GamesReader(path) as reader:
        yield from reader.chunks(plies)


def read_positions(path: str | Path, *, quiet: bool = False, batch: int = BATCH) -> Iterator[PositionBatch]:
    """Yields the searched positions of a file of self-play games, about `batch` plies at a time; with `quiet`
    only those that networks are trained on. Raises GamesError, also if the game's rules have changed since.
    """
    check_range("batch", batch, 1)
    with GamesReader(path) as reader:
        variant = reader.header.variant
    filters = Filter() if quiet else Filter(max_score=1 << 15, checks=True, tactical=True)
    planes, actions = planes_for(variant), actions_for(variant)
    for found in positions.read_positions(path, variant, filters, batch):
        wide = (each.astype(np.int64) for each in (found.results, found.scores, found.games, found.plies))
        yield PositionBatch(planes.of_records(found.positions), actions.of_codes(found.moves), *wide)


def read_pgn(path: str | Path, variant: str = "chess", *, batch: int = BATCH) -> Iterator[PositionBatch]:
    """Yields the positions of the main lines of the games in a PGN file, about `batch` at a time.

    `variant` is the game of entries without the tag Variant. Games of other variants and games without a
    result are skipped. A game with an illegal move counts up to that move. Raises OSError, VariantError."""
    check_range("batch", batch, 1)
    rows: list[_Row] = []
    variant = Variant(variant)
    with open_pgn(path) as file:
        for number, game in enumerate(read_games(file, variant)):
            if game.variant == variant and game.headers.get("Result", "*") != "*":
                rows += _rows_of(game, number)
            if len(rows) >= batch:
                yield _batch(rows, variant)
                rows = []
    if rows:
        yield _batch(rows, variant)


class _Row(NamedTuple):
    """A position of a game in PGN: its record, the `code` of the move played, and the other fields of
    `PositionBatch`."""

    state: npt.NDArray[np.void]
    code: int
    result: int
    score: int
    game: int
    ply: int


def _rows_of(game: Game, number: int) -> Iterator[_Row]:
    """The positions of the main line up to a null move."""
    position, result, score = game.position(), POINTS.get(game.headers["Result"], 0), 0
    for ply, node in enumerate(game.mainline()):
        if node.move is None or node.move == NULL:
            return
        move = position.parse_move(node.move)
        yield _Row(np.array(position.state), move.code, result, score, number, ply)
        position.push_legal(move)
        told = node.eval()
        score = told.centipawns or 0 if told is not None else 0


def _batch(rows: list[_Row], variant: Variant) -> PositionBatch:
    states, codes, *rest = zip(*rows, strict=True)
    return PositionBatch(
        planes_for(variant).of_records(np.array(states)),
        actions_for(variant).of_codes(codes),
        *(np.array(column, np.int64) for column in rest),
    )
