"""Facts about the moves of pieces: patterns to move by, and groups to find attackers.

A *pattern* is where one piece can move; a *group* has, for all pieces that share a leap or a line, the
squares from which they reach a square."""

import functools
import operator
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernel.facts import Facts
from .geometry import SlidingLine, bits, mirrored
from .piece_plan import HOPS, Plan, counted, origins_of

if TYPE_CHECKING:
    from ..game.description import PieceDescription


def plain_mover(plan: Plan, index: int) -> Facts:
    """A mover whose pieces capture as they move, by leaps and whole lines."""
    piece = plan.leader(index)
    return Facts(
        f"mover-{''.join(plan.groups[index])}",
        index=index,
        attack=Facts(
            "pattern",
            **_leap_facts(plan, piece, True),
            **_line_facts(plan, plan.line_numbers(plan.lines_of(piece, True, 0))),
        ),
        promotion=promotion_facts(plan, piece),
    )


def _line_facts(plan: Plan, numbers: Sequence[int]) -> dict[str, Any]:
    """The numbers of whole lines, separately for palaces, because most squares do not need the latter."""
    palace = [number for number in numbers if plan.lines[number].palace]
    inside = counted(lines=palace)
    found = counted(lines=[number for number in numbers if number not in palace])
    return found | {"palace_count": inside["line_count"], "palace_lines": inside["lines"]}


def promotion_facts(plan: Plan, piece: "PieceDescription") -> Facts:
    """Whether and how a piece promotes: in its `zone`, by side, when it enters (`enters`) or leaves
    (`leaves`) it, or only by `captures`. `must` are the squares that it reaches only by promoting, and `bars`
    those of them that it cannot reach if it cannot promote. `always`: it must promote whenever it may, also
    as it leaves the zone."""
    ways = plan.description.promotes_on(piece)
    zone = [plan.promotion_board(piece, side) for side in (0, 1)]
    must = [zone[side] & plan.geometry.rank_board(piece.must_promote, side) for side in (0, 1)]
    bars = [plan.geometry.rank_board(piece.barred, side) for side in (0, 1)]
    return Facts(
        "promotion",
        count=len(piece.promotes_to),
        zone=plan.table(zone),
        enters="enter" in ways,
        leaves="leave" in ways,
        captures=piece.captures_promote,
        mandatory=bool(piece.must_promote) or any(bars),
        always=bool(piece.must_promote) and must == zone and "leave" in ways,
        must=plan.table([must[side] | bars[side] for side in (0, 1)]),
        barred=any(bars),
        bars=plan.table(bars),
    )


def _leap_facts(plan: Plan, piece: "PieceDescription", capturing: bool) -> dict[str, Any]:
    boards = [plan.leap_boards(piece, capturing, side) for side in (0, 1)]
    asymmetric = boards[0] != boards[1]
    return dict(
        leaps=any(boards[0]),
        asymmetric=asymmetric,
        leap_table=plan.table(boards if asymmetric else boards[:1]),
    )


# Split movers


def split_mover(plan: Plan, index: int) -> Facts:
    """A mover whose pieces leap alone and capture otherwise than they move: moved by shifts.

    A step of length n continues from the squares that steps of length n - 1 in its direction reach.
    """
    piece = plan.leader(index)
    return Facts(
        f"mover-{''.join(plan.groups[index])}",
        index=index,
        captures=tuple(shift(plan, piece, offset) for offset in sorted(plan.offsets(piece, True))),
        quiets=tuple(shift(plan, piece, offset) for offset in sorted(plan.offsets(piece, False))),
        ways=tuple(_long_way(plan, piece, files) for files in piece.long_steps),
        promotion=promotion_facts(plan, piece),
    )


