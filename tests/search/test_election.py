"""The vote of threads, in numbers: no tree is searched here."""

import pytest
from surajang import Engine, Position
from surajang.search.iterative_deepening import Goal, Search
from surajang.search.results import Line
from surajang.search.stop import Stop
from surajang.search.thread_vote import ThreadResult, vote
from surajang.search.time_management import Limit, TimeBudget
from surajang.search.tree.parameters import DECISIVE, MATE

pytestmark = [pytest.mark.compiled, pytest.mark.quick]

A, B, C = Position("chess").legal_moves()[:3]


def opinion(move, depth, value):
    return ThreadResult(depth, Line(value, (move,)))


def test_only_opinion_prevails():
    only = opinion(A, 7, -20)
    assert vote([only], 250) is only


def test_deeper_line_prevails_over_one_as_good():
    shallow, deep = opinion(A, 10, 30), opinion(B, 12, 30)
    assert vote([shallow, deep], 250) is deep
    assert vote([deep, shallow], 250) is deep


def test_better_score_prevails_at_the_same_depth():
    worse, better = opinion(A, 10, 30), opinion(B, 10, 45)
    assert vote([worse, better], 250) is better


def test_two_votes_outweigh_a_somewhat_better_score():
    lonely = opinion(A, 10, 40)
    pair = [opinion(B, 10, 35), opinion(B, 11, 35)]
    assert vote([lonely, *pair], 250) is pair[1]
    assert vote([*pair, lonely], 250) is pair[1]


def test_much_better_score_outweighs_two_votes():
    lonely = opinion(A, 10, 200)
    assert vote([lonely, opinion(B, 10, 0), opinion(B, 10, 0)], 250) is lonely


def test_scores_count_by_the_scale_of_the_game():
    """Ten centipawns are little if a pawn is worth five hundred."""
    lonely = opinion(A, 10, 60)
    pair = [opinion(B, 10, 30), opinion(B, 10, 30)]
    assert vote([lonely, *pair], 250) is lonely
    assert vote([lonely, *pair], 2500) is pair[0]


@pytest.mark.parametrize("plies", [1, 5, 11])
def test_proven_win_needs_no_votes(plies):
    win = opinion(A, 3, MATE - plies)
    others = [opinion(B, 20, 900), opinion(B, 20, 900), opinion(C, 3, MATE - 13)]
    assert win.line.value > DECISIVE
    assert vote([*others, win], 250) is win


# The search that asks for votes


def voted(**asked):
    """(depth, best move, reported first moves) after the election between a line of depth 8 and a better one
    of depth 9."""
    limit = Limit(depth=asked.get("depth"), nodes=asked.get("nodes"))
    goal = Goal(limit, TimeBudget(), asked.get("multipv", 1), None)
    told = []
    engine = Engine("chess", hash_mb=1, threads=2)
    search = Search(engine, Position("chess"), goal, told.append, None, Stop(), None)
    search.depth, search.lines = 8, [Line(10, (A,))]
    search.opinions[1] = ThreadResult(9, Line(30, (B,)))
    search.vote()
    return search.depth, search.lines[0].moves[0], [info.pv[0] for info in told]


def test_line_of_a_helper_is_played_and_reported_if_it_wins_the_vote():
    assert voted() == (9, B, [B])


@pytest.mark.parametrize("asked", [{"depth": 8}, {"nodes": 100_000}, {"multipv": 2}])
def test_what_was_asked_for_exactly_is_not_put_to_the_vote(asked):
    assert voted(**asked) == (8, A, [])
