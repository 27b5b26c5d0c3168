"""Real runs of `surajang learn`: one that is killed in every phase comes to the network of a run that nothing
disturbs. `test_data` plays the games of a run on a Dask cluster that loses a worker."""

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
    *("learn", "--variant", "minishogi", "--generations", "1", "--positions", "1500", "--nodes", "10"),
    *("--hidden", "16", "--epochs", "3", "--games", "2", "--match-nodes", "30", "--tc", "0.1+0.01"),
    *("--factor-games", "0"),
)


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


def test_real_run_killed_in_every_phase_comes_to_the_same_network(tmp_path):
    whole, run = tmp_path / "whole", tmp_path / "run"
    assert learn(whole).wait() == 0, log_of(whole)
    assert load_network(whole / "generation-01" / "network.network", "minishogi").hidden == 16
    for mark in ("data.games", "network.network*", f"{FIXED}/games.jsonl"):
        process = learn(run)
        while process.poll() is None and not list((run / "generation-01").glob(mark)):
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert learn(run).wait() == 0, log_of(run)
    assert "report.md" in log_of(run) and (run / "report.md").exists()
    for name in ("data.games", "network.network"):
        one, other = ((folder / "generation-01" / name).read_bytes() for folder in (whole, run))
        assert one == other
    state = json.loads((run / "generation-01" / "state.json").read_text())
    assert state["verdict"]["kept"] in (True, False) and sum(
        state["match_at_nodes"][name] for name in ("wins", "draws", "losses")
    )
