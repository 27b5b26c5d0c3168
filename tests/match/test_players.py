"""Clients of engines: whole games, limits and options, with engines that behave."""

import io

import pytest
from surajang import Position
from surajang.match.players.control import TimeControl
from surajang.match.players.player import ProtocolError, StartError
from surajang.tests.support.fake_players import BOTH, begin, starter

pytestmark = pytest.mark.process

fake = pytest.fixture(starter)


@pytest.mark.quick
@BOTH
def test_player_plays_whole_games(fake, dialect):
    player = fake(dialect=dialect)
    assert player.own_name == "Fake"
    for number in range(3):
        position = begin(player, *["e2e4", "e7e5"][:number])
        while position.result() is None and position.ply < 60:
            answer = player.think(position, None, None)
            position.push(answer.move)
            if position.result() is None:
                position.push(position.legal_moves()[0])
        assert answer.thinking.score == 13 and answer.thinking.line == answer.move
        assert answer.seconds > 0
        result = position.result()
        player.end_game(position, result.score if result else "*", "the end { } is\nnear")


@BOTH
def test_game_may_begin_anywhere(fake, dialect):
    player = fake("--moves", "P@e4", dialect=dialect)
    position = begin(player, "e1d1", "e8d8", fen="4k3/8/8/8/8/8/8/4K3[Pq] w - - 0 1")
    assert player.think(position, None, None).move == "P@e4"


def test_own_move_is_not_sent_again(fake):
    log = io.StringIO()
    player = fake("--moves", "e2e4 d2d4", log=log)
    position = begin(player)
    position.push(player.think(position, None, None).move)
    position.push("e7e5")
    position.push(player.think(position, None, None).move)
    told = [line.split("> ")[1] for line in log.getvalue().splitlines() if "> " in line]
    assert told[told.index("nps 1000") :] == ["nps 1000", "ping 2", "go", "usermove e7e5"]


def test_thinking_is_reported_while_it_comes(fake):
    seen, player = [], fake(dialect="uci")
    player.think(begin(player), None, None, seen.append)
    assert [(t.depth, t.seldepth, t.score, t.nodes, t.seconds) for t in seen] == [(7, 9, 13, 1000, 0.07)]


@pytest.mark.parametrize(
    ("control", "clocks", "commands"),
    [
        (TimeControl(nodes=5000), (None, None), ["st 1", "nps 5000"]),
        (TimeControl(depth=3), (None, None), ["st 3600", "sd 3"]),
        (TimeControl(movetime=0.5, depth=2), (None, None), ["st 0.5", "sd 2"]),
        (TimeControl(90.5, 0.25, 40), (1.239, 70.0), ["level 40 1:30 0.25", "time 123", "otim 7000"]),
        (TimeControl(0.2, 0.1), (0.001, None), ["level 0 0:01 0.1", "time 1", "otim 1"]),
        (TimeControl(60, 2, byoyomi=10), (30.0, None), ["level 0 1:00 12", "time 4000", "otim 4000"]),
        (TimeControl(60, byoyomi=10), (0.0, None), ["level 0 1:00 10", "time 950", "otim 1000"]),
    ],
)
def test_limits_in_cecp(fake, control, clocks, commands):
    log = io.StringIO()
    player = fake(log=log)
    player.think(begin(player, control=control), *clocks)
    told = [line.split("> ")[1] for line in log.getvalue().splitlines() if "> " in line]
    limits = ("st", "sd", "nps", "level", "time", "otim")
    assert [line for line in told if line.split()[0] in limits] == commands


