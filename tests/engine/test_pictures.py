"""Pictures of pieces: every kind of every game has its own picture, which browsers can draw."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
import surajang
from surajang.engine.definition.catalogue import SHIPPED, load, parse
from surajang.engine.game import picture_names
from surajang.engine.game.description import VariantError
from surajang.engine.game.picture_names import FIGURES, PictureError, PictureName
from surajang.engine.pictures import figures
from surajang.engine.pictures.families import sides
from surajang.engine.pictures.native_sets import SHOGI_RED
from surajang.engine.pictures.piece_set import board_style, picture_set, styles

pytestmark = pytest.mark.pure

GAMES = sorted(path.stem for folder in SHIPPED for path in folder.glob("*.toml"))
BOX = 45
ELEMENTS = {"svg", "g", "path", "circle", "polygon", "text"}
ATTRIBUTES = {
    *("d", "cx", "cy", "r", "x", "y", "points", "transform", "fill", "fill-rule", "stroke"),
    *("stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-opacity"),
    *("font-family", "font-weight", "font-size", "text-anchor"),
}


def game_with(pieces, start="rnbqkbnr/xppppppp/8/8/8/8/XPPPPPPP/RNBQKBNR w - - 0 1", more=""):
    head = f'extends = "chess"\nname = "mine"\ntitle = "Mine"\nstart = "{start}"\ncastling = false\n'
    return parse(f"{head}[pieces]\n{pieces}\n{more}", "mine.toml")


def drawn(markup):
    """A picture as a tree of elements. Raises ParseError for malformed text."""
    return ElementTree.fromstring(f"<svg>{markup}</svg>")


def numbers(text):
    return [float(number) for number in re.findall(r"-?\d*\.?\d+", text)]


def sets_of(game):
    """The set of pictures of each style of a game."""
    return {style: picture_set(load(game), style) for style in styles(load(game))}


every_game = pytest.mark.parametrize("game", GAMES)


@every_game
def test_every_kind_of_every_game_has_a_picture_for_each_colour(game):
    keys = {colour + piece.letter for piece in load(game).pieces for colour in "wb"}
    for style, pictures in sets_of(game).items():
        assert set(pictures) == keys, style


@every_game
def test_no_two_kinds_or_colours_of_a_game_share_a_picture(game):
    for style, pictures in sets_of(game).items():
        assert len(set(pictures.values())) == len(pictures), style


@every_game
def test_pictures_hold_nothing_but_shapes_without_names_or_styles(game):
    for style, pictures in sets_of(game).items():
        for key, markup in pictures.items():
            for element in drawn(markup).iter():
                assert element.tag in ELEMENTS, (style, key)
                assert set(element.keys()) <= ATTRIBUTES, (style, key)


@every_game
def test_shapes_begin_inside_the_box(game):
    for style, pictures in sets_of(game).items():
        for key, markup in pictures.items():
            for x, y in places(drawn(markup)):
                assert 0 <= x <= BOX and 0 <= y <= BOX, (style, key)


def places(element, scale=1.0, shift=(0.0, 0.0)):
    """The places where the shapes of a picture begin, in its box; only this program's transforms are
    supported."""
    transform = element.get("transform", "")
    if moved := re.search(r"translate\(([^)]*)\)", transform):
        x, y = numbers(moved[1])
        shift = (shift[0] + scale * x, shift[1] + scale * y)
    if scaled := re.search(r"scale\(([^)]*)\)", transform):
        scale *= numbers(scaled[1])[0]
    if "matrix" in transform:  # the eye of cburnett's knight
        return
    if element.tag == "path":
        x, y = numbers(element.get("d"))[:2]
        yield shift[0] + scale * x, shift[1] + scale * y
    if element.tag == "circle":
        x, y, radius = (float(element.get(key)) for key in ("cx", "cy", "r"))
        for sign in (-1, 1):
            yield shift[0] + scale * (x + sign * radius), shift[1] + scale * (y + sign * radius)
    if element.tag == "polygon":
        for pair in element.get("points").split():
            x, y = numbers(pair)
            yield shift[0] + scale * x, shift[1] + scale * y
    for child in element:
        yield from places(child, scale, shift)


def test_place_outside_of_the_box_would_be_found():
    tree = drawn('<g transform="translate(10 0) scale(2)"><circle cx="5" cy="5" r="1"/></g>')
    assert list(places(tree)) == [(18, 8), (22, 12)]


@pytest.mark.parametrize("name", [name for name in FIGURES if name != "token"])
def test_every_figure_can_be_drawn_plain_and_gilded(name):
    drawings = {
        figures.draw(PictureName(name, gilded), colour, "X") for gilded in (False, True) for colour in "wb"
    }
    assert len(drawings) == 4
    for markup in drawings:
        assert len(list(drawn(markup).iter())) > 1


def test_pieces_have_the_figures_of_their_names():
    mine = picture_set(game_with('X = { name = "Cannon", moves = "mRcpR" }'))
    assert mine["wX"] == figures.draw(PictureName("cannon"), "w", "X")
    assert mine["bR"] == figures.draw(PictureName("rook"), "b", "R")


def test_piece_that_no_figure_is_named_after_is_a_token_with_its_letter():
    pictures = picture_set(game_with('X = { name = "Zebra", moves = "Z" }'))
    assert [text.text for text in drawn(pictures["wX"]).iter("text")] == ["X"]


def test_of_two_kinds_with_one_name_the_second_is_a_token():
    pictures = picture_set(game_with('X = { name = "Rook", moves = "W" }'))
    assert "<text" in pictures["wX"]
    assert "<text" not in pictures["wR"]


def test_token_of_a_promoted_piece_has_a_ring_of_gold():
    pieces = 'X = { name = "Zebra", moves = "Z", promotes = "Y" }\nY = { name = "Quagga", moves = "NZ" }'
    pictures = picture_set(game_with(pieces, more='[drops]\npieces = "QRBNX"'))
    assert figures.DEEP_GOLD in pictures["wY"]
    assert figures.DEEP_GOLD not in pictures["wX"]


def test_what_a_capture_turns_back_is_gilded():
    pictures = picture_set(load("crazyhouse"))
    assert pictures["wQ~"] == figures.draw(PictureName("queen", gilded=True), "w", "Q")
    assert pictures["wQ"] == figures.draw(PictureName("queen"), "w", "Q")


def test_file_chooses_a_picture():
    pictures = picture_set(game_with('X = { name = "Zebra", moves = "Z", picture = "queen with camel" }'))
    assert pictures["bX"] == figures.draw(PictureName("queen", badge="camel"), "b", "X")


@pytest.mark.parametrize(
    "text, reason",
    [
        ("roock", "'roock' is not a figure (did you mean 'rook'? known: king, "),
        ("queen with pwan", "'pwan' is not a figure (did you mean 'pawn'?"),
        ("", "'' should be a figure like 'rook'"),
        ("token with pawn", "'token with pawn': tokens and octagons stand alone"),
        ("<script>", "'<script>' is not a figure"),
    ],
)
def test_unknown_picture_is_refused_with_the_place_and_what_is_known(text, reason):
    with pytest.raises(VariantError) as caught:
        game_with(f'X = {{ name = "Zebra", moves = "Z", picture = "{text}" }}')
    assert str(caught.value).startswith(f"mine.toml: pieces.X.picture: {reason}")


def test_picture_that_is_no_text_is_refused():
    with pytest.raises(VariantError, match=r"pieces\.X\.picture: 5 should be a text"):
        game_with('X = { name = "Zebra", moves = "Z", picture = 5 }')


def test_same_picture_for_two_kinds_is_refused():
    pieces = 'X = { name = "Zebra", moves = "Z", picture = "hawk" }\nR = { picture = "hawk" }'
    with pytest.raises(VariantError, match=r"pieces\.X\.picture: 'hawk' is the picture of 'R', too"):
        game_with(pieces)


@pytest.mark.parametrize("text", ["rook", "gilded rook", "queen with pawn", "gilded queen with pawn"])
def test_name_of_a_picture_is_written_as_it_was_read(text):
    assert picture_names.parse(text).text == text


def test_name_of_a_picture_needs_a_figure():
    with pytest.raises(PictureError):
        picture_names.parse("gilded ")


def test_page_on_pictures_has_every_figure():
    page = (Path(surajang.__file__).parent / "docs" / "own-game" / "pictures.md").read_text(encoding="utf-8")
    assert [name for name in FIGURES if f"`{name}`" not in page] == []


def test_unknown_style_is_refused_with_the_known_ones():
    with pytest.raises(
        ValueError, match=r"'wood' is not a style of chess's pictures \(figures, flat, letters\)"
    ):
        picture_set(load("chess"), "wood")


def test_janggi_stands_on_lines_with_palaces():
    style = board_style(load("janggi"))
    assert style["kind"] == "lines"
    white, black = style["palaces"]
    assert white == ["d1", "e1", "f1", "d2", "e2", "f2", "d3", "e3", "f3"]
    assert set(black) == {file + rank for file in "def" for rank in ("8", "9", "10")}
    assert style["diagonals"] == [["d1", "f3"], ["f1", "d3"], ["d8", "f10"], ["f8", "d10"]]
    assert style["styles"] == ["characters", "figures", "letters"]


def test_chess_stands_on_squares():
    style = board_style(load("chess"))
    assert (style["kind"], style["palaces"], style["diagonals"]) == ("squares", [], [])


def test_cells_end_after_their_files_and_ranks():
    assert board_style(load("grid"))["cells"] == [[2, 4, 6], [2, 4, 6]]
    assert board_style(load("displacedgrid"))["cells"] == [[1, 3, 5, 7], [1, 3, 5, 7]]
    assert board_style(load("slippedgrid"))["cells"] == [[1, 3, 5, 7], [2, 4, 6]]
    assert board_style(load("chess"))["cells"] == [[], []]


def test_shogi_stands_on_a_grid_with_stars_and_makruk_on_one_without():
    assert board_style(load("shogi"))["kind"] == board_style(load("makruk"))["kind"] == "grid"
    assert board_style(load("shogi"))["styles"] == ["characters", "two characters", "figures", "letters"]
    assert board_style(load("shogi"))["stars"] == [[3, 3], [6, 3], [3, 6], [6, 6]]
    assert board_style(load("minishogi"))["stars"] == board_style(load("makruk"))["stars"] == []


def test_xiangqi_has_a_river_palaces_and_points():
    style = board_style(load("xiangqi"))
    assert (style["kind"], style["river"]) == ("lines", 5)
    assert style["diagonals"] == [["d1", "f3"], ["f1", "d3"], ["d8", "f10"], ["f8", "d10"]]
    assert {"b3", "h8", "a4", "e7"} <= set(style["points"]) and len(style["points"]) == 14
    small = board_style(load("minixiangqi"))
    assert (small["river"], small["diagonals"][0]) == (0, ["c1", "e3"])


@pytest.mark.parametrize("style", ["characters", "two characters", "figures"])
def test_pieces_of_shogi_point_forward_and_are_red_when_promoted(style):
    pictures = picture_set(load("shogi"), style)
    assert all(("rotate(180" in markup) == (key[0] == "b") for key, markup in pictures.items())
    promoted = {piece.letter for piece in load("shogi").pieces if piece.promoted}
    assert all((SHOGI_RED in markup) == (key[1:] in promoted) for key, markup in pictures.items())


def test_pieces_of_shogi_have_two_characters_where_they_are_wanted():
    one, two = (picture_set(load("shogi"), style) for style in ("characters", "two characters"))
    counts = {key: (one[key].count("<path"), two[key].count("<path")) for key in one}
    tokin = next(piece.letter for piece in load("shogi").pieces if piece.name == "Tokin")
    assert {key for key, count in counts.items() if count == (2, 2)} == {f"w{tokin}", f"b{tokin}"}
    assert set(counts.values()) == {(2, 2), (2, 3)}


@pytest.mark.parametrize("game", ["torishogi", "dobutsu"])
def test_relatives_of_shogi_without_its_pieces_have_its_board_and_pentagons(game):
    description = load(game)
    assert board_style(description)["kind"] == "grid" and sides(description) == ("Sente", "Gote")
    pictures = picture_set(description)
    assert all("#f7e6bd" in markup for markup in pictures.values())
    assert [text.text for text in drawn(pictures["wC"]).iter("text")] == ["C"]


def test_piece_that_a_family_does_not_know_stands_on_its_ground():
    pictures = picture_set(load("cannonshogi"), "characters")
    assert all("M22.5 2L36 8.5" in markup for markup in pictures.values())


def test_sides_of_a_family_have_their_names():
    assert sides(load("xiangqi")) == ("Red", "Black")
    assert sides(load("shogi")) == sides(load("minishogi")) == ("Sente", "Gote")
    assert sides(load("janggi")) == ("Cho", "Han")
    assert sides(load("shako")) == sides(load("makruk")) == ("White", "Black")


def test_piece_promoted_to_a_queen_has_a_crown_in_its_own_colour():
    pictures = picture_set(load("pandemonium"))
    for letter, base in (("A", "chancellor"), ("W", "archbishop"), ("G", "pawn")):
        for colour in "wb":
            ink = figures.INKS[colour, True]
            for part in ("queen", base):
                assert figures.plain(part, colour, ink) in pictures[colour + letter]


@pytest.mark.parametrize("name", ["amazon", "knight with king", "gilded cannon with silver"])
@pytest.mark.parametrize("colour", ["w", "b"])
def test_figure_in_a_badge_has_the_colours_of_its_side(name, colour):
    picture = picture_names.parse(name)
    ink = figures.INKS[colour, picture.gilded]
    inside = figures.draw(picture, colour, "X").rpartition("<circle")[2]
    shape, small = inside.split("/>", 1)
    assert figures.plain(picture.badge or "knight", colour, ink) in small
    assert f'fill="{ink.body}"' in small and f'fill="{ink.body}"' not in shape


def test_flat_set_draws_other_shapes_than_the_usual_one():
    usual, flat = picture_set(load("chess")), picture_set(load("chess"), "flat")
    assert all(usual[key] != flat[key] for key in usual)