def _long_way(plan: Plan, piece: "PieceDescription", files: int) -> Facts:
    """A direction in which a piece may continue its step."""
    steps = []
    for length in range(2, max(piece.steps.values(), default=1) + 1):
        onward = [rank + length - 1 for rank, most in piece.steps.items() if most >= length]
        steps.append(Facts("step", length=length, shift=shift(plan, piece, (files, 1), onward)))
    return Facts("way", forward=shift(plan, piece, (files, 1)), steps=tuple(steps))


def shift(
    plan: Plan, piece: "PieceDescription", offset: tuple[int, int], onward: Iterable[int] | None = None
) -> Facts:
    """One leap of many pieces at once: distance in squares and possible sources, by side. Both sides list the
    leaps of a piece from the same wing to the other, if it has them to both."""
    files, ranks = offset
    geometry, facts = plan.geometry, {}
    for side, (name, way) in enumerate((("white", 1), ("black", -1))):
        across = way * files if piece.chiral else files
        sources = geometry.sources((across, way * ranks))
        if onward is not None:
            sources &= geometry.rank_board(onward, side)
        facts[f"{name}_delta"] = way * ranks * geometry.files + across
        facts[f"{name}_sources"] = plan.bits(sources)
    return Facts("shift", **facts)


# Odd movers


def odd_mover(plan: Plan, index: int) -> Facts:
    """A mover of any other kind: a pattern for quiet moves and one for captures."""
    piece = plan.leader(index)
    quiet, attack = odd_pattern(plan, piece, False), odd_pattern(plan, piece, True)
    return Facts(
        f"mover-{''.join(plan.groups[index])}",
        index=index,
        uniform=quiet.name == attack.name,
        quiet=quiet,
        attack=attack,
        promotion=promotion_facts(plan, piece),
    )


def odd_pattern(plan: Plan, piece: "PieceDescription", capturing: bool) -> Facts:
    """The targets of a piece by free leaps, lame leaps, slides and hops, each by side if sides differ.
    Captures by slides and hops spare the movers that are shielded from them."""
    slides = [plan.line_numbers(plan.lines_of(piece, capturing, side)) for side in (0, 1)]
    spared = plan.shields["slides"] if capturing and slides[0] else []
    return Facts(
        "odd-pattern",
        **_leap_facts(plan, piece, capturing),
        line_count=len(slides[0]),
        lines=np.array([row or [0] for row in slides], np.uint8),
        **counted(spared=spared),
        restricted=piece.restricted,
        region=plan.table([plan.region(piece, side) for side in (0, 1)]),
        lame=_lame_facts(plan, [plan.lame_leaps(piece, capturing, side) for side in (0, 1)]),
        hops=tuple(facts for hop in HOPS for facts in _hop_facts(plan, piece, capturing, hop)),
    )


def _hop_facts(plan: Plan, piece: "PieceDescription", capturing: bool, hop: str) -> tuple[Facts, ...]:
    lines = [plan.line_numbers(plan.lines_of(piece, capturing, side, hop)) for side in (0, 1)]
    if not lines[0]:
        return ()
    palace = [[number for number in side if plan.lines[number].palace] for side in lines]
    everywhere = [[number for number in side if not plan.lines[number].palace] for side in lines]
    return (
        Facts(
            "hops",
            short=hop == "g",
            line_count=len(everywhere[0]),
            lines=np.array([side or [0] for side in everywhere], np.uint8),
            palace_count=len(palace[0]),
            palace_lines=np.array([side or [0] for side in palace], np.uint8),
            **counted(spared=plan.shields["hops"]),
        ),
    )


def _lame_facts(
    plan: Plan, leaps: Sequence[Sequence[tuple[list[tuple[int, int]], tuple[int, int]]]]
) -> tuple[Facts, ...]:
    """Lame leaps by side: boards that must be empty and what they open; leaps with one path go together."""
    if not leaps[0]:
        return ()
    sides = [[_lame_row(plan, square, side) for square in range(plan.geometry.squares)] for side in leaps]
    return _lame_tables(plan, sides)


