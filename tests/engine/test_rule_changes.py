"""The rule changes of chess of "Assessing Game Balance with AlphaZero" that no other program plays: castling
after some moves, and capture of own pieces, against slow models made of python-chess."""

import random

import chess
import pytest
from surajang import Engine, IllegalMoveError, Limit, Position
from surajang.engine.definition import catalogue
from surajang.engine.game.description import VariantError
from surajang.engine.movegen.perft import perft
from surajang.engine.rulebook.rules import sections
from surajang.tests.support.games import texts
from surajang.tests.support.referee_rule_changes import DelayedCastlingBoard, SelfCaptureBoard

pytestmark = [pytest.mark.compiled, pytest.mark.usefixtures("interpreted_positions")]

CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 {move}"
# With pins, checks, promotions onto own pieces, castling, en passant, kings beside own rooks
SELF_CAPTURES = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4r1k1/8/8/8/4R3/4N3/8/4K2R w K - 0 1",
    "4r1k1/4r3/8/8/8/4N3/4R3/R2RK3 w - - 0 1",
    "1N4R1/P4P1P/8/2k5/8/8/8/R3K2R w KQ - 0 1",
    "4k3/8/8/8/7b/6P1/3P1P2/3RKR2 w - - 0 1",
    "4k3/8/8/3pP3/8/8/8/R3K2R w KQ d6 0 1",
    "rk6/pp6/8/8/8/8/8/K6R b - - 0 1",
    "k7/8/8/8/8/5q2/8/5RKR w - - 0 1",
]


def assert_same(position, referee):
    """Asserts the same legal moves, by text, and returns the referee's replies."""
    replies = referee.replies()
    assert texts(position) == sorted(replies), referee.fen()
    return replies


@pytest.mark.parametrize("fen", SELF_CAPTURES)
def test_own_pieces_are_captured_as_in_the_slow_model(fen):
    position = Position("selfcapture", fen)
    for text, child in assert_same(position, SelfCaptureBoard(fen)).items():
        position.push(text)
        assert position.fen() == child.fen()
        assert position.is_check() == child.board.is_check()
        assert Position("selfcapture", child.fen()).key == position.key
        assert perft(position, 1) == len(child.replies())
        position.pop()


def test_self_capture_has_the_leaves_of_the_slow_model():
    assert [perft(Position("selfcapture"), depth) for depth in (1, 2, 3)] == [39, 1_519, 63_034]
    assert SelfCaptureBoard().perft(2) == 1_519


def test_random_games_with_self_capture_are_those_of_the_slow_model():
    chance, taken = random.Random(5), 0
    for _ in range(4):
        position, referee = Position("selfcapture"), SelfCaptureBoard()
        while position.result() is None and position.ply < 60:
            replies = assert_same(position, referee)
            own = [text for text in sorted(replies) if referee.takes_own(chess.Move.from_uci(text))]
            moves = own if own and chance.random() < 0.2 else sorted(replies)
            text = chance.choice(moves)
            taken += text in own
            position.push(text)
            referee = replies[text]
            assert position.fen() == referee.fen()
    assert taken > 20


def test_king_is_no_own_piece_to_capture():
    assert "d1e1" not in texts(Position("selfcapture"))


def test_capture_of_an_own_piece_is_written_and_read_as_a_capture():
    position = Position("selfcapture")
    assert position.san("b1d2") == "Nxd2"
    assert position.parse_san("Qxe2").text == "d1e2"
    assert position.parse_san("Kxf2").text == "e1f2"
    assert not position.is_capture("b1d2"), "that means a piece of the other side"


def test_captured_rook_takes_its_castling_right_with_it():
    position = Position("selfcapture", "4k3/8/8/8/8/7R/8/R3K2R w KQ - 5 9")
    position.push("h3h1")
    assert position.fen() == "4k3/8/8/8/8/8/8/R3K2R b Q - 0 9"


def test_search_gives_no_own_piece_away(interpreted_search):
    """Every own capture loses material, so the search finds the quiet move that keeps everything."""
    with Engine("selfcapture", hash_mb=1) as engine:
        for fen in SELF_CAPTURES[:3]:
            position = Position("selfcapture", fen)
            found = engine.play(position, Limit(depth=2))
            target = position.piece_at(found.move.to_square)
            assert target is None or target.colour != position.turn or found.move.is_castling


