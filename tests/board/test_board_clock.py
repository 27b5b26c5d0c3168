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


def game(page, sides, *moves):
    """Begins a game of a minute each and plays the first moves."""
    page.send("play", sides=sides, level=800, base=60)
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
