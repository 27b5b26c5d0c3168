"""XBoard's marks for a piece that its user picks up: colours of squares, victims, promotions."""

import pytest
from surajang import Position
from surajang.engine.definition import catalogue
from surajang.engine.game.moves import parse_square
from surajang.protocol.cecp.highlight import consequences, marks, promotions
from surajang.protocol.cecp.notation import Notation

pytestmark = pytest.mark.compiled

PROMOTION = "10/P1R7/10/10/10/4k5/10/10/10/4K5[P] w - - 0 1"
CHESS_PROMOTION = "3r3k/2P5/8/8/8/8/8/4K3 w - - 0 1"
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
# A merchant of White's steps to e4, and the knight on e5 stands between it and the one on e6.
BETWEEN = "7k/7r/4M3/4n3/8/4M3/8/K6R w - - 0 1"
# The pawn goes up to b4, right before the rook, which slides on to the edge.
BUMP = "6k1/8/8/1r6/8/8/1P6/K6R w - - 0 1"


def shown(variant, fen, lifted):
    """The `highlight` of a piece, square (ranks from 1) or letter, as XBoard reads it."""
    position = Position(variant, fen)
    return Notation(position.description).write_squares(marks(position, place(position, lifted)))


def place(position, name):
    game = position.description
    return name if name.isupper() else parse_square(name, game.files, game.ranks)


def effects(variant, fen, move):
    """Square names -> colours of the other effects of a move."""
    position = Position(variant, fen)
    found = consequences(position, place(position, move[:2]), place(position, move[2:]))
    return {"abcdefgh"[square % 8] + str(square // 8 + 1): colour for square, colour in found.items()}


@pytest.mark.parametrize(
    ("variant", "fen", "lifted", "squares"),
    [
        ("chess", None, "b1", "8/8/8/8/8/Y1Y5/8/8"),
        ("chess", None, "a1", "8/8/8/8/8/8/8/8"),
        ("chess", None, "e4", "8/8/8/8/8/8/8/8"),
        ("chess", None, "e7", "8/8/8/8/8/8/8/8"),  # Black is not on move
        ("chess", CHESS_PROMOTION, "c7", "2MM4/8/8/8/8/8/8/8"),
        ("chess", EN_PASSANT, "e5", "8/8/3RY3/8/8/8/8/8"),
        ("chess", "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1", "8/8/8/8/8/8/4R3/3Y1Y2"),
        ("chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1", "8/8/8/8/8/8/3YYY2/2YY1YY1"),
        ("pandemonium", PROMOTION, "a9", "Y9/10/10/10/10/10/10/10/10/10"),  # XBoard promotes by itself
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", "P", f"8{6 * '/YYYYYYYY'}/8"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", "N", "8/8/8/8/8/8/8/8"),
        ("minishogi", "4k/R4/5/5/4K[] w - - 0 1", "a4", "M4/1YYYY/Y4/Y4/Y4"),
        ("janggi", None, "e2", "9/9/9/9/9/9/9/3YYY3/3YYY3/4Y4"),  # the pass is the king's own square
        ("janggi", None, "e7", "9/9/9/9/9/9/9/9/9/9"),
        ("chaotic", BETWEEN, "e3", "8/8/8/8/3YRY2/3Y1Y2/3YYY2/8"),
        ("chaotic", BUMP, "b2", "8/8/8/8/1R6/1Y6/Y1YYYYYY/1Y6"),
    ],
)
def test_marks(variant, fen, lifted, squares):
    assert shown(variant, fen, lifted) == squares


def test_castling_is_marked_where_the_king_goes():
    fen = "r3k4r/10/10/10/10/10/10/10/10/R3K4R[] w - - 0 1"
    assert shown("pandemonium", fen, "e1").split("/")[-1] == "1Y1Y1Y1Y2"


@pytest.mark.parametrize(
    ("variant", "fen", "move", "found"),
    [
        ("chess", None, "b1c3", {}),
        ("chess", EN_PASSANT, "e5d6", {"d5": "g"}),
        ("chess", EN_PASSANT, "e5e6", {}),
        ("chess", "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1e2", {}),  # the victim stands on the target
        ("chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", {}),
        ("chess", None, "b1b5", {}),
        ("chaotic", BETWEEN, "e3e4", {"e5": "g"}),
        ("chaotic", BETWEEN, "e3d3", {}),
        ("chaotic", BUMP, "b2b4", {"b5": "g", "b8": "c"}),
        ("chaotic", BUMP, "b2b3", {}),
    ],
)
def test_consequences(variant, fen, move, found):
    assert effects(variant, fen, move) == found


@pytest.mark.parametrize(
    ("variant", "fen", "lifted", "target", "letters"),
    [
        ("chess", CHESS_PROMOTION, "c7", "d8", "QRBN"),
        ("chess", CHESS_PROMOTION, "c7", "c6", ""),
        ("pandemonium", PROMOTION, "c9", "c8", ""),
        ("pandemonium", PROMOTION, "c9", "c10", "D"),
        ("pandemonium", PROMOTION, "e1", "e2", ""),
    ],
)
def test_promotions(variant, fen, lifted, target, letters):
    position = Position(variant, fen)
    assert "".join(promotions(position, place(position, lifted), place(position, target))) == letters


@pytest.mark.parametrize("variant", ["crazyhouse", "pandemonium", "janggi", "chaotic"])
def test_marked_squares_are_those_of_the_legal_moves(variant):
    """Along a game: every legal move is marked, and nothing else."""
    position, game = Position(variant), catalogue.load(variant)
    for ply in range(40):
        legal = position.legal_moves()
        if not legal:
            break
        for origin in [*range(game.squares), *(piece.letter for piece in game.hand_pieces)]:
            moves = [m for m in legal if (str(m)[0] if m.is_drop else m.from_square) == origin]
            assert set(marks(position, origin)) == {move.to_square for move in moves}
        position.push(legal[(37 * ply) % len(legal)])
