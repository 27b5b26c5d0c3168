"""First moves: leaps to empty squares of a piece that has not moved yet, unless it is royal and in check. A
king can also lose its first move when an enemy piece of a certain kind moves to its file or rank.

A position has in `unmoved` the files of such pieces, by side, a bit each; a FEN has them as letters in its
castling field, `DEde`."""

from typing import Any

from ..game.betza import Ride
from ..game.description import FILE_LETTERS, Description
from ..game.state_fields import StateField
from ..game.table_reader import GameReader, TableReader
from ..game.words import listed
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import inner, over_rules, unrolled
from ..representation.geometry import mirrored
from .mechanic import Board, FenField, Hands, Mechanic, Rule, refuse_together
from .unmoved_files import end_in_keys, letters_of, part_of_key

with deferred_imports():
    import numpy as np

    from ..kernel.facts import Facts
    from ..representation.piece_plan import Plan
    from ..representation.position_record import source_of, target_of

ZOBRIST_SEED = 0xF157
AIM = "aimed_by"


# The file


def read(game: GameReader) -> dict[str, Any]:
    """`first_moves`: letter of a piece -> its additional leaps, and `aimed_by`: the letter of the pieces that
    end them for a king, on its file or rank."""
    table = game.top.table_at("first_moves", {})
    table.finish(*game.known, AIM)
    aim = game.one_letter(table, AIM) if AIM in table.table else ""
    found: dict[str, tuple[Ride, ...]] = {}
    for letter in (name for name in table.table if name != AIM):
        found[letter] = table.moves(letter)
        odd = any(ride.reach != 1 or ride.lame or ride.hop or ride.initial for ride in found[letter])
        if odd or any(ride.capture for ride in found[letter]):
            reason = "should be only leaps that do not capture, like 'fsmN'"
            raise table.error(letter, f"{table.table[letter]!r} {reason}")
    game.roles.extend(found)
    return {"first_moves": found, "first_moves_aim": aim}


def check(moves: dict[str, Any], top: TableReader, description: Description) -> None:
    others = ("drops", "explosion", "gates", "self_capture", "rifle_captures", "colour_change", "cells")
    more = ("must_capture", "castling", "merchants", "bumping", "facing_kings", "passing")
    refuse_together(top, "first_moves", description, *others, *more)
    for letter in moves:
        for side in (0, 1):
            if _start_square(description, letter, side) is None:
                raise top.error(f"first_moves.{letter}", "needs one such piece of each side at the start")


def _start_square(description: Description, letter: str, side: int) -> int | None:
    """Where the only piece of that letter and side stands at the start, or None."""
    rows = description.start_fen.split(" ")[0].split("[")[0].split("/")
    found, wanted = [], letter if side == 0 else letter.lower()
    for rank, row in enumerate(reversed(rows)):
        cells = "".join("." * int(sign) if sign.isdecimal() else sign for sign in row)
        found += [rank * description.files + file for file, sign in enumerate(cells) if sign == wanted]
    return found[0] if len(found) == 1 else None


def facts(first_moves: dict[str, tuple[Ride, ...]], plan: Plan) -> Facts:
    description = plan.description
    aim = description.first_moves_aim
    rng = np.random.Generator(np.random.PCG64(ZOBRIST_SEED))
    items = []
    for letter, moves in first_moves.items():
        squares = [_start_square(description, letter, side) for side in (0, 1)]
        offsets = {(ride.files, ride.ranks) for ride in moves}
        targets = [
            plan.geometry.leaps(turn(offsets))[square]
            for turn, square in zip((set, mirrored), squares, strict=True)
        ]
        items.append(
            Facts(
                "first",
                squares=np.array(squares, np.uint8),
                files=np.array([square % plan.geometry.files for square in squares], np.uint8),
                targets=plan.table(targets),
                royal=description.piece(letter).royal,
            )
        )
    zobrist = rng.integers(0, 1 << 64, (2, plan.geometry.files), np.uint64)
    aim_kind = plan.kinds[aim] if aim else -1
    return Facts("first-moves", items=tuple(items), zobrist=zobrist, aim=aim_kind)


def sentences(first_moves: dict[str, tuple[Ride, ...]], description: Description) -> list[str]:
    found = []
    for letter, moves in first_moves.items():
        piece = description.piece(letter)
        targets = listed([_target(description, letter, ride) for ride in moves], "or")
        check = " while it is not in check" if piece.royal else ""
        move = f"with its first move of the game it may leap to {targets}{check}"
        aim, aimed = description.first_moves_aim, ""
        if aim and piece.royal:
            aimed = f" and no enemy {description.piece(aim).name.lower()} has moved to its file or rank"
        found.append(f"{piece.name}: {move}, if that is empty{aimed}.")
    return [f"{sentence} The same holds for Black." for sentence in found]


