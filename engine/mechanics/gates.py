"""Gates: when a piece leaves its square on the castling rank for the first time, a piece from the hand may
enter there in the same move; in castling on the square of the king or on that of the rook.

A position has in `gates` the files whose pieces have not moved yet, by side, a bit each. The kind of a move
with which a piece enters is its number in hand, from 1, with ROOK_GATE added for the rook's square. A FEN has
the files among the letters of castling rights, as Fairy-Stockfish writes them: `KQBCDFG`; `K` and `Q` stand
for the files of king and rook as well."""

import re
from dataclasses import dataclass
from typing import Any

from ..game.description import FILE_LETTERS, Description
from ..game.moves import CASTLING, KIND_SHIFT, NORMAL, ROOK_GATE
from ..game.state_fields import StateField
from ..game.table_reader import GameReader, TableReader
from ..game.words import article, listed, names
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import inner, over_rules
from .mechanic import Board, FenField, Hands, Mechanic, Rule, refuse_together
from .unmoved_files import end_in_keys, letters_of, part_of_key

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import has
    from ..kernel.facts import Facts
    from ..representation.move_list import put
    from ..representation.piece_plan import Plan
    from ..representation.piece_updates import change_hand, toggle
    from ..representation.position_record import action_of, kind_of, source_of, target_of

ZOBRIST_SEED = 0x6A7E
MOST_HANDS = ROOK_GATE - 1
_RIGHTS = re.compile(r"[A-Pa-pQq]+", re.ASCII)


@dataclass(frozen=True)
class Gates:
    """The letters of the `pieces` in hand that may enter at gates; with `drops` they are also dropped."""

    pieces: str
    drops: bool


# The file


def read(game: GameReader, table: TableReader) -> Gates:
    return Gates(game.letters(table, "pieces"), table.get("drops", bool, False))


def check(rule: Gates, top: TableReader, description: Description) -> None:
    droppable = [piece.letter for piece in description.hand_pieces]
    if not rule.pieces:
        raise top.error("gates.pieces", "names no piece")
    if strange := [letter for letter in rule.pieces if letter not in droppable]:
        raise top.error("gates.pieces", f"{strange[0]!r} is not among drops.pieces")
    if not rule.drops and (others := [letter for letter in droppable if letter not in rule.pieces]):
        raise top.error("gates.drops", f"is false, but {others[0]!r} in drops.pieces cannot enter at gates")
    if len(droppable) > MOST_HANDS:
        raise top.error("gates", f"at most {MOST_HANDS} kinds can be in hand")
    keys = ("castling.free", "castling.by = 'position'", "drops.must", "drops.no_mate", "drops.checks")
    keys += ("drops.one_per_file", "drops.both_colours", "must_capture", "self_capture", "checks")
    keys += ("merchants", "bumping", "facing_kings", "passing", "setup")
    refuse_together(top, "gates", description, *keys)


def facts(rule: Gates, plan: Plan) -> Facts:
    rng = np.random.Generator(np.random.PCG64(ZOBRIST_SEED))
    return Facts(
        "gates",
        first=np.array([_first(plan.description, side) for side in (0, 1)], np.uint8),
        hands=np.array([letter in rule.pieces for letter in plan.hand], np.uint8),
        drops=rule.drops,
        lasting=plan.description.captures_to_hand,
        zobrist=rng.integers(0, 1 << 64, (2, plan.geometry.files), np.uint64),
    )


def sentences(rule: Gates, description: Description) -> list[str]:
    pieces = article(listed([name.lower() for name in names(description, rule.pieces)], "or"))
    castles = ", in castling to that of the king or of the rook" if description.castling else ""
    other = "" if rule.drops else " Pieces enter the board in no other way."
    return [
        f"Gates: a move that takes a piece off its square on the {_rank_in_words(description)} for the first"
        f" time may bring {pieces} from the hand to that square{castles}.{other} Such a move is written with"
        " the letter of the new piece at its end."
    ]


def _rank_in_words(description: Description) -> str:
    return "first rank" if description.castling_rank == 1 else f"rank {description.castling_rank}"


def _first(description: Description, side: int) -> int:
    """The square of the first file on the rank of a side's gates."""
    rank = description.castling_rank - 1
    return (description.ranks - 1 - rank if side else rank) * description.files


# The FEN


def read_fen(words: list[str], description: Description, notes: list[str]) -> tuple[int, ...]:
    """The files of both sides' gates, taken out of the castling field; files of king and rook together are a
    castling right."""
    if description.gates is None:
        return ()
    if not words or not _RIGHTS.fullmatch(words[0]):
        return (0, 0)
    found, rights = [], ""
    for letters in (re.sub("[^A-Z]", "", words[0]), re.sub("[^a-z]", "", words[0])):
        wings = {wing.letter: wing for wing in description.castling}
        known = [letter for letter in FILE_LETTERS[: description.files] if letter.upper() not in wings]
        files = {FILE_LETTERS.index(letter.lower()) for letter in letters if letter.lower() in known}
        kept = [letter for letter in letters if letter.lower() not in known]
        for wing in (wings[letter.upper()] for letter in kept if letter.upper() in wings):
            files |= {wing.king, wing.rook}
        for name, wing in wings.items():
            if not kept and {wing.king, wing.rook} <= files:
                rights += name if letters.isupper() else name.lower()
        rights += "".join(kept)
        found.append(sum(1 << file for file in files))
    words[0] = rights or "-"
    return tuple(found)


