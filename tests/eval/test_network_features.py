"""The inputs of a network: compiled code numbers them by the rules, for both sides."""

import random
from functools import cache

import numpy as np
import pytest
from surajang import Position
from surajang.engine.definition import fen as fens
from surajang.engine.definition.catalogue import load
from surajang.engine.variant import Variant
from surajang.eval.network.features import (
    MAX_IN_HAND,
    build_features,
    features_digest,
    features_for,
    write_active_features,
)
from surajang.tests.support.games import stored_positions

pytestmark = pytest.mark.compiled

GAMES = (
    "crazyhouse",
    "pandemonium",
    "janggi",
    "chaotic",
    "chess",
    "minishogi",
    "xxl",
    "3check",
    "seirawan",
    "shouse",
    "duck",
)
STORED = ("pandemonium", "janggi", "chaotic")


def expected(position, perspective):
    """The active features as text, from the FEN only."""
    description = position.description
    setup = fens.parse(position.fen(), description)
    files, ranks, squares = description.files, description.ranks, description.squares
    letters = [piece.letter for piece in description.pieces]
    kinds, base = len(letters), {piece.letter: piece.base for piece in description.pieces}
    start = fens.parse(description.start_fen, description)
    pieces = [base[letter] for _, letter in start.board.values()]
    limits = {}
    for piece in description.hand_pieces:
        in_hands = sum(hand.get(piece.letter, 0) for hand in start.hands)
        limits[piece.letter] = min(MAX_IN_HAND, max(1, pieces.count(piece.letter) + in_hands))
    hands, total = (2 * kinds + bool(description.walls)) * squares, sum(limits.values())

    def viewed(square):
        return square if perspective == 0 else (ranks - 1 - square // files) * files + square % files

    found = {2 * kinds * squares + viewed(square) for square in setup.walls}
    for square, (side, letter) in setup.board.items():
        view = viewed(square)
        found.add(((side != perspective) * kinds + letters.index(letter)) * squares + view)
    for side in range(2):
        first = hands + (side != perspective) * total
        dead = description.gates and not description.gates.drops and not position.state["gates"][side]
        for letter, limit in {} if dead else limits.items():
            held = min(limit, setup.hands[side].get(letter, 0))
            found |= set(range(first, first + held))
            first += limit
    state, record = hands + 2 * total, position.state
    wings = len(description.castling) if description.castling_rights else 0
    for side in range(2):
        for wing in range(wings):
            if int(record["rights"]) >> (side * wings + wing) & 1:
                found.add(state + (side != perspective) * wings + wing)
    state += 2 * wings
    if description.setup_swaps:
        for side, letter in enumerate("Ss"):
            if letter in setup.mechanic_letters:
                found.add(state + (side != perspective))
        state += 2
    if description.passing and record["passed"]:
        found.add(state)
    if description.gates:
        for side in range(2):
            gates = {file for file in range(files) if int(record["gates"][side]) >> file & 1}
            found |= {state + (side != perspective) * files + file for file in gates}
        state += 2 * files
    if description.check_limit:
        for side in range(2):
            first = state + (side != perspective) * (description.check_limit - 1)
            found |= {
                first + most - 1
                for most in range(1, description.check_limit)
                if record["checks"][side] <= most
            }
    return found


def features_of(position, perspective):
    features = features_for(position.variant)
    found = np.zeros(features.most, np.uint16)
    record = np.array([position.state])
    count = write_active_features(features, record, perspective, found)
    assert len(set(found[:count].tolist())) == count
    return set(found[:count].tolist())


@cache
def walk(variant, moves=60):
    """Positions of a random game."""
    rng, position, found = random.Random(variant), Position(variant), []
    for _ in range(moves):
        found.append(position.fen())
        legal = position.legal_moves()
        if not legal or position.result():
            break
        position.push(rng.choice(sorted(legal, key=str)))
    return found


@pytest.mark.parametrize("variant", GAMES)
def test_features_are_those_of_the_numbering(variant):
    fens = list(walk(variant))
    if variant in STORED:
        fens += [entry["fen"] for entry in stored_positions(variant)[:100]]
    for fen in fens:
        position = Position(variant, fen)
        for perspective in range(2):
            assert features_of(position, perspective) == expected(position, perspective)


def test_start_looks_the_same_to_both_sides_where_it_is_mirrored():
    position = Position("crazyhouse")
    assert features_of(position, 0) == features_of(position, 1)
    position.push("e2e4")
    assert features_of(position, 0) != features_of(position, 1)


@pytest.mark.parametrize(
    ("fen", "mirrored"),
    [
        ("8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1", "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ b - - 0 1"),
        ("8/6K1/8/1k6/8/8/1r3B2/q4N2 w - - 0 1", "8/1k6/8/6K1/8/8/2b3R1/2n4Q b - - 0 1"),
    ],
)
def test_sides_that_race_to_one_rank_see_the_other_file(fen, mirrored):
    """A network serves both sides only if Black's view of a position is White's of its mirror image."""
    position, other = Position("racingkings", fen), Position("racingkings", mirrored)
    for side in (0, 1):
        assert features_of(position, side) == features_of(other, 1 - side)


def test_pass_and_setup_choices_are_seen():
    position = Position("janggi", load("janggi").start_fen.replace(" - - ", " Ss - "))
    features = features_for(Variant("janggi"))
    assert features.count == 2 * 7 * 90 + 3
    assert {features.state, features.state + 1} <= features_of(position, 0)
    for move in sorted(map(str, position.legal_moves()))[:1]:
        position.push(move)
    assert features.state not in features_of(position, 0)
    assert features.state + 1 in features_of(position, 0)
    assert features.state in features_of(position, 1)


def test_pass_is_the_last_feature_of_janggi():
    position = Position("janggi", load("janggi").start_fen)
    features = features_for(Variant("janggi"))
    passed = next(move for move in map(str, position.legal_moves()) if move[:2] == move[2:])
    position.push(passed)
    assert features.count - 1 in features_of(position, 0) & features_of(position, 1)


def test_castling_rights_are_own_and_enemy_s():
    position = Position("crazyhouse", "r3k2r/8/8/8/8/8/8/R3K2R[] w Kq - 0 1")
    features = features_for(Variant("crazyhouse"))
    own = {number - features.state for number in features_of(position, 0) if number >= features.state}
    enemy = {number - features.state for number in features_of(position, 1) if number >= features.state}
    assert own == {0, 3} and enemy == {1, 2}


def test_hand_is_counted_up_to_its_limit():
    """A game begins with two queens; a FEN may have more in hand."""
    many = Position("crazyhouse", "4k3/8/8/8/8/8/8/4K3[QQQQQpp] w - - 0 1")
    features = features_for(Variant("crazyhouse"))
    assert features.limits.tolist() == [2, 4, 4, 4, 16]
    hand = {number for number in features_of(many, 0) if features.hands <= number < features.state}
    pawn = features.hands + features.hand_features + 14
    assert hand == {features.hands, features.hands + 1, pawn, pawn + 1}


def test_hand_without_a_gate_is_seen_where_its_pieces_can_be_dropped():
    for variant, seen in (("seirawan", 0), ("shouse", 2)):
        features = features_for(Variant(variant))
        for hands, gates, count in (("HE", "B", 2), ("HE", "-", seen)):
            position = Position(variant, f"1n2k3/8/8/8/8/8/8/1N2K3[{hands}] w {gates} - 0 1")
            hand = {each for each in features_of(position, 0) if features.hands <= each < features.state}
            assert len(hand) == count


def test_no_position_has_more_features_than_fit():
    features = features_for(Variant("crazyhouse"))
    ranks = "/".join(["n" * 8] * 6)
    full = Position("crazyhouse", f"k7/{ranks}/K7[QQQRRRRRBBBBBNNNNN{'P' * 17}{'p' * 17}] w - - 0 1")
    assert len(features_of(full, 0)) <= features.most


def test_digest_depends_on_pieces_but_not_on_values(tmp_path):
    def digest(name, text):
        path = tmp_path / name / "crazyhouse.toml"
        path.parent.mkdir()
        path.write_text(f'extends = "crazyhouse"\nname = "crazyhouse"\ntitle = "Mine"\n[pieces]\n{text}\n')
        return features_digest(Variant(path))

    assert digest("values", "N = { value = 311 }") == features_digest(Variant("crazyhouse"))
    assert digest("moves", 'N = { moves = "C" }') != features_digest(Variant("crazyhouse"))


def test_equal_rules_have_equal_features():
    rules, description = Position("crazyhouse").rules, load("crazyhouse")
    assert build_features(rules, description).name == features_for(Variant("crazyhouse")).name
