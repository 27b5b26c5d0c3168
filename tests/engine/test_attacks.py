"""Attacks, checkers and pins against a plain model that walks from square to square.

The model knows files and ranks and sets of squares; no bitboards, no lines, no tables.
"""

import random
from functools import cache

import numpy as np
import pytest
from numba import njit
from surajang.engine.definition.catalogue import parse
from surajang.engine.kernel.bitboard import load, store
from surajang.engine.movegen import attacks
from surajang.engine.representation import reach as reaching
from surajang.engine.representation.position_record import position_dtype, read_board, write_board
from surajang.engine.rules import build, rules_for

pytestmark = pytest.mark.compiled

# A game with every sort of piece for boards of any size; L and G go forward otherwise than back.
ZOO = """
name = "zoo"
title = "Zoo"
start = "{start}"
[board]
files = {files}
ranks = {ranks}
[pieces]
K = {{ name = "King", moves = "K", royal = true }}
Q = {{ name = "Queen", moves = "Q", value = 900 }}
R = {{ name = "Rook", moves = "R", value = 500 }}
B = {{ name = "Bishop", moves = "B", value = 300 }}
M = {{ name = "Marshal", moves = "RN", value = 800 }}
H = {{ name = "Horse", moves = "BK", value = 600 }}
N = {{ name = "Knight", moves = "N", value = 300 }}
L = {{ name = "Lance knight", moves = "ffNbW", value = 150 }}
G = {{ name = "Gold", moves = "WfF", value = 250 }}
P = {{ name = "Pawn", moves = "fmWfcF", value = 100 }}
[end]
checkmate = "loss"
stalemate = "draw"
"""
ORTHOGONAL = {(1, 0), (-1, 0), (0, 1), (0, -1)}
DIAGONAL = {(1, 1), (1, -1), (-1, 1), (-1, -1)}
KNIGHT = {(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)}
# Where White's pieces slide, and where they leap to capture.
MOVES = {
    "K": (set(), ORTHOGONAL | DIAGONAL),
    "Q": (ORTHOGONAL | DIAGONAL, set()),
    "R": (ORTHOGONAL, set()),
    "B": (DIAGONAL, set()),
    "M": (ORTHOGONAL, KNIGHT),
    "C": (DIAGONAL, KNIGHT),
    "D": (ORTHOGONAL, DIAGONAL),
    "H": (DIAGONAL, ORTHOGONAL),
    "N": (set(), KNIGHT),
    "S": (set(), KNIGHT | ORTHOGONAL | DIAGONAL),
    "L": (set(), {(-1, 2), (1, 2), (0, -1)}),
    "G": (set(), ORTHOGONAL | {(-1, 1), (1, 1)}),
    "P": (set(), {(-1, 1), (1, 1)}),
}
QUEENS = "AWG"  # what moves like a queen in Pandemonium


class Board:
    """The squares of a board and the moves of one game's pieces on it."""

    def __init__(self, rules, moves):
        self.rules, self.moves = rules, moves
        self.files, self.ranks = rules.files, rules.ranks
        self.squares = range(self.files * self.ranks)
        self.width = rules.empty.width
        self.letters = list(moves)

    def step(self, square, files, ranks):
        """The square at that distance, or None off the board."""
        file, rank = square % self.files + files, square // self.files + ranks
        if 0 <= file < self.files and 0 <= rank < self.ranks:
            return rank * self.files + file
        return None

    def walk(self, square, direction, occupied=frozenset()):
        """The squares in a direction up to and including the first occupied one."""
        squares = []
        target = self.step(square, *direction)
        while target is not None:
            squares.append(target)
            if target in occupied:
                break
            target = self.step(target, *direction)
        return squares

    def reached(self, letter, side, square, occupied):
        """The squares that a piece attacks."""
        slides, leaps = self.moves[letter]
        forward = 1 if side == 0 else -1
        targets = {self.step(square, files, forward * ranks) for files, ranks in leaps} - {None}
        for direction in slides:
            targets |= set(self.walk(square, direction, occupied))
        return targets

    def attackers(self, men, side, square, occupied):
        """The squares of the pieces of `side` that attack `square`."""
        return {
            origin
            for origin, (owner, letter) in men.items()
            if owner == side and square in self.reached(letter, side, origin, occupied)
        }

    def position(self, men, side):
        """The engine's record of these pieces, with only the fields that attacks depend on."""
        rules, record = self.rules, np.zeros(1, position_dtype(self.rules))[0]
        colours, movers = [0, 0], [0] * rules.mover_count
        record["board"][:] = rules.no_kind
        for square, (owner, letter) in men.items():
            kind = self.letters.index(letter)
            record["board"][square] = kind
            colours[owner] |= 1 << square
            movers[rules.kind_mover[kind]] |= 1 << square
            if letter == "K":
                record["kings"][owner] = square
        for index, board in enumerate(colours):
            write_board(record, "colours", board, index)
        for index, board in enumerate(movers):
            write_board(record, "movers", board, index)
        record["side"] = side
        return record


