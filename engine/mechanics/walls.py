"""Walls: squares that no piece enters or crosses. Each move builds one, or moves the only one.

A position has in `walls` the squares with a wall; a FEN has `*` there. A move is written with the square of
its wall, `e2e4,e4e5` as in Fairy-Stockfish: the part after the comma begins with the target. Its number has
that square above the action; where the wall is the square that the piece has left, the number has none."""

from dataclasses import dataclass
from typing import Any

from ..game.description import Description
from ..game.moves import CASTLING, EN_PASSANT, MOST_WALL_SQUARES, WALL_RULES, WALL_SHIFT
from ..game.table_reader import GameReader, TableReader
from ..game.words import squares_in_words
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import inner, over_rules
from .gates import rook_square, rook_target
from .mechanic import Mechanic, Rule, refuse_together

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import bit, has, load, load_one, lsb, popcount, store_one, without_lsb
    from ..kernel.facts import Facts
    from ..representation.geometry import bits
    from ..representation.move_list import put
    from ..representation.piece_plan import Plan
    from ..representation.position_record import action_of, read_board, source_of, target_of, wall_of
    from ..representation.reach import line_attacks

STATIC, PAST, DUCK, ARROW = WALL_RULES
QUEEN_LINES = 4  # the first lines of every game
ZOBRIST_SEED = 0x3A11


@dataclass(frozen=True)
class Walls:
    """Where a move puts a wall, by `rule`: "static" on any empty square, "past" on the square that the piece
    has left, "duck" as "static", but there is only one wall, which moves; "arrow" where a queen could go from
    the target. `squares` are the only ones that can get a wall; empty: all."""

    rule: str
    squares: tuple[int, ...] = ()

    @property
    def chosen(self) -> bool:
        """Whether a move can have different walls."""
        return self.rule != PAST

    @property
    def single(self) -> bool:
        """Whether there is only one wall, which moves."""
        return self.rule == DUCK


# The file


def read(game: GameReader, table: TableReader) -> Walls:
    rule = table.choice("rule", WALL_RULES)
    squares = game.squares(table, "squares") if "squares" in table.table else ()
    if squares and rule == PAST:
        raise table.error("squares", "cannot be combined with rule = 'past'")
    return Walls(rule, squares)


def check(rule: Walls, top: TableReader, description: Description) -> None:
    if rule.chosen and description.squares > MOST_WALL_SQUARES:
        raise top.error("walls", f"the board may have at most {MOST_WALL_SQUARES} squares")
    if description.royals:
        raise top.error("walls", f"{description.royals[0].letter!r} is royal: a wall could not end a check")
    others = ("castling.by = 'position'", "drops", "castling.free", "gates", "must_capture", "self_capture")
    others += ("rifle_captures", "merchants", "checks", "bumping", "explosion", "colour_change", "cells")
    others += ("first_moves", "square_moves", "passing", "truce", "palace", "setup", "facing_kings")
    refuse_together(top, "walls", description, *others, "last_royal")


def facts(plan: Plan) -> dict[str, Any]:
    rule = plan.description.walls
    if rule is None:
        return {"walls": (), "lasting_walls": False}
    rng = np.random.Generator(np.random.PCG64(ZOBRIST_SEED))
    board = sum(1 << square for square in rule.squares) or plan.geometry.board
    return {
        "walls": (
            Facts(
                "walls",
                chosen=rule.chosen,
                single=rule.single,
                arrow=rule.rule == ARROW,
                squares=plan.bits(board),
                zobrist=rng.integers(0, 1 << 64, (plan.geometry.squares,), np.uint64),
            ),
        ),
        "lasting_walls": not rule.single,
    }


def most_walled_moves(description: Description, ways: int, reached: int) -> int:
    """A bound on the number of moves with chosen walls. A square can be reached in so many `ways`, and a
    piece reaches, promotions included, so many squares. The more pieces, the fewer squares for a wall."""
    squares = description.squares
    return max(
        min(pieces * reached, (squares - pieces) * ways) * (squares - pieces) for pieces in range(squares)
    )


def sentences(rule: Walls, description: Description) -> list[str]:
    where = {
        STATIC: "After its move a side builds a wall on an empty square.",
        PAST: "The square that a piece leaves becomes a wall.",
        DUCK: "After its move a side puts the wall, of which there is only one, on another empty square.",
        ARROW: "After its move a side builds a wall where a queen could go from the piece's new square.",
    }[rule.rule]
    region = ""
    if rule.squares:
        left = [square for square in range(description.squares) if square not in rule.squares]
        if len(left) < len(rule.squares):
            region = f" No wall can stand on {squares_in_words(left, description)}."
        else:
            region = f" Walls stand on {squares_in_words(rule.squares, description)} alone."
    return [f"Walls: {where}{region} No piece enters, crosses or captures a wall."]


# Keys and FEN


