"""Every stored move list of the games beside Pandemonium, and the counts that their rule books print."""

import pytest
import surajang
from surajang.engine.movegen.perft import perft
from surajang.tests.support.games import stored_positions, texts

pytestmark = [pytest.mark.compiled, pytest.mark.quick]

COUNTS = {
    "pandemonium-vchess": [4, 16, 608],
    "chaotic": [30, 892, 32_351],
    "janggi": [32, 1_024, 33_316],
}
VECTORS = [vector for variant in COUNTS for vector in stored_positions(variant)]


def name(vector):
    return f"{vector['variant']} {vector['fen']}"


@pytest.mark.parametrize("vector", VECTORS, ids=name)
def test_engine_knows_every_legal_move(vector):
    assert texts(surajang.Position(vector["variant"], vector["fen"])) == vector["moves"]


@pytest.mark.parametrize("vector", [v for v in VECTORS if v["perft2"] is not None], ids=name)
def test_engine_counts_two_plies(vector):
    assert perft(surajang.Position(vector["variant"], vector["fen"]), 2) == vector["perft2"]


@pytest.mark.parametrize("variant", COUNTS)
def test_engine_counts_from_the_start(variant):
    position = surajang.Position(variant)
    assert [perft(position, depth) for depth in (1, 2, 3)] == COUNTS[variant]
