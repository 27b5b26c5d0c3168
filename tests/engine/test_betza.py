"""Betza notation, letter by letter, in the dialect of XBoard's `piece` commands.

Moves are pairs (files, ranks) as the mover sees them: right and forward positive.
"""

import pytest
from surajang.engine.game import betza
from surajang.engine.game.betza import BetzaError, Ride

pytestmark = pytest.mark.pure

# Table 1 of https://www.gnu.org/software/xboard/Betza.html: the piece on *, forward upwards.
DIAGRAM = """
G Z C H C Z G
Z A N D N A Z
C N F W F N C
H D W * W D H
C N F W F N C
Z A N D N A Z
G Z C H C Z G
"""


def squares_of(letter, diagram=DIAGRAM):
    """The moves to all squares that carry `letter` in a diagram with the piece in its middle."""
    rows = [row.split() for row in diagram.strip().splitlines()]
    middle = len(rows) // 2
    return {
        (column - middle, middle - row)
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
        if cell == letter
    }


def moves_of(text):
    """The single steps of all moves, without their modes."""
    return {(ride.files, ride.ranks) for ride in betza.parse(text)}


WAZIR, FERZ, KNIGHT = squares_of("W"), squares_of("F"), squares_of("N")
KING = WAZIR | FERZ


# Atoms


@pytest.mark.parametrize("letter", "WFDNAHCZG")
def test_atom_reaches_its_squares_of_the_diagram(letter):
    assert moves_of(letter) == squares_of(letter)
    assert len(betza.parse(letter)) == (4 if letter in "WFDAHG" else 8)


def test_plain_atom_moves_once_and_captures_too():
    assert set(betza.parse("W")) == {Ride(0, 1), Ride(0, -1), Ride(1, 0), Ride(-1, 0)}
    assert Ride(0, 1) == Ride(
        *(0, 1, 1),
        quiet=True,
        capture=True,
        lame=False,
        jumping=False,
        hop="",
        initial=False,
        en_passant=False,
    )


@pytest.mark.parametrize(
    "letter, steps, reach", [("K", KING, 1), ("Q", KING, 0), ("R", WAZIR, 0), ("B", FERZ, 0)]
)
def test_king_steps_and_queen_rook_and_bishop_slide_without_limit(letter, steps, reach):
    assert moves_of(letter) == steps
    assert {ride.reach for ride in betza.parse(letter)} == {reach}


# Ranges


@pytest.mark.parametrize("text, other", [("WW", "R"), ("W0", "R"), ("FF", "B"), ("F0", "B"), ("K0", "Q")])
def test_doubled_letter_or_zero_is_without_limit(text, other):
    assert betza.parse(text) == betza.parse(other)


@pytest.mark.parametrize("text", ["N0", "NN"])
def test_leapers_ride_too(text):
    assert set(betza.parse(text)) == {Ride(files, ranks, 0) for files, ranks in KNIGHT}


@pytest.mark.parametrize("text, reach", [("W1", 1), ("W3", 3), ("F2", 2), ("N4", 4), ("K5", 5), ("W12", 12)])
def test_number_limits_the_repetitions(text, reach):
    assert moves_of(text) == moves_of(text[0])
    assert {ride.reach for ride in betza.parse(text)} == {reach}


@pytest.mark.parametrize("text, other", [("R4", "W4"), ("B2", "F2"), ("Q3", "K3")])
def test_number_limits_what_slides(text, other):
    assert betza.parse(text) == betza.parse(other)


# Directions


@pytest.mark.parametrize(
    "directions, moves",
    [
        ("f", {(0, 1)}),
        ("b", {(0, -1)}),
        ("l", {(-1, 0)}),
        ("r", {(1, 0)}),
        ("v", {(0, 1), (0, -1)}),
        ("s", {(-1, 0), (1, 0)}),
        ("fs", {(0, 1), (-1, 0), (1, 0)}),
        ("fr", {(0, 1), (1, 0)}),
        ("bl", {(0, -1), (-1, 0)}),
        ("fb", {(0, 1), (0, -1)}),
        ("lr", {(-1, 0), (1, 0)}),
        ("fbl", {(0, 1), (0, -1), (-1, 0)}),
    ],
)
def test_each_letter_is_one_direction_of_an_orthogonal_atom(directions, moves):
    assert moves_of(directions + "W") == moves
    assert moves_of(directions + "D") == {(2 * files, 2 * ranks) for files, ranks in moves}
    assert moves_of(directions + "H") == {(3 * files, 3 * ranks) for files, ranks in moves}
    assert moves_of(directions + "R") == moves


