"""The engine as a library: analyses, event loops and interrupts."""

import asyncio
import copy
import pickle
import signal
import threading
import time
from types import SimpleNamespace

import pytest
from surajang import AnalysisResult, Engine, Info, Limit, MoveError, Position, Score
from surajang.search import begun
from surajang.tests.support.fake_players import wait_for

pytestmark = [pytest.mark.compiled, pytest.mark.quick]

FORK = "4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1"
SECONDS = 60  # no test waits longer
SHORT = Limit(depth=4)


@pytest.fixture(scope="module")
def shared():
    with Engine("chess", hash_mb=1) as engine:
        yield engine


@pytest.fixture
def engine(shared):
    """One engine for all tests, at full strength and cleared."""
    shared.clear()
    yield shared
    shared.configure(elo=None, skill=20, move_overhead=0.03)


def test_end_of_a_block_closes_the_engine():
    with Engine("chess", hash_mb=1) as engine:
        assert engine.play(Position("chess"), Limit(depth=1)).move is not None
    with pytest.raises(RuntimeError, match="this engine is closed"):
        engine.play(Position("chess"), Limit(depth=1))


# Analysing


def test_analysis_in_one_call_gives_the_last_report(engine):
    reports = []
    found = engine.analyse(Position("chess", FORK), SHORT, info=reports.append)
    assert isinstance(found, Info) and found.depth == 4
    assert str(found.pv[0]) == "e3d5" and found.score == reports[-1].score


def test_several_lines_come_best_first(engine):
    found = engine.analyse(Position("chess", FORK), SHORT, multipv=3)
    assert [info.multipv for info in found] == [1, 2, 3]
    assert found[0].score.centipawns >= found[1].score.centipawns >= found[2].score.centipawns
    assert len({info.pv[0] for info in found}) == 3


def test_root_moves_are_the_only_ones(engine):
    found = engine.analyse(Position("chess", FORK), SHORT, root_moves=["e3c4"])
    assert str(found.pv[0]) == "e3c4"
    with pytest.raises(MoveError, match="'e3e5'"):
        engine.analyse(Position("chess", FORK), SHORT, root_moves=["e3e5"])


