"""The clocks of a game on the board while no page is open."""

import asyncio
import time
from types import SimpleNamespace

import pytest
from surajang.board import play
from surajang.board.opponent import CecpOpponent, Clocks, UciOpponent
from surajang.engine.position import Position
from surajang.match.players.control import TimeControl
from surajang.match.players.player import Answer
from surajang.tests.support import board as boards
from surajang.tests.support.board import opened
from surajang.tests.support.fake_players import wait_for

pytestmark = pytest.mark.process

serve = boards.serve


class Clock:
    """Seconds that pass only when a test advances them."""

    def __init__(self):
        self.seconds = 1000.0

    def __call__(self):
        return self.seconds


@pytest.fixture
def clock():
    return Clock()


def game(page, sides, *moves, byoyomi=0):
    """Begins a game of a minute each and plays the first moves."""
    page.send("play", sides=sides, level=800, base=60, byoyomi=byoyomi)
    page.until("play", lambda message: message["active"])
    for move in moves:
        page.move(move)


def test_clock_of_a_person_runs_only_with_a_page(serve, clock, monkeypatch):
    monkeypatch.setattr(play, "GRACE_SECONDS", 0.01)
    board = serve(now=clock)
    with board.page() as socket:
        game(opened(socket), ["person", "person"], "e4")
        clock.seconds += 7
    wait_for(lambda: not board.call(board.session.play.message)["ticking"])
    clock.seconds += 1000
    with board.page() as socket:
        page = opened(socket)
        told = page.last["play"]
        assert told["active"] and told["ticking"] and told["left"] == [60, 53]
        assert told["note"] == "Your clock was stopped while no page was open."
        clock.seconds += 3
        page.send("move", text="e5")
        told = page.until("play", lambda message: message["left"][1] == 50)
        assert told["note"] == ""


def test_page_that_is_back_within_the_grace_stops_no_clock(serve, clock):
    board = serve(now=clock)
    with board.page() as socket:
        game(opened(socket), ["person", "person"], "e4")
    clock.seconds += 4
    with board.page() as socket:
        told = opened(socket).last["play"]
        assert told["left"] == [60, 56] and not told["note"]


def test_clock_stops_with_the_last_page_only(serve, clock, monkeypatch):
    monkeypatch.setattr(play, "GRACE_SECONDS", 0.01)
    board = serve(now=clock)
    with board.page() as stays:
        page = opened(stays)
        with board.page() as socket:
            game(opened(socket), ["person", "person"], "e4")
        wait_for(lambda: len(board.session.channels) == 1)
        time.sleep(0.05)
        assert board.call(board.session.play.message)["ticking"]
        assert page.until("play", lambda message: message["ticking"])["active"]


def test_engine_s_clock_runs_without_a_page_and_the_person_s_does_not_begin(serve, clock, monkeypatch):
    monkeypatch.setattr(play, "GRACE_SECONDS", 0.0)
    board = serve(now=clock)
    with board.page() as socket:
        game(opened(socket), ["person", "engine"])
        socket.send_json({"type": "move", "text": "e4"})
    wait_for(lambda: board.call(lambda: board.session.tree.position.ply) == 2)
    wait_for(lambda: not board.call(board.session.play.message)["ticking"])
    clock.seconds += 1000
    with board.page() as socket:
        assert opened(socket).last["play"]["left"] == [60, 60]


def test_byoyomi_is_whole_again_at_each_move_after_the_base(serve, clock):
    board = serve(now=clock)
    with board.page() as socket:
        page = opened(socket)
        game(page, ["person", "person"], "e4", byoyomi=10)
        clock.seconds += 65
        assert board.call(board.session.play.message)["left"] == [60, -5]
        page.send("move", text="e5")
        assert page.until("play", lambda message: message["left"][1] == 0)["byoyomi"] == 10
        clock.seconds += 1
        page.move("Nf3")
        clock.seconds += 9
        page.send("move", text="Nc6")
        assert page.until("play", lambda message: message["left"] == [59, 0])["active"]


def test_game_is_lost_on_time_when_the_byoyomi_is_used_up(serve, clock):
    board = serve(now=clock)
    with board.page() as socket:
        page = opened(socket)
        game(page, ["person", "person"], "e4", byoyomi=10)
        clock.seconds += 69
        board.call(board.session.play._fall, 1)
        assert board.session.play.active
        clock.seconds += 1
        board.call(board.session.play._fall, 1)
        ended = page.until("play", lambda message: not message["active"])
        assert ended["result"] == {"score": "1-0", "reason": "Black loses on time"}
        assert board.session.tree.tags["TimeControl"] == "60:1/10"


def test_clocks_stand_still_after_the_end_of_the_game(serve, clock):
    board = serve(now=clock)
    with board.page() as socket:
        page = opened(socket)
        game(page, ["person", "person"], "e4", byoyomi=10)
        clock.seconds += 7
        page.send("resign")
        ended = page.until("play", lambda message: not message["active"])
        assert ended["left"] == [60, 53] and not ended["ticking"]
        clock.seconds += 1000
        later = board.call(board.session.play.message)
        assert later["left"] == [60, 53] and not later["ticking"]


@pytest.mark.parametrize("sides", [["person", "person"], ["person", "engine"]])
def test_taking_back_charges_the_side_that_thought(serve, clock, sides):
    board = serve(now=clock)
    with board.page() as socket:
        page = opened(socket)
        game(page, sides, "e4")
        if sides[1] == "person":
            page.move("e5")
        else:
            page.state(lambda state: state["ply"] == 2)
        clock.seconds += 7
        page.send("takeback")
        plies = 1 if sides[1] == "person" else 0
        page.state(lambda state: state["ply"] == plies)
        clock.seconds += 2
        left = board.call(board.session.play.message)["left"]
        assert left == ([53, 58] if sides[1] == "person" else [51, 60])


