"""The positions of self-play games as records for a trainer. Compiled code replays the games and skips
positions that are not useful for learning."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ...engine.game.moves import DROP, PROMOTION, SETUP
from ...engine.kernel.bitboard import load, popcount
from ...engine.kernel.compiler import entry_point, inner, part
from ...engine.kernel.parallel_compile import Part
from ...engine.mechanics.must_capture import captures_are_duty
from ...engine.movegen.attacks import in_check
from ...engine.movegen.make_move import play
from ...engine.representation.position_record import (
    action_of,
    copy_record,
    kind_of,
    position_dtype,
    source_of,
    target_of,
)
from ...engine.variant import Variant
from ...search.tree.picker import plausible
from .array_types import Integers
from .compiled_games import NO_SCORE
from .games_file import CHUNK_PLIES, Chunk, GamesError, GamesReader
from .starts import start_records

DECIDED = 1500  # centipawns; positions with larger scores are decided


class Filter(NamedTuple):
    """Which of the searched positions are kept: those from ply `first_ply` on with an absolute score up to
    `max_score`. Each of `checks` (in check), `tactical` (best move captures or promotes) and `checking` (best
    move gives check) includes further ones. Where captures are mandatory, tactical positions are kept."""

    first_ply: int = 0
    max_score: int = DECIDED
    checks: bool = False
    tactical: bool = False
    checking: bool = True


class Batch(NamedTuple):
    """Positions in the order of the games, as records of `position_dtype`. By position: `scores` (centipawns)
    and `results` (1, 0, -1), both White's, the numbers of the `games`, the `plies` and the `moves` that were
    played."""

    positions: np.ndarray
    scores: np.ndarray
    results: np.ndarray
    games: np.ndarray
    plies: np.ndarray
    moves: np.ndarray


@inner
def can_be_played(rules, position, move):
    """Whether a move from a file is safe to make."""
    action, kind = action_of(move), kind_of(move)
    if max(source_of(move), target_of(move)) >= rules.squares or move == 0 or action > SETUP:
        return False
    if action in (PROMOTION, DROP) and kind >= rules.kinds:
        return False
    return plausible(rules, position, move)


@inner
def _takes(position, child, side):
    """Whether the move of `side` between the two positions captured something."""
    return popcount(load(child, "colours", 1 - side)) < popcount(load(position, "colours", 1 - side))


@inner
def is_kept(rules, position, child, move, score, ply, filters):
    """Whether the `Filter` in the array `filters` keeps a position at that ply, with the score of its search
    and the move that leads to `child`."""
    first_ply, max_score = filters[0], filters[1]
    checks, tactical, checking = filters[2], filters[3], filters[4]
    kept = score != NO_SCORE and abs(score) <= max_score and ply >= first_ply
    action = action_of(move)
    if kept and not tactical and not captures_are_duty(rules, False):
        kept = action != PROMOTION and not _takes(position, child, np.int64(position.side))
    kept = kept and action != SETUP
    kept = kept and (checks or not in_check(rules, position))
    return kept and (checking or not in_check(rules, child))


@entry_point
def replay(rules, boards, numbers, games, moves, scores, filters, found, chosen):
    """Replays the positions of games; returns how many were kept, or -1 - index of an impossible move.

    `boards` are records: two to play on, then the starts, from which the games begin in turn by their
    `numbers`. `games` has the index after the last ply of each game. Kept positions go to `found`, the
    indices of their plies to `chosen`."""
    position, child, starts = boards[0], boards[1], len(boards) - 2
    count, index = np.int64(0), np.int64(0)
    for game in range(len(games)):
        copy_record(position, boards[2 + numbers[game] % starts])
        first = index
        while index < games[game]:
            move, score = np.int64(moves[index]), np.int64(scores[index])
            if not can_be_played(rules, position, move):
                return -1 - index
            play(rules, child, position, move)
            if is_kept(rules, position, child, move, score, index - first, filters):
                copy_record(found[count], position)
                chosen[count] = index
                count += 1
            copy_record(position, child)
            index += 1
    return count


def entry_points(variant: Variant) -> list[Part]:
    """The functions that Python calls to read this variant's games, as parts for `compile_ahead`."""
    rules = variant.rules
    boards, counts = np.zeros(3, position_dtype(rules)), np.zeros(1, np.int64)
    moves, scores = np.zeros(1, np.uint32), np.zeros(1, np.int16)
    return [part(replay, rules, boards, counts, counts, moves, scores, counts, boards, counts)]


def boards_for(variant: Variant, starts: int) -> npt.NDArray[np.void]:
    """Records to replay games: two to play on, then the `starts` from which the games begin."""
    return np.concatenate([np.zeros(2, position_dtype(variant.rules)), start_records(variant, starts)])


class Replay:
    """Replays chunks of games of one variant, which begin from so many `starts`, and returns the positions
    that a `Filter` keeps. Raises VariantError."""

    def __init__(
        self,
        variant: Variant,
        filters: Filter = Filter(),  # noqa: B008 - a tuple
        starts: int = 1,
    ) -> None:
        self.rules = variant.rules
        self._boards = boards_for(variant, starts)
        self._filters = np.array(filters, np.int64)

    def batch(self, chunk: Chunk, path: str | Path = "the file") -> Batch:
        """The kept positions of a `Chunk`. Raises GamesError, with `path`, for an impossible move."""
        found, chosen = np.empty(len(chunk.moves), self._boards.dtype), np.empty(len(chunk.moves), np.int64)
        games = chunk.numbers, chunk.ends, chunk.moves, chunk.scores
        count = replay(self.rules, self._boards, *games, self._filters, found, chosen)
        if count < 0:
            game, ply = _place(chunk, np.array([-1 - count]))
            raise GamesError(
                f"{path}: game {chunk.numbers[game[0]]}, ply {ply[0]}: the move cannot be played"
            )
        chosen = chosen[:count]
        games, plies = _place(chunk, chosen)
        results, numbers = chunk.results[games], chunk.numbers[games]
        return Batch(found[:count], chunk.scores[chosen], results, numbers, plies, chunk.moves[chosen])


def kept_by_game(batch: Batch, chunk: Chunk) -> npt.NDArray[np.intp]:
    """How many positions of each game of a `Chunk` are in its `Batch`."""
    return np.bincount(batch.games - chunk.numbers[0], minlength=len(chunk.numbers))


def _place(chunk: Chunk, indices: Integers) -> tuple[npt.NDArray[np.intp], Integers]:
    """(index of the game, its ply) of plies of a chunk."""
    games = np.searchsorted(chunk.ends, indices, side="right")
    starts = np.concatenate([[0], chunk.ends[:-1]])
    return games, indices - starts[games]


def read_positions(
    path: str | Path,
    variant: Variant,
    filters: Filter = Filter(),  # noqa: B008 - a tuple
    plies: int = CHUNK_PLIES,
) -> Iterator[Batch]:
    """Yields `Batch`es of the positions in a file of games, from about `plies` plies each. Raises GamesError
    if the file is damaged or of another game."""
    with GamesReader(path, variant) as reader:
        made = Replay(variant, filters, reader.header.starts)
        for chunk in reader.chunks(plies):
            yield made.batch(chunk, path)