def test_decided_position_has_a_score_and_no_line(engine):
    mated = Position("chess", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    assert engine.analyse(mated, SHORT).pv == ()
    assert len(engine.analyse(mated, SHORT, multipv=2)) == 1


def test_reports_are_iterated_over_until_the_search_ends(engine):
    analysis = engine.analysis(Position("chess", FORK), SHORT)
    assert isinstance(analysis, AnalysisResult)
    depths = [info.depth for info in analysis]
    assert depths == sorted(depths) and depths[-1] == 4
    assert list(analysis) == [] and not analysis.is_running
    assert analysis.info.pv[:1] == (analysis.wait().move,)


def test_end_of_the_block_stops_an_endless_analysis(engine):
    with engine.analysis(Position("chess")) as analysis:
        for info in analysis:
            if info.depth >= 3:
                break
        assert analysis.is_running
    assert not analysis.is_running
    assert analysis.wait().move in Position("chess").legal_moves
    assert engine.play(Position("chess"), Limit(depth=1)).move is not None


def test_analysis_keeps_the_position_that_it_was_given(engine):
    position = Position("chess", FORK)
    analysis = engine.analysis(position, SHORT)
    position.push("e3d5")
    assert str(analysis.wait().move) == "e3d5"


def test_lines_of_an_analysis_are_the_last_reports(engine):
    analysis = engine.analysis(Position("chess", FORK), SHORT, multipv=2)
    result = analysis.wait()
    assert [info.multipv for info in analysis.lines] == [1, 2]
    assert analysis.lines[0].pv[0] == result.move


def test_errors_come_from_the_loop_and_from_waiting(engine):
    analysis = engine.analysis(Position("crazyhouse"), SHORT)
    with pytest.raises(ValueError, match="a position of 'crazyhouse', but this engine plays 'chess'"):
        list(analysis)
    with pytest.raises(ValueError, match="a position of 'crazyhouse'"):
        analysis.wait()


def test_pondering_ends_by_its_limit_after_the_hit(engine):
    analysis = engine.analysis(Position("chess"), Limit(time=0.01), ponder=True)
    next(iter(analysis))
    assert analysis.is_running
    analysis.hit()
    assert analysis.wait().move is not None


def test_search_that_does_not_ponder_is_not_hit(engine):
    with engine.analysis(Position("chess")) as analysis, pytest.raises(ValueError, match="does not ponder"):
        analysis.hit()


# Event loops


def test_event_loop_gets_the_same_answers(engine):
    async def ask():
        played = await engine.play_async(Position("chess", FORK), SHORT)
        engine.clear()
        best = await engine.analyse_async(Position("chess", FORK), SHORT)
        several = await engine.analyse_async(Position("chess", FORK), SHORT, multipv=2)
        depths = [info.depth async for info in engine.analysis(Position("chess", FORK), SHORT)]
        return played, best, several, depths

    played, best, several, depths = asyncio.run(ask())
    assert str(played.move) == "e3d5" and str(best.pv[0]) == "e3d5"
    assert len(several) == 2 and depths[-1] == 4


def test_task_that_is_cancelled_stops_the_search(engine):
    async def cancel():
        task = asyncio.create_task(engine.play_async(Position("chess")))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await asyncio.wait_for(engine.play_async(Position("chess"), Limit(depth=1)), SECONDS)

    assert asyncio.run(cancel()).move is not None


def test_loops_and_waiting_tasks_of_one_analysis_all_end(engine):
    async def count(analysis):
        return len([info async for info in analysis])

    async def ask():
        analysis = engine.analysis(Position("chess", FORK), SHORT)
        asked = count(analysis), analysis.wait_async(), count(analysis), analysis.wait_async()
        return await asyncio.wait_for(asyncio.gather(*asked), SECONDS)

    first, result, second, again = asyncio.run(ask())
    assert result is again and result.depth == 4
    assert first + second >= 4


def test_waiting_leaves_the_reports_to_a_loop(engine):
    async def ask():
        analysis = engine.analysis(Position("chess", FORK), SHORT)
        await analysis.wait_async()
        return [info.depth async for info in analysis]

    assert asyncio.run(ask())[-1] == 4


# Closing and changing an engine that others wait for


def in_threads(*uses):
    """Starts each use in a thread, in this order; returns the threads and the errors of the uses."""
    errors = []

    def run(use):
        try:
            use()
        except Exception as error:
            errors.append(f"{type(error).__name__}: {error}")

    threads = [threading.Thread(target=run, args=(use,), daemon=True) for use in uses]
    for thread in threads:
        thread.start()
    return threads, errors


def test_close_ends_every_search_and_what_waits_for_it():
    engine, position = Engine("chess", hash_mb=1), Position("chess")
    with engine.analysis(position) as analysis:
        next(iter(analysis))
        waiting = (
            *[lambda: engine.play(position), lambda: engine.play(position), engine.clear],
            *[lambda: engine.set_hash(2), lambda: engine.set_threads(2), lambda: engine.evaluate(position)],
        )
        threads, errors = in_threads(*waiting)
        time.sleep(0.3)
        closing, _ = in_threads(engine.close)
        for thread in (*closing, *threads):
            thread.join(SECONDS)
            assert not thread.is_alive()
    assert analysis.wait().move is not None
    assert errors == ["RuntimeError: this engine is closed"] * len(waiting)
    uses = [lambda: engine.options, lambda: engine.warm_up(position), lambda: engine.set_threads(2)]
    uses += [engine.compile, engine.configure, lambda: engine.configure(elo=1500, move_overhead=0.1)]
    for use in uses:
        with pytest.raises(RuntimeError, match=r"^this engine is closed$"):
            use()
    assert repr(engine) == "<closed Engine of 'chess'>"


def test_searches_that_wait_for_a_change_of_the_engine_use_it_whole(engine):
    searches = [lambda: [engine.play(Position("chess"), depth=2) for _ in range(30)]] * 2
    threads, errors = in_threads(*searches)
    for number in range(21):  # the last change takes all back
        engine.set_threads(1 + number % 2)
        engine.set_eval_file(False if number % 2 else None)
    for thread in threads:
        thread.join(SECONDS)
    assert errors == []


@pytest.mark.parametrize("use", ["clear", "close", "evaluate"])
def test_report_that_would_wait_for_its_own_search_is_refused(engine, use):
    position = Position("chess")
    arguments = [position] if use == "evaluate" else []
    threads, errors = in_threads(
        lambda: engine.play(position, SHORT, on_info=lambda info: getattr(engine, use)(*arguments))
    )
    threads[0].join(SECONDS)
    assert errors == [
        "RuntimeError: the search that makes this report would wait for itself; only stop() ends it"
    ]


async def followed(analysis):
    """The reports on an analysis."""
    return [info async for info in analysis]


@pytest.mark.parametrize(
    "wait",
    [
        lambda engine, begun: begun.wait(),
        lambda engine, begun: list(begun),
        lambda engine, begun: asyncio.run(begun.wait_async()),
        lambda engine, begun: asyncio.run(followed(begun)),
        lambda engine, begun: asyncio.run(engine.play_async(Position("chess"), SHORT)),
    ],
)
def test_report_that_would_wait_for_another_search_of_its_engine_is_refused(engine, wait):
    """That search waits for the one that makes the report."""
    begun = []

    def report(info):
        begun.append(engine.analysis(Position("chess"), SHORT))
        try:
            wait(engine, begun[0])
        finally:
            begun[0].stop()
            assert begun[0].wait().move is not None  # a search that never began plays a move as well

    threads, errors = in_threads(lambda: engine.play(Position("chess"), SHORT, on_info=report))
    threads[0].join(SECONDS)
    assert len(begun) == 1 and errors == [
        "RuntimeError: the search that makes this report would wait for itself; only stop() ends it"
    ]


@pytest.mark.parametrize("nodes", [float("inf"), 1e30, 2**63, 10**30])
def test_any_number_of_nodes_is_a_limit(engine, nodes):
    assert engine.play(Position("chess"), nodes=nodes, depth=4).depth == 4


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda engine: engine.set_eval_file(True), "^True should be the path of a network$"),
        (lambda engine: engine.set_eval_file(0), "^0 should be the path of a network$"),
        (lambda engine: engine.give_score(Position("chess"), 5, 1), r"^5 is not a surajang\.Score"),
        (lambda engine: engine.give_score(Position("chess"), Score(5), "1"), "^depth '1' should be a whole"),
    ],
)
def test_network_or_score_of_another_type_is_quoted(engine, use, message):
    with pytest.raises(TypeError, match=message):
        use(engine)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e308, 10**400])
