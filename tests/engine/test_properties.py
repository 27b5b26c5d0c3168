"""Properties of all positions, and reactions to malformed texts."""

import pytest
import surajang
from hypothesis import given, settings
from hypothesis import strategies as st
from surajang import FenError, IllegalMoveError, MoveError, MoveSyntaxError, Position
from surajang.tests.support.games import mirror_fen, mirror_move, setup, snapshot, texts
from surajang.tests.support.referee import START_FEN

pytestmark = pytest.mark.compiled

# The same examples on every run; positions take long to draw, which is not their fault.
deterministic = settings(derandomize=True, deadline=None, max_examples=60)

# Where the games of these tests start: the start, an open fight with full hands, and an end game
# with pawns before promotion.
STARTS = [
    START_FEN,
    "r2qkm2r1/1pp3pp1p/2n2b1p2/3p2p3/4P1c3/2P2N4/3B4P1/P4C4/1P1P2PP1P/R3KM3R[QBNPPrcnpp] w - - 0 1",
    "R1b1k4r/PP5P2/4n5/3D6/5h4/4S5/6g3/5N4/2p4p1p/R3K2B1R[RMPPqcbnp] w - - 0 1",
    setup("Ke1 Ra1 Rj1 Pb2 Pd3 ke10 ra10 rj10 pc4 pe4 pg9 ph8"),
]


@st.composite
def games(draw, longest=40):
    """A position some moves into a game."""
    position = Position("pandemonium", draw(st.sampled_from(STARTS)))
    for choice in draw(st.lists(st.integers(0, 2**16), max_size=longest)):
        moves = position.legal_moves()
        if not moves:
            break
        position.push(moves[choice % len(moves)])
    return position


@deterministic
@given(games())
def test_fen_leads_back_to_the_same_position(position):
    again = Position("pandemonium", position.fen())
    assert again.fen() == position.fen()
    assert texts(again) == texts(position)
    assert again.is_check() == position.is_check()
    assert again.key == position.key
    assert again.repetition_key == position.repetition_key


@deterministic
@given(games())
def test_keys_follow_every_move(position):
    while True:
        assert position.key == position.fresh_key()
        assert position.repetition_key == position.fresh_repetition_key()
        if not position.ply:
            break
        position.pop()


@deterministic
@given(games(longest=15))
def test_pop_restores_everything(position):
    before = snapshot(position)
    for move in position.legal_moves():
        assert position.push(move) == move
        assert position.pop() == move
    assert snapshot(position) == before


@deterministic
@given(games())
def test_game_taken_back_and_played_again_is_the_same(position):
    moves, end = list(position.moves), snapshot(position)
    for move in reversed(moves):
        assert position.pop() == move
    assert position.fen() == Position("pandemonium", position.start_fen).fen()
    for move in moves:
        position.push(move)
    assert snapshot(position) == end


@deterministic
@given(games())
def test_copy_goes_its_own_way(position):
    before = snapshot(position)
    copy = position.copy()
    assert snapshot(copy) == before
    for move in position.legal_moves()[:1]:
        copy.push(move)
        assert snapshot(copy) != before
    assert snapshot(position) == before


@deterministic
@given(games())
def test_mirrored_position_has_the_mirrored_moves(position):
    mirror = Position("pandemonium", mirror_fen(position.fen()))
    assert mirror.fen() == mirror_fen(position.fen())
    assert texts(mirror) == sorted(mirror_move(move) for move in texts(position))
    assert mirror.is_check() == position.is_check()


@deterministic
@given(games())
def test_every_move_is_parsed_from_its_own_text(position):
    for move in position.legal_moves():
        assert position.parse_move(str(move)) == move


@deterministic
@given(games())
def test_hand_and_board_are_what_the_fen_says(position):
    board, hands = position.fen().split()[0].rstrip("]").split("[")
    rows = [row.replace("10", "." * 10) for row in board.split("/")]
    rows = ["".join("." * int(c) if c.isdigit() else c for c in row) for row in rows]
    for square in range(100):
        expected = rows[9 - square // 10][square % 10]
        assert (position.letter_at(square) or ".") == expected
    white = "".join(letter * count for letter, count in position.hand(0).items())
    black = "".join(letter.lower() * count for letter, count in position.hand(1).items())
    assert white + black == hands


# Move texts


def test_plus_and_equals_choose_the_promotion():
    position = Position("pandemonium", setup("Kj1 kj9 Rb9 Pc9"))
    assert str(position.parse_move("b9b10+")) == "b9b10d"
    assert str(position.parse_move("b9b10=")) == "b9b10"
    assert str(position.parse_move("c9c10+")) == "c9c10g"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "e2",
        "e2e",
        "2e4e",
        "e2-e4",
        "e2e4e6",
        "k2k4",
        "e0e1",
        "e2e11",
        "P@",
        "@e5",
        "P@k5",
        "P@e11",
        "O-O",
        "e2e4?",
        "é2é4",
    ],
)
def test_malformed_move_is_refused_by_its_text(text):
    position = Position("pandemonium")
    before = snapshot(position)
    with pytest.raises(MoveSyntaxError) as refusal:
        position.push(text)
    assert text in str(refusal.value)
    assert snapshot(position) == before