def test_search_captures_an_own_piece_where_it_mates(interpreted_search):
    position = Position("selfcapture", "4N2k/8/6K1/8/8/8/8/4R3 w - - 0 1")
    with Engine("selfcapture", hash_mb=1) as engine:
        found = engine.play(position, Limit(depth=4))
    assert found.move.text == "e1e8"
    position.push(found.move)
    assert position.is_checkmate()


def test_king_escapes_from_mate_by_a_capture_of_its_own_pawn():
    position = Position("selfcapture", "6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1")
    position.push("e1e8")
    assert texts(position) == ["g8f7", "g8g7", "g8h7"]


# Castling after ten moves


@pytest.mark.parametrize("move", [1, 10, 11, 40])
def test_nobody_castles_in_the_first_ten_moves(move):
    for fen in (CASTLING.format(move=move), CASTLING.format(move=move).replace(" w ", " b ")):
        position, board = Position("nocastle10", fen), DelayedCastlingBoard(fen)
        theirs = sorted(each.uci() for each in board.legal_moves)
        assert texts(position) == theirs
        assert any(each.is_castling for each in position.legal_moves) == (move > 10)


def test_right_to_castle_is_kept_while_nobody_may_castle():
    position = Position("nocastle10", CASTLING.format(move=9))
    for text in ("a1b1", "a8b8"):
        position.push(text)
    assert position.fen() == "1r2k2r/8/8/8/8/8/8/1R2K2R w Kk - 2 10"
    with pytest.raises(IllegalMoveError, match="castling is not allowed in the first 10 moves"):
        position.push("e1g1")
    for text in ("h1h2", "h8h7", "h2h1", "h7h8"):
        position.push(text)
    assert not any(move.is_castling for move in position.legal_moves), "both rooks have moved"


def test_random_games_without_early_castling_are_those_of_python_chess():
    chance, castled = random.Random(7), []
    for _ in range(12):
        position, board = Position("nocastle10"), DelayedCastlingBoard()
        while position.result() is None and position.ply < 80:
            assert texts(position) == sorted(move.uci() for move in board.legal_moves)
            moves = sorted(board.legal_moves, key=str)
            castling = [move for move in moves if board.is_castling(move)]
            quiet = [m for m in moves if board.piece_type_at(m.from_square) not in (chess.KING, chess.ROOK)]
            move = chance.choice(castling or quiet or moves)
            castled += [board.fullmove_number] if castling else []
            board.push(move)
            position.push(move.uci())
            assert position.fen() == board.fen()
    assert castled and min(castled) == 11


def test_search_does_not_castle_too_early(interpreted_search):
    with Engine("nocastle10", hash_mb=1) as engine:
        for move in (10, 11):
            position = Position("nocastle10", f"4k3/8/8/8/8/8/8/4K2R w K - 0 {move}")
            lines = engine.analyse(position, Limit(depth=2), multipv=99)
            played = {line.pv[0].text for line in lines}
            assert ("e1g1" in played) == (move == 11)


# In words and in files


def test_rules_are_told_in_sentences():
    said = {name: sections(catalogue.load(name)) for name in ("nocastle10", "selfcapture")}
    assert "Neither side may castle in its first 10 moves." in said["nocastle10"]["Moves"]
    assert said["selfcapture"]["Special rules"] == ["A side may capture its own pieces, except the King."]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("self_capture = 1\n", "self_capture: 1 should be true or false"),
        ("self_capture = true\nmust_capture = true\n", "self_capture: cannot be combined with must_capture"),
        (
            "self_capture = true\n[castling]\nfree = true\n",
            "self_capture: cannot be combined with castling.free",
        ),
        ("[castling]\nafter = 0\n", "castling.after: 0"),
    ],
)
def test_settings_that_make_no_game_are_refused(text, said):
    game = f'extends = "chess"\nname = "odd"\ntitle = "Odd"\n{text}'
    with pytest.raises(VariantError, match=said):
        catalogue.load(catalogue.keep_text(game))
