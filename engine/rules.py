"""From a game's `Description` to the facts that compiled code is specialised on.

Pieces that move and promote alike share a *mover*: the position keeps one bitboard per mover, so a Queen and
a promoted Marshal are one set to the generator; the mailbox tells the kinds apart.
"""

from functools import cache

import numpy as np

from . import description as descriptions
from .bitboard import Bits
from .facts import Facts, Table
from .geometry import LINES, Geometry, mirrored

ZOBRIST_SEED = 0x5C1A2A26


def bitboard_width(squares):
    """The narrowest bitboard, in bits, that holds so many squares."""
    return 64 if squares <= 64 else 128 if squares <= 128 else 256


@cache
def rules_for(name_or_path):
    """The rules of a game by name or path, as `Facts`. Raises VariantError."""
    return build(descriptions.load(name_or_path))


class _Plan:
    """What the parts below share while the rules of one game are built."""

    def __init__(self, description):
        self.description = description
        self.geometry = Geometry(description.files, description.ranks)
        self.width = bitboard_width(self.geometry.squares)
        self.pieces = description.pieces
        self.kinds = {piece.letter: index for index, piece in enumerate(self.pieces)}
        self.hand = [piece.letter for piece in description.hand_pieces]
        self.groups = _group_movers(description)
        self.mover_index = {letter: index for index, group in enumerate(self.groups) for letter in group}

    def bits(self, value):
        return Bits(value, self.width)

    def table(self, values):
        return Table(values, self.width)

    def leader(self, group):
        """The piece that stands for a mover: they all move alike."""
        return self.description.piece(group[0])


def build(description):
    """The rules of `description` as `Facts`."""
    plan = _Plan(description)
    geometry = plan.geometry
    king = next(piece for piece in plan.pieces if piece.royal)
    king_mover = plan.mover_index[king.letter]
    movers = [_mover(plan, index, group) for index, group in enumerate(plan.groups)]
    return Facts(
        f"rules-{description.name}",
        files=geometry.files,
        ranks=geometry.ranks,
        squares=geometry.squares,
        empty=plan.bits(0),
        board=plan.bits(geometry.board),
        rays=_ray_table(plan),
        kinds=len(plan.pieces),
        no_kind=len(plan.pieces),
        kind_mover=np.array([plan.mover_index[p.letter] for p in plan.pieces], np.uint8),
        king_kind=plan.kinds[king.letter],
        king_mover=king_mover,
        king=movers[king_mover],
        mover_count=len(movers),
        movers=tuple(m for m in movers if m.uniform and m.index != king_mover),
        split_movers=tuple(m for m in movers if not m.uniform),
        slides=_slide_groups(plan),
        leapers=_leap_groups(plan),
        promotion_zone=plan.table([geometry.rank_board(description.promotion_zone, side) for side in (0, 1)]),
        promotions=_promotion_kinds(plan),
        promotes_on_enter="enter" in description.promotion_on,
        promotes_on_leave="leave" in description.promotion_on,
        drops=description.has_drops,
        hand_kinds=len(plan.hand),
        hand_kind=np.array([plan.kinds[letter] for letter in plan.hand] or [0], np.uint8),
        drop_squares=_drop_squares(plan),
        **_drop_mate(plan),
        kind_hand=np.array(
            [plan.hand.index(p.base) if p.base in plan.hand else 0 for p in plan.pieces], np.uint8
        ),
        **_pawn_movers(plan),
        kind_irreversible=np.array([all(move.ranks > 0 for move in p.moves) for p in plan.pieces], np.uint8),
        kind_crosses=np.array([bool(p.steps) for p in plan.pieces], np.uint8),
        en_passant=any(piece.en_passant for piece in plan.pieces),
        passers=_passers(plan),
        castles=bool(description.castling),
        **_castlings(plan),
        stalemate_is_draw=description.stalemate == "draw",
        stalemate_is_loss=description.stalemate == "loss",
        repetition_times=description.repetition_times,
        perpetual_check_loses=description.repetition_perpetual_check == "loss",
        max_moves=_most_moves(plan),
        **_zobrist(plan),
    )


def _group_movers(description):
    """Letters grouped by everything that the generator asks of a piece."""
    groups = {}
    for piece in description.pieces:
        same = (piece.moves, piece.royal, piece.promotes_to, piece.promotion_mandatory)
        same += (tuple(piece.steps.items()), piece.en_passant)
        groups.setdefault(same, []).append(piece.letter)
    return list(groups.values())


def _offsets(piece, capturing):
    """The leaps (files, ranks) that a piece of White makes when capturing, or when not."""
    return {
        (move.files, move.ranks)
        for move in piece.moves
        if move.reach == 1 and (move.capture if capturing else move.quiet)
    }


def _lines(piece):
    """The numbers of the lines along which a piece slides."""
    directions = {(move.files, move.ranks) for move in piece.moves if move.reach == 0}
    return [index for index, step in enumerate(LINES) if step in directions]


