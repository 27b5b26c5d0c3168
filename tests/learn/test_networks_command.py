"""`surajang bench networks`: the facts about a network's file, and refused files."""

from dataclasses import replace

import pytest
from click.testing import CliRunner
from surajang.engine.variant import Variant
from surajang.eval.network.file import NetworkError, game_of, random_network, save_network
from surajang.learn.networks.networks_command import facts_of, main, shipped_networks

pytestmark = pytest.mark.pure


@pytest.fixture
def network():
    return random_network(Variant("minishogi"), 16, seed=1)


def run(*words):
    return CliRunner(env={"COLUMNS": "200"}).invoke(main, [str(word) for word in words])


MOST_BYTES = 24_000_000  # of all networks that come with the games: a wheel holds them beside compiled code


TRAINED = {  # as training writes it
    "program": "Surajang 0.2.0 (sources 934d0c27008a)",
    "begun_with": None,
    "data": [
        {
            **{"file": "a.games", "games": 233_178, "positions": 4_000_006, "nodes": 200, "plies": 8},
            **{"seed": 21, "player": "the hand-written evaluation"},
        }
    ],
    **{"positions": 3_800_000, "held_out": 200_006, "lambda": 0.0, "decay": 0.93, "power": 2.5, "scale": 250},
    **{"epochs_made": 9, "epochs": 10, "best_epoch": 7, "rate": 0.001, "final_rate": 1e-05, "batch": 16_384},
    **{"seed": 1, "threads": 2, "loss": 0.02, "held_out_loss": 0.03, "rounding": {"mean": 1.5, "most": 8.5}},
}


def test_file_records_its_game_and_its_training(network, tmp_path):
    path = tmp_path / "n.network"
    save_network(path, replace(network, metadata=TRAINED))
    done = run(path)
    assert done.exit_code == 0 and game_of(path) == "minishogi"
    for text in (
        "n.network",
        "520, 16",
        "random weights",
        "233,178 games, 4,000,006 positions, 200 nodes a move",
        "seed 21, by the hand-written evaluation",
        "3,800,000 learned from, 200,006 held out",
        "9 of 10, the best is 7",
    ):
        assert text in done.output


def test_file_records_its_output_buckets_and_the_end_of_its_training(network, tmp_path):
    path = tmp_path / "n.network"
    later = {"average": 0.25, "result_share": 0.3, "epochs": 1.5, "epochs_made": 1.5, "best_epoch": 1.5}
    save_network(path, replace(network, output_buckets="hands", metadata=TRAINED | later))
    found = dict(facts_of(replace(network, output_buckets="hands", metadata=TRAINED | later)))
    assert found["output buckets by"] == "hands" and "output buckets by" not in dict(facts_of(network))
    assert found["epochs"] == "1.5 of 1.5, the best is 1.5"
    assert found["target"].endswith("at the end 0.3 parts result")
    assert "weights averaged over the last 0.25" in found["Adam"]
    assert run(path).exit_code == 0


@pytest.mark.slow
def test_without_files_all_that_come_with_the_games_are_shown():
    shown = run().output
    assert all(path.name in shown for path in shipped_networks())


@pytest.mark.parametrize("metadata, told", [({}, "none"), ({"positions": 7}, '{"positions": 7}')])
def test_metadata_of_other_programs_are_shown_unchanged(network, metadata, told):
    assert dict(facts_of(replace(network, metadata=metadata)))["training metadata"] == told


def test_damaged_file_is_refused_by_name(network, tmp_path):
    path = tmp_path / "n.network"
    save_network(path, network)
    path.write_bytes(path.read_bytes()[:-1])
    done = run(path)
    assert done.exit_code == 2 and "n.network: truncated" in done.output
    with pytest.raises(NetworkError, match="truncated"):
        game_of(path)


def test_file_with_another_game_written_into_it_is_refused(network, tmp_path):
    path = tmp_path / "n.network"
    save_network(path, network)
    data = path.read_bytes()
    assert data.count(b'"minishogi"') == 1
    path.write_bytes(data.replace(b'"minishogi"', b'"minishoga"'))
    done = run(path)
    assert done.exit_code == 2 and "checksum" in done.output


def test_king_buckets_are_shown():
    bucketed, plain = (
        dict(facts_of(random_network(Variant("minishogi"), 16, seed=5, king_buckets=n))) for n in (4, 1)
    )
    assert bucketed["king buckets"] == "4" and "king buckets" not in plain
    assert bucketed["inputs, neurons"] == plain["inputs, neurons"]


def test_markdown_is_a_table_with_a_row_for_each_network(network, tmp_path):
    path = tmp_path / "n.network"
    save_network(path, replace(network, metadata=TRAINED))
    header, line, row = run("--markdown", path).output.splitlines()
    assert header == "| game | inputs | neurons | king buckets | search factor | positions | size, kB |"
    assert line == "|---" * 7 + "|"
    assert row == f"| minishogi | 520 | 16 | 1 | 1 | 4,000,006 | {path.stat().st_size / 1000:.0f} |"


def test_networks_of_all_games_together_stay_small():
    """Every installation contains all of them."""
    sizes = [path.stat().st_size for path in shipped_networks()]
    assert len(sizes) > 20 and sum(sizes) <= MOST_BYTES
