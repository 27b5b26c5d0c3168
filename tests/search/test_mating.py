"""Nodes at which the search tries only moves that may mate at once."""

import pytest
from surajang import Engine
from surajang.bench.suites.mates.mate_file import FOLDER, read_mates
from surajang.engine.definition import catalogue
from surajang.engine.rules import rules_for
from surajang.engine.variant import Variant
from surajang.search.aspiration import NO_LIMIT, Root
from surajang.search.stop import Stop
from surajang.search.tree.parameters import MATE
from surajang.search.tree.tunable import tuned_values
from surajang.search.tree.worker import new_worker
from surajang.tests.support.inside import Inside

pytestmark = pytest.mark.compiled

PLY = 4
LONGER = MATE - PLY - 3  # the score of a mate that is a move longer than one at once at that ply


@pytest.mark.parametrize("variant", ["chess", "chaotic"])
def test_it_does_so_near_the_horizon_where_a_mate_is_known_that_is_a_move_longer(variant):
    inside, most = Inside(variant), tuned_values(rules_for(variant))["mating_depth"]
    assert inside.must_mate(1, LONGER, PLY) and inside.must_mate(most, LONGER, PLY)
    assert not inside.must_mate(most + 1, LONGER, PLY)
    assert not inside.must_mate(1, LONGER - 1, PLY)
    assert not inside.must_mate(1, MATE - 3, 0)


@pytest.mark.parametrize("variant", ["kingofthehill", "janggi", "xiangqi", "pandemonium-vchess"])
def test_it_does_not_where_a_quiet_move_can_end_the_game(variant):
    inside = Inside(variant)
    assert not any(inside.must_mate(depth, LONGER, PLY) for depth in (-1, 0, 1))


def test_it_does_not_in_games_with_drops_whose_uncovered_checks_are_not_known():
    rules = rules_for("crazyhouse")
    assert not tuned_values(rules)["uncovering"]
    assert not Inside("crazyhouse").must_mate(1, LONGER, PLY)


def test_mates_are_as_short_and_take_fewer_nodes():
    variant = "chess"
    engine = Engine(variant, eval_file=False, compile_now=False)  # workers that are tuned have their own code
    rules, description = rules_for(variant), catalogue.load(variant)
    mates = [mate for mate in read_mates(FOLDER / f"{variant}.epd", Variant(variant)) if mate.moves == 3][:6]
    for mate in mates:
        found = []
        for tuned in ({"mating_depth": 0}, {}):
            root, value = Root(engine, new_worker(rules, description, None, tuned), []), 0
            engine.table.clear()
            root.load(mate.position, Stop())
            root.worker["stoppable_from"] = NO_LIMIT
            for depth in range(1, 15):
                line, _ = root.search(depth, value)
                value = line.value
            found.append((value, root.nodes))
        (longest, most), (value, nodes) = found
        assert value == longest >= MATE - 7 and nodes < most