@pytest.mark.parametrize(
    "directions, moves",
    [
        ("f", {(-1, 1), (1, 1)}),
        ("b", {(-1, -1), (1, -1)}),
        ("l", {(-1, 1), (-1, -1)}),
        ("r", {(1, 1), (1, -1)}),
        ("fr", {(1, 1)}),
        ("rf", {(1, 1)}),
        ("fl", {(-1, 1)}),
        ("br", {(1, -1)}),
        ("bl", {(-1, -1)}),
        ("lb", {(-1, -1)}),
        ("fb", {(-1, 1), (1, 1), (-1, -1), (1, -1)}),
        ("frbl", {(1, 1), (-1, -1)}),
        ("flb", {(-1, 1), (-1, -1), (1, -1)}),
    ],
)
def test_one_letter_is_a_pair_and_two_are_one_direction_of_a_diagonal_atom(directions, moves):
    assert moves_of(directions + "F") == moves
    assert moves_of(directions + "A") == {(2 * files, 2 * ranks) for files, ranks in moves}
    assert moves_of(directions + "G") == {(3 * files, 3 * ranks) for files, ranks in moves}
    assert moves_of(directions + "B") == moves


OBLIQUE = [
    # A doubled letter: the narrow pair on that side.
    ("ff", {(-1, 2), (1, 2)}),
    ("bb", {(-1, -2), (1, -2)}),
    ("ll", {(-2, 1), (-2, -1)}),
    ("rr", {(2, 1), (2, -1)}),
    # A single letter: the same.
    ("f", {(-1, 2), (1, 2)}),
    ("b", {(-1, -2), (1, -2)}),
    ("l", {(-2, 1), (-2, -1)}),
    ("r", {(2, 1), (2, -1)}),
    ("v", {(-1, 2), (1, 2), (-1, -2), (1, -2)}),
    ("s", {(-2, 1), (-2, -1), (2, 1), (2, -1)}),
    ("fb", {(-1, 2), (1, 2), (-1, -2), (1, -2)}),
    # With h: half of the board.
    ("fh", {(-1, 2), (1, 2), (-2, 1), (2, 1)}),
    ("bh", {(-1, -2), (1, -2), (-2, -1), (2, -1)}),
    ("lh", {(-2, 1), (-2, -1), (-1, 2), (-1, -2)}),
    ("rh", {(2, 1), (2, -1), (1, 2), (1, -2)}),
    # Two letters: the second names the longer coordinate.
    ("fr", {(2, 1)}),
    ("rf", {(1, 2)}),
    ("fl", {(-2, 1)}),
    ("lf", {(-1, 2)}),
    ("br", {(2, -1)}),
    ("rb", {(1, -2)}),
    ("bl", {(-2, -1)}),
    ("lb", {(-1, -2)}),
    ("fs", {(-2, 1), (2, 1)}),
    ("bs", {(-2, -1), (2, -1)}),
    ("rv", {(1, 2), (1, -2)}),
    ("lv", {(-1, 2), (-1, -2)}),
    # Groups add up.
    ("ffbb", {(-1, 2), (1, 2), (-1, -2), (1, -2)}),
    ("frbl", {(2, 1), (-2, -1)}),
    ("fhbb", {(-1, 2), (1, 2), (-2, 1), (2, 1), (-1, -2), (1, -2)}),
]


@pytest.mark.parametrize("directions, moves", OBLIQUE)
def test_directions_of_an_oblique_atom(directions, moves):
    """As `MovesFromString` in XBoard's moves.c reads them."""
    assert moves_of(directions + "N") == moves
    long = {1: 1, 2: 3}  # a camel is a knight whose longer coordinate is 3
    camel = {(sign(f) * long[abs(f)], sign(r) * long[abs(r)]) for f, r in moves}
    assert moves_of(directions + "C") == camel


def sign(number):
    return 1 if number > 0 else -1


@pytest.mark.parametrize(
    "directions, moves",
    [
        ("f", {(0, 1)}),
        ("s", {(-1, 0), (1, 0)}),
        ("fr", {(1, 1)}),
        ("fs", {(-1, 1), (1, 1)}),
    ],
)
def test_king_and_queen_have_eight_directions_of_their_own(directions, moves):
    """As `MovesFromString` in XBoard's moves.c reads them: one letter is straight, two are diagonal."""
    assert moves_of(directions + "K") == moves
    assert moves_of(directions + "Q") == moves


