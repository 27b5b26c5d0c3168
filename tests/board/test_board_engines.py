"""Engines of the board: play, analysis, review and watching, and the messages to pages if one fails."""

import asyncio
import sys
import time

import pytest
from surajang.board.async_engine import AsyncEngine
from surajang.board.engines import Engines, read_engine
from surajang.engine.definition import catalogue
from surajang.match.players.player import ProtocolError
from surajang.match.records.journal import GAMES
from surajang.tests.support import board as boards
from surajang.tests.support.board import ANALYST, GAME, START, load_pgn, match_folder, opened
from surajang.tests.support.fake_players import wait_for

pytestmark = pytest.mark.process

serve, board = boards.serve, boards.board


# Play


def play(page, **fields):
    page.send("play", **{"sides": ["person", "engine"], "level": 800, **fields})
    return page.until("play", lambda message: message["active"])


def test_engine_answers_and_a_move_can_be_taken_back(board):
    with board.page() as socket:
        page = opened(socket)
        play(page)
        page.send("move", text="e4")
        assert page.state(lambda state: state["ply"] == 2)["turn"] == 0
        page.send("takeback")
        assert page.state(lambda state: state["ply"] == 0)["fen"] == START


def test_moves_are_taken_at_the_end_of_the_game_only(board):
    with board.page() as socket:
        page = opened(socket)
        play(page)
        page.send("move", text="e4")
        page.state(lambda state: state["ply"] == 2)
        page.send("goto", node=0)
        page.state(lambda state: state["ply"] == 0)
        page.send("move", text="d4")
        assert "last move" in page.until("error")["text"]


def test_resignation_and_agreed_draw_end_the_game(board):
    with board.page() as socket:
        page = opened(socket)
        play(page, sides=["engine", "person"])
        page.send("resign")
        ended = page.until("play", lambda message: message["result"])
        assert ended["result"] == {"score": "1-0", "reason": "Black resigns"}
        play(page, sides=["person", "person"])
        page.send("draw")
        ended = page.until("play", lambda message: message["result"])
        assert ended["result"] == {"score": "1/2-1/2", "reason": "Draw by agreement"}


def test_clock_that_runs_down_loses_the_game(board):
    with board.page() as socket:
        page = opened(socket)
        play(page, sides=["person", "person"], base=0.4)
        page.send("move", text="e4")
        ended = page.until("play", lambda message: message["result"])
        assert ended["result"] == {
            "score": "0-1" if ended["left"][0] == 0 else "1-0",
            "reason": "Black loses on time",
        }


def test_mate_is_reported_in_words(board):
    with board.page() as socket:
        page = opened(socket)
        play(page, sides=["person", "person"])
        for move in ("f3", "e5", "g4", "Qh4"):
            page.move(move)
        assert page.last["state"]["result"] == {"score": "0-1", "reason": "Black mates"}
        assert not page.until("play", lambda message: message["result"])["active"]


def test_engine_that_crashes_is_restarted_and_the_page_is_told(serve):
    board = serve(engines=[ANALYST.replace("fake_analyst.py", "fake_analyst.py --crash 2")])
    with board.page() as socket:
        page = opened(socket)
        play(page)
        page.send("move", text="e4")
        page.state(lambda state: state["ply"] == 2)
        page.send("move", text="d4")
        assert "Analyst ended with exit status 3" in page.until("error")["text"]
        assert page.state(lambda state: state["ply"] == 4)["turn"] == 0


# Analysis and review


def test_analysis_reports_lines_of_the_current_position_and_stops_on_request(board):
    with board.page() as socket:
        page = opened(socket)
        page.send("analyse", on=True, lines=3)
        found = page.until("analysis", lambda message: len(message["infos"]) == 3)
        assert found["node"] == 0 and found["infos"][0]["labels"]
        node = page.move("e4")["node"]
        found = page.until("analysis", lambda message: message["node"] == node and message["infos"])
        assert all(info["squares"][1] is not None for info in found["infos"])
        page.send("analyse", on=False)
        page.until("analysis", lambda message: not message["on"])
        wait_for(lambda: not searching(board))


