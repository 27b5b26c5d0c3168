"""The accumulators and the score of a network: incremental updates equal a fresh computation in NumPy."""

import random
from dataclasses import replace

import numpy as np
import pytest
from surajang import Position
from surajang.engine.kernel.bitboard import from_words, to_words
from surajang.engine.kernel.compiler import entry_point
from surajang.engine.movegen.make_move import play_null
from surajang.engine.variant import Variant
from surajang.eval.network.file import Network, random_network
from surajang.eval.network.output import SharedNetwork
from surajang.eval.network.output_buckets import BOARD, HANDS
from surajang.search.tree.evaluation import position_changed, static_evaluation
from surajang.search.tree.worker import new_worker, worker_dtype
from surajang.tests.support import network_reference

pytestmark = pytest.mark.compiled

HIDDEN = 32
GAMES, PLIES = 3, 70  # of a walk
# Boards of 64 to 256 bits, hands, hoppers, merchants, gates, walls
GAMES_OF_EACH_KIND = (
    *("3check", "atomic", "cannonshogi", "chaotic", "chess", "crazyhouse", "duck", "pandemonium-vchess"),
    *("shouse", "xiangqi", "xxl"),
)
OWN_GAMES = {
    "six-ranks": """
extends = "minishogi"
name = "six-ranks"
start = "rbsgk/4p/5/5/P4/KGSBR[] w - - 0 1"
[board]
files = 5
ranks = 6
[promotion]
zone = [6]
""",
    "full-hands": """
extends = "crazyhouse"
name = "full-hands"
start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[QNNPPPrrbpp] w KQkq - 0 1"
""",
    "two-chancellors": """
extends = "capahouse"
name = "two-chancellors"
start = "rncbqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNCBQKBCNR[] w KQkq - 0 1"
""",
    "few-gates": """
extends = "seirawan"
name = "few-gates"
start = "1n2k1n1/pppppppp/8/8/8/8/PPPPPPPP/1N2K1N1[HEhe] w BGbg - 0 1"
""",
    "trails": """
extends = "duck"
name = "trails"
[walls]
rule = "past"
""",
}


@entry_point
def _evaluate(rules, worker, ply):
    return static_evaluation(rules, worker, np.int64(ply))


@entry_point
def _arrive(rules, worker, ply):
    position_changed(rules, worker, np.int64(ply))


@entry_point
def _pass(rules, worker, ply):
    play_null(rules, worker.positions[ply + 1], worker.positions[ply])
    position_changed(rules, worker, np.int64(ply + 1))


class Player:
    """A worker that evaluates by a random network, and the positions of its stack as Python sees them."""

    def __init__(self, variant, hidden=HIDDEN, seed=1, king_buckets=1, output_buckets=BOARD):
        position = Position(variant)
        self.rules, self.network = (
            position.rules,
            random_network(Variant(variant), hidden, seed, king_buckets),
        )
        self.network = replace(
            self.network, output_buckets=output_buckets, parts=150
        )  # an output's step is no whole number
        self.shared = SharedNetwork(self.network)
        self.features = self.shared.shape.features
        self.worker = new_worker(self.rules, position.description, self.shared)

    def put(self, ply, position):
        """Overwrites the position at a ply."""
        self.worker["positions"][ply] = position.state
        _arrive(self.rules, self.worker, ply)

    def score(self, ply):
        """The score of the position at a ply; accumulators and score are compared with the reference."""
        found = int(_evaluate(self.rules, self.worker, ply))
        state = self.worker["positions"][ply]
        np.testing.assert_array_equal(
            self.worker["sums"][ply], network_reference.sums(self.network, self.features, state)
        )
        assert found == network_reference.score(self.network, self.features, state)
        return found


BY_HANDS = " by hands"
BUCKETED = {
    "crazyhouse": 8,
    "pandemonium": 16,
    "janggi": 3,
    "placement": 5,
    "seirawan": 8,
}  # king buckets, at random; also placement and palaces