def pandemonium():
    letters = "KQRBNMCPDHSAWG"
    moves = {letter: MOVES["Q" if letter in QUEENS else letter] for letter in letters}
    return Board(rules_for("pandemonium"), moves)


def zoo(files, ranks):
    rows = ["4k"] + ["5"] * (ranks - 2) + ["4K"]
    start = "/".join(row.replace("5", str(files)) + (str(files - 5) if "4" in row else "") for row in rows)
    text = ZOO.format(files=files, ranks=ranks, start=start + " w - - 0 1")
    return Board(build(parse(text, "zoo.toml")), {letter: MOVES[letter] for letter in "KQRBMHNLGP"})


BOARDS = {"pandemonium": pandemonium, "7x9": lambda: zoo(7, 9), "16x16": lambda: zoo(16, 16)}


@pytest.fixture(params=BOARDS, scope="module")
def board(request):
    return BOARDS[request.param]()


def test_boards_have_all_widths():
    assert [make().width for make in BOARDS.values()] == [128, 64, 256]


# Compiled code that takes and gives boards as rows of a record

OCCUPIED, ANSWER, MORE = range(3)


@cache
def sheet_for(width):
    return np.zeros(1, np.dtype([("rows", np.uint64, (3, width // 64))], align=True))[0]


@njit
def line_attacks(rules, sheet, line, square):
    store(sheet, "rows", ANSWER, reaching.line_attacks(rules, line, square, load(sheet, "rows", OCCUPIED)))


@njit
def reach(mover, rules, sheet, side, square):
    occupied = load(sheet, "rows", OCCUPIED)
    store(sheet, "rows", ANSWER, reaching.reach(mover.attack, rules, side, square, occupied))


@njit
def line_and_between(rules, sheet, first, second):
    store(sheet, "rows", ANSWER, reaching.line_through(rules, first, second))
    store(sheet, "rows", MORE, reaching.between(rules, first, second))


@njit
def attackers(rules, sheet, position, side, square):
    occupied = load(sheet, "rows", OCCUPIED)
    store(sheet, "rows", ANSWER, attacks.attackers(rules, position, side, square, occupied))


@njit
def inspect(rules, sheet, position):
    checkers, pinned = attacks.inspect(rules, position)
    store(sheet, "rows", ANSWER, checkers)
    store(sheet, "rows", MORE, pinned)
    return attacks.in_check(rules, position)


def squares_of(sheet, row):
    value = read_board(sheet, "rows", row)
    return {square for square in range(value.bit_length()) if value >> square & 1}


def occupy(sheet, squares):
    write_board(sheet, "rows", sum(1 << square for square in squares), OCCUPIED)


def random_occupancies(board, count, seed):
    """Sets of squares from the empty to the full board."""
    generator = random.Random(seed)
    for number in range(count):
        share = number / (count - 1)
        yield {square for square in board.squares if generator.random() < share}


def random_men(board, generator, share):
    """Pieces on about that share of the squares, one king per side: square to (side, letter)."""
    chosen = [square for square in board.squares if generator.random() < share]
    others = [letter for letter in board.letters if letter != "K"]
    men = {square: (generator.randrange(2), generator.choice(others)) for square in chosen}
    for owner, square in enumerate(generator.sample(board.squares, 2)):
        men[square] = (owner, "K")
    return men


# The numbers of the lines, as `engine.geometry` gives them: along the rank, the file, and both diagonals.
LINES = ((1, 0), (0, 1), (1, 1), (-1, 1))


def test_slider_reaches_both_ways_up_to_the_first_occupied_square(board):
    sheet = sheet_for(board.width)
    for occupied in random_occupancies(board, 12, seed=1):
        occupy(sheet, occupied)
        for square in board.squares:
            for line, (files, ranks) in enumerate(LINES):
                line_attacks(board.rules, sheet, line, square)
                ways = ((files, ranks), (-files, -ranks))
                expected = {target for way in ways for target in board.walk(square, way, occupied)}
                assert squares_of(sheet, ANSWER) == expected, (square, line, occupied)


def test_own_square_does_not_block_a_slider(board):
    sheet = sheet_for(board.width)
    for square in board.squares:
        occupy(sheet, {square})
        line_attacks(board.rules, sheet, 0, square)
        assert squares_of(sheet, ANSWER) == set(board.walk(square, (1, 0)) + board.walk(square, (-1, 0)))


def test_piece_reaches_by_its_slides_and_leaps(board):
    """Pieces with equal captures and quiet moves, of White and of Black."""
    sheet, movers = sheet_for(board.width), {}
    for mover in (*board.rules.movers, board.rules.king):
        movers[mover.index] = mover
    occupancies = list(random_occupancies(board, 5, seed=2))
    seen = set()
    for kind, letter in enumerate(board.letters):
        index = int(board.rules.kind_mover[kind])
        if index not in movers:
            assert letter == "P"
            continue
        seen.add(letter)
        for occupied in occupancies:
            occupy(sheet, occupied)
            for side in (0, 1):
                for square in board.squares:
                    reach(movers[index], board.rules, sheet, side, square)
                    expected = board.reached(letter, side, square, occupied)
                    assert squares_of(sheet, ANSWER) == expected, (letter, side, square)
    assert seen == set(board.letters) - {"P"}


def test_line_through_two_squares_and_what_lies_between(board):
    sheet, generator = sheet_for(board.width), random.Random(3)
    pairs = [(first, second) for first in board.squares for second in board.squares]
    aligned = 0
    for first, second in generator.sample(pairs, min(len(pairs), 6000)):
        line_and_between(board.rules, sheet, first, second)
        whole, inner = set(), set()
        for files, ranks in LINES:
            ahead, back = board.walk(first, (files, ranks)), board.walk(first, (-files, -ranks))
            for ray in (ahead, back):
                if second in ray:
                    whole = {first, *ahead, *back}
                    inner = set(ray[: ray.index(second)])
        assert squares_of(sheet, ANSWER) == whole, (first, second)
        assert squares_of(sheet, MORE) == inner, (first, second)
        aligned += bool(inner)
    assert aligned > 500


def test_attackers_are_all_men_of_a_side_that_reach_the_square(board):
    sheet, generator = sheet_for(board.width), random.Random(4)
    found = 0
    for share in (0.02, 0.05, 0.1, 0.2, 0.4, 0.8) * 2:
        men = random_men(board, generator, share)
        record = board.position(men, 0)
        occupy(sheet, men)
        for square in generator.sample(board.squares, 40):
            for side in (0, 1):
                attackers(board.rules, sheet, record, side, square)
                expected = board.attackers(men, side, square, set(men))
                assert squares_of(sheet, ANSWER) == expected, (men, side, square)
                found += len(expected)
    assert found > 500


def test_attackers_look_through_squares_that_are_said_to_be_empty(board):
    """The caller's blockers count, not those on the board."""
    sheet, generator = sheet_for(board.width), random.Random(5)
    changed = 0
    for _ in range(200):
        men = random_men(board, generator, 0.15)
        record = board.position(men, 0)
        square = generator.choice(board.squares)
        occupied = set(men) - set(generator.sample(sorted(men), len(men) // 3))
        occupied |= set(generator.sample(board.squares, 3))
        occupy(sheet, occupied)
        attackers(board.rules, sheet, record, 1, square)
        assert squares_of(sheet, ANSWER) == board.attackers(men, 1, square, occupied)
        changed += board.attackers(men, 1, square, occupied) != board.attackers(men, 1, square, set(men))
    assert changed > 5


def test_checkers_attack_the_king_and_pinned_pieces_shield_it(board):
    sheet, generator = sheet_for(board.width), random.Random(6)
    checks = pins = 0
    for number in range(800):
        men = random_men(board, generator, (0.04, 0.08, 0.12, 0.16)[number % 4])
        side = number // 4 % 2
        # Every position gets a man of ours between our king and a queen of theirs, if there is room.
        kings = {owner: square for square, (owner, letter) in men.items() if letter == "K"}
        king = kings[side]
        ray = board.walk(king, generator.choice(sorted(ORTHOGONAL | DIAGONAL)))
        if len(ray) > 2 and kings[1 - side] not in ray:
            near, far = sorted(generator.sample(ray, 2), key=ray.index)
            men[near], men[far] = (side, "N"), (1 - side, "Q")
        in_check = inspect(board.rules, sheet, board.position(men, side))
        checkers = board.attackers(men, 1 - side, king, set(men))
        pinned = {
            square
            for square, (owner, _) in men.items()
            if owner == side
            and square != king
            and board.attackers(men, 1 - side, king, set(men) - {square}) != checkers
        }
        assert squares_of(sheet, ANSWER) == checkers, men
        assert squares_of(sheet, MORE) == pinned, men
        assert in_check == bool(checkers)
        checks += bool(checkers)
        pins += len(pinned)
    assert checks > 50
    assert pins > 50
