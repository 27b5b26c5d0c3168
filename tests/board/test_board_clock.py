"""The clocks of a game on the board while no page is open."""

import time

import pytest
from surajang.board import play
from surajang.tests.support import board as boards
from surajang.tests.support.board import LONGEST, opened

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


def until(condition):
    deadline = time.monotonic() + LONGEST
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


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
    until(lambda: not board.call(board.session.play.message)["ticking"])
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
        until(lambda: len(board.session.channels) == 1)
        time.sleep(0.05)
        assert board.call(board.session.play.message)["ticking"]
        assert page.until("play", lambda message: message["ticking"])["active"]


def test_engine_s_clock_runs_without_a_page_and_the_person_s_does_not_begin(serve, clock, monkeypatch):
    monkeypatch.setattr(play, "GRACE_SECONDS", 0.0)
    board = serve(now=clock)
    with board.page() as socket:
        game(opened(socket), ["person", "engine"])
        socket.send_json({"type": "move", "text": "e4"})
    until(lambda: board.call(lambda: board.session.tree.position.ply) == 2)
    until(lambda: not board.call(board.session.play.message)["ticking"])
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
        assert board.session.tree.tags["TimeControl"] == "60+0:1/10"
