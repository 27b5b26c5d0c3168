"""The engine with a UCI program's commands: a process, lines in, lines out."""

import re
import time

import pytest
from surajang import Clock, Limit, Position
from surajang.engine.variant import Variant
from surajang.protocol.session.loading import Loaded
from surajang.protocol.session.search_thread import SearchRequest
from surajang.protocol.uci.protocol import Uci
from surajang.protocol.wire.stdio import InputLine
from surajang.tests.support.engines import Indifferent, Puppet
from surajang.tests.support.gui import READY, SOON
from surajang.tests.support.uci import INFO, complaints, engine_at_the_start, fen_of, search, shared_engine

pytestmark = pytest.mark.process

shared, gui = shared_engine, engine_at_the_start


MATED = "7k/6Q1/6K1/8/8/8/8/8[] b - - 0 1"

STALEMATE = "7k/5Q2/6K1/8/8/8/8/8[] b - - 0 1"

MATE_IN_ONE = "7k/8/6K1/8/8/8/8/R7[] w - - 0 1"


# Positions


@pytest.mark.parametrize(
    ("command", "fen"),
    [
        ("position startpos", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"),
        ("position startpos moves", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"),
        (
            "position startpos moves e2e4 d7d5 e4d5 d8d5 P@e6",
            "rnb1kbnr/ppp1pppp/4P3/3q4/8/8/PPPP1PPP/RNBQKBNR[p] b KQkq - 0 3",
        ),
        (
            "  position\t fen  k7/8/8/8/8/8/4P3/4K3[] w - - 0 1  moves  e2e4 ",
            "k7/8/8/8/4P3/8/8/4K3[] b - - 0 1",
        ),
        ("position fen k7/8/8/8/8/8/8/4K3/Pp w - - 0 1 moves p@e4", "k7/8/8/8/4P3/8/8/4K3[p] b - - 0 1"),
        ("position fen k7/4Q~3/8/8/8/8/8/4K3[-] w - - 0 1", "k7/4Q~3/8/8/8/8/8/4K3[] w - - 0 1"),
        ("position fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R[] w KQkq - 0 1"),
        ("position fen 7k/4P3/8/8/8/8/8/4K3 w", "7k/4P3/8/8/8/8/8/4K3[] w - - 0 1"),
        ("position fen 7k/4P3/8/8/8/8/8/4K3 w moves e7e8Q", "4Q~2k/8/8/8/8/8/8/4K3[] b - - 0 1"),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves O-O", "4k3/8/8/8/8/8/8/5RK1[] b - - 1 1"),
    ],
)
def test_positions_are_read_as_others_write_them(gui, command, fen):
    assert complaints(gui.ask(command)) == []
    assert fen_of(gui).split()[0:3] == fen.split()[0:3]


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("position", "position should be followed by"),
        ("position e2e4", "position should be followed by"),
        ("position startpos e2e4", "position should be followed by"),
        ("position fen", "position should be followed by"),
        ("position fen moves e2e4", "position should be followed by"),
        ("position fen nonsense", "1 rank"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "White has no kings"),
        ("position fen k7/8/8/8/8/8/8/K7 x - - 0 1", "turn: 'x'"),
        (f"position fen {MATED.replace(' b ', ' w ')}", "in check, but it is not its turn"),
    ],
)
def test_bad_position_is_quoted_and_the_game_stays(gui, command, reason):
    gui.ask("position startpos moves d2d4 d7d5")
    before = fen_of(gui)
    (complaint,) = complaints(gui.ask(command))
    assert reason in complaint and command[:20] in complaint and len(complaint) < 450
    assert fen_of(gui) == before


@pytest.mark.parametrize(
    ("moves", "made", "reason"),
    [
        ("e2e5", "", "'e2e5': the Pawn on e2 cannot go to e5"),
        ("e2e4 e7e5 e4e5", "e2e4 e7e5", "'e4e5'"),
        ("e2e4 N@e5 d2d4", "e2e4", "Black has no N in hand"),
        ("d2d4 nonsense", "d2d4", "'nonsense': is not a move"),
        ("e2e4 e7e8=Q", "e2e4", "'e7e8=Q': the Pawn on e7 cannot go to e8"),
    ],
)
def test_moves_before_an_illegal_one_are_made_and_searched(gui, moves, made, reason):
    gui.ask("position startpos moves g1f3")
    (complaint,) = complaints(gui.ask(f"position startpos moves {moves}"))
    assert reason in complaint and complaint.endswith("; the position is the one before this move")
    position = Position("crazyhouse")
    for move in made.split():
        position.push(move)
    assert fen_of(gui) == position.fen()
    _, answer = search(gui, "go depth 1")
    assert answer[1] in map(str, position.legal_moves())


