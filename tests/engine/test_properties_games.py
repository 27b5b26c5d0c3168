"""Properties of all positions of all games."""

import random
import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from surajang import Position
from surajang.engine.definition.catalogue import load
from surajang.tests.support.games import PLAYED_GAMES, SYMMETRIC_GAMES, snapshot, texts

pytestmark = pytest.mark.compiled

# The same examples on every run; positions take long to draw, which is not their fault.
deterministic = settings(derandomize=True, deadline=None, max_examples=7)
every_game = pytest.mark.parametrize("variant", PLAYED_GAMES)
symmetric_game = pytest.mark.parametrize("variant", SYMMETRIC_GAMES)
# How a game may go: each number picks a move.
lengths, numbers = st.integers(0, 60), st.integers(0, 2**16)
choices = lengths.flatmap(lambda plies: st.lists(numbers, min_size=plies, max_size=plies))


def is_sharp(position, move):
    """Whether a move captures, promotes or castles."""
    captures = not move.is_pass and position.piece_at(move.to_square) is not None
    return captures or move.is_promotion or move.is_castling


def pick(position, number):
    """One of the legal moves; an odd number prefers sharp ones."""
    moves = sorted(position.legal_moves(), key=str)
    sharp = [move for move in moves if is_sharp(position, move)] if number % 2 else []
    return (sharp or moves)[number // 2 % len(sharp or moves)]


def played(variant, numbers):
    """The position after the moves that the numbers pick, or where the game ended before."""
    position = Position(variant)
    for number in numbers:
        if not position.legal_moves():
            break
        position.push(pick(position, number))
    return position


def open_position(variant, numbers):
    """`played`, one move back if that ended the game, because not every end can be written as a FEN."""
    position = played(variant, numbers)
    if not position.legal_moves():
        position.pop()
    return position


@every_game
@deterministic
@given(choices)
def test_fen_leads_back_to_the_same_position(variant, numbers):
    position = open_position(variant, numbers)
    again = Position(variant, position.fen())
    assert again.fen() == position.fen()
    assert texts(again) == texts(position)
    assert again.is_check() == position.is_check()
    assert again.repetition_key == position.repetition_key
    # A FEN does not tell that the other side has just passed.
    if not (position.moves and position.moves[-1].is_pass):
        assert again.key == position.key


@every_game
@deterministic
@given(choices)
def test_keys_follow_every_move(variant, numbers):
    position = played(variant, numbers)
    while position.ply:
        assert position.key == position.fresh_key(), position.moves
        assert position.repetition_key == position.fresh_repetition_key(), position.moves
        position.pop()


@every_game
@deterministic
@given(choices)
def test_pop_restores_everything(variant, numbers):
    position = played(variant, numbers)
    before = snapshot(position)
    for move in position.legal_moves():
        assert position.push(move) == move
        assert position.pop() == move
    assert snapshot(position) == before


@every_game
@deterministic
@given(choices)
def test_game_taken_back_and_played_again_is_the_same(variant, numbers):
    position = played(variant, numbers)
    moves, end = position.moves, snapshot(position)
    for move in reversed(moves):
        assert position.pop() == move
    assert snapshot(position) == snapshot(Position(variant))
    for move in moves:
        position.push(move)
    assert snapshot(position) == end


# The board turned over: ranks are counted from the other side, and the colours change places.


def mirror_text(text, ranks):
    """The same squares on the board rotated."""
    return re.sub(r"(?<=[a-p])\d+", lambda rank: str(ranks + 1 - int(rank[0])), text)


def mirror_fen(fen, ranks):
    """The same position on the board turned over; the counters stay, those of checks change sides."""
    placement, turn, castling, crossed, *counters = fen.split()
    board, bracket, hands = placement.partition("[")
    board = "/".join(reversed(board.swapcase().split("/")))
    hands = "".join(sorted(hands.swapcase(), key=lambda letter: (letter == "]", letter.islower())))
    castling = "".join(sorted(castling.swapcase(), key="KQABCDEFGHkqabcdefgh-Ss".index))
    crossed = re.findall(r"[a-p]\d+|-", mirror_text(crossed, ranks))
    crossed.sort(key=lambda square: int(square[1:] or 0))
    turn = "b" if turn == "w" else "w"
    counters = [re.sub(r"(\d)\+(\d)", r"\2+\1", counter) for counter in counters]
    return " ".join([board + bracket + hands, turn, castling, "".join(crossed), *counters])


@symmetric_game
@deterministic
@given(choices)
def test_mirrored_position_has_the_mirrored_moves(variant, numbers):
    position, ranks = open_position(variant, numbers), load(variant).ranks
    mirror = Position(variant, mirror_fen(position.fen(), ranks))
    assert mirror.fen() == mirror_fen(position.fen(), ranks)
    assert mirror.is_check() == position.is_check()
    moves = texts(position)
    assert texts(mirror) == sorted(mirror_text(text, ranks) for text in moves)
    for text in moves:
        position.push(text)
        mirror.push(mirror_text(text, ranks))
        # All but the number of the move, which grows with Black's moves alone.
        assert mirror.fen().split()[:5] == mirror_fen(position.fen(), ranks).split()[:5]
        position.pop()
        mirror.pop()


MIRRORED_SCORE = {None: None, "1-0": "0-1", "0-1": "1-0", "1/2-1/2": "1/2-1/2"}


@symmetric_game
def test_mirrored_games_end_with_the_mirrored_score(variant):
    generator, ranks = random.Random(1), load(variant).ranks
    ends = Counter()
    for _ in range(6):
        position = Position(variant)
        mirror = Position(variant, mirror_fen(position.fen(), ranks))
        while position.ply < 300 and position.result() is None:
            move = pick(position, generator.randrange(2**16))
            position.push(move)
            mirror.push(mirror_text(str(move), ranks))
            result, mirrored = position.result(), mirror.result()
            score = result and result.score
            assert (mirrored and mirrored.score) == MIRRORED_SCORE[score], position.moves
        ends[score] += 1
    assert ends.total() > ends[None], ends
