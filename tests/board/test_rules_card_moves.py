"""The drawings of the rules card against the moves that the engine finds."""

import re

import pytest
from surajang import Position
from surajang.board.move_diagram import marks, radius
from surajang.engine.definition import fen
from surajang.engine.definition.catalogue import load
from surajang.engine.game.moves import parse_square

pytestmark = [pytest.mark.compiled, pytest.mark.usefixtures("interpreted_positions")]

# Game -> the square of the piece, of White's king and of Black's: far from each other, and on no common line.
PLACES = {"pandemonium": ("e5", "j1", "a10"), "shako": ("e5", "j1", "a10"), "janggi": ("e5", "d1", "f10")}
PIECES = [
    (game, piece.letter)
    for game in PLACES
    for piece in load(game).pieces
    if not piece.royal and not piece.confined
]
FEWEST = 20  # squares around a piece on which an enemy is tried


def place(game, name):
    return parse_square(name, load(game).files, load(game).ranks)


def targets(game, letter, others=()):
    """The squares that a piece of White reaches, among kings and the `others`: (square, side, letter). None
    if White is in check, because then not all moves count."""
    description = load(game)
    here, white, black = (place(game, name) for name in PLACES[game])
    setup = fen.Setup(board={here: (0, letter), white: (0, "K"), black: (1, "K")})
    setup.board.update({square: (side, other) for square, side, other in others})
    position = Position(game, fen.write(setup, "-", description))
    if position.is_check():
        return None
    found = [re.match(r"([a-p]\d+)([a-p]\d+)", str(move)) for move in position.legal_moves()]
    return {place(game, m[2]) for m in found if m and m[1] == PLACES[game][0] and m[2] != m[1]}


def drawn(game, letter, mode, way):
    """The squares of the drawing where the piece may move or capture, within the drawing."""
    found = marks(load(game).piece(letter))
    return {cell for cell, mark in found.items() if getattr(mark, mode) == way and not mark.longer}


def square_at(game, cell):
    here = place(game, PLACES[game][0])
    return here + cell[1] * load(game).files + cell[0]


def cells(game, letter):
    span = range(-radius(load(game).piece(letter)), radius(load(game).piece(letter)) + 1)
    return [(file, rank) for file in span for rank in span if (file, rank) != (0, 0)]


@pytest.mark.parametrize(("game", "letter"), PIECES)
def test_lone_piece_goes_where_its_drawing_has_moves(game, letter):
    reached = targets(game, letter)
    near = {cell for cell in cells(game, letter) if square_at(game, cell) in reached}
    assert near == drawn(game, letter, "move", "free")


@pytest.mark.parametrize(("game", "letter"), PIECES)
def test_piece_captures_where_its_drawing_has_captures(game, letter):
    tried, taken = set(), set()
    for cell in cells(game, letter):
        reached = targets_beside_a_pawn(game, letter, square_at(game, cell))
        if reached is not None:
            tried.add(cell)
            if square_at(game, cell) in reached:
                taken.add(cell)
    assert len(tried) >= FEWEST
    assert taken == drawn(game, letter, "capture", "free") & tried


def targets_beside_a_pawn(game, letter, square):
    """`targets` with a pawn of Black on a square; also None if no pawn can be there."""
    if square in {place(game, name) for name in PLACES[game][1:]}:
        return None
    try:
        return targets(game, letter, [(square, 1, "P")])
    except fen.FenError:
        return None


def test_cannon_of_janggi_moves_where_its_drawing_has_hops():
    here = square_at("janggi", (0, 0))
    hurdles = [(here + step, 0, "P") for step in (1, -1, 9, -9)]
    reached = targets("janggi", "C", hurdles)
    straight = {cell for cell in cells("janggi", "C") if square_at("janggi", cell) in reached}
    assert straight == {cell for cell in drawn("janggi", "C", "move", "odd") if 0 in cell}


def test_cannon_of_shako_captures_where_its_drawing_has_hops():
    here = square_at("shako", (0, 0))
    hops = drawn("shako", "C", "capture", "odd")
    assert len(hops) == 8
    for cell in hops:
        toward = ((cell[0] > 0) - (cell[0] < 0)) + 10 * ((cell[1] > 0) - (cell[1] < 0))
        victim = square_at("shako", cell)
        assert victim in targets("shako", "C", [(here + toward, 0, "P"), (victim, 1, "P")])
