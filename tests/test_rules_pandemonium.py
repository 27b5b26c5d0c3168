"""The rules of Pandemonium, one test a rule, asked of the engine and of the referee alike.

Each position is written for White and played for both colours. Positions with nothing to prove
about the kings put White's on e1 and Black's on e10.
"""

import pytest
from surajang.tests.games import GAMES, setup

pytestmark = [pytest.mark.compiled, pytest.mark.quick]

FILES = "abcdefghij"
SQUARES = {f"{file}{rank}" for rank in range(1, 11) for file in FILES}


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
        ("c2c5", "pd5", "d5c4", "c3c4"),
        ("c2c5", "pd4", "d4c3", "c3c4"),
        ("a2a5", "pb4", "b4a3", "a3a4"),
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


def test_crossed_squares_are_written_only_when_a_pawn_attacks_one(game):
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
    assert crossed_of(position) == "c3c4"
    assert moves_of(position, "d5") == {"d4"}


def test_en_passant_may_not_uncover_the_king_behind_the_captured_pawn(game):
    # Composed: no game puts the pawn on c5 between the bishop on a3 and the king on f8.
    position = game(setup("Ke1 kf8 Ba3 Pc5 pd4", turn="b", crossed="c3c4"))
    assert moves_of(position, "d4") == {"d3"}
    assert moves_of(game(setup("Ke1 kf8 Pc5 pd4", turn="b", crossed="c3c4")), "d4") == {"d3", "c3"}


def test_pawn_pinned_to_its_king_may_capture_in_passing_along_the_pin(game):
    position = game(setup("Ke1 kf7 Bb3 Pc2 pd5"))
    play(position, "c2c5")
    assert moves_of(position, "d5") == {"c4"}


def test_pawn_pinned_to_its_king_may_not_capture_in_passing_across_the_pin(game):
    position = game(setup("Kj1 kd10 Rd1 Pc2 pd5"))
    play(position, "c2c5")
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
    assert moves_of(position, "d4") == set()


# Promotion

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


# Captures and drops


@pytest.mark.parametrize(
    "captured, base",
    ["qQ", "rR", "bB", "nN", "mM", "cC", "pP", "dR", "hB", "sN", "aM", "wC", "gP"],
)
def test_captured_piece_goes_to_the_hand_in_base_form(game, captured, base):
    position = game(setup(f"Kj1 kj9 Rb4 {captured}b6"))
    play(position, "b4b6")
    assert hands_of(position) == base
    play(position, "j9j8")
    assert drops_of(position, base)


@pytest.mark.parametrize("letter", "QMCRBN")
def test_piece_drops_on_any_empty_square(game, letter):
    position = game(setup("Ke1 ke10 Pc4 nj9", letter))
    assert drops_of(position, letter) == SQUARES - {"e1", "e10", "c4", "j9"}


def test_pawn_drops_on_neither_the_first_nor_the_last_rank(game):
    position = game(setup("Ke1 ke10 Pc4 nj9", "P"))
    ends = {square for square in SQUARES if square[1:] in ("1", "10")}
    assert drops_of(position, "P") == SQUARES - ends - {"c4", "j9"}


def test_two_pawns_may_stand_on_one_file(game):
    assert "c6" in drops_of(game(setup("Ke1 ke10 Pc4", "P")), "P")


def test_drop_takes_one_piece_from_the_hand_and_is_the_whole_move(game):
    position = game(setup("Ke1 ke10", "RRPn"))
    play(position, "R@c4")
    assert position.fen().startswith("4k5/10/10/10/10/10/2R7/10/10/4K5[RPn] b - - ")


def test_nothing_drops_from_the_enemys_hand(game):
    position = game(setup("Ke1 ke10", "rp"))
    assert not [move for move in position.legal_moves() if "@" in move]


def test_drop_may_block_a_check_and_nothing_else(game):
    position = game(setup("Ke1 kj10 re5", "NP"))
    assert drops_of(position, "N") == drops_of(position, "P") == {"e2", "e3", "e4"}


def test_drop_does_not_answer_the_check_of_a_knight_or_a_neighbour(game):
    assert not drops_of(game(setup("Ke1 kj10 nd3", "N")), "N")
    assert not drops_of(game(setup("Ke1 kj10 re2 re9", "N")), "N")


def test_drop_of_a_piece_may_mate(game):
    position = game(setup("Kb8 ka10", "R"))
    play(position, "R@h10")
    assert position.result() == ("1-0", "White mates")


# Pawn drop mate. The king in the corner has its own bishop beside it; Pb9 gives check.


def test_pawn_drop_may_not_mate(game):
    position = game(setup("Ke1 ka10 bb10 Nb7 Pc8", "P"))
    assert "b9" not in drops_of(position, "P")
    assert "b8" in drops_of(position, "P")


