"""The server of the board: what it tells pages, what it refuses, and that nothing is lost by bad input."""

import contextlib
import json
import queue
import sys
import threading
import time
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from surajang.bench.board.app import create_app
from surajang.bench.board.engines import read_engine
from surajang.bench.board.session import BoardSession
from surajang.bench.match.journal import CONFIGURATION, GAMES

pytestmark = pytest.mark.process

TOKEN, HERE = "secret", "http://127.0.0.1"
ANALYST = f"cmd='{sys.executable} {Path(__file__).with_name('fake_analyst.py')}' proto=uci name=Analyst"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"
LONGEST = 20.0  # seconds for what a test waits for


class Page:
    """A page as the server sees it: what it was told last, by type."""

    def __init__(self, socket):
        self._socket = socket
        self.last = {}
        self._inbox = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        """In a thread, so that a message that never comes fails a test and does not hang it."""
        with contextlib.suppress(Exception):
            while True:
                self._inbox.put(self._socket.receive_json())

    def send(self, kind, **fields):
        self._socket.send_json({"type": kind, **fields})

    def until(self, kind, wanted=lambda message: True):
        """The next message of a kind that is wanted."""
        deadline = time.monotonic() + LONGEST
        while (left := deadline - time.monotonic()) > 0:
            try:
                message = self._inbox.get(timeout=left)
            except queue.Empty:
                break
            self.last[message["type"]] = message
            if message["type"] == kind and wanted(message):
                return message
        raise AssertionError(f"no {kind} that is wanted; last: {self.last.get(kind)}")

    def state(self, wanted=lambda message: True):
        return self.until("state", wanted)

    def move(self, text):
        self.send("move", text=text)
        return self.state()


class Board:
    """A server with its session."""

    def __init__(self, client, session):
        self.client, self.session = client, session

    def page(self, origin=HERE, token=TOKEN, **headers):
        return self.client.websocket_connect(
            f"/socket?token={token}", headers={"origin": origin, "host": "127.0.0.1", **headers}
        )

    def call(self, function, *arguments):
        return self.client.portal.call(function, *arguments)


@pytest.fixture
def serve():
    """Starts servers: serve(variant, engine texts, folder)."""
    clients = []

    def start(variant="crazyhouse", engines=(ANALYST,), folder=None, fen=None):
        session = BoardSession([read_engine(text) for text in engines], folder)
        client = TestClient(create_app(session, TOKEN), base_url=HERE)
        client.__enter__()
        clients.append(client)
        client.portal.call(session.load, variant, fen)
        return Board(client, session)

    yield start
    for client in clients:
        client.__exit__(None, None, None)


@pytest.fixture
def board(serve):
    return serve()


def opened(socket):
    """A page that has heard all that a new page is told."""
    page = Page(socket)
    page.until("watch")
    return page


# Who may speak to it


def test_page_and_its_files_are_served_with_a_policy_that_forbids_the_network(board):
    answer = board.client.get("/")
    assert answer.status_code == 200
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert board.client.get("/static/main.js").headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize("path", ["/static/..%2fapp.py", "/static/nothing.js", "/etc/passwd"])
def test_no_other_file_is_served(board, path):
    assert board.client.get(path).status_code == 404


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", ""])
def test_foreign_host_is_refused(board, host):
    assert board.client.get("/", headers={"host": host}).status_code == 400


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "", "https://127.0.0.1", "http://127.0.0.1:1"]
)
def test_socket_of_a_foreign_origin_is_refused(board, origin):
    with pytest.raises(WebSocketDisconnect) as refusal, board.page(origin):
        pass
    assert refusal.value.code == 4403


@pytest.mark.parametrize("token", ["", "wrong", TOKEN + "x"])
def test_socket_without_the_token_is_refused(board, token):
    with pytest.raises(WebSocketDisconnect) as refusal, board.page(token=token):
        pass
    assert refusal.value.code == 4401


def test_engine_that_the_command_line_did_not_name_cannot_be_started(board):
    with board.page() as socket:
        page = opened(socket)
        for kind, fields in (
            ("play", {"sides": ["person", "engine"], "engine": 7}),
            ("analyse", {"on": True, "engine": 7}),
            ("watch", {"engines": [0, 7], "base": 60}),
        ):
            page.send(kind, **fields)
            assert page.until("error")["text"]
        assert not board.session.play.active and not board.session.analysis.on


# The game


def test_new_page_is_told_game_tree_and_position(board):
    with board.page() as socket:
        page = opened(socket)
        assert page.last["game"]["files"] == 8 and "wQ" in next(iter(page.last["game"]["pictures"].values()))
        assert page.last["state"]["fen"] == START
        assert len(page.last["state"]["moves"]) == 20
        assert [node["id"] for node in page.last["tree"]["nodes"]] == [0]


