"""Static exchange evaluation: the material result of a move after all captures on its square.

Values are those of `capture`: in games with hands a captured piece counts again in the hand. Pins are
ignored; only promotions of the move itself count. An exchange ends at once where no piece of the mover stays
on the square."""

import numpy as np

from ...engine.game.moves import DROP, EN_PASSANT, PROMOTION
from ...engine.kernel.bitboard import bit, has, load, lsb, without_lsb
from ...engine.kernel.compiler import inner
from ...engine.kernel.facts import over_rules
from ...engine.mechanics.colour_change import changes_colour
from ...engine.mechanics.explosion import blast, captor_survives
from ...engine.mechanics.rifle_captures import captor_stays
from ...engine.mechanics.self_capture import gain_without_own
from ...engine.mechanics.standing_promotion import gain_in_place
from ...engine.mechanics.walls import occupied_in
from ...engine.movegen.attacks import attackers
from ...engine.representation.position_record import action_of, kind_of, source_of, target_of

ROYAL = 1_000_000  # centipawns: a king captures last


@inner
def gain_of(rules, worker, position, move):
    """The immediate gain of a move in centipawns: the captured piece, also in the hand, and the promotion."""
    action = action_of(move)
    if action == DROP:
        return np.int64(0)
    weights = worker.weights
    kind = np.int64(position.board[source_of(move)])
    gain = np.int64(weights.capture[np.int64(position.board[target_of(move)])])
    if action == EN_PASSANT:
        gain = np.int64(weights.capture[kind])
    elif action == PROMOTION:
        gain += weights.board[kind_of(move)] - weights.board[kind]
    gain = gain_without_own(rules, gain, worker, position, move, target_of(move))
    gain = gain_in_place(rules, gain, worker, position, move, kind)
    gain = _with_change(rules, gain, worker, position, move)
    return _with_blast(rules, gain, worker, position, move)


@inner
def _captures(position, move):
    enemy = load(position, "colours", 1 - np.int64(position.side))
    return action_of(move) == EN_PASSANT or has(enemy, target_of(move))


@over_rules("colour_change")
def _with_change(way, gain, rules, worker, position, move):
    """The gain of a capture with the piece that changes to the enemy's colour by it. Quiet moves that change
    colours all lose their piece, so that they are compared without it."""
    kind = np.int64(position.board[source_of(move)])
    if _captures(position, move) and changes_colour(rules, False, kind, True):
        gain -= 2 * np.int64(worker.weights.capture[kind_after(rules, position, move)])
    return gain


@over_rules("explosion")
def _with_blast(explosion, gain, rules, worker, position, move):
    """The gain of a move with what its explosion removes, the moving piece included."""
    side, target = np.int64(position.side), target_of(move)
    own, enemy = load(position, "colours", side), load(position, "colours", 1 - side)
    if action_of(move) != EN_PASSANT and not has(enemy, target):
        return gain
    source = source_of(move)
    mover = rules.empty if captor_survives(rules, False, position, source) else bit(rules, source)
    area = (blast(rules, rules.empty, position, target) & ~bit(rules, target)) | mover
    while area:
        square = lsb(area)
        kind = np.int64(position.board[square])
        value = np.int64(ROYAL) if kind == rules.royal_kind else np.int64(worker.weights.capture[kind])
        gain += -value if has(own, square) else value
        area = without_lsb(area)
    return gain


@over_rules("explosion")
def blast_ends_exchange(explosion, found, rules):
    """Whether captures explode, so that nothing can recapture."""
    return True


@inner
def _ends_exchange(rules, position, move):
    """Whether nothing can capture on the target after a move: its piece is not there, or is not its own."""
    if action_of(move) == DROP:
        return False
    found = captor_stays(rules, blast_ends_exchange(rules, False))
    return changes_colour(rules, found, np.int64(position.board[source_of(move)]), _captures(position, move))


@inner
def kind_after(rules, position, move):
    """The kind on the target after the move."""
    action = action_of(move)
    if action in (DROP, PROMOTION):
        return kind_of(move)
    return np.int64(position.board[source_of(move)])


@inner
def cheapest(rules, worker, position, pieces):
    """(centipawns, square) of the least valuable piece among `pieces`, kings last."""
    best, place = np.int64(2 * ROYAL), np.int64(0)
    while pieces:
        square = lsb(pieces)
        kind = np.int64(position.board[square])
        value = np.int64(ROYAL) if kind == rules.royal_kind else np.int64(worker.weights.capture[kind])
        if value < best:
            best, place = value, square
        pieces = without_lsb(pieces)
    return best, place


@inner
def see_ge(rules, worker, position, move, threshold):
    """Whether the exchange that a move begins leaves the mover at least `threshold` centipawns. Each side
    captures with its least valuable piece or stops, whichever is better for it."""
    action = action_of(move)
    if action > EN_PASSANT:  # castling, passes and choices exchange nothing
        return threshold <= 0
    balance = gain_of(rules, worker, position, move) - threshold
    if balance < 0:
        return False
    kind = kind_after(rules, position, move)
    if kind == rules.royal_kind or _ends_exchange(rules, position, move):
        return True
    balance -= np.int64(worker.weights.capture[kind])
    if balance >= 0:
        return True
    side, target = np.int64(position.side), target_of(move)
    occupied = occupied_in(rules, position) | bit(rules, target)
    if action != DROP:
        occupied = occupied & ~bit(rules, source_of(move))
    if rules.en_passant and action == EN_PASSANT:
        occupied = occupied & ~bit(rules, np.int64(position.victim))
    turn = 1 - side
    while True:
        pieces = attackers(rules, position, turn, target, occupied) & occupied
        if not pieces:
            break
        value, square = cheapest(rules, worker, position, pieces)
        if value == ROYAL and attackers(rules, position, 1 - turn, target, occupied) & occupied:
            break  # the king would step into an attack
        occupied = occupied & ~bit(rules, square)
        turn = 1 - turn
        balance = -balance - 1 - value
        if balance >= 0:
            break
    return turn != side