def _mover(plan, index, group):
    piece = plan.leader(group)
    attack, quiet = _offsets(piece, True), _offsets(piece, False)
    shifts = {} if attack == quiet else _shifts(plan, piece)
    return Facts(
        f"mover-{''.join(group)}",
        index=index,
        uniform=attack == quiet,
        attack=_pattern(plan, attack, _lines(piece)),
        **shifts,
        promotion=Facts(
            "promotion",
            count=len(piece.promotes_to),
            mandatory=piece.promotion_mandatory,
        ),
    )


def _promotion_kinds(plan):
    """The kinds that each kind may promote to, as a table by kind and choice."""
    most = max(1, *(len(piece.promotes_to) for piece in plan.pieces))
    table = np.zeros((len(plan.pieces), most), np.uint8)
    for index, piece in enumerate(plan.pieces):
        for choice, letter in enumerate(piece.promotes_to):
            table[index, choice] = plan.kinds[letter]
    return table


def _pattern(plan, offsets, lines):
    """Where leaps and slides of one piece lead: a table by square for the leaps, numbers for the lines."""
    asymmetric = offsets != mirrored(offsets)
    sides = [offsets, mirrored(offsets)] if asymmetric else [offsets]
    return Facts(
        "pattern",
        leaps=bool(offsets),
        asymmetric=asymmetric,
        leap_table=plan.table([plan.geometry.leaps(side) for side in sides]),
        line_count=len(lines),
        lines=np.array(lines or [0], np.uint8),
    )


def _shift(plan, offset, onward=None):
    """One leap of many pieces at once: distance in squares and possible sources, by side."""
    files, ranks = offset
    geometry, facts = plan.geometry, {}
    for side, (name, forward) in enumerate((("white", ranks), ("black", -ranks))):
        sources = geometry.sources((files, forward))
        if onward is not None:
            sources &= geometry.rank_board(onward, side)
        facts[f"{name}_delta"] = forward * geometry.files + files
        facts[f"{name}_sources"] = plan.bits(sources)
    return Facts("shift", **facts)


def _shifts(plan, piece):
    """A leaper's moves as shifts: captures, quiet moves, and the longer steps forward one by one.

    A step of length n goes on from the squares that steps of length n - 1 reach.
    """
    steps = []
    for length in range(2, max(piece.steps.values(), default=1) + 1):
        onward = [rank + length - 1 for rank, most in piece.steps.items() if most >= length]
        steps.append(Facts("step", length=length, shift=_shift(plan, (0, 1), onward)))
    return dict(
        captures=tuple(_shift(plan, offset) for offset in sorted(_offsets(piece, True))),
        quiets=tuple(_shift(plan, offset) for offset in sorted(_offsets(piece, False))),
        steps=tuple(steps),
        forward=_shift(plan, (0, 1)),
    )


def _ray_table(plan):
    """For each square and line the ray towards lower and the ray towards higher squares."""
    geometry = plan.geometry
    return plan.table(
        [
            [geometry.ray(square, (sign * files, sign * ranks)) for files, ranks in LINES for sign in (-1, 1)]
            for square in range(geometry.squares)
        ]
    )


def _slide_groups(plan):
    """Lines with the movers that slide along them; lines with the same movers stand together."""
    groups = {}
    for line in range(len(LINES)):
        members = tuple(i for i, g in enumerate(plan.groups) if line in _lines(plan.leader(g)))
        groups.setdefault(members, []).append(line)
    geometry = plan.geometry
    return tuple(
        Facts(
            "slides",
            member_count=len(members),
            members=np.array(members, np.uint8),
            line_count=len(lines),
            lines=np.array(lines, np.uint8),
            cross=plan.table(
                [
                    sum(
                        geometry.ray(square, (sign * LINES[line][0], sign * LINES[line][1]))
                        for line in lines
                        for sign in (-1, 1)
                    )
                    for square in range(geometry.squares)
                ]
            ),
        )
        for members, lines in groups.items()
        if members
    )


def _orbits(offsets):
    """Splits leaps into sets closed under all symmetries of the board, and the rest, if any."""
    rest, orbits = set(offsets), []
    while rest:
        a, b = min(rest)
        orbit = {(x * i, y * j) for x, y in ((a, b), (b, a)) for i in (-1, 1) for j in (-1, 1)}
        if not orbit <= set(offsets):
            break
        orbits.append(frozenset(orbit))
        rest -= orbit
    for leap in sorted(rest):
        a, b = leap
        orbit = {(x * i, y * j) for x, y in ((a, b), (b, a)) for i in (-1, 1) for j in (-1, 1)}
        if orbit <= rest:
            orbits.append(frozenset(orbit))
            rest -= orbit
    return orbits + ([frozenset(rest)] if rest else [])