def _lame_row(
    plan: Plan, square: int, leaps: Sequence[tuple[list[tuple[int, int]], tuple[int, int]]]
) -> dict[int, int]:
    """path -> targets, of the lame leaps that stay on the board."""
    row = {}
    for path, offset in leaps:
        target = plan.geometry.shifted(square, *offset)
        if target is not None:
            blockers = sum(1 << plan.geometry.shifted(square, *step) for step in path)
            row[blockers] = row.get(blockers, 0) | 1 << target
    return row


def _lame_tables(plan: Plan, sides: Sequence[Sequence[dict[int, int]]]) -> tuple[Facts, ...]:
    if sides[0] == sides[1]:
        sides = sides[:1]
    most = max(1, *(len(row) for side in sides for row in side))
    padded = [[[*row.items(), *[(0, 0)] * (most - len(row))] for row in side] for side in sides]
    return (
        Facts(
            "lame",
            asymmetric=len(sides) == 2,
            count=most,
            paths=plan.table([[[path for path, _ in row] for row in side] for side in padded]),
            squares=plan.table([[[board for _, board in row] for row in side] for side in padded]),
        ),
    )


# Groups by which attackers are found


def slide_groups(plan: Plan) -> tuple[Facts, ...]:
    """Whole lines with the movers that slide along them; lines with the same movers stand together."""
    groups = {}
    for number, line in enumerate(plan.lines):
        if line.way:
            continue
        members = tuple(
            index
            for index in range(len(plan.groups))
            if not plan.leader(index).restricted and line in plan.lines_of(plan.leader(index), True, 0)
        )
        groups.setdefault(members, []).append(number)
    return tuple(_line_group(plan, members, lines) for members, lines in groups.items() if members)


def _line_group(plan: Plan, members: Sequence[int], lines: Sequence[int]) -> Facts:
    return Facts(
        "slides",
        **counted(members=members),
        **_line_facts(plan, lines),
        cross=plan.table([_cross(plan, square, lines) for square in range(plan.geometry.squares)]),
    )


def _cross(plan: Plan, square: int, lines: Iterable[int]) -> int:
    """All squares of some lines through a square."""
    board = 0
    for number in lines:
        below, above = plan.geometry.rays(square, plan.lines[number])
        board |= below | above
    return board


def leap_groups(plan: Plan, kings_only: bool = True) -> tuple[Facts, ...]:
    """For each set of capturing leaps: the movers that have it, and the squares from which it reaches a
    square. With `kings_only` those that reach no square of the enemy's king are left out."""
    groups, tables = {}, {}
    for index in range(len(plan.groups)):
        piece = plan.leader(index)
        if piece.palace_moves or piece.restricted or piece.advanced:
            origins = tuple(tuple(origins_of(plan.leap_boards(piece, True, side))) for side in (0, 1))
            tables.setdefault(origins, []).append(index)
            continue
        for orbit in _orbits(plan.offsets(piece, True)):
            groups.setdefault(orbit, []).append(index)
    for offsets, members in groups.items():
        back = {(-files, -ranks) for files, ranks in offsets}
        origins = tuple(tuple(plan.geometry.leaps(turn(back))) for turn in (set, mirrored))
        tables.setdefault(origins, []).extend(members)
    targets = [plan.region(plan.king, side) for side in (0, 1)]
    found = []
    for origins, members in tables.items():
        if kings_only and not any(
            origins[side][square] for side in (0, 1) for square in bits(targets[1 - side])
        ):
            continue  # advisors never leave their own palace: they attack no king
        asymmetric = origins[0] != origins[1]
        found.append(
            Facts(
                "leapers",
                **counted(members=sorted(members)),
                asymmetric=asymmetric,
                origins=plan.table(origins if asymmetric else origins[:1]),
            )
        )
    return tuple(found)