def settle_fen(
    gates: tuple[int, ...], board: Board, hands: Hands, description: Description, notes: list[str]
) -> tuple[int, ...]:
    """The gates on which a piece stands; none for a side that can bring no piece in any more."""
    rule = description.gates
    if rule is None:
        return gates
    found = []
    for side, files in enumerate(gates):
        first = _first(description, side)
        held = description.captures_to_hand or any(letter in rule.pieces for letter in hands[side])
        own = [file for file in range(description.files) if board.get(first + file, (2,))[0] == side]
        stands = files & sum(1 << file for file in own)
        found.append(stands if held else 0)
        if held and (gone := letters_of(files & ~stands, side)):
            notes.append(f"castling: {gone!r} cannot be used: no own piece stands there on its first square")
    return tuple(found)


def with_files(castling: str, gates: tuple[int, ...], description: Description) -> str:
    """The letters of castling rights and those of the gates that these do not imply, White's first."""
    castling, text = castling.strip("-"), ""
    for files, change in zip(gates, (str.upper, str.lower), strict=True):
        rights = [letter for letter in castling if letter == change(letter)]
        wings = [wing for wing in description.castling if change(wing.letter) in rights]
        implied = sum(1 << file for file in {file for wing in wings for file in (wing.king, wing.rook)})
        text += "".join(rights) + change(letters_of(files & ~implied, 1))
    return text or "-"


def key_of(rules: Any, state: Any) -> int:
    """The part of a position's key."""
    return sum(part_of_key(gates.zobrist, state["gates"].tolist()) for gates in rules.gates)


# Moves


@inner
def _is_open(gates, rules, position, side, square):
    """Whether the piece of `side` on a square has not moved yet."""
    file = np.int64(square) - gates.first[side]
    return 0 <= file < rules.files and bool((np.int64(position.gates[side]) >> file) & 1)


@inner
def rook_square(rules, side, king_to):
    """The square of the rook with which the king castles to `king_to`."""
    found = np.int64(0)
    for wing in range(rules.fixed_wings):
        if rules.castling_squares[side, wing, 2] == king_to:
            found = np.int64(rules.castling_squares[side, wing, 1])
    return found


@inner
def rook_target(rules, side, king_to):
    """The square to which the rook castles."""
    found = np.int64(0)
    for wing in range(rules.fixed_wings):
        if rules.castling_squares[side, wing, 2] == king_to:
            found = np.int64(rules.castling_squares[side, wing, 3])
    return found


@inner
def _held(gates, rules, position, side):
    """Whether `side` holds a piece that may enter at a gate."""
    for hand in range(rules.hand_kinds):
        if gates.hands[hand] and position.hands[side, hand]:
            return True
    return False


@over_rules("gates")
def can_gate(gates, found, rules, position):
    """Whether the side to move has an open gate and a piece for it; `found` in games without gates."""
    side = np.int64(position.side)
    return bool(position.gates[side]) and _held(gates, rules, position, side)


@inner
def _enters_on(gates, rules, position, side, hand, square):
    """Whether `side` holds a piece of this kind that may enter on an open gate."""
    return gates.hands[hand] and position.hands[side, hand] and has(rules.drop_squares[side, hand], square)


@inner
def _add_entries(gates, n, rules, out, position, side, move, square, added):
    """Adds `move` with each piece in hand that may enter on `square`, if that is an open gate."""
    if _is_open(gates, rules, position, side, square):
        for hand in range(rules.hand_kinds):
            if _enters_on(gates, rules, position, side, hand, square):
                n = put(out, n, move | (hand + 1 + added) << KIND_SHIFT)
    return n


@over_rules("gates")
def add_entries(gates, n, rules, out, position, first):
    """Adds to the list, after each of the moves from `first` to `n`, those with which a piece enters; returns
    the new end. No entry makes a move illegal, or a legal move of an illegal one."""
    side, end = np.int64(position.side), n
    for i in range(first, end):
        move = np.int64(out.moves[i])
        action, source, target = action_of(move), source_of(move), target_of(move)
        if action == NORMAL:
            n = _add_entries(gates, n, rules, out, position, side, move, source, 0)
        elif action == CASTLING:
            rook, rook_to = rook_square(rules, side, target), rook_target(rules, side, target)
            if source not in (target, rook_to):
                n = _add_entries(gates, n, rules, out, position, side, move, source, 0)
            if rook not in (target, rook_to):
                n = _add_entries(gates, n, rules, out, position, side, move, rook, ROOK_GATE)
    return n


@inner
def _entries_at(gates, rules, position, side, square):
    """The number of pieces in hand that may enter on `square` with a move; 0 if that is no open gate."""
    count = np.int64(0)
    if _is_open(gates, rules, position, side, square):
        for hand in range(rules.hand_kinds):
            if _enters_on(gates, rules, position, side, hand, square):
                count += 1
    return count


