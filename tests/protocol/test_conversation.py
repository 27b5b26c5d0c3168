"""The conversation as a whole, besides passing events on."""

import gc

import pytest
from surajang.engine.variant import Variant
from surajang.protocol.conversation import freeze_first_game
from surajang.protocol.session.loading import Loaded, LoadFailed

pytestmark = pytest.mark.pure


@pytest.fixture
def thresholds():
    before = gc.get_threshold()
    gc.unfreeze()
    gc.set_threshold(12_345, 10, 10)
    yield before
    gc.unfreeze()
    gc.set_threshold(*before)


@pytest.mark.slow
def test_only_the_first_game_is_exempted_from_the_search_for_garbage(thresholds):
    """An earlier one can be collected, however often a GUI changes the game."""
    freeze_first_game("a line", thresholds)
    assert gc.get_freeze_count() == 0 and gc.get_threshold() != thresholds
    freeze_first_game(Loaded(Variant("chess"), None, None), thresholds)
    frozen = gc.get_freeze_count()
    assert frozen and gc.get_threshold() == thresholds
    young = [[] for _ in range(1000)]
    freeze_first_game(Loaded(Variant("janggi"), None, None), thresholds)
    freeze_first_game(LoadFailed(Variant("xxl"), MemoryError()), thresholds)
    assert gc.get_freeze_count() <= frozen < frozen + len(young)


def test_game_that_cannot_be_loaded_ends_the_start_as_well(thresholds):
    freeze_first_game(LoadFailed(Variant("xxl"), MemoryError()), thresholds)
    assert gc.get_freeze_count() and gc.get_threshold() == thresholds
