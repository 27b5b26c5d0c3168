"""The notations of shogi, xiangqi and Janggi: compared with Fairy-Stockfish and books, and read back."""

import random

import pytest
from surajang import IllegalMoveError, MoveSyntaxError, Position
from surajang.tests.support.san_referees import fairy_texts, random_games, random_positions

pytestmark = pytest.mark.compiled

MOVES = 600  # of each game and notation; 10,000 positions were compared by hand
SHOGI = ("hodges", "hodges-numbers", "hosking")
REFEREED = [(game, notation) for game in ("shogi", "minishogi") for notation in SHOGI] + [
    ("janggi", "korean")
]
TANDEM_SIGNS = "+-"


@pytest.mark.parametrize(("variant", "notation"), REFEREED)
def test_moves_are_written_and_read_as_fairy_stockfish_writes_them(variant, notation):
    for game in random_games(variant, MOVES, 1):
        for (position, move), theirs in zip(game, fairy_texts(game, notation), strict=True):
            if not move.is_pass:  # Fairy-Stockfish has no text for it
                assert position.notate(move, notation) == theirs
                assert position.parse_notation(theirs, notation) == move


@pytest.mark.parametrize("variant", ["xiangqi", "minixiangqi"])
def test_moves_of_xiangqi_are_written_as_fairy_stockfish_writes_them(variant):
    """It omits the sign of one of two pieces if the other could not make the step on the board, which the
    rules of WXF do not; it numbers three pawns on a file."""
    for game in random_games(variant, MOVES, 2):
        for (position, move), theirs in zip(game, fairy_texts(game, "wxf"), strict=True):
            ours = position.notate(move, "wxf")
            assert position.parse_notation(ours, "wxf") == move
            if theirs[0].isalpha():
                assert ours == theirs or (ours[1] in TANDEM_SIGNS and theirs[1].isdigit())
                assert position.parse_notation(theirs, "wxf") == move


@pytest.mark.usefixtures("seldom_compiled")
@pytest.mark.parametrize(
    ("variant", "notation"),
    [
        *REFEREED,
        ("shogi", "usi"),
        ("xiangqi", "wxf"),
        ("xiangqi", "korean"),
        ("janggi", "wxf"),
        ("manchu", "wxf"),
    ],
)
def test_every_move_reads_back(variant, notation):
    for position in random_positions(variant, 30, 3):
        texts = {position.notate(move, notation): move for move in position.legal_moves}
        assert len(texts) == len(position.legal_moves)
        for text in random.Random(3).sample(sorted(texts), min(6, len(texts))):
            assert position.parse_notation(text, notation) == texts[text]


BISHOP = "4k4/9/9/9/9/1B7/9/9/4K4[R] w - - 0 1"
GOLDS = "4k4/9/9/9/9/9/9/9/G1G1K4[] w - - 0 1"
SILVERS = "4k4/9/2S6/9/4S4/9/9/9/4K4[] w - - 0 1"
DRAGON = "3k5/9/9/9/4D4/9/9/9/4K4[] w - - 0 1"
SHOGI_MOVES = {
    "a pawn": (None, "c3c4", "7g7f", "P-7f", "P-76", "P76"),
    "a drop": (BISHOP, "R@e5", "R*5e", "R*5e", "R*55", "R'55"),
    "a promotion": (BISHOP, "b4e7h", "8f5c+", "B-5c+", "B-53+", "B53+"),
    "a refused promotion": (BISHOP, "b4e7", "8f5c", "B-5c=", "B-53=", "B53="),
    "one of two golds": (GOLDS, "a1b2", "9i8h", "G9i-8h", "G99-88", "G99-88"),
    "a promoted rook": (DRAGON, "e5e6", "5e5d", "+R-5d", "+R-54", "+R54"),
    "the one silver that can promote": (SILVERS, "c7d6m", "7c6d+", "S-6d+", "S-64+", "S64+"),
    "one of two silvers": (SILVERS, "c7d6", "7c6d", "S7c-6d=", "S73-64=", "S73-64="),
}


