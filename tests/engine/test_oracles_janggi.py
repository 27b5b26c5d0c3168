"""The engine's Janggi against Fairy-Stockfish. Fairy-Stockfish allows only replies to bikjang while the kings
face each other, which is another rule, so these positions are left out."""

import random
from collections import Counter

import pyffish
import pytest
import surajang
from surajang.tests.support.games import texts

pytestmark = pytest.mark.compiled

FAIRY = "janggitraditional"
FILES = 9
# The start, and open fights around the palaces.
STARTS = [
    None,
    "3a1a3/4k4/1c2n2c1/9/2p3p2/9/2P3P2/1C2N2C1/4K4/3A1A3 w - - 0 1",
    "r3k3r/9/3P1P3/2n1e4/4c4/4C4/2N1E4/3p1p3/9/R3K3R w - - 0 1",
]

# The games must go where the rules are.
KINDS = ("pass", "capture", "palace diagonal", "check", "quiet")
LEAST_OF_A_KIND = 20


def fairy_fen(fen):
    """The same position with the elephant's letter as Fairy-Stockfish writes it."""
    return fen.translate(str.maketrans("Ee", "Bb"))


def kings_face(position):
    """Whether the kings are on one file with nothing in between."""
    low, high = sorted(square for square in range(90) if position.letter_at(square) in ("K", "k"))
    between = range(low + FILES, high, FILES)
    return low % FILES == high % FILES and all(position.letter_at(square) is None for square in between)


def kind_of(position, move):
    """The kind of a move, so that rare kinds can be preferred."""
    if move.is_pass:
        return "pass"
    if position.letter_at(move.to_square) is not None:
        return "capture"
    files = abs(move.to_square % FILES - move.from_square % FILES)
    if files and files == abs(move.to_square // FILES - move.from_square // FILES):
        return "palace diagonal"
    return "quiet"


def random_move(generator, position):
    """A move whose kind is drawn before it, quiet ones most often."""
    kinds = {}
    for move in sorted(position.legal_moves(), key=str):
        kinds.setdefault(kind_of(position, move), []).append(move)
    chances = {"pass": 1, "capture": 2, "palace diagonal": 2, "quiet": 5}
    kind = generator.choices(list(kinds), [chances[kind] for kind in kinds])[0]
    return kind, generator.choice(kinds[kind])


def test_engine_and_fairy_stockfish_agree_in_random_games():
    generator = random.Random(1)
    compared, met = 0, Counter()
    while compared < 800:
        position = surajang.Position("janggi", generator.choice(STARTS))
        while position.ply < 120 and position.result() is None:
            fen = fairy_fen(position.fen())
            kind, move = random_move(generator, position)
            comparable = not kings_face(position)
            if comparable:
                assert texts(position) == sorted(pyffish.legal_moves(FAIRY, fen, [])), position.fen()
                assert position.is_check() == pyffish.gives_check(FAIRY, fen, []), position.fen()
                compared += 1
                met["check"] += position.is_check()
                met[kind] += 1
            position.push(move)
            if comparable:
                theirs = pyffish.get_fen(FAIRY, fen, [str(move)])
                assert fairy_fen(position.fen()).split()[:2] == theirs.split()[:2], (fen, move)
        if not position.legal_moves() and position.result().reason.endswith("mates"):
            assert pyffish.legal_moves(FAIRY, fairy_fen(position.fen()), []) == []
            met["mate"] += 1
    assert all(met[kind] >= LEAST_OF_A_KIND for kind in KINDS), met
    assert met["mate"] >= 2, met
