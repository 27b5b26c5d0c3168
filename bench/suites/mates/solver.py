"""Proofs of forced mates, by exhaustion, without code of the search or the evaluation.

A node asks whether the side to move, the attacker, mates within a number of moves. It tries checking moves
first, and after each all legal replies of the defender; one reply without a mate refutes the move. The number
of *quiet* moves (without check) of the attacker is part of the question: a proof with few is a proof, and
only a refutation with all of them proves that there is no mate.

Positions have no history here: neither repetition nor counted moves end a line. A loss by another rule counts
as a mate."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ....engine.game.moves import Move, spell
from ....engine.kernel.compiler import entry_point, inner
from ....engine.mechanics.no_moves import loses_without_moves
from ....engine.mechanics.outcomes import score_sign
from ....engine.movegen.attacks import in_check, inspect
from ....engine.movegen.legal_moves import COUNTING, LISTING, legal_moves
from ....engine.movegen.make_move import play
from ....engine.position import Position
from ....engine.representation.position_record import movelist_dtype, position_dtype
from ....engine.variant import Variant

MOST_MOVES = 12  # that a mate may take
ANY = 99  # quiet moves: any number
NO_MATE, UNKNOWN, MATES = -1, 0, 1  # answers
SLOTS = 1 << 21  # words of the memo
PROVEN_SHIFT, LOW_4, LOW_8 = 4, 15, 255
SPREAD = 0x9E3779B97F4A7C15  # odd; gives a position another key for each number of quiet moves


@cache
def proof_dtype(rules: Any) -> np.dtype[np.void]:
    """The record of a solver: a position and a move list by ply; `refuters`, how often a move has refuted, by
    its low 16 bits; the `memo`; the root's only move, `chosen`, or 0 for all; the root move that mates,
    `first`; `nodes`, which are moves made, and their `limit`."""
    plies = 2 * MOST_MOVES + 2
    return np.dtype(
        [
            ("positions", position_dtype(rules), (plies,)),
            ("lists", movelist_dtype(rules), (plies,)),
            ("refuters", np.int32, (1 << 16,)),
            ("memo", np.uint64, (SLOTS,)),
            ("chosen", np.int64),
            ("first", np.int64),
            ("nodes", np.int64),
            ("limit", np.int64),
        ],
        align=True,
    )


@inner
def _remembered(proof, key, moves):
    """The stored answer for a mate within `moves` moves, or UNKNOWN."""
    word = proof.memo[key & np.uint64(SLOTS - 1)]
    if (word ^ key) >> np.uint64(8):
        return np.int64(UNKNOWN)
    proven = np.int64((word >> np.uint64(PROVEN_SHIFT)) & np.uint64(LOW_4))
    refuted = np.int64(word & np.uint64(LOW_4))
    if 0 < proven <= moves:
        return np.int64(MATES)
    return np.int64(NO_MATE if refuted >= moves else UNKNOWN)


@inner
def _remember(proof, key, moves, answer):
    """Keeps an answer: `moves` in the half of the low byte for that answer, beside what was known."""
    slot = key & np.uint64(SLOTS - 1)
    word = proof.memo[slot]
    low = np.uint64(0)
    if (word ^ key) >> np.uint64(8) == np.uint64(0):
        low = word & np.uint64(LOW_8)
    proven, refuted = low >> np.uint64(PROVEN_SHIFT), low & np.uint64(LOW_4)
    if answer == MATES:
        proven = np.uint64(moves)
    else:
        refuted = np.uint64(moves)
    proof.memo[slot] = (key & ~np.uint64(LOW_8)) | (proven << np.uint64(PROVEN_SHIFT)) | refuted


@inner
def _swap(out, first, second):
    """Swaps two moves of a list with their scores."""
    move, score = out.moves[first], out.scores[first]
    out.moves[first], out.scores[first] = out.moves[second], out.scores[second]
    out.moves[second], out.scores[second] = move, score


@inner
def _likeliest_refuter(proof, out, first, count):
    """The move that has refuted most often among `first` to `count`, moved to the place `first`."""
    best = first
    for i in range(first + 1, count):
        if proof.refuters[out.moves[i] & 0xFFFF] > proof.refuters[out.moves[best] & 0xFFFF]:
            best = i
    _swap(out, first, best)
    return np.int64(out.moves[first])


@inner
def _tightest_check(out, first, checks):
    """The check with the fewest replies among `first` to `checks`, moved to the place `first`."""
    best = first
    for i in range(first + 1, checks):
        if out.scores[i] < out.scores[best]:
            best = i
    _swap(out, first, best)
    return np.int64(out.moves[first])


@inner
def _replies(rules, sink, proof, ply):
    """The number of legal moves at `ply`; they are listed there if `sink` lists."""
    position = proof.positions[ply]
    checkers, pinned = inspect(rules, position)
    return np.int64(legal_moves(rules, sink, proof.lists[ply], position, checkers, pinned))


@inner
def _verdict(rules, position, mover):
    """The answer that an end by a rule of the game gives: MATES if `mover`, 1 for the side to move and -1
    for the other, has won, NO_MATE if not, UNKNOWN without an end."""
    if rules.can_end and position.outcome:
        won = score_sign(np.int64(position.outcome)) == mover
        return np.int64(MATES if won else NO_MATE)
    return np.int64(UNKNOWN)


@inner
def _every_reply_loses(rules, proof, ply):
    """Whether the side to move at `ply` has moves, and every one loses at once by a rule of the game."""
    out = proof.lists[ply]
    count = _replies(rules, LISTING, proof, ply)
    for i in range(count):
        proof.nodes += 1
        play(rules, proof.positions[ply + 1], proof.positions[ply], np.int64(out.moves[i]))
        if _verdict(rules, proof.positions[ply + 1], 1) != MATES:
            return False
    return count > 0


@inner
def _mate_in_one(rules, proof, ply):
    """MATES if a move at `ply` ends the game for the side to move or leaves only replies that lose, else
    NO_MATE."""
    child, out = proof.positions[ply + 1], proof.lists[ply]
    for i in range(_replies(rules, LISTING, proof, ply)):
        move = np.int64(out.moves[i])
        if ply == 0 and proof.chosen != 0 and move != proof.chosen:
            continue
        proof.nodes += 1
        play(rules, child, proof.positions[ply], move)
        checking = in_check(rules, child)
        answer = _verdict(rules, child, -1)
        ends = loses_without_moves(rules, child, checking)
        if answer == UNKNOWN and ends and _replies(rules, COUNTING, proof, ply + 1) == 0:
            answer = np.int64(MATES)
        if answer == UNKNOWN and rules.can_end and _every_reply_loses(rules, proof, ply + 1):
            answer = np.int64(MATES)
        if answer == MATES:
            if ply == 0:
                proof.first = move
            return answer
    return np.int64(NO_MATE)


@inner
def _checks_first(rules, proof, ply, count):
    """Moves the checks among the moves at `ply` to the front, with the number of replies as their scores;
    returns their number."""
    child, out = proof.positions[ply + 1], proof.lists[ply]
    checks = np.int64(0)
    for i in range(count):
        proof.nodes += 1
        play(rules, child, proof.positions[ply], np.int64(out.moves[i]))
        if in_check(rules, child):
            out.scores[i] = _replies(rules, COUNTING, proof, ply + 1)
            _swap(out, checks, i)
            checks += 1
    return checks


@entry_point
def prove(rules, proof, ply, moves, quiets):
    """MATES if the side to move in `proof.positions[ply]`, which has not ended the game, mates within `moves`
    moves, of which `quiets` at most, and the last, may give no check; NO_MATE if not; UNKNOWN once the nodes
    are used up."""
    if moves == 1:
        return _mate_in_one(rules, proof, ply)
    if quiets >= moves - 1:
        quiets = np.int64(ANY)
    position, child, out = proof.positions[ply], proof.positions[ply + 1], proof.lists[ply]
    key = position.key ^ (np.uint64(quiets) * np.uint64(SPREAD))
    known = _remembered(proof, key, moves)
    if known != UNKNOWN and ply > 0:
        return known
    count = _replies(rules, LISTING, proof, ply)
    checks = _checks_first(rules, proof, ply, count)
    for i in range(count if quiets > 0 else checks):
        checking = i < checks
        move = _tightest_check(out, i, checks) if checking else np.int64(out.moves[i])
        if ply == 0 and proof.chosen != 0 and move != proof.chosen:
            continue
        if proof.nodes >= proof.limit:
            return np.int64(UNKNOWN)
        proof.nodes += 1
        play(rules, child, position, move)
        left = quiets if checking or quiets == ANY else quiets - 1
        answer, replies = _verdict(rules, child, -1), np.int64(0)
        if answer == UNKNOWN:
            replies = _replies(rules, LISTING, proof, ply + 1)
            if replies == 0:
                answer = np.int64(MATES if loses_without_moves(rules, child, checking) else NO_MATE)
        for j in range(replies):
            reply = _likeliest_refuter(proof, proof.lists[ply + 1], j, replies)
            proof.nodes += 1
            play(rules, proof.positions[ply + 2], child, reply)
            answer = _verdict(rules, proof.positions[ply + 2], 1)
            if answer == UNKNOWN:
                answer = prove(rules, proof, np.int64(ply + 2), np.int64(moves - 1), np.int64(left))
            if answer == UNKNOWN:
                return np.int64(UNKNOWN)
            if answer == NO_MATE:
                proof.refuters[reply & 0xFFFF] += moves * moves
                break
        if answer == MATES:
            if ply == 0:
                proof.first = move
            else:
                _remember(proof, key, moves, MATES)
            return np.int64(MATES)
    if ply > 0:
        _remember(proof, key, moves, NO_MATE)
    return np.int64(NO_MATE)


class Proof(NamedTuple):
    """A forced mate: the number of `moves` it takes, whether that is proven to be the `shortest`, and the
    moves that were found to begin it, sorted by their spelling."""

    moves: int
    shortest: bool
    first: tuple[Move, ...]


class Solver:
    """Proves mates in one game; a memo is kept from question to question. Raises VariantError."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self._rules, self._description = variant.rules, variant.description
        self._proof = np.zeros(1, proof_dtype(self._rules))[0]

    def mates(
        self, position: Position, moves: int, nodes: int, quiets: int = ANY, first: Move | None = None
    ) -> bool | None:
        """Whether the side to move of a `Position` mates within `moves` moves, at most `quiets` of them quiet
        and the first of them `first`, if that is given; None if `nodes` do not suffice.

        Raises ValueError for numbers of moves that are out of range."""
        if not 1 <= moves <= MOST_MOVES:
            raise ValueError(f"a mate in {moves} moves should be one in 1 to {MOST_MOVES}")
        if position.state["outcome"]:
            return False
        proof = self._proof
        proof["positions"][0] = position.state
        proof["chosen"] = first.code if first else 0
        proof["nodes"], proof["limit"] = 0, nodes
        answer = prove(self._rules, proof, 0, moves, quiets)
        return None if answer == UNKNOWN else bool(answer == MATES)

    def bound(self, position: Position, most: int, nodes: int, quiets: int = 1) -> tuple[int, Move] | None:
        """(moves, first move) of a mate within `most` moves with few quiet ones, perhaps not the shortest;
        None if `nodes` for each question find none."""
        found: tuple[int, Move] | None = None
        for allowed in range(quiets + 1):
            for moves in range(1 + allowed, found[0] if found else most + 1):
                mates = self.mates(position, moves, nodes, allowed)
                if mates:
                    found = moves, self._first()
                if mates or mates is None:
                    break
        return found

    def shortest(self, position: Position, most: int, nodes: int) -> Proof | None:
        """The `Proof` of a mate within `most` moves, the shortest one if `nodes` for each question suffice;
        None if none was found."""
        found, known = self.bound(position, most, nodes), True
        for moves in range(1, found[0] if found else most + 1):
            mates = self.mates(position, moves, nodes)
            if mates:
                found = moves, self._first()
            known = mates is not None
            if mates or not known:
                break
        if found is None:
            return None
        moves, first = found
        return Proof(moves, known, self._beginnings(position, moves, nodes, first))

    def _first(self) -> Move:
        """The first move of the last mate that was found."""
        return spell(int(self._proof["first"]), self._description)

    def _beginnings(self, position: Position, moves: int, nodes: int, known: Move) -> tuple[Move, ...]:
        """The moves that begin a mate within `moves` moves, as far as `nodes` for all of them and at most one
        quiet move show; `known` is one of them."""
        legal = position.legal_moves()
        share = max(1, nodes // len(legal))
        found = [move for move in legal if move == known or self.mates(position, moves, share, 1, move)]
        return tuple(sorted(found, key=str))