@pytest.mark.quick
def test_game_continues_after_an_illegal_move():
    talk, lines = talker()
    for moves in ("e2e4 e2e5", "e2e4 e2e5", "e2e4 e7e5 g1f3", "e2e4 e7e5 e2e4 g1f3"):
        talk.handle(InputLine(f"position startpos moves {moves}"))
    assert [str(move) for move in talk._session.position.moves] == ["e2e4", "e7e5"]
    assert len(lines) == 3


@pytest.mark.quick
def test_game_continues_from_the_moves_that_are_known():
    """Taken back, changed and repeated moves, and positions that are set up again."""
    talk, lines = talker()
    games = [
        "",
        "e2e4",
        "e2e4 e7e5",
        "e2e4 e7e5 g1f3",
        "e2e4",
        "d2d4 d7d5",
        "d2d4 d7d5 c1f4",
        "d2d4 d7d5 c1f4",
    ]
    for moves in games:
        talk.handle(InputLine(f"position startpos moves {moves}"))
        position = Position("crazyhouse")
        for move in moves.split():
            position.push(move)
        assert talk._session.position.fen() == position.fen()
        assert len(talk._session.position.moves) == len(moves.split())
    assert lines == []


@pytest.mark.quick
def test_moves_that_are_known_are_not_made_again(monkeypatch):
    """Otherwise a game of many moves would take longer and longer."""
    talk, lines = talker()
    talk.handle(InputLine("position startpos moves e2-e4 e7e5"))
    made = []
    push = Position.push
    monkeypatch.setattr(Position, "push", lambda self, move: made.append(move) or push(self, move))
    talk.handle(InputLine("position startpos moves e2-e4 e7e5 g1f3 b8c6"))
    assert made == ["g1f3", "b8c6"]
    talk.handle(InputLine("position startpos moves e2e4 e7e5"))
    assert made[2:] == ["e2e4", "e7e5"] and lines == []


def test_repetitions_before_the_position_are_known(gui):
    there_and_back = "g1f3 g8f6 f3g1 f6g8 "
    gui.ask(f"position startpos moves {there_and_back}g1f3")
    infos, _ = search(gui, "go depth 4 searchmoves g8f6")
    gui.ask(f"position startpos moves {there_and_back * 2}g1f3")
    repeated, _ = search(gui, "go depth 4 searchmoves g8f6")
    assert {info["score"] for info in repeated} == {"cp 0"} != {info["score"] for info in infos}


# Searching


def test_reports_are_complete_and_lead_to_the_answer(gui):
    infos, answer = search(gui, "go depth 6", "position startpos moves e2e4")
    assert [int(info["depth"]) for info in infos] == [1, 2, 3, 4, 5, 6]
    line = infos[-1]["pv"].split()
    assert answer == ["bestmove", line[0], "ponder", line[1]]
    for info in infos:
        gui.ask("position startpos")
        assert complaints(gui.ask(f"position startpos moves e2e4 {info['pv']}")) == []


@pytest.mark.quick
def test_mate_is_reported_in_moves_and_from_the_side_to_move(gui):
    infos, answer = search(gui, "go depth 3", f"position fen {MATE_IN_ONE}")
    assert infos[-1]["score"] == "mate 1" and answer == ["bestmove", "a1a8"]
    infos, _ = search(gui, "go depth 4", f"position fen {MATE_IN_ONE.replace(' w ', ' b ')}")
    assert infos[-1]["score"] == "mate -1"


@pytest.mark.parametrize(("fen", "score"), [(MATED, "mate 0"), (STALEMATE, "cp 0")])
def test_no_move_is_none(gui, fen, score):
    gui.ask(f"position fen {fen}")
    gui.send("go depth 3")
    assert gui.expect("bestmove .*") == [f"info depth 0 score {score}", "bestmove (none)"]


def test_no_move_in_an_endless_search_is_reported_with_stop(gui):
    gui.ask(f"position fen {MATED}")
    gui.send("go infinite")
    time.sleep(0.2)
    assert gui.ask() == []
    gui.send("stop")
    assert gui.expect("bestmove .*")[-1] == "bestmove (none)"


