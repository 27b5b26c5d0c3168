"""Artificial records of games, for tests of displays."""

import random

from surajang.match.records.model import MatchGame, MoveRecord, Opening, Record, Termination

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"
SCORES = ("0-1", "1/2-1/2", "1-0")
REASONS = ("Black mates", "draw by repetition", "White mates")


def record(number, white, black, points, plies=30, termination=Termination.NORMAL, fault=None, seed=0):
    """A game with `points` (0, 1 or 2 half points) for White, whose scores drift there."""
    random_ = random.Random(1000 * seed + number)
    moves, score = [], 0.0
    for ply in range(plies):
        score += (points - 1) * random_.uniform(0, 40) + random_.gauss(0, 20)
        own = round(score if ply % 2 == 0 else -score)
        seconds = random_.uniform(0.1, 0.5)
        moves.append(
            MoveRecord("e4", seconds, own, depth=random_.randrange(8, 15), nodes=round(4e5 * seconds))
        )
    game = MatchGame(number, number // 2, white, black, Opening(START, (), f"opening {number // 2 + 1}"))
    return Record(game, SCORES[points], REASONS[points], termination, moves, fault, overhead=0.01)


def records(count, engines=2, seed=0):
    """The first games of a match in which engine 0 is the strongest, colours changing."""
    random_ = random.Random(seed)
    meetings = [(a, b) for a in range(engines) for b in range(a + 1, engines)]
    games = []
    for number in range(count):
        a, b = meetings[number // 2 % len(meetings)]
        points = random_.choices((0, 1, 2), (3, 3, 4))[0]
        if number % 2:
            games.append(record(number, b, a, 2 - points, seed=seed))
        else:
            games.append(record(number, a, b, points, seed=seed))
    return games
