"""Pondering in both protocols: the commands to engines, and the clocks."""

import io
import time

import pytest
from surajang.engine.definition.catalogue import load
from surajang.match.games.adjudication import AdjudicationRules
from surajang.match.games.game import play_game
from surajang.match.players import player as players
from surajang.match.players.control import TimeControl
from surajang.match.players.player import CrashError, StallError, StartError
from surajang.match.records.model import MatchGame, Opening, Termination
from surajang.tests.support.fake_players import begin, starter, wait_for

pytestmark = pytest.mark.process

fake = pytest.fixture(starter)
CLOCKS = TimeControl(60.0, 0.5)


def told(log, *words):
    """The commands to an engine that begin with those words."""
    lines = [line.split("> ")[1] for line in log.getvalue().splitlines() if "> " in line]
    return [line for line in lines if line.split()[0] in words]


def after_one_move(fake, *arguments, reply, clock=59.0, control=CLOCKS):
    """A UCI engine that has played e2e4, pondered, and been given `reply`; (player, position, log)."""
    log = io.StringIO()
    player = fake("--moves", "e2e4 d2d4", *arguments, dialect="uci", log=log, ponder=True)
    position = begin(player, control=control)
    position.push(player.think(position, 60.0, 60.0).move)
    player.ponder(position, clock, 60.0)
    position.push(reply)
    return player, position, log


def test_expected_reply_is_a_ponderhit(fake):
    player, position, log = after_one_move(fake, "--guess", "e7e5", reply="e7e5")
    wait_for(lambda: "cp 55" in log.getvalue())
    answer = player.think(position, 59.0, 58.0)
    assert answer.move == "d2d4"
    assert told(log, "position", "go", "ponderhit", "stop")[-3:] == [
        told(log, "position")[-1],
        "go ponder wtime 59000 winc 500 btime 60000 binc 500",
        "ponderhit",
    ]
    assert told(log, "position")[-1].endswith("moves e2e4 e7e5")


def test_other_reply_stops_the_search_and_begins_another(fake):
    player, position, log = after_one_move(fake, "--guess", "e7e5", reply="c7c5")
    answer = player.think(position, 59.0, 58.0)
    assert answer.move == "d2d4"
    assert (answer.thinking.depth, answer.thinking.score) == (7, 13)  # nothing of the search that was stopped
    words = [line.split()[0] for line in told(log, "position", "go", "ponderhit", "stop")]
    assert words == ["position", "go", "position", "go", "stop", "position", "go"]
    assert told(log, "position")[-1].endswith("moves e2e4 c7c5")


def test_time_to_stop_is_taken_from_the_clock_that_is_reported(fake, monkeypatch):
    player, position, log = after_one_move(fake, "--guess", "e7e5", reply="c7c5")
    stop = player._stop_pondering
    monkeypatch.setattr(player, "_stop_pondering", lambda: (stop(), time.sleep(0.3)))
    answer = player.think(position, 59.0, 58.0)
    white = int(told(log, "go")[-1].split()[2])
    assert int(59_000 - 1000 * answer.seconds) <= white <= 58_700


def test_what_was_thought_before_a_ponderhit_counts(fake):
    player, position, _ = after_one_move(fake, "--guess", "e7e5", "--silent", reply="e7e5")
    thinking = player.think(position, 59.0, 58.0).thinking
    assert (thinking.depth, thinking.score) == (5, 55)


def test_answer_before_the_ponderhit_takes_no_time(fake):
    player, position, log = after_one_move(fake, "--guess", "e7e5", "--early", reply="e7e5")
    wait_for(lambda: log.getvalue().count("bestmove") == 2)
    answer = player.think(position, 59.0, 58.0)
    assert (answer.move, answer.seconds) == ("d2d4", 0.0)


@pytest.mark.parametrize("guess", ["e7e4", "a1a8", "nonsense"])
def test_reply_that_cannot_be_is_not_pondered_on(fake, guess):
    player, position, log = after_one_move(fake, "--guess", guess, reply="e7e5")
    assert player.think(position, 59.0, 58.0).move == "d2d4"
    assert not told(log, "ponderhit", "stop") and "ponder" not in " ".join(told(log, "go"))


def test_engine_that_expects_nothing_does_not_ponder(fake):
    player, position, log = after_one_move(fake, "--guess", "e7e5", reply="e7e5")
    position.push(player.think(position, 59.0, 58.0).move)
    player.ponder(position, 58.0, 58.0)
    assert len([line for line in told(log, "go") if "ponder" in line]) == 1


