"""`surajang bench average`: its weights, units and metadata, and what it refuses."""

from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from surajang.engine.definition import catalogue
from surajang.engine.variant import Variant
from surajang.eval.network.features import features_for
from surajang.eval.network.file import NetworkError, load_network, random_network, save_network
from surajang.learn.networks import average_command, networks_command
from surajang.learn.networks.averaging import averaged
from surajang.learn.networks.networks_command import facts_of
from surajang.learn.self_play.score_units import rescaled
from surajang.tests.support import network_reference
from surajang.tests.support.fuzz import positions

pytestmark = pytest.mark.process

GAME = Variant("minishogi")


def network(seed=1, **changes):
    changes = {"king_buckets": 2} | changes
    return replace(
        random_network(GAME, changes.pop("hidden", 16), seed, changes.pop("king_buckets")), **changes
    )


def run(*words):
    return CliRunner().invoke(average_command.main, [str(word) for word in words])


def further(before):
    """A network of weights that differ by multiples of 4 from those of `before`."""
    rng = np.random.default_rng(7)

    def moved(weights, limit):
        return weights + (4 * rng.integers(-limit, limit + 1, weights.shape)).astype(weights.dtype)

    small = replace(
        before,
        input_weights=before.input_weights // 2,
        output_weights=before.output_weights // 2,
        scale=400,
        metadata={"units": 400},
    )
    return small, replace(
        small,
        input_weights=moved(small.input_weights, 5),
        input_bias=moved(small.input_bias, 5),
        output_weights=moved(small.output_weights, 5),
        output_bias=moved(small.output_bias, 999),
        metadata={"units": 400, "epochs": 3},
    )


def test_weights_are_averaged_in_the_shares(tmp_path):
    one, two = further(network())
    files = (tmp_path / "one.network", tmp_path / "two.network")
    for file, each in zip(files, (one, two), strict=True):
        save_network(file, each)
    out = tmp_path / "out.network"
    result = run(*files, "--shares", "1,3", "--out", out)
    assert result.exit_code == 0 and f"{out}: 0.25 of one.network, 0.75 of two.network" in result.output
    found = load_network(out, GAME)
    for name in ("input_weights", "input_bias"):
        expected = (getattr(one, name).astype(int) + 3 * getattr(two, name).astype(int)) / 4
        assert np.array_equal(getattr(found, name), expected)
    for name, unit in (("output_weights", 1), ("output_bias", 255)):
        expected = (getattr(one, name) / one.parts + 3 * getattr(two, name) / two.parts) / 4
        assert np.abs(getattr(found, name) / found.parts - expected).max() <= 0.51 * unit / found.parts
    assert np.array_equal(found.king_buckets, one.king_buckets)
    assert found.scale == 400 and found.metadata == {
        "units": 400,
        "average_of": [["one.network", 0.25], ["two.network", 0.75]],
    }
    assert dict(facts_of(found))["average of"] == "0.25 of one.network, 0.75 of two.network"


def test_equal_shares_and_none_count_the_same(tmp_path):
    one, two = further(network())
    for name, each in (("a", one), ("b", two)):
        save_network(tmp_path / name, each)
    result = run(tmp_path / "a", tmp_path / "b", tmp_path / "b", "--out", tmp_path / "c")
    assert "0.333333 of a, 0.333333 of b, 0.333333 of b" in result.output
    found = load_network(tmp_path / "c", GAME)
    large = run(tmp_path / "a", tmp_path / "b", "--shares", "1e308,1e308", "--out", tmp_path / "d")
    assert "0.5 of a, 0.5 of b" in large.output
    expected = np.rint((one.input_bias.astype(int) + 2 * two.input_bias.astype(int)) / 3)
    assert np.array_equal(found.input_bias, expected)


def test_a_network_in_other_units_counts_by_what_its_scores_mean():
    """The second is the first with half of the output and twice the scale: the same scores."""
    first, _ = further(network())
    first = replace(
        first, output_weights=first.output_weights // 2 * 2, output_bias=first.output_bias // 2 * 2
    )
    second = replace(
        first, output_weights=first.output_weights // 2, output_bias=first.output_bias // 2, scale=800
    )
    features = features_for(GAME)
    for one, two in ((first, second), (rescaled(first, 0.5), rescaled(second, 0.25))):
        found = averaged((("a", one), ("b", two)), (2, 5))
        assert (found.scale, found.metadata.get("search_factor")) == (
            one.scale,
            one.metadata.get("search_factor"),
        )
        largest = 0
        for position in positions(GAME):
            scores = [network_reference.score(each, features, position.state) for each in (one, found)]
            assert abs(scores[0] - scores[1]) <= 2
            largest = max(largest, abs(scores[0]))
        assert largest > 50


@pytest.mark.parametrize(
    ("networks", "shares", "said"),
    [
        ((network(),), (1,), "an average is of two networks or more, not of 1"),
        ((network(), network(2)), (1,), "1 shares for 2 networks"),
        ((network(), network(2)), (1, 0), "a share of 0"),
        ((network(), network(2)), (1, float("inf")), "a share of inf"),
        ((network(), network(2)), (1, float("nan")), "a share of nan"),
        ((network(), network(hidden=32)), (1, 1), "1: the number of neurons is 32, but 16 in 0"),
        ((network(), network(king_buckets=1)), (1, 1), "1: the table of king buckets is none, but"),
        ((network(), network(2)), (1, 1), "1: the table of king buckets is"),
        (
            (network(king_buckets=1), network(king_buckets=1, output_buckets="hands")),
            (1, 1),
            "1: the kind of output buckets is hands, but board in 0",
        ),
        (
            (network(king_buckets=1), random_network(Variant("minixiangqi"), 16, 1)),
            (1, 1),
            "1: the game is minixiangqi, but minishogi in 0",
        ),
    ],
)
def test_what_has_no_average_is_refused(networks, shares, said):
    with pytest.raises(NetworkError, match=said):
        averaged([(str(number), each) for number, each in enumerate(networks)], shares)


def test_the_command_tells_what_is_wrong(tmp_path):
    path, out = tmp_path / "one.network", tmp_path / "out.network"
    save_network(path, network())
    for words, said in (
        ((path,), "an average is of two networks or more, not of 1"),
        ((path, path, "--shares", "1;2"), "'1;2' are not numbers with commas between them, such as 0.6,0.4"),
        ((path, path, "--shares", "1,2,3"), "3 shares for 2 networks; give one each"),
        ((path, tmp_path / "none"), "does not exist"),
    ):
        result = run(*words, "--out", out)
        assert result.exit_code == 2 and said in " ".join(result.output.split()), result.output
        assert not out.exists()


@pytest.mark.parametrize("command", [average_command.main, networks_command.main])
def test_networks_of_a_game_of_the_users_own(command, tmp_path, monkeypatch):
    monkeypatch.delenv("SURAJANG_VARIANT_FILE", raising=False)
    toml, path = tmp_path / "tinyshogi.toml", tmp_path / "one.network"
    toml.write_text('extends = "minishogi"\nname = "tinyshogi"\n')
    catalogue.register(toml)
    save_network(path, random_network(Variant("tinyshogi"), 16, seed=1))
    monkeypatch.delitem(catalogue._registered, "tinyshogi")
    words = [str(path)]
    if command is average_command.main:
        words += [str(path), "--out", str(tmp_path / "out.network")]
    refused = CliRunner().invoke(command, words)
    assert refused.exit_code == 2 and "'tinyshogi'" in refused.output and "--variant-file" in refused.output
    result = CliRunner().invoke(command, [*words, "--variant-file", str(toml)])
    assert result.exit_code == 0, result.output