def test_pawn_drop_may_not_mate_whatever_the_enemy_holds(game):
    position = game(setup("Ke1 ka10 bb10 Nb7 Pc8", "Pqn"))
    assert "b9" not in drops_of(position, "P")


def test_pawn_drop_may_give_check(game):
    position = game(setup("Ke1 ka10 bb10 Pc8", "P"))
    assert "b9" in drops_of(position, "P")
    play(position, "P@b9")
    assert position.is_check()
    assert position.result() is None


def test_pawn_drop_is_no_mate_when_the_king_can_take_the_pawn(game):
    assert "b9" in drops_of(game(setup("Ke1 ka10 bb10 Nb7", "P")), "P")


def test_pawn_drop_is_no_mate_when_the_pawn_can_be_captured(game):
    assert "b9" in drops_of(game(setup("Ke1 ka10 bb10 Nb7 Pc8 rj9", "P")), "P")


def test_pawn_drop_mates_when_its_only_captor_is_pinned(game):
    # The rook on a9 could take, were it not for the rook on a2.
    free = setup("Ke1 ka10 bb10 ra9 Nd8", "P")
    pinned = setup("Ke1 ka10 bb10 ra9 Nd8 Ra2", "P")
    assert "b9" in drops_of(game(free), "P")
    assert "b9" not in drops_of(game(pinned), "P")


def test_pawn_drop_may_stalemate(game):
    position = game(setup("Kc8 ka10 Bc7", "P"))
    assert "a9" in drops_of(position, "P")
    play(position, "P@a9")
    assert not position.is_check()
    assert position.legal_moves() == []
    assert position.result() == ("1/2-1/2", "Stalemate")


def test_pawn_move_may_mate(game):
    position = game(setup("Ke1 ka10 bb10 Nb7 Pc8 Pb8"))
    play(position, "b8b9")
    assert position.is_check()
    assert position.legal_moves() == []


# Castling. White's king moves from e1 to b1 or h1; its rooks stand on a1 and j1.

CASTLINGS = {"e1b1", "e1h1"}


def castlings_of(position):
    return CASTLINGS & set(position.legal_moves())


def test_king_castles_to_both_sides(game):
    assert castlings_of(game(setup("Ke1 Ra1 Rj1 ke10"))) == CASTLINGS


@pytest.mark.parametrize("castling, after", [("e1b1", "Kb1 Rc1 Rj1"), ("e1h1", "Kh1 Rg1 Ra1")])
def test_rook_lands_on_the_inner_side_of_the_king(game, castling, after):
    position = game(setup("Ke1 Ra1 Rj1 ke10"))
    play(position, castling)
    assert board_of(position) == board_of(game(setup(f"{after} ke10")))


@pytest.mark.parametrize("king", ["d1", "f1", "e2"])
def test_king_castles_from_the_e_file_of_its_first_rank_only(game, king):
    position = game(setup(f"K{king} Ra1 Rj1 Ra2 Rj2 ke10"))
    assert moves_of(position, king) <= squares_on_lines(king, ORTHOGONAL + DIAGONAL, 1)


@pytest.mark.parametrize("rooks", ["Rb1 Ri1", "Ra2 Rj2", "Ra10 Rj10"])
def test_rook_castles_from_the_corner_only(game, rooks):
    assert castlings_of(game(setup(f"Ke1 {rooks} kf5"))) == set()


@pytest.mark.parametrize("letter", "DMQAGN")
def test_only_an_unpromoted_rook_castles(game, letter):
    assert castlings_of(game(setup(f"Ke1 {letter}a1 {letter}j1 kf10"))) == set()


@pytest.mark.parametrize("blocker", "Nn")
@pytest.mark.parametrize("file", "bcdfghi")
def test_all_squares_between_king_and_rook_must_be_empty(game, file, blocker):
    # A knight on the first rank attacks no square of that rank.
    position = game(setup(f"Ke1 Ra1 Rj1 {blocker}{file}1 ke10"))
    assert castlings_of(position) == CASTLINGS - {"e1b1" if file < "e" else "e1h1"}


def test_king_that_has_moved_may_castle(game):
    position = game(setup("Ke1 Ra1 Rj1 ke10"))
    play(position, "e1f2 e10f10 f2e1 f10e10")
    assert castlings_of(position) == CASTLINGS


def test_rook_that_has_moved_may_castle(game):
    position = game(setup("Ke1 Ra1 Rj1 ke10"))
    play(position, "a1a5 e10f10 a5a1 f10e10")
    assert castlings_of(position) == CASTLINGS