@pytest.mark.parametrize("case", SHOGI_MOVES)
def test_move_of_shogi_is_written(case):
    fen, move, *texts = SHOGI_MOVES[case]
    position = Position("shogi", fen)
    for notation, text in zip(("usi", *SHOGI), texts, strict=True):
        assert position.notate(move, notation) == text
        assert str(position.parse_notation(text, notation)) == move


def pawns(*squares):
    """A FEN of xiangqi with White's pawns on squares."""
    rows = [["."] * 9 for _ in range(10)]
    for square, piece in [*((square, "P") for square in squares), ("e1", "K"), ("d10", "k")]:
        rows[10 - int(square[1:])]["abcdefghi".index(square[0])] = piece
    text = "/".join("".join(row) for row in rows)
    for gap in range(9, 0, -1):
        text = text.replace("." * gap, str(gap))
    return f"{text} w - - 0 1"


ROOKS = "3k5/9/9/9/2R6/9/2R6/9/9/4K4 w - - 0 1"
THREE, FOUR = pawns("g6", "g7", "g8"), pawns("g6", "g7", "g8", "g9")
FIVE = pawns("g6", "g7", "g8", "g9", "g10")
TWO_FILES = pawns("g6", "g7", "g8", "c6", "c7")
WXF = {
    "a horse": (None, "h1g3", "H2+3"),
    "a horse of Black": (None, "b10c8", "H2+3"),
    "a cannon to the side": (None, "h3e3", "C2=5"),
    "a cannon along its file": (None, "b3b10", "C8+7"),
    "an elephant": (None, "c1e3", "E7+5"),
    "an advisor": (None, "d1e2", "A6+5"),
    "the front rook": (ROOKS, "c6f6", "R+=4"),
    "the rear rook back": (ROOKS, "c4c3", "R--1"),
    "one of two elephants": ("3k5/9/9/9/9/2B6/9/9/9/2B1K4 w - - 0 1", "c1a3", "E7+9"),
    "one of two advisors": ("3k5/9/9/9/9/9/9/3A5/9/3AK4 w - - 0 1", "d3e2", "A6-5"),
    "the front one of three pawns": (THREE, "g8f8", "P+=4"),
    "the middle one of three pawns": (THREE, "g7f7", "P3=4"),
    "the rear one of three pawns": (THREE, "g6f6", "P-=4"),
    "the first of four pawns": (FOUR, "g9f9", "++=4"),
    "the second of four pawns": (FOUR, "g8f8", "P+=4"),
    "the third of four pawns": (FOUR, "g7f7", "P-=4"),
    "the fourth of four pawns": (FOUR, "g6f6", "--=4"),
    "the middle one of five pawns": (FIVE, "g8f8", "P3=4"),
    "the last of five pawns": (FIVE, "g6f6", "--=4"),
    "a front pawn, with two files of pawns": (TWO_FILES, "g8f8", "3+=4"),
    "a middle pawn, with two files of pawns": (TWO_FILES, "g7f7", "33=4"),
    "a rear pawn, with two files of pawns": (TWO_FILES, "c6d6", "7-=6"),
}


@pytest.mark.parametrize("case", WXF)
def test_move_of_xiangqi_is_written_as_the_federation_asks(case):
    fen, move, text = WXF[case]
    position = Position("xiangqi", fen)
    if fen is None and "10" in move and "Black" in case:
        position.push("a4a5")
    assert position.notate(move, "wxf") == text
    assert str(position.parse_notation(text, "wxf")) == move


KOREAN = {
    "a soldier": (None, "a4b4", "P71-72"),
    "a horse, from the tenth rank": (None, "h1g3", "H08-87"),
    "a capture": ("4k4/9/9/9/R3p4/9/9/9/9/4K4 w - - 0 1", "a6e6", "R51x55+"),
    "a pass": (None, "e2e2", "--"),
}


@pytest.mark.parametrize("case", KOREAN)
def test_move_of_janggi_is_written_by_numbers(case):
    fen, move, text = KOREAN[case]
    position = Position("janggi", fen)
    assert position.notate(move, "korean") == text
    assert str(position.parse_notation(text, "korean")) == move