@over_rules("gates")
def count_entries(gates, count, rules, out, position, end):
    """`count` and the number of moves that `add_entries` would add for the first `end` moves of the list."""
    side = np.int64(position.side)
    last, at_last = np.int64(-1), np.int64(0)  # moves of a piece stand together
    for i in range(end):
        move = np.int64(out.moves[i])
        action, source, target = action_of(move), source_of(move), target_of(move)
        if action == NORMAL:
            if source != last:
                last, at_last = source, _entries_at(gates, rules, position, side, source)
            count += at_last
        elif action == CASTLING:
            rook, rook_to = rook_square(rules, side, target), rook_target(rules, side, target)
            if source not in (target, rook_to):
                count += _entries_at(gates, rules, position, side, source)
            if rook not in (target, rook_to):
                count += _entries_at(gates, rules, position, side, rook)
    return count


@inner
def _hand_of(move):
    """The number in hand of the piece that enters with a move, or -1."""
    if action_of(move) not in (NORMAL, CASTLING):
        return np.int64(-1)
    return kind_of(move) % ROOK_GATE - 1


@inner
def _square_of(rules, side, move):
    """The square on which a piece enters with a move."""
    return rook_square(rules, side, target_of(move)) if kind_of(move) >= ROOK_GATE else source_of(move)


@over_rules("gates")
def may_enter(gates, found, rules, position, move):
    """Whether a move from the table brings in a piece that is in hand, at an open gate, or none."""
    hand, side = _hand_of(move), np.int64(position.side)
    if hand < 0:
        return kind_of(move) == 0 or action_of(move) not in (NORMAL, CASTLING)
    square = _square_of(rules, side, move)
    held = hand < rules.hand_kinds and position.hands[side, hand] > 0
    return held and _is_open(gates, rules, position, side, square)


@over_rules("gates")
def entering(gates, found, rules, position, move):
    """(kind, square) of the piece that enters with a move; `found` if none does."""
    hand, side = _hand_of(move), np.int64(position.side)
    if hand < 0:
        return found
    return np.int64(rules.hand_kind[hand]), _square_of(rules, side, move)


@inner
def _close(gates, rules, child, side, files):
    """Leaves `side` only the gates on `files`, in the keys as well."""
    before = np.int64(child.gates[side])
    child.gates[side] = before & files
    end_in_keys(gates, rules, child, side, before & ~files)


@inner
def _but(gates, rules, side, files, square):
    """`files` without that of a gate of `side` on `square`."""
    file = np.int64(square) - gates.first[side]
    return files & ~(1 << file) if 0 <= file < rules.files else files


@over_rules("gates")
def pass_gates(gates, done, rules, child, parent, side, action, move):
    """Brings in the piece that enters with a move, and closes the gates that the move uses."""
    source, target = source_of(move), target_of(move)
    own = _but(gates, rules, side, np.int64(parent.gates[side]), source)
    if action == CASTLING:
        own = _but(gates, rules, side, own, rook_square(rules, side, target))
    hand = _hand_of(move)
    if hand >= 0:
        kind, square = np.int64(rules.hand_kind[hand]), _square_of(rules, side, move)
        change_hand(rules, child, side, hand, -1)
        toggle(rules, child, side, kind, square)
        child.board[square] = kind
    if not gates.lasting and not _held(gates, rules, child, side):
        own = np.int64(0)
    enemies = np.int64(parent.gates[1 - side])
    _close(gates, rules, child, side, own)
    _close(gates, rules, child, 1 - side, _but(gates, rules, 1 - side, enemies, target))
    return done


@over_rules("gates")
def only_at_gates(gates, targets, rules, position, side, hand):
    """The squares for a drop: none if pieces only enter at gates."""
    return targets if gates.drops else rules.empty


@over_rules("gates")
def worth_in_hand(gates, score, rules, position, side):
    """The `score` of a piece in hand, or nothing if it has no gate left."""
    return score if gates.drops or position.gates[side] else score * 0


@over_rules("gates")
def if_dropped(gates, squares, rules):
    """`squares`, or none if pieces only enter at gates."""
    return squares if gates.drops else rules.empty


@over_rules("gates")
def value_if_dropped(gates, number, rules):
    """`number`, or 0 if pieces only enter at gates."""
    return number if gates.drops else number * 0


def counts_in_hand(rules: Any, state: Any, side: int) -> bool:
    """`worth_in_hand` for Python: whether pieces in the hand of a side have a value."""
    return all(gates.drops or state["gates"][side] for gates in rules.gates)


MECHANIC = Mechanic(
    of="gates",
    fact="gates",
    table=("pieces", "drops"),
    read=read,
    check=check,
    facts=facts,
    rules=(Rule("gates", "Special rules", sentences),),
    state=StateField("gates", facts="gates", bytes=2),
    fen=FenField("gates", read_fen, key_of, settle=settle_fen, castling=with_files),
    drop_targets=only_at_gates,
    after_step=pass_gates,
)
