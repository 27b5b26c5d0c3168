"""The line on which several threads agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..engine.game.moves import Move
from ..eval.terms.weights import NORMAL_SCALE
from .results import Line
from .tree.parameters import DECISIVE

VOTE_BASE = 14  # centipawns of NORMAL_SCALE; the weight of the worst line in a vote


class ThreadResult(NamedTuple):
    """The best line of one thread, and the depth of the iteration that found it."""

    depth: int
    line: Line


def vote(opinions: Sequence[ThreadResult], scale: float) -> ThreadResult:
    """The opinion that wins the vote of the threads.

    Each thread votes for its first move. A vote weighs more the deeper the thread searched, and the more its
    score exceeds the worst score. Of the voters for the winning move the weightiest one decides. A proven win
    needs no votes. The idea is Stockfish's, from its thread voting.
    """
    worst = min(opinion.line.value for opinion in opinions)
    sure = max(opinions, key=lambda opinion: opinion.line.value)
    if sure.line.value >= DECISIVE:
        return sure
    votes: dict[Move, float] = {}
    weights = [(o.line.value - worst + VOTE_BASE * scale / NORMAL_SCALE) * o.depth for o in opinions]
    for opinion, weight in zip(opinions, weights, strict=True):
        votes[opinion.line.moves[0]] = votes.get(opinion.line.moves[0], 0.0) + weight
    choice = max(votes, key=lambda move: votes[move])
    voters = [pair for pair in zip(weights, opinions, strict=True) if pair[1].line.moves[0] == choice]
    return max(voters, key=lambda pair: pair[0])[1]
