"""The values of pieces to an evaluation: the regression of its scores on the pieces of both sides.

The positions come from games of the engine against itself. The model of a position's score is a sum over the
pieces on the board and in the hands, White's minus Black's, and a bonus for the side to move; least squares
find the terms.

The positions of one game are not independent, so the standard errors come from resampling whole games (the
cluster bootstrap; A. C. Cameron, J. B. Gelbach and D. L. Miller, "Bootstrap-based improvements for inference
with clustered errors", 2008)."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...engine.kernel.compiler import entry_point
from ...engine.variant import Variant
from ...eval.network.file import Network
from ...eval.network.output import SharedNetwork
from ...search.tree.evaluation import position_changed, static_evaluation
from ...search.tree.worker import new_worker
from ..self_play.array_types import Doubles, Integers
from ..self_play.compiled_games import Settings
from ..self_play.game_player import GamePlayer, OpeningError
from ..self_play.games_file import chunk_of, encode
from ..self_play.positions import Filter, Replay
from ..self_play.score_units import search_factor

LEVEL = 1000  # centipawns; decided positions say little about the value of a piece
NODES = 200  # of a move in the games
DRAWINGS = 200  # of games, for the errors


class PieceValue(NamedTuple):
    """The value of a `piece` (its letter) to an evaluation, on the board and in hand, in centipawns with
    standard errors, and its value in the game's file. NaN if it cannot be determined: for a king, or for a
    piece that does not occur in the games."""

    piece: str
    file: int
    board: float
    board_error: float
    hand: float
    hand_error: float


class Values(NamedTuple):
    """The `PieceValue`s of a game, the value of the right to move, the numbers of positions and games, and
    the share of the scores' variance that the values explain."""

    pieces: list[PieceValue]
    turn: float
    turn_error: float
    positions: int
    games: int
    explained: float


@entry_point
def score_all(rules, worker, positions, scores):
    """Writes the evaluation of each position in centipawns for White, as a search of the worker computes
    it."""
    for index in range(len(positions)):
        worker.positions[0] = positions[index]
        position_changed(rules, worker, np.int64(0))
        score = static_evaluation(rules, worker, np.int64(0))
        scores[index] = -score if np.int64(positions[index].side) else score


def balance_of(positions: npt.NDArray[np.void], rules: Any) -> Doubles:
    """For each position, White's pieces minus Black's, as floats: one column for each kind on the board, one
    for each in hand, and one with 1 if White is to move, else -1."""
    squares = np.arange(rules.squares)
    words, places = squares // 64, (squares % 64).astype(np.uint64)
    sides = [(positions["colours"][:, side][:, words] >> places) & np.uint64(1) for side in (0, 1)]
    owner = sides[0].astype(np.int8) - sides[1].astype(np.int8)
    board = positions["board"][:, : rules.squares]
    kinds = [np.where(board == kind, owner, 0).sum(axis=1) for kind in range(rules.kinds)]
    hands = positions["hands"].astype(np.int64)[:, :, : rules.hand_kinds]
    turn = 1 - 2 * positions["side"].astype(np.int64)
    return np.column_stack([*kinds, hands[:, 0] - hands[:, 1], turn]).astype(np.float64)


def fit(
    columns: Doubles, scores: Doubles, games: Integers, drawings: int = DRAWINGS, seed: int = 1
) -> tuple[Doubles, Doubles, float]:
    """(terms, their standard errors, explained share of the variance) for `scores` as sums of terms times
    `columns`. `games` has the game of each row. The term of a constant column is NaN."""
    varies = np.ptp(columns, axis=0) > 0
    used = columns[:, varies]
    _, game = np.unique(games, return_inverse=True)
    count = int(game.max()) + 1
    rows = np.empty((count, used.shape[1], used.shape[1]))
    sides = np.empty((count, used.shape[1]))
    order = np.argsort(game, kind="stable")
    bounds = np.searchsorted(game[order], np.arange(count + 1))
    for number in range(count):
        own = order[bounds[number] : bounds[number + 1]]
        rows[number], sides[number] = used[own].T @ used[own], used[own].T @ scores[own]

    def solved(weights: npt.NDArray[Any]) -> Doubles:
        return np.linalg.lstsq(np.tensordot(weights, rows, 1), np.tensordot(weights, sides, 1), rcond=None)[0]

    terms, chance = solved(np.ones(count)), np.random.default_rng(seed)
    drawn = [solved(np.bincount(chance.integers(0, count, count), minlength=count)) for _ in range(drawings)]
    found, errors = np.full(len(varies), np.nan), np.full(len(varies), np.nan)
    found[varies], errors[varies] = terms, np.std(drawn, axis=0)
    explained = 1 - np.var(scores - used @ terms) / max(float(np.var(scores)), 1e-9)
    return found, errors, float(explained)


def positions_of(
    variant: Variant,
    games: int,
    network: Network | None = None,
    seed: int = 1,
    progress: Callable[[int, int], object] = lambda done, positions: None,
) -> tuple[npt.NDArray[np.void], Integers]:
    """The quiet positions of `games` new games, as one array, and the game number of each."""
    player = GamePlayer(variant, Settings(nodes=NODES, seed=seed), network)
    made, batches, kept = Replay(variant, Filter(max_score=LEVEL)), [], 0
    for number in range(games):
        try:
            chunk, _ = chunk_of(encode(player.play(number)))
        except OpeningError:
            continue
        batches.append(made.batch(chunk))
        kept += len(batches[-1].plies)
        progress(number + 1, kept)
    if not kept:
        raise ValueError(f"{games} games of {variant!r} have no quiet position to learn values from")
    positions = np.concatenate([batch.positions for batch in batches])
    return positions, np.concatenate([batch.games for batch in batches])


def values_of(
    variant: Variant, positions: npt.NDArray[np.void], games: Integers, network: Network | None = None
) -> Values:
    """The `Values` of a `Network` (or of the hand-written evaluation, without one) from positions, without
    the search factor."""
    rules, description = variant.rules, variant.description
    shared = SharedNetwork(network) if network is not None else None  # must live as long as the worker
    worker = new_worker(rules, description, shared)
    scores = np.zeros(len(positions))
    score_all(rules, worker, positions, scores)
    if network is not None:
        scores /= search_factor(network.metadata)
    terms, errors, explained = fit(balance_of(positions, rules), scores, games)
    hands = {int(kind): rules.kinds + hand for hand, kind in enumerate(rules.hand_kind[: rules.hand_kinds])}
    found = []
    for kind, piece in enumerate(description.pieces):
        hand = hands.get(kind)
        in_hand = (np.nan, np.nan) if hand is None else (terms[hand], errors[hand])
        if not piece.royal:
            found.append(PieceValue(piece.letter, piece.value, terms[kind], errors[kind], *in_hand))
    return Values(found, terms[-1], errors[-1], len(positions), len(np.unique(games)), explained)
