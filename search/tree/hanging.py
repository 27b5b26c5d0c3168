"""Pieces that hang: the other side could capture them with profit, which a static evaluation does not see.

Reverse futility and the null move allow for them, and moves of such pieces are ordered before other quiet
moves; moves after which a piece hangs come later (`picker`). Games where captures explode or are mandatory
have other threats (`threats`)."""

import numpy as np

from ...engine.kernel.bitboard import bit, load, lsb, without_lsb
from ...engine.kernel.compiler import inner
from ...engine.mechanics.must_capture import captures_are_duty
from ...engine.mechanics.walls import occupied_in
from ...engine.movegen.attacks import attackers
from .see import blast_ends_exchange, cheapest


@inner
def pieces_of(rules, position, side):
    """The pieces of a side on the board besides king and pawns."""
    rest = load(position, "colours", side) & ~load(position, "movers", rules.king_mover)
    for i in range(rules.pawn_mover_count):
        rest = rest & ~load(position, "movers", rules.pawn_movers[i])
    return rest


@inner
def may_hang(rules):
    """Whether what an exchange loses is a threat in a game."""
    return not captures_are_duty(rules, False) and not blast_ends_exchange(rules, False)


@inner
def _loss(rules, worker, position, square, occupied):
    """The centipawns that the piece of the side to move on `square` would lose to a capture: its value if it
    is not defended, otherwise what it is worth more than the cheapest attacker. 0 where it is safe."""
    side = np.int64(position.side)
    enemies = attackers(rules, position, 1 - side, square, occupied)
    if not enemies:
        return np.int64(0)
    value = np.int64(worker.weights.capture[np.int64(position.board[square])])
    if attackers(rules, position, side, square, occupied):
        value -= cheapest(rules, worker, position, enemies)[0]
    return max(np.int64(0), value)


@inner
def hanging(rules, worker, position):
    """(squares of the pieces of the side to move that hang, largest, second largest loss in centipawns)."""
    found, most, second = rules.empty, np.int64(0), np.int64(0)
    occupied = occupied_in(rules, position)
    pieces = pieces_of(rules, position, np.int64(position.side)) if may_hang(rules) else rules.empty
    while pieces:
        square = lsb(pieces)
        loss = _loss(rules, worker, position, square, occupied)
        if loss:
            found = found | bit(rules, square)
        if loss > most:
            most, second = loss, most
        else:
            second = max(second, loss)
        pieces = without_lsb(pieces)
    return found, most, second
