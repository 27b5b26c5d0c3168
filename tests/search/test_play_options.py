"""Options of `Engine.play`: several lines, some moves only, mates, pondering."""

import threading

import numpy as np
import pytest
from surajang import Clock, Engine, MoveError, Position
from surajang.engine.kernel.compiler import entry_point
from surajang.search import engine as search_engine
from surajang.search.engine import Ponder, Stop
from surajang.search.iterative_deepening import Search
from surajang.search.time_management import LAG_RATE, ClockLag
from surajang.search.tree.table import entry_move, probe
from surajang.tests.support.clocks import search_clock
from surajang.tests.support.games import mirror_fen, setup

pytestmark = [pytest.mark.compiled, pytest.mark.quick]

MIDDLE = "r2qkm2r1/1pp3pp1p/2n2b1p2/3p2p3/4P1c3/2P2N4/3B4P1/P4C4/1P1P2PP1P/R3KM3R[QBNPPrcnpp] w - - 0 1"
HANGING = setup("Ka1 Rd1 Ba3 kj10 qd7 pi9 pj9")  # the rook takes a queen
FEW = setup("Ka1 kj10 rc9 pi9 pj9")  # three moves
MATE_IN_ONE = setup("Kj1 Rb9 Rc8 ke10")
MATE_IN_TWO = setup("Ke1 kj10", "RR")
SECONDS = 60  # no test waits longer for another thread
NODES = 10_000_000  # far more than a search below comes to


@pytest.fixture(scope="module")
def shared():
    engine = Engine(hash_mb=16)
    yield engine
    engine.close()


@pytest.fixture
def engine(shared):
    """One engine for all tests, cleared."""
    shared.clear()
    return shared


def position_of(fen=None):
    return Position("pandemonium", fen)


def by_depth(infos):
    """The reports of each iteration."""
    found = {}
    for info in infos:
        found.setdefault(info.depth, []).append(info)
    return found


# Several lines


@pytest.mark.parametrize("fen", [MIDDLE, mirror_fen(MIDDLE), HANGING])
def test_lines_begin_with_different_moves_and_the_best_comes_first(engine, fen):
    infos, position = [], position_of(fen)
    result = engine.play(position, depth=4, multipv=4, on_info=infos.append)
    iterations = by_depth(infos)
    assert list(iterations) == [1, 2, 3, 4]
    for lines in iterations.values():
        assert [info.multipv for info in lines] == [1, 2, 3, 4]
        assert len({info.pv[0] for info in lines}) == 4
        scores = [info.score.centipawns for info in lines]
        assert scores == sorted(scores, reverse=True)
        for info in lines:
            line = position_of(fen)
            for move in info.pv:
                line.push(move)
    best = iterations[4][0]
    assert (result.move, result.score, result.pv) == (best.pv[0], best.score, best.pv)


def test_one_line_is_reported_where_one_is_asked_for(engine):
    infos = []
    engine.play(position_of(MIDDLE), depth=3, on_info=infos.append)
    assert [(info.depth, info.multipv) for info in infos] == [(1, 1), (2, 1), (3, 1)]


@pytest.mark.parametrize("asked", [3, 4, 500])
def test_no_more_lines_than_moves(engine, asked):
    infos, position = [], position_of(FEW)
    legal = position.legal_moves()
    assert len(legal) == 3
    engine.play(position, depth=3, multipv=asked, on_info=infos.append)
    for lines in by_depth(infos).values():
        assert {info.pv[0] for info in lines} == set(legal)
        assert [info.multipv for info in lines] == [1, 2, 3]


@pytest.mark.parametrize("fen", [HANGING, mirror_fen(HANGING), MATE_IN_ONE])
def test_best_move_is_the_same_with_more_lines(engine, fen):
    position = position_of(fen)
    alone = engine.play(position, depth=3)
    engine.clear()
    among = engine.play(position, depth=3, multipv=5)
    assert among.move == alone.move
    assert among.score.mate == alone.score.mate


def test_each_line_has_the_score_of_its_move(engine):
    """A mate, and other moves without one."""
    infos, position = [], position_of(MATE_IN_ONE)
    engine.play(position, depth=2, multipv=500, on_info=infos.append)
    lines = by_depth(infos)[2]
    assert len(lines) == len(position.legal_moves())
    for info in lines:
        position.push(info.pv[0])
        mates = position.result() is not None and position.result().reason.endswith(" mates")
        position.pop()
        assert (info.score.mate == 1) == mates
    assert 1 <= sum(info.score.mate == 1 for info in lines) < len(lines)


