"""Every shipped game, compared with the program that also plays it: legal moves, leaves, and ends of games.
Games with their own tests, and those that no program plays, are left out."""

import random

import pyffish
import pytest
from surajang.bench.speed.coverage_command import PyffishReferee, chosen, compare, difference, leaves
from surajang.engine.definition import catalogue
from surajang.engine.definition.catalogue import parse
from surajang.engine.movegen.perft import perft
from surajang.engine.position import Position
from surajang.engine.rules import build, rules_for
from surajang.protocol.uci.notation import UciNotation
from surajang.tests.support.games import (
    COMPILED_GAMES,
    GATHERED,
    PLAYED_GAMES,
    SEARCHED_GAMES,
    branches,
    gathered,
)
from surajang.tests.support.soak_judges import MODELLED, configure

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

# Leaves after three plies from the start, by Fairy-Stockfish
LEAVES = {
    **{"3check": 8_902, "5check": 8_902, "ai-wok": 18_102, "almost": 11_895, "amazon": 12_483},
    **{"antichess": 8_067, "asean": 12_012, "atomic": 8_902, "centaur": 24_490, "chancellor": 15_896},
    **{"chaturanga": 4_176, "checkshogi": 25_470, "chessgi": 8_902, "courier": 18_406, "dragon": 8_982},
    **{"embassy": 25_281, "gardner": 506, "georgian": 12_483, "gorogoro": 4_166, "gothic": 25_283},
    **{"hoppelpoppel": 9_034, "horde": 1_274, "janus": 24_747, "judkins": 6_183, "loop": 8_902},
    **{"losalamos": 1_212, "makpong": 12_012, "modern": 15_831, "newzealand": 8_976, "pocketknight": 88_617},
    **{"racingkings": 11_264, "shatranj": 4_176, "chess960": 8_902, "caparandom": 25_228, "codrus": 8_067},
    **{"giveaway": 8_067, "extinction": 8_902, "kinglet": 8_902, "threekings": 8_942},
    **{"coregal": 8_882, "losers": 8_067, "misere": 8_902, "suicide": 8_067},
    **{"seirawan": 24_830},
}
GAMES = sorted(set(catalogue.shipped()) - {*SEARCHED_GAMES, *MODELLED})
configure()
ENOUGH, LONGEST = 30, 120  # positions of each that are compared, in random games of so many plies
OPENING, SAMPLED = 20, 6  # plies at the start that are all compared; later one of so many
THEIR_NAMES = {"chess960": "fischerandom"}
interpreted = pytest.mark.usefixtures("interpreted")


@interpreted
@pytest.mark.parametrize("name", sorted(set(GAMES) - set(LEAVES)))
def test_start_has_the_moves_of_fairy_stockfish(name):
    referee = PyffishReferee(pyffish, THEIR_NAMES.get(name, name))
    game = catalogue.load(name)
    difference, _ = compare(game.path, referee, games=0, depth=1 if game.walls else 2)
    assert difference is None


@pytest.mark.parametrize("name", LEAVES)
def test_start_has_as_many_leaves_as_in_fairy_stockfish(name, request):
    is_compiled = name in COMPILED_GAMES  # by the test below
    if not is_compiled:
        request.getfixturevalue("interpreted")
    count = leaves if is_compiled else perft
    assert count(Position(name), 3) == LEAVES[name]


# Our files leave out rules that count moves in endings
COUNTING = ("ai-wok", "asean", "cambodian", "karouk", "makpong")


def end_of(name, start, moves, replies):
    """The score of a game by Fairy-Stockfish, None while it is in progress; `replies` are its legal moves."""
    signs = (1, -1) if len(moves) % 2 == 0 else (-1, 1)
    if replies:  # it gives none where a game has ended at once
        is_over, value = pyffish.is_optional_game_end(name, start, moves)
    else:
        is_over, value = pyffish.is_immediate_game_end(name, start, moves)
        if not is_over:
            is_over, value = True, pyffish.game_result(name, start, moves)
    if not is_over:
        return None
    return "1/2-1/2" if value == 0 else "1-0" if value * signs[0] > 0 else "0-1"


@pytest.mark.usefixtures("seldom_compiled")
@pytest.mark.parametrize("variant", GAMES)
def test_random_games_are_those_of_fairy_stockfish(variant):
    """Legal moves, which end with the game, and its score. Fairy-Stockfish, which plays the game again for
    each answer, is asked at the start of a game, at its end, where a position comes back, and every few
    plies; it refuses moves that are not legal."""
    theirs_name = f"plain{variant}" if variant in COUNTING else THEIR_NAMES.get(variant, variant)
    chance, start = random.Random(variant), pyffish.start_fen(theirs_name)
    notation, referee = UciNotation(catalogue.load(variant)), PyffishReferee(pyffish, theirs_name)
    compared = 0
    while compared < ENOUGH:
        position, moves, seen = Position(variant), [], set()
        while position.ply < LONGEST:
            result, comes_back = position.result(), position.repetition_key in seen
            is_sampled = result is not None or comes_back or position.ply % SAMPLED == 0
            if is_sampled or position.ply < OPENING:
                replies = referee.moves(notation.write_fen(position.fen()))
                assert difference(position, notation, referee, replies) is None
                compared += 1
                if is_sampled or not replies:
                    theirs = end_of(theirs_name, start, moves, replies)
                    if result is not None and theirs is None:  # a dead position is no end there
                        assert all(pyffish.has_insufficient_material(theirs_name, start, moves)), moves
                        break
                    assert (result and result.score) == theirs, (result, moves)
            if result is not None:
                break
            seen.add(position.repetition_key)
            text = chosen(chance, position)
            moves.append(notation.write_move(position.legal_by_text()[text]))
            position.push(text)


def test_games_that_tests_compile_take_every_branch_of_the_rules():
    taken = {variant: set(branches(rules_for(variant))) for variant in catalogue.shipped()}
    compiled = set().union(*(taken[variant] for variant in (*PLAYED_GAMES, *COMPILED_GAMES)))
    for name in GATHERED:
        compiled.update(branches(build(parse(gathered(name), f"{name}.toml"))))
    rest = {variant: sorted(found - compiled) for variant, found in taken.items() if found - compiled}
    assert not rest, "add games to COMPILED_GAMES or rules to GATHERED"
