"""The engine's play: mates, draws, limits, and scores. Mates are proven by a solver that tries every legal
move of `Position`, without the search."""

import threading
from itertools import pairwise

import pytest
from surajang import Clock, Engine, Position
from surajang.search import iterative_deepening
from surajang.search.engine import Score, Stop
from surajang.search.tree.parameters import DECISIVE, INFINITE, MATE, MATE_BOUND, MAX_PLY
from surajang.search.tree.search import search_root
from surajang.tests.support.clocks import search_clock
from surajang.tests.support.games import START_FEN, mirror_fen, setup

pytestmark = [pytest.mark.compiled, pytest.mark.quick]


MIDDLE = "r2qkm2r1/1pp3pp1p/2n2b1p2/3p2p3/4P1c3/2P2N4/3B4P1/P4C4/1P1P2PP1P/R3KM3R[QBNPPrcnpp] w - - 0 1"


@pytest.fixture(scope="module")
def shared():
    """With the hand-written evaluation, because the scores below are its own."""
    engine = Engine(hash_mb=16, eval_file=False)
    yield engine
    engine.close()


@pytest.fixture
def engine(shared):
    """One engine for all tests, cleared."""
    shared.clear()
    return shared


def position_of(fen=START_FEN, moves=""):
    position = Position("pandemonium", fen)
    for move in moves.split():
        position.push(move)
    return position


def both(fen):
    """The position and the same with colours changed."""
    return [position_of(fen), position_of(mirror_fen(fen))]


def has_mate(position, moves):
    """Whether the side to move forces mate within that many moves; tries everything."""
    return any(mates(position, move, moves) for move in position.legal_moves())


def mates(position, move, moves):
    """Whether this move forces mate within `moves` moves, including itself."""
    position.push(move)
    try:
        result = position.result()
        if result is not None or moves == 1:
            return result is not None and result.reason.endswith(" mates")
        return is_mated(position, moves - 1)
    finally:
        position.pop()


def is_mated(position, moves):
    """Whether every reply runs into mate within `moves` moves of the other side."""
    for reply in position.legal_moves():
        position.push(reply)
        lost = position.result() is None and has_mate(position, moves)
        position.pop()
        if not lost:
            return False
    return True


MATES = [
    (1, setup("Kj1 Rb9 Rc8 ke10")),  # two rooks
    (1, setup("Ke1 Rb9 kj10", "R")),  # a drop
    (1, setup("Kd8 Pf9 Rb9 kd10")),  # a pawn that promotes
    (1, setup("Ke1 Bb8 kj10 ri10 pi9 pj9", "N")),  # a knight dropped beside the king's own men
    (2, setup("Ke1 kj10", "RR")),  # two drops
    (2, setup("Ke1 kj10 pj9 ri9", "QN")),
    (2, setup("Kc8 Rh1 ka10")),  # a king and a rook
    (3, setup("Kj1 Ra7 Rb6 ke9")),
]

NODES = 1_000_000  # far more than the mates above take

ENDLESS = 20_000_000  # nodes that only a search meets that nobody can stop

DEEP = 30  # plies, beyond what pruning hides


# Mates


@pytest.mark.parametrize("moves, fen", MATES)
def test_shortest_mate_is_found_and_announced(engine, moves, fen):
    for position in both(fen):
        engine.clear()
        result = engine.play(position, mate=moves, nodes=NODES)
        assert result.score.mate == moves
        assert mates(position, result.move, moves)
        assert not any(has_mate(position, fewer) for fewer in range(1, moves))
        assert len(result.pv) <= 2 * moves - 1


@pytest.mark.parametrize("moves, fen", [case for case in MATES if case[0] > 1])
def test_side_that_is_being_mated_holds_out_longest_and_reports_it(engine, moves, fen):
    """The first iteration may miss the shortest way; the final score and the move are right."""
    for position in both(fen):
        first = engine.play(position, mate=moves, nodes=NODES).move
        position.push(first)
        engine.clear()
        result = engine.play(position, depth=DEEP, nodes=NODES)
        assert result.score.mate == 1 - moves
        assert is_mated(position, moves - 1)
        assert moves == 2 or not is_mated(position, moves - 2)
        assert result.move in position.legal_moves()
        position.push(result.move)
        assert has_mate(position, moves - 1)
        assert not any(has_mate(position, fewer) for fewer in range(1, moves - 1))


def test_mate_by_drop_is_a_drop(engine):
    result = engine.play(position_of(setup("Ke1 Rb9 kj10", "R")), depth=3)
    assert result.move.is_drop
    assert str(result.move)[:2] == "R@"