@pytest.fixture(
    scope="module",
    params=[
        *GAMES_OF_EACH_KIND,
        *OWN_GAMES,
        *(f"{name} in {king_buckets} king buckets" for name, king_buckets in BUCKETED.items()),
        *(f"{name}{BY_HANDS}" for name in ("crazyhouse", "minishogi")),
    ],
)
def player(request, tmp_path_factory):
    name, _, king_buckets = request.param.partition(" in ")
    if king_buckets:
        return name, Player(name, king_buckets=BUCKETED[name])
    if name.endswith(BY_HANDS):
        name = name.removesuffix(BY_HANDS)
        return name, Player(name, output_buckets=HANDS)
    if name in OWN_GAMES:
        path = tmp_path_factory.mktemp("games") / f"{name}.toml"
        path.write_text(OWN_GAMES[name])
        name = str(path)
    return name, Player(name)


def chosen(position, chance):
    """A random move that prefers captures, promotions and drops."""
    moves = position.legal_moves()
    sharp = [
        move
        for move in moves
        if move.is_drop or move.is_promotion or (not move.is_pass and position.piece_at(move.to_square))
    ]
    return chance.choice(sharp if sharp and chance.random() < 0.5 else moves)


def test_sums_kept_up_over_a_game_equal_fresh_ones(player):
    """Positions are evaluated sometimes, so that up to several moves lie between two evaluations, some of
    them null moves."""
    variant, player = player
    chance = random.Random(variant.rpartition("/")[2])
    scores = []
    for _ in range(GAMES):
        position, ply = Position(variant), 0
        player.put(ply, position)
        while ply < PLIES and position.legal_moves() and not position.result():
            if chance.random() < 0.7:
                scores.append(player.score(ply))
            if chance.random() < 0.15:
                _pass(player.rules, player.worker, ply)
                player.score(ply + 1)
            position.push(chosen(position, chance))
            ply += 1
            player.put(ply, position)
        scores.append(player.score(ply))
    assert len(set(scores)) > len(scores) / 2  # the network tells positions apart


def test_another_move_from_a_ply_forgets_the_sums_of_the_move_before(player):
    variant, player = player
    start = Position(variant)
    player.put(0, start)
    player.score(0)
    for move in start.legal_moves()[:8]:
        child = start.copy()
        child.push(move)
        player.put(1, child)
        player.score(1)


@pytest.mark.parametrize("king_buckets", [1, 4])
def test_hands_choose_the_output_by_what_both_sides_hold(king_buckets):
    """None, one, two or three, more of the mover's; with an enemy that holds two or more the next output."""
    player = Player("crazyhouse", king_buckets=king_buckets, output_buckets=HANDS)
    expected = {"": 0, "P": 2, "PN": 4, "PNQ": 4, "PNQR": 6, "p": 0, "pp": 1, "Pqr": 3, "PPPPPpppp": 7}
    for hands, output in expected.items():
        position = Position("crazyhouse", f"4k3/8/8/8/8/8/8/4K2R[{hands}] w - - 0 1")
        assert network_reference.bucket(player.network, player.features, position.state) == output
        player.put(0, position)
        player.score(0)
        other = Position("crazyhouse", f"4k3/8/8/8/8/8/8/4K2R[{hands.swapcase()}] b - - 0 1")
        assert network_reference.bucket(player.network, player.features, other.state) == output


@pytest.mark.parametrize("hidden", [16, 48, 128, 144, 256])
def test_any_number_of_hidden_neurons(hidden):
    player, position = Player("crazyhouse", hidden), Position("crazyhouse")
    chance = random.Random(hidden)
    for ply in range(40):
        player.put(ply, position)
        player.score(ply)
        position.push(chosen(position, chance))


def test_activations_and_products_at_their_bounds():
    """Accumulators far beyond the clipping and the largest weights: int16 and int32 hold them."""
    plain = random_network(Variant("crazyhouse"), 128, 1)
    for sign in (1, -1):
        player = Player("crazyhouse", 128)
        player.network = Network(
            plain.variant,
            128,
            plain.scale,
            np.full_like(plain.input_weights, 200),
            plain.input_bias,
            np.full_like(plain.output_weights, 127 * sign),
            plain.output_bias,
        )
        player.shared = SharedNetwork(player.network)
        player.worker["network"] = player.shared.address
        player.put(0, Position("crazyhouse"))
        assert player.score(0) == sign * 15_000


