"""Puzzles on the board's server: right and wrong moves, replies, hints, files."""

import pytest
from surajang.board.puzzles import PuzzleController
from surajang.tests.support import board as boards
from surajang.tests.support.board import load_pgn, opened
from surajang.tests.support.puzzles import DROP, LADDER, PROMOTION, PUZZLES, TWO_MATES, puzzle_file

pytestmark = pytest.mark.process

serve = boards.serve


@pytest.fixture
def board(serve):
    return serve("chess")


@pytest.fixture
def text(tmp_path):
    return puzzle_file(tmp_path / "puzzles-test.pgn")


def begin(page, text, number):
    """The message of a puzzle that begins."""
    page.send("puzzles", name="test", text=text)
    page.until("puzzles", lambda message: message["state"] == "solving")
    page.send("puzzle", number=number)
    return page.until(
        "puzzles", lambda message: message["state"] == "solving" and message["number"] == number
    )


def answer(page, move):
    """The message after an answer."""
    page.send("move", text=move)
    return page.until("puzzles", lambda message: message["wrong"] or message["right"])


@pytest.mark.parametrize(
    ("number", "move"), [(TWO_MATES, "Re8"), (PROMOTION, "a8=Q"), (DROP, "R@e8"), (DROP, "R@e8#")]
)
def test_right_move_solves_a_puzzle_of_one_move(board, text, number, move):
    with board.page() as socket:
        page = opened(socket)
        begin(page, text, number)
        page.send("move", text=move)
        solved = page.until("puzzles", lambda message: message["state"] == "solved")
        assert not solved["missed"]
        assert board.session.tree.position.result().score == "1-0"


@pytest.mark.parametrize(("number", "move"), [(TWO_MATES, "Qb8"), (PROMOTION, "a8=R"), (DROP, "R@c8")])
def test_another_mate_at_once_is_right(board, text, number, move):
    with board.page() as socket:
        page = opened(socket)
        begin(page, text, number)
        page.send("move", text=move)
        assert not page.until("puzzles", lambda message: message["state"] == "solved")["missed"]


def test_reply_is_played_and_the_solver_goes_on(board, text):
    with board.page() as socket:
        page = opened(socket)
        message = begin(page, text, LADDER)
        assert (message["title"], message["side"], message["count"]) == ("mate in 2", 1, len(PUZZLES))
        assert not answer(page, "Ra2")["missed"]
        page.state(lambda state: state["ply"] == 2)
        page.send("move", text="Rb1")
        assert page.until("puzzles", lambda message: message["state"] == "solved")["tip"] == 3


def test_wrong_move_is_not_played_and_counts_as_missed(board, text):
    with board.page() as socket:
        page = opened(socket)
        begin(page, text, LADDER)
        wrong = answer(page, "Kg8")
        assert (wrong["wrong"], wrong["missed"], wrong["state"]) == ("Kg8", True, "solving")
        assert board.session.tree.position.ply == 0
        page.send("move", text="Ra2")
        page.state(lambda state: state["ply"] == 2)
        page.send("move", text="Rb1")
        assert page.until("puzzles", lambda message: message["state"] == "solved")["missed"]


def test_mate_that_comes_later_is_wrong(board, text):
    with board.page() as socket:
        page = opened(socket)
        begin(page, text, TWO_MATES)
        assert answer(page, "Qb7")["wrong"] == "Qb7"


def test_illegal_move_is_refused_and_not_counted(board, text):
    with board.page() as socket:
        page = opened(socket)
        begin(page, text, TWO_MATES)
        page.send("move", text="Qh8")
        assert "Qh8" in page.until("error")["text"]
        assert not board.session.puzzles.message()["missed"]


def test_hints_show_the_piece_and_then_the_move(board, text):
    with board.page() as socket:
        page = opened(socket)
        begin(page, text, LADDER)
        page.send("puzzle_hint")
        first = page.until("puzzles", lambda message: message["hint"])
        assert first["missed"]
        assert first["hint"] == {"label": "", "from": 48, "drop": None, "to": None}
        page.send("puzzle_hint")
        second = page.until("puzzles", lambda message: message["hint"]["label"])
        assert second["hint"] == {"label": "Ra2", "from": 48, "drop": None, "to": 8}