READ = {
    **{text: ("shogi", "hodges", None, "c3c4") for text in ("P7f", "P-7f", "P-76", "P7g-7f", "P-7f!")},
    **{text: ("shogi", "hodges", BISHOP, "R@e5") for text in ("R*5e", "R\u20195e", "R'55")},
    **{text: ("shogi", "hosking", BISHOP, "b4e7h") for text in ("B53+", "Bx53+", "B86-53+", "B-5c+")},
    **{text: ("xiangqi", "wxf", None, "h3e3") for text in ("C2=5", "C2.5", "c2=5")},
    **{text: ("xiangqi", "wxf", None, "h1g3") for text in ("H2+3", "N2+3")},
    **{text: ("xiangqi", "wxf", ROOKS, "c6f6") for text in ("R+=4", "+R=4", "R+.4")},
    **{text: ("xiangqi", "wxf", ROOKS, "c4c3") for text in ("R--1", "-R-1")},
    **{text: ("janggi", "korean", None, "h1g3") for text in ("H08-87", "N08-87", "08馬87", "0887", "08 87")},
    "--": ("janggi", "korean", None, "e2e2"),
}


@pytest.mark.parametrize("text", READ)
def test_other_spelling_is_read(text):
    variant, notation, fen, move = READ[text]
    assert str(Position(variant, fen).parse_notation(text, notation)) == move


ILLEGAL = {
    "a pawn that cannot go there": ("shogi", "hodges", None, "P-7e", "possible: P-9f, P-8f"),
    "one of two golds": ("shogi", "hodges", GOLDS, "G-8h", "fits several moves: G9i-8h, G7i-8h"),
    "one of two rooks": ("xiangqi", "wxf", ROOKS, "R7=4", "fits several moves"),
    "a horse that is blocked": (
        "janggi",
        "korean",
        None,
        "H02-74",
        "is not legal here; possible: H02-81, H02-83",
    ),
    "a square to itself": ("shogi", "usi", None, "7g7g", "is not legal here"),
    "a pass of shogi": ("shogi", "usi", None, "0000", "White cannot pass now"),
}


@pytest.mark.parametrize("case", ILLEGAL)
def test_illegal_move_is_refused_with_the_legal_ones(case):
    variant, notation, fen, text, reason = ILLEGAL[case]
    with pytest.raises(IllegalMoveError) as caught:
        Position(variant, fen).parse_notation(text, notation)
    assert str(caught.value).startswith(repr(text))
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("variant", "notation"),
    [*(("shogi", notation) for notation in ("usi", *SHOGI)), ("xiangqi", "wxf"), ("janggi", "korean")],
)
@pytest.mark.parametrize("text", ["", "hello", "P", "9", "é", None, 7, "e2e4e5"])
def test_text_that_is_no_move_is_refused_with_examples(variant, notation, text):
    with pytest.raises(MoveSyntaxError, match="moves look like"):
        Position(variant).parse_notation(text, notation)


UNSUITABLE = {
    ("chess", "hodges"): "there is castling",
    ("pandemonium", "usi"): "more than 9 files or ranks",
    ("euroshogi", "wxf"): "there are drops",
    ("chess", "kifu"): "is not a notation; they are san, lan, usi, ",
}


@pytest.mark.parametrize(("variant", "notation"), UNSUITABLE)
def test_notation_that_cannot_write_a_game_is_refused(variant, notation):
    position = Position(variant)
    for use in (position.notate, position.parse_notation):
        with pytest.raises(ValueError, match=UNSUITABLE[variant, notation]):
            use("e2e4", notation)


@pytest.mark.parametrize("variant", ["chess", "crazyhouse"])
def test_san_and_lan_are_notations_as_well(variant):
    position = Position(variant)
    assert position.notate("g1f3") == position.san("g1f3")
    assert position.notate("g1f3", "lan") == "Ng1-f3"
    assert position.parse_notation("Nf3") == position.parse_notation("Ng1-f3", "lan") == "g1f3"
