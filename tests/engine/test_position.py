"""`Position` as a library: its names, their meaning in every game, and errors that quote the input."""

import copy
import pickle
import random
import sys

import chess
import numpy as np
import pytest
import surajang
from surajang import BLACK, WHITE, Move, Piece, Position
from surajang.bench.speed.coverage_command import leaves
from surajang.tests.support.games import PLAYED_GAMES, SYMMETRIC_GAMES
from surajang.tests.support.san_referees import BOARDS, random_positions

pytestmark = pytest.mark.compiled

GAMES = PLAYED_GAMES
every_game = pytest.mark.parametrize("variant", GAMES)
quick_game = pytest.mark.parametrize("variant", ["chess", "crazyhouse"])
PINS = "4k3/4r3/8/8/1b6/2N5/3PB3/4K3 w - - 0 1"


def board_of(position):
    """The same position in python-chess."""
    return BOARDS[position.variant](position.fen())


def some(variant, count=40, seed=5):
    return random_positions(variant, count, seed)


# Legal moves


@pytest.mark.quick
def test_texts_and_moves_are_found_in_legal_moves():
    position = Position("chess")
    assert "e2e4" in position.legal_moves
    assert Move.parse("e2e4") in position.legal_moves
    assert "e2e5" not in position.legal_moves
    assert "e2e4" in position.legal_moves()


@pytest.mark.quick
@pytest.mark.parametrize("text", ["Nf3", "e9e4", "z0", ""])
def test_text_that_is_not_a_move_is_an_error_and_not_just_absent(text):
    with pytest.raises(surajang.MoveSyntaxError, match=f"^'{text}': "):
        assert text in Position("chess").legal_moves


@pytest.mark.quick
@pytest.mark.parametrize("thing", [5, None, chess.Move.from_uci("e2e4")])
def test_something_else_is_not_a_move(thing):
    position = Position("chess")
    for use in (position.push, position.parse_move, position.is_legal, position.legal_moves.__contains__):
        with pytest.raises(TypeError, match="is not a move: a Move, or a text such as 'e2e4'"):
            use(thing)


def test_legal_moves_have_a_length_an_order_and_a_truth():
    position = Position("chess")
    moves = position.legal_moves
    assert len(moves) == moves.count() == len(list(moves)) == 20
    assert list(moves) == moves() == [moves[index] for index in range(20)]
    assert random.Random(1).choice(moves) in moves
    assert repr(moves).startswith("LegalMoves(") and "e2e4" in repr(moves)
    assert not Position("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").legal_moves


def test_loop_over_legal_moves_may_push_and_pop():
    position = Position("chess")
    counted = 0
    for move in position.legal_moves:
        position.push(move)
        counted += len(position.legal_moves)
        position.pop()
    assert counted == position.perft(2) == 400


# Moves


def test_move_is_parsed_without_a_position():
    assert Move.from_uci("E2e4".lower()) == Move.parse("e2e4") == Position("chess").parse_move("e2e4")
    assert Move.parse("p@e4").text == "P@e4" and Move.parse("p@e4").is_drop and Move.parse("p@e4").drop == "P"
    assert len({Move.parse("e2e4"), Position("chess").parse_move("e2e4")}) == 1


def test_move_of_no_game_knows_no_squares():
    with pytest.raises(surajang.MoveError, match="'e2e4': has no game yet"):
        assert Move.parse("e2e4").to_square


@pytest.mark.parametrize("text", ["e2", "Nf3", "e2e4e5", "", "e2e4\n", "e2e4 "])
def test_text_that_is_no_move_of_any_game_is_refused(text):
    with pytest.raises(surajang.MoveSyntaxError) as refusal:
        Move.parse(text)
    assert str(refusal.value).startswith(f"{text!r}: is not a move")
    with pytest.raises(surajang.MoveSyntaxError):
        surajang.Position("chess").parse_move(text)


def test_move_of_another_game_is_refused_with_its_text():
    house = Position("crazyhouse", "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1")
    with pytest.raises(surajang.IllegalMoveError, match=r"^'N@d5': N is not a piece that can be dropped"):
        Position("chess").push(house.parse_move("N@d5"))
    janggi = Position("janggi")
    janggi.push(janggi.legal_moves[0])
    with pytest.raises(surajang.IllegalMoveError, match=r"^'e2e4': "):
        janggi.push(Position("chess").parse_move("e2e4"))


def test_promotion_names_its_piece():
    move = Position("chess", "8/P7/8/8/8/8/8/k1K5 w - - 0 1").parse_move("a7a8n")
    assert (move.promotion, move.drop, move.uci()) == ("N", None, "a7a8n")


# Squares and colours


