"""Resignations and draw offers of the engine."""

import queue

import pytest
from surajang import Info, PlayResult, Position, Score
from surajang.engine.variant import Variant
from surajang.protocol.cecp.offers import (
    DRAW_OFFER,
    EARLIEST_DRAW,
    EVEN_MOVES,
    LOST_MOVES,
    RESIGNATION,
    Offers,
)
from surajang.protocol.cecp.protocol import Cecp
from surajang.protocol.session.loading import Loaded
from surajang.protocol.session.settings import OptionTable
from surajang.protocol.wire.stdio import InputLine
from surajang.tests.support.engines import Indifferent
from surajang.tests.support.gui import SOON

pytestmark = [pytest.mark.compiled, pytest.mark.quick]


def report(score, depth=12):
    return Info(depth, depth, score, 1000, 1.0, 1000, 0, (), 1)


def said(scores, *wanted, ply=EARLIEST_DRAW, depth=12):
    """The output with each move of those scores, centipawns or `Score`."""
    offers, settings = Offers(), OptionTable()
    offers.offer(settings)
    for name in wanted:
        settings.set(name, "1")
    reports = [score if isinstance(score, Score) else Score(score) for score in scores]
    return [offers.judge(report(score, depth), ply) for score in reports]


@pytest.mark.parametrize("score", [-900, -2000, Score(-31_000, -4)])
def test_engine_resigns_a_game_that_was_lost_for_some_moves(score):
    assert said([score] * LOST_MOVES, "Resign") == [None] * (LOST_MOVES - 1) + [RESIGNATION]


@pytest.mark.parametrize("between", [-899, 0, Score(31_000, 4)])
def test_better_score_between_is_no_reason_to_resign(between):
    lost = [-1000] * (LOST_MOVES - 1)
    assert said([*lost, between, *lost], "Resign") == [None] * (2 * LOST_MOVES - 1)


def test_engine_neither_resigns_nor_offers_unless_asked_to():
    assert said([-5000] * 10) == [None] * 10 and said([0] * 20) == [None] * 20
    assert said([-5000] * 10, "Offer draws") == [None] * 10 and said([0] * 20, "Resign") == [None] * 20


def test_shallow_search_is_no_ground():
    assert said([-5000] * 10, "Resign", depth=3) == [None] * 10


def test_draw_is_offered_late_in_an_even_game_and_not_with_every_move():
    wanted = ([None] * (EVEN_MOVES - 1) + [DRAW_OFFER]) * 2
    assert said([0, 10, -10, 3] * (EVEN_MOVES // 2), "Offer draws") == wanted
    assert said([0] * 20, "Offer draws", ply=EARLIEST_DRAW - 1) == [None] * 20
    assert said([11] * 20, "Offer draws") == [None] * 20


class Loser(Indifferent):
    """An engine whose scores are lost."""

    def play(self, position, limit, *, on_info, **options):
        move = position.legal_moves()[0]
        on_info(report(Score(-3000)))
        return PlayResult(move, Score(-3000), 12, 1000, (move,), 0.0)


def test_resigned_game_is_over_without_another_move():
    lines, events = [], queue.SimpleQueue()
    talk = Cecp(lines.append, events.put)
    talk.handle(Loaded(Variant("crazyhouse"), Loser(), Position("crazyhouse")))
    talk.handle(InputLine("option Resign=1"))
    for _ in range(LOST_MOVES):
        talk.handle(InputLine("go"))
        talk.handle(InputLine("ping 1"))
        while "pong 1" not in lines:
            talk.handle(events.get(timeout=SOON))
        lines.remove("pong 1")
    assert [line.split()[0] for line in lines] == ["move"] * (LOST_MOVES - 1) + ["resign"]
    lines.clear()
    talk.handle(InputLine("undo"))
    talk.handle(InputLine("undo"))
    talk.handle(InputLine("undo"))
    assert lines == ["Error (no moves to take back): undo"]
