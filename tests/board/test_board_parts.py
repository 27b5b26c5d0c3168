"""Parts of the board without a server: messages to a page, effects of moves, labels, the tree of moves."""

import asyncio

import pytest
from surajang import Position
from surajang.board.chances import move_mark, with_chance
from surajang.board.engines import Engines, read_engine
from surajang.board.eval_view import read_eval_text
from surajang.board.game_message import game_message, start_before_setup
from surajang.board.notations import read_move
from surajang.board.shared_board import Channel
from surajang.board.tree import Tree
from surajang.board.uci_analyst import info_of
from surajang.board.view import label_of, read_label, view
from surajang.engine.definition import catalogue
from surajang.engine.variant import Variant
from surajang.match.players.notations import UciSpelling
from surajang.protocol.session.eval_text import eval_lines
from surajang.search.engine import Engine

pytestmark = pytest.mark.compiled


def taken(*sent):
    """The messages that a slow page finally gets."""

    async def run():
        channel = Channel()
        for message, key in sent:
            channel.send(message, key)
        return await channel.take()

    return asyncio.run(run())


def test_of_messages_with_a_key_the_latest_counts_and_none_comes_before_older_ones():
    assert taken(("a", None), (1, "info"), ("b", None), (2, "info"), ("end", None)) == ["a", "b", 2, "end"]


def test_pieces_of_shogi_turn_with_the_board_and_letters_do_not():
    assert game_message(catalogue.load("shogi"))["rotating"] == ["characters", "two characters", "figures"]
    assert game_message(catalogue.load("xiangqi"))["rotating"] == []


def move_of(position, text):
    return next(move for move in view(position)["moves"] if move["text"] == text)


def test_info_line_of_a_uci_engine_has_white_s_view():
    spelling = UciSpelling(catalogue.load("chess"), ["chess"])
    line = "info depth 9 multipv 2 score cp 30 lowerbound nodes 50 nps 7 time 3 pv e7e5 g1f3"
    found = {"depth": 9, "multipv": 2, "cp": -30, "bound": True, "nodes": 50, "nps": 7, "time": 3}
    assert info_of(line, -1, spelling) == found | {"pv": ["e7e5", "g1f3"]}
    assert info_of("info score mate -2 pv e2e4", 1, spelling)["mate"] == -2
    for other in (
        "info depth 9 pv e2e4",
        "info depth 9 score cp 30",
        "info string score cp 1 pv a",
        "readyok",
    ):
        assert info_of(other, 1, spelling) is None


def test_push_names_who_is_pushed_and_where_to():
    assert move_of(Position("chaotic"), "f3f5")["pushed"] == [[45, 61]]


def test_backstab_and_immobile_pieces_are_reported():
    position = Position("chaotic", "knrrpmr1/a3p1p1/pp1mpP1A/np2R3/P1P1P3/P2P2Ap/5MRN/3Ma1NK w - - 6 39")
    assert move_of(position, "f2f1")["gone"] == [4]
    assert view(position)["frozen"] == [4]


def test_capture_in_passing_takes_the_pawn_that_stands_elsewhere():
    position = Position("chess")
    for move in ("e2e4", "a7a6", "e4e5", "d7d5"):
        position.push(move)
    assert move_of(position, "e5d6")["gone"] == [35]


def test_arrangements_are_no_moves_but_choices_with_the_rank_that_they_make():
    start = catalogue.load("janggi").start_fen.replace(" - - ", " Ss - ", 1)
    state = view(Position("janggi", start))
    assert not state["moves"]
    assert {choice["text"]: "".join(choice["row"]) for choice in state["choices"]}["b1c1"] == "RENAAENR"


@pytest.mark.parametrize(
    ("variant", "fen", "move", "label"),
    [
        ("chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O"),
        ("chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O"),
        ("chess", "4k3/7P/8/8/8/8/8/4K3 w - - 0 1", "h7h8q", "h8=Q"),
        ("chess", "4k3/8/8/8/8/8/8/N3K1N1 w - - 0 1", "g1e2", "Ne2"),
        ("chess", "4k3/8/8/8/4N3/8/4K3/6N1 w - - 0 1", "g1f3", "Nf3"),
        ("chess", "4k3/8/8/8/N7/8/4K3/N7 w - - 0 1", "a1c2", "Nc2"),
        ("chess", "4k3/8/8/N7/8/8/4K3/N7 w - - 0 1", "a1b3", "N1b3"),
        ("chess", "4k3/8/8/8/8/3p4/4P3/4K3 w - - 0 1", "e2d3", "exd3"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "N@c3", "N@c3"),
        ("janggi", None, "e2e2", "pass"),
    ],
)
def test_label_of_a_move_reads_back_as_the_move(variant, fen, move, label):
    position = Position(variant, fen)
    found = position.parse_move(move)
    assert label_of(position, found) == label
    assert read_label(position, label) == found


