"""Converts scores to chances, and lost chances to marks. Chances are in White's view, from -1 to 1."""

import math
from typing import Any

from ..engine.game.description import Description
from ..eval.wdl import wdl_model_of

Eval = dict[str, Any]  # of a position, for JSON: "cp" or "mate", "depth", "chance", "over"

MARKS = ((0.3, "??"), (0.2, "?"), (0.1, "?!"))  # least loss of chances, and the mark
SCORES = {"1-0": 1.0, "0-1": -1.0, "1/2-1/2": 0.0}


def with_chance(eval_: Eval, description: Description) -> Eval:
    """A score {"cp" or "mate"} with "chance": White's expected result."""
    win, _, loss = wdl_model_of(description).chances(eval_.get("cp", 0), eval_.get("mate"))
    return eval_ | {"chance": (win - loss) / 1000}


def lost_chance(before: Eval, after: Eval, turn: int) -> float:
    """The chances that a move of `turn` lost, from 0 to 2."""
    change: float = (before["chance"] - after["chance"]) * (-1 if turn else 1)
    return max(0.0, change)


def move_mark(before: Eval, after: Eval, turn: int) -> str:
    """The mark of a move of `turn` by the chances before and after it, "" for a good one."""
    loss = lost_chance(before, after, turn)
    return next((text for least, text in MARKS if loss >= least), "")


def accuracy(loss: float) -> float:
    """The accuracy of a move that lost such chances, in per cent, by the formula of lichess
    (https://lichess.org/page/accuracy): 100 without a loss, 80 for a loss of 0.1, 64 for 0.2."""
    return max(0.0, min(100.0, 103.1668 * math.exp(-0.04354 * 50 * loss) - 3.1669))
