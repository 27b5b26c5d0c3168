"""Games with the moves of another game except some: those that check, or those that do not capture where a
capture is possible. They are compared with that game, and their moves are counted as they are listed."""

import random

import pytest
from surajang import Position

pytestmark = [pytest.mark.compiled, pytest.mark.usefixtures("interpreted")]

CALM, DUTY = 'checks = "illegal"\n', "must_capture = true\n"
WIDE = """extends = "shogi"
name = "wide"
promotion = false
drops = false
start = "1k5r1/3rs4/3n1g3/9/9/9/3G1N3/4SR3/1K5R1 w - - 0 1"
[pieces]
R = { promotes = "" }
S = { promotes = "" }
N = { promotes = "" }
B = false
L = false
P = false
"""
LANCES = WIDE.replace("L = false", 'L = { promotes = "" }').replace("1k5r1/3r", "1k5r1/1l1r")
PLAIN = """extends = "chess"
name = "plain"
castling = false
promotion = false
start = "8/8/8/1k6/8/6K1/rbn2NBR/qbn2NBQ w - - 0 1"
[pieces]
P = false
[end]
dead_positions = false
"""
# Name -> (the keys that filter moves, the other game)
GAMES = {
    "plain pieces": (CALM, PLAIN),
    "steps and leaps forward": (CALM, WIDE),
    "slides forward": (CALM, LANCES),
    "pawns and castling": (CALM, 'extends = "chess"\nname = "calm"\n'),
    "no kings": (DUTY, 'extends = "antichess"\nname = "duty"\n'),
    "kings": (DUTY, 'extends = "chess"\nname = "duty"\n'),
    "drops": (DUTY, 'extends = "crazyhouse"\nname = "duty"\n'),
    "hops": (DUTY, 'extends = "xiangqi"\nname = "duty"\n'),
}


def captures(position, move):
    """Whether a move, which is no castling, takes a piece."""
    source, target = move.from_square, move.to_square
    if source is None or position.letter_at(target):
        return source is not None
    files, piece = position.description.files, position.description.piece(position.letter_at(source).upper())
    return bool(piece.en_passant) and source % files != target % files


def checks(position, move):
    position.push(move)
    found = position.is_check()
    position.pop()
    return found


def filtered(position, keys):
    """The moves that stay legal with the keys, by the legal moves of the other game."""
    moves = list(position.legal_moves())
    if keys == CALM:
        return {str(move) for move in moves if not checks(position, move)}
    taking = {str(move) for move in moves if not move.is_castling and captures(position, move)}
    return taking or set(map(str, moves))


@pytest.mark.parametrize("name", GAMES)
def test_moves_are_those_of_the_other_game_except_what_is_forbidden(name, tmp_path):
    keys, text = GAMES[name]
    first, rest = text.split("\n", 1)
    paths = []
    for file, own in (("own", keys), ("other", "" if keys == CALM else "must_capture = false")):
        paths.append(tmp_path / f"{file}.toml")
        paths[-1].write_text(f"{first}\n{own}\n{rest}")
    compared = left_out = games = 0
    chance = random.Random(name)
    while games < 3 and (compared <= 100 or left_out <= 100):
        position, games = Position(str(paths[0])), games + 1
        while position.ply < 60 and position.result() is None:
            legal = set(map(str, position.legal_moves()))
            other = Position(str(paths[1]), position.fen())
            assert legal == filtered(other, keys), position.fen()
            assert position.perft(1) == len(legal), position.fen()
            compared += 1
            left_out += len(list(other.legal_moves())) - len(legal)
            if not legal:
                break
            position.push(chance.choice(sorted(legal)))
    assert compared > 100 and left_out > 100


def test_quiet_promotion_is_not_counted_beside_a_capture():
    position = Position("antichess", "8/P7/8/3p4/4P3/8/8/8 w - - 0 1")
    assert [str(move) for move in position.legal_moves()] == ["e4d5"]
    assert position.perft(1) == 1
