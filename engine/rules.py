"""From a game's `Description` to the facts that compiled code is specialised on."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .definition import catalogue
from .game.description import REVERTING
from .game.state_fields import STATE_FIELDS
from .kernel.facts import Facts, Table
from .mechanics import all_facts
from .mechanics.explosion import squares_tell
from .mechanics.walls import most_walled_moves
from .representation.attack_patterns import (
    leap_groups,
    odd_attackers,
    odd_mover,
    plain_mover,
    slide_groups,
    split_mover,
)
from .representation.geometry import flipped, mirrored
from .representation.piece_plan import Plan, bitboard_width

if TYPE_CHECKING:
    import numpy.typing as npt

    from .game.description import Description, PieceDescription

__all__ = ["bitboard_width", "build", "has_drops", "rules_for"]

ZOBRIST_SEED = 0x5C1A2A26
NEVER = 1_000_000  # times that a position cannot come
UNLIMITED = 255  # of a kind; no board has so many squares to spare


@cache
def rules_for(name_or_path: str | Path) -> Any:
    """The rules of a game by name or path, as `Facts`. Raises VariantError."""
    return build(catalogue.load(name_or_path))


@cache
def attack_rules_for(name_or_path: str | Path) -> Any:
    """The rules with the attacks of all pieces on all squares; those of `rules_for` lack the pieces that
    reach no king, such as the advisors of xiangqi, which move generation need not ask for."""
    rules, description = rules_for(name_or_path), catalogue.load(name_or_path)
    leapers = leap_groups(Plan(description), kings_only=False)
    if len(leapers) == len(rules.leapers):
        return rules
    return Facts("attacks", **(rules.facts | {"leapers": leapers}))


def has_drops(rules: Any) -> bool:
    """Whether pieces are dropped all through a game, and not only placed at its beginning."""
    return bool(rules.drops) and not rules.placing


def build(description: "Description") -> Any:
    """The rules of `description` as `Facts`."""
    plan = Plan(description)
    geometry = plan.geometry
    others = [index for index in range(len(plan.groups)) if index != plan.king_mover or not plan.has_kings]
    plain = [index for index in others if plan.is_plain(plan.leader(index))]
    split = [index for index in others if plan.is_split(plan.leader(index))]
    odd = [index for index in others if index not in plain + split]
    way = (Facts("way", everything=plan.mechanics_move_pieces, blasts=squares_tell(plan)),)
    return Facts(
        "rules",  # without the name: games of the same rules share their code
        files=geometry.files,
        ranks=geometry.ranks,
        squares=geometry.squares,
        empty=plan.bits(0),
        board=plan.bits(geometry.board),
        diagonal_squares=plan.bits(geometry.diagonal_squares),
        rays=_ray_table(plan),
        kinds=len(plan.pieces),
        no_kind=len(plan.pieces),
        kind_mover=np.array([plan.mover_index[p.letter] for p in plan.pieces], np.uint8),
        king_kind=plan.kinds[plan.king.letter],
        king_mover=plan.king_mover,
        king=plain_mover(plan, plan.king_mover),
        mover_count=len(plan.groups),
        movers=tuple(plain_mover(plan, index) for index in plain),
        split_movers=tuple(split_mover(plan, index) for index in split),
        odd_movers=tuple(odd_mover(plan, index) for index in odd),
        slides=slide_groups(plan),
        leapers=leap_groups(plan),
        odd_attackers=odd_attackers(plan),
        by_pins=way if plan.goes_by_pins else (),
        by_trial=() if plan.goes_by_pins else way,
        drop_mates=_tried_drops(plan, way),
        promotions=_promotion_kinds(plan),
        **_promotion_limits(plan),
        drops=description.has_drops,
        dropping=(Facts("dropping"),) if description.has_drops else (),
        captures_to_hand=description.has_drops and description.captures_to_hand,
        hand_kinds=len(plan.hand),
        hand_kind=np.array([plan.kinds[letter] for letter in plan.hand] or [0], np.uint8),
        drop_squares=_drop_squares(plan),
        **_drop_mate(plan),
        kind_hand=np.array(
            [plan.hand.index(p.base) if p.base in plan.hand else 0 for p in plan.pieces], np.uint8
        ),
        **_pawn_movers(plan),
        kind_irreversible=np.array([p.only_forward for p in plan.pieces], np.uint8),
        kind_crosses=np.array([description.crosses(p) for p in plan.pieces], np.uint8),
        crosses_diagonally=plan.description.crosses_diagonally,
        en_passant=any(piece.en_passant for piece in plan.pieces),
        passers=_passers(plan),
        castles=bool(description.castling),
        **_castlings(plan),
        **_castling_king(plan),
        **all_facts(plan),
        stalemate_is_draw=description.stalemate == "draw",
        stalemate_is_loss=description.stalemate == "loss",
        repetition_times=description.repetition_times or NEVER,
        repetition_sign={"loss": -1, "win": 1, "white": 1, "black": -1}.get(description.repetition_result, 0),
        repetition_absolute=description.repetition_result in ("white", "black"),
        perpetual_check_loses=description.repetition_perpetual_check == "loss",
        repeats_castling="castling" in description.repetition_compares,
        repeats_crossed="en_passant" in description.repetition_compares,
        quiet_limit=2 * description.quiet_moves,
        max_moves=_most_moves(plan),
        **_zobrist(plan),
    )


def _promotion_kinds(plan: Plan) -> "npt.NDArray[np.uint8]":
    """The kinds that each kind may promote to, as a table by kind and choice."""
    most = max(1, *(len(piece.promotes_to) for piece in plan.pieces))
    table = np.zeros((len(plan.pieces), most), np.uint8)
    for index, piece in enumerate(plan.pieces):
        for choice, letter in enumerate(piece.promotes_to):
            table[index, choice] = plan.kinds[letter]
    return table


def _promotion_limits(plan: Plan) -> dict[str, Any]:
    """How many a promotion may bring the board to, by side and kind, and which movers count towards that."""
    description = plan.description
    limit = {letter: group for group in description.promotion_limit for letter in group}
    plain = {piece.letter: piece.letter.removesuffix(REVERTING) for piece in plan.pieces}
    groups = [limit.get(letter, letter) for letter in plain.values()]
    most = [description.promotion_limit.get(group, UNLIMITED) for group in groups]
    sides = description.side_promotions or ("".join(plain.values()),) * 2
    by_side = [[most[i] * (name in side) for i, name in enumerate(plain.values())] for side in sides]
    movers = [plan.movers_of(letter for letter in plain if plain[letter] in group) for group in groups]
    width = max(map(len, movers))
    return dict(
        promotion_limited=bool(limit or description.side_promotions),
        promotion_limit=np.array(by_side, np.uint8),
        limit_width=width,
        limit_movers=np.array([[*row, *row[:1] * (width - len(row))] for row in movers], np.uint8),
    )


def _ray_table(plan: Plan) -> Table:
    """For each square and line the ray towards lower and the ray towards higher squares."""
    rays: Table = plan.table(
        [
            [ray for line in plan.lines for ray in plan.geometry.rays(square, line)]
            for square in range(plan.geometry.squares)
        ]
    )
    return rays


def _pawn_movers(plan: Plan) -> dict[str, Any]:
    """The movers that only go forward."""
    found = [index for index in range(len(plan.groups)) if plan.leader(index).only_forward]
    return dict(pawn_mover_count=len(found), pawn_movers=np.array(found or [0], np.uint8))


def _passers(plan: Plan) -> tuple[Facts, ...]:
    """The movers that capture en passant."""
    return tuple(
        Facts(
            "passer",
            index=index,
            origins=plan.table([_passing_origins(plan, leader, side) for side in (0, 1)]),
        )
        for index, leader in enumerate(map(plan.leader, range(len(plan.groups))))
        if leader.en_passant
    )


def _passing_origins(plan: Plan, piece: "PieceDescription", side: int) -> list[int]:
    """For each square the squares from which a piece of that side captures in passing by going there."""
    turn = mirrored if side else set
    boards = plan.geometry.leaps({(-f, -r) for f, r in turn(plan.offsets(piece, True))})
    ranks = plan.geometry.rank_board(piece.en_passant, side)
    return [board * (ranks >> square & 1) for square, board in enumerate(boards)]


def _drop_squares(plan: Plan) -> Table:
    """Where each hand piece may be dropped, by side and hand piece."""

    def allowed(piece: "PieceDescription", side: int) -> int:
        board = sum(1 << square for square in plan.description.dropped_on(piece))
        return plan.region(piece, side) & (flipped(plan.geometry, board) if side else board)

    pieces = [plan.description.piece(letter) for letter in plan.hand]
    squares: Table = plan.table(
        [[allowed(piece, side) for piece in pieces] or [plan.geometry.board] for side in (0, 1)]
    )
    return squares


def _drop_mate(plan: Plan) -> dict[str, Any]:
    """The hand piece whose drop must not mate, and from where it attacks a square, by its side."""
    letters = [letter for letter in plan.hand if plan.description.piece(letter).no_drop_mate]
    offsets = plan.offsets(plan.description.piece(letters[0]), True) if letters else set()
    return dict(
        no_mate_hand=plan.hand.index(letters[0]) if letters else -1,
        no_mate_origins=plan.table(
            [plan.geometry.leaps({(-f, -r) for f, r in turn(offsets)}) for turn in (set, mirrored)]
        ),
    )


def _tried_drops(plan: Plan, way: tuple[Facts, ...]) -> tuple[Facts, ...]:
    """How moves are tried, where a drop must not mate and pins do not tell whether it does; else empty."""
    return way if not plan.goes_by_pins and any(piece.no_drop_mate for piece in plan.pieces) else ()


def _castlings(plan: Plan) -> dict[str, Any]:
    """Squares of king and rook before and after, between them and on the king's way, by side and wing.

    Rights are bits: wing number plus the number of wings for Black. `rights_kept` are those that survive a
    move from or to a square; `rights_of` are all rights of a side.
    """
    description = plan.description
    wings, geometry = description.castling, plan.geometry
    tables: dict[int, list[tuple[int, ...]]] = {}
    kept = [0xFF] * geometry.squares
    for side in (0, 1):
        first_rank = description.castling_rank - 1
        first_rank = first_rank if side == 0 else geometry.ranks - 1 - first_rank
        for number, wing in enumerate(wings):
            king, rook, king_to, rook_to = (
                geometry.square(file, first_rank)
                for file in (wing.king, wing.rook, wing.king_to, wing.rook_to)
            )
            low, high = sorted((king, rook))
            step = 1 if king_to > king else -1
            path = sum(1 << square for square in range(king + step, king_to + step, step))
            empty = {*range(low + 1, high), *_way(king, king_to), *_way(rook, rook_to)} - {king, rook}
            row = (king, rook, king_to, rook_to, sum(1 << square for square in empty), path)
            tables.setdefault(side, []).append(row)
            for square in () if description.castling_free else (king, rook):
                kept[square] &= ~(1 << (number + side * len(wings)))
    rows = [tables.get(side, [(0,) * 6]) for side in (0, 1)]
    both = (1 << len(wings)) - 1
    return dict(
        wings=len(wings),
        fixed_wings=0 if description.castling_free else len(wings),
        castling_rights=description.castling_rights,
        rights_fade=description.castling_by == "rights",
        rights_kept=np.array(kept, np.uint8),
        rights_of=np.array([both, both << len(wings)], np.uint8),
        rook_kinds=np.array([plan.kinds[wing.piece] for wing in wings] or [0], np.uint8),
        # by side and wing: the squares of king and rook before, then after
        castling_squares=np.array([[row[:4] for row in side] for side in rows], np.uint8),
        castling_between=plan.table([[row[4] for row in side] for side in rows]),
        castling_path=plan.table([[row[5] for row in side] for side in rows]),
    )


def _castling_king(plan: Plan) -> dict[str, Any]:
    """The kind of the king that castles; `common_castling` is not empty if that king is not royal: it may be
    one of several, and attacks do not matter."""
    letter = plan.description.castling_king
    common = bool(letter) and not plan.has_kings
    return dict(
        castling_king_kind=plan.kinds[letter] if letter else len(plan.pieces),
        castling_king_royal=not common,
        common_castling=(Facts("common-castling"),) if common else (),
    )


def _way(start: int, end: int) -> range:
    """The squares of a rank from one to another, both included."""
    return range(min(start, end), max(start, end) + 1)


def _most_moves(plan: Plan) -> int:
    """A bound on the number of legal moves in any position, composed ones included.

    Every square is reached at most once by each leap and each direction of a line; every zone square adds
    the promotions of what arrives at it and of what leaves it.
    """
    leaps = set()
    for piece in plan.pieces:
        rides = (*piece.moves, *piece.palace_moves)
        leaps |= {(ride.files, ride.ranks) for ride in rides if ride.reach == 1}
    ways = len(leaps) + 2 * len(plan.lines) + max((len(p.steps) for p in plan.pieces), default=0)
    choices = max((len(piece.promotes_to) for piece in plan.pieces), default=0)
    span = len(leaps) + 4 * max(plan.geometry.files, plan.geometry.ranks)
    zone = max((len(plan.description.promotion_area(p)) for p in plan.pieces if p.promotes_to), default=0)
    dropped = len(plan.hand) * (1 + plan.description.drops_promoted)
    entries = (plan.geometry.files * span + 4) * len(plan.hand) if plan.description.gates else 0
    ways += max((len(rule.rides) for rule in plan.description.square_moves.values()), default=0)
    if plan.description.walls and plan.description.walls.chosen:
        reached = max(_most_reached(plan, piece) for piece in plan.pieces)
        return most_walled_moves(plan.description, ways * (1 + choices), reached)
    bound: int = plan.geometry.squares * (ways + dropped) + zone * choices * (ways + span) + entries
    return bound


def _most_reached(plan: Plan, piece: "PieceDescription") -> int:
    """A bound on the number of moves of one piece, castling included."""
    longest = max(plan.geometry.files, plan.geometry.ranks) - 1
    rides = sum(ride.reach or longest for ride in piece.moves)
    return (rides + len(piece.steps) * longest + 2) * (1 + len(piece.promotes_to))


def _zobrist(plan: Plan) -> dict[str, Any]:
    """Random 64-bit numbers: by side, kind and square; by side and hand piece; by square; by state."""
    rng = np.random.Generator(np.random.PCG64(ZOBRIST_SEED))

    def keys(*shape: int) -> "npt.NDArray[np.uint64]":
        return rng.integers(0, 1 << 64, shape, np.uint64)

    return dict(
        zobrist_squares=keys(2, len(plan.pieces), plan.geometry.squares),
        zobrist_hands=keys(2, max(1, len(plan.hand))) | np.uint64(1),
        zobrist_crossed=keys(plan.geometry.squares),
        zobrist_turn=keys(1),
        zobrist_rights=keys(max(16, 1 << 2 * len(plan.description.castling))),
        **{each.zobrist: keys(each.values) for each in STATE_FIELDS if each.zobrist},
    )
