"""The chances that UCI shows beside a score."""

import pytest
from surajang.engine.definition import catalogue
from surajang.eval.wdl import WDL_MODELS, wdl_model_of

pytestmark = pytest.mark.pure

SCORES = (-30_000, -2000, -250, -1, 0, 1, 250, 2000, 30_000)
games = pytest.mark.parametrize("game", sorted(WDL_MODELS))


@games
def test_chances_are_whole_permille_that_add_up(game):
    for score in SCORES:
        chances = WDL_MODELS[game].chances(score)
        assert sum(chances) == 1000 and min(chances) >= 0


@games
def test_what_one_side_wins_the_other_loses(game):
    wdl_model = WDL_MODELS[game]
    assert all(wdl_model.chances(-score) == wdl_model.chances(score)[::-1] for score in SCORES)


@games
def test_better_scores_win_more_and_lose_less(game):
    chances = [WDL_MODELS[game].chances(score) for score in SCORES]
    wins, _, losses = zip(*chances, strict=True)
    assert list(wins) == sorted(wins) and list(losses) == sorted(losses, reverse=True)
    assert chances[0] == (0, 0, 1000) and chances[-1] == (1000, 0, 0)


def test_mates_are_certain():
    wdl_model = WDL_MODELS["chess"]
    assert wdl_model.chances(30_000, 3) == (1000, 0, 0)
    assert wdl_model.chances(-30_000, -3) == wdl_model.chances(-30_000, 0) == (0, 0, 1000)


def test_draws_belong_to_games_without_drops():
    """In self-play a fifth of the games of chess were drawn, but only five in a thousand of crazyhouse."""
    assert WDL_MODELS["chess"].chances(0)[1] > 400 > 20 > WDL_MODELS["crazyhouse"].chances(0)[1]


@pytest.mark.parametrize(("game", "relative"), [("capahouse", "crazyhouse"), ("grand", "chess")])
def test_game_without_numbers_has_those_of_a_relative(game, relative):
    assert wdl_model_of(catalogue.load(game)) == WDL_MODELS[relative]