def test_analysis_keeps_its_engine_from_move_to_move(board):
    with board.page() as socket:
        page = opened(socket)
        page.send("analyse", on=True)
        page.until("analysis", lambda message: message["infos"])
        engine = board.session.engines._running["analysis", 0]
        node = page.move("e4")["node"]
        page.until("analysis", lambda message: message["node"] == node and message["infos"])
        assert board.session.engines._running["analysis", 0] is engine and engine.running


def test_engine_stops_with_the_last_page(board):
    with board.page() as socket:
        page = opened(socket)
        page.send("analyse", on=True)
        page.until("analysis", lambda message: message["infos"])
    wait_for(lambda: not searching(board))
    assert not board.session.analysis.on


def test_analysis_survives_a_crash(serve):
    board = serve(engines=[ANALYST.replace("fake_analyst.py", "fake_analyst.py --crash 2")])
    with board.page() as socket:
        page = opened(socket)
        page.send("analyse", on=True)
        page.until("analysis", lambda message: message["infos"])
        page.send("move", text="e4")
        assert "restarted" in page.until("error")["text"]
        page.until("analysis", lambda message: message["infos"] and message["node"] == 1)


def test_engine_that_is_closed_while_it_starts_is_not_waited_for():
    async def run():
        engine = AsyncEngine(read_engine("cmd='sleep 600' proto=uci name=Slow"), catalogue.load("chess"))
        start = asyncio.create_task(engine.start())
        while engine._analyst is None:
            await asyncio.sleep(0.01)
        engine.close()
        with pytest.raises(ProtocolError, match="Slow was closed"):
            await start

    asyncio.run(run())


@pytest.mark.parametrize("protocol", ["uci", "cecp"])
def test_engine_that_ended_while_it_was_idle_is_restarted(serve, protocol):
    script = "fake_analyst.py" if protocol == "uci" else "fake_cecp_analyst.py"
    board = serve(
        "chess", [ANALYST.replace("fake_analyst.py", script).replace("proto=uci", f"proto={protocol}")]
    )
    with board.page() as socket:
        page = opened(socket)
        page.send("analyse", on=True, engine=0)
        page.until("analysis", lambda message: message["infos"])
        page.send("analyse", on=False)
        page.until("analysis", lambda message: not message["on"])
        wait_for(lambda: not searching(board))
        board.call(lambda: board.session.engines._running["analysis", 0]._analyst._process.close())
        page.send("analyse", on=True)
        assert page.until("analysis", lambda message: message["on"] and message["infos"])
        assert "error" not in page.last


def searching(board):
    return board.call(lambda: any(engine.searching for engine in board.session.engines._running.values()))


def test_threat_is_a_move_of_the_other_side(board):
    with board.page() as socket:
        page = opened(socket)
        page.send("analyse", on=True, threat=True)
        found = page.until("analysis", lambda message: message["infos"] and message["threat"])
        assert found["infos"][0]["pv"][0][1] in "78"  # Black's pieces move, though it is White's turn


def test_second_engine_analyses_the_same_positions_until_it_is_not_wanted(serve):
    board = serve(engines=[ANALYST, ANALYST.replace("name=Analyst", "name=Other")])
    with board.page() as socket:
        page = opened(socket)
        page.send("analyse", on=True, compare=1)
        rival = page.until("rival", lambda message: message["infos"])
        assert (rival["on"], rival["engine"], len(rival["infos"][0]["labels"])) == (True, 1, 1)
        page.send("move", text="e4")
        rival = page.until("rival", lambda message: message["infos"] and message["node"] == 1)
        page.until("analysis", lambda message: message["infos"] and message["node"] == 1)
        page.send("analyse", compare=None)
        page.until("rival", lambda message: not message["on"])
        assert board.session.analysis.on


def test_second_engine_stops_with_the_first(board):
    with board.page() as socket:
        page = opened(socket)
        page.send("analyse", on=True, compare=0)
        page.until("rival", lambda message: message["infos"])
        page.send("analyse", on=False)
        page.until("rival", lambda message: not message["on"])
        page.send("analyse", on=True, compare=7)
        assert "there is no engine 7" in page.until("error")["text"]