def _orbits(offsets: set[tuple[int, int]]) -> list[frozenset[tuple[int, int]]]:
    """Splits leaps into sets closed under all symmetries of the board, and the rest, if any."""
    rest, orbits = set(offsets), []
    for leap in sorted(offsets):
        a, b = leap
        orbit = {(x * i, y * j) for x, y in ((a, b), (b, a)) for i in (-1, 1) for j in (-1, 1)}
        if leap in rest and orbit <= rest:
            orbits.append(frozenset(orbit))
            rest -= orbit
    return orbits + ([frozenset(rest)] if rest else [])


def odd_attackers(plan: Plan) -> tuple[Facts, ...]:
    """The attackers besides leapers and sliders on whole lines, as a tuple of at most one."""
    lame, hoppers, one_way = {}, {}, []
    for index in range(len(plan.groups)):
        piece = plan.leader(index)
        leaps = tuple(tuple(map(str, plan.lame_leaps(piece, True, side))) for side in (0, 1))
        if leaps[0]:
            lame.setdefault((leaps, _limits(plan, piece)), []).append(index)
        for hop in HOPS:
            hops = tuple(tuple(plan.lines_of(piece, True, side, hop)) for side in (0, 1))
            if hops[0]:
                hoppers.setdefault((hops, _limits(plan, piece), hop), []).append(index)
        lines = [
            [line for line in plan.lines_of(piece, True, side) if line.way or piece.restricted]
            for side in (0, 1)
        ]
        if lines[0]:
            one_way.append(_reversed_lines("thrusts", plan, [index], lines))
    if not (lame or hoppers or one_way):
        return ()
    return (
        Facts(
            "odd-attackers",
            lame=tuple(_lame_origins(plan, members) for members in lame.values()),
            hoppers=tuple(
                _reversed_lines("hoppers", plan, members, [list(side) for side in lines], hop)
                for (lines, _, hop), members in hoppers.items()
            ),
            thrusts=tuple(one_way),
        ),
    )


def _limits(plan: Plan, piece: "PieceDescription") -> tuple[int, ...]:
    """The squares to which a piece is restricted, by side."""
    return tuple(plan.region(piece, side) for side in (0, 1))


def _reversed_lines(
    label: str, plan: Plan, members: Sequence[int], lines: Sequence[list[SlidingLine]], hop: str = ""
) -> Facts:
    """Movers with lines by which to look back from an attacked square, by the attackers' side; `short` says
    that hoppers land right behind what they jump."""
    back = [plan.line_numbers([line._replace(way=-line.way) for line in side]) for side in lines]
    limits = _limits(plan, plan.leader(members[0]))
    crosses = [
        [_cross(plan, s, side) * (limit >> s & 1) for s in range(plan.geometry.squares)]
        for side, limit in zip(back, limits, strict=True)
    ]
    return Facts(
        label,
        short=hop == "g",
        line_count=len(back[0]),
        lines=np.array(back, np.uint8),
        cross=plan.table(crosses),
        **counted(members=members, spared=plan.shields["hops"] if hop else []),
    )


def _lame_origins(plan: Plan, members: Sequence[int]) -> Facts:
    """Lame leapers in reverse: for each square the paths to it and their origins, by side."""
    piece, geometry = plan.leader(members[0]), plan.geometry
    sides, limits = [], _limits(plan, piece)
    for side in (0, 1):
        rows = [{} for _ in range(geometry.squares)]
        for path, offset in plan.lame_leaps(piece, True, side):
            for source in range(geometry.squares):
                target = geometry.shifted(source, *offset)
                if target is not None and limits[side] >> target & 1:
                    blockers = sum(1 << geometry.shifted(source, *step) for step in path)
                    rows[target][blockers] = rows[target].get(blockers, 0) | 1 << source
        sides.append(rows)
    (tables,) = _lame_tables(plan, sides)
    squares = tables.squares.values
    return Facts(
        "lame",
        **tables.facts,
        around=plan.table([[functools.reduce(operator.or_, row) for row in side] for side in squares]),
        **counted(members=members),
    )
