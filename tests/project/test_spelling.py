"""Other spellings of moves: both protocols read the same ones, each as the right move."""

import random
import re

import chess
import pytest
from surajang import Position
from surajang.engine.variant import Variant
from surajang.protocol.cecp.notation import Notation
from surajang.protocol.cecp.protocol import Cecp
from surajang.protocol.session.loading import Loaded
from surajang.protocol.uci.notation import UciNotation
from surajang.protocol.uci.protocol import Uci
from surajang.protocol.wire.stdio import InputLine
from surajang.tests.support.engines import Indifferent

pytestmark = pytest.mark.compiled

NOTATIONS = (UciNotation, Notation)
STEP = re.compile(r"([a-p]\d+)([a-p]\d+)([a-z+=-]?)")
GAMES = (
    *("chess", "crazyhouse", "capablanca", "minishogi", "shogi", "makruk", "xiangqi", "janggi", "grand"),
    *("pandemonium", "pandemonium-vchess", "chaotic", "placement", "shako"),
)


def walk(variant, seed, plies=60):
    """Positions of a random game."""
    chance, position = random.Random(seed), Position(variant)
    for _ in range(plies):
        moves = position.legal_moves()
        if not moves or position.result():
            return
        yield position
        position.push(chance.choice(moves))


def others(text):
    """Other spellings of a move that are unambiguous."""
    if "@" in text:
        piece, square = text.split("@")
        yield from (f"{piece.lower()}@{square}", f"{piece}*{square}", f"{piece}@{square.upper()}")
        yield from (f"{piece}@{square}+", f"{piece}@{square}#", f"{piece.lower()}*{square}!?")
        return
    origin, target, form = STEP.fullmatch(text).groups()
    yield from (f"{origin}-{target}{form}", f"{origin}x{target}{form}", f"{text.upper()}")
    yield from (f"{text}#", f"{text}!", f"{text}??")
    if form.isalpha():
        yield from (
            f"{origin}{target}={form}",
            f"{origin}{target}={form.upper()}",
            f"{origin}{target}/{form}",
        )
        yield from (f"{origin}x{target}={form.upper()}+", f"{origin}{target}({form.upper()})", text + "+")


@pytest.mark.parametrize("variant", GAMES)
@pytest.mark.parametrize("kind", NOTATIONS)
def test_every_spelling_is_read_as_the_move_that_it_names(kind, variant):
    for position in walk(variant, seed=1):
        notation = kind(position.description)
        for move in position.legal_moves():
            text = notation.write_move(move)
            assert position.parse_move(notation.read_move(text, position)) == move
            if move.is_pass or move.is_choice:
                continue
            for other in others(text):
                assert position.parse_move(notation.read_move(other, position)) == move, other


@pytest.mark.parametrize("kind", NOTATIONS)
def test_check_may_be_marked(kind):
    position = Position("chess", "4k3/8/8/8/8/8/8/4KQ2 w - - 0 1")
    notation = kind(position.description)
    for text in ("f1e2+", "f1e2", "f1-e2++", "f1f7+"):
        assert notation.read_move(text, position) in map(str, position.legal_moves())


CASTLING = {  # FEN -> move -> spellings
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1": {
        "e1g1": ("O-O", "0-0", "o-o", "OO", "O-O+", "0-0#", "e1h1", "e1-h1", "E1H1"),
        "e1c1": ("O-O-O", "0-0-0", "o-o-o", "O-O-O+", "e1a1"),
    },
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1": {"e8g8": ("O-O", "0-0", "e8h8"), "e8c8": ("O-O-O", "e8a8")},
}


@pytest.mark.parametrize("fen", CASTLING)
@pytest.mark.parametrize("kind", NOTATIONS)
def test_castling_is_read_in_every_spelling(kind, fen):
    position, board = Position("chess", fen), chess.Board(fen)
    notation = kind(position.description)
    for move, spellings in CASTLING[fen].items():
        assert board.is_castling(chess.Move.from_uci(move))
        for text in spellings:
            assert notation.is_move(text) if kind is Notation else True
            assert notation.read_move(text, position) == move, text