def test_analysis_can_be_compared_with_the_hand_written_evaluation():
    assert Engines([]).rivals[-1].options == (("Use NNUE", "false"),)


def test_threat_ends_with_the_analysis(board):
    with board.page() as socket:
        page = opened(socket)
        page.send("analyse", on=True, threat=True)
        page.until("analysis", lambda message: message["infos"] and message["threat"])
        page.send("analyse", on=False)
        assert not page.until("analysis", lambda message: not message["on"])["threat"]


def test_review_marks_the_blunder_and_names_the_better_move(board):
    with board.page() as socket:
        page = opened(socket)
        load_pgn(page, '[Variant "Crazyhouse"]\n\n1. e4 d5 2. Qg4 Bxg4 *')
        page.send("review", seconds=0.05)
        page.until("review", lambda message: message["running"] is False and message["done"] == 5)
        nodes = {node["id"]: node for node in board.call(board.session.tree.as_json)["nodes"]}
        assert all(node.get("eval") for node in nodes.values())
        assert (nodes[3]["glyph"], nodes[3]["best"]) == ("??", "exd5")  # the queen can be taken
        assert [nodes[node].get("glyph") for node in (1, 4)] == [None, None]
        counts = page.last["review"]["counts"]
        assert counts[0]["??"] == 1 and counts[0]["loss"] > 0
        assert nodes[3]["refutation"] == "Bxg4"
        assert counts[0]["accuracy"] < counts[1]["accuracy"]
        assert counts[0]["phases"] == [counts[0]["accuracy"], None, None]  # all moves are in the opening


def test_line_at_a_mistake_is_played_as_a_variation_and_kept_in_the_pgn(board):
    with board.page() as socket:
        page = opened(socket)
        load_pgn(page, '[Variant "Crazyhouse"]\n\n1. e4 d5 2. Qg4 Bxg4 *')
        page.send("review", seconds=0.05)
        page.until("review", lambda message: message["running"] is False and message["done"] == 5)
        page.send("line", node=2, moves=["exd5", "Qxd5", "P@e4"])
        page.state(lambda state: state["ply"] == 5)
        assert board.session.tree.path(board.session.tree.node)[:2] == [1, 2]
        assert board.session.tree.main_line() == [1, 2, 3, 4]
        page.send("export")
        pgn = page.until("exported")["pgn"]
        assert "(better: exd5) (answer: Bxg4)" in pgn
        load_pgn(page, pgn)
        mistake = board.session.tree.nodes[board.session.tree.main_line()[2]]
        assert (mistake.best, mistake.refutation, mistake.comment) == ("exd5", "Bxg4", "")


def test_review_keeps_the_marks_of_a_person(board):
    with board.page() as socket:
        page = opened(socket)
        load_pgn(page, '[Variant "Crazyhouse"]\n\n1. e4 $6 d5 2. Qg4 Bxg4 *')
        page.send("glyph", node=3, glyph="!?")
        for _ in range(2):
            page.send("review", seconds=0.05)
            page.until("review", lambda message: message["running"] is False and message["done"] == 5)
            nodes = board.session.tree.nodes
            assert [nodes[node].glyph for node in (1, 3)] == ["?!", "!?"]
            assert nodes[3].best == "exd5"


def test_review_survives_crashes(serve):
    board = serve(engines=[ANALYST.replace("fake_analyst.py", "fake_analyst.py --crash 3")])
    with board.page() as socket:
        page = opened(socket)
        load_pgn(page, '[Variant "Crazyhouse"]\n\n1. e4 d5 2. Qg4 Bxg4 *')
        page.send("review", seconds=0.05)
        assert "restarted" in page.until("error")["text"]
        found = page.until("review", lambda message: message["running"] is False)
        assert (found["done"], found["error"]) == (5, "")


def test_review_ends_where_its_engine_cannot_be_started(serve):
    board = serve(engines=[ANALYST.replace(sys.executable, "/no/such/program")])
    with board.page() as socket:
        page = opened(socket)
        load_pgn(page, GAME)
        page.send("review", seconds=0.05)
        found = page.until("review", lambda message: message["running"] is False)
        assert "/no/such/program" in found["error"]


