"""The reach of pieces: along lines, by leaps, over others.

Sliders by obstruction difference: on one line, with `lower` and `upper` the occupied squares below and above
the slider, `upper ^ (upper - highest(lower))` covers everything between the nearest blockers, inclusive."""

from ..kernel.bitboard import bit, has, highest_or_first, load
from ..kernel.compiler import inner
from ..kernel.facts import unrolled


@inner
def line_attacks(rules, line, square, occupied):
    """Squares that a slider on `square` reaches along one line, including the first occupied ones."""
    below = rules.rays[square, 2 * line]
    above = rules.rays[square, 2 * line + 1]
    lower = occupied & below
    upper = occupied & above
    return (below | above) & (upper ^ (upper - highest_or_first(lower)))


@inner
def hop_attacks(rules, line, square, occupied, spared):
    """Squares that a hopper on `square` reaches beyond the first piece of a line, unless that is `spared`.
    Without the pieces to jump over, the line is open up to the next ones."""
    near = line_attacks(rules, line, square, occupied)
    screens = near & occupied & ~spared
    if not screens:
        return rules.empty
    return line_attacks(rules, line, square, occupied & ~screens) & ~near


@inner
def short_hop_attacks(rules, line, square, occupied, spared):
    """Squares right behind the first piece of a line, unless that is `spared`, that a hopper on `square`
    reaches: the first ones that it does not see."""
    near = line_attacks(rules, line, square, occupied)
    return line_attacks(rules, line, square, ~near | spared) & ~near


@inner
def short_hop_origins(rules, line, square, occupied, spared):
    """The first pieces beyond a neighbour of `square` on a line: hoppers there land on `square`."""
    screens = line_attacks(rules, line, square, rules.board) & occupied & ~spared
    if not screens:
        return rules.empty
    near = line_attacks(rules, line, square, occupied)
    return line_attacks(rules, line, square, occupied & ~screens) & ~near


@inner
def hop_origins(group, rules, line, square, occupied, spared):
    """Squares from which hoppers of `group` reach `square` along a line that goes back from it."""
    if group.short:
        return short_hop_origins(rules, line, square, occupied, spared)
    return hop_attacks(rules, line, square, occupied, spared)


@inner
def reach(pattern, rules, side, square, occupied):
    """Squares that a piece with this pattern of moves reaches, with pieces of either side on them."""
    targets = rules.empty
    if pattern.leaps:
        targets = pattern.leap_table[side * pattern.asymmetric, square]
    for i in range(pattern.line_count):
        targets = targets | line_attacks(rules, pattern.lines[i], square, occupied)
    if pattern.palace_count and has(rules.diagonal_squares, square):
        for i in range(pattern.palace_count):
            targets = targets | line_attacks(rules, pattern.palace_lines[i], square, occupied)
    return targets


@inner
def spared_by(pattern, rules, position):
    """The pieces, of both sides, that a pattern or group spares."""
    pieces = rules.empty
    for i in range(pattern.spared_count):
        pieces = pieces | load(position, "movers", pattern.spared[i])
    return pieces


@unrolled("lame")
def _lame_reach(lame, targets, rules, side, square, occupied):
    for i in range(lame.count):
        if not occupied & lame.paths[side * lame.asymmetric, square, i]:
            targets = targets | lame.squares[side * lame.asymmetric, square, i]
    return targets


@unrolled("hops")
def _hop_reach(hops, targets, rules, position, side, square, occupied):
    spared = spared_by(hops, rules, position)
    for i in range(hops.line_count):
        if hops.short:
            found = short_hop_attacks(rules, hops.lines[side, i], square, occupied, spared)
        else:
            found = hop_attacks(rules, hops.lines[side, i], square, occupied, spared)
        targets = targets | (found & ~spared)
    if hops.palace_count and has(rules.diagonal_squares, square):
        for i in range(hops.palace_count):
            found = hop_attacks(rules, hops.palace_lines[side, i], square, occupied, spared)
            targets = targets | (found & ~spared)
    return targets


@inner
def odd_reach(pattern, rules, position, side, square, occupied):
    """Squares that a piece with an odd pattern reaches, without those it spares."""
    targets = rules.empty
    for i in range(pattern.line_count):
        targets = targets | line_attacks(rules, pattern.lines[side, i], square, occupied)
    if pattern.spared_count:
        targets = targets & ~spared_by(pattern, rules, position)
    if pattern.leaps:
        targets = targets | pattern.leap_table[side * pattern.asymmetric, square]
    targets = _lame_reach(pattern, targets, rules, side, square, occupied)
    targets = _hop_reach(pattern, targets, rules, position, side, square, occupied)
    if pattern.restricted:
        targets = targets & pattern.region[side]
    return targets


@inner
def line_through(rules, first, second):
    """The whole line that holds both squares; empty when none does or they are the same."""
    for line in range(4):
        squares = rules.rays[first, 2 * line] | rules.rays[first, 2 * line + 1]
        if has(squares, second):
            return squares | bit(rules, first)
    return rules.empty


@inner
def between(rules, first, second):
    """The squares strictly between two squares of one line; empty when no line holds both."""
    if first > second:
        first, second = second, first
    span = bit(rules, second) - (bit(rules, first) << 1)
    return line_through(rules, first, second) & span
