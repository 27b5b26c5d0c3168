"""Promotions that no shipped game has."""

import pytest
from surajang.engine.movegen.perft import perft
from surajang.engine.position import Position

pytestmark = [pytest.mark.compiled, pytest.mark.usefixtures("interpreted")]


LEAVING = """
name = "odd-leaving"
title = "Leaving"
start = "k7/8/8/8/8/8/8/7K w - - 0 1"
[board]
files = 8
ranks = 8
[pieces]
K = { name = "King", moves = "K", royal = true }
W = { name = "Wazir", moves = "W", promotes = "QR" }
X = { name = "Crab", moves = "mWcF", promotes = "RQ" }
Y = { name = "Crab that must promote on the seventh rank", moves = "mWcF", promotes = "Q" }
Z = { name = "Crab that must promote", moves = "mWcF", promotes = "Q" }
Q = { name = "Queen", moves = "Q" }
R = { name = "Rook", moves = "R" }
[promotion]
zone = [6, 7]
%s
[end]
checkmate = "loss"
stalemate = "draw"
"""

MANDATORY = "mandatory = { Y = [7], Z = [6, 7] }"

ENTER = f'on = ["enter"]\n{MANDATORY}'

LEAVE = 'on = ["leave"]'

BOTH = f'on = ["enter", "leave"]\n{MANDATORY}'


@pytest.mark.parametrize(
    "rules, man, moves",
    [
        (ENTER, "W", "d7 d7q d7r f7 f7q f7r e8 e6 e6q e6r"),
        (ENTER, "X", "d7 d7r d7q f7 f7r f7q e8 e6 e6r e6q d6 d6r d6q"),
        (ENTER, "Y", "d7q f7q e8 e6 e6q d6 d6q"),
        (ENTER, "Z", "d7q f7q e8 e6q d6q"),
        (LEAVE, "W", "d7 d7q d7r f7 f7q f7r e8 e8q e8r e6 e6q e6r"),
        (LEAVE, "X", "d7 d7r d7q f7 f7r f7q e8 e8r e8q e6 e6r e6q d6 d6r d6q"),
        (BOTH, "W", "d7 d7q d7r f7 f7q f7r e8 e8q e8r e6 e6q e6r"),
        (BOTH, "X", "d7 d7r d7q f7 f7r f7q e8 e8r e8q e6 e6r e6q d6 d6r d6q"),
        (BOTH, "Y", "d7q f7q e8 e8q e6 e6q d6 d6q"),
        (BOTH, "Z", "d7q f7q e8q e6q d6q"),  # all of the zone: whenever it may
    ],
)
@pytest.mark.parametrize("white", [True, False])
def test_promotion_within_the_zone_and_on_leaving_it(rules, man, moves, white, tmp_path):
    """From the zone's last rank: sideways, out of it and back in it, with one victim."""
    path = tmp_path / "leaving.toml"
    path.write_text(LEAVING % rules)
    position = Position(str(path), _turned(f"k7/4{man}3/3q4/8/8/8/8/7K w - - 0 1", white))
    found = [str(move) for move in position.legal_moves()]
    source = "e7" if white else "e2"
    targets = [move if white else f"{move[0]}{9 - int(move[1])}{move[2:]}" for move in moves.split()]
    assert sorted(move for move in found if move.startswith(source)) == sorted(source + t for t in targets)
    assert perft(position, 1) == len(found)


def _turned(fen, white):
    """The same position for the other colour, if it is not for White."""
    if white:
        return fen
    board, _, rest = fen.split(" ", 2)
    return f"{'/'.join(reversed(board.swapcase().split('/')))} b {rest}"