def key_of(rules: Any, state: Any) -> int:
    """The part of a position's key."""
    found = 0
    for walls in rules.walls:
        for square in bits(read_board(state, "walls")):
            found ^= int(walls.zobrist[square])
    return found


# Compiled code


@over_rules("walls")
def with_walls(walls, squares, rules, position):
    """`squares` and those with a wall."""
    return squares | load_one(position, "walls")


@over_rules("walls")
def unless_walled(walls, squares, rules, position, target):
    """`squares`, or none if there is a wall on `target`."""
    return rules.empty if has(load_one(position, "walls"), target) else squares


@inner
def occupied_in(rules, position):
    """The squares of all pieces and walls."""
    return with_walls(rules, load(position, "colours", 0) | load(position, "colours", 1), position)


@inner
def closed_to(rules, position, side):
    """The squares that no piece of `side` can go to: those of its pieces and of walls."""
    return with_walls(rules, load(position, "colours", side), position)


@inner
def _occupied_after(rules, position, side, move):
    """The squares of pieces and walls after a move, without its new wall."""
    source, target, action = source_of(move), target_of(move), action_of(move)
    pieces = occupied_in(rules, position)
    pieces = (pieces & ~bit(rules, source)) | bit(rules, target)
    if rules.castles and action == CASTLING:
        rook, rook_to = rook_square(rules, side, target), rook_target(rules, side, target)
        pieces = (pieces & ~bit(rules, rook)) | bit(rules, rook_to) | bit(rules, target)
    if rules.en_passant and action == EN_PASSANT:
        pieces = pieces & ~bit(rules, np.int64(position.victim))
    return pieces


@inner
def _wall_squares(walls, rules, position, side, move):
    """The squares where a move may put its wall."""
    occupied = _occupied_after(rules, position, side, move)
    squares = walls.squares & ~occupied
    if walls.arrow:
        seen = rules.empty
        for line in range(QUEEN_LINES):
            seen = seen | line_attacks(rules, line, target_of(move), occupied)
        squares = squares & seen
    return squares


@over_rules("walls")
def count_walls(walls, n, rules, out, position, first, end):
    """The number of moves that the moves listed from `first` to `end` become with their walls."""
    if not walls.chosen:
        return end - first
    side, count = np.int64(position.side), np.int64(0)
    for i in range(first, end):
        count += popcount(_wall_squares(walls, rules, position, side, np.int64(out.moves[i])))
    return count


@over_rules("walls")
def add_walls(walls, end, rules, out, position, first):
    """Replaces each of the moves listed from `first` to `end` by those with its walls; returns the new
    end."""
    if not walls.chosen:
        return end
    side, kept, last = np.int64(position.side), np.int64(first), np.int64(end)
    for i in range(first, end):
        move = np.int64(out.moves[i])
        squares = _wall_squares(walls, rules, position, side, move)
        if squares:
            put(out, kept, move | lsb(squares) << WALL_SHIFT)
            kept += 1
            squares = without_lsb(squares)
        while squares:
            last = put(out, last, move | lsb(squares) << WALL_SHIFT)
            squares = without_lsb(squares)
    while kept < end and end < last:  # the last moves fill the places of those that have no wall
        last -= 1
        out.moves[kept] = out.moves[last]
        kept += 1
    return last if kept == end else kept


@over_rules("walls")
def may_wall(walls, found, rules, position, move):
    """Whether a move from the table can put its wall where it says, or needs no choice."""
    if not walls.chosen:
        return found
    squares = _wall_squares(walls, rules, position, np.int64(position.side), move)
    return found and has(squares, wall_of(move))


@over_rules("walls")
def same_step(walls, found, rules, move, other):
    """Whether two moves differ at most by their walls; `found` in games without walls."""
    return (move ^ other) & ((1 << WALL_SHIFT) - 1) == 0


@inner
def _spot(walls, move):
    """The square that a move makes a wall."""
    return wall_of(move) if walls.chosen else source_of(move)


@over_rules("walls")
def key_with_wall(walls, key, rules, parent, move):
    """The `key` of the position after a move, with its wall."""
    if walls.single:
        before = load_one(parent, "walls")
        if before:
            key ^= walls.zobrist[lsb(before)]
    return key ^ walls.zobrist[_spot(walls, move)]


@over_rules("walls")
def build_wall(walls, done, rules, child, parent, side, action, move):
    """Puts the wall of a move on `child`, with its keys."""
    square = _spot(walls, move)
    number, before = walls.zobrist[square], load_one(child, "walls")
    if walls.single:
        if before:
            number ^= walls.zobrist[lsb(before)]
        before = rules.empty
    store_one(child, "walls", before | bit(rules, square))
    child.key ^= number
    child.repetition_key ^= number
    return done


MECHANIC = Mechanic(
    of="walls",
    table=("rule", "squares"),
    read=read,
    check=check,
    facts=facts,
    rules=(Rule("walls", "Special rules", sentences),),
    after_step=build_wall,
)
