"""Openings from Polyglot books, which are for chess alone.

Format and keys: M. Bourcereau and F. Letouzey, Polyglot 1.4 (2008); python-chess reads it.
"""

import random
from pathlib import Path

import chess
import chess.polyglot

from ...engine.position import Position
from ...engine.variant import Variant
from ..records.model import Opening
from .openings import PATIENCE, BookError, ends_at_once

SUFFIX = ".bin"
GAME = "chess"


def is_polyglot(path: str | Path) -> bool:
    """Whether a file is a Polyglot book by its name; the format has no signature."""
    return Path(path).suffix.lower() == SUFFIX


def walk_book(path: str | Path, variant: Variant, count: int, seed: int, plies: int) -> list[Opening]:
    """Up to `count` different openings of at most `plies` moves from the start, each move drawn by the book's
    weights; fewer where PATIENCE draws in a row bring nothing new. The same arguments give the same openings.

    A line ends early where the book does. Moves of weight 0 are never drawn. Raises BookError for a file
    that is not a Polyglot book of chess, for another game, and for a book without the start position; OSError
    where it cannot be opened.
    """
    if variant != GAME:
        raise BookError(f"{path}: Polyglot books know the positions of {GAME}, not of {variant!r}")
    if Path(path).stat().st_size % chess.polyglot.ENTRY_STRUCT.size:
        raise BookError(f"{path}: this is not a Polyglot book: its size is not a multiple of 16 bytes")
    openings: list[Opening] = []
    known: set[int] = set()
    failures = 0
    dice = random.Random(seed)
    with chess.polyglot.open_reader(path) as book:
        while len(openings) < count and failures < PATIENCE:
            position = _walk(book, dice, variant, plies)
            if position.key in known or not position.ply > 0 or ends_at_once(position):
                failures += 1
                continue
            failures = 0
            known.add(position.key)
            moves = tuple(str(move) for move in position.moves)
            name = f"{Path(path).stem} {len(openings) + 1} of seed {seed}"
            openings.append(Opening(position.start_fen, moves, name))
    if not openings:
        raise BookError(f"{path}: the book has no line that begins at the start of {variant}")
    return openings


def _walk(
    book: chess.polyglot.MemoryMappedReader, dice: random.Random, variant: Variant, plies: int
) -> Position:
    """A `Position` at the end of one line of the book."""
    position, board = Position(variant), chess.Board()
    while position.ply < plies:
        try:
            entry = book.weighted_choice(board, random=dice)
        except IndexError:
            break
        position.push(entry.move.uci())
        board.push(entry.move)
    return position
