"""The engine's Pandemonium against stored move lists, perft, the referee and Fairy-Stockfish."""

import random
import re
from collections import Counter

import pyffish
import pytest
import surajang
from surajang.engine.movegen.perft import perft
from surajang.tests.support.games import DATA, EngineGame, setup, stored_positions, texts
from surajang.tests.support.referee import BASE, OPPONENT, SQUARE_NAMES, Referee, in_check, read_fen

pytestmark = pytest.mark.compiled

VECTORS = stored_positions("pandemonium")
FAIRY = "pandemonium10"
FILES = "abcdefghij"

# Random games start from the start and from pawns that wait for each other, with castling open.
STARTS = [
    None,
    "r3k4r/p1p1p1p1p1/10/1P1P1P1P1P/10/10/p1p1p1p1p1/10/1P1P1P1P1P/R3K4R[QMCBNqmcbn] w KQkq - 0 1",
]
# Few men that can go back and forth.
ENDINGS = [
    setup("Kj1 ka10 Rd5 rf7"),
    setup("Kj1 ka10 Rd5 Bf3 rf7 bg8"),
    setup("Kb2 ki9 Sd5 se7 Pa2 pb5"),
]

# The games must go where the rules are.
KINDS = ("drop", "promotion", "castling", "capture", "en passant", "long step", "quiet")
LEAST_OF_A_KIND = 4


def kind_of(position, move):
    """The kind of a move, so that rare kinds can be preferred."""
    if move.is_drop:
        return "drop"
    if move.is_promotion:
        return "promotion"
    if move.is_castling:
        return "castling"
    if position.letter_at(move.to_square) is not None:
        return "capture"
    if position.letter_at(move.from_square) in "Pp":
        distance = abs(move.to_square - move.from_square)
        if distance % 10:
            return "en passant"
        if distance > 10:
            return "long step"
    return "quiet"


def random_game(generator, fen, longest=80):
    """Yields (position, legal moves, the next move) of one game; all kinds of moves have equal chances."""
    position = surajang.Position("pandemonium", fen)
    while position.ply < longest and position.result() is None:
        moves = position.legal_moves()
        kinds = {}
        for move in sorted(moves, key=str):
            kinds.setdefault(kind_of(position, move), []).append(move)
        move = generator.choice(kinds[generator.choice(sorted(kinds))])
        yield position, moves, move
        position.push(move)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["fen"])
def test_engine_knows_every_legal_move(vector):
    assert texts(surajang.Position("pandemonium", vector["fen"])) == vector["moves"]


@pytest.mark.parametrize(
    "vector", [v for v in VECTORS if v["perft2"] is not None], ids=lambda vector: vector["fen"]
)
def test_engine_counts_two_plies(vector):
    assert perft(surajang.Position("pandemonium", vector["fen"]), 2) == vector["perft2"]


@pytest.mark.parametrize("depth, count", [(1, 38), (2, 1_444), (3, 60_537), (4, 2_528_635), (5, 115_333_371)])
def test_engine_counts_from_the_start(depth, count):
    assert perft(surajang.Position("pandemonium"), depth) == count


def test_engine_and_referee_agree_in_random_games():
    generator = random.Random(1)
    met = Counter()
    while met.total() < 2000 and (met.total() < 300 or any(met[kind] < LEAST_OF_A_KIND for kind in KINDS)):
        fen = generator.choice(STARTS)
        referee = Referee(fen)
        for position, moves, move in random_game(generator, fen):
            assert position.fen() == referee.fen()
            assert sorted(map(str, moves)) == referee.legal_moves(), position.fen()
            assert position.is_check() == referee.is_check(), position.fen()
            assert position.key == position.fresh_key(), position.fen()
            assert position.repetition_key == position.fresh_repetition_key(), position.fen()
            referee.push(str(move))
            met[kind_of(position, move)] += 1
        result = position.result()
        assert (result and tuple(result)) == referee.result(), position.fen()
    assert all(met[kind] >= LEAST_OF_A_KIND for kind in KINDS), met


def random_men(generator):
    """A random position as a FEN: from two pieces to a full board, hands empty or full."""
    letters = generator.choice(["QRBNMCPDHSAWG", "PPPPR", "QMC", "DHS"])
    white = generator.random()
    squares = generator.sample(SQUARE_NAMES, 2 + generator.choice([2, 10, 30, 60, 90]))
    men = [f"K{squares[0]}", f"k{squares[1]}"]
    for square in squares[2:]:
        letter = generator.choice(letters)
        if letter != "P" or square[1:] not in ("1", "10"):
            men.append((letter if generator.random() < white else letter.lower()) + square)
    hands = "".join(letter * generator.choice([0, 0, 1, 99]) for letter in "QMCRBNPqmcrbnp")
    return setup(" ".join(men), hands, generator.choice("wb"))


