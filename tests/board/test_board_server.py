"""The server of the board: its messages to pages, its refusals, and bad input without loss."""

import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner
from starlette.websockets import WebSocketDisconnect
from surajang.board import app, board_command
from surajang.board.app import imported, page_script
from surajang.cli import main
from surajang.protocol.terminal import progress
from surajang.tests.support import board as boards
from surajang.tests.support.board import GAME, START, TOKEN, Page, load_pgn, opened

pytestmark = pytest.mark.process

serve, board = boards.serve, boards.board


# Who may speak to it


def test_page_and_its_files_are_served_with_a_policy_that_forbids_the_network(board):
    answer = board.client.get("/")
    assert answer.status_code == 200
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert board.client.get("/static/main.js").headers["content-type"].startswith("text/javascript")


def test_page_asks_for_its_modules_as_one_script(board):
    page = board.client.get(f"/?token={TOKEN}").text
    assert re.findall(r'src="(.*?)"', page) == ["static/socket.js", "page.js"]
    script = board.client.get("/page.js")
    assert script.headers["content-type"].startswith("text/javascript")
    assert "default-src 'none'" in script.headers["content-security-policy"]
    called = re.findall(r"^const module_(\w+) = ", script.text, re.MULTILINE)
    modules = {path.stem: path for path in (Path(app.__file__).parent / "static").glob("*.js")}
    assert sorted(called) == sorted(modules.keys() - {"socket"})
    for name in called:
        needed = imported(modules[name].read_text())
        assert all(called.index(other) < called.index(name) for other in needed)


def test_script_of_the_page_leaves_no_import_or_export():
    assert not re.search(r"^(import|export)\b", page_script(), re.MULTILINE)


def test_page_opens_its_socket_before_anything_else_is_there(board):
    """Elements before the first script or style sheet would delay the socket."""
    page = board.client.get(f"/?token={TOKEN}").text
    assert re.search(r"<(?:script|link)[^>]*>", page)[0] == '<script src="static/socket.js">'


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


@pytest.mark.parametrize("token", ["", "wrong", TOKEN + "x", "%C3%A9"])
def test_socket_without_the_token_is_refused(board, token):
    with board.page(token=token) as socket, pytest.raises(WebSocketDisconnect) as refusal:
        socket.receive_json()
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


def test_illegal_move_is_reported_with_its_reason_and_changes_nothing(board):
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
def test_bad_fen_is_reported_at_its_place_and_the_game_stays(board, text):
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


@pytest.mark.parametrize("hands", [[], [{}], [{}, {}, {}]])
def test_editor_s_position_has_two_hands(board, hands):
    with board.page() as socket:
        page = opened(socket)
        page.send("setup", pieces={"4": "K", "60": "k"}, hands=hands, turn=0, castling="-")
        error = page.until("error")
        assert error["where"] == "setup" and "two hands" in error["text"]


@pytest.mark.parametrize(
    "message",
    [
        *("[]", "{", "3", '{"type": "format"}', '{"type": "goto", "node": 99}', '{"type": "goto"}'),
        *('{"type": ["new"]}', '{"type": "goto", "node": []}', '{"type": "choose", "number": "x"}'),
        '{"type": "setup", "pieces": 3, "hands": 4}',
        '{"type": "setup", "pieces": {"1": ""}, "hands": [{}, {}], "turn": 0}',
        '{"type": "setup", "pieces": {"9999": "K"}, "hands": [{}, {}], "turn": 0}',
        '{"type": "preview", "node": 0, "moves": 7}',
    ],
)
def test_invalid_message_is_answered_and_the_page_continues(board, message):
    with board.page() as socket:
        page = opened(socket)
        socket.send_text(message)
        assert page.until("error")["text"]
        assert page.move("e4")["ply"] == 1


def test_message_that_is_no_text_or_nested_too_deep_is_answered(board):
    with board.page() as socket:
        page = opened(socket)
        socket.send_bytes(b"\xff\xfe")
        assert page.until("error")["text"] == "None is not a request"
        socket.send_text('{"type": ' + "[" * 50_000)
        assert page.until("error")["text"] == "None is not a request"
        assert page.move("e4")["ply"] == 1


def test_unknown_game_is_reported(board):
    with board.page() as socket:
        page = opened(socket)
        page.send("new", variant="no-such-game")
        assert "no-such-game" in page.until("error")["text"]


def test_change_of_the_tree_empties_the_list_of_redo(board):
    with board.page() as socket:
        page = opened(socket)
        page.move("e4")
        page.move("e5")
        page.send("undo")
        page.until("undo", lambda message: message["redo"])
        page.send("goto", node=0)  # no change
        page.state()
        page.move("d4")
        assert page.until("undo", lambda message: message["undo"])["redo"] is False
        page.send("redo")
        assert page.until("error")["text"] == "there is nothing to redo"