@pytest.mark.parametrize(
    "text",
    ["e2e6", "e3e4", "e5e6", "e9e8", "e2d3", "b1b3", "P@e5", "e1b1", "a1a2", "e2e3g", "e2e3q"],
)
def test_illegal_move_is_refused_by_its_text(text):
    position = Position("pandemonium")
    before = snapshot(position)
    with pytest.raises(IllegalMoveError) as refusal:
        position.push(text)
    assert text in str(refusal.value)
    assert snapshot(position) == before


@pytest.mark.parametrize(
    "text", ["c9c10", "c9c10=", "c9c10d", "X@e5", "D@e5", "b9b10g", "b9b8+", "b9b8d", "e1e1"]
)
def test_impossible_promotion_is_refused_by_its_text(text):
    position = Position("pandemonium", setup("Ke1 kj9 Rb9 Pc9"))
    with pytest.raises(MoveError) as refusal:
        position.push(text)
    assert text in str(refusal.value)


@deterministic
@given(st.text(max_size=8) | st.text("abcdefghijkPRQN@+=0123456789dg", max_size=8))
def test_any_text_is_a_legal_move_or_refused(text):
    position = Position("pandemonium")
    try:
        move = position.parse_move(text)
    except MoveError as refusal:
        assert text in str(refusal) or repr(text)[1:-1] in str(refusal)
    else:
        assert move in position.legal_moves()


def test_errors_are_value_errors():
    assert issubclass(FenError, ValueError)
    assert issubclass(MoveError, ValueError)
    assert issubclass(MoveSyntaxError, MoveError)
    assert issubclass(IllegalMoveError, MoveError)


# FEN, as it may be written

BOARD = "4k5/10/10/10/10/10/10/10/10/4K5"


@pytest.mark.parametrize(
    "fen, meant",
    [
        (f"{BOARD}[-] w - - 0 1", f"{BOARD}[] w - - 0 1"),
        (f"{BOARD}[]", f"{BOARD}[] w - - 0 1"),
        (f"{BOARD}[] b", f"{BOARD}[] b - - 0 1"),
        (f"{BOARD}[] b - - 7", f"{BOARD}[] b - - 7 1"),
        (f"{BOARD}[PNqpQr] w - - 3 9", f"{BOARD}[QNPqrp] w - - 3 9"),
        ("4k5/91/91/10/10/10/10/10/10/4K5[] w - - 0 1", f"{BOARD}[] w - - 0 1"),
        (
            "9k/10/+R+B+N+M+C+P4/10/10/10/10/+r+b+n+m+c+p4/10/9K[] w - - 0 1",
            "9k/10/DHSAWG4/10/10/10/10/dhsawg4/10/9K[] w - - 0 1",
        ),
        (
            "4k5/10/10/10/10/Pp8/1p8/10/10/4K5[] b - a3,a4 0 1",
            "4k5/10/10/10/10/Pp8/1p8/10/10/4K5[] b - a3a4 0 1",
        ),
    ],
)
def test_fen_may_be_written_in_more_than_one_way(fen, meant):
    assert Position("pandemonium", fen).fen() == meant


def test_composed_position_may_hold_more_than_a_game_could():
    fen = setup("Ke1 ke10 Na2 Nb2 Nc2 Nd2 Ne2 Nf2 Ng2 Nh2 Ni2", "P" * 99 + "r" * 40)
    assert Position("pandemonium", fen).fen() == fen


REST = "w - - 0 1"