def test_rook_that_has_come_to_the_corner_may_castle(game):
    position = game(setup("Ke1 Rb1 Rj1 ke10"))
    play(position, "b1a1 e10f10")
    assert castlings_of(position) == CASTLINGS


def test_dropped_rook_may_castle(game):
    position = game(setup("Ke1 ke10", "RR"))
    play(position, "R@a1 e10f10")
    assert castlings_of(position) == {"e1b1"}
    play(position, "R@j1 f10e10")
    assert castlings_of(position) == CASTLINGS


def test_king_that_has_castled_may_castle_again(game):
    position = game(setup("Ke1 Ra1 Rj1 ke10"))
    play(position, "e1b1 e10f10 c1c5 f10e10 b1c1 e10f10 c1d1 f10e10 d1e1 e10f10")
    assert castlings_of(position) == {"e1h1"}


def test_castling_field_is_ignored_on_input(game):
    fen = setup("Ke1 Ra1 Rj1 ke10")
    assert " - - " in fen
    both, none = game(fen.replace(" - - ", " KQkq - ")), game(fen)
    assert castlings_of(both) == castlings_of(none) == CASTLINGS
    assert both.fen() == none.fen()


@pytest.mark.parametrize(
    "men, letters",
    [
        ("Ke1 Ra1 Rj1 ke10 ra10 rj10", "KQkq"),
        ("Ke1 Rj1 ke10 ra10", "Kq"),
        ("Ke1 Ra1 Nb1 kf10 ra10 rj10", "Q"),
        ("Kf1 Ra1 Rj1 ke10 da10 rj10", "k"),
        ("Ke1 Da1 ke9 ra10", "-"),
    ],
)
def test_castling_letters_follow_from_the_squares(game, men, letters):
    assert game(setup(men)).fen().split()[2] == letters


@pytest.mark.parametrize("attacker", ["re5", "nd3", "pd2", "bh4", "me9"])
def test_king_in_check_does_not_castle(game, attacker):
    position = game(setup(f"Ke1 Ra1 Rj1 kf10 {attacker}"))
    assert position.is_check()
    assert castlings_of(position) == set()


@pytest.mark.parametrize("attacker", "rmdqagw")
@pytest.mark.parametrize("file", "bcdfgh")
def test_no_square_the_king_crosses_or_lands_on_may_be_attacked(game, file, attacker):
    position = game(setup(f"Ke1 Ra1 Rj1 ke9 {attacker}{file}10"))
    assert castlings_of(position) == CASTLINGS - {"e1b1" if file < "e" else "e1h1"}


@pytest.mark.parametrize("file", "aij")
def test_squares_that_only_the_rook_leaves_or_crosses_may_be_attacked(game, file):
    assert castlings_of(game(setup(f"Ke1 Ra1 Rj1 ke10 r{file}5"))) == CASTLINGS


@pytest.mark.parametrize(
    "attacker, forbidden",
    [
        ("pa2", {"e1b1"}),
        ("pc2", {"e1b1"}),
        ("pi2", {"e1h1"}),
        ("nb3", {"e1b1"}),
        ("sh3", {"e1h1"}),
        ("ba2", {"e1b1"}),
        ("bd3", {"e1b1", "e1h1"}),
        ("cg4", {"e1b1"}),
        ("mg3", {"e1h1"}),
        ("kb2", {"e1b1"}),
        ("kh2", {"e1h1"}),
        ("pa3", set()),
        ("pj2", set()),
    ],
)
def test_every_kind_of_attack_forbids_castling(game, attacker, forbidden):
    king = "" if attacker[0] == "k" else "kf10"
    assert castlings_of(game(setup(f"Ke1 Ra1 Rj1 {king} {attacker}"))) == CASTLINGS - forbidden


def test_pinned_piece_still_forbids_castling(game):
    # The bishop on h5 shields its king from the rook on h2 and attacks d1.
    assert castlings_of(game(setup("Ke1 Ra1 Rj1 Rh2 kh10 bh5"))) == {"e1h1"}


def test_castling_may_give_check(game):
    position = game(setup("Ke1 Ra1 kc10"))
    play(position, "e1b1")
    assert position.is_check()


# The end of the game


def test_checkmate_wins(game):
    position = game(setup("Kb8 ka10 Rh1"))
    play(position, "h1h10")
    assert position.is_check()
    assert position.legal_moves() == []
    assert position.result() == ("1-0", "White mates")


def test_a_piece_in_hand_may_save_from_mate(game):
    position = game(setup("Kb8 ka10 Rh1", "n"))
    play(position, "h1h10")
    assert position.result() is None
    assert set(position.legal_moves()) == {f"N@{file}10" for file in "bcdefg"}


