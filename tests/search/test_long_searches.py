"""Reports of searches of more than a second before an iteration is finished, and scores that a user gives."""

import pytest
from surajang import Engine, Position
from surajang.search import reports
from surajang.search.engine import Score
from surajang.tests.support.clocks import search_clock
from surajang.tests.support.gui import UciGui

pytestmark = pytest.mark.process

FREE_QUEEN = "7k/8/8/3q4/8/2N5/8/K7[] w - - 0 1"


@pytest.fixture(scope="module")
def engine():
    with_little_memory = Engine("crazyhouse", hash_mb=16)
    yield with_little_memory
    with_little_memory.close()


@pytest.fixture
def long(engine, monkeypatch):
    """An engine for which every search is long."""
    monkeypatch.setattr(reports, "LONG_S", 0.0)
    monkeypatch.setattr(reports, "CURRENT_POLL_S", 0.001)
    engine.clear()
    return engine


def test_bounds_are_reported_for_scores_outside_the_window(long):
    """A score is expected near that of the iteration before; the search reports when it widens its window."""
    infos = []
    long.play(Position("crazyhouse", FREE_QUEEN), depth=12, on_info=infos.append)
    finished = {info.depth: info.score.centipawns for info in infos if not info.bound}
    bounds = [info for info in infos if info.bound]
    assert bounds and list(finished) == list(range(1, 13))
    for info in bounds:
        above = info.score.centipawns > finished[info.depth - 1]
        assert info.bound == ("lower" if above else "upper")
        assert info.pv and info.multipv == 1


def test_several_lines_are_reported_without_bounds(long):
    infos = []
    long.play(Position("crazyhouse", FREE_QUEEN), depth=10, multipv=2, on_info=infos.append)
    assert infos and not [info for info in infos if info.bound]


def test_current_moves_are_first_moves_with_their_numbers(long):
    position, heard = Position("crazyhouse"), []
    chosen = [str(move) for move in position.legal_moves()[:5]]
    long.play(position, depth=16, searchmoves=chosen, on_current=heard.append)
    assert len(heard) > 3
    for current in heard:
        assert str(current.move) in chosen
        assert 1 <= current.number <= current.total == 5
        assert 1 <= current.depth <= 16
    assert [current.depth for current in heard] == sorted(current.depth for current in heard)


class Ended:
    """An event that is set after a few waits, and records their lengths."""

    def __init__(self):
        self.waits = []

    def wait(self, seconds):
        self.waits.append(seconds)
        return len(self.waits) == 4


def test_current_moves_are_reported_from_the_first_second_on():
    told = reports.Reports(None, [{"current": 0, "root_depth": 0}], 1.0, None, None, print)
    told._ended = Ended()
    told.tell_current(1)
    assert told._ended.waits == [1.0, 0.1, 0.1, 0.1]


def test_bounds_are_reported_from_the_first_second_on(engine, monkeypatch):
    clock, times = search_clock(monkeypatch), []

    def hear(info):
        if info.bound:
            times.append(info.time)
        else:
            clock.advance(0.125)

    engine.clear()
    engine.play(Position("crazyhouse", FREE_QUEEN), depth=12, on_info=hear)
    assert times and min(times) >= 1.0


def test_short_searches_report_nothing_unfinished(engine, monkeypatch):
    search_clock(monkeypatch)
    engine.clear()
    heard, infos = [], []
    engine.play(Position("crazyhouse", FREE_QUEEN), depth=8, on_info=infos.append, on_current=heard.append)
    assert heard == [] and not [info for info in infos if info.bound]


def test_given_score_counts_up_to_its_depth(engine):
    engine.clear()
    position = Position("crazyhouse")
    position.push("a2a3")
    engine.give_score(position, Score(-850), 3)
    start = Position("crazyhouse")
    result = engine.play(start, depth=4)
    assert (str(result.move), result.score) == ("a2a3", Score(850))
    assert engine.play(start, depth=7).score.centipawns < 400
    engine.clear()
    assert engine.play(start, depth=4).score.centipawns < 400


def test_given_mates_are_counted_from_the_position(engine):
    engine.clear()
    position = Position("crazyhouse")
    position.push("a2a3")
    engine.give_score(position, Score(0, -2), 20)
    assert engine.play(Position("crazyhouse"), depth=5).score.mate == 3
    assert engine.play(position, depth=5).score.mate == -2


def test_newest_of_two_scores_of_a_position_counts(engine):
    engine.clear()
    position = Position("crazyhouse")
    engine.give_score(position, Score(500), 9)
    engine.give_score(position, Score(-300), 2)
    assert engine.play(position, depth=2).score == Score(-300)


@pytest.mark.parametrize("depth", [0, -1])
def test_given_score_needs_a_depth(engine, depth):
    with pytest.raises(ValueError, match=f"depth {depth} should"):
        engine.give_score(Position("crazyhouse"), Score(0), depth)


def test_score_of_another_game_is_refused(engine):
    with pytest.raises(ValueError, match="'chess'"):
        engine.give_score(Position("chess"), Score(0), 3)


def test_long_search_reports_its_current_move_in_uci():
    gui = UciGui()
    gui.start("crazyhouse")
    gui.send("position startpos", "go movetime 1500")
    said = gui.expect("bestmove .*")
    gui.close()
    current = [line.split() for line in said if " currmove " in line]
    assert current
    for line in current:
        assert line[:2] == ["info", "depth"] and line[3] == "currmove" and line[5] == "currmovenumber"
        assert 1 <= int(line[6]) <= 20
