"""Real runs of `surajang learn`: killed in every phase, and on a Dask cluster that loses a worker.
Each comes to the network of a run that nothing disturbs."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from surajang.eval.network.file import load_network
from surajang.learn.generations.generations import FIXED

pytestmark = [pytest.mark.process, pytest.mark.slow]

ARGUMENTS = (
    *("learn", "--variant", "minishogi", "--generations", "1", "--positions", "3000", "--nodes", "10"),
    *("--hidden", "16", "--epochs", "3", "--games", "4", "--match-nodes", "30", "--tc", "0.3+0.03"),
    *("--factor-games", "0"),
)
SECONDS = 60  # within which a killed worker must have ended


def learn(folder, *options):
    """Starts the command; its output goes to a file beside the folder."""
    return subprocess.Popen(
        [sys.executable, "-m", "surajang", *ARGUMENTS, *options, "--out", str(folder)],
        env=os.environ | {"SURAJANG_DATA_DIR": str(folder.parent / "data")},
        stdout=folder.with_suffix(".log").open("wb"),
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def log_of(folder):
    return folder.with_suffix(".log").read_text()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a run that nothing disturbs."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    assert learn(folder).wait() == 0, log_of(folder)
    return folder


def assert_same(folder, whole):
    """Two runs have played the same games and trained the same network."""
    for name in ("data.games", "network.network"):
        parts = [(run / "generation-01" / name).read_bytes() for run in (whole, folder)]
        assert parts[0] == parts[1]


def test_real_run_killed_in_every_phase_comes_to_the_same_network(whole, tmp_path):
    assert load_network(whole / "generation-01" / "network.network", "minishogi").hidden == 16
    run = tmp_path / "run"
    for mark in ("data.games", "network.network*", f"{FIXED}/games.jsonl"):
        process = learn(run)
        while process.poll() is None and not list((run / "generation-01").glob(mark)):
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert learn(run).wait() == 0, log_of(run)
    assert "report.md" in log_of(run) and (run / "report.md").exists()
    assert_same(run, whole)
    state = json.loads((run / "generation-01" / "state.json").read_text())
    assert state["verdict"]["kept"] in (True, False) and sum(
        state["match_at_nodes"][name] for name in ("wins", "draws", "losses")
    )


def test_worker_that_is_killed_costs_no_more_than_its_game(whole, tmp_path):
    pytest.importorskip("distributed")
    from surajang.tests.support.local_cluster import LocalCluster

    run, cluster = tmp_path / "run", LocalCluster()
    try:
        cluster.add_workers(3)
        process = learn(run, "--cluster", cluster.address)
        played = run / "generation-01" / "data.games"
        while process.poll() is None and not (played.exists() and played.stat().st_size > 1000):
            time.sleep(0.02)
        cluster.workers[0].kill()
        assert not list(played.parent.glob("network*")), (
            "the worker should have been lost while games were played"
        )
        assert cluster.workers[0].wait(SECONDS) == -signal.SIGKILL
        assert process.wait() == 0, log_of(run)
    finally:
        cluster.close()
    assert_same(run, whole)