def test_score_that_is_not_finite_is_not_given(engine, value):
    with pytest.raises(ValueError, match=r"^centipawns (nan|inf|1e\+308|10+) should be a number between"):
        engine.give_score(Position("chess"), Score(value), 1)
    with pytest.raises((TypeError, ValueError), match=r"^mate (nan|inf|1e\+308|10+) should be a "):
        engine.give_score(Position("chess"), Score(0, value), 1)


def test_engine_and_network_are_shown_in_a_line(engine):
    assert repr(engine) == "Engine('chess', hash_mb=1, threads=1)"
    assert repr(engine.network).startswith("<Network of 'chess' with ") and engine.network == engine.network


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_engine_and_analysis_are_not_copied(engine, copied):
    with pytest.raises(TypeError, match=r"^an engine cannot be copied or pickled; "):
        copied(engine)
    with engine.analysis(Position("chess")) as analysis:
        with pytest.raises(TypeError, match=r"^an analysis cannot be copied or pickled; "):
            copied(analysis)
        assert next(iter(analysis)) and copied(analysis.lines)
    assert copied(analysis.wait())


# Interrupts


def test_interrupt_ends_the_search_and_leaves_the_engine_usable(engine):
    interrupts = iter([signal.SIGINT])

    def interrupt(info):
        for number in interrupts:
            signal.raise_signal(number)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            engine.play(Position("chess"), on_info=interrupt)
    finally:
        signal.signal(signal.SIGINT, before)
    assert engine.play(Position("chess"), Limit(depth=2)).move is not None


@pytest.mark.parametrize("wait", [AnalysisResult.wait, list])
def test_interrupt_of_a_wait_ends_the_analysis(engine, monkeypatch, wait):
    def interrupted(*_):
        raise KeyboardInterrupt

    analysis = engine.analysis(Position("chess"))
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(analysis._ended, "wait", interrupted)
        patch.setattr(analysis, "_reports", SimpleNamespace(get=interrupted, put=lambda info: None))
        wait(analysis)
    wait_for(lambda: not analysis.is_running)
    assert engine.play(Position("chess"), Limit(depth=2)).move is not None


def test_callback_that_fails_ends_the_search_with_its_error(engine):
    def fail(info):
        raise LookupError("no")

    with pytest.raises(LookupError, match="no"):
        engine.play(Position("chess"), on_info=fail)
    assert engine.play(Position("chess"), Limit(depth=2)).move is not None


def test_search_of_another_thread_stays_there(engine):
    threads = set()
    thread = threading.Thread(
        target=lambda: engine.play(
            Position("chess"), SHORT, on_info=lambda info: threads.add(threading.current_thread())
        )
    )
    thread.start()
    thread.join(SECONDS)
    assert threads == {thread}