@pytest.mark.parametrize("kind", NOTATIONS)
def test_castling_by_the_square_of_the_rook_is_that_of_python_chess(kind):
    """python-chess writes it so in Chess960, whose positions may be those of chess."""
    board = chess.Board(
        "r3k2r/pppq1ppp/2np1n2/2b1p3/2B1P1b1/2NP1N2/PPPQ1PPP/R3K2R w KQkq - 0 1", chess960=True
    )
    position = Position("chess", board.fen())
    notation = kind(position.description)
    assert {notation.read_move(move.uci(), position) for move in board.legal_moves} == {
        str(move) for move in position.legal_moves()
    }


@pytest.mark.parametrize("kind", NOTATIONS)
def test_step_onto_a_piece_of_the_own_side_is_no_castling_without_the_right(kind):
    position = Position("chess", "r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1")
    notation = kind(position.description)
    assert notation.read_move("e1h1", position) == "e1h1"
    assert notation.read_move("e1f1", position) == "e1f1"
    assert notation.read_move("O-O", position) == "O-O"


@pytest.mark.parametrize("text", ["0000", "@@@@", "pass", "PASS", "null", "--", "Z0"])
@pytest.mark.parametrize("kind", NOTATIONS)
def test_pass_is_read_in_every_spelling(kind, text):
    position = Position("janggi", "4k4/9/9/9/9/9/9/9/4K4/9 w - - 0 1")
    assert position.parse_move(kind(position.description).read_move(text, position)).is_pass


@pytest.mark.parametrize("kind", NOTATIONS)
def test_pass_may_be_the_kings_step_onto_its_own_square(kind):
    position = Position("janggi", "4k4/9/9/9/9/9/9/9/4K4/9 w - - 0 1")
    square = "e1" if kind is Notation else "e2"
    assert position.parse_move(kind(position.description).read_move(square * 2, position)).is_pass


@pytest.mark.parametrize("text", ["+P@d5", "+p@d5", "+P*d5", "G@d5"])
def test_promoted_form_is_dropped_by_the_name_of_its_base(text):
    """As Fairy-Stockfish writes it in games where pieces in hand stay promoted."""
    position = Position("minishogi")
    forms = UciNotation(position.description), Notation(position.description)
    read = {notation.read_move(text) for notation in forms}
    assert len(read) == 1
    assert read == ({"T@d5"} if text[0] == "+" else {"G@d5"})


@pytest.mark.parametrize(
    "text", ["", "e2", "x", "e2e4e6", "P@", "@e4", "O-O-O-O", "e2--e4", "+e2e4", "quit", "=", "♔"]
)
@pytest.mark.parametrize("kind", NOTATIONS)
def test_text_that_is_not_a_move_is_unchanged(kind, text):
    position = Position("chess")
    notation = kind(position.description)
    assert notation.read_move(text, position) == text
    assert kind is UciNotation or not notation.is_move(text)


@pytest.mark.parametrize("line", ["usermove {}", "{}"])
@pytest.mark.parametrize("text", ["e7e8q", "e7e8=q", "e7e8=Q", "e7-e8Q", "E7E8Q", "e7e8+"])
def test_xboards_engine_and_that_of_uci_make_the_same_move(line, text):
    """`e7e8+` is the first form that the game's file names."""
    fen, after = "k7/4P3/8/8/8/8/8/4K3 w - - 0 1", "k3Q3/8/8/8/8/8/8/4K3 b - - 0 1"
    for dialect, lines in (
        (Cecp, ("new", "force", f"setboard {fen}", line.format(text))),
        (Uci, (f"position fen {fen} moves {text}",)),
    ):
        written = []
        talk = dialect(written.append, lambda event: None)
        talk.handle(Loaded(Variant("chess"), Indifferent(), Position("chess")))
        for each in lines:
            talk.handle(InputLine(each))
        assert talk._session.position.fen() == after and written == []
