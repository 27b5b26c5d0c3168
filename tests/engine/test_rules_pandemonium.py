"""The rules of Pandemonium, one test per rule, for the engine and the referee alike. Each position is written
for White and played for both colours. Positions that do not depend on the kings have White's on e1 and
Black's on e10."""

import pytest
from surajang.tests.support.games import GAMES, setup

pytestmark = [pytest.mark.compiled, pytest.mark.quick]


FILES = "abcdefghij"


@pytest.fixture(params=GAMES.values(), ids=GAMES)
def game(request):
    """A class of games: called with a FEN, it gives a game that plays from there."""
    return request.param


def moves_of(game, square):
    """The legal moves of the man on `square`, without the square itself."""
    return {m.removeprefix(square) for m in game.legal_moves() if square_of(m) == square}


def square_of(move):
    """The square that a move starts from; None for a drop."""
    return None if "@" in move else move[: 3 if move[1:3] == "10" else 2]


def drops_of(game, letter):
    return {move[2:] for move in game.legal_moves() if move.startswith(f"{letter}@")}


def play(game, *moves):
    for move in " ".join(moves).split():
        game.push(move)


def board_of(game):
    return game.fen().split("[")[0]


def hands_of(game):
    return game.fen().split("[")[1].split("]")[0]


def crossed_of(game):
    return game.fen().split()[3]


def squares_on_lines(square, directions, reach):
    """The squares within `reach` steps of `square` on an empty board."""
    file, rank = FILES.index(square[0]), int(square[1:])
    found = set()
    for right, up in directions:
        for step in range(1, reach + 1):
            name = (file + right * step, rank + up * step)
            if 0 <= name[0] < 10 and 1 <= name[1] <= 10:
                found.add(f"{FILES[name[0]]}{name[1]}")
    return found


ORTHOGONAL = [(1, 0), (-1, 0), (0, 1), (0, -1)]

DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]

KNIGHT = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]

ROOK = squares_on_lines("d4", ORTHOGONAL, 9)

BISHOP = squares_on_lines("d4", DIAGONAL, 9)

JUMPS = squares_on_lines("d4", KNIGHT, 1)

STEPS = squares_on_lines("d4", ORTHOGONAL + DIAGONAL, 1)

QUEEN = ROOK | BISHOP

DESTINATIONS = {
    "Q": QUEEN,
    "R": ROOK,
    "B": BISHOP,
    "N": JUMPS,
    "M": ROOK | JUMPS,
    "C": BISHOP | JUMPS,
    "D": ROOK | STEPS,
    "H": BISHOP | STEPS,
    "S": JUMPS | STEPS,
    "A": QUEEN,
    "W": QUEEN,
    "G": QUEEN,
}


# How the men move


@pytest.mark.parametrize("letter", DESTINATIONS)
def test_piece_moves_as_the_table_says(game, letter):
    found = moves_of(game(setup(f"Kj1 kj9 {letter}d4")), "d4")
    # What reaches the last rank may promote; where it may go does not change by that.
    assert {move.rstrip("dhsaw") for move in found} == DESTINATIONS[letter]


def test_king_steps_one_square_in_any_direction(game):
    assert moves_of(game(setup("Kd4 kj10")), "d4") == STEPS


def test_king_does_not_step_next_to_the_enemy_king(game):
    found = moves_of(game(setup("Kd4 kd6")), "d4")
    assert found == STEPS - {"c5", "d5", "e5"}


@pytest.mark.parametrize("letter", "QRBMCDHAWG")
def test_slider_stops_before_its_own_man_and_on_an_enemy(game, letter):
    found = moves_of(game(setup(f"Kj1 kj9 {letter}d4 Pd6 Pf6 pd2 pf2")), "d4")
    lines = {"d5", "d3", "d2"} & DESTINATIONS[letter] | {"e5", "e3", "f2"} & DESTINATIONS[letter]
    beyond = {"d6", "d7", "f6", "g7", "d1", "g1"}
    assert lines <= found
    assert not beyond & found


@pytest.mark.parametrize("letter", "NMCS")
def test_knight_moves_jump(game, letter):
    ring = "Pc3 Pd3 Pe3 Pc4 Pe4 Pc5 Pd5 Pe5"
    assert moves_of(game(setup(f"Kj1 kj9 {letter}d4 {ring}")), "d4") == JUMPS