# Text in and out


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
        ("1. Ke3 e5", "line 1: move 'Ke3'"),
        ('[Event "?"]\n\n{never ends', "line 3: the comment"),
        ("(1. e4)", "no game"),
        ("well, this is no game", "move 'well'"),
        ('[Variant "Gess"]\n\n1. e4', "'Gess' is not known"),
        ('[FEN "8/8 w"]\n\n1. e4', "2 ranks"),
        ("", "no game"),
    ],
)
def test_pgn_without_a_move_that_can_be_read_is_reported_with_its_line_and_the_game_stays(board, text, told):
    with board.page() as socket:
        page = opened(socket)
        page.move("d4")
        page.send("pgn", text=text)
        error = page.until("error")
        assert error["where"] == "pgn" and told in error["text"]
        assert page.move("d5")["ply"] == 2


@pytest.mark.parametrize(
    ("text", "told", "plies"),
    [
        ("1. e4 e5 2. Ke3 Nc6", "line 1: move 'Ke3': the King on e1 cannot go to e3", 2),
        (
            '[Event "?"]\n\n1. e4 {never ends',
            "line 3: the comment that begins with '{never ends' never ends",
            1,
        ),
        ("1. e4 (1. d4", "line 1: '(' begins a variation that never ends", 1),
        ("1. e4 e5)", "line 1: ')' ends a variation that was never begun", 2),
        ("1. e4 e5 (1... c5 2. Ke4) 2. Nf3", "line 1: move 'Ke4'", 3),
    ],
)
def test_game_is_shown_up_to_what_cannot_be_read_and_every_page_is_told(board, text, told, plies):
    with board.page() as socket:
        page = opened(socket)
        load_pgn(page, text)
        error = page.until("error")
        assert error["where"] == "pgn" and error["text"].startswith(told)
        assert page.last["state"]["ply"] == plies
        with board.page() as late:
            assert Page(late).until("error")["text"] == error["text"]


def test_page_opened_after_a_valid_game_gets_no_error(board):
    with board.page() as socket:
        page = opened(socket)
        load_pgn(page, "1. e4 e5 2. Ke3")
        load_pgn(page, "1. e4 e5 2. Nf3")
        with board.page() as late:
            other = Page(late)
            other.until("games")
            assert "error" not in other.last


def test_null_move_is_shown_written_and_gone_back_over(board):
    with board.page() as socket:
        page = opened(socket)
        nodes = load_pgn(page, "1. e4 -- 2. d4 (2. Nf3) *")
        assert [nodes[node].get("label") for node in (1, 2, 3, 4)] == ["e4", "--", "d4", "Nf3"]
        page.send("goto", node=1)
        assert page.state()["turn"] == 1
        page.send("goto", node=2)
        assert page.state()["turn"] == 0
        page.send("export")
        assert "1. e4 -- 2. d4 ( 2. Nf3 ) *" in page.until("exported")["pgn"]


def test_of_several_games_each_can_be_chosen(board):
    with board.page() as socket:
        page = opened(socket)
        load_pgn(page, GAME + '\n[White "C"]\n\n1. d4 *\n')
        assert [game["White"] for game in page.last["games"]["games"]] == ["A", "C"]
        page.send("choose", number=1)
        page.until("chosen")
        assert page.last["state"]["last"]["text"] == "d2d4"


# Marks and hints


def test_mark_names_those_that_there_are_and_needs_a_move(board):
    with board.page() as socket:
        page = opened(socket)
        page.move("e4")
        node = page.last["state"]["node"]
        page.send("glyph", node=node, glyph="+-")
        assert page.until("error")["text"] == "'+-' is not a mark of a move; use one of !, ?, !!, ??, !?, ?!"
        page.send("glyph", node=0, glyph="!")
        assert "only a move can be marked" in page.until("error")["text"]
        page.send("glyph", node=node, glyph="!?")
        assert page.until("nodes")["nodes"][0]["glyph"] == "!?"


def test_hint_is_for_a_person_s_move_in_a_game(board):
    with board.page() as socket:
        page = opened(socket)
        page.send("hint")
        assert "no game is being played" in page.until("error")["text"]
        page.send("play", sides=["person", "person"])
        page.until("play", lambda message: message["active"])
        page.send("hint")
        assert page.until("hint")["squares"][1] is not None


def test_board_has_the_same_port_in_each_run_unless_it_is_taken(monkeypatch):
    with board_command._listen(0) as listener:
        usual = listener.getsockname()[1]
    monkeypatch.setattr(board_command, "HOME_PORT", usual)  # free again
    with board_command._listen(None) as first, board_command._listen(None) as second:
        assert first.getsockname()[1] == usual != second.getsockname()[1]


def test_command_prints_its_address_and_ends_by_ctrl_c():
    command = [sys.executable, "-m", "surajang", "board", "--no-open", "--port", "0", "--variant", "chess"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        address = re.search(r"http://\S+", process.stdout.readline())[0]
        with urllib.request.urlopen(address) as answer:
            assert b"page.js" in answer.read()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


def test_command_refuses_a_bad_fen_before_it_compiles(monkeypatch):
    compiled = []
    monkeypatch.setattr(progress, "compile_with_bar", compiled.append)
    run = CliRunner().invoke(main, ["board", "--no-open", "--port", "0", "--fen", "8/8"])
    assert run.exit_code == 1 and "'8/8' has 2 ranks" in run.stderr
    assert compiled == []