@pytest.mark.parametrize(
    ("control", "clocks", "command"),
    [
        (TimeControl(nodes=5000), (None, None), "go nodes 5000"),
        (TimeControl(movetime=0.5, depth=2), (None, None), "go movetime 500 depth 2"),
        (
            TimeControl(90.5, 0.25, 40),
            (1.239, 70.0),
            "go wtime 70000 winc 0 btime 1239 binc 250 movestogo 40",
        ),
        (TimeControl(60, 2, byoyomi=10), (30.0, 9.0), "go wtime 9000 winc 0 btime 40000 binc 12000"),
        (TimeControl(60, byoyomi=1), (0.0, 9.0), "go movetime 800"),
        (TimeControl(2.0, nodes=7), (0.0, 1.0), "go wtime 1000 winc 0 btime 1 binc 0 nodes 7"),
    ],
)
def test_limits_in_uci(fake, control, clocks, command):
    log = io.StringIO()
    player = fake(log=log, dialect="uci")
    position = Position("crazyhouse")
    position.push("e2e4")
    player.new_game(position, control, TimeControl(9.0), 1)
    player.think(position, *clocks)
    assert f"Fake> {command}\n" in log.getvalue()


def test_moves_to_go_count_the_moves_on_the_clock(fake):
    log, control = io.StringIO(), TimeControl(60.0, moves=2)
    player = fake("--moves", "g1f3 f3g1 g1f3", log=log, dialect="uci")
    position = begin(player, "e2e4", "e7e5", control=control)
    for reply in ("b8c6", "c6b8", "b8c6"):
        position.push(player.think(position, 60.0, 60.0).move)
        position.push(reply)
    assert [line[-1] for line in log.getvalue().splitlines() if "movestogo" in line] == ["2", "1", "2"]


# CECP of other kinds


@pytest.mark.parametrize("banner", ["", "GNU Chess 4"])
def test_engine_of_version_1_announces_nothing(fake, monkeypatch, banner):
    monkeypatch.setattr("surajang.match.players.cecp.SILENT_SECONDS", 0.3)
    monkeypatch.setattr("surajang.match.players.cecp.QUIET_SECONDS", 0.3)
    player = fake("--version-1", "--banner", banner, "--moves", "e2e4", variant="chess")
    position = begin(player, variant="chess")
    assert player.think(position, None, None).move == "e2e4"
    player.synchronise()
    with pytest.raises(ProtocolError, match="cannot set up positions"):
        begin(player, variant="chess", fen="4k3/8/8/8/8/8/8/4K2R w - - 0 1")


@pytest.mark.parametrize(
    ("variant", "banner"),
    [
        pytest.param("crazyhouse", "Fake engine 1.0", id="no-engine-of-version-1-plays-crazyhouse"),
        pytest.param("chess", " ", id="an-empty-line-is-no-word"),
    ],
)
def test_features_may_come_long_after_the_first_line(fake, monkeypatch, variant, banner):
    monkeypatch.setattr("surajang.match.players.cecp.QUIET_SECONDS", 0.0)
    log = io.StringIO()
    fake("--banner", banner, "--pause", "0.3", log=log, variant=variant)
    assert "Fake> ping 1\n" in log.getvalue()


def test_game_of_an_engine_that_sends_no_features(fake, monkeypatch):
    monkeypatch.setattr("surajang.match.players.cecp.PATIENT_SECONDS", 0.2)
    with pytest.raises(StartError, match=r"does not play 'crazyhouse': it has sent no features in 0\.2 s"):
        fake("--version-1")


@pytest.mark.parametrize("form", ["move {move}", "1. ... {move}", "My move is : {move}"])
def test_forms_of_a_move(fake, form):
    player = fake("--answer", form, "--moves", "e2e4")
    assert player.think(begin(player), None, None).move == "e2e4"


def test_bare_moves_where_usermove_is_not_announced(fake):
    log = io.StringIO()
    player = fake("--features", 'setboard=1 variants="normal,crazyhouse"', log=log)
    player.think(begin(player, "e2e4", "e7e5"), None, None)
    assert "Fake> e2e4\n" in log.getvalue() and "ping" not in log.getvalue()


def test_engine_that_plays_one_game_only_is_started_again(fake):
    player = fake("--features", 'reuse=0 ping=1 usermove=1 variants="crazyhouse"')
    first = player.pid
    for _ in range(2):
        player.think(begin(player), None, None)
    assert player.pid != first