def test_a_move_may_not_leave_the_king_in_check(game):
    assert moves_of(game(setup("Ke1 kj10 Re4 re9 ra9")), "e4") == {
        "e2",
        "e3",
        "e5",
        "e6",
        "e7",
        "e8",
        "e9",
    }


def test_check_must_be_answered(game):
    position = game(setup("Ke1 kj10 re9 Ra5 Nj5"))
    assert position.is_check()
    assert set(position.legal_moves()) == {"a5e5", "e1d1", "e1d2", "e1f1", "e1f2"}


def test_only_the_king_answers_a_double_check(game):
    position = game(setup("Ke1 kj10 re9 nd3 Ra5 Bb5"))
    assert {square_of(move) for move in position.legal_moves()} == {"e1"}


# Pawn steps


@pytest.mark.parametrize(
    "square, targets",
    [
        ("c2", {"c3", "c4", "c5"}),
        ("c3", {"c4", "c5"}),
        ("c4", {"c5"}),
        ("c7", {"c8"}),
        ("c8", {"c9"}),
        ("j2", {"j3", "j4", "j5"}),
    ],
)
def test_pawn_steps_by_the_rank_it_stands_on(game, square, targets):
    assert moves_of(game(setup(f"Ke1 ke10 P{square}")), square) == targets


@pytest.mark.parametrize("blocker", ["N", "n"])
@pytest.mark.parametrize(
    "square, blocked, targets",
    [
        ("c2", "c3", set()),
        ("c2", "c4", {"c3"}),
        ("c2", "c5", {"c3", "c4"}),
        ("c2", "c6", {"c3", "c4", "c5"}),
        ("c3", "c4", set()),
        ("c3", "c5", {"c4"}),
    ],
)
def test_pawn_neither_jumps_nor_captures_straight_ahead(game, square, blocked, targets, blocker):
    found = moves_of(game(setup(f"Kj1 kj10 P{square} {blocker}{blocked}")), square)
    assert found == targets


def test_pawn_captures_one_square_diagonally_forward(game):
    men = "Kj1 kj10 Pc4 nc5 nb5 nd5 nb3 nd3 nb4 nd4 ne6"
    assert moves_of(game(setup(men)), "c4") == {"b5", "d5"}


def test_pawn_does_not_capture_its_own(game):
    assert moves_of(game(setup("Ke1 ke10 Pc4 Nb5 Nd5")), "c4") == {"c5"}


def test_pawn_does_not_capture_around_the_edge(game):
    assert moves_of(game(setup("Ke1 ke10 Pa4 nj4 nj5 na5")), "a4") == set()
    assert moves_of(game(setup("Ke1 ke10 Pj4 na5 na6 nj5")), "j4") == set()


def test_pawn_dropped_on_the_second_rank_may_step_three_squares(game):
    position = game(setup("Ke1 ke10", "P"))
    play(position, "P@c2 e10d10")
    assert moves_of(position, "c2") == {"c3", "c4", "c5"}


def test_pawn_dropped_on_the_third_rank_may_step_two_squares(game):
    position = game(setup("Ke1 ke10", "P"))
    play(position, "P@c3 e10d10")
    assert moves_of(position, "c3") == {"c4", "c5"}


def test_pawn_that_has_moved_to_the_third_rank_may_step_two_squares(game):
    position = game(setup("Ke1 ke10 Pc2"))
    play(position, "c2c3 e10d10")
    assert moves_of(position, "c3") == {"c4", "c5"}


# En passant


@pytest.mark.parametrize(
    "step, capturer, capture, crossed",
    [
        ("c2c4", "pd4", "d4c3", "c3"),
        ("c2c4", "pb4", "b4c3", "c3"),
        ("c3c5", "pd5", "d5c4", "c4"),
        ("c2c5", "pd5", "d5c4", "c4"),
        ("c2c5", "pd4", "d4c3", "c3"),
        ("a2a5", "pb4", "b4a3", "a3"),
        ("j3j5", "pi5", "i5j4", "j4"),
    ],
)
def test_pawn_is_captured_in_passing_on_every_square_it_crossed(game, step, capturer, capture, crossed):
    position = game(setup(f"Ke1 ke10 P{step[:2]} {capturer}"))
    play(position, step)
    assert crossed_of(position) == crossed
    play(position, capture)
    assert hands_of(position) == "p"
    assert board_of(position) == board_of(game(setup(f"Ke1 ke10 p{capture[2:]}")))