def test_engine_and_referee_agree_on_composed_positions():
    generator = random.Random(4)
    refused = 0
    for _ in range(300):
        fen = random_men(generator)
        state = read_fen(fen)
        if in_check(state, OPPONENT[state.turn]):
            with pytest.raises(surajang.FenError):
                surajang.Position("pandemonium", fen)
            refused += 1
        else:
            assert texts(surajang.Position("pandemonium", fen)) == Referee(fen).legal_moves(), fen
    assert 100 <= refused <= 200


def moves_that_check(game):
    """The legal moves of `game` that give check."""
    checks = []
    for text in game.legal_moves():
        game.push(text)
        if game.is_check():
            checks.append(text)
        game.pop()
    return checks


def move_back(game):
    """The legal move that undoes the last one of the same side, in a list; an empty list if none."""
    squares = re.findall(r"[a-j]\d+", str(game.position.moves[-2])) if game.position.ply > 1 else []
    return [text for text in game.legal_moves() if squares and text == "".join(reversed(squares))]


def test_engine_and_referee_agree_on_how_games_end():
    """Pieces that move back and prefer checks reach draws and perpetual checks."""
    generator = random.Random(5)
    ends = Counter()
    for number in range(60):
        fen = ENDINGS[number % len(ENDINGS)]
        referee, game = Referee(fen), EngineGame(fen)
        while game.result() is None and game.position.ply < 60:
            chance = generator.random()
            favourites = move_back(game) if chance < 0.5 else moves_that_check(game) if chance < 0.85 else []
            text = generator.choice(favourites or game.legal_moves())
            game.push(text)
            referee.push(text)
            assert game.result() == referee.result(), (fen, game.position.moves)
        ends[game.result() and game.result()[1]] += 1
    assert ends["Draw by repetition"] >= 3, ends
    assert ends["White checks perpetually"] >= 3, ends
    assert ends["Black checks perpetually"] >= 3, ends


# Fairy-Stockfish marks a promoted piece by a plus sign. Two deliberate differences: it castles by the
# rights in the FEN, which the book does not know, so castling is left out on both sides; and it lists
# pawn drops that mate, which the book forbids, so they are taken from its list.


def fairy_fen(fen):
    board, hands, turn, _, *rest = re.fullmatch(r"(\S+)(\[\S*\]) (\S) (\S+) (.*)", fen).groups()
    for promoted, base in BASE.items():
        board = board.replace(promoted, f"+{base}")
        board = board.replace(promoted.lower(), f"+{base.lower()}")
    return " ".join([board + hands, turn, "-", *rest])


def fairy_move(move):
    return re.sub("[a-z]$", "+", str(move)) if move.is_promotion else str(move)


def checking_pawn_drops(position):
    """The texts of the (at most two) pawn drops that would attack the enemy king."""
    king = next(s for s in range(100) if position.letter_at(s) == ("k" if position.turn == 0 else "K"))
    behind = king // 10 + (0 if position.turn == 0 else 2)
    return {f"P@{FILES[file]}{behind}" for file in (king % 10 - 1, king % 10 + 1) if 0 <= file < 10}


def mates(fen, move):
    """Whether Fairy-Stockfish sees no reply to the check that `move` gives."""
    return pyffish.gives_check(FAIRY, fen, [move]) and not pyffish.legal_moves(FAIRY, fen, [move])


def test_engine_and_fairy_stockfish_agree_in_random_games():
    pyffish.load_variant_config((DATA / "pandemonium10.ini").read_text())
    generator = random.Random(2)
    met = Counter()
    while met.total() < 2000 and (met.total() < 350 or any(met[kind] < LEAST_OF_A_KIND for kind in KINDS)):
        for position, moves, move in random_game(generator, generator.choice(STARTS)):
            fen = fairy_fen(position.fen())
            theirs = set(pyffish.legal_moves(FAIRY, fen, []))
            for drop in theirs & checking_pawn_drops(position):
                if mates(fen, drop):
                    theirs.remove(drop)
            ours = {fairy_move(move) for move in moves if not move.is_castling}
            assert ours == theirs, position.fen()
            met[kind_of(position, move)] += 1
    assert all(met[kind] >= LEAST_OF_A_KIND for kind in KINDS), met