def test_endless_analysis_is_not_waited_for_by_the_thread_that_began_it(engine):
    position = Position("chess")
    with engine.analysis(position) as analysis:
        next(iter(analysis))
        uses = (
            lambda: engine.play(position, SHORT),
            lambda: engine.analyse(position, SHORT),
            engine.clear,
            lambda: engine.configure(hash_mb=2),
        )
        for use in uses:
            with pytest.raises(RuntimeError, match=r"^an analysis without a limit .* stop\(\) it first$"):
                use()
        assert analysis.is_running and analysis.is_endless
    assert engine.play(position, SHORT).move and not analysis.is_endless
    with engine.analysis(position, Limit(time=0.1), ponder=True) as analysis:
        next(iter(analysis))
        with pytest.raises(RuntimeError, match="without a limit"):
            engine.play(position, SHORT)
        analysis.hit()
        assert engine.play(position, SHORT).move


def test_search_waits_for_an_analysis_that_ends(engine):
    position = Position("chess")
    analysis = engine.analysis(position, Limit(time=0.5))
    next(iter(analysis))
    assert engine.play(position, SHORT).move and not analysis.is_running
    endless = engine.analysis(position)
    next(iter(endless))
    threading.Timer(0.3, endless.stop).start()
    results = []
    other = threading.Thread(target=lambda: results.append(engine.play(position, SHORT)))
    other.start()
    other.join(SECONDS)
    assert results and results[0].move


def begun_and_forgotten(engine, position):
    engine.analysis(position)
    engine.analysis(position, Limit(depth=5)).wait()


def begun_inside(engine, position):
    with engine.analysis(position) as first:
        next(iter(first))
        with engine.analysis(position, Limit(depth=3)):
            pass


def played_after_another_analysis(engine, position):
    with engine.analysis(position):
        with pytest.raises(RuntimeError, match="without a limit"):
            engine.analysis(position, Limit(depth=3))
        engine.play(position, depth=1)


def infinite_limit(engine, position):
    engine.analysis(position, Limit(nodes=float("inf"), time=float("inf")))
    engine.play(position, depth=1)


def asked_by_the_task(use):
    async def ask(engine, position):
        async for _ in engine.analysis(position):
            break
        await use(engine, position)

    return lambda engine, position: asyncio.run(ask(engine, position))


def asked_by_a_loop_of_the_thread(engine, position):
    engine.analysis(position)
    asyncio.run(engine.play_async(position, Limit(depth=2)))


def blocking_the_loop_of_an_endless_task(engine, position):
    async def ask():
        task = asyncio.create_task(engine.play_async(position))
        await asyncio.sleep(0)
        try:
            engine.play(position, depth=1)
        finally:
            task.cancel()

    asyncio.run(ask())


@pytest.mark.parametrize(
    "use",
    [
        *(begun_and_forgotten, begun_inside, played_after_another_analysis, infinite_limit),
        *(asked_by_a_loop_of_the_thread, blocking_the_loop_of_an_endless_task),
        asked_by_the_task(lambda engine, position: engine.play_async(position, Limit(depth=2))),
        asked_by_the_task(lambda engine, position: engine.analyse_async(position, Limit(depth=2))),
    ],
)
def test_request_that_waits_for_its_own_endless_analysis_is_refused(use):
    with Engine("chess", hash_mb=1) as engine:
        threads, errors = in_threads(lambda: use(engine, Position("chess")))
        threads[0].join(SECONDS)
    assert errors == ["RuntimeError: an analysis without a limit is still running; stop() it first"]


def test_analysis_that_ends_by_itself_is_waited_for(engine, monkeypatch):
    monkeypatch.setattr(begun, "GRACE_S", SECONDS)  # a busy machine takes longer
    engine.analysis(Position("chess", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"))
    engine.analysis(Position("crazyhouse"))
    assert engine.play(Position("chess"), SHORT).move


def test_task_waits_for_the_endless_analysis_of_another_task(engine):
    async def analyse():
        with engine.analysis(Position("chess")) as analysis:
            async for _ in analysis:
                await asyncio.sleep(0.3)
                break

    async def ask():
        task = asyncio.create_task(analyse())
        await asyncio.sleep(0.1)
        result = await asyncio.wait_for(engine.play_async(Position("chess"), Limit(depth=1)), SECONDS)
        await task
        return result

    assert asyncio.run(ask()).move


@pytest.mark.parametrize("fen", [FORK, "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"])
def test_analysis_that_waits_for_another_thread_ends_by_its_stop(engine, fen):
    position, results = Position("chess", fen), []

    def wait_and_stop():
        with engine.analysis(position, SHORT) as waiting:
            time.sleep(0.1)
            assert waiting.is_running
        results.append(waiting.wait())

    with engine.analysis(Position("chess")) as endless:
        next(iter(endless))
        threads, errors = in_threads(wait_and_stop)
        threads[0].join(SECONDS)
        assert endless.is_running and errors == []
    assert (results[0].move is None) == (not position.legal_moves())
    assert results[0].is_provisional == bool(position.legal_moves())
