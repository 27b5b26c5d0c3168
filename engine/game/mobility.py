"""The mobility of pieces, and values estimated from it if a game's file gives none. Plain arithmetic on
descriptions; `eval` uses it."""

from collections.abc import Sequence
from functools import lru_cache

from .betza import Ride

FREEDOM = 0.7  # the chance that a square on a slider's way is empty
QUIET_SHARE, CAPTURE_SHARE = 0.4, 0.6  # of a move that can only do the one or the other
STEP_VALUE = 58  # centipawns for each square that is reached on average; a Knight of chess gets 305
PAWN_VALUE = 100  # what only goes forward, a step at a time


def reached(files: int, ranks: int, moves: Sequence[Ride], square: int) -> float:
    """The number of squares that `moves` reach from `square` on an empty board; distant ones count less."""
    total = 0.0
    for move in moves:
        file, rank = square % files, square // files
        weight = 1.0 if move.quiet and move.capture else QUIET_SHARE if move.quiet else CAPTURE_SHARE
        if move.hop:
            weight *= 1 - FREEDOM  # needs a piece in between
        if move.lame:
            weight *= FREEDOM ** (max(abs(move.files), abs(move.ranks)) - 1)
        for distance in range(move.reach or max(files, ranks)):
            file, rank = file + move.files, rank + move.ranks
            if not (0 <= file < files and 0 <= rank < ranks):
                break
            if move.hop == "g" and distance == 0:
                continue  # the first square is never reached, the second as often as a piece stands there
            total += weight
            weight *= FREEDOM
    return total


def estimated_value(files: int, ranks: int, moves: Sequence[Ride]) -> int:
    """Centipawns for a piece with these moves on a board of that size."""
    return _estimated_value(files, ranks, tuple(moves))


@lru_cache(1024)
def _estimated_value(files: int, ranks: int, moves: tuple[Ride, ...]) -> int:
    if all(move.ranks > 0 and move.reach == 1 for move in moves):
        return PAWN_VALUE
    squares = files * ranks
    return round(STEP_VALUE * sum(reached(files, ranks, moves, s) for s in range(squares)) / squares)
