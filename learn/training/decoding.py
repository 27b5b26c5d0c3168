"""Decodes games of a file into samples, in compiled code: bytes in, packed positions out.

Training reads the games again and again, so no record of a position is kept in between. The data were checked
before (`survey`); invalid bytes do no harm but give meaningless samples."""

from typing import Any, NamedTuple

import numpy as np

from ...engine.kernel.bitboard import has, load
from ...engine.kernel.compiler import entry_point, inner, part
from ...engine.kernel.parallel_compile import Part
from ...engine.movegen.make_move import play
from ...engine.representation.position_record import copy_record
from ...engine.variant import Variant
from ...eval.network.features import active_features, features_for
from ...eval.network.output_buckets import BOARD, HANDS, board_bucket, hands_bucket
from ..self_play.array_types import Indices, Integers
from ..self_play.compiled_games import NO_SCORE
from ..self_play.games_file import CRC, HEAD, PLY
from ..self_play.positions import Filter, boards_for, can_be_played, is_kept
from ..self_play.score_units import multiplied
from .mirroring import anchors
from .samples import Samples, samples_for

MOVES = HEAD.size + CRC.size  # where the moves of a game begin
PLY_SIZE, CRC_SIZE = PLY.itemsize, CRC.size
MOST_PLIES = 1 << 16  # of a game
POLYNOMIAL = 0xEDB88320  # polynomial of CRC-32, bits reversed
FIRST_SCORE = 1 << 15  # offset of score 0 in a table
LEAST_GAME = MOVES + CRC_SIZE  # bytes
COUNTED = 1_000  # centipawns; larger scores decide the game
ALL = 0  # the number of a `Choice` for all games


def _crc_tables() -> Indices:
    """CRC-32 by number of zero bytes after a byte, up to three, and by that byte."""
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = np.where(table & 1, table >> 1 ^ np.uint32(POLYNOMIAL), table >> 1)
    tables = [table]
    for _ in range(3):
        tables.append(tables[-1] >> 8 ^ table[tables[-1] & 255])
    return np.array(tables, np.uint32)


CRCS = _crc_tables()
NOTHING_COUNTED = np.zeros((0, 3), np.int64)


class Choice(NamedTuple):
    """The games of a file to decode: the held-out ones, if one in `modulus` is (`held_out`), or the others;
    with ALL all of them."""

    modulus: int = ALL
    held_out: bool = False


class Targets(NamedTuple):
    """The targets of positions: a share `blend` of the chance that a score gives by a logistic curve of
    `scale` centipawns; the rest is the TD target with that `decay` (`td_target`)."""

    blend: float = 0.0
    scale: float = 250.0
    decay: float = 1.0


@inner
def td_target_before(td_target, chance, decay):
    """The TD target of a ply, where `chance` (0 to 1) is that of its score, and `td_target` is that of the
    next ply, or the result. With a decay of 1 it is always the result.

    The score of a search is what the network already knows, a few plies deeper. The result is exact, but it
    is one noisy number for a whole game. The scores of the following moves are in between. The TD target is
    their average, in which each later ply has `decay` times the weight of the one before it; the result has
    the remaining weight at the end. This is the target of TD(lambda) (R. Sutton, "Learning to predict by the
    methods of temporal differences", 1988)."""
    return decay * td_target + (1.0 - decay) * chance


@inner
def _word(data, place):
    """The little-endian uint32 at a place."""
    word = np.uint32(data[place]) | np.uint32(data[place + 1]) << np.uint32(8)
    return word | np.uint32(data[place + 2]) << np.uint32(16) | np.uint32(data[place + 3]) << np.uint32(24)


@inner
def _short(data, place):
    """The little-endian uint16 at a place, as int64."""
    return np.int64(data[place]) | np.int64(data[place + 1]) << 8


@inner
def _crc(data, first, plies):
    """CRC-32 of the moves of the plies that begin at `first`, without their scores, four bytes at a time."""
    found = np.uint32(0xFFFFFFFF)
    for ply in range(plies):
        word = np.int64(found ^ _word(data, first + ply * PLY_SIZE))
        found = CRCS[3, word & 255] ^ CRCS[2, word >> 8 & 255]
        found ^= CRCS[1, word >> 16 & 255] ^ CRCS[0, word >> 24]
    return found ^ np.uint32(0xFFFFFFFF)


