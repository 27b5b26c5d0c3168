"""Every way in which an engine can fail, and the end of its process."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from surajang.match.players import client, process
from surajang.match.players import player as contract
from surajang.match.players.player import CrashError, DisconnectError, ProtocolError, StallError, StartError
from surajang.match.players.process import CHUNK, LONGEST_LINE, MOST_WAITING, EngineProcess, _Splitter
from surajang.match.players.spec import EngineSpec
from surajang.match.players.start import start_player
from surajang.tests.support.clocks import FakeClock
from surajang.tests.support.fake_players import (
    BOTH,
    CLOCK,
    CRAZYHOUSE,
    FAKE,
    NODES,
    alive,
    begin,
    starter,
    wait_for,
)

pytestmark = pytest.mark.process

fake = pytest.fixture(starter)


def answer_clock(monkeypatch):
    """The clock for the times of answers, from now on."""
    clock = FakeClock()
    monkeypatch.setattr(client, "time", clock)
    monkeypatch.setattr(process, "time", clock)
    return clock


@BOTH
def test_player_is_closed_while_it_starts(dialect):
    players = []

    def begun(player):
        players.append(player)
        threading.Thread(target=player.close).start()

    words = ("--fault", "hang", "--at", "0", *["--uci"] * (dialect == "uci"))
    spec = EngineSpec(name="Fake", command=(*FAKE, *words), protocol=dialect, control=NODES)
    with pytest.raises(StartError, match=r"^Fake "):
        start_player(spec, CRAZYHOUSE, begun=begun)
    assert not alive(players[0].pid)


def test_engine_ends_if_its_start_is_not_wanted():
    players = []

    def begun(player):
        players.append(player)
        raise KeyboardInterrupt

    spec = EngineSpec(name="Fake", command=FAKE, protocol="cecp", control=NODES)
    with pytest.raises(KeyboardInterrupt):
        start_player(spec, CRAZYHOUSE, begun=begun)
    assert not alive(players[0].pid)


@BOTH
@pytest.mark.parametrize(
    ("fault", "kind", "text"),
    [
        ("exit:5", CrashError, "ended with exit status 5: first reason / second reason"),
        ("crash", CrashError, "was ended by SIGSEGV"),
        ("close", DisconnectError, "has closed its output"),
    ],
)
def test_end_of_an_engine_in_its_search(fake, dialect, fault, kind, text):
    player = fake("--fault", fault, dialect=dialect)
    with pytest.raises(kind) as failure:
        player.think(begin(player), None, None)
    assert text in str(failure.value) and str(failure.value).startswith("Fake ")
    player.close()
    assert not alive(player.pid)


def test_last_words_that_are_read_after_the_end_belong_to_it(fake, monkeypatch):
    take, failure, asked = EngineProcess._take, EngineProcess.failure, threading.Event()

    def take_errors_late(engine, text, at, is_error):
        if is_error:
            asked.wait(60)
            time.sleep(0.02)
        take(engine, text, at, is_error)

    def ask(engine):
        asked.set()
        return failure(engine)

    monkeypatch.setattr(EngineProcess, "failure", ask)
    monkeypatch.setattr(EngineProcess, "_take", take_errors_late)
    player = fake("--fault", "exit:5", dialect="uci")
    with pytest.raises(CrashError, match="exit status 5: first reason / second reason"):
        player.think(begin(player), None, None)


@BOTH
@pytest.mark.parametrize("fault", ["exit", "close"])
def test_end_of_an_engine_before_its_first_word(fake, dialect, fault):
    with pytest.raises(StartError):
        fake("--fault", fault, "--at", "0", dialect=dialect)


def test_engine_that_dies_between_two_moves_crashes_at_the_next(fake):
    player = fake()
    position = begin(player)
    position.push(player.think(position, None, None).move)
    position.push("e7e5")
    os.kill(player.pid, signal.SIGKILL)
    with pytest.raises(CrashError, match="was ended by SIGKILL"):
        player.think(position, None, None)
    with pytest.raises(CrashError):
        player.end_game(position, "*", "over")
    with pytest.raises(CrashError):
        player.synchronise()


@BOTH
@pytest.mark.parametrize("fault", ["hang", "flood"])
def test_engine_that_hangs_without_a_clock(fake, dialect, fault, monkeypatch):
    player = fake("--fault", fault, dialect=dialect)
    position = begin(player)
    monkeypatch.setattr(contract, "STALL_SECONDS", 0.5)
    with pytest.raises(StallError, match=r"has said nothing new for 0\.5 s"):
        player.think(position, None, None)
    player.close()
    assert not alive(player.pid)


@BOTH
def test_engine_that_hangs_with_its_clock(fake, dialect, monkeypatch):
    monkeypatch.setattr(contract, "GRACE_SECONDS", 0.2)
    player = fake("--fault", "hang", dialect=dialect)
    position = begin(player, control=CLOCK)
    with pytest.raises(StallError, match=r"has not answered 0\.2 s after its time was up"):
        player.think(position, 0.1, 0.1)


@pytest.mark.quick
@BOTH
def test_late_answer_has_its_time(fake, dialect, monkeypatch):
    """The half second begins before the request."""
    player = fake(dialect=dialect)
    position, ask = begin(player, control=CLOCK), player._ask
    clock = answer_clock(monkeypatch)

    def ask_late(*arguments):
        clock.advance(0.5)
        ask(*arguments)

    player._ask = ask_late
    assert player.think(position, 0.01, 1.0).seconds == 0.5
    player.synchronise()


@pytest.mark.quick
def test_clock_of_an_answer_does_not_run_while_the_caller_is_busy(fake, monkeypatch):
    player = fake(dialect="uci")
    position, busy = begin(player), []
    clock = answer_clock(monkeypatch)

    def on_thinking(thinking):
        wait_for(lambda: player._process._input._lines)  # the answer has arrived
        clock.advance(8.0)
        busy.append(thinking)

    assert player.think(position, None, None, on_thinking).seconds == 0.0
    assert busy


@BOTH
@pytest.mark.parametrize("fault", ["nonsense", "bytes", f"long:{3 * LONGEST_LINE}"])
def test_nonsense_is_passed_over(fake, dialect, fault):
    player = fake("--fault", fault, "--moves", "e2e4", dialect=dialect)
    assert player.think(begin(player), None, None).move == "e2e4"


@BOTH
def test_illegal_move_is_handed_on(fake, dialect):
    player = fake("--fault", "move:e2e5", dialect=dialect)
    assert player.think(begin(player), None, None).move == "e2e5"


def test_no_move_is_an_error(fake):
    player = fake("--fault", "move:(none)", dialect="uci")
    with pytest.raises(ProtocolError, match="has no move where there is one"):
        player.think(begin(player), None, None)


def test_engine_that_reads_nothing_hangs(fake):
    player = fake()
    os.kill(player.pid, signal.SIGSTOP)
    with pytest.raises(StallError, match="does not read its input"):
        player._process.write("x" * (1 << 21), seconds=0.2)
    player.close()
    assert not alive(player.pid)


def test_deaf_engine_does_not_start(fake, monkeypatch):
    monkeypatch.setattr(contract, "STARTUP_SECONDS", 2.0)
    with pytest.raises(StartError, match="does not answer 'ping 1'"):
        fake("--deaf")


# The process


def test_children_end_with_the_engine(fake, tmp_path):
    player = fake("--child", str(tmp_path / "pids"))
    child, engine = map(int, (tmp_path / "pids").read_text().split())
    assert alive(child) and engine == player.pid
    player.close()
    assert not alive(engine)
    wait_for(lambda: not alive(child))


def test_engine_that_ignores_quit_is_killed(fake, monkeypatch):
    monkeypatch.setattr("surajang.match.players.process.QUIT_SECONDS", 0.1)
    player = fake("--stay")
    player.close()
    player.close()
    assert not alive(player.pid)


def test_nothing_is_left_open(fake):
    begin(fake())
    files, threads = len(os.listdir("/proc/self/fd")), threading.active_count()
    for _ in range(5):
        player = fake()
        begin(player)
        player.close()
    assert (len(os.listdir("/proc/self/fd")), threading.active_count()) == (files, threads)


def test_flood_takes_bounded_memory():
    process = EngineProcess("Flood", [*FAKE, "--fault", "flood", "--at", "0"])
    wait_for(process._input.full)
    size = process._input._size
    process.close()
    assert size < MOST_WAITING + CHUNK + LONGEST_LINE


@pytest.mark.parametrize("stay", [[], ["--stay"]])
def test_engines_end_when_the_match_is_killed(tmp_path, stay):
    code = (
        "import sys, time\n"
        "from surajang.match.players.process import EngineProcess\n"
        f"engine = EngineProcess('Fake', {[*FAKE, '--child', str(tmp_path / 'pids'), *stay]!r})\n"
        "engine.write('xboard', 'protover 2')\n"
        "engine.read(time.monotonic() + 60)\n"
        "print('ready', flush=True)\n"
        "time.sleep(1000)\n"
    )
    match = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert match.stdout.readline() == b"ready\n"
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    assert all(map(alive, pids))
    match.kill()
    match.wait()
    match.stdout.close()
    wait_for(lambda: not any(map(alive, pids)))


def test_log_has_both_directions_and_the_errors(fake, tmp_path):
    player = fake("--fault", "exit", log=tmp_path / "log")
    with pytest.raises(CrashError):
        player.think(begin(player), None, None)
    player.close()
    lines = [line.split(maxsplit=1)[1] for line in (tmp_path / "log").read_text().splitlines()]
    assert {"Fake> protover 2", "Fake< pong 1", "Fake! first reason"} <= set(lines)


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_lines_are_cut_wherever_the_pieces_end(size):
    data = b"one\r\n\ntwo \xc3\xa9\n" + b"x" * (LONGEST_LINE + 9) + b"\nlast"
    splitter, lines = _Splitter(), []
    for start in range(0, len(data), size):
        lines += splitter.split(data[start : start + size])
    lines += splitter.split(b"")
    assert lines == ["one", "", "two é", "x" * LONGEST_LINE, "last"]