def test_triple_step_offers_both_crossed_squares_at_once(game):
    position = game(setup("Ke1 ke10 Pc2 pb4 pd4 pd5"))
    play(position, "c2c5")
    assert crossed_of(position) == "c3c4"
    captures = {m for m in position.legal_moves() if m[2:] in ("c3", "c4")}
    assert captures == {"b4c3", "d4c3", "d5c4"}


def test_pawn_on_the_square_it_stepped_to_is_captured_as_usual(game):
    position = game(setup("Ke1 ke10 Pc2 pd6"))
    play(position, "c2c5")
    assert crossed_of(position) == "-"
    play(position, "d6c5")
    assert hands_of(position) == "p"


def test_single_step_is_not_captured_in_passing(game):
    position = game(setup("Ke1 ke10 Pc3 pd3"))
    play(position, "c3c4")
    assert crossed_of(position) == "-"
    assert moves_of(position, "d3") == {"d2"}


def test_en_passant_lapses_after_one_move(game):
    position = game(setup("Ke1 ke10 Pc2 pd4"))
    play(position, "c2c4 e10d10 e1d1")
    assert crossed_of(position) == "-"
    assert moves_of(position, "d4") == {"d3"}


def test_only_a_pawn_captures_in_passing(game):
    position = game(setup("Ke1 ke10 Pc2 nd5 pb4"))
    play(position, "c2c4")
    assert crossed_of(position) == "c3"
    play(position, "d5c3")
    assert hands_of(position) == ""


def test_crossed_squares_are_written_only_where_a_pawn_attacks(game):
    position = game(setup("Ke1 ke10 Pc2 pe4 nd4"))
    play(position, "c2c5")
    assert crossed_of(position) == "-"


def test_dropped_pawn_has_crossed_nothing(game):
    position = game(setup("Ke1 ke10 pd4", "P"))
    play(position, "P@c4")
    assert crossed_of(position) == "-"
    assert moves_of(position, "d4") == {"d3"}


def test_en_passant_may_not_uncover_the_king_along_the_rank(game):
    # Both pawns leave the fifth rank, and the rook on it sees the king.
    position = game(setup("Ke1 kh5 Ra5 Pc2 pd5"))
    play(position, "c2c5")
    assert crossed_of(position) == "-"
    assert moves_of(position, "d5") == {"d4"}


def test_en_passant_may_not_uncover_the_king_behind_the_captured_pawn(game):
    # Composed: no game puts the pawn on c5 between the bishop on a3 and the king on f8.
    position = game(setup("Ke1 kf8 Ba3 Pc5 pd4", turn="b", crossed="c3c4"))
    assert crossed_of(position) == "-"
    assert moves_of(position, "d4") == {"d3"}
    assert moves_of(game(setup("Ke1 kf8 Pc5 pd4", turn="b", crossed="c3c4")), "d4") == {"d3", "c3"}


def test_pawn_pinned_to_its_king_may_capture_in_passing_along_the_pin(game):
    position = game(setup("Ke1 kf7 Bb3 Pc2 pd5"))
    play(position, "c2c5")
    assert crossed_of(position) == "c4"
    assert moves_of(position, "d5") == {"c4"}


def test_pawn_pinned_to_its_king_may_not_capture_in_passing_across_the_pin(game):
    position = game(setup("Kj1 kd10 Rd1 Pc2 pd5"))
    play(position, "c2c5")
    assert crossed_of(position) == "-"
    assert moves_of(position, "d5") == {"d4"}


def test_en_passant_may_remove_the_pawn_that_gives_check(game):
    position = game(setup("Ke1 kd6 Pc2 pd4"))
    play(position, "c2c5")
    assert position.is_check()
    assert moves_of(position, "d4") == {"c3"}


def test_en_passant_does_not_answer_another_check(game):
    # The pawn has opened the second rank.
    position = game(setup("Ke1 kj2 Ra2 Pc2 pd4"))
    play(position, "c2c5")
    assert position.is_check()
    assert crossed_of(position) == "-"
    assert moves_of(position, "d4") == set()


ENTERING = [
    ("R", "b7", "b10", "d"),
    ("B", "b8", "d10", "h"),
    ("N", "b8", "c10", "s"),
    ("M", "b8", "b10", "a"),
    ("M", "b8", "a10", "a"),
    ("C", "b8", "d10", "w"),
    ("C", "b8", "c10", "w"),
]

LEAVING = [
    ("R", "b10", "b7", "d"),
    ("R", "b10", "a10", "d"),
    ("B", "b10", "d8", "h"),
    ("N", "b10", "c8", "s"),
    ("M", "b10", "b7", "a"),
    ("C", "b10", "c8", "w"),
]