@pytest.mark.parametrize(
    "go",
    [
        "go movetime 200",
        "go wtime 2000 btime 900000",
        "go wtime 2000 btime 9 winc 10 binc 10 movestogo 20",
        "go wtime 100 btime 900000 movestogo 0",
        "go wtime -20 btime 900000",
        "go wtime 0 btime 900000 winc 0",
        "go movetime 0",
        "go nodes 2000",
        "go depth 0",
        "go mate 1 nodes 50000",
        "go depth 3 joho wtime 3600000 btime 3600000",
    ],
)
def test_limits_end_a_search(gui, go):
    """None of them would end soon without it."""
    _, answer = search(gui, go, "position startpos")
    assert re.fullmatch(r"[a-h][1-8][a-h][1-8]", answer[1])


@pytest.mark.quick
@pytest.mark.parametrize(
    ("go", "asked"),
    [
        ("go movetime 200", Limit(time=0.17)),
        ("go wtime 9000000 btime 1000", Limit(clock=Clock(1.0))),
        ("go wtime 1 btime 2000 winc 3 binc 10 movestogo 20", Limit(clock=Clock(2.0, 0.01, 20))),
        ("go wtime 9000000 btime -20 movestogo 0", Limit(clock=Clock(0.0))),
        ("go depth 3 nodes 7 wtime 1 btime 60000", Limit(depth=3, nodes=7, clock=Clock(60.0))),
    ],
)
def test_clock_is_that_of_the_side_to_move(go, asked):
    puppet = Puppet()
    talk, _ = talker(puppet)
    talk.handle(InputLine("position startpos moves e2e4"))
    talk.handle(InputLine(go))
    talk._session.abandon()
    assert puppet.calls == [(False, SearchRequest(asked))]


def test_nodes_limit_counts_nodes(gui):
    infos, _ = search(gui, "go nodes 5000", "position startpos")
    assert int(infos[-1]["nodes"]) <= 5000 and len(infos) > 3


def test_mate_limit_stops_at_the_mate(gui):
    infos, _ = search(gui, "go mate 1", f"position fen {MATE_IN_ONE}")
    assert [info["score"] for info in infos].index("mate 1") == len(infos) - 1


def test_only_the_chosen_moves_are_searched(gui):
    infos, answer = search(gui, "go searchmoves a2a3 h2h4 e2e5 depth 4", "position startpos")
    assert {info["pv"].split()[0] for info in infos} <= {"a2a3", "h2h4"}
    assert answer[1] in ("a2a3", "h2h4")


@pytest.mark.parametrize("move", ["0000", "e2e5"])
def test_no_chosen_move_is_no_move_for_a_reason(gui, move):
    gui.send("position startpos", f"go searchmoves {move} depth 4")
    *_, reason, answer = gui.expect("bestmove .*")
    assert reason == "info string searchmoves names no legal move: there is nothing to play"
    assert answer == "bestmove (none)"


@pytest.mark.quick
@pytest.mark.parametrize(
    ("go", "reason", "asked"),
    [
        ("go depth", "depth needs a whole number", Limit(time=0.97)),
        ("go depth x", "not 'x'", Limit(time=0.97)),
        ("go depth ٣", "depth needs a whole number", Limit(time=0.97)),
        ("go movetime 1.5 nodes 7", "movetime needs a whole number, not '1.5'", Limit(nodes=7)),
        ("go movetime 500 depth", "depth needs a whole number", Limit(time=0.47)),
        ("go depth movetime 500", "depth needs a whole number", Limit(time=0.47)),
        ("go wtime", "wtime needs a whole number", Limit(time=0.97)),
        ("go nodes -4", "nodes -4 is less than 0", Limit(time=0.97)),
        ("go btime 1000", "wtime is missing", Limit(time=0.97)),
        ("go wtime 1000 winc x", "winc needs a whole number", Limit(clock=Clock(1.0))),
        ("go mate 0", "mate needs a number of moves from 1", Limit(time=0.97)),
        ("go mate 0 depth 3", "mate needs a number of moves from 1", Limit(depth=3)),
        ("go searchmoves", "searchmoves needs moves", Limit(time=0.97)),
        ("go searchmoves depth 3", "searchmoves needs moves", Limit(depth=3)),
    ],
)
def test_bad_limit_is_left_out_and_the_search_ends_in_one_answer(go, reason, asked):
    """One second if no limit is left, so that the GUI gets an answer."""
    puppet = Puppet()
    talk, lines = talker(puppet)
    talk.handle(InputLine(go))
    talk.handle(next_event(talk))
    assert puppet.calls == [(False, SearchRequest(asked))]
    assert reason in lines[0] and [line for line in lines if line.startswith("bestmove ")] == lines[-1:]


