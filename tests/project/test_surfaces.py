"""Nearly valid texts for every reader: refused with an error that quotes them, or read correctly. The damage
is drawn by hypothesis; SURAJANG_WALKS is the number of texts of each kind."""

import os
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from surajang import Position
from surajang.engine.definition.catalogue import available, load, read_table
from surajang.protocol.cecp.protocol import Cecp
from surajang.protocol.uci.protocol import Uci
from surajang.tests.support.conversations import conversation
from surajang.tests.support.games import SEARCHED_GAMES
from surajang.tests.support.mutations import SCRAPS, mutated, mutated_fen, mutated_table, written
from surajang.tests.support.surfaces import GAMES, check_fen, check_move, check_option, check_toml

pytestmark = pytest.mark.compiled

TEXTS = int(os.environ.get("SURAJANG_WALKS", "60"))
# The same examples on every run; games take long to draw, which is not their fault.
deterministic = settings(derandomize=True, deadline=None, max_examples=TEXTS)
every_game = pytest.mark.parametrize("variant", GAMES)
chance = st.randoms(use_true_random=False)
picks = st.lists(st.integers(0, 2**16), max_size=12)


@cache
def table_of(name):
    return read_table(load(name).path)


def played(variant, picks):
    """The position that the picks lead to."""
    position = Position(variant)
    for pick in picks:
        moves = [] if position.result() else position.legal_moves()
        if moves:
            position.push(moves[pick % len(moves)])
    return position


@every_game
@deterministic
@given(picks, chance)
def test_damaged_fen_is_refused_by_its_words_or_is_a_position(variant, picks, random):
    check_fen(variant, mutated_fen(random, played(variant, picks).fen()))


@every_game
@deterministic
@given(picks, chance, st.integers(0, 2**16))
def test_damaged_move_is_refused_by_its_words_or_is_legal(variant, picks, random, pick):
    position = played(variant, picks)
    moves = position.legal_moves()
    text = str(moves[pick % len(moves)]) if moves else "0000"
    assert moves == [] or check_move(position, text)
    check_move(position, mutated(random, text, "abcdefghij0123456789@+=,-xPQRN", 2))


@pytest.mark.parametrize("name", SEARCHED_GAMES)
@settings(deterministic, max_examples=TEXTS // 3)
@given(chance)
def test_damaged_game_is_refused_by_its_key_or_described(name, random):
    check_toml(written(mutated_table(random, table_of(name))))


@pytest.mark.parametrize("name", available())
def test_undamaged_game_is_described(name):
    assert check_toml(written(table_of(name))) is not None


@deterministic
@given(chance, st.sampled_from(available()))
def test_damaged_file_is_refused_by_its_key_or_described(random, name):
    check_toml(mutated(random, load(name).path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("dialect", [Cecp, Uci])
def test_option_takes_what_it_says_it_takes_and_nothing_else(dialect):
    with conversation(dialect) as talk:

        @settings(derandomize=True, deadline=None, max_examples=5 * TEXTS)
        @given(st.sampled_from(talk.talk._settings.options()), st.sampled_from(SCRAPS) | st.text(max_size=9))
        def try_one(option, text):
            check_option(talk, option, text)

        try_one()
        for option in talk.talk._settings.options():
            for text in map(str, {getattr(option, "default", ""), getattr(option, "most", 1)}):
                check_option(talk, option, text)