# Promotion


@pytest.mark.parametrize("letter, origin, target, promotion", ENTERING)
def test_piece_may_promote_entering_the_last_rank(game, letter, origin, target, promotion):
    position = game(setup(f"Kj1 kj9 {letter}{origin}"))
    assert {target, target + promotion} <= moves_of(position, origin)
    play(position, origin + target + promotion)
    assert board_of(position) == board_of(game(setup(f"Kj1 kj9 {promotion.upper()}{target}")))


@pytest.mark.parametrize("letter, origin, target, promotion", LEAVING)
def test_piece_may_promote_leaving_the_last_rank(game, letter, origin, target, promotion):
    position = game(setup(f"Kj1 kj9 {letter}{origin}"))
    assert {target, target + promotion} <= moves_of(position, origin)
    play(position, origin + target + promotion)
    assert board_of(position) == board_of(game(setup(f"Kj1 kj9 {promotion.upper()}{target}")))


@pytest.mark.parametrize("letter, origin, target, promotion", ENTERING)
def test_piece_may_decline_to_promote(game, letter, origin, target, promotion):
    position = game(setup(f"Kj1 kj9 {letter}{origin}"))
    play(position, origin + target)
    assert board_of(position) == board_of(game(setup(f"Kj1 kj9 {letter}{target}")))


@pytest.mark.parametrize("letter", "RBNMC")
@pytest.mark.parametrize("square", ["d1", "d5"])
def test_piece_does_not_promote_away_from_its_last_rank(game, letter, square):
    position = game(setup(f"Kj1 kj9 {letter}{square}"))
    found = {move for move in moves_of(position, square) if "10" not in move}
    assert found
    assert all(move[-1].isdigit() for move in found)


def test_piece_promotes_while_capturing_on_the_last_rank(game):
    position = game(setup("Kj1 kj9 Rb7 nb10"))
    assert {"b10", "b10d"} <= moves_of(position, "b7")


@pytest.mark.parametrize("letter", "KQ")
def test_king_and_queen_do_not_promote(game, letter):
    men = {"K": "Kb9 kj5", "Q": "Kj1 kj8 Qb9"}[letter]
    assert {move[-1] for move in moves_of(game(setup(men)), "b9")} <= set("0123456789")


@pytest.mark.parametrize("letter", "DHSAWG")
@pytest.mark.parametrize("square", ["b9", "b10"])
def test_promoted_piece_does_not_promote_again(game, letter, square):
    found = moves_of(game(setup(f"Kj1 kj8 {letter}{square}")), square)
    assert found
    assert all(move[-1].isdigit() for move in found)


def test_pawn_must_promote_on_the_last_rank(game):
    position = game(setup("Kj1 kj9 Pc9 nb10 nd10"))
    assert moves_of(position, "c9") == {"c10g", "b10g", "d10g"}
    play(position, "c9c10g")
    assert board_of(position) == board_of(game(setup("Kj1 kj9 Gc10 nb10 nd10")))


@pytest.mark.parametrize(
    "letter, leaving, promotion",
    [("R", "b7", "d"), ("B", "d8", "h"), ("N", "c8", "s"), ("M", "b7", "a"), ("C", "c8", "w")],
)
def test_piece_dropped_on_the_last_rank_promotes_by_a_later_move(game, letter, leaving, promotion):
    position = game(setup("Kj1 kj7", letter))
    assert "b10" in drops_of(position, letter)
    assert not any(drop.endswith(promotion) for drop in drops_of(position, letter))
    play(position, f"{letter}@b10 j7j6")
    assert board_of(position) == board_of(game(setup(f"Kj1 kj6 {letter}b10")))
    assert {leaving, leaving + promotion} <= moves_of(position, "b10")


def test_piece_that_left_the_last_rank_unpromoted_must_come_back_to_promote(game):
    position = game(setup("Kj1 kj7 Rb10"))
    play(position, "b10b5 j7j8")
    assert {"b6", "b10", "b10d"} <= moves_of(position, "b5")
    assert "b6d" not in moves_of(position, "b5")


def test_promoted_piece_stays_promoted(game):
    position = game(setup("Kj1 kj7 Rb9"))
    play(position, "b9b10d j7j6 b10b5 j6j7 b5c4")
    assert board_of(position) == board_of(game(setup("Kj1 kj7 Dc4")))