# Some moves only


def test_best_of_the_chosen_moves_is_played(engine):
    position = position_of(HANGING)
    best = engine.play(position, depth=4)
    assert str(best.move) == "d1d7"
    infos = []
    result = engine.play(position, depth=4, searchmoves=["d1c1", "a1b1", "d1d7"], on_info=infos.append)
    assert str(result.move) == "d1d7"
    for chosen in (["d1c1"], ["a1b1", "d1j1"]):
        result = engine.play(position, depth=4, searchmoves=chosen, on_info=infos.append)
        assert str(result.move) in chosen
        assert result.score.centipawns < best.score.centipawns
    assert {str(info.pv[0]) for info in infos} <= {"d1c1", "a1b1", "d1d7", "d1j1"}


def test_moves_may_be_chosen_as_moves_or_as_text(engine):
    position = position_of(MIDDLE)
    for move in position.legal_moves()[::40]:
        assert engine.play(position, depth=2, searchmoves=[move]).move == move
        assert engine.play(position, depth=2, searchmoves=iter([str(move)])).move == move
        assert engine.play(position, depth=2, root_moves=[move]).move == move
    with pytest.raises(TypeError, match=r"^root_moves and searchmoves are two names of one argument"):
        engine.play(position, depth=2, root_moves=[move], searchmoves=[move])


def test_choice_without_a_move_is_refused(engine):
    for name in ("root_moves", "searchmoves"):
        with pytest.raises(ValueError, match=r"^root_moves is empty; without it all moves are searched$"):
            engine.play(position_of(HANGING), depth=3, **{name: []})


def test_lines_stay_among_the_chosen_moves(engine):
    infos, chosen = [], {"d1c1", "a1b1", "d1j1"}
    engine.play(position_of(HANGING), depth=3, multipv=9, searchmoves=chosen, on_info=infos.append)
    for lines in by_depth(infos).values():
        assert {str(info.pv[0]) for info in lines} == chosen


@pytest.mark.parametrize("text", ["a1a9", "d1d11", "nonsense", ""])
def test_illegal_chosen_move_is_refused_and_quoted(engine, text):
    position = position_of(HANGING)
    with pytest.raises(MoveError) as refusal:
        engine.play(position, depth=1, searchmoves=["d1d7", text])
    assert repr(text) in str(refusal.value)
    assert refusal.value.text == text
    assert engine.play(position, depth=1).move


@entry_point
def _table_move(worker, key):
    data, _ = probe(worker, key)
    return entry_move(data)


def test_moves_left_out_do_not_spoil_the_table(engine):
    """Scores of the root without its best move must not be stored as the position's."""
    position = position_of(HANGING)
    best = engine.play(position, depth=5).move
    key, worker = np.uint64(position.key), engine.workers[0]
    assert _table_move(worker, key) == best.code
    engine.clear()
    engine.play(position, depth=5, searchmoves=["d1d6"])
    assert _table_move(worker, key) == 0
    engine.clear()
    assert engine.play(position, depth=5, multipv=5).move == best
    assert _table_move(worker, key) == best.code


# Mates


@pytest.mark.parametrize("moves, fen", [(1, MATE_IN_ONE), (2, MATE_IN_TWO), (5, MATE_IN_ONE)])
def test_search_ends_at_a_mate_that_is_short_enough(engine, moves, fen):
    infos = []
    result = engine.play(position_of(fen), mate=moves, nodes=3_000_000, on_info=infos.append)
    assert 1 <= result.score.mate <= moves
    assert result.nodes < 3_000_000
    for info in infos[:-1]:
        assert info.score.mate is None or not 0 < info.score.mate <= moves
    assert infos[-1].score == result.score


def test_search_does_not_end_at_a_longer_mate(engine):
    infos = []
    result = engine.play(position_of(MATE_IN_TWO), mate=1, depth=12, on_info=infos.append)
    assert result.depth == 12
    assert result.score.mate == 2
    assert infos[-2].score.mate == 2


def test_search_does_not_end_at_the_mate_of_the_other_side(engine):
    position = position_of(setup("Ka10 Kj1".replace("Kj1", "kj1") + " rb1 rh8", turn="w"))
    result = engine.play(position, mate=5, depth=8)
    assert result.depth == 8
    assert result.score.mate is not None and result.score.mate < 0