@inner
def _king(features, rules, position, side):
    """The square of a side's king from its own view; the number of squares without a king."""
    square = np.int64(position.kings[side])
    if not has(load(position, "colours", side), square):
        return np.int64(features.squares)
    if np.int64(position.board[square]) != rules.royal_kind:
        return np.int64(features.squares)
    return square if side == 0 else np.int64(features.flipped[square])


@inner
def _pack(rules, features, by_hands, anchored, position, samples, number):
    """Writes the features of a position as sample `number`, after those of the sample before."""
    side = np.int64(position.side)
    start = samples.starts[number]
    count = active_features(features, position, side, samples.rows[start:])
    samples.starts[number + 1] = start + count
    fixed = np.uint8(0)
    for place in range(start, start + count):
        fixed |= anchored[np.int64(samples.rows[place])]
    samples.mirrors[number] = np.uint8(1) - fixed
    bucket = hands_bucket(features, position) if by_hands else board_bucket(features, position)
    samples.output_buckets[number] = bucket
    samples.kings[number, 0] = _king(features, rules, position, side)
    samples.kings[number, 1] = _king(features, rules, position, 1 - side)


@inner
def _label(samples, number, side, result, chance, td_target, blend):
    """Writes the target and the result of sample `number`; all arguments are from White's view."""
    target = np.float32(blend * chance + (1.0 - blend) * td_target)
    samples.targets[number] = np.float32(1) - target if side else target
    samples.results[number] = -result if side else result


@inner
def _write_td_targets(data, moves, plies, result, chances, decay, td_targets):
    """Writes White's TD target of each ply of a game whose moves begin at `moves`."""
    td_target = (np.float64(result) + 1.0) / 2.0
    for ply in range(plies - 1, -1, -1):
        score = np.int64(np.int16(_short(data, moves + ply * PLY_SIZE + 4)))
        if score != NO_SCORE:
            td_target = td_target_before(td_target, np.float64(chances[score + FIRST_SCORE]), decay)
        td_targets[ply] = np.float32(td_target)


@entry_point
def decode(
    rules,
    features,
    by_hands,
    boards,
    anchored,
    data,
    filters,
    choice,
    scores,
    numbers,
    samples,
    first,
    games,
    counted,
):
    """Packs the positions of the games in `data` (uint8) that the `filters` keep. Returns the number after
    the last sample, starting at `first`, or -1 - (game x MOST_PLIES + ply) for an impossible move. `boards`
    are two records to play on, then the starts, from which the games begin in turn by their numbers.

    `choice` has the numbers of a `Choice`, `scores` the `ScoreTables`, `numbers` the share of the score in a
    target and the decay of the TD target. A row of `games` gets the CRC-32 of a game's moves, which decides
    whether it is held out, and its number of samples. Scores are counted in `counted`, unless it is empty, by
    centipawns from -COUNTED and by result."""
    position, child, starts = boards[0], boards[1], len(boards) - 2
    td_targets = np.empty(MOST_PLIES, np.float32)
    place, game, count = np.int64(0), np.int64(0), np.int64(first)
    while place + MOVES <= len(data):
        number, plies = np.int64(_word(data, place)), _short(data, place + 4)
        result = np.int64(np.int8(data[place + 7]))
        moves, before = place + MOVES, count
        place = moves + plies * PLY_SIZE + CRC_SIZE
        if place > len(data):
            return -1 - game * MOST_PLIES
        crc = np.int64(_crc(data, moves, plies))
        held_out = choice[0] != ALL and crc % choice[0] == 0
        wanted = choice[0] == ALL or held_out == (choice[1] != 0)
        if wanted:
            _write_td_targets(data, moves, plies, result, scores.chances, numbers[1], td_targets)
            copy_record(position, boards[2 + number % starts])
        for ply in range(plies if wanted else 0):
            at = moves + ply * PLY_SIZE
            move, score = np.int64(_word(data, at)), np.int64(np.int16(_short(data, at + 4)))
            if not can_be_played(rules, position, move):
                return -1 - (game * MOST_PLIES + ply)
            play(rules, child, position, move)
            if is_kept(rules, position, child, move, score, ply, filters):
                _pack(rules, features, by_hands, anchored, position, samples, count)
                chance, side = np.float64(scores.chances[score + FIRST_SCORE]), np.int64(position.side)
                _label(samples, count, side, result, chance, np.float64(td_targets[ply]), numbers[0])
                if len(counted):
                    converted = np.int64(scores.converted[score + FIRST_SCORE])
                    if abs(converted) <= COUNTED:
                        counted[converted + COUNTED, result + 1] += 1
                count += 1
            copy_record(position, child)
        games[game, 0], games[game, 1] = crc, count - before
        game += 1
    return count


