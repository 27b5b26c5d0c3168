"""Names of openings, phases and accuracy of games, numbers of shuffled starts, the search by position."""

import io
from importlib.resources import files

import chess
import chess.pgn
import pytest
from surajang import pgn
from surajang.board import game_search
from surajang.board.chances import accuracy, lost_chance
from surajang.board.game_message import game_message
from surajang.board.game_search import PositionIndex
from surajang.board.opening_names import _openings, opening_of
from surajang.board.pgn import board_pgn, games_of, variant_of
from surajang.board.phases import ENDING, MIDDLE, OPENING, phases_of
from surajang.board.tree import Tree
from surajang.engine.definition import catalogue
from surajang.engine.definition.shuffled_starts import shuffled_start
from surajang.engine.position import Position
from surajang.engine.variant import CHESS, Variant
from surajang.tests.support import board as boards
from surajang.tests.support.board import load_pgn, opened
from surajang.tests.support.fake_players import wait_for

pytestmark = pytest.mark.process

serve = boards.serve


@pytest.fixture
def board(serve):
    return serve("chess")


def tree_of(moves, variant="chess", fen=None):
    tree = Tree(Variant(variant), fen)
    for move in moves.split():
        tree.play(str(tree.position.parse_san(move)), main=True)
    return tree


def name_after(moves):
    tree = tree_of(moves)
    return str(tree.nodes[tree.node].opening or "")


# Openings


def test_every_line_of_the_file_is_a_game_of_its_own_by_python_chess():
    path = files("surajang.board").joinpath("openings", "chess.txt")
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    positions = set()
    for line in lines:
        head, moves = line.rsplit(": ", 1)
        game = chess.Board()
        for move in moves.split():
            assert game.san(game.parse_san(move)) == move
            game.push_san(move)
        positions.add(game.epd())
        assert head[0] in "ABCDE" and head[1:3].isdigit() and head[3] == " "
    assert len(positions) == len(lines) == len(_openings(CHESS)) >= 250


@pytest.mark.parametrize(
    "moves",
    ["d4 Nf6 c4 e6 Nf3 d5 Nc3", "c4 e6 Nc3 d5 d4 Nf6 Nf3", "Nf3 d5 d4 Nf6 c4 e6 Nc3"],
)
def test_opening_is_found_by_any_order_of_moves(moves):
    assert name_after(moves) == "D37 Queen's Gambit Declined, Three Knights Variation"


def test_move_out_of_the_book_has_no_name_of_its_own():
    assert name_after("e4 e5 Nf3 Nc6 Bb5 Nf6") == "C65 Ruy Lopez, Berlin Defence"
    assert name_after("e4 e5 Nf3 Nc6 Bb5 Nf6 a4") == ""


def test_only_games_with_a_file_have_names():
    assert opening_of(Position("crazyhouse")) is None
    assert tree_of("e4 c5", "crazyhouse").nodes[1].opening is None


def test_pgn_names_the_last_known_opening_of_the_main_line():
    tree = tree_of("e4 c5 Nf3 d6 a4")
    tree.goto(1)
    tree.play("e7e5")  # a variation names nothing
    game = pgn.read_game(io.StringIO(board_pgn(tree)))
    assert (game.headers["ECO"], game.headers["Opening"]) == ("B50", "Sicilian Defence")


@pytest.mark.parametrize("tag", ["ECO", "Opening"])
def test_pgn_keeps_the_name_that_a_game_came_with(tag):
    tree = tree_of("e4 c5")
    tree.tags[tag] = "X"
    headers = pgn.read_game(io.StringIO(board_pgn(tree))).headers
    assert headers[tag] == "X" and {"ECO", "Opening"} & set(headers) == {tag}


def test_page_is_told_the_openings_of_the_tree(board):
    with board.page() as socket:
        page = opened(socket)
        nodes = load_pgn(page, "1. e4 c6 2. h4 *")
        assert nodes[2]["opening"] == ["B10", "Caro-Kann Defence"] and "opening" not in nodes[3]


# Phases and accuracy