def test_review_can_be_cancelled(board):
    with board.page() as socket:
        page = opened(socket)
        load_pgn(page, GAME)
        page.send("review", seconds=0.05)
        page.until("review", lambda message: message["running"])
        page.send("cancel_review")
        page.until("review", lambda message: not message["running"])
        assert page.move("d4")["ply"] == 5


# Watching


def test_two_engines_play_and_can_be_stopped(serve):
    board = serve(engines=[ANALYST, ANALYST.replace("name=Analyst", "name=Other")])
    with board.page() as socket:
        page = opened(socket)
        page.send("watch", engines=[0, 1])
        assert "need a clock" in page.until("error")["text"]
        page.send("watch", engines=[0, 1], base=60, byoyomi=5)
        page.state(lambda state: state["ply"] >= 3)
        assert page.last["watch"]["names"] == ["Analyst", "Other"]
        told = page.last["watch"]
        assert told["byoyomi"] == 5 and max(told["clocks"]) <= 60
        assert board.session.tree.tags["TimeControl"] == "60:1/5"
        page.send("stop_watch")
        page.until("watch", lambda message: not message["running"])
    watch = board.session.watch
    assert watch.message()["ran"] == 0
    watch._since = time.monotonic() - 2
    assert watch.message()["ran"] >= 2


def test_games_of_a_match_appear_as_they_end(serve, tmp_path):
    match_folder(tmp_path, range(2))
    board = serve(folder=tmp_path)
    board.call(board.session.watch.begin)
    with board.page() as socket:
        page = opened(socket)
        assert [row["wins"] for row in page.last["watch"]["match"]["standings"]] == [1, 1]
        assert page.last["state"]["last"]["text"] == "e7e5"
        assert {node["id"]: node for node in page.last["tree"]["nodes"]}[2]["eval"]["cp"] == -20
        match_folder(tmp_path, range(2, 3))
        news = page.until("watch", lambda message: len(message["match"]["games"]) == 3)
        assert news["match"]["standings"][0]["wins"] == 2 and news["shown"] == 2


def test_half_written_game_of_a_match_waits(serve, tmp_path):
    match_folder(tmp_path, range(1))
    with (tmp_path / GAMES).open("a") as file:
        file.write('{"game": {"num')
    board = serve(folder=tmp_path)
    board.call(board.session.watch.begin)
    assert len(board.call(board.session.watch.message)["match"]["games"]) == 1


def test_eval_sends_every_page_the_value_of_each_piece(board):
    with board.page() as one, board.page() as two:
        page, other = opened(one), opened(two)
        node = page.move("e4")["node"]
        page.send("trace_eval")
        found = other.until("eval")
        assert (found["node"], found["title"], found["text"]) == (node, "What pieces are worth:", "Sum 0")
        assert found["pieces"]["28"] == "+1.00" and found["pieces"]["59"] == "-9.00"
        assert "4" not in found["pieces"]  # the king


def test_moves_are_played_while_an_engine_that_is_to_evaluate_starts(board, monkeypatch):
    async def never(*wanted):
        await asyncio.Event().wait()

    monkeypatch.setattr(board.session.engines, "get", never)
    with board.page() as socket:
        page = opened(socket)
        page.send("trace_eval")
        assert page.move("e4")["ply"] == 1


def test_setup_phase_is_not_evaluated(serve):
    board = serve("pandemonium-vchess", [])
    with board.page() as socket:
        page = opened(socket)
        page.send("trace_eval")
        found = page.until("eval")
        assert found["title"] == "an arrangement has to be chosen first" and not found["pieces"]


def test_failed_evaluation_is_reported_and_the_page_continues(serve):
    board = serve(engines=[ANALYST.replace(sys.executable, "/no/such/program")])
    with board.page() as socket:
        page = opened(socket)
        page.send("trace_eval")
        error = page.until("error")
        assert error["where"] == "engine" and "/no/such/program" in error["text"]
        assert page.move("e4")["ply"] == 1
