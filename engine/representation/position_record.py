"""The position as one NumPy record, and the parts of a move in compiled code; no rules here."""

from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ..game.moves import ACTION_SHIFT, ACTIONS, KIND_SHIFT, WALL_SHIFT
from ..game.state_fields import STATE_FIELDS
from ..kernel.bitboard import from_words, to_words
from ..kernel.compiler import inner

SCORE_LANES = 16  # number of scores of moves that are read at once


@cache
def position_dtype(rules: Any) -> np.dtype[Any]:
    """The record of one position of the game.

    `colours` and `movers` are bitboards by side and by mover; `board` holds the kind on each square,
    `rules.no_kind` for none; `hands` counts by side and hand piece. `crossed` are the squares that a pawn
    has just crossed and where a legal capture of it ends, `victim` where it stands. `rights` are castling
    rights, one bit for each wing of White, then of Black; `rooks` the squares of the rooks that they are
    about, where these differ from game to game; `walls` the squares with a wall, in games that have any.
    `outcome` says which special rule has ended the game. Mechanics add numbers of their own (`STATE_FIELDS`).
    `key` hashes all that changes the tree below, `repetition_key` what the repetition rule compares.
    """
    words = rules.empty.width // 64
    fields = [
        ("colours", np.uint64, (2, words)),
        ("movers", np.uint64, (rules.mover_count, words)),
        ("crossed", np.uint64, (words,)),
        ("key", np.uint64),
        ("repetition_key", np.uint64),
        ("board", np.uint8, (rules.squares,)),
        ("hands", np.uint8, (2, max(1, rules.hand_kinds))),
        ("kings", np.uint8, (2,)),
        ("side", np.uint8),
        ("victim", np.uint8),
        ("rights", np.uint8),
        *((each.name, f"u{each.bytes}") for each in STATE_FIELDS if not each.facts),
        ("outcome", np.uint8),
        ("halfmoves", np.uint16),
        ("fullmoves", np.uint16),
    ]
    if rules.castling_free:
        fields.append(("rooks", np.uint8, (2, 2)))
    if rules.walls:
        fields.append(("walls", np.uint64, (words,)))
    fields += [
        (each.name, f"u{each.bytes}", (2,))
        for each in STATE_FIELDS
        if each.facts and getattr(rules, each.facts)
    ]
    size = np.dtype(fields, align=True).itemsize
    filler = -size % 64
    return np.dtype([*fields, ("filler", np.uint8, (filler,))] if filler else fields, align=True)


@cache
def movelist_dtype(rules: Any) -> np.dtype[Any]:
    """The record of one node's moves: `moves`, their ordering `scores`, and a position to try things on.

    Behind the scores there is room, so that SCORE_LANES of them may be read at once from any on. Where a drop
    must not mate there is room behind the moves for the replies to it, or, where moves are tested by trial,
    `reply` with a list of its own. `reply` is also there where only mates may check.
    """
    replies_behind = rules.no_mate_hand >= 0 and not rules.drop_mates
    fields = [
        ("trial", position_dtype(rules)),
        ("moves", np.uint32, (rules.max_moves * (2 if replies_behind else 1),)),
        ("scores", np.int32, (rules.max_moves + SCORE_LANES,)),
    ]
    reply = ("reply", np.dtype([("position", position_dtype(rules)), *fields], align=True))
    if rules.drop_mates:
        fields.append(reply)
    if rules.mates_allowed:
        fields.insert(0, reply)  # at the end Numba would take both records for the same
    return np.dtype(fields, align=True)


@inner
def make_move(source, target, kind, action):
    """The move as an int64."""
    return target | source << 8 | kind << KIND_SHIFT | action << ACTION_SHIFT


@inner
def target_of(move):
    """The square a move ends on."""
    return move & 255


@inner
def source_of(move):
    """The square a move starts from; for a drop the square it ends on."""
    return (move >> 8) & 255


@inner
def kind_of(move):
    """The kind that a promotion makes or a drop sets down."""
    return (move >> KIND_SHIFT) & 63


@inner
def action_of(move):
    """NORMAL, PROMOTION, DROP, ..."""
    return (move >> ACTION_SHIFT) & ACTIONS


@inner
def wall_of(move):
    """The square of the wall that a move puts down, in games with walls that are chosen."""
    return move >> WALL_SHIFT


@intrinsic
def copy_record(typingctx, target, source):
    """Copies `source` over `target`, records of one type."""
    if not (isinstance(target, types.Record) and target == source):
        return None

    def generate(context, builder, sig, args):
        _copy_bytes(builder, args[0], args[1], sig.args[0].size)
        return context.get_dummy_value()

    return types.void(target, source), generate


def _copy_bytes(builder: Any, target: Any, source: Any, size: int) -> None:
    """Unrolled vector moves: a position is too long for the compiler to inline memcpy."""
    byte, vector = ir.IntType(8), ir.VectorType(ir.IntType(64), 8)
    whole = size // 64 * 64
    places = [(offset, vector, 8) for offset in range(0, whole, 64)]
    places += [(offset, byte, 1) for offset in range(whole, size)]
    target = builder.bitcast(target, byte.as_pointer())
    source = builder.bitcast(source, byte.as_pointer())
    for offset, kind, align in places:
        at = [ir.IntType(64)(offset)]
        place = builder.bitcast(builder.gep(source, at), kind.as_pointer())
        value = builder.load(place, align=align)
        place = builder.bitcast(builder.gep(target, at), kind.as_pointer())
        builder.store(value, place, align=align)


def read_board(record: Any, field: str, row: int | None = None) -> int:
    """A bitboard field of a record as a Python int."""
    return from_words(record[field] if row is None else record[field][row])


def write_board(record: Any, field: str, value: int, row: int | None = None) -> None:
    """Writes a Python int to a bitboard field of a record."""
    words = record[field] if row is None else record[field][row]
    words[:] = to_words(value, 64 * len(words))
