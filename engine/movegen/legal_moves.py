"""Legal moves: the moves of the game's generator, after choices, passes and special endings.

The generators are in `by_pins` and `by_trial`; a game uses exactly one of them. `make_move` changes
positions."""

import numpy as np

from ..game.moves import EN_PASSANT
from ..kernel.bitboard import has, load
from ..kernel.compiler import inner
from ..kernel.facts import over_rules
from ..mechanics import special_moves
from ..mechanics.facing_kings import kings_must_part, parting_moves
from ..mechanics.gates import add_entries, can_gate, count_entries
from ..mechanics.placement import owes_drop
from ..mechanics.walls import add_walls, count_walls
from ..representation.move_list import COUNTING, COUNTING_CAPTURES, LISTING, QUIET, TACTICAL, lister
from ..representation.position_record import action_of, target_of
from .by_pins import drops_by_pins, moves_by_pins
from .by_trial import drops_by_trial, moves_by_trial
from .checking_moves import without_checks
from .self_capture import self_captures
from .standing_promotion import standing_promotions

__all__ = ["COUNTING", "LISTING", "QUIET", "TACTICAL", "add_moves", "legal_moves", "mandatory_captures"]

UNTOLD = -1  # whether a capture is legal


@inner
def _drops(rules, n, sink, out, position, checkers):
    n = drops_by_pins(rules, n, sink, out, position, checkers)
    return drops_by_trial(rules, n, sink, out, position, checkers)


@over_rules("placing")
def _placements(placing, n, rules, first, sink, out, position, checkers):
    """`first` plus the drops that must be made, if any is legal, else `n`: no other move is legal then. If
    there is no such drop, all moves from `first` to `n` are moves on the board."""
    if not owes_drop(rules, False, position):
        return n
    if not sink.quiet:
        found = _drops(rules, np.int64(0), COUNTING, out, position, checkers)
        return np.int64(first) if found else n
    end = _drops(rules, np.int64(first), sink, out, position, checkers)
    return end if end > first else n


@over_rules("checks_tested")
def _listed(way, sink, rules):
    """The sink that lists moves where `sink` only counts them: each is tested for check."""
    return lister(sink)


@over_rules("checks_tested")
def _calm_ones(way, end, rules, first, out, position):
    """The end of the moves listed from `first` to `end` that do not check."""
    return without_checks(way, rules, out, position, np.int64(first), end)


@inner
def _keep_captures(position, out, first, end):
    """Moves the captures among the moves listed from `first` to `end` to the front; returns their end."""
    enemy = load(position, "colours", 1 - np.int64(position.side))
    kept = first
    for i in range(first, end):
        move = np.int64(out.moves[i])
        if has(enemy, target_of(move)) or action_of(move) == EN_PASSANT:
            out.moves[kept] = np.uint32(move)
            kept += 1
    return kept


@inner
def _captures(rules, out, first, position, checkers, pinned):
    """Lists all legal captures from `first` on; returns their end."""
    end = moves_by_pins(rules, first, TACTICAL, out, position, checkers, pinned)
    end = moves_by_trial(rules, end, TACTICAL, out, position, checkers)
    end = _calm_ones(rules, end, first, out, position)
    return _keep_captures(position, out, first, end)


@over_rules("by_pins")
def _counted_captures(way, found, rules, out, position, checkers, pinned):
    """The number of legal captures; `found` in games whose moves must be listed for that."""
    return moves_by_pins(rules, np.int64(0), COUNTING_CAPTURES, out, position, checkers, pinned)


@over_rules("must_capture")
def _duty(duty, n, rules, first, sink, out, position, checkers, pinned):
    """The end of the legal moves if there is a capture among them, because no other move is legal then; else
    `n`. Without quiet moves `_only_captures` tells that later."""
    if not sink.quiet:
        return n
    if sink.counts:
        found = _counted_captures(rules, np.int64(UNTOLD), out, position, checkers, pinned)
        if found == UNTOLD:
            found = _captures(rules, out, np.int64(0), position, checkers, pinned)
        return first + found if found else n
    end = _captures(rules, out, first, position, checkers, pinned)
    if end == first:
        return n
    return end if sink.tactical else np.int64(first)