@pytest.mark.quick
@pytest.mark.parametrize("square", ["z9", "e9", "e", -1, 64, "e22"])
def test_square_off_the_board_is_refused_with_its_name(square):
    with pytest.raises(
        ValueError, match=f"^{square!r} is not a square of chess: they are a1 to h8, 0 to 63$"
    ):
        Position("chess").piece_at(square)


@pytest.mark.parametrize("square", [None, 1.5, True, b"e4"])
def test_something_else_is_not_a_square(square):
    with pytest.raises(TypeError, match="is not a square: a name such as 'e4', or a number"):
        Position("chess").piece_at(square)


@pytest.mark.parametrize("colour", [True, False, "white", None])
def test_colours_of_python_chess_are_refused_because_they_mean_the_others(colour):
    with pytest.raises(TypeError, match=f"{colour!r} is not a colour: 0"):
        Position("chess").attackers(colour, "e4")


def test_squares_are_numbers_of_numpy_as_well():
    assert Position("chess").piece_at(np.int64(4)) == Position("chess").piece_at("e1")


# Pieces


@pytest.mark.quick
def test_pieces_have_letter_name_colour_and_promotion():
    position = Position("crazyhouse", "4k3/8/8/3q~4/8/8/8/4K3[Pn] w - - 0 1")
    assert position.piece_at("d5") == Piece("Q", "promoted Queen", BLACK, promoted=True)
    assert position.piece_at("e4") is None
    assert position.pieces() == position.piece_map()
    assert {position.square_name(square): str(piece) for square, piece in position.pieces().items()} == {
        "e1": "K",
        "d5": "q",
        "e8": "k",
    }
    assert position.hands == ({"P": 1}, {"N": 1})
    assert (position.king(WHITE), position.king(BLACK)) == (4, 60)


def test_pieces_of_a_kind_are_those_of_python_chess():
    for position in some("chess"):
        board = board_of(position)
        for letter, kind in zip("PNBRQK", chess.PIECE_TYPES, strict=True):
            assert set(position.pieces(letter, WHITE)) == set(board.pieces(kind, chess.WHITE))
            assert set(position.pieces(letter.lower(), BLACK)) == set(board.pieces(kind, chess.BLACK))


def test_letter_that_no_piece_has_is_refused():
    with pytest.raises(ValueError, match=r"^'X' is not the letter of a piece of chess$"):
        Position("chess").pieces("X")
    for number in (chess.KNIGHT, True, 0):
        with pytest.raises(TypeError, match=rf"^{number!r} is not the letter of a piece, such as 'N'$"):
            Position("chess").pieces(number)


def test_king_in_hand_has_no_square():
    assert Position("placement").king(WHITE) is None


# Attacks, by python-chess


@quick_game
def test_attacks_checks_and_pins_are_those_of_python_chess(variant):
    for position in some(variant):
        board = board_of(position)
        assert position.checkers() == set(board.checkers())
        for square in range(64):
            assert position.attacks(square) == set(board.attacks(square))
            for colour, theirs in ((WHITE, chess.WHITE), (BLACK, chess.BLACK)):
                assert position.attackers(colour, square) == set(board.attackers(theirs, square))
                piece = board.piece_at(square)
                pinned = piece is not None and piece.color == theirs and board.is_pinned(theirs, square)
                assert position.is_pinned(colour, square) == pinned


def test_pinned_pieces_shield_their_king():
    position = Position("chess", PINS)
    assert {position.square_name(square) for square in range(64) if position.is_pinned(WHITE, square)} == {
        "e2"
    }
    assert position.attackers(BLACK, "c3") == {position.parse_square("b4")}
    assert position.is_attacked_by(BLACK, "c3") and not position.is_attacked_by(BLACK, "h1")


@quick_game
def test_kinds_of_moves_are_those_of_python_chess(variant):
    for position in some(variant):
        board = board_of(position)
        for move in position.legal_moves:
            theirs = board.parse_uci(str(move))
            assert position.is_capture(move) == (board.is_capture(theirs) and not move.is_drop)
            assert position.gives_check(move) == board.gives_check(theirs)
            assert position.is_en_passant(move) == board.is_en_passant(theirs)
            assert position.is_castling(move) == board.is_castling(theirs)
            assert position.is_drop(move) == (theirs.drop is not None)


@every_game
def test_pieces_that_capture_attack_their_target(variant):
    for position in some(variant, 20):
        turn, board = position.turn, position.pieces()
        for move in position.legal_moves:
            if position.is_capture(move) and move.to_square in board:
                assert move.from_square in position.attackers(turn, move.to_square)
                assert move.to_square in position.attacks(move.from_square)