def test_pawn_drop_is_no_mate_for_the_search_either(engine):
    """A pawn on i9 would mate if it were allowed; a bishop there does."""
    position = position_of(setup("Ke1 Bj8 Nh8 kj10", "P"))
    assert not has_mate(position, 1)
    result = engine.play(position, depth=4)
    assert result.score.mate != 1
    assert result.move in position.legal_moves()
    position = position_of(setup("Ke1 Bj8 Nh8 kj10", "B"))
    assert mates(position, position.parse_move("B@i9"), 1)
    assert engine.play(position, depth=4).score.mate == 1


@pytest.mark.parametrize(
    "value, mate",
    [
        (MATE - 1, 1),
        (MATE - 2, 1),
        (MATE - 3, 2),
        (MATE - 5, 3),
        (2 - MATE, -1),
        (4 - MATE, -2),
        (MATE_BOUND, (MAX_PLY + 1) // 2),
        (MATE_BOUND - 1, None),
        (1 - MATE_BOUND, None),
        (0, None),
        (-250, None),
    ],
)
def test_score_counts_moves_to_mate(value, mate):
    assert Score.of(value) == Score(value, mate)


def test_score_is_written_in_pawns_or_as_mate():
    assert [str(Score.of(value)) for value in (125, -5, MATE - 3, 4 - MATE)] == [
        *("+1.25", "-0.05"),
        *("mate 2", "mate -2"),
    ]


# Draws


def test_stalemate_is_taken_rather_than_mate(engine):
    """Every move but the stalemating capture is mated at once."""
    for position, move in zip(both(setup("Ka1 Nf3 Be6 kc1 qb3")), ("e6b3", "e5b8"), strict=True):
        for other in position.legal_moves():
            if str(other) != move:
                position.push(other)
                assert has_mate(position, 1)
                position.pop()
        result = engine.play(position, depth=5)
        assert (str(result.move), result.score) == (move, Score(0))
        position.push(move)
        assert position.result().reason == "Stalemate"


# The kings walk to and fro: the next step of White's king makes the third occurrence.
SHUFFLE = "c1b1 j10i10 b1a1 i10j10 a1b1 j10i10 b1a1 i10j10"


def test_losing_side_repeats(engine):
    position = position_of(setup("Kc1 kj10 qf9 rh8"), SHUFFLE)
    result = engine.play(position, depth=5)
    assert (str(result.move), result.score) == ("a1b1", Score(0))
    position.push(result.move)
    assert position.result().reason == "Draw by repetition"


def test_losing_side_would_lose_without_the_repetition(engine):
    """The test above fails for an engine without the game's history."""
    position = position_of(setup("Ka1 kj10 qf9 rh8"))
    assert engine.play(position, depth=5).score.centipawns < -300


def test_winning_side_does_not_repeat(engine):
    position = position_of(setup("Kc1 Qf2 Rh3 kj10"), SHUFFLE)
    result = engine.play(position, depth=5)
    assert str(result.move) != "a1b1"
    assert result.score.centipawns > 500


# White's queen checks from a4 and b4, and Black's king goes from a10 to b10 and back. Black has so
# much in hand that White is lost when the checks end.
CHECKS = "c4a4 a10b10 a4b4 b10a10 b4a4 a10b10 a4b4"


def test_checker_does_not_repeat_forever(engine):
    """The check from a4 would be the third: perpetual check, which loses."""
    position = position_of(setup("Kj1 Qc4 ka10", "qqqrr"), CHECKS + " b10a10")
    result = engine.play(position, depth=4)
    assert str(result.move) != "b4a4"
    assert result.score.centipawns < -300
    position.push("b4a4")
    assert position.result() == ("0-1", "White checks perpetually")


def test_checked_side_claims_the_perpetual_check(engine):
    """Going back to a10 makes the third occurrence, and White has checked with every move."""
    position = position_of(setup("Kj1 Qb4 ka10"), CHECKS.replace("c4", "b4"))
    assert position.result() is None
    result = engine.play(position, depth=4)
    assert str(result.move) == "b10a10"
    assert DECISIVE <= result.score.centipawns < MATE_BOUND
    assert result.score.mate is None
    position.push(result.move)
    assert position.result() == ("0-1", "White checks perpetually")


# Limits


@pytest.mark.parametrize("depth", [1, 2, 3, 6])
def test_depth_is_searched_and_no_more(engine, depth):
    infos = []
    result = engine.play(position_of(), depth=depth, on_info=infos.append)
    assert result.depth == depth
    assert [info.depth for info in infos] == list(range(1, depth + 1))


@pytest.mark.parametrize("nodes", [1, 2, 100, *range(5_000, 5_020), 50_000])
def test_as_many_nodes_are_searched_as_were_asked_for(engine, nodes):
    """Even in the middle of a line of captures."""
    for position in (position_of(), position_of(MIDDLE)):
        engine.clear()
        result = engine.play(position, nodes=nodes)
        assert result.nodes == nodes
        assert result.move in position.legal_moves()


def test_nearest_limit_decides(engine):
    assert engine.play(position_of(), depth=2, nodes=10**9).depth == 2
    assert engine.play(position_of(), depth=50, nodes=3_000).nodes == 3_000


@pytest.mark.parametrize("fen, depth", [(START_FEN, 7), (MIDDLE, 3), (mirror_fen(MIDDLE), 3)])
def test_one_thread_plays_the_same_again(engine, fen, depth):
    def search():
        result = engine.play(position_of(fen), depth=depth)
        return result.move, result.score, result.nodes, result.pv

    first = search()
    engine.clear()
    assert search() == first
    other = Engine(hash_mb=16, eval_file=False)
    result = other.play(position_of(fen), depth=depth)
    assert (result.move, result.score, result.nodes, result.pv) == first
    other.close()


def test_table_spares_a_second_search(engine):
    """Without `clear` the engine remembers; the test above shows that it can forget."""
    positions = [position_of(fen) for fen in (START_FEN, MIDDLE, mirror_fen(MIDDLE))]
    first, second = [[engine.play(each, depth=9).nodes for each in positions] for _ in range(2)]
    assert sum(second) < 0.75 * sum(first)


@pytest.mark.parametrize(
    "fen, depth",
    [(START_FEN, 6), (MIDDLE, 3), (mirror_fen(MIDDLE), 3), (setup("Ke1 ke10", "QRBNPqrbnp"), 4)],
)
def test_reports_are_consistent(engine, fen, depth):
    position, infos = position_of(fen), []
    result = engine.play(position, depth=depth, on_info=infos.append)
    for info in infos:
        line = position_of(fen)
        assert info.pv
        for move in info.pv:
            assert move in line.legal_moves()
            line.push(move)
        assert info.seldepth >= info.depth - 1
        assert 0 <= info.hashfull <= 1000
        assert abs(info.score.centipawns) <= MATE
    for one, other in pairwise(infos):
        assert one.nodes < other.nodes
        assert one.time <= other.time
    last = infos[-1]
    assert (result.move, result.score, result.pv) == (last.pv[0], last.score, last.pv)
    assert result.nodes >= last.nodes
    assert result.time >= last.time


def test_position_is_left_as_it_was(engine):
    position = position_of(MIDDLE, "f1e3 f10e8")
    before = position.fen(), position.moves, position.key, position.legal_moves()
    engine.play(position, depth=3)
    assert (position.fen(), position.moves, position.key, position.legal_moves()) == before


def test_only_move_is_played_at_once_by_the_clock(engine):
    position = position_of(setup("Ka1 ke10 rb8 rj3"))
    (only,) = position.legal_moves()
    result = engine.play(position, clock=Clock(60.0))
    assert (result.move, result.depth) == (only, 1)


@pytest.mark.parametrize("fen", [setup("Ka1 kc1 Bb3 Nf3", turn="b"), setup("Ka1 ke10 ra9 rb8")])
def test_without_a_legal_move_there_is_none(engine, fen):
    """Stalemate and mate."""
    position = position_of(fen)
    assert not position.legal_moves()
    result = engine.play(position, depth=3)
    assert (result.move, result.pv, result.nodes) == (None, (), 0)


# Stopping


def test_stop_before_the_search_still_gives_a_move(engine):
    stop = Stop()
    stop.set()
    position = position_of(MIDDLE)
    result = engine.play(position, stop=stop)
    assert result.move in position.legal_moves()
    assert result.depth == 1


def test_stop_from_a_report_ends_the_search_there(engine):
    def at_three(info):
        if info.depth == 3:
            engine.stop()

    assert engine.play(position_of(MIDDLE), on_info=at_three).depth == 3


def test_stop_without_a_search_does_nothing(engine):
    engine.stop()
    assert engine.play(position_of(), depth=3).depth == 3


@pytest.mark.parametrize("fen", [START_FEN, MIDDLE, setup("Ke1 ke10 Qa1 qa10", "QRBNPPPqrbnppp")])
def test_search_that_was_told_to_stop_looks_at_few_more_nodes(engine, fen):
    """A thousand take about a millisecond."""
    stop = Stop()
    stop.set()
    engine.play(position_of(fen), depth=1, stop=stop)  # leaves the position at the root, and the flag
    worker = engine.workers[0]
    worker["nodes"], worker["stoppable_from"], worker["node_limit"] = 0, 0, NODES
    search_root(engine.rules, worker, DEEP, -INFINITE, INFINITE)
    assert worker["stopped"] and worker["nodes"] <= 1_000


def test_first_iteration_is_finished_unless_it_is_long(engine, monkeypatch):
    """In some games it takes many nodes; clocks must not wait for it."""
    stop = Stop()
    stop.set()
    whole = engine.play(position_of(MIDDLE), multipv=8, stop=stop)
    assert whole.depth == 1 and whole.nodes > 600
    monkeypatch.setattr(iterative_deepening, "FIRST_NODES", 300)
    engine.clear()
    for multipv in (1, 8):
        cut = engine.play(position_of(MIDDLE), multipv=multipv, stop=stop)
        assert cut.move in position_of(MIDDLE).legal_moves() and cut.nodes <= 600


def test_lines_that_a_stopped_first_iteration_has_finished_count(engine, monkeypatch):
    stop = Stop()
    stop.set()
    one = engine.play(position_of(MIDDLE), stop=stop)
    engine.clear()
    whole = engine.play(position_of(MIDDLE), multipv=8, stop=stop)
    engine.clear()
    monkeypatch.setattr(iterative_deepening, "FIRST_NODES", (one.nodes + whole.nodes) // 2)
    cut = engine.play(position_of(MIDDLE), multipv=8, stop=stop)
    assert one.nodes < cut.nodes < whole.nodes
    assert (cut.move, cut.score) == (one.move, one.score)


@pytest.mark.parametrize("by_flag", [True, False])
@pytest.mark.parametrize("fen", [START_FEN, MIDDLE, setup("Ke1 ke10 Qa1 qa10", "QRBNPPPqrbnppp")])
def test_search_is_stopped_from_another_thread(engine, fen, by_flag):
    position, stop, begun = position_of(fen), Stop(), threading.Event()

    def tell():
        begun.wait()
        (stop.set if by_flag else engine.stop)()

    teller = threading.Thread(target=tell)
    teller.start()
    result = engine.play(position, nodes=ENDLESS, stop=stop, on_info=lambda info: begun.set())
    teller.join()
    assert stop.is_set()
    assert 1 <= result.nodes < ENDLESS
    assert result.move in position.legal_moves()


@pytest.fixture
def clock(monkeypatch):
    return search_clock(monkeypatch)


# Time that only advances by a fixed part of a second with each iteration


def test_movetime_is_all_used_and_no_more(engine, clock):
    on_info = clock.at_each_iteration(0.25)
    result = engine.play(position_of(MIDDLE), movetime=1.0, nodes=NODES, on_info=on_info)
    assert (result.depth, result.time) == (4, 1.0)
    assert result.nodes < NODES


@pytest.mark.parametrize("own", [Clock(0.0), Clock(0.01), Clock(0.0, 0.0, 1), Clock(-1.0)])
def test_flag_about_to_fall_still_gets_a_move(engine, clock, own):
    position = position_of(MIDDLE)
    result = engine.play(position, clock=own, nodes=NODES)
    assert result.move in position.legal_moves()
    assert (result.depth, result.time) == (1, 0.0)


def test_movetime_of_nothing_still_gets_a_move(engine):
    position = position_of(MIDDLE)
    assert engine.play(position, movetime=0).move in position.legal_moves()


@pytest.mark.parametrize("limits", [{"movetime": 1e12}, {"clock": Clock(1e12)}])
def test_time_without_end_is_no_error(engine, monkeypatch, limits):
    """No thread may crash because of it either."""
    deaths = []
    monkeypatch.setattr(threading, "excepthook", deaths.append)
    result = engine.play(position_of(), nodes=50_000, **limits)
    assert result.nodes >= 50_000
    assert deaths == []


def test_clock_is_not_used_up_by_one_move(engine, clock):
    """Neither by iterations that take long, nor by one that does not end, which a timer stops."""
    on_info = clock.at_each_iteration(1 / 64)
    result = engine.play(position_of(MIDDLE), clock=Clock(1.0), nodes=NODES, on_info=on_info)
    assert result.nodes < NODES
    (timer,) = clock.timers
    assert result.time <= timer.seconds <= 0.5


# Evaluation


def test_mated_root_differs_from_a_stalemate(engine):
    """The referee of the rules says which is which."""
    mated, stalemate = (
        Position(fen=setup("Kb8 Qb9 ka10", turn="b")),
        Position(fen=setup("Kc9 Qb8 ka10", turn="b")),
    )
    assert mated.result().reason == "White mates"
    assert stalemate.result().reason == "Stalemate"
    assert engine.play(mated, depth=3).score.mate == 0
    assert engine.play(mated, depth=3).score.centipawns == -MATE
    assert engine.play(stalemate, depth=3).score == (0, None)
