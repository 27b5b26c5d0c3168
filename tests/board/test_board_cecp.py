"""CECP engines that analyse and review on the board."""

import sys
import time
from pathlib import Path

import pytest
from surajang.board.cecp_analyst import LineNumbers, told
from surajang.match.players.player import Thinking
from surajang.tests.support import board as boards
from surajang.tests.support.board import LONGEST, load_pgn, opened

pytestmark = pytest.mark.process

SCRIPT = Path(__file__).parents[1] / "support" / "fake_cecp_analyst.py"
serve = boards.serve


def analyst(*arguments):
    command = " ".join([sys.executable, str(SCRIPT), *map(str, arguments)])
    return f"cmd='{command}' proto=cecp name=Xena"


def lines_at(page, node, count=1):
    """The lines of the analysis of a node, as soon as there are that many."""

    def wanted(message):
        return message["node"] == node and len(message["infos"]) == count

    return page.until("analysis", wanted)["infos"]


def test_cecp_engine_shows_lines_with_white_s_scores_and_follows_the_board(serve, tmp_path):
    log = tmp_path / "log"
    board = serve("chess", [analyst("--log", log)])
    with board.page() as socket:
        page = opened(socket)
        load_pgn(page, "1. e4 d5 2. Nf3 *")  # White can be taken a pawn
        node = page.last["state"]["node"]
        page.send("analyse", on=True, engine=0)
        best = lines_at(page, node)[0]
        assert (best["labels"], best["pv"], best["cp"]) == (["dxe4"], ["d5e4"], -100)
        assert best["nodes"] == 1000 * best["depth"]
        page.send("goto", node=1)
        assert lines_at(page, 1)[0]["cp"] == 0
        page.move("a5")
        assert lines_at(page, page.last["state"]["node"])[0]["labels"]
        page.send("analyse", on=False)
        page.until("analysis", lambda message: not message["on"])
        deadline = time.monotonic() + LONGEST
        while log.read_text().count("exit\n") < 3 and time.monotonic() < deadline:
            time.sleep(0.02)
    said = log.read_text().split("\n")
    assert said.count("new") == 2  # at its start, and for the game
    assert said.count("undo") == 2 and said.count("analyze") == said.count("exit") == 3


def test_each_line_of_a_cecp_engine_with_multipv_has_its_place(serve):
    board = serve("chess", [analyst()])
    with board.page() as socket:
        page = opened(socket)
        page.send("analyse", on=True, lines=3)
        infos = lines_at(page, 0, 3)
        assert [info["multipv"] for info in infos] == [1, 2, 3]
        assert len({info["pv"][0] for info in infos}) == 3


def test_threat_of_a_cecp_engine_is_a_move_of_the_other_side(serve):
    board = serve("chess", [analyst()])
    with board.page() as socket:
        page = opened(socket)
        page.send("analyse", on=True, threat=True)
        found = page.until("analysis", lambda message: message["infos"] and message["threat"])
        assert found["infos"][0]["pv"][0][1] in "78"


def test_cecp_engine_without_analysis_says_so_in_a_line(serve):
    board = serve("chess", [analyst("--cannot")])
    with board.page() as socket:
        page = opened(socket)
        page.send("analyse", on=True)
        found = page.until("analysis", lambda message: "analyze=0" in message["status"])
        assert found["status"] == "Xena cannot analyse: it says analyze=0"
        assert page.move("e4")["ply"] == 1


def test_cecp_engine_reviews_a_game(serve):
    board = serve("chess", [analyst()])
    with board.page() as socket:
        page = opened(socket)
        load_pgn(page, "1. e4 d5 2. Qg4 Bxg4 *")
        page.send("review", seconds=0.1)
        page.until("review", lambda message: message["running"] is False and message["done"] == 5)
        nodes = {node["id"]: node for node in board.call(board.session.tree.as_json)["nodes"]}
        assert (nodes[3]["glyph"], nodes[3]["best"]) == ("??", "exd5")


def test_own_engine_analyses_over_cecp(serve):
    board = serve("chess", ["cmd=surajang proto=cecp name=Own"])
    with board.page() as socket:
        page = opened(socket)
        page.send("fen", fen="6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
        page.state(lambda state: "6k1" in state["fen"])
        page.send("analyse", on=True, lines=2, engine=0)
        found = page.until("analysis", lambda message: message["infos"] and "mate" in message["infos"][0])
        assert found["infos"][0]["mate"] == 1 and found["infos"][0]["labels"] == ["Ra8"]


def test_lines_restart_with_each_depth_and_a_better_score_keeps_its_place():
    places = LineNumbers(2)
    lines = [(1, "a"), (1, "b"), (1, "a c"), (2, "b"), (2, "a")]
    assert [places.of(Thinking(depth, line=line)) for depth, line in lines] == [1, 2, 1, 1, 2]


def test_one_line_has_one_place():
    places = LineNumbers(1)
    assert [places.of(Thinking(3, line=line)) for line in ("a", "b", "a")] == [1, 1, 1]


def test_scores_are_white_s_and_numbers_and_remarks_are_no_moves():
    info = told(Thinking(5, score=30, line="12. ... e7e5 <HT> g1f3 (best)"), 1, -1)
    assert info["cp"] == -30 and info["pv"] == ["e7e5", "g1f3"]
    assert told(Thinking(5, mate=-2, line="a"), 1, -1)["mate"] == 2