class ScoreTables(NamedTuple):
    """By score in the file, from -FIRST_SCORE: the score in the centipawns of the network in training
    (`converted`, int16), and the chance of winning for it (`chances`, float32)."""

    converted: np.ndarray
    chances: np.ndarray

    @classmethod
    def of(cls, factor: float, scale: float) -> "ScoreTables":
        """The tables for scores multiplied by `factor`, and a logistic curve of `scale` centipawns."""
        scores = np.arange(-FIRST_SCORE, FIRST_SCORE).astype(np.int16)
        converted = multiplied(scores, factor)
        return cls(converted, (1 / (1 + np.exp(-converted / np.float64(scale)))).astype(np.float32))


class Decoder:
    """Decodes games of one variant: `decode` with fixed arguments. Raises VariantError."""

    def __init__(
        self,
        variant: Variant,
        targets: Targets = Targets(),  # noqa: B008 - a tuple
        output_buckets: str = BOARD,
        filters: Filter = Filter(),  # noqa: B008 - a tuple
    ) -> None:
        self.features = features_for(variant)
        self._variant, self._rules = variant, variant.rules
        self._targets, self._by_hands = targets, output_buckets == HANDS
        self._anchored, self._filters = anchors(variant).astype(np.uint8), np.array(filters, np.int64)
        self._tables: dict[float, ScoreTables] = {}

    def facts(self, data: bytes, choice: Choice, factor: float, starts: int = 1) -> tuple[Any, ...]:
        """The first arguments of `decode`. Each call has its own boards, so that threads can decode at the
        same time."""
        if factor not in self._tables:
            self._tables[factor] = ScoreTables.of(factor, self._targets.scale)
        return (
            *(self._rules, self.features, self._by_hands, boards_for(self._variant, starts), self._anchored),
            *(np.frombuffer(data, np.uint8), self._filters, np.array(choice, np.int64)),
            *(self._tables[factor], np.array([self._targets.blend, self._targets.decay])),
        )

    def survey(
        self,
        data: bytes,
        choice: Choice,
        factor: float,
        samples: Samples,
        first: int,
        counted: Integers = NOTHING_COUNTED,
        starts: int = 1,
    ) -> tuple[int, Integers]:
        """Packs the positions of the games in `data`, which begin from so many `starts`, after sample
        `first`, with scores times a factor, and returns the number after the last sample, and (CRC-32 of
        the moves, positions) of each game. Adds scores to `counted`. Raises UnplayableError."""
        games = np.zeros((len(data) // LEAST_GAME + 1, 2), np.int64)
        behind = decode(*self.facts(data, choice, factor, starts), samples, first, games, counted)
        if behind < 0:
            raise UnplayableError(*divmod(-1 - behind, MOST_PLIES))
        return behind, games


class UnplayableError(ValueError):
    """An impossible move; `game` and `ply` are counted from the start of the data."""

    def __init__(self, game: int, ply: int) -> None:
        super().__init__(f"game {game}, ply {ply}: the move cannot be played")
        self.game, self.ply = game, ply

    def __reduce__(self) -> "tuple[type[UnplayableError], tuple[int, int]]":
        return type(self), (self.game, self.ply)


def entry_points(variant: Variant) -> list[Part]:
    """The functions that Python calls to decode games, as parts for `compile_ahead`."""
    facts = Decoder(variant).facts(b"", Choice(), 1.0)
    games = np.zeros((1, 2), np.int64)
    return [part(decode, *facts, samples_for(0, 0), 0, games, NOTHING_COUNTED)]