def test_other_limits_end_a_search_for_a_mate(engine):
    assert engine.play(position_of(), mate=3, depth=2).depth == 2
    assert engine.play(position_of(), mate=3, nodes=2_000).nodes < 4_000


# Pondering


class Thinker:
    """A search in a thread of its own, with events for its reports."""

    def __init__(self, engine, position, **options):
        self.infos, self.result = [], None
        self.news = threading.Condition()
        self.thread = threading.Thread(target=self.run, args=(engine, position, options), daemon=True)
        self.thread.start()

    def run(self, engine, position, options):
        result = engine.play(position, on_info=self.hear, **options)
        with self.news:
            self.result = result
            self.news.notify_all()

    def hear(self, info):
        with self.news:
            self.infos.append(info)
            self.news.notify_all()

    def wait_for_report(self, accept):
        """Waits until a report is accepted; fails when the search ends before."""
        with self.news:
            self.news.wait_for(lambda: self.result or any(map(accept, self.infos)), SECONDS)
            assert self.result is None
            assert any(map(accept, self.infos))

    def end(self):
        """The result, once there is one."""
        with self.news:
            assert self.news.wait_for(lambda: self.result, SECONDS)
        self.thread.join(SECONDS)
        return self.result


LIMITS = {
    "movetime of nothing": {"movetime": 0.0},
    "fallen flag": {"clock": Clock(0.0)},
    "short clock": {"clock": Clock(0.1)},
    "short movetime": {"movetime": 0.05},
}


@pytest.mark.parametrize("limits", LIMITS.values(), ids=LIMITS)
def test_pondering_does_not_end_before_the_hit_but_after_it(engine, limits):
    ponder = Ponder()
    thinker = Thinker(engine, position_of(MIDDLE), ponder=ponder, **limits)
    thinker.wait_for_report(lambda info: info.depth >= 4 and info.time > 0.1)
    assert not ponder.is_hit
    ponder.hit()
    assert ponder.is_hit
    result = thinker.end()
    assert result.move in position_of(MIDDLE).legal_moves()
    assert result.depth >= 4


def test_only_move_is_pondered_as_well(engine):
    """Without pondering it is played at once."""
    position, ponder = position_of(setup("Ka1 Pe5 ke10 pe6 rb8 rj3")), Ponder()
    assert len(position.legal_moves()) == 1
    thinker = Thinker(engine, position, ponder=ponder, clock=Clock(3600.0))
    thinker.wait_for_report(lambda info: info.depth >= 3)
    ponder.hit()
    assert thinker.end().move in position.legal_moves()


@pytest.mark.parametrize("limits", LIMITS.values(), ids=LIMITS)
def test_hit_before_the_search_makes_it_an_ordinary_one(engine, limits):
    ponder = Ponder()
    ponder.hit()
    result = Thinker(engine, position_of(MIDDLE), ponder=ponder, **limits).end()
    assert result.move in position_of(MIDDLE).legal_moves()


def test_stop_ends_pondering(engine):
    for by_flag in (True, False):
        stop = Stop()
        thinker = Thinker(engine, position_of(MIDDLE), ponder=Ponder(), stop=stop, clock=Clock(0.0))
        thinker.wait_for_report(lambda info: info.depth >= 3)
        (stop.set if by_flag else engine.stop)()
        assert thinker.end().move in position_of(MIDDLE).legal_moves()


def test_answer_is_held_back_until_the_hit_when_there_is_no_more_to_search(engine):
    ponder = Ponder()
    thinker = Thinker(engine, position_of(MIDDLE), ponder=ponder, depth=2, clock=Clock(60.0))
    thinker.wait_for_report(lambda info: info.depth == 2)
    thinker.thread.join(0.2)
    assert thinker.result is None
    ponder.hit()
    assert thinker.end().depth == 2


def test_hit_after_the_end_does_nothing(engine):
    ponder = Ponder()
    ponder.hit()
    engine.play(position_of(MIDDLE), depth=2, ponder=ponder, clock=Clock(0.0))
    ponder.hit()
    assert engine.play(position_of(MIDDLE), depth=3).depth == 3


@pytest.fixture
def clock(monkeypatch):
    return search_clock(monkeypatch)