@pytest.mark.parametrize(
    ("variant", "choice"), [("janggi", True), ("pandemonium-vchess", False), ("chess", False)]
)
def test_setup_phase_can_be_chosen_where_a_game_does_not_always_begin_with_it(variant, choice):
    assert (start_before_setup(catalogue.load(variant)) is not None) == choice


def test_worth_of_pieces_is_taken_out_of_our_own_eval():
    position = Position("pandemonium", "4k5/10/10/10/10/10/10/10/10/R4K4[N] w - - 0 1")
    lines = eval_lines(Engine("pandemonium"), position)
    found = read_eval_text(lines, 10, 10)
    assert found.title.startswith("What the evaluation loses")
    assert list(found.pieces) == [0] and float(found.pieces[0]) > 0
    assert found.text.startswith("Hand-written terms") and "|" not in found.text


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["Total evaluation: 1.45 (white side)"],
        ["  Pawns |  1.38 |  1.58 |", "--------+-------+-------+", "  Rooks | -0.47 | -0.47 |"],
        ["+---+---+", "| K | k |", "| a | b |", "+---+---+", "| R |   |", "| c |   |", "+---+---+"],
    ],
)
def test_answer_without_a_board_of_numbers_is_text(lines):
    assert read_eval_text(lines, 2, 2) == ("", {}, "\n".join(lines))


def test_unknown_label_is_refused_with_the_text():
    with pytest.raises(ValueError, match="'Qz9'"):
        read_label(Position("chess"), "Qz9")


def test_tree_of_a_thousand_plies_goes_anywhere():
    tree = Tree(Variant("chess"))
    circle = ("g1f3", "g8f6", "f3g1", "f6g8")
    for ply in range(1000):
        tree.play(circle[ply % 4])
    assert len(tree.main_line()) == 1000
    tree.goto(500)
    assert tree.position.ply == 500
    tree.goto(0)
    assert tree.position.fen() == tree.start_fen


def test_variation_shares_the_moves_before_it_and_deleting_it_leaves_the_rest():
    tree = Tree(Variant("chess"))
    tree.play("e2e4")
    tree.play("e7e5")
    tree.goto(1)
    node, new = tree.play("c7c5")
    assert new and tree.nodes[1].children == [2, node.id]
    tree.goto(1)
    assert tree.play("c7c5") == (node, False)
    tree.delete(node.id)
    assert tree.node == 1 and tree.nodes[1].children == [2]
    with pytest.raises(ValueError):
        tree.delete(0)


@pytest.mark.parametrize(("loss", "found"), [(0.05, ""), (0.1, "?!"), (0.2, "?"), (0.35, "??")])
def test_marks_go_by_the_chances_that_the_mover_lost(loss, found):
    assert move_mark({"chance": 0.2}, {"chance": 0.2 - loss}, 0) == found
    assert move_mark({"chance": 0.2}, {"chance": 0.2 + loss}, 1) == found


def test_chances_are_even_at_zero_and_certain_with_a_mate():
    game = catalogue.load("crazyhouse")
    assert with_chance({"cp": 0}, game)["chance"] == 0
    assert with_chance({"mate": -3}, game)["chance"] == -1


def test_own_engine_speaks_uci_and_is_always_there():
    assert read_engine("cmd=surajang").protocol == "uci"
    names = Engines([read_engine("cmd=fairymax name=Max")]).names()
    assert names == [{"name": "Max", "protocol": "cecp"}, {"name": "Surajang", "protocol": "uci"}]
    with pytest.raises(ValueError, match="should say whether it speaks cecp or uci"):
        read_engine("cmd=sh")
    with pytest.raises(ValueError, match="'unheard-of' is not installed"):
        read_engine("cmd=unheard-of")


@pytest.mark.parametrize(
    ("name", "typed", "move", "spelled"),
    [
        ("shogi", "P-7f", "c3c4", {"hodges": "P-7f", "hosking": "P76", "usi": "7g7f"}),
        ("xiangqi", "C2=5", "h3e3", {"wxf": "C2=5"}),
        ("chess", "e4", "e2e4", {}),
    ],
)
def test_moves_are_read_and_written_in_the_notations_of_the_game(name, typed, move, spelled):
    tree = Tree(Variant(name))
    assert str(read_move(tree.position, typed)) == move
    assert tree.play(move)[0].notations == spelled


def test_error_of_a_move_in_no_notation_is_that_of_san():
    with pytest.raises(ValueError, match=r"'Zq9': is not a move; moves look like"):
        read_move(Tree(Variant("shogi")).position, "Zq9")
