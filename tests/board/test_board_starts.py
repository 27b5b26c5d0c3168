"""How engines of the board start, and how they choose an arrangement in the setup phase."""

import asyncio
import shlex
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from surajang import Position
from surajang.board import opponent, watch
from surajang.board.engines import Engines, read_engine
from surajang.board.opponent import CecpOpponent, arrangement
from surajang.engine.definition import catalogue
from surajang.match.players import cecp
from surajang.match.players.player import PlayerError, Thinking
from surajang.tests.support import board as boards
from surajang.tests.support.board import ANALYST, opened
from surajang.tests.support.fake_players import FAKE, wait_for

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("interpreted_positions")]

COMPILED_WITHIN = 300.0  # seconds on a busy machine for the first search of a game

serve = boards.serve


def test_all_callers_learn_that_an_engine_does_not_start():
    async def ask():
        engines = Engines([read_engine(ANALYST + " option.Nonsense=1")])
        engines.choose(catalogue.load("crazyhouse"))
        return await asyncio.gather(*(engines.get("play", 0) for _ in range(2)), return_exceptions=True)

    failures = asyncio.run(ask())
    assert [type(failure) for failure in failures] == [type(failures[0])] * 2
    assert isinstance(failures[0], PlayerError) and "'Nonsense'" in str(failures[1])


def test_one_process_serves_all_who_wait_for_its_start():
    async def ask():
        engines = Engines([read_engine(ANALYST)])
        engines.choose(catalogue.load("crazyhouse"))
        found = await asyncio.gather(*(engines.get("play", 0) for _ in range(2)))
        engines.close()
        return found

    first, second = asyncio.run(ask())
    assert first is second


def test_more_engines_run_at_once_than_the_loop_has_threads():
    async def ask():
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2))
        engines = Engines([read_engine(ANALYST)])
        engines.choose(catalogue.load("crazyhouse"))
        found = [await engines.get(f"purpose {number}", 0) for number in range(4)]
        ready = all(engine.running for engine in found)
        engines.close()
        return ready

    assert asyncio.run(asyncio.wait_for(ask(), 60))


def test_engine_that_is_closed_while_it_starts_does_not_run():
    async def ask():
        engines = Engines([read_engine(ANALYST)])
        engines.choose(catalogue.load("crazyhouse"))
        waiting = asyncio.create_task(engines.get("play", 0))
        await asyncio.sleep(0)
        engine = engines._running["play", 0]
        engines.close()
        with pytest.raises(PlayerError, match="closed"):
            await waiting
        return engine.running

    assert not asyncio.run(ask())


def test_own_engine_chooses_its_arrangement_by_a_search(serve, monkeypatch):
    monkeypatch.setattr(opponent.random, "choice", lambda choices: pytest.fail("chosen by lot"))
    board = serve("janggi", ["cmd=surajang"])
    with board.page() as socket:
        page = opened(socket)
        page.send("new", setup=True)
        page.state(lambda state: state["choices"])
        page.send("play", sides=["engine", "person"])
        state = page.state(lambda state: state["ply"] == 1, COMPILED_WITHIN)
        assert state["turn"] == 1 and state["choices"]


def test_engine_that_cannot_choose_an_arrangement_draws_one_by_lot(serve):
    board = serve("janggi", [f"cmd='{sys.executable} -c pass' proto=cecp name=Mute"])
    with board.page() as socket:
        page = opened(socket)
        page.send("new", setup=True)
        page.state(lambda state: state["choices"])
        page.send("play", sides=["engine", "person"])
        assert page.state(lambda state: state["ply"] == 1)["choices"]


def test_two_engines_begin_after_the_arrangements_that_they_chose(serve, monkeypatch):
    openings = []

    def played(game, players, *rest):
        openings.append(game.opening)
        raise PlayerError("that is enough")

    def start(spec, description, begun):
        player = SimpleNamespace(close=lambda: None, thinking=Thinking())
        begun(player)
        return player

    monkeypatch.setattr(watch, "play_game", played)
    monkeypatch.setattr(watch, "start_player", start)
    board = serve("pandemonium-vchess", [f"cmd='{sys.executable} -c pass' proto=uci name=Mute"])
    with board.page() as socket:
        page = opened(socket)
        page.send("watch", engines=[0, 0], base=60)
        state = page.state(lambda state: state["ply"] == 2)
        assert not state["choices"] and state["moves"]
        assert page.until("error")["text"] == "that is enough"
        nodes = board.call(board.session.tree.as_json)["nodes"]
    assert [opening.moves for opening in openings] == [tuple(node["move"] for node in nodes[1:])]


# Engines that never get ready


@pytest.fixture
def waiting(tmp_path):
    """(command of an engine, begun): one that says nothing, and a function that waits until it runs."""
    mark = tmp_path / "runs"
    command = f"cmd='{shlex.join(FAKE)} --fault hang --at 0 --child {mark}' name=Waiting"
    return command, lambda: wait_for(mark.exists)


@pytest.mark.parametrize("protocol", ["uci", "cecp"])
def test_game_of_two_engines_is_stopped_while_one_starts(serve, waiting, protocol):
    command, begun = waiting
    board = serve("chess", [f"{command} proto={protocol}"])
    with board.page() as socket:
        page = opened(socket)
        page.send("watch", engines=[0, 0], base=60)
        page.until("watch", lambda message: message["running"])
        begun()
        page.send("stop_watch")
        page.until("watch", lambda message: not message["running"])
        assert "error" not in page.last


def test_opponent_is_stopped_while_it_starts(waiting):
    command, begun = waiting

    async def ask():
        engine = CecpOpponent(read_engine(f"{command} proto=cecp"), catalogue.load("chess"))
        move = asyncio.create_task(engine.move(Position("chess"), None, lambda info: None))
        await asyncio.to_thread(begun)
        engine.stop()
        with pytest.raises(PlayerError, match="Waiting"):
            await asyncio.wait_for(move, boards.LONGEST)

    asyncio.run(ask())


def test_arrangement_is_cancelled_while_its_engine_starts(waiting, monkeypatch):
    monkeypatch.setattr(cecp, "SILENT_SECONDS", 100.0)  # so that it does not end by itself
    command, begun = waiting
    position = Position("chess")
    players = []

    async def ask():
        spec = read_engine(f"{command} proto=cecp")
        choosing = asyncio.create_task(arrangement(spec, position, ["any"], players.append))
        await asyncio.to_thread(begun)
        choosing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await choosing
        await asyncio.to_thread(wait_for, players[0].ended)

    asyncio.run(ask())