@pytest.mark.quick
@pytest.mark.parametrize("go", ["go foo", "go 5", "go Depth 3", "go wtme 1000 btme 1000", "go e2e4"])
def test_go_without_a_word_that_has_a_meaning_begins_no_search(go):
    puppet = Puppet()
    talk, lines = talker(puppet)
    talk.handle(InputLine(go))
    (line,) = lines
    assert line.startswith("info string go should be followed by some of: ") and line.endswith(f": {go}")
    assert puppet.calls == [] and talk._session.search is None


@pytest.mark.quick
def test_number_of_any_length_is_a_limit():
    puppet = Puppet()
    talk, lines = talker(puppet)
    talk.handle(InputLine(f"go nodes 5 movetime {'9' * 40}"))
    talk.handle(next_event(talk))
    assert puppet.calls[0][1].limit.nodes == 5 and not [
        line for line in lines if line.startswith("info string")
    ]


@pytest.mark.parametrize("go", ["go depth x", "go movetime 100 depth"])
def test_bad_limit_ends_by_itself(gui, go):
    gui.ask("position startpos")
    gui.send(go)
    assert gui.expect("bestmove .*")[0].startswith("info string depth needs a whole number")
    assert gui.ask("stop") == []


@pytest.mark.parametrize("go", ["go perft 0", "go perft 99", "go perft x"])
def test_bad_depth_of_perft_is_quoted_and_nothing_counted(gui, go):
    (complaint,) = complaints(gui.ask("position startpos", go))
    assert complaint == f"perft counts from 1 to 16 plies: {go}"
    _, answer = search(gui, "go depth 1")
    assert answer[0] == "bestmove"


def test_words_without_meaning_are_skipped(gui):
    assert complaints(gui.ask("joho position startpos moves e2e4")) == []
    assert fen_of(gui).split()[1] == "b"
    (complaint,) = complaints(gui.ask("joho"))
    assert complaint == "unknown command: joho"
    gui.send("dog go depth 1 joho")
    lines = gui.expect("bestmove .*")
    assert "info string go does not know 'joho'; it is skipped" in lines


@pytest.mark.quick
def test_last_report_of_a_stopped_search_is_complete():
    """The engine's answer differs from its last report: it was found in an iteration that did not end."""
    talk, lines = talker(Puppet())
    talk.handle(InputLine("go infinite"))
    talk.handle(InputLine("stop"))
    assert INFO.fullmatch(lines[-2])["nodes"] == "1000" and lines[-1].startswith("bestmove ")


def test_answer_of_a_stopped_search_knows_its_depth_and_table(gui):
    gui.ask("position startpos")
    gui.send("go infinite")
    gui.expect("info depth 10 .*")
    gui.send("stop")
    infos = [line for line in gui.expect("bestmove .*") if line.startswith("info depth") and " pv " in line]
    for line in infos:
        assert INFO.fullmatch(line) and " seldepth 0 " not in line


def test_perft_counts_as_stockfish_does(gui):
    gui.ask("position startpos moves e2e4 d7d5 e4d5")
    gui.send("go perft 2")
    *lines, _, total = gui.expect("Nodes searched: .*", READY)
    counts = dict(line.split(": ") for line in lines)
    position = Position("crazyhouse")
    for move in ("e2e4", "d7d5", "e4d5"):
        position.push(move)
    assert set(counts) == {str(move) for move in position.legal_moves()}
    assert sum(map(int, counts.values())) == int(total.split()[-1])


def test_perft_is_stopped_and_what_waited_for_it_comes_next(gui):
    gui.ask("position startpos")
    gui.send("go perft 9", "go depth 1", "stop")
    *lines, _, _ = gui.expect("Nodes searched: .*", 60)
    assert len(lines) < 20
    gui.expect("bestmove .*")


class BrokenEngine(Indifferent):
    """An engine whose searches fail."""

    def play(self, position, limit, **options):
        raise ArithmeticError("a bug")

    def clear(self):
        raise ArithmeticError("another bug")


def talker(engine=None):
    """A conversation in this process, and the list of its lines."""
    lines, events = [], []
    talk = Uci(lines.append, events.append)
    talk.events = events
    talk.handle(Loaded(Variant("crazyhouse"), engine or BrokenEngine(), Position("crazyhouse")))
    return talk, lines


def next_event(talk):
    """The oldest event that was not handled; waits for one."""
    deadline = time.monotonic() + SOON
    while not talk.events and time.monotonic() < deadline:
        time.sleep(0.01)
    return talk.events.pop(0)