def test_move_is_played_in_our_notation_and_as_people_write_it(board):
    with board.page() as socket:
        page = opened(socket)
        assert page.move("e2e4")["last"]["text"] == "e2e4"
        assert page.move("Nf6")["last"]["text"] == "g8f6"
        assert page.move("e5")["turn"] == 1
        assert page.last["nodes"]["nodes"][-1]["label"] == "e5"


def test_illegal_move_is_told_with_its_reason_and_changes_nothing(board):
    with board.page() as socket:
        page = opened(socket)
        page.send("move", text="e2e5")
        error = page.until("error")
        assert error["where"] == "move" and "'e2e5'" in error["text"]
        assert page.move("d4")["ply"] == 1


def test_capture_goes_to_the_hand_and_can_be_dropped(board):
    with board.page() as socket:
        page = opened(socket)
        for move in ("e4", "d5", "exd5", "Qxd5"):
            page.move(move)
        assert page.last["state"]["hands"] == [{"P": 1}, {"P": 1}]
        assert page.move("P@e4")["last"]["drop"] == "P"


def test_two_pages_see_the_same_game_and_a_new_one_resumes_it(board):
    with board.page() as one, board.page() as two:
        first, second = opened(one), opened(two)
        first.move("e4")
        assert second.state()["last"]["text"] == "e2e4"
    with board.page() as three:
        page = opened(three)
        assert page.last["state"]["last"]["text"] == "e2e4"
        assert len(page.last["tree"]["nodes"]) == 2


def test_other_move_becomes_a_variation_and_can_be_made_the_main_line_or_deleted(board):
    with board.page() as socket:
        page = opened(socket)
        page.move("e4")
        page.send("goto", node=0)
        page.state()
        other = page.move("d4")["node"]
        page.send("promote", node=other)
        nodes = {node["id"]: node for node in page.until("tree")["nodes"]}
        assert nodes[0]["children"][0] == other
        page.send("delete", node=other)
        assert page.state()["node"] == 0
        assert len(page.last["tree"]["nodes"]) == 2


@pytest.mark.parametrize("text", ["x", "8/8/8/8 w", START.replace("k", "z"), START.replace("QK", "QQ")])
def test_bad_fen_is_told_at_its_place_and_the_game_stays(board, text):
    with board.page() as socket:
        page = opened(socket)
        page.move("e4")
        page.send("fen", fen=text)
        assert page.until("error")["where"] == "fen"
        assert page.move("e5")["ply"] == 2


def test_position_of_the_editor_is_set_up_or_refused(board):
    with board.page() as socket:
        page = opened(socket)
        pieces = {"4": "K", "60": "k", "8": "P"}
        page.send("setup", pieces=pieces, hands=[{"N": 2}, {}], turn=0, castling="-")
        assert page.state()["fen"] == "4k3/8/8/8/8/8/P7/4K3[NN] w - - 0 1"
        page.send("setup", pieces={"8": "P"}, hands=[{}, {}], turn=0, castling="-")
        error = page.until("error")
        assert error["where"] == "setup" and "kings" in error["text"]


@pytest.mark.parametrize(
    "message", ["[]", "{", "3", '{"type": "format"}', '{"type": "goto", "node": 99}', '{"type": "goto"}']
)
def test_nonsense_is_answered_and_the_page_goes_on(board, message):
    with board.page() as socket:
        page = opened(socket)
        socket.send_text(message)
        assert page.until("error")["text"]
        assert page.move("e4")["ply"] == 1


def test_unknown_game_is_told(board):
    with board.page() as socket:
        page = opened(socket)
        page.send("new", variant="no-such-game")
        assert "no-such-game" in page.until("error")["text"]


# Text in and out

GAME = """[White "A"]
[Black "B"]
[Variant "Crazyhouse"]
[Result "1-0"]

{before} 1. e4 {[%eval 0.31,12] good} e5 $6 (1... d5 2. exd5 {[%eval #3]} Qxd5 (2... c6) 3. P@e4)
2. Nf3 Nc6 1-0
"""


def load_pgn(page, text):
    page.send("pgn", text=text)
    page.until("chosen")
    return {node["id"]: node for node in page.last["tree"]["nodes"]}


def labels(nodes, node=0):
    """The tree as nested tuples of (label, glyph, comment, eval without chance)."""
    here = nodes[node]
    score = {key: value for key, value in here.get("eval", {}).items() if key != "chance"}
    below = tuple(labels(nodes, child) for child in here.get("children", ()))
    return here.get("label", ""), here.get("glyph", ""), here.get("comment", ""), tuple(score.items()), below


def test_pgn_is_read_with_variations_marks_comments_and_scores(board):
    with board.page() as socket:
        page = opened(socket)
        nodes = load_pgn(page, GAME)
        assert nodes[0]["comment"] == "before"
        e4 = nodes[nodes[0]["children"][0]]
        assert (e4["comment"], e4["eval"]["cp"], e4["eval"]["depth"]) == ("good", 31, 12)
        replies = [nodes[child] for child in e4["children"]]
        assert [(reply["label"], reply.get("glyph")) for reply in replies] == [("e5", "?!"), ("d5", None)]
        assert page.last["state"]["ply"] == 4