def mirrored(features, rules, state):
    """The record of the same position with the board turned over and the colours swapped, as far as a network
    sees it."""
    turned = state.copy()
    view = features.flipped.astype(int)
    turned["board"] = state["board"][view]
    for side in (0, 1):
        squares = from_words(state["colours"][1 - side])
        turned["colours"][side] = to_words(
            sum(1 << int(view[square]) for square in range(rules.squares) if squares >> square & 1),
            rules.empty.width,
        )
        turned["hands"][side] = state["hands"][1 - side]
        turned["kings"][side] = view[int(state["kings"][1 - side])]
    if "walls" in state.dtype.names:
        walls = from_words(state["walls"])
        turned["walls"] = to_words(
            sum(1 << int(view[square]) for square in range(rules.squares) if walls >> square & 1),
            rules.empty.width,
        )
    rights, choices, own = int(state["rights"]), int(state["choices"]), (1 << rules.wings) - 1
    turned["rights"] = (rights & own) << rules.wings | rights >> rules.wings
    turned["choices"] = (choices & 1) << 1 | choices >> 1
    for name in {"checks", "gates"} & set(state.dtype.names):
        turned[name] = state[name][::-1]
    turned["side"] = 1 - int(state["side"])
    return turned


def test_mirrored_colours_have_the_same_score(player):
    variant, player = player
    position, chance = Position(variant), random.Random(4)
    for _ in range(40):
        player.put(0, position)
        here = player.score(0)
        player.worker["positions"][0] = mirrored(player.features, player.rules, position.state)
        _arrive(player.rules, player.worker, 0)
        assert player.score(0) == here
        if position.result() or not position.legal_moves():
            break
        position.push(chosen(position, chance))


def test_the_score_is_of_the_side_to_move():
    """A network that counts own pieces scores the side with more pieces higher, whichever it is."""
    player = Player("chess")
    weights = np.zeros_like(player.network.input_weights)
    weights[: player.features.hands // 2] = 7  # own pieces, against a bias of 7 for each of a few
    network = Network(
        Variant("chess"),
        HIDDEN,
        250,
        weights,
        np.zeros(HIDDEN, np.int16),
        np.repeat([[1] * HIDDEN + [-1] * HIDDEN], 8, axis=0).astype(np.int16),
        np.zeros(8, np.int32),
    )
    player.network, player.shared = network, SharedNetwork(network)
    player.worker["network"] = player.shared.address
    for turn, sign in (("w", 1), ("b", -1)):
        player.put(0, Position("chess", f"4k3/8/8/8/8/8/PPPP4/4K3 {turn} - - 0 1"))
        assert sign * player.score(0) > 0


def test_a_worker_without_a_network_has_no_trace_of_it():
    rules = Position("chess").rules
    assert not {"sums", "fresh", "network"} & set(worker_dtype(rules).fields)


def test_threads_share_one_copy_of_the_weights():
    shared = SharedNetwork(random_network(Variant("chess"), HIDDEN, 1))
    position = Position("chess")
    workers = [new_worker(position.rules, position.description, shared) for _ in range(2)]
    assert {int(worker["network"]) for worker in workers} == {shared.address}


def test_numba_does_not_take_a_worker_with_a_network_for_one_without():
    """It would run the code of the other evaluation."""
    from numba import from_dtype
    from numba.core.registry import cpu_target

    rules, shape = Position("chess").rules, SharedNetwork(random_network(Variant("chess"), HIDDEN, 1)).shape
    with_network, without = (from_dtype(worker_dtype(rules, each)) for each in (shape, None))
    context = cpu_target.typing_context
    assert context.can_convert(with_network, without) is None
    assert context.can_convert(without, with_network) is None