def test_stalemate_is_a_draw(game):
    position = game(setup("Ke1 ka10 Qh8"))
    play(position, "h8b8")
    assert not position.is_check()
    assert position.legal_moves() == []
    assert position.result() == ("1/2-1/2", "Stalemate")


def test_a_piece_in_hand_saves_from_stalemate(game):
    position = game(setup("Ke1 ka10 Qh8", "p"))
    play(position, "h8b8")
    assert position.result() is None
    assert {move[:2] for move in position.legal_moves()} == {"P@"}


def test_there_is_no_fifty_move_rule(game):
    assert game(setup("Ke1 ke10").replace(" 0 1", " 400 300")).result() is None


# Repetition

ROUND = "e1d1 e10d10 d1e1 d10e10"


def test_third_occurrence_is_a_draw(game):
    position = game(setup("Ke1 ke10 Pc4"))
    play(position, ROUND)
    assert position.result() is None
    play(position, ROUND)
    assert position.result() == ("1/2-1/2", "Draw by repetition")


def test_no_draw_before_the_third_occurrence(game):
    position = game(setup("Ke1 ke10 Pc4"))
    play(position, ROUND)
    for move in ROUND.split()[:-1]:
        play(position, move)
        # What the round passes through has stood here but twice.
        assert position.result() is None


def test_occurrences_need_not_follow_each_other(game):
    position = game(setup("Ke1 ke10 Pc4"))
    play(position, "e1f1 e10f10 f1f2 f10e9 f2e1 e9e10")
    assert position.result() is None
    play(position, ROUND)
    assert position.result() == ("1/2-1/2", "Draw by repetition")


def test_taking_moves_back_takes_their_occurrences_back(game):
    position = game(setup("Ke1 ke10 Pc4"))
    play(position, ROUND, ROUND)
    for _ in range(4):
        position.pop()
    assert position.result() is None
    play(position, ROUND)
    assert position.result() == ("1/2-1/2", "Draw by repetition")


def test_en_passant_is_no_part_of_repetition(game):
    position = game(setup("Ke1 ke10 Pc2 pd4"))
    play(position, "c2c4")
    assert crossed_of(position) == "c3"
    play(position, "e10d10 e1d1 d10e10 d1e1")
    assert crossed_of(position) == "-"
    play(position, "e10d10 e1d1 d10e10 d1e1")
    assert position.result() == ("1/2-1/2", "Draw by repetition")


def test_hands_are_part_of_repetition(game):
    # Each round Black gives up a pawn, and the squares are as they were.
    position = game(setup("Ke1 ke10 Ra1", "pp"))
    board = board_of(position)
    feeding = "e1d1 P@a5 a1a5 e10d10 a5a1 d10d9 d1e1 d9e10"
    play(position, feeding, feeding)
    assert board_of(position) == board
    assert position.result() is None


def test_side_to_move_is_part_of_repetition(game):
    position = game(setup("Ke1 ke10 Pc4"))
    board = board_of(position)
    play(position, "e1d1 e10d10 d1d2 d10e10 d2e1")
    assert board_of(position) == board
    play(position, "e10d10 e1d1 d10d9 d1e1 d9e10")
    assert board_of(position) == board
    assert position.result() is None


def test_promoted_piece_is_another_piece_to_repetition(game):
    position = game(setup("Ke1 ke9 Rb10"))
    play(position, "b10b8 e9f9 b8b10 f9e9")
    play(position, "b10b8 e9f9 b8b10d f9e9")
    assert position.result() is None


CHECKS = "e10d10 e5d5 d10e10 d5e5"
QUIET = "e10d10 e5f5 d10e10 f5e5"


def test_perpetual_check_loses(game):
    position = game(setup("Kj1 ke10 Ra5"))
    play(position, "a5e5", CHECKS)
    assert position.result() is None
    play(position, CHECKS)
    assert position.result() == ("0-1", "White checks perpetually")


def test_checks_count_from_the_previous_occurrence_only(game):
    position = game(setup("Kj1 ke10 Ra5"))
    play(position, "a5e5", QUIET, CHECKS)
    assert position.result() == ("0-1", "White checks perpetually")


def test_one_quiet_move_makes_perpetual_check_a_draw(game):
    position = game(setup("Kj1 ke10 Ra5"))
    play(position, "a5e5", CHECKS, QUIET)
    assert position.result() == ("1/2-1/2", "Draw by repetition")


def test_perpetual_check_loses_when_the_checker_is_to_move(game):
    # The position that recurs is the one after the king's move.
    position = game(setup("Kj1 kd10 Re5"))
    around = "e5d5 d10e10 d5e5 e10d10"
    play(position, around, around)
    assert position.result() == ("0-1", "White checks perpetually")