@pytest.mark.parametrize("claim", ["resign", "1-0", "0-1", "1/2-1/2"])
def test_claims(fake, claim):
    text = claim if claim == "resign" else f"{claim} {{Because}}"
    player = fake("--fault", f"say:{text}")
    answer = player.think(begin(player), None, None)
    assert (answer.move, answer.claim) == (None, claim)
    assert answer.text == ("resign" if claim == "resign" else "Because")


@pytest.mark.parametrize(
    "text",
    [
        "offer draw",
        "tellusererror Something",
        "Error (unknown command): otim 9",
        "telluser Hello",
        "# pong 1",
    ],
)
def test_events_that_can_be_ignored(fake, text):
    player = fake("--fault", f"say:{text}", "--moves", "e2e4")
    assert player.think(begin(player), None, None).move == "e2e4"


def test_refused_move_is_an_error(fake):
    player = fake("--refuse", "e7e5")
    position = begin(player)
    position.push(player.think(position, None, None).move)
    position.push("e7e5")
    with pytest.raises(ProtocolError, match="refuses a command: 'Illegal move: e7e5'"):
        player.think(position, None, None)


def test_refused_position_is_an_error(fake):
    player = fake("--unknown", "st")
    with pytest.raises(ProtocolError, match=r"unknown command\): st 1"):
        begin(player)


def test_claim_of_a_game_that_is_over_is_no_answer_in_the_next(fake):
    player = fake("--fault", "say:1-0 {mate}", "--moves", "e2e4 d2d4")
    position = begin(player)
    player.think(position, None, None)
    player.end_game(position, "1-0", "mate")
    assert player.think(begin(player), None, None).move == "e2e4"


def test_limit_that_an_engine_does_not_know_is_refused_at_the_start(fake):
    with pytest.raises(StartError, match="cannot be limited by nodes"):
        fake("--features", 'nps=0 variants="crazyhouse"')


# Options and games


def test_options_in_cecp(fake):
    log = io.StringIO()
    features = 'option="Book -check 0" option="Clear -button" memory=1 smp=1 variants="normal,crazyhouse"'
    options = (("Book", "true"), ("Clear", ""), ("Hash", "9"), ("Threads", "2"))
    fake("--features", features, options=options, log=log)
    told = [line.split("> ")[1] for line in log.getvalue().splitlines() if "> " in line]
    assert [line for line in told if line.split()[0] in ("option", "memory", "cores")] == [
        *("option Book=1", "option Clear", "memory 9", "cores 2")
    ]
    with pytest.raises(StartError, match="has no option 'Style'; it has Book, Clear, Hash, Threads"):
        fake("--features", features, options=(("Style", "1"),))


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("Style", "1", "has no option 'Style'; it has Hash, Skill, UCI_Variant"),
        ("Hash", "2000", "no '2000' for its option 'Hash'"),
        ("hash", "x", "no 'x' for its option 'Hash'"),
        ("Skill", "middling", "no 'middling' for its option 'Skill'"),
    ],
)
def test_options_that_a_uci_engine_does_not_have(fake, name, value, complaint):
    with pytest.raises(StartError, match=complaint):
        fake(dialect="uci", options=((name, value),))


def test_options_in_uci(fake):
    log = io.StringIO()
    fake(dialect="uci", options=(("hash", "32"), ("Skill", "very high")), log=log)
    told = [line.split("> ")[1] for line in log.getvalue().splitlines() if "> setoption" in line]
    assert told == [
        "setoption name Hash value 32",
        "setoption name Skill value very high",
        "setoption name UCI_Variant value crazyhouse",
    ]


@BOTH
def test_game_that_the_engine_does_not_play(fake, dialect):
    with pytest.raises(StartError, match="does not play 'janggi'; it plays "):
        fake(dialect=dialect, variant="janggi")
