"""SAN in every game: compared with other programs, written and read back, and read in many spellings."""

import random
import re

import pytest
import surajang
from surajang import IllegalMoveError, MoveSyntaxError, Position
from surajang.tests.support.games import PLAYED_GAMES
from surajang.tests.support.san_referees import (
    BOARDS,
    FAIRY,
    comparable,
    fairy_texts,
    python_chess_san,
    random_games,
    random_positions,
)

pytestmark = pytest.mark.compiled

GAMES = PLAYED_GAMES
POSITIONS = 200  # of each game; 10,000 were compared by hand
MOVES = 600
WHICH = r"(?<=^[A-Z])([a-p]\d*|\d+)(?=x?[a-p]\d)"  # what says in SAN which piece moves


@pytest.mark.parametrize("variant", BOARDS)
def test_moves_are_written_as_python_chess_writes_them(variant):
    for position in random_positions(variant, POSITIONS, 1):
        assert {str(move): position.san(move) for move in position.legal_moves()} == python_chess_san(
            position
        )


def rivals(position, move):
    """The moves of other pieces of the kind to the same square."""
    return [
        other
        for other in position.legal_moves()
        if other.to_square == move.to_square
        and other.from_square not in (None, move.from_square)
        and position.letter_at(other.from_square) == position.letter_at(move.from_square)
    ]


@pytest.mark.parametrize("variant", FAIRY)
def test_moves_are_written_as_fairy_stockfish_writes_them(variant):
    """It says which piece promotes only if another one could promote on that square, too; PGN asks whether
    another one could move there."""
    for game in random_games(variant, MOVES, 2):
        for (position, move), theirs in zip(game, fairy_texts(game, "san"), strict=True):
            ours, wanted = (comparable(position, move, text) for text in (position.san(move), theirs))
            if ours != wanted:
                assert move.is_promotion and re.sub(WHICH, "", ours) == wanted
                others = rivals(position, move)
                assert others and not any(other.is_promotion for other in others)


@pytest.mark.parametrize("variant", GAMES)
def test_every_spelling_of_a_move_reads_back_as_the_move(variant):
    chance = random.Random(3)
    for position in random_positions(variant, 40, 3):
        moves = position.legal_moves()
        assert len({position.san(move) for move in moves}) == len(moves)
        for move in chance.sample(moves, min(8, len(moves))):
            for spelling in (position.san(move), position.lan(move), str(move)):
                assert position.parse_san(spelling) == move


CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
PAWNS = "4k3/P7/8/2Pp4/8/4n3/3P1P2/4K3 w - d6 0 1"
WRITTEN = {
    "castling to the side of the h-file": ("chess", CASTLING, "e1g1", "O-O"),
    "castling to the side of the a-file": ("chess", CASTLING, "e1c1", "O-O-O"),
    "a pawn": ("chess", PAWNS, "d2d4", "d4"),
    "a pawn that captures": ("chess", PAWNS, "d2e3", "dxe3"),
    "a capture in passing": ("chess", PAWNS, "c5d6", "cxd6"),
    "a promotion with check": ("chess", PAWNS, "a7a8q", "a8=Q+"),
    "a mate": ("chess", "k7/8/1K6/8/8/8/7Q/8 w - - 0 1", "h2h8", "Qh8#"),
    "a win on a square": ("kingofthehill", "7k/8/8/8/8/3K4/8/8 w - - 0 1", "d3d4", "Kd4#"),
    "a win by stalemate": ("minixiangqi", "R6/7/2k4/3N3/3N3/2PK3/7 w - - 3 30", "a7d7", "Rd7#"),
    "a draw by stalemate": ("chess", "k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "c1c7", "Qc7"),
    "a file that distinguishes": ("chess", "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2", "Nbd2"),
    "a rank that distinguishes": ("chess", "4k3/8/8/N7/8/8/4K3/N7 w - - 0 1", "a1b3", "N1b3"),
    "a square that distinguishes": ("chess", "8/2k5/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
    "no rival that is pinned": ("chess", "4k3/4r3/8/8/8/8/4N3/N3K3 w - - 0 1", "a1c2", "Nc2"),
    "a rank of two digits": ("pandemonium", "9k/N9/10/N9/10/10/10/10/10/5K4[] w - - 0 1", "a9c8", "N9c8"),
    "a drop": ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[NP] w - - 0 1", "N@c7", "N@c7+"),
    "a pawn's drop": ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[NP] w - - 0 1", "P@c6", "P@c6"),
    "a promoted piece that reverts": ("crazyhouse", "4k3/8/8/8/8/8/8/Q~3K3[] w - - 0 1", "a1a4", "Qa4+"),
    "a piece that promotes": ("shogi", "4k4/9/9/9/9/1B7/9/9/4K4[] w - - 0 1", "b4e7h", "Be7=H"),
    "a piece that does not promote": ("shogi", "4k4/9/9/9/9/1B7/9/9/4K4[] w - - 0 1", "b4e7", "Be7"),
    "a pawn of shogi": ("shogi", None, "c3c4", "Pc4"),
    "a soldier": ("xiangqi", None, "c4c5", "Pc5"),
    "a pass": ("janggi", None, "e2e2", "--"),
    "a setup choice": ("pandemonium-vchess", None, "b1c1,i1h1", "b1c1,i1h1"),
    "no swap in the setup": ("pandemonium-vchess", None, "e1e10", "e1e10"),
    "pawns of one file that meet": ("chaotic", "k7/8/3P4/8/8/3P4/8/K7 w - - 0 1", "d3d4", "d3d4"),
}


@pytest.mark.parametrize("case", WRITTEN)
def test_move_is_written(case):
    variant, fen, move, text = WRITTEN[case]
    position = Position(variant, fen)
    assert position.san(move) == text
    assert str(position.parse_san(text)) == move


PROMOTION = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
BISHOP = "4k4/9/9/9/9/1B7/9/9/4K4[R] w - - 0 1"
READ = {
    **{text: ("chess", CASTLING, "e1g1") for text in ("0-0", "OO", "o-o", "O-O+", "e1h1", "Kg1", "e1g1")},
    **{text: ("chess", CASTLING, "e1c1") for text in ("0-0-0", "O-O-O!", "e1a1", "Ke1-c1")},
    **{text: ("chess", PROMOTION, "a7a8q") for text in ("a8Q", "a8q", "a8(Q)", "a8/Q", "a7-a8=Q+", "a7a8q#")},
    **{
        text: ("chess", PAWNS, "c5d6")
        for text in ("cd6", "cxd6e.p.", "cxd6ep", "c5xd6", "c:d6", "c5-d6", "Pcxd6")
    },
    **{
        text: ("chess", None, "g1f3")
        for text in ("Nf3", "Ng1-f3", "Ngf3", "N1f3", "nf3", "♘f3", "♞f3", "g1-f3")
    },
    **{
        text: ("chess", None, "e2e4")
        for text in ("e4", "Pe4", "♙e4", "♟\ufe0ee4", "e2e4", "e4+", "e4!?", " e4 ")
    },
    **{
        text: ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", "P@c6")
        for text in ("@c6", "P@c6", "p@c6", "P*c6")
    },
    **{
        text: ("shogi", BISHOP, "b4e7h")
        for text in ("Be7+", "Be7=H", "Be7=+B", "b4e7+", "B4e7+", "Be7++", "Be7=G")
    },
    **{text: ("shogi", BISHOP, "b4e7") for text in ("Be7=", "Be7", "b4e7=")},
    **{text: ("shogi", BISHOP, "R@c3") for text in ("R*c3", "r@c3", "R@c3+")},
    **{text: ("shogi", "4k4/9/9/9/4H4/9/9/9/4K4[] w - - 0 1", "e5e6") for text in ("He6", "+Be6", "+Be6+")},
    **{text: ("xiangqi", None, "b1c3") for text in ("Hc3", "Nc3")},
    **{
        text: ("janggi", None, "e2e2")
        for text in ("--", "pass", "Pass", "null", "Z0", "0000", "@@@@", "e2e9", "Ke2")
    },
    **{text: ("pandemonium-vchess", None, "b1c1,i1h1") for text in ("i1h1,b1c1", "b1c1,i1h1!")},
    **{
        text: ("xxl", "7k6/14/14/14/14/14/14/P13/14/14/14/14/14/7K6 w - - 0 1", "a7a8q")
        for text in ("a8", "a8Q")
    },
}


@pytest.mark.parametrize("text", READ)
def test_spelling_is_read(text):
    variant, fen, move = READ[text]
    assert str(Position(variant, fen).parse_san(text)) == move


@pytest.mark.parametrize(
    ("king", "move"),
    [("h6", "b4f8"), ("f9", "b4f8h"), ("a9", "b4f8h")],  # both check, the promoted one does, none does
)
def test_plus_is_a_check_where_the_move_without_promotion_gives_one(king, move):
    rows = [" " * 9 for _ in range(9)]

    def put(name, piece):
        file, row = "abcdefghi".index(name[0]), 9 - int(name[1])
        rows[row] = rows[row][:file] + piece + rows[row][file + 1 :]

    for name, piece in ((king, "k"), ("b4", "B"), ("a1", "K")):
        put(name, piece)
    fen = "/".join(row.replace(" ", "1") for row in rows) + "[] w - - 0 1"
    assert str(Position("shogi", fen).parse_san("Bf8+")) == move


REFUSED = {
    "a piece that cannot go there": ("chess", None, "Ke3", "the King on e1 cannot go to e3"),
    "one of several pieces": ("chess", None, "Ne5", "no knight can go to e5"),
    "a piece that is not there": ("chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Qe5", "White has no queen"),
    "a piece on no such file": ("chess", None, "Nef3", "White has no knight on e"),
    "a piece of another game": ("chess", None, "Ze5", "the game has no piece 'Z'"),
    "a square off the board": ("chess", None, "e9", "no square 'e9'"),
    "a pawn that is no bishop": (
        "chess",
        "4k3/8/8/8/8/2p5/8/B3K3 w - - 0 1",
        "bxc3",
        "White has no pawn on b",
    ),
    "a move in check": ("chess", "4k3/8/8/8/8/8/4r3/4K1N1 w - - 0 1", "Nf3", "White is in check"),
    "two pieces": ("chess", "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nd2", "fits several moves: Nbd2, Nfd2"),
    "a promotion to nothing": ("chess", PROMOTION, "a8", "fits several moves: a8=Q, a8=R, a8=B, a8=N"),
    "a promotion that is not": ("chess", PROMOTION, "a8=K", "the promotion does not fit; possible: a8=Q"),
    "a capture without its file": ("chess", PAWNS, "e3", "no pawn can go to e3"),
    "a drop that is not in hand": ("crazyhouse", None, "N@e4", "White has no N in hand"),
    "castling": ("chess", None, "O-O", "White cannot castle now"),
    "a pass": ("chess", None, "--", "White cannot pass now"),
    "a game that is over": ("chess", "k6Q/8/1K6/8/8/8/8/8 b - - 0 1", "Kb8", "the game is over"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_illegal_move_is_refused_with_the_text_and_a_reason(case):
    variant, fen, text, reason = REFUSED[case]
    position = Position(variant, fen)
    with pytest.raises(IllegalMoveError) as caught:
        position.push_san(text)
    assert str(caught.value).startswith(f"{text!r}: ")
    assert reason in str(caught.value)
    assert position.ply == 0


@pytest.mark.parametrize("text", ["", "e", "hello", "e4e5e6", "1.e4", "Nf3 Nf6", "é4", None, 7])
def test_text_that_is_no_move_is_refused_with_examples(text):
    with pytest.raises(MoveSyntaxError, match="'Nf3', 'exd6'"):
        Position("chess").parse_san(text)


def test_moves_have_the_names_of_python_chess_for_coordinates():
    position = Position("crazyhouse")
    assert position.uci("e4") == str(position.parse_uci("e2e4")) == "e2e4"
    assert position.push_uci("e2e4") == position.pop() == "e2e4"
    with pytest.raises(IllegalMoveError, match="'e2e5'"):
        position.push_uci("e2e5")
    assert position.ply == 0


def test_push_san_plays_the_move_and_returns_it():
    position = surajang.Position("crazyhouse")
    assert [str(position.push_san(text)) for text in ("e4", "d5", "exd5", "Nf6")] == [
        *("e2e4", "d7d5", "e4d5", "g8f6")
    ]
    assert position.ply == 4


def test_variation_has_numbers_and_leaves_the_position_alone():
    position = Position("chess")
    assert position.variation_san(["e2e4", "e5", "g1f3"]) == "1. e4 e5 2. Nf3"
    position.push("e2e4")
    before = position.fen()
    assert position.variation_san([position.parse_san("c5"), "Nf3"]) == "1...c5 2. Nf3"
    assert position.fen() == before
    with pytest.raises(IllegalMoveError, match="'e2e4'"):
        position.variation_san(["c7c5", "e2e4"])


def test_long_algebraic_names_both_squares():
    position = Position("chess", PAWNS)
    assert [position.lan(move) for move in ("d2e3", "c5d6", "a7a8q", "d2d4")] == [
        *("d2xe3", "c5xd6", "a7-a8=Q+", "d2-d4")
    ]
    assert Position("chess").lan("g1f3") == "Ng1-f3"
    assert Position("crazyhouse", "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1").lan("N@c7") == "N@c7+"


def test_move_that_is_not_legal_is_not_written():
    with pytest.raises(IllegalMoveError, match="'e2e5'"):
        Position("chess").san("e2e5")