def test_phases_follow_each_other_in_a_game_of_chess():
    moves = "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 d3 d6 Bg5 O-O Nbd2 Be6 Qe2 Qd7 Rae1 Rae8 Kh1 Kh8"
    tree = tree_of(moves)
    phases = phases_of(tree, tree.main_line())
    assert phases[:13] == [OPENING] * 13 and phases[-1] == MIDDLE and sorted(phases) == phases
    ending = tree_of("Ke2 Ke7", fen="4k3/pppr4/8/8/8/8/PPPR4/4K3 w - - 0 1")
    assert phases_of(ending, ending.main_line()) == [ENDING] * 2


def test_opening_ends_after_thirty_plies_at_the_latest():
    tree = tree_of("Nf3 Nf6 Ng1 Ng8 " * 9)
    assert phases_of(tree, tree.main_line()) == [OPENING] * 30 + [MIDDLE] * 6


def test_captured_pieces_in_hand_keep_the_ending_away():
    moves = "e4 e5 Qh5 Nc6 Qxf7"
    tree = tree_of(f"{moves} Kxf7", "crazyhouse")
    assert phases_of(tree, tree.main_line()) == [OPENING] * 6
    bare = tree_of("Kd2 Kd7", "crazyhouse", "4k3/8/8/8/8/8/8/4K3[QRRBBNNPPPPqrrbbnnpppp] w - - 0 1")
    assert phases_of(bare, bare.main_line()) == [MIDDLE] * 2


def test_shuffled_start_is_an_opening():
    start = shuffled_start(Variant("chess960").description, 0)
    tree = tree_of("e4 e5", "chess960", start)
    assert phases_of(tree, tree.main_line()) == [OPENING] * 2


def test_accuracy_is_full_without_a_loss_and_falls_with_it():
    assert accuracy(0.0) == pytest.approx(100, abs=0.001)
    assert accuracy(0.2) == pytest.approx(63.6, abs=0.05)
    assert accuracy(2.0) == 0
    assert lost_chance({"chance": 0.5}, {"chance": 0.1}, 0) == pytest.approx(0.4)
    assert lost_chance({"chance": 0.5}, {"chance": 0.1}, 1) == 0


# Shuffled starts


def test_start_is_chosen_by_its_number_and_told_to_the_page(serve):
    board = serve("chess960")
    with board.page() as socket:
        page = opened(socket)
        page.send("new", number=0)
        assert page.until("tree", lambda tree: tree["start"] == 0)["startFen"].startswith("bbqnnrkr/")
        page.send("new", number=960)
        assert "0 to 959" in page.until("error")["text"]
        page.send("new")
        drawn = page.until("tree")["start"]
        assert 0 <= drawn < 960


@pytest.mark.parametrize(
    ("variant", "starts", "shuffled", "fixed"),
    [
        ("chess", 1, "chess960", "chess"),
        ("chess960", 960, "chess960", "chess"),
        ("crazyhouse", 1, "crazyhouse960", "crazyhouse"),
        ("crazyhouse960", 960, "crazyhouse960", "crazyhouse"),
        ("caparandom", 84_000, "caparandom", "capablanca"),
        ("xiangqi", 1, "", ""),
    ],
)
def test_games_with_castling_have_a_sibling_with_shuffled_starts(variant, starts, shuffled, fixed):
    message = game_message(Variant(variant).description)
    assert (message["starts"], message["shuffled"], message["fixed"]) == (starts, shuffled, fixed)


def test_pgn_of_a_shuffled_start_names_it_for_other_programs():
    tree = tree_of("e4", "chess960", shuffled_start(Variant("chess960").description, 5))
    game = chess.pgn.read_game(io.StringIO(board_pgn(tree)))
    assert game.board().chess960_pos() == 5 and game.board().chess960
    assert (game.headers["SetUp"], game.headers["Variant"]) == ("1", "Chess960")
    assert not game.errors and "Opening" not in game.headers


# The search by position