@pytest.mark.parametrize(
    "fen, quoted",
    [
        # board
        ("4k5/10/10/10/10/10/10/10/4K5[] w - - 0 1", "9"),
        ("4k5/10/10/10/10/10/10/10/10/10/4K5[] w - - 0 1", "11"),
        ("4k5/10/10/10/9/10/10/10/10/4K5[] w - - 0 1", "9"),
        ("4k5/10/10/10/92/10/10/10/10/4K5[] w - - 0 1", "92"),
        ("4k5/10/10/10/10P/10/10/10/10/4K5[] w - - 0 1", "10P"),
        ("4k5/10/10//10/10/10/10/10/4K5[] w - - 0 1", "rank"),
        ("4k5/10/10/X9/10/10/10/10/10/4K5[] w - - 0 1", "X"),
        ("4k5/10/10/+Q9/10/10/10/10/10/4K5[] w - - 0 1", "+Q"),
        ("4k5/10/10/+D9/10/10/10/10/10/4K5[] w - - 0 1", "+D"),
        ("4k5/10/10/9+/10/10/10/10/10/4K5[] w - - 0 1", "+"),
        ("4k5/10/10/٣R6/10/10/10/10/10/4K5[] w - - 0 1", "٣"),
        ("", "board"),
        ("nonsense", "board"),
        # pieces that cannot stand so
        ("10/10/10/10/10/10/10/10/10/4K5[] w - - 0 1", "king"),
        ("4k5/10/10/10/10/10/10/10/10/10[] w - - 0 1", "king"),
        ("4k5/10/10/10/10/10/10/10/K9/4K5[] w - - 0 1", "king"),
        ("k3k5/10/10/10/10/10/10/10/10/4K5[] w - - 0 1", "king"),
        ("4k5/10/10/10/10/10/10/10/10/P3K5[] w - - 0 1", "a1"),
        ("4k4P/10/10/10/10/10/10/10/10/4K5[] w - - 0 1", "j10"),
        ("4k5/10/10/10/10/10/10/10/10/p3K5[] w - - 0 1", "a1"),
        ("p3k5/10/10/10/10/10/10/10/10/4K5[] w - - 0 1", "a10"),
        ("4k5/4R5/10/10/10/10/10/10/10/4K5[] w - - 0 1", "check"),
        ("4k5/10/10/10/10/10/10/10/4q5/4K5[] b - - 0 1", "check"),
        ("4kK4/10/10/10/10/10/10/10/10/10[] w - - 0 1", "check"),
        # hands
        (f"{BOARD}[ {REST}", "["),
        (f"{BOARD}[P {REST}", "P"),
        (f"{BOARD}[X] {REST}", "X"),
        (f"{BOARD}[K] {REST}", "K"),
        (f"{BOARD}[D] {REST}", "D"),
        (f"{BOARD}[g] {REST}", "g"),
        (f"{BOARD}[P3] {REST}", "3"),
        (f"{BOARD}[{'P' * 100}] {REST}", "99"),
        # the other fields
        (f"{BOARD}[] x - - 0 1", "x"),
        (f"{BOARD}[] w - z 0 1", "z"),
        (f"{BOARD}[] w - e 0 1", "e"),
        (f"{BOARD}[] w - e11 0 1", "e11"),
        (f"{BOARD}[] w - k3 0 1", "k3"),
        (f"{BOARD}[] w - e8,, 0 1", "e8,,"),
        (f"{BOARD}[] w - - x 1", "x"),
        (f"{BOARD}[] w - - -1 1", "-1"),
        (f"{BOARD}[] w - - 1.5 1", "1.5"),
        (f"{BOARD}[] w - - 0 y", "y"),
        (f"{BOARD}[] w - - 0 -4", "-4"),
        (f"{BOARD}[] w - - 0 1 more", "more"),
    ],
)
def test_malformed_fen_is_refused_by_its_field(fen, quoted):
    with pytest.raises(FenError) as refusal:
        Position("pandemonium", fen)
    assert quoted in str(refusal.value)
    assert "\n" not in str(refusal.value)


@st.composite
def damaged_fens(draw):
    """A good FEN with a few characters replaced, removed or put in."""
    fen = draw(games(longest=10)).fen()
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(fen)))
        put = draw(st.text("kKpPQdD+-/[]0123456789 abwx,~", max_size=2))
        fen = fen[:at] + put + fen[at + draw(st.integers(0, 2)) :]
    return fen


@deterministic
@given(damaged_fens() | st.text(max_size=30))
def test_any_text_is_a_position_or_refused(fen):
    try:
        position = Position("pandemonium", fen)
    except FenError:
        return
    assert Position("pandemonium", position.fen()).fen() == position.fen()
    assert position.key == position.fresh_key()


def test_unknown_variant_is_refused_by_its_name():
    with pytest.raises(surajang.VariantError, match="nosuchgame"):
        Position("nosuchgame")