def test_taking_back_in_byoyomi_begins_a_whole_one(serve, clock):
    board = serve(now=clock)
    with board.page() as socket:
        page = opened(socket)
        game(page, ["person", "person"], "e4", "e5", "Nf3", byoyomi=10)
        clock.seconds += 65
        page.send("takeback")
        page.state(lambda state: state["ply"] == 2)
        assert board.call(board.session.play.message)["left"] == [60, 0]


def test_person_s_clock_is_stopped_and_continues_with_the_move(serve, clock):
    board = serve(now=clock)
    with board.page() as socket:
        page = opened(socket)
        page.send("play", sides=["person", "person"], base=60, increment=2)
        page.move("e4")
        clock.seconds += 5
        page.send("pause")
        told = page.until("play", lambda message: message["paused"])
        assert not told["ticking"] and told["note"] == play.PAUSE_NOTE
        clock.seconds += 5000
        page.send("pause")
        assert page.until("play", lambda message: not message["paused"])["left"] == [60, 55]
        clock.seconds += 3
        page.send("pause")
        page.until("play", lambda message: message["paused"])
        clock.seconds += 5000
        page.send("move", text="e5")
        told = page.until("play", lambda message: message["left"] == [60, 54])
        assert told["ticking"] and not told["paused"]


@pytest.mark.parametrize(("base", "reason"), [(60, "does not run yet"), (0, "only your own running clock")])
def test_clock_that_does_not_run_cannot_be_stopped(serve, base, reason):
    with serve().page() as socket:
        page = opened(socket)
        page.send("play", sides=["person", "person"], base=base)
        page.until("play", lambda message: message["active"])
        page.send("pause")
        assert reason in page.until("error")["text"]


def test_days_for_a_move_are_a_byoyomi_with_an_end(serve, clock):
    board = serve(now=clock)
    with board.page() as socket:
        page = opened(socket)
        page.send("play", sides=["person", "engine"], base=0, byoyomi=14 * 86_400)
        assert page.until("play", lambda message: message["active"])["left"] == [0, 0]
        assert board.session.tree.tags["TimeControl"] == "1/1209600"
        assert board.session.play._clocks() is None  # the engine does not think for days
        page.send("play", sides=["person", "engine"], base=0, byoyomi=15 * 86_400, sure=True)
        assert "14 days" in page.until("error")["text"]


# The clocks for an engine


def clocks(*left, increment, byoyomi):
    return Clocks(left, TimeControl(60.0, increment, byoyomi=byoyomi))


def limits(clocks, moves=""):
    """What a UCI engine is told to think, after these moves of chess."""
    told = []

    async def search(position, limits, options, on_info):
        told.append(limits)
        return "e2e4"

    async def get(purpose, number):
        return SimpleNamespace(search=search, elo_range=lambda: None)

    position = Position("chess")
    for move in moves.split():
        position.push_san(move)
    opponent = UciOpponent(SimpleNamespace(get=get), 0, None)
    asyncio.run(opponent.move(position, clocks, lambda info: None))
    return told[0]


def test_byoyomi_is_part_of_the_time_of_a_uci_engine():
    assert (
        limits(clocks(60.0, 30.0, increment=2.0, byoyomi=10.0))
        == "wtime 70000 btime 40000 winc 12000 binc 12000"
    )
    assert (
        limits(clocks(60.0, 30.0, increment=2.0, byoyomi=0.0))
        == "wtime 60000 btime 30000 winc 2000 binc 2000"
    )


def test_uci_engine_with_nothing_but_byoyomi_gets_it_for_this_move():
    told = clocks(60.0, 0.0, increment=0.0, byoyomi=10.0)
    assert limits(told).startswith("wtime")
    assert limits(told, "e4") == "movetime 9500"
    assert limits(clocks(60.0, 0.0, increment=0.0, byoyomi=1.0), "e4") == "movetime 800"


@pytest.mark.parametrize(
    ("left", "told"),
    [((60.0, 30.0), ("70+12", 70.0, 40.0)), ((0.0, 30.0), ("st=9.5", None, None))],
)
def test_byoyomi_is_part_of_the_time_of_a_cecp_engine(monkeypatch, left, told):
    given = []

    def think(position, own, other):
        given.extend((own, other))
        return Answer("e2e4", 0.1, None)

    player = SimpleNamespace(new_game=lambda position, own, other, side: given.append(str(own)), think=think)
    monkeypatch.setattr("surajang.board.opponent.start_player", lambda spec, description, begun: player)
    opponent = CecpOpponent(None, None)
    asyncio.run(
        opponent.move(Position("chess"), clocks(*left, increment=2.0, byoyomi=10.0), lambda info: None)
    )
    assert tuple(given) == told


def test_engine_that_uses_up_its_byoyomi_loses_on_time(serve, clock):
    board = serve(now=clock)
    with board.page() as socket:
        page = opened(socket)
        game(page, ["person", "person"], "e4", byoyomi=10)  # so that no engine answers
        board.session.play.sides = ["person", "engine"]
        clock.seconds += 69
        board.call(board.session.play._fall, 1)
        assert board.session.play.active
        clock.seconds += 1
        board.call(board.session.play._fall, 1)
        ended = page.until("play", lambda message: not message["active"])
        assert ended["result"]["reason"] == "Black loses on time"