GAMES = """[White "A"]

1. e4 e5 2. Nf3 Nc6 *

[White "B"]

1. d4 d5 2. c4 (2. Nf3) 2... e6 *

[White "C"]

1. Nf3 Nc6 2. e4 e5 3. Bb5 *

[White "D"]
[Variant "Crazyhouse"]

1. e4 e5 2. Nf3 Nc6 *

[White "E"]

1. e4 e5 2. Nf3 Nc6 3. Kd5 *
"""


def found(page, moves):
    for move in moves.split():
        page.move(move)
    page.send("find")
    return page.until("found")["numbers"]


def test_games_are_found_by_position_through_any_order_of_moves(board):
    with board.page() as socket:
        page = opened(socket)
        load_pgn(page, GAMES)
        page.send("goto", node=0)
        page.state(lambda state: state["ply"] == 0)
        assert found(page, "") == [0, 1, 2, 4]
        assert found(page, "e4 e5 Nf3 Nc6") == [0, 2, 4]
        assert found(page, "Bb5") == [2]
        assert found(page, "a6") == []


def test_position_before_and_after_a_null_move_is_found(board):
    with board.page() as socket:
        page = opened(socket)
        load_pgn(page, "1. e4 -- 2. d4 d5 *\n\n1. e4 *\n")
        page.send("goto", node=1)
        page.state(lambda state: state["ply"] == 1)
        assert found(page, "") == [0, 1]
        page.send("fen", fen="rnbqkbnr/ppp1pppp/8/3p4/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3")
        page.state(lambda state: state["ply"] == 0)
        assert found(page, "") == [0]


def test_games_are_searched_in_the_game_on_the_board(board):
    with board.page() as socket:
        page = opened(socket)
        load_pgn(page, GAMES)
        page.send("new", variant="crazyhouse")
        page.until("game")
        assert found(page, "e4 e5 Nf3 Nc6") == [
            0,
            2,
            3,
            4,
        ]  # a game without a tag is of the game on the board


def test_file_is_read_for_the_search_when_it_is_opened(board, monkeypatch):
    with board.page() as socket:
        page = opened(socket)
        load_pgn(page, GAMES)
        wait_for(lambda: board.session.search._reading.done())
        monkeypatch.setattr(game_search, "main_line_keys", None)
        page.send("goto", node=0)
        page.state(lambda state: state["ply"] == 0)
        assert found(page, "e4 e5 Nf3 Nc6") == [0, 2, 4]


def test_reading_ends_when_another_file_is_opened():
    index = PositionIndex(games_of(GAMES, "pgn"), Variant("chess"))
    index.stopped = True
    index.read()
    assert index.find(Position("chess").repetition_key) == []


def test_tag_of_a_game_is_looked_for_once_for_all_games_of_a_file(monkeypatch):
    text = '[Variant "Three-check"]\n\n1. e4 *\n\n'
    (first,) = games_of(text, "pgn")
    assert variant_of(first, CHESS) == "3check"
    monkeypatch.setattr(catalogue, "available", None)
    assert [variant_of(game, CHESS) for game in games_of(2 * text, "pgn")] == 2 * ["3check"]


def test_variation_is_not_found(board):
    with board.page() as socket:
        page = opened(socket)
        load_pgn(page, GAMES)
        page.send("goto", node=0)
        page.state(lambda state: state["ply"] == 0)
        assert found(page, "d4 d5 Nf3") == []


def test_search_needs_games(board):
    with board.page() as socket:
        page = opened(socket)
        page.send("find")
        assert "open a PGN first" in page.until("error")["text"]


def test_another_file_is_searched_in_place_of_the_first(board):
    with board.page() as socket:
        page = opened(socket)
        load_pgn(page, GAMES)
        page.send("find")
        page.until("found")
        first = board.session.search._index
        load_pgn(page, "1. a3 *\n\n1. e4 e5 2. Nf3 Nc6 *\n")
        page.send("goto", node=0)
        page.state(lambda state: state["ply"] == 0)
        assert found(page, "e4 e5 Nf3 Nc6") == [1]
        assert first.stopped and board.session.search._index is not first