# Results


@quick_game
def test_ends_are_those_of_python_chess(variant):
    for position in some(variant, 300):
        board = board_of(position)
        assert position.is_check() == board.is_check()
        assert position.is_checkmate() == board.is_checkmate()
        assert position.is_stalemate() == board.is_stalemate()


def test_outcome_names_the_winner():
    position = Position("chess", "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1")
    assert position.outcome() is None and not position.is_game_over()
    position.push("f7g7")
    assert position.outcome() == position.result() == ("1-0", "White mates")
    assert position.outcome().winner == WHITE and position.is_game_over()
    stuck = Position("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert stuck.is_stalemate() and stuck.outcome().winner is None


def test_repetitions_are_counted_from_the_first():
    position = Position("chess")
    assert position.repetitions() == 1
    for move in ["g1f3", "g8f6", "f3g1", "f6g8"] * 2:
        position.push(move)
    assert position.repetitions() == 3 and position.is_repetition() and not position.is_repetition(4)
    assert position.result().reason == "Draw by repetition"


# Copies


def test_copy_without_its_moves_is_the_position_alone():
    position = Position("chess")
    position.push("e2e4")
    alone = position.copy(stack=False)
    assert alone == position and not alone.move_stack and alone.start_fen == position.fen()
    alone.push("e7e5")
    assert position.move_stack == [Move.parse("e2e4")] and position.peek().text == "e2e4"


def test_root_is_the_position_before_the_first_move():
    position = Position("chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 3 7")
    before = position.copy()
    position.push("e2e4")
    assert position.root() == before and position.root().ply == 0 and position.ply == 1


@pytest.mark.parametrize("variant", SYMMETRIC_GAMES)
def test_mirror_turns_the_board_over_and_back(variant):
    for position in some(variant, 12):
        position = Position(variant, position.fen())  # without a pass before
        mirror = position.mirror()
        assert mirror.turn != position.turn and mirror.mirror() == position
        if position.result() is None:
            assert len(mirror.legal_moves) == len(position.legal_moves)
            if position.ply % 4 == 0:
                assert leaves(mirror, 2) == leaves(position, 2)


@pytest.mark.usefixtures("seldom_compiled")
@pytest.mark.parametrize(
    "variant, reason",
    [
        *((name, "the rules differ") for name in ("horde", "racingkings", "twokings", "chigorin")),
        ("cambodian", "castling: 'D'"),
    ],
)
def test_position_without_a_mirror_image_says_so(variant, reason):
    position = Position(variant)
    with pytest.raises(ValueError, match=f"no mirror image.*{reason}"):
        position.mirror()


def test_mirror_of_chess_is_that_of_python_chess():
    for position in some("chess"):
        assert position.mirror().fen().split()[:3] == board_of(position).mirror().fen().split()[:3]


@every_game
def test_positions_are_equal_by_game_and_fen(variant):
    for position in some(variant, 12):
        again = Position(variant, position.fen())
        assert again == position and hash(again) == hash(position)
        moved = position.copy()
        moved.push(position.legal_moves[0])
        assert moved != position


def test_positions_of_two_games_are_not_equal():
    assert Position("chess") != Position("knightmate")
    assert Position("chess") != Position("chess").fen()


@every_game
def test_position_survives_pickle_and_copies(variant):
    position = list(some(variant, 12))[-1]
    for again in (pickle.loads(pickle.dumps(position)), copy.deepcopy(position), copy.copy(position)):
        assert again == position and again.move_stack == position.move_stack
        assert again.start_fen == position.start_fen and again.result() == position.result()
        again.push(again.legal_moves[0])
        assert again.ply == position.ply + 1


class Named(Position):
    """A position with a name, as a user may derive it."""

    def __init__(self, name):
        super().__init__("chess", "8/8/8/8/8/8/k7/4K2R w KQ - 0 1")
        self.name = name


def test_derived_position_survives_pickle_and_copies():
    position = Named("a draw")
    position.push("e1g1" if "e1g1" in position.legal_moves else "h1h2")
    for again in (pickle.loads(pickle.dumps(position)), copy.deepcopy(position), position.copy()):
        assert type(again) is Named and again.name == "a draw" and again == position
        assert again.notes == position.notes != () and again.move_stack == position.move_stack


def test_illegal_move_survives_pickle_and_copies():
    with pytest.raises(surajang.IllegalMoveError) as caught:
        Position("chess").push("e2e5")
    for again in (pickle.loads(pickle.dumps(caught.value)), copy.copy(caught.value)):
        assert type(again) is surajang.IllegalMoveError and str(again) == str(caught.value)
        assert (again.text, again.reason) == ("e2e5", "the Pawn on e2 cannot go to e5")


# Threads


def test_moves_are_listed_in_a_record_that_no_other_thread_fills(monkeypatch):
    position, records = Position("chess"), []
    assert position.legal_codes()
    position.push("e2e4")
    list_moves = position.compiled.list_moves

    def listing(record, *arguments):
        records.append(record)
        if len(records) == 1:
            assert len(position.legal_codes()) == 20  # in another thread
        return list_moves(record, *arguments)

    monkeypatch.setitem(vars(position.compiled), "list_moves", listing)
    assert len(position.legal_codes()) == 20
    assert len(records) == 2 and records[0] is not records[1]


def test_threads_list_the_moves_of_one_position_at_once():
    """The moves are listed again after one step of listing them, as another thread does: after each step."""
    first, steps = Position("chess"), 0

    def step(frame, event, _):
        nonlocal left
        frame.f_trace_opcodes = frame.f_code.co_name == "legal_codes"
        left -= event == "opcode"
        if not left:
            sys.settrace(None)
            assert len(set(position.legal_codes())) == 20
        return step

    while True:
        steps += 1
        position, left = first.copy(), steps
        sys.settrace(step)
        try:
            found = set(position.legal_codes())
        finally:
            sys.settrace(None)
        assert len(found) == 20
        if left > 0:  # there are no more steps
            break
    assert steps > 20


# Counting


@pytest.mark.quick
def test_perft_counts_and_divides():
    position = Position("chess")
    assert [position.perft(depth) for depth in range(4)] == [1, 20, 400, 8902]
    divided = position.perft(3, divide=True)
    assert sum(divided.values()) == 8902 and divided[Move.parse("e2e4")] == 600
    with pytest.raises(ValueError, match="depth -1 should be from 0 to 16"):
        position.perft(-1)
    for depth in (2.5, "2", None, True):
        with pytest.raises(TypeError, match=f"^depth {depth!r} should be a whole number$"):
            position.perft(depth)
        with pytest.raises(TypeError, match=f"^count {depth!r} should be a whole number$"):
            position.is_repetition(depth)


# Games as texts


CORNERED = 'extends = "chess"\nname = "cornered"\ntitle = "Cornered"\nstart = "k7/8/8/8/8/8/8/7K w - - 0 1"\n'


def test_game_is_made_from_the_text_of_a_file():
    position = Position.from_toml(CORNERED)
    assert position.description.title == "Cornered" and len(position.legal_moves) == 3
    position.push(position.legal_moves[0])
    again = pickle.loads(pickle.dumps(position))
    assert again == position and again.move_stack == position.move_stack
    assert Position(position.variant) == position.root()


def test_text_that_is_not_a_game_is_refused():
    with pytest.raises(surajang.VariantError, match=r"extends: 'ches' is not a known game"):
        Position.from_toml('extends = "ches"\nname = "x"\ntitle = "X"\n')
    with pytest.raises(TypeError, match=r"^5 is not the text of a game$"):
        Position.from_toml(5)
    with pytest.raises(TypeError, match=r"^5\.0 is not a FEN, which is a text, nor the number"):
        Position("chess", 5.0)


# python-chess


@quick_game
def test_boards_of_python_chess_come_and_go(variant):
    position = list(some(variant, 30))[-1]
    board = position.to_chess()
    assert board.uci_variant == variant and [move.uci() for move in board.move_stack] == list(
        map(str, position.move_stack)
    )
    again = Position.from_chess(board)
    assert again == position and again.move_stack == position.move_stack


@pytest.mark.parametrize("fen", [None, "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"])
def test_giveaway_is_that_of_python_chess(fen):
    dice = random.Random(7)
    for _ in range(20):
        position = Position("giveaway", fen)
        while (moves := sorted(map(str, position.legal_moves))) and len(position.move_stack) < 80:
            position.push(dice.choice(moves))
        board = position.to_chess()
        assert Position.from_chess(board) == position and board.fen() == position.fen()
        while board.move_stack:
            assert {move.uci() for move in board.legal_moves} == set(map(str, position.legal_moves))
            if not position.legal_moves:
                assert board.result() == position.result().score
            board.pop()
            position.pop()


def test_boards_of_games_that_one_side_lacks_are_refused():
    with pytest.raises(ValueError, match="'janggi' is not a game of python-chess"):
        Position("janggi").to_chess()

    class Unknown(chess.Board):
        uci_variant = "unknown"

    with pytest.raises(ValueError, match="'unknown' is not a game here"):
        Position.from_chess(Unknown())
    with pytest.raises(TypeError, match="'board' is not a board of python-chess"):
        Position.from_chess("board")