def _target(description: Description, letter: str, ride: Ride) -> str:
    square = _start_square(description, letter, 0)
    assert square is not None
    file, rank = square % description.files + ride.files, square // description.files + ride.ranks
    return f"{FILE_LETTERS[file]}{rank + 1}"


# The FEN


def read_fen(words: list[str], description: Description, notes: list[str]) -> tuple[int, ...]:
    """The files of both sides' pieces that have not moved, taken out of the castling field."""
    if not description.first_moves:
        return ()
    found = [0, 0]
    for side in (0, 1):
        for letter in description.first_moves:
            square = _start_square(description, letter, side)
            assert square is not None
            name = letters_of(1 << square % description.files, side)
            if words and not words[0][:1].isdigit() and name in words[0]:
                words[0] = words[0].replace(name, "") or "-"
                found[side] |= 1 << square % description.files
    return tuple(found)


def settle_fen(
    unmoved: tuple[int, ...], board: Board, hands: Hands, description: Description, notes: list[str]
) -> tuple[int, ...]:
    """Those whose pieces stand on their squares."""
    found = list(unmoved)
    for side, files in enumerate(unmoved):
        for letter in description.first_moves:
            square = _start_square(description, letter, side)
            assert square is not None
            file = square % description.files
            if files >> file & 1 and board.get(square) != (side, letter):
                found[side] &= ~(1 << file)
                name = letters_of(1 << file, side)
                notes.append(f"castling: {name!r} cannot be used: its piece is not on its first square")
    return tuple(found)


def with_files(castling: str, unmoved: tuple[int, ...], description: Description) -> str:
    """The castling field with the letters of files."""
    return castling.strip("-") + "".join(letters_of(unmoved[side], side) for side in (0, 1)) or "-"


def key_of(rules: Any, state: Any) -> int:
    """The part of a position's key."""
    return sum(part_of_key(first.zobrist, state["unmoved"].tolist()) for first in rules.first_moves)


# Moves


@unrolled("items")
def _targets(item, found, position, side, square, checked):
    there = (np.int64(position.unmoved[side]) >> item.files[side]) & 1
    if not there or item.squares[side] != square or (item.royal and checked):
        return found
    return found | item.targets[side]


@over_rules("first_moves")
def first_move_targets(first, found, rules, position, side, square, occupied, checked):
    """Where the piece of `side` on `square` may go by its first move; `checked`: whether it is in check."""
    return _targets(first, rules.empty, position, side, square, checked) & ~occupied


@inner
def _end(first, rules, child, side, files):
    """Ends the first moves of the pieces of `side` on these files, bits, in the keys as well."""
    ended = files & np.int64(child.unmoved[side])
    if ended:
        child.unmoved[side] = np.int64(child.unmoved[side]) & ~ended
        end_in_keys(first, rules, child, side, ended)


@unrolled("items")
def _bits(item, found, side, square):
    return found | (1 << np.int64(item.files[side])) if item.squares[side] == square else found


@unrolled("items")
def _aimed(item, found, rules, side, target):
    """The files, as bits, of royal pieces of `side` whose first squares are in line with `target`."""
    square, files = np.int64(item.squares[side]), rules.files
    in_line = square // files == target // files or square % files == target % files
    return found | (1 << (square % files)) if item.royal and in_line else found


@over_rules("first_moves")
def note_first_move(first, done, rules, child, parent, side, action, move):
    """Ends the first moves of the piece that moves, of the one that it captures, and of a king that it aims
    at."""
    target = np.int64(target_of(move))
    _end(first, rules, child, side, _bits(first, np.int64(0), side, source_of(move)))
    _end(first, rules, child, 1 - side, _bits(first, np.int64(0), 1 - side, target))
    if child.board[target] == first.aim:
        _end(first, rules, child, 1 - side, _aimed(first, np.int64(0), rules, 1 - side, target))
    return done


MECHANIC = Mechanic(
    of="first_moves",
    fact="first_moves",
    read=read,
    check=check,
    facts=facts,
    rules=(Rule("first moves", "Special rules", sentences),),
    state=StateField("unmoved", facts="first_moves", bytes=2),
    fen=FenField("unmoved", read_fen, key_of, settle=settle_fen, castling=with_files),
    after_step=note_first_move,
)