def test_exported_pgn_reads_back_as_the_same_tree(board):
    with board.page() as socket:
        page = opened(socket)
        before = labels(load_pgn(page, GAME))
        page.send("export")
        exported = page.until("exported")["pgn"]
        assert "[%eval 0.31,12]" in exported and '[White "A"]' in exported
        assert labels(load_pgn(page, exported)) == before


def test_other_programs_read_the_exported_pgn(board):
    import io

    import chess.pgn

    with board.page() as socket:
        page = opened(socket)
        load_pgn(page, GAME)
        page.send("export")
        game = chess.pgn.read_game(io.StringIO(page.until("exported")["pgn"]))
        assert not game.errors
        assert [move.uci() for move in game.mainline_moves()] == ["e2e4", "e7e5", "g1f3", "b8c6"]
        assert [len(game.next().variations), game.next().eval().white().score()] == [2, 31]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1. e4 e5 2. Ke3", "line 1: move 'Ke3'"),
        ('[Event "?"]\n\n1. e4 {never ends', "line 3: the comment"),
        ("1. e4 (1. d4", "never ends"),
        ("(1. e4)", "before any move"),
        ("1. e4 e5)", "never begun"),
        ('[Variant "Gess"]\n\n1. e4', "'Gess' is not known"),
        ("", "no game"),
    ],
)
def test_bad_pgn_is_told_with_its_line_and_the_game_stays(board, text, told):
    with board.page() as socket:
        page = opened(socket)
        page.move("d4")
        page.send("pgn", text=text)
        error = page.until("error")
        assert error["where"] == "pgn" and told in error["text"]
        assert page.move("d5")["ply"] == 2


def test_of_several_games_each_can_be_chosen(board):
    with board.page() as socket:
        page = opened(socket)
        load_pgn(page, GAME + '\n[White "C"]\n\n1. d4 *\n')
        assert [game["White"] for game in page.last["games"]["games"]] == ["A", "C"]
        page.send("choose", number=1)
        page.until("chosen")
        assert page.last["state"]["last"]["text"] == "d2d4"


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


def test_mate_is_told_in_words(board):
    with board.page() as socket:
        page = opened(socket)
        play(page, sides=["person", "person"])
        for move in ("f3", "e5", "g4", "Qh4"):
            page.move(move)
        assert page.last["state"]["result"] == {"score": "0-1", "reason": "Black mates"}
        assert not page.until("play", lambda message: message["result"])["active"]


def test_engine_that_crashes_is_started_anew_and_the_page_is_told(serve):
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


def test_analysis_tells_lines_of_the_position_on_the_board_and_stops_when_told(board):
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
        assert "started anew" in page.until("error")["text"]
        page.until("analysis", lambda message: message["infos"] and message["node"] == 1)


def searching(board):
    return any(engine.searching for engine in board.session.engines._running.values())


def wait_for(condition):
    deadline = time.monotonic() + LONGEST
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_threat_is_a_move_of_the_other_side(board):
    with board.page() as socket:
        page = opened(socket)
        page.send("analyse", on=True, threat=True)
        found = page.until("analysis", lambda message: message["infos"] and message["threat"])
        assert found["infos"][0]["pv"][0][1] in "78"  # Black's pieces move, though it is White's turn


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
        page.send("watch", engines=[0, 1], base=60, increment=0)
        page.state(lambda state: state["ply"] >= 3)
        assert page.last["watch"]["names"] == ["Analyst", "Other"]
        page.send("stop_watch")
        page.until("watch", lambda message: not message["running"])


def match_folder(path, games):
    """A folder of a match with so many games of one move."""
    (path / CONFIGURATION).write_text(
        json.dumps({"variant": "crazyhouse", "engines": [{"name": "one"}, {"name": "two"}]})
    )
    with (path / GAMES).open("a") as file:
        for number in games:
            opening = {"fen": START, "moves": ["e2e4"], "name": ""}
            game = {"number": number, "pair": number // 2, "white": number % 2, "black": 1 - number % 2}
            ply = {"move": "e7e5", "seconds": 0.1, "score": 20, "depth": 5}
            record = {
                "game": {**game, "opening": opening, "replay": 0},
                "score": "1-0",
                "reason": "Black resigns",
            }
            file.write(json.dumps({**record, "termination": "normal", "plies": [ply]}) + "\n")


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
    assert len(board.session.watch.message()["match"]["games"]) == 1


def test_engine_that_fails_to_appraise_is_told_and_the_page_goes_on(serve):
    board = serve(engines=[ANALYST.replace(sys.executable, "/no/such/program")])
    with board.page() as socket:
        page = opened(socket)
        page.send("appraise")
        error = page.until("error")
        assert error["where"] == "engine" and "/no/such/program" in error["text"]
        assert page.move("e4")["ply"] == 1