def test_hint_names_a_piece_in_hand(board, text):
    with board.page() as socket:
        page = opened(socket)
        begin(page, text, DROP)
        page.send("puzzle_hint")
        hint = page.until("puzzles", lambda message: message["hint"])["hint"]
        assert (hint["from"], hint["drop"]) == (None, "R")


def test_solution_stands_in_the_tree_and_counts_as_missed(board, text):
    with board.page() as socket:
        page = opened(socket)
        begin(page, text, LADDER)
        page.send("puzzle_solution")
        shown = page.until("puzzles", lambda message: message["state"] == "shown")
        assert shown["missed"]
        tree = board.session.tree
        assert [tree.nodes[node].label for node in tree.main_line()] == ["Ra2", "Kg1", "Rb1#"]
        assert tree.position.ply == 1


def test_moves_after_the_end_of_a_puzzle_are_free(board, text):
    with board.page() as socket:
        page = opened(socket)
        begin(page, text, LADDER)
        page.send("puzzle_leave")
        page.until("puzzles", lambda message: message["state"] == "left")
        assert page.move("Kg8")["ply"] == 1


@pytest.mark.parametrize("request_", ["line", "delete", "promote", "undo"])
def test_tree_cannot_be_changed_while_a_puzzle_is_solved(board, text, request_):
    with board.page() as socket:
        page = opened(socket)
        begin(page, text, LADDER)
        answer(page, "Ra2")
        page.state(lambda state: state["ply"] == 2)
        page.send(request_, node=1, moves=["Kg2"])
        assert "puzzle is being solved" in page.until("error")["text"]
        assert board.session.puzzles.active


def test_another_game_ends_the_puzzle_and_undo_brings_the_game_before_it_back(board, text):
    with board.page() as socket:
        page = opened(socket)
        page.move("e4")
        begin(page, text, LADDER)
        load_pgn(page, "1. d4 *")
        assert board.session.puzzles.message()["state"] == "left"
        for _ in range(2):
            page.send("undo")
            page.until("undo")
        assert [node.label for node in board.session.tree.nodes.values()] in (["", "e4"], [""])


# Files


def test_files_of_the_folder_are_offered_and_others_are_not_read(board, text, tmp_path):
    (tmp_path / "secret.pgn").write_text(text)
    board.session.puzzles = PuzzleController(board.session, tmp_path)
    assert board.session.puzzles.message()["files"] == ["puzzles-test.pgn"]
    board.call(board.session.puzzles.on_puzzles, {"file": "puzzles-test.pgn"})
    assert board.session.puzzles.message()["count"] == len(PUZZLES)
    for name in ("secret.pgn", "../secret.pgn", ""):
        with pytest.raises(ValueError, match=r"there is no file"):
            board.call(board.session.puzzles.on_puzzles, {"file": name})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("no game", "'no': is not a move"),
        ('[Event "x"]\n\n*', "a puzzle needs the moves"),
        ("", "there is no game in that text"),
        ('[FEN "8/8 w"]\n\n*', "'8/8' has 2 ranks"),
        ("1. Ke2 *", "Ke2"),
        ("1. e4 -- 2. d4 *", "without null moves"),
    ],
)
def test_unusable_file_is_refused_with_a_reason(board, text, reason):
    with board.page() as socket:
        page = opened(socket)
        page.send("puzzles", name="broken", text=text)
        error = page.until("error")
        assert (error["where"], reason in error["text"]) == ("puzzles", True)
        assert page.move("e4")["ply"] == 1


def test_number_beyond_the_file_is_refused(board, text):
    with board.page() as socket:
        page = opened(socket)
        begin(page, text, LADDER)
        page.send("puzzle", number=9)
        assert "there is no puzzle 10" in page.until("error")["text"]
