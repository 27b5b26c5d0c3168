"""The evaluation of a position in parts: the terms of the hand-written evaluation, the network's score, and
the contribution of each piece."""

from typing import Any, NamedTuple

from ..engine.mechanics.gates import counts_in_hand
from ..engine.position import Position
from ..engine.representation.position_record import read_board, write_board
from ..eval.terms.weights import NORMAL_SCALE, build_weights
from .engine import Engine
from .tree.evaluation import tell_side_scores


class TermScore(NamedTuple):
    """A part of the hand-written evaluation: centipawns of White and of Black."""

    name: str
    white: int
    black: int


class EvalTrace(NamedTuple):
    """The static evaluation of a position in parts; centipawns, White's view.

    `evaluation` is the network in use (empty for the hand-written evaluation), and `network` its score.
    `pieces` are squares with the loss of the evaluation in use when the piece there is removed, except
    kings."""

    evaluation: str
    terms: tuple[TermScore, ...]
    hand_written: int
    network: int | None
    pieces: dict[int, int]


def trace_eval(engine: Engine, position: Position) -> EvalTrace:
    """The `EvalTrace` of a `Position` by an `Engine` of its game."""
    sign, state = (1, -1)[position.turn], position.state

    def score(record: Any, hand_written: bool = False) -> int:
        return sign * engine.score_of(record, hand_written).centipawns

    now = score(state)
    pieces = {
        square: now - score(without)
        for square in range(engine.rules.squares)
        if (without := _without(engine.rules, state, square)) is not None
    }
    return EvalTrace(
        engine.evaluation,
        _terms(engine, state),
        score(state, hand_written=True),
        now if engine.network else None,
        pieces,
    )


def _terms(engine: Engine, state: Any) -> tuple[TermScore, ...]:
    """The parts of the hand-written evaluation, in the order of its code."""
    weights = build_weights(engine.rules, engine.description)
    white, black, *threats = tell_side_scores(engine.rules, weights, state)
    material, places, hands = zip(
        *(_sums(engine.rules, weights, state, side) for side in (0, 1)), strict=True
    )
    rest = [total - sum(parts) for total, *parts in zip((white, black), material, places, hands, strict=True)]
    tempo = [int(weights["tempo"]) * (int(state["side"]) == side) for side in (0, 1)]
    rows = {
        "material": material,
        "squares": places,
        "hands": hands,
        "mobility": rest,
        "threats to the king": threats,
        "the move": tempo,
    }
    scale = NORMAL_SCALE / float(weights["scale"])
    return tuple(
        TermScore(name, *(round(int(value) * scale) for value in values)) for name, values in rows.items()
    )


def _sums(rules: Any, weights: Any, state: Any, side: int) -> tuple[int, int, int]:
    """(material, what its squares add, hands) of a side."""
    own = read_board(state, "colours", side)
    kinds = [(int(state["board"][square]), square) for square in range(rules.squares) if own >> square & 1]
    material = sum(int(weights["board"][kind]) for kind, _ in kinds)
    squares = sum(int(weights["squares"][side, kind, square]) for kind, square in kinds)
    most = weights["hands"].shape[1] - 1
    hands = sum(
        int(weights["hands"][hand, min(int(state["hands"][side][hand]), most)])
        for hand in range(rules.hand_kinds if counts_in_hand(rules, state, side) else 0)
    )
    return material, squares - material, hands


def _without(rules: Any, state: Any, square: int) -> Any:
    """The record without the piece on a square; None for an empty square or a king."""
    kind = int(state["board"][square])
    if kind in (rules.no_kind, rules.royal_kind):
        return None
    record = state.copy()
    record["board"][square] = rules.no_kind
    places = [("colours", side) for side in (0, 1)] + [("movers", int(rules.kind_mover[kind]))]
    for field, row in places:
        write_board(record, field, read_board(record, field, row) & ~(1 << square), row)
    return record