def test_engine_learns_what_moves_cost_the_clock_besides_their_search(engine, clock, monkeypatch):
    """The second of two moves is given a clock that shows 0.4 s less than the first search has left."""
    lags, budget = [], search_engine.time_budget

    def note(*arguments, lag):
        lags.append(lag)
        return budget(*arguments, lag=lag)

    monkeypatch.setattr(search_engine, "time_budget", note)
    monkeypatch.setattr(engine, "_lag", ClockLag())
    position = position_of()
    for left in (Clock(10.0, 1.0), Clock(9.6 + 1.0 - 0.25, 1.0)):
        spent = engine.play(position, depth=1, clock=left, on_info=clock.at_each_iteration(0.25)).time
        assert spent == 0.25
        for _ in range(2):
            position.push(position.legal_moves()[0])
    assert lags == [0.0, pytest.approx(0.4 * LAG_RATE)]


def test_move_that_was_pondered_tells_nothing_of_such_costs(engine, clock, monkeypatch):
    """A part of its search was the opponent's time."""
    lag, position, ponder = ClockLag(), position_of(), Ponder()
    monkeypatch.setattr(engine, "_lag", lag)
    engine.play(position, depth=1, clock=Clock(10.0, 1.0))
    for _ in range(2):
        position.push(position.legal_moves()[0])
    ponder.hit()
    engine.play(position, depth=1, clock=Clock(9.0, 1.0), ponder=ponder)
    assert lag.seconds == 0.0
    engine.play(position, depth=1, clock=Clock(9.0, 1.0))
    assert lag.seconds > 0.0


def test_time_of_pondering_is_not_the_moves_own(engine, clock):
    """Three quarters of a second pass before the hit; the whole movetime remains."""
    ponder, pass_time = Ponder(), clock.at_each_iteration(0.25)

    def hear(info):
        pass_time(info)
        if clock.now - begin == 0.75:
            ponder.hit()

    begin = clock.now

    result = engine.play(position_of(MIDDLE), ponder=ponder, movetime=0.5, nodes=NODES, on_info=hear)
    assert (result.depth, result.time) == (5, 1.25)


def test_answer_comes_at_the_hit_when_the_search_has_lasted_long_enough(engine, clock, monkeypatch):
    """The current iteration is abandoned."""
    ponder, iterate = Ponder(), Search.iterate

    def hit_meanwhile(search, depth):
        if depth == 6:
            ponder.hit()
        return iterate(search, depth)

    monkeypatch.setattr(Search, "iterate", hit_meanwhile)
    limits = {"ponder": ponder, "clock": Clock(16.0), "nodes": NODES}
    result = engine.play(position_of(MIDDLE), **limits, on_info=clock.at_each_iteration(60.0))
    assert (result.depth, result.time) == (5, 300.0)


# Overhead


def test_overhead_is_taken_off_the_clock(engine):
    position = position_of(MIDDLE)
    usual = engine.move_overhead
    try:
        engine.move_overhead = 3_600.0
        assert engine.play(position, clock=Clock(3_000.0, 10.0), depth=4).depth == 1
    finally:
        engine.move_overhead = usual
    assert 0 <= usual < 1
    assert engine.play(position, clock=Clock(3_000.0, 10.0), depth=3).depth == 3


# Limits that make no sense


def test_several_lines_are_searched_a_ply_deep_whatever_the_nodes(engine):
    infos = []
    result = engine.play(position_of(MIDDLE), nodes=1, multipv=6, on_info=infos.append)
    assert [(info.depth, info.multipv) for info in infos] == [(1, number) for number in range(1, 7)]
    assert (result.depth, result.pv) == (1, infos[0].pv)


@pytest.mark.parametrize("name", ["depth", "nodes", "mate", "multipv"])
@pytest.mark.parametrize("limit", [0, -7])
def test_impossible_limit_is_refused_by_name(engine, name, limit):
    with pytest.raises(ValueError, match=rf"{name}.*{limit}"):
        engine.play(position_of(), **{"depth": 3, name: limit})
    assert engine.play(position_of(), depth=1).move


@pytest.mark.parametrize(
    "limits, name", [({"movetime": -0.5}, "movetime"), ({"movetime": float("nan")}, "movetime")]
)
def test_impossible_time_is_refused_by_name(engine, limits, name):
    with pytest.raises(ValueError, match=name):
        engine.play(position_of(), **limits)
