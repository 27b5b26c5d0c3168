"""Games of Fairy-Stockfish with rare rules: moves and ends in positions that random games seldom meet.
Positions are interpreted, so that nothing has to be compiled."""

import pyffish
import pytest
from surajang import Position
from surajang.engine.fairy_ini.importing import import_text
from surajang.protocol.uci.notation import UciNotation
from surajang.tests.support.interpreting import interpreted_points

pytestmark = pytest.mark.compiled

POSITIONS = {
    "nocheckatomic": [
        "rnbqkbnr/pppp1ppp/8/4p2Q/8/4P3/PPPP1PPP/RNB1KBNR w KQkq - 0 1",
        "8/8/8/3kp3/3NK3/8/8/8 w - - 0 1",  # a capture that explodes both kings
        "r3k2r/8/8/8/4q3/8/8/R3K2R w KQkq - 0 1",  # castling out of an attack
        "4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1",
    ],
    "atomar": [
        "8/8/8/3k4/3K4/8/3p4/8 w - - 0 1",  # kings do not capture kings
        "8/8/8/3pp3/3K4/8/8/7k w - - 0 1",  # a king survives its own capture
    ],
    "jesonmor": [
        "nnnnnnnnn/9/9/9/4N4/5n3/9/9/NNNNNNNN1 b - - 0 1",
        "nnnnnnnnn/9/9/9/4N4/9/9/9/NNNNNNNN1 b - - 0 1",
        "nnnnnnnnn/9/9/9/4N4/9/9/9/NNNNNNNN1 w - - 0 1",
    ],
    "dobutsu": [
        "g1e/1Lc/1C1/E1l[Gc] w - - 0 1",
        "1Le/3/1C1/Ell[G] b - - 0 1",
        "3/1L1/3/1l1[] w - - 0 1",
    ],
    "koedem": [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Kp] w KQkq - 0 1",  # the king in hand comes first
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Pk] b KQkq - 0 1",
        "rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[K] w KQ - 0 1",  # Black has no king, White two
    ],
    "pawnback": ["4k3/8/3P4/8/8/8/2P5/4K3 w - - 0 1", "4k3/3p4/8/2pP4/8/8/8/4K3 w - c6 0 1"],
    "wolf": [
        "qwfrbbnk/pssppssp/1pp2pp1/8/8/P7/1P6/1PP2PP1/PSSPPSSP/KNBBRFWQ w - - 0 1",
        "7k/8/8/8/8/3p4/8/1P1P4/2S5/7K w - - 0 1",  # a step of two may be blocked
        "7k/8/8/8/8/8/1p1p4/8/2S5/7K w - - 0 1",  # and be taken in passing
    ],
    "legan": ["k7/2P5/P7/8/1P6/6p1/7p/6K1 w - - 0 1", "k7/2P5/P7/8/1P6/6p1/5p1p/1K6 b - - 0 1"],
    "janggitraditional": [
        "4k4/9/9/9/9/9/9/9/4K4/R8 w - - 0 1",  # kings face each other: end it or pass
        "4k4/9/9/9/9/9/9/4r4/4K4/R8 w - - 0 1",
        "4k4/9/4p4/9/9/9/9/9/4K4/R8 b - - 0 1",
    ],
    "spartan": [
        "lgkcckwl/hhhhhhhh/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1",
        "4k2k/8/8/8/8/8/8/R3K2R b KQ - 0 1",  # one king may be attacked
        "4k3/8/8/8/8/8/8/R3K2R b KQ - 0 1",
        "k6k/8/8/8/3B4/8/8/R3K3 b Q - 0 1",  # not both
        "1k2r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1",  # no castling out of check
        "1k1r2k1/8/8/8/8/8/8/R3K2R w KQ - 0 1",  # nor through it
        "k7/8/8/8/8/8/3h4/7K b - - 0 1",  # a second king by promotion
    ],
    "shoshogi": [
        "4k4/9/9/9/4R4/9/9/9/4K4 b - - 0 1",
        "4k4/4R4/9/9/9/9/4e4/9/8K b - - 0 1",  # the promotion does not end the check
        "4k4/4R4/9/9/9/9/4+e4/9/8K b - - 0 1",
    ],
}
SECTIONS = {  # sections of a file, and positions
    "[odd-steps:chess]\ndoubleStepRegionWhite = a2 b2\ndoubleStepRegionBlack = a7 b7\n": [
        "4k3/ppp5/8/8/8/8/PPP5/4K3 w - - 0 1",
        "4k3/1p6/8/2P5/8/8/8/4K3 b - - 0 1",
    ],
    "[odd-leaps:chess]\ncustomPiece1 = p:fmWfcFifmD\n": [
        "4k3/8/8/8/8/p7/PPP5/4K3 w - - 0 1",
        "4k3/1p6/8/P7/8/8/8/4K3 b - - 0 1",
    ],
}
ENDS = {
    "nocheckatomic": [
        ("8/8/8/3kp3/3NK3/8/8/8 w - - 0 1", "e4e5"),
        ("4k3/3p4/8/8/8/3Q4/8/4K3 w - - 0 1", "d3d7"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e2"),
    ],
    "atomar": [("8/8/8/3pp3/3K4/8/8/7k w - - 0 1", "d4d5"), ("8/8/8/3pk3/3K4/8/8/8 w - - 0 1", "d4d5")],
    "jesonmor": [
        ("nnnnnnnnn/9/9/9/4N4/9/9/9/NNNNNNNN1 b - - 0 1", "a9b7"),
        ("nnnnnnnnn/9/9/9/9/5N3/9/9/NNNNNNNN1 w - - 0 1", "a1b3"),
    ],
    "dobutsu": [
        ("3/1L1/1l1/3[] w - - 0 1", "b3b4"),
        ("2e/1L1/1l1/3[] w - - 0 1", "b3a4"),
        ("g2/1L1/1l1/3[] w - - 0 1", "b3b4"),
        ("1L1/e2/2l/3[] b - - 0 1", "c2c1"),
    ],
    "koedem": [
        ("4k3/p7/8/8/8/8/8/4R1K1[] w - - 0 1", "e1e8"),
        ("4k3/p7/8/8/8/8/8/4R1KK[] w - - 0 1", "e1e8"),
    ],
}


@pytest.fixture
def game(monkeypatch, tmp_path):
    """Makes positions, by name and FEN, of imported games."""
    monkeypatch.setattr("surajang.engine.position.entry_points_of", interpreted_points())

    def position(name, fen, section=""):
        (found,) = import_text(section or f"[my{name}:{name}]\n", "mine.ini").values()
        path = tmp_path / f"{found.name}.toml"
        path.write_text(found.toml, encoding="utf-8")
        return Position(str(path), fen)

    return position


def moves_of(position):
    notation = UciNotation(position.description)
    return {notation.write_move(move) for move in position.legal_moves}


@pytest.mark.parametrize("name", POSITIONS)
def test_legal_moves_are_fairy_stockfishs(game, name):
    for fen in POSITIONS[name]:
        position = game(name, fen)
        if position.result() is not None:
            continue
        assert moves_of(position) == set(pyffish.legal_moves(name, fen, [])), fen
        for move in list(position.legal_moves):
            position.push(move)
            if position.result() is None:
                text = UciNotation(position.description).write_move(move)
                assert moves_of(position) == set(pyffish.legal_moves(name, fen, [text])), (fen, text)
            position.pop()


@pytest.mark.parametrize("section", SECTIONS)
def test_first_moves_of_a_file_are_fairy_stockfishs(game, section):
    pyffish.load_variant_config(section)
    name = section[1 : section.index(":")]
    for fen in SECTIONS[section]:
        position = game(name, fen, section)
        assert moves_of(position) == set(pyffish.legal_moves(name, fen, [])), fen
        for move in list(position.legal_moves):
            position.push(move)
            assert moves_of(position) == set(pyffish.legal_moves(name, fen, [str(move)])), (fen, move)
            position.pop()


@pytest.mark.parametrize("name", ENDS)
def test_game_ends_as_in_fairy_stockfish(game, name):
    for fen, move in ENDS[name]:
        position = game(name, fen)
        position.push(move)
        over, value = pyffish.is_immediate_game_end(name, fen, [move])
        result = position.result()
        assert (result is not None) == over, (fen, move, result)
        if over:
            winner = 0 if value == 0 else (1 if value > 0 else -1) * (1 if position.turn == 0 else -1)
            assert result.score == {0: "1/2-1/2", 1: "1-0", -1: "0-1"}[winner], (fen, move)
