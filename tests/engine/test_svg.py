"""Pictures of positions: every game, with marks, arrows and hands; wrong squares are quoted."""

import re
from xml.etree import ElementTree

import chess
import pytest
import surajang
from surajang import Move, Position, svg
from surajang.engine.definition import catalogue

pytestmark = pytest.mark.compiled

NAMESPACE = "{http://www.w3.org/2000/svg}"
HANDS = "4k3/8/8/8/8/8/8/4K3[PPn] w - - 0 1"


def drawn(picture):
    """A picture as a tree of elements. Raises ParseError for malformed text."""
    return ElementTree.fromstring(picture)


def shapes(picture, name):
    """The shapes of a kind, those of pieces not counted."""
    return drawn(picture).findall(f"{NAMESPACE}{name}")


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("variant", catalogue.available())
def test_every_game_is_drawn_with_all_its_pieces(variant):
    position = Position(variant)
    picture = svg.board(position, hands=False)
    assert len(shapes(picture, "g")) == len(position.pieces())


@pytest.mark.quick
def test_hands_are_drawn_with_their_counts():
    picture = svg.board(Position("crazyhouse", HANDS), coordinates=False)
    assert len(shapes(picture, "g")) == 4
    assert [element.text for element in shapes(picture, "text")] == ["2", "1"]


@pytest.mark.quick
def test_marks_and_arrows_are_added_to_the_board():
    position = Position("chess")
    plain = svg.board(position)
    count = {name: len(shapes(plain, name)) for name in ("rect", "path", "circle")}
    marked = svg.board(
        position,
        lastmove="e2e4",
        check="e8",
        squares=["a3"],
        fill={"d4": "#8080ff"},
        arrows=[("g1", "f3"), svg.Arrow(1, 18, "#ff0000"), position.parse_move("d2d4"), ("a1", "a1")],
    )
    assert len(shapes(marked, "rect")) == count["rect"] + 3
    assert len(shapes(marked, "path")) == count["path"] + 4
    assert len(shapes(marked, "circle")) == count["circle"] + 2


def turns(picture):
    """The number of pieces rotated by half a turn, in addition to their set's own rotation."""
    return [piece.get("transform").count("rotate(180") for piece in shapes(picture, "g")]


def test_pieces_of_shogi_are_turned_with_the_board():
    position = Position("shogi", "4k4/9/9/9/9/9/9/9/4K4[P] w - - 0 1")
    assert turns(svg.board(position)) == [0, 0, 0]
    assert turns(svg.board(position, flipped=True)) == [1, 1, 1]
    assert turns(svg.board(position, flipped=True, style="letters")) == [0, 0, 0]
    assert turns(svg.board(Position("xiangqi"), flipped=True)) == [0] * 32


def test_board_of_xiangqi_has_marks_where_soldiers_and_cannons_begin():
    def marks(variant):
        paths = shapes(svg.board(Position(variant)), "path")
        return sum(path.get("d").count("h6.5") + path.get("d").count("h-6.5") for path in paths)

    inner, at_the_edge = 2 * 3 + 4, 2 * 2
    assert marks("xiangqi") == 4 * inner + 2 * at_the_edge
    assert marks("janggi") == marks("chess") == 0


def test_flipped_board_turns_by_half_a_turn():
    position = Position("chess", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    (rook,) = [
        element.get("transform") for element in shapes(svg.board(position, coordinates=False), "g")[:1]
    ]
    flipped = [
        element.get("transform")
        for element in shapes(svg.board(position, coordinates=False, flipped=True), "g")
    ]
    assert rook == "translate(0 315)" and flipped[0] == "translate(315 0)"


def test_size_is_that_of_the_longer_side():
    root = drawn(svg.board(Position("janggi"), size=500))
    assert (root.get("height"), int(root.get("width")) < 500) == ("500", True)
    assert drawn(svg.board(Position("janggi"))).get("height") is None


@pytest.mark.parametrize("size", [0, -1, float("nan"), float("inf"), 10**400])
def test_size_that_is_not_positive_is_refused(size):
    for draw in (lambda: svg.board(Position("chess"), size=size), lambda: svg.piece("K", size=size)):
        with pytest.raises(ValueError, match=f"^size {size} should be a number of pixels from 1$"):
            draw()
    with pytest.raises(TypeError, match=r"^size '400' should be a number$"):
        svg.board(Position("chess"), size="400")


def test_arrows_may_be_moves_as_text():
    position = Position("crazyhouse")
    for text, move in (("e2e4", Move.parse("e2e4")), ("e2e4", ["e2", "e4"]), ("P@d4", ("d4", "d4"))):
        assert svg.board(position, arrows=[text]) == svg.board(position, arrows=[move])
    with pytest.raises(surajang.MoveSyntaxError, match=r"^'Nf3': "):
        svg.board(position, arrows=["Nf3"])


@pytest.mark.parametrize("arrow", [("e2",), 12, None])
def test_something_else_is_not_an_arrow(arrow):
    with pytest.raises(TypeError, match=f"^{re.escape(repr(arrow))} is not an arrow: an Arrow, "):
        svg.board(Position("chess"), arrows=[arrow])


def test_position_shows_itself_in_a_notebook_with_the_last_move_and_a_check():
    position = Position("chess")
    plain = position._repr_svg_()
    for move in ("f2f3", "e7e5", "g2g4", "d8h4"):
        position.push(move)
    shown = position._repr_svg_()
    assert len(shapes(shown, "rect")) == len(shapes(plain, "rect")) + 2
    assert len(shapes(shown, "circle")) == 1
    assert svg.board(position)._repr_svg_() == svg.board(position)


def test_passes_and_choices_mark_nothing():
    position = Position("janggi")
    while any(move.is_choice for move in position.legal_moves):
        position.push(position.legal_moves[0])
    passing = next(move for move in position.legal_moves if move.is_pass)
    assert svg.board(position, lastmove=passing) == svg.board(position)


@pytest.mark.parametrize("mark", [{"check": "e9"}, {"squares": ["e9"]}, {"fill": {"e9": "red"}}])
def test_square_off_the_board_is_quoted(mark):
    with pytest.raises(ValueError, match=r"^'e9' is not a square of chess"):
        svg.board(Position("chess"), **mark)


def test_move_that_is_not_one_is_quoted():
    with pytest.raises(surajang.MoveSyntaxError, match=r"^'Nf3': "):
        svg.board(Position("chess"), lastmove="Nf3")
    assert "#cdd16a" in svg.board(Position("chess"), lastmove=Move.parse("e2e4"))


def test_colours_cannot_break_out_of_their_attribute():
    picture = svg.board(Position("chess"), fill={"e4": '"><script>'})
    assert "<script>" not in picture and drawn(picture) is not None


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda: svg.board(chess.Board()), r"^Board\('rnbq.*'\) should be a surajang.Position$"),
        (lambda: svg.board("startpos"), "^'startpos' should be a surajang.Position$"),
        (lambda: svg.board(Position("chess"), lastmove=5), "^5 is not the text of a move"),
        (lambda: svg.piece(5), "^5 is not the letter of a piece, such as 'N'$"),
    ],
)
def test_something_else_is_not_drawn(use, message):
    with pytest.raises(TypeError, match=message):
        use()


def test_pieces_are_drawn_alone():
    assert drawn(svg.piece("N")).get("width") == "45"
    assert svg.piece("N") != svg.piece("n")
    with pytest.raises(ValueError, match=r"^'X' is not the letter of a piece of chess$"):
        svg.piece("X")
    with pytest.raises(ValueError, match=r"^'wood' is not a style of chess's pictures"):
        svg.piece("N", style="wood")
