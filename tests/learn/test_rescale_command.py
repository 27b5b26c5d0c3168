"""`surajang bench rescale`: the network's scores in the search, the displayed scores, and later training."""

import re
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from surajang.engine.position import Position
from surajang.engine.variant import Variant
from surajang.eval.network.features import features_for
from surajang.eval.network.file import NetworkError, load_network, random_network, save_network
from surajang.eval.terms.weights import NORMAL_SCALE
from surajang.learn.networks import rescale_command
from surajang.learn.networks.networks_command import facts_of
from surajang.learn.self_play.compiled_games import Settings
from surajang.learn.self_play.game_player import GamePlayer
from surajang.learn.self_play.games_file import Header
from surajang.learn.self_play.score_units import SEARCH_FACTOR, player_units, rescaled
from surajang.learn.training import train_command
from surajang.search.engine import Engine
from surajang.tests.support import network_reference
from surajang.tests.support.self_played import write_games, write_training_games

pytestmark = pytest.mark.process

GAME = Variant("minishogi")
SETTINGS = Settings(nodes=20, plies=6, seed=3, most_plies=60)


def run(command, *words):
    return CliRunner().invoke(command, [str(word) for word in words])


@pytest.fixture
def path(tmp_path):
    """A network with the training metadata of a trained one."""
    found = tmp_path / "n.network"
    save_network(found, replace(random_network(GAME, 16, seed=1), scale=500, metadata={"units": 500}))
    return found


def positions():
    start = Position(GAME)
    for move in start.legal_moves():
        after = start.copy()
        after.push(move)
        yield after


def test_search_counts_otherwise_and_people_see_the_same(path, tmp_path):
    out = tmp_path / "half.network"
    result = run(rescale_command.main, "--variant", GAME, "--eval-file", path, "--factor", 0.5, "--out", out)
    assert result.exit_code == 0 and "search factor 0.5" in result.output
    whole, half, features = load_network(path, GAME), load_network(out, GAME), features_for(GAME)
    engines = [Engine(GAME, 1, eval_file=file) for file in (path, out)]
    seen = []
    for position in positions():
        counted = [network_reference.score(network, features, position.state) for network in (whole, half)]
        assert abs(counted[0] - 2 * counted[1]) <= 2
        shown = [engine.evaluate(position).centipawns for engine in engines]
        assert abs(shown[0] - shown[1]) <= NORMAL_SCALE / half.scale + 1
        seen.append(counted[0])
    assert max(map(abs, seen)) > 200
    assert dict(facts_of(half))["search factor"] == "0.5"
    assert "search factor" not in dict(facts_of(whole))


def test_factors_multiply(path):
    network = load_network(path, GAME)
    twice = rescaled(rescaled(network, 0.5), 0.6)
    assert twice.scale == 150 and twice.metadata == {"units": 500, SEARCH_FACTOR: 0.3}
    assert player_units(GAME, twice) == player_units(GAME, network) == 500


@pytest.mark.parametrize("factor", [0, -1, "2", None, float("inf"), float("nan")])
def test_factor_that_is_nonsense_is_refused(path, factor):
    network = replace(load_network(path, GAME), metadata={SEARCH_FACTOR: factor})
    with pytest.raises(NetworkError, match=re.escape(f"a search factor of {factor!r}")):
        player_units(GAME, network)


def trained(data, out, *more):
    words = ("--variant", GAME, "--data", data, "--hidden", 16, "--epochs", 1, "--out", out, *more)
    result = run(train_command.main, *words)
    assert result.exit_code == 0, result.output
    return load_network(out, GAME)


def same_weights(one, two):
    return all(np.array_equal(*each) for each in zip(one.arrays(), two.arrays(), strict=True))


def test_next_network_learns_the_same_and_counts_like_the_one_that_played(path, tmp_path):
    """Games that differ only in the search factor of their player."""
    network, files = load_network(path, GAME), {}
    for factor in (1, 0.5):
        played = network if factor == 1 else rescaled(network, factor)
        player, header = GamePlayer(GAME, SETTINGS, network), Header.of(GAME, SETTINGS, played)
        games = [player.play(number) for number in range(60)]
        files[factor] = write_games(tmp_path / f"{factor}.games", games, header)
    plain, half = (trained(files[factor], tmp_path / f"{factor}.network") for factor in (1, 0.5))
    given = trained(files[0.5], tmp_path / "given.network", "--search-factor", 2)
    assert same_weights(plain, half) and same_weights(plain, given)
    assert half.scale == pytest.approx(plain.scale / 2, abs=1) and given.scale == 2 * plain.scale
    assert half.metadata[SEARCH_FACTOR] == half.metadata["data"][0][SEARCH_FACTOR] == 0.5
    assert SEARCH_FACTOR not in plain.metadata
    assert plain.metadata["units"] == half.metadata["units"] == given.metadata["units"]


def test_network_that_begins_with_it_learns_the_same_and_counts_like_it(path, tmp_path):
    data, half = write_training_games(tmp_path / "g.games", 60, SETTINGS, GAME), tmp_path / "half.network"
    save_network(half, rescaled(load_network(path, GAME), 0.5))
    plain, next_one = (trained(data, tmp_path / f"{p.stem}-2", "--from", p) for p in (path, half))
    assert same_weights(plain, next_one)
    assert next_one.scale == pytest.approx(plain.scale / 2, abs=1)
    assert next_one.metadata[SEARCH_FACTOR] == 0.5


def test_what_cannot_be_done_is_refused(path, tmp_path, monkeypatch):
    out = tmp_path / "x.network"
    monkeypatch.setattr(rescale_command, "default_network_path", lambda variant: tmp_path / "none")
    with pytest.raises(NetworkError, match=r"scale would be 12500, and must be from 1 to 10000"):
        rescaled(replace(load_network(path, GAME), scale=5000), 2.5)
    for words, said in (
        (
            ("--variant", "chess", "--eval-file", path, "--factor", 2),
            f"a network of '{GAME}', not of 'chess'",
        ),
        (("--variant", GAME, "--factor", 2), f"'{GAME}' comes without a network"),
        (("--variant", GAME, "--factor", 0), "0.0 is not in the range"),
    ):
        result = run(rescale_command.main, *words, "--out", out)
        assert result.exit_code == 2 and said in " ".join(result.output.split())
        assert not out.exists()
    words = ("--variant", GAME, "--eval-file", path, "--factor", 2, "--out", tmp_path / "no" / "folder")
    result = run(rescale_command.main, *words)
    assert result.exit_code == 2 and "there is no folder" in result.output
