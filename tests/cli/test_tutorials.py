"""The games of the tutorials: their files can be played, with the rules of the tutorials. Fairy-Stockfish is
the referee of those that its files can express. Bazaar has a slow model here, written from its page."""

import random
import re
from collections import Counter

import pyffish
import pytest
import surajang
from surajang import Position
from surajang.engine.definition.catalogue import parse
from surajang.engine.fairy_ini.exporting import export

pytestmark = pytest.mark.compiled

FOLDER = surajang.engine.definition.catalogue.FOLDER.parents[1] / "docs" / "own-game"
FILES = sorted(FOLDER.glob("*.toml"))
# Kinds of moves that random games must meet, and how they are written
GAMES = {
    "silverhouse": {"a drop": ".@.+", "a promotion to a gold": ".+[28]g"},
    "salvo": {"a promotion to a cannon": ".+c", "a promotion to a queen": ".+q"},
}
STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
LEAPS = tuple(
    (files, ranks) for files in (-2, -1, 1, 2) for ranks in (-2, -1, 1, 2) if abs(files * ranks) == 2
)


def described(path):
    return parse(path.read_text(encoding="utf-8"), path.name)


def test_each_tutorial_has_a_page_that_shows_its_file():
    assert [path.stem for path in FILES] == ["bazaar", "salvo", "silverhouse"]
    for path in FILES:
        page = path.with_suffix(".md").read_text(encoding="utf-8")
        assert f"```toml\n{path.read_text(encoding='utf-8')}```" in page
        assert f"# {described(path).title}: " in page


@pytest.mark.parametrize("name", GAMES)
def test_fairy_stockfish_agrees(interpreted, name):
    path = FOLDER / f"{name}.toml"
    pyffish.load_variant_config(export(described(path)))
    assert pyffish.start_fen(name) == Position(str(path)).fen()
    chance, compared, met = random.Random(2), 0, Counter()
    for _ in range(4):
        position = Position(str(path))
        while True:
            moves = sorted(map(str, position.legal_moves()))
            assert moves == sorted(pyffish.legal_moves(name, position.fen(), [])), position.fen()
            compared += 1
            met += Counter(
                kind for kind in GAMES[name] for move in moves if re.fullmatch(GAMES[name][kind], move)
            )
            if position.result() is not None or position.ply == 150:
                break
            position.push(chance.choice(moves))
    assert compared > 300
    assert min(met[kind] for kind in GAMES[name]) > 0, met


# Bazaar. A board has the letters by (file, rank), both from 0. Random games begin at the start and, by turns,
# where merchants have work.
OPEN = "k3r2/m1m1m2/1n3n1/7/1N3N1/2M1M1M/2R3K w - - 0 1"


def read_fen(fen):
    rows = re.sub(r"\d", lambda gap: " " * int(gap[0]), fen.split()[0]).split("/")
    board = {(file, 6 - row): letter for row, text in enumerate(rows) for file, letter in enumerate(text)}
    return board, fen.split()[1]


def is_of(letter, side):
    return letter not in (None, " ") and letter.isupper() == (side == "w")


def beside(square):
    return [(square[0] + files, square[1] + ranks) for files, ranks in STRAIGHT]


def held(board, square):
    """Whether a merchant immobilises the piece on a square."""
    letter = board[square]
    own = "M" if letter.isupper() else "m"
    near = [board.get(each) for each in beside(square)]
    return letter not in "MmPp" and own.swapcase() in near and own not in near


def targets(board, square):
    """The targets of a piece, without testing checks."""
    letter = board[square]
    side = "w" if letter.isupper() else "b"
    forward = 1 if side == "w" else -1
    steps = {"P": ((0, forward), (1, 0), (-1, 0)), "N": LEAPS, "R": STRAIGHT}.get(
        letter.upper(), STRAIGHT + DIAGONAL
    )
    for files, ranks in () if held(board, square) else steps:
        target = (square[0] + files, square[1] + ranks)
        while target in board and not is_of(board[target], side):
            if board[target] == " " or letter not in "Mm":
                yield target
            if board[target] != " " or letter not in "Rr":
                break
            target = (target[0] + files, target[1] + ranks)


def after(board, origin, target):
    """The board after a move, including captures of a merchant."""
    letter, child = board[origin], dict(board)
    child[target], child[origin] = letter, " "
    side = "w" if letter.isupper() else "b"
    for files, ranks in STRAIGHT if letter in "Mm" else ():
        victim, other = (target[0] + files, target[1] + ranks), (target[0] + 2 * files, target[1] + 2 * ranks)
        if child.get(other) == letter and not is_of(child[victim], side) and child[victim] not in "Pp":
            child[victim] = " "
    return child


def is_over(board, side):
    """Whether the last move has won: by a porter at its goal, a king between merchants, or a bare king."""
    own, others = (
        [letter for letter in board.values() if is_of(letter, each)] for each in (side, "bw"[side == "b"])
    )
    porter, rank = ("p", 0) if side == "w" else ("P", 6)
    goal = any(board[file, rank] == porter for file in range(7))
    return goal or ("K" if side == "w" else "k") not in own or (len(own) == 1 and len(others) > 1)


def model_moves(fen):
    """The legal moves as text, and the boards after them."""
    board, side = read_fen(fen)
    if is_over(board, side):
        return {}
    found = {}
    for origin in [square for square, letter in board.items() if is_of(letter, side)]:
        for target in targets(board, origin):
            child = after(board, origin, target)
            enemies = [square for square, letter in child.items() if is_of(letter, "bw"[side == "b"])]
            reached = {child[goal] for enemy in enemies for goal in targets(child, enemy)}
            if ("K" if side == "w" else "k") not in reached:
                found["".join(f"{'abcdefg'[file]}{rank + 1}" for file, rank in (origin, target))] = child
    return found


def test_bazaar_is_what_its_tutorial_says():
    chance, trades, reasons = random.Random(3), 0, Counter()
    for fen in (None, OPEN) * 4:
        position = Position(str(FOLDER / "bazaar.toml"), fen)
        while True:
            board, expected = read_fen(position.fen())[0], model_moves(position.fen())
            assert sorted(map(str, position.legal_moves())) == sorted(expected), position.fen()
            if position.result() is not None or position.ply == 150:
                break
            # moves by which a merchant captures are rare
            trading = [
                move for move, child in expected.items() if sum(board[at] != child[at] for at in board) > 2
            ]
            move = chance.choice(sorted(trading or expected))
            position.push(move)
            assert read_fen(position.fen())[0] == expected[move]
            trades += bool(trading)
        if position.result() is not None:
            reasons[position.result().reason.split(" ", 1)[1]] += 1
    assert trades >= 10
    assert {"reaches the goal", "has nothing but its king"} <= set(reasons)