# Modes


@pytest.mark.parametrize(
    "modes, quiet, capture",
    [("", True, True), ("m", True, False), ("c", False, True), ("mc", True, True), ("cm", True, True)],
)
def test_mode_selects_quiet_moves_or_captures(modes, quiet, capture):
    assert {(ride.quiet, ride.capture) for ride in betza.parse(modes + "N")} == {(quiet, capture)}


@pytest.mark.parametrize(
    "text, attribute, value",
    [
        ("nN", "lame", True),
        ("jD", "jumping", True),
        ("pR", "hop", "p"),
        ("gQ", "hop", "g"),
        ("iW", "initial", True),
        ("fceF", "en_passant", True),
    ],
)
def test_mode_marks_its_moves_and_nothing_else(text, attribute, value):
    plain = text.translate(str.maketrans("", "", "njpgie"))
    marked = betza.parse(text)
    assert {getattr(ride, attribute) for ride in marked} == {value}
    unmarked = {
        Ride(**{**vars(ride), attribute: type(value)()})  # False or ""
        for ride in marked
    }
    assert unmarked == set(betza.parse(plain))


def test_en_passant_alone_is_no_other_capture():
    assert set(betza.parse("feF")) == {
        Ride(files, 1, quiet=False, capture=False, en_passant=True) for files in (-1, 1)
    }


def test_modes_and_directions_may_be_mixed():
    assert betza.parse("fmnW") == betza.parse("mfnW") == betza.parse("nmfW")
    assert betza.parse("fmnW") == (Ride(0, 1, quiet=True, capture=False, lame=True),)


# Whole pieces


def test_terms_of_one_piece_add_up():
    assert moves_of("RN") == WAZIR | KNIGHT
    assert {(ride.files, ride.ranks, ride.reach) for ride in betza.parse("BN")} == {
        (files, ranks, 0) for files, ranks in FERZ
    } | {(files, ranks, 1) for files, ranks in KNIGHT}


def test_repeated_move_is_one_move():
    assert betza.parse("WK") == betza.parse("K")
    assert betza.parse("NN0") == betza.parse("NN")


def test_order_of_terms_does_not_matter():
    assert betza.parse("RN") == betza.parse("NR")


def test_pawn_moves_forward_and_captures_aside():
    assert set(betza.parse("fmWfcF")) == {
        Ride(0, 1, quiet=True, capture=False),
        Ride(-1, 1, quiet=False, capture=True),
        Ride(1, 1, quiet=False, capture=True),
    }


def test_pawn_of_chess_with_all_its_rights():
    assert set(betza.parse("fmWfceFifmnD")) == {
        Ride(0, 1, quiet=True, capture=False),
        Ride(-1, 1, quiet=False, capture=True, en_passant=True),
        Ride(1, 1, quiet=False, capture=True, en_passant=True),
        Ride(0, 2, quiet=True, capture=False, lame=True, initial=True),
    }


def test_cannon_of_xiangqi():
    assert set(betza.parse("mRcpR")) == {
        Ride(files, ranks, 0, quiet, not quiet, hop=hop)
        for files, ranks in WAZIR
        for quiet, hop in ((True, ""), (False, "p"))
    }


# Errors


@pytest.mark.parametrize(
    "text, quoted",
    [
        ("", "''"),
        ("f", "'f'"),
        ("fmWfc", "'fc'"),
        ("4R", "'4R'"),
        ("R-N", "'-N'"),
        ("R N", "' N'"),
        ("R4.5", "'.5'"),
        ("X", "'X'"),
        ("RNU", "'U'"),
        ("É", "'É'"),
        ("xW", "'x'"),
        ("fmqW", "'q'"),
        ("hW", "'h'"),
        ("hN", "'h'"),
        ("hF", "'h'"),
        ("(RN)", "'(RN)'"),
    ],
)
def test_malformed_text_is_refused_by_its_part(text, quoted):
    with pytest.raises(BetzaError) as refusal:
        betza.parse(text)
    assert quoted in str(refusal.value)
    assert repr(text) in str(refusal.value)


@pytest.mark.parametrize("text", [None, 4, ["R"], b"R"])
def test_file_that_is_not_text_is_refused(text):
    with pytest.raises(BetzaError, match="not Betza notation"):
        betza.parse(text)


def test_errors_are_value_errors():
    assert issubclass(BetzaError, ValueError)
