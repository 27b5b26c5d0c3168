"""How a game ends by the rules that all games have, and by repetition."""

from __future__ import annotations

from typing import NamedTuple

from .mechanics.no_moves import reason_of_end, sign_of_end
from .mechanics.outcomes import reason, score_sign
from .notation.position_like import PositionLike

COLOURS = ("White", "Black")
LOSS_OF = ("0-1", "1-0")
DRAW = "1/2-1/2"


class Result(NamedTuple):
    """The end of a game: `score` is "1-0", "0-1" or "1/2-1/2", `reason` a short sentence."""

    score: str
    reason: str

    @property
    def winner(self) -> int | None:
        """The colour that has won, 0 for White and 1 for Black, or None in a draw."""
        return None if self.score == DRAW else 1 - LOSS_OF.index(self.score)


def result_of(position: PositionLike) -> Result | None:
    """The result by rule, or None while the game is in progress."""
    state, rules, description = position.state, position.rules, position.description
    if state["outcome"]:
        return _special_result(position, int(state["outcome"]))
    if not position.legal_codes():
        return _without_moves(position)
    limit = rules.quiet_limit
    if limit and state["halfmoves"] >= limit:
        return Result(DRAW, f"Draw: {limit // 2} moves without progress")
    most = description.move_limit
    if most and state["fullmoves"] > most:
        return Result(DRAW, f"Draw: {most} moves of each side")
    if rules.dead and position.is_dead():
        return Result(DRAW, "Draw: neither side can mate")
    return _repetition_result(position)


def _without_moves(position: PositionLike) -> Result:
    """The result of a side that has no legal move."""
    turn, checked = position.turn, position.is_check()
    description = position.description
    sign = sign_of_end(description, position.state, checked)
    text = reason_of_end(description, sign, checked, COLOURS[turn], COLOURS[1 - turn])
    return Result(LOSS_OF[turn if sign < 0 else 1 - turn] if sign else DRAW, text)


def _special_result(position: PositionLike, outcome: int) -> Result:
    """The result by a rule of this game alone."""
    turn, sign = position.turn, score_sign.py_func(outcome)
    score = LOSS_OF[turn if sign < 0 else 1 - turn] if sign else DRAW
    return Result(score, reason(outcome, position.description, COLOURS[turn], COLOURS[1 - turn]))


def earlier_times(keys: list[int]) -> list[int]:
    """The indexes of earlier positions that the repetition rule takes for the last one."""
    return [index for index, key in enumerate(keys[:-1]) if key == keys[-1]]


def _repetition_result(position: PositionLike) -> Result | None:
    """What the rules make of repetition, or loss of the player who alone gave check with every move since
    the last time."""
    rules, turn = position.rules, position.turn
    keys = position.repetition_keys()
    earlier = earlier_times(keys)
    if len(earlier) < rules.repetition_times - 1:
        return None
    if rules.perpetual_check_loses:
        last, checks = len(keys) - 1, position.history()[1]
        mine = all(checks[earlier[-1] + 1 : last : 2])
        theirs = all(checks[earlier[-1] + 2 : last + 1 : 2])
        if mine != theirs:
            loser = turn if mine else 1 - turn
            return Result(LOSS_OF[loser], f"{COLOURS[loser]} checks perpetually")
    if sign := rules.repetition_sign:
        sign = -sign if rules.repetition_absolute and turn else sign
        loser = turn if sign < 0 else 1 - turn
        return Result(LOSS_OF[loser], f"{COLOURS[loser]} loses by repetition")
    return Result(DRAW, "Draw by repetition")
