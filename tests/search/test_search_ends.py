"""The search and the rules agree on which moves end a game, and for whom, in games that keep repeating."""

import random

import pytest
import surajang

pytestmark = pytest.mark.compiled

PLIES, GAMES = 40, 3
RETURNING = 0.9  # of the moves, where there is one that goes back
WON = 5000  # centipawns, at least, of a mate or a win by rule


def returning(position, moves):
    """The moves that lead to an earlier position, or else the one that takes back the side's last move."""
    seen, found = set(position.history()[0]), []
    for move in moves:
        position.push(move)
        if position.repetition_key in seen:
            found.append(move)
        position.pop()
    if found or len(position.moves) < 2:
        return found
    last = str(position.moves[-2])
    return [move for move in moves if str(move) == last[2:4] + last[:2]]


def end_of(position, move):
    """The result of a move, or None."""
    position.push(move)
    result = position.result()
    position.pop()
    return result


def worth(position, result):
    """1, 0 or -1: the value of a result for the side to move."""
    if result.score == "1/2-1/2":
        return 0
    return 1 if result.score == ("0-1" if position.turn else "1-0") else -1


@pytest.mark.parametrize("variant", ["chaotic", "chess", "crazyhouse", "janggi", "xiangqi"])
def test_moves_that_end_the_game_score_what_the_rules_say(variant):
    engine, chance, reasons = surajang.Engine(variant, hash_mb=1), random.Random(2), []
    for _ in range(GAMES):
        position = surajang.Position(variant)
        for _ in range(PLIES):
            legal = position.legal_moves()
            back = returning(position, legal)
            some = chance.sample(legal, min(3, len(legal)))
            ends = {move: end_of(position, move) for move in (*back, *some)}
            for move, result in ends.items():
                if result is None:
                    continue
                value = engine.play(position, depth=1, searchmoves=[move]).score.centipawns
                assert (value >= WON) - (value <= -WON) == worth(position, result), (position.fen(), move)
                assert value == 0 or worth(position, result) != 0, (position.fen(), move)
                reasons.append(result.reason)
            going = [move for move, result in ends.items() if result is None]
            again = [move for move in going if move in back]
            if not going:
                break
            position.push(chance.choice(again if again and chance.random() < RETURNING else going))
    engine.close()
    assert len(reasons) >= 10 and any("repetition" in reason for reason in reasons)