def _leap_groups(plan):
    """For each set of capturing leaps: the movers that have it, and from where it reaches a square."""
    groups = {}
    for index, group in enumerate(plan.groups):
        for orbit in _orbits(_offsets(plan.leader(group), True)):
            groups.setdefault(orbit, []).append(index)
    found = []
    for offsets, members in groups.items():
        back = {(-files, -ranks) for files, ranks in offsets}
        asymmetric = back != mirrored(back)
        sides = [back, mirrored(back)] if asymmetric else [back]
        found.append(
            Facts(
                "leapers",
                member_count=len(members),
                members=np.array(members, np.uint8),
                asymmetric=asymmetric,
                origins=plan.table([plan.geometry.leaps(side) for side in sides]),
            )
        )
    return tuple(found)


def _pawn_movers(plan):
    """The movers that only go forward."""
    found = [
        index
        for index, group in enumerate(plan.groups)
        if all(move.ranks > 0 for move in plan.leader(group).moves)
    ]
    return dict(pawn_mover_count=len(found), pawn_movers=np.array(found or [0], np.uint8))


def _passers(plan):
    """The movers that capture en passant."""
    return tuple(
        Facts(
            "passer",
            index=index,
            origins=plan.table(
                [
                    plan.geometry.leaps({(-f, -r) for f, r in turn(_offsets(leader, True))})
                    for turn in (set, mirrored)
                ]
            ),
        )
        for index, leader in enumerate(plan.leader(group) for group in plan.groups)
        if leader.en_passant
    )


def _drop_squares(plan):
    """Where each hand piece may be dropped, by side and hand piece."""
    geometry = plan.geometry
    forbidden = [plan.description.piece(letter).drop_forbidden for letter in plan.hand] or [()]
    return plan.table(
        [[geometry.board & ~geometry.rank_board(ranks, side) for ranks in forbidden] for side in (0, 1)]
    )


def _drop_mate(plan):
    """The hand piece whose drop must not mate, and from where it attacks a square, by its side."""
    letters = [letter for letter in plan.hand if plan.description.piece(letter).no_drop_mate]
    offsets = _offsets(plan.description.piece(letters[0]), True) if letters else set()
    return dict(
        no_mate_hand=plan.hand.index(letters[0]) if letters else -1,
        no_mate_origins=plan.table(
            [plan.geometry.leaps({(-f, -r) for f, r in turn(offsets)}) for turn in (set, mirrored)]
        ),
    )


def _castlings(plan):
    """Squares of king and rook before and after, between them and on the king's way, by side and wing."""
    wings = plan.description.castling
    geometry, tables = plan.geometry, {}
    for side in (0, 1):
        first_rank = 0 if side == 0 else geometry.ranks - 1
        for wing in wings:
            king, rook, king_to, rook_to = (
                geometry.square(file, first_rank)
                for file in (wing.king, wing.rook, wing.king_to, wing.rook_to)
            )
            low, high = sorted((king, rook))
            step = 1 if king_to > king else -1
            path = sum(1 << square for square in range(king + step, king_to + step, step))
            row = (king, rook, king_to, rook_to, sum(1 << s for s in range(low + 1, high)), path)
            tables.setdefault(side, []).append(row)
    rows = [tables.get(side, [(0,) * 6]) for side in (0, 1)]
    return dict(
        wings=len(wings),
        rook_kind=plan.kinds["R"] if wings else 0,
        # by side and wing: the squares of king and rook before, then after
        castling_squares=np.array([[row[:4] for row in side] for side in rows], np.uint8),
        castling_between=plan.table([[row[4] for row in side] for side in rows]),
        castling_path=plan.table([[row[5] for row in side] for side in rows]),
    )


def _most_moves(plan):
    """A bound on the number of legal moves in any position, composed ones included.

    Every square is reached at most once by each leap and each direction of a line; every zone square adds
    the promotions of what arrives at it and of what leaves it.
    """
    leaps = set()
    for piece in plan.pieces:
        leaps |= _offsets(piece, True) | _offsets(piece, False)
    ways = len(leaps) + 2 * len(LINES) + max((len(p.steps) for p in plan.pieces), default=0)
    choices = max((len(piece.promotes_to) for piece in plan.pieces), default=0)
    span = len(leaps) + 4 * max(plan.geometry.files, plan.geometry.ranks)
    zone = len(plan.description.promotion_zone) * plan.geometry.files
    return plan.geometry.squares * (ways + len(plan.hand)) + zone * choices * (ways + span)


def _zobrist(plan):
    """Random 64-bit numbers: by side, kind and square; by side and hand piece; by crossed square."""
    rng = np.random.Generator(np.random.PCG64(ZOBRIST_SEED))

    def keys(*shape):
        return rng.integers(0, 1 << 64, shape, np.uint64)

    return dict(
        zobrist_squares=keys(2, len(plan.pieces), plan.geometry.squares),
        zobrist_hands=keys(2, max(1, len(plan.hand))) | np.uint64(1),
        zobrist_crossed=keys(plan.geometry.squares),
        zobrist_turn=keys(1),
    )
