"""A short game of every seed game: the search plays, and an independent judge checks the moves."""

import random

import pytest
from surajang import Engine, Position
from surajang.tests.support.games import SEED_GAMES, texts
from surajang.tests.support.soak_judges import judge_of

pytestmark = [pytest.mark.compiled, pytest.mark.quick]

PLIES = 24
NODES = 300  # of a search


@pytest.mark.parametrize("variant", SEED_GAMES)
def test_search_plays_a_legal_game_against_moves_by_chance(variant):
    """The other side plays random moves, so that there are captures and drops."""
    position, judge, chance = Position(variant), judge_of(variant), random.Random(variant)
    engine = Engine(variant, hash_mb=1)
    while judge.result is None and position.ply < PLIES:
        assert set(texts(position)) == judge.moves, position.fen()
        if position.turn:
            move = chance.choice(sorted(judge.moves))
        else:
            move = str(engine.play(position, nodes=NODES).move)
        position.push(move)
        judge.push(move)
        result = position.result()
        assert (result and result.score) == judge.result, position.fen()
    assert position.ply == PLIES or judge.result
    engine.close()