@over_rules("must_capture")
def _only_captures(duty, n, rules, first, sink, out, position):
    """`n`, or where moves are listed without quiet ones, the end of the captures if there are any."""
    if sink.quiet:
        return n
    end = _keep_captures(position, out, np.int64(first), n)
    return end if end > first else n


@over_rules("must_capture")
def mandatory_captures(duty, found, rules, out, position, checkers, pinned):
    """The number of captures of which the side to move must play one; `found` in games without that rule.
    Overwrites the list."""
    return _captures(rules, out, np.int64(0), position, checkers, pinned)


@over_rules("parting")
def _parting_ones(facing, n, rules, first, sink, out, position, checkers, pinned):
    """The end of the moves that end it if the kings face each other, else `n`. All moves are listed for the
    test, even if they are only counted."""
    if not kings_must_part(rules, False, position):
        return n
    if not sink.counts:
        return parting_moves(rules, n, out, position, np.int64(first))
    end = moves_by_pins(rules, np.int64(0), LISTING, out, position, checkers, pinned)
    end = moves_by_trial(rules, end, LISTING, out, position, checkers)
    return first + parting_moves(rules, end, out, position, np.int64(0))


@over_rules("gates")
def _entries(gates, n, rules, first, sink, out, position, checkers, pinned):
    """The end of the moves with those that bring in a piece at a gate. All moves are listed for them, even if
    they are only counted."""
    if not can_gate(rules, False, position):
        return n
    if not sink.counts:
        return add_entries(rules, n, out, position, first)
    end = moves_by_pins(rules, np.int64(0), LISTING, out, position, checkers, pinned)
    end = moves_by_trial(rules, end, LISTING, out, position, checkers)
    return count_entries(rules, n + end, out, position, end)


@over_rules("walls")
def _with_walls(walls, n, rules, first, sink, out, position, checkers, pinned):
    """The end of the moves after each has become one for each of its walls. All moves are listed for them,
    even if they are only counted."""
    if not sink.counts:
        return add_walls(rules, n, out, position, first)
    end = moves_by_pins(rules, np.int64(0), LISTING, out, position, checkers, pinned)
    end = moves_by_trial(rules, end, LISTING, out, position, checkers)
    return first + count_walls(rules, end, out, position, np.int64(0), end)


@inner
def add_moves(rules, sink, out, first, position, checkers, pinned):
    """Adds the legal moves that `sink` accepts to the first `first`; returns the new number. `checkers` and
    `pinned` must be those of `position`."""
    if rules.can_end and position.outcome:
        return np.int64(first)
    n = _duty(rules, np.int64(UNTOLD), np.int64(first), sink, out, position, checkers, pinned)
    if n != UNTOLD:
        return n
    n = np.int64(first)
    if not (sink.counts and can_gate(rules, False, position)):  # `_entries` counts all moves
        n = moves_by_pins(rules, n, sink, out, position, checkers, pinned)
        n = moves_by_trial(rules, n, sink, out, position, checkers)
    n = self_captures(rules, n, sink, out, position, checkers, pinned)
    n = standing_promotions(rules, n, sink, out, position)
    n = _entries(rules, n, first, sink, out, position, checkers, pinned)
    n = _with_walls(rules, n, first, sink, out, position, checkers, pinned)
    n = _calm_ones(rules, n, first, out, position)
    n = _parting_ones(rules, n, first, sink, out, position, checkers, pinned)
    n = _only_captures(rules, n, first, sink, out, position)
    n = _placements(rules, n, first, sink, out, position, checkers)
    return special_moves(rules, n, np.int64(first), sink, out, position, checkers)


@inner
def legal_moves(rules, sink, out, position, checkers, pinned):
    """The number of legal moves, listed in `out` from 0 when `sink` lists."""
    return add_moves(rules, _listed(rules, sink), out, np.int64(0), position, checkers, pinned)