def test_end_of_the_game_stops_the_search(fake):
    player, position, log = after_one_move(fake, "--guess", "e7e5", reply="e7e5")
    player.end_game(position, "1-0", "Black resigns")
    assert told(log, "stop") == ["stop"]
    player.synchronise()
    begin(player, control=CLOCKS)
    assert told(log, "stop") == ["stop"]


def test_engine_that_does_not_stop_hangs(fake, monkeypatch):
    monkeypatch.setattr(players, "GRACE_SECONDS", 0.2)
    player, position, _ = after_one_move(
        fake, "--guess", "e7e5", "--early", "--fault", "hang", "--at", "2", reply="c7c5"
    )
    with pytest.raises(StallError):
        player.think(position, 59.0, 58.0)


def test_engine_that_dies_pondering_is_found_out_on_its_turn(fake):
    player, position, _ = after_one_move(
        fake, "--guess", "e7e5", "--early", "--fault", "exit", "--at", "2", reply="e7e5"
    )
    with pytest.raises(CrashError):
        player.think(position, 59.0, 58.0)


def test_uci_engine_is_told_that_it_may_ponder(fake):
    log = io.StringIO()
    fake("--guess", "e7e5", dialect="uci", log=log, ponder=True)
    fake("--guess", "e7e5", dialect="uci", log=log)
    assert told(log, "setoption").count("setoption name Ponder value true") == 1


def test_uci_engine_without_the_option_cannot_ponder(fake):
    with pytest.raises(StartError, match="Fake cannot ponder: it has no option 'Ponder'"):
        fake(dialect="uci", ponder=True)


def test_without_ponder_nobody_ponders(fake):
    log = io.StringIO()
    player = fake("--guess", "e7e5", dialect="uci", log=log)
    position = begin(player)
    position.push(player.think(position, None, None).move)
    player.ponder(position, None, None)
    assert len(told(log, "go")) == 1


@pytest.mark.parametrize(("ponder", "word"), [(True, "hard"), (False, "easy")])
def test_cecp_engine_ponders_by_itself(fake, ponder, word):
    log = io.StringIO()
    player = fake("--moves", "e2e4 d2d4", log=log, ponder=ponder)
    position = begin(player, control=CLOCKS)
    assert set(told(log, "hard", "easy")) == {word}
    position.push(player.think(position, 60.0, 60.0).move)
    player.ponder(position, 59.0, 60.0)
    if ponder:
        wait_for(lambda: "99 -77" in log.getvalue())
    position.push("e7e5")
    answer = player.think(position, 59.0, 58.0)
    assert answer.move == "d2d4"
    assert answer.thinking.depth == 3  # of its own turn, not of its opponent's
    assert told(log, "go", "usermove", "time")[-2:] == ["time 5900", "usermove e7e5"]


@pytest.mark.parametrize("dialects", [("uci", "uci"), ("uci", "cecp"), ("cecp", "cecp")])
def test_whole_games_with_pondering(fake, dialects):
    """White expects the first reply but not the second one; scholar's mate follows."""
    white = fake(
        "--moves",
        "e2e4 f1c4 d1h5 h5f7",
        *["--guess", "e7e5 a7a6 g8f6"] * (dialects[0] == "uci"),
        dialect=dialects[0],
        ponder=True,
        variant="chess",
    )
    black = fake(
        "--moves",
        "e7e5 b8c6 g8f6",
        *["--guess", "f1c4 d1h5"] * (dialects[1] == "uci"),
        dialect=dialects[1],
        ponder=True,
        variant="chess",
    )
    game = MatchGame(0, 0, 0, 1, Opening(load("chess").start_fen))
    record = play_game(game, (white, black), (CLOCKS, CLOCKS), load("chess"), AdjudicationRules())
    assert record.termination == Termination.NORMAL and record.score == "1-0", record.reason
    assert len(record.plies) == 7


def test_crash_while_pondering_loses_the_game(fake):
    white = fake(
        "--guess",
        "e7e5",
        "--moves",
        "e2e4",
        "--early",
        "--fault",
        "exit",
        "--at",
        "2",
        dialect="uci",
        ponder=True,
        variant="chess",
    )
    black = fake("--moves", "c7c5", dialect="uci", variant="chess")
    game = MatchGame(0, 0, 0, 1, Opening(load("chess").start_fen))
    record = play_game(game, (white, black), (CLOCKS, CLOCKS), load("chess"), AdjudicationRules())
    assert (record.termination, record.fault, record.score) == (Termination.CRASH, 0, "0-1")
