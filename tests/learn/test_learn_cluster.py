"""`surajang learn` on a Dask cluster of three workers, one of which is killed."""

import signal
import subprocess
import sys
import time

import pytest
from surajang.tests.learn.test_learn import ARGUMENTS, environment_of

pytestmark = pytest.mark.process

pytest.importorskip("distributed")

SECONDS = 60  # within which a killed worker must have ended


def learn(folder, data, *options):
    """Starts the command; its output goes to a file beside the folder."""
    command = [sys.executable, "-m", "surajang", *ARGUMENTS, "--positions", "3000", *options]
    return subprocess.Popen(
        [*command, "--out", str(folder)],
        env=environment_of(data),
        stdout=folder.with_suffix(".log").open("wb"),
        stderr=subprocess.STDOUT,
    )


@pytest.mark.slow
def test_worker_that_is_killed_costs_no_more_than_its_game(tmp_path):
    from surajang.tests.support.local_cluster import LocalCluster

    alone = learn(tmp_path / "alone", tmp_path / "data")
    assert alone.wait() == 0, (tmp_path / "alone.log").read_text()
    cluster = LocalCluster()
    try:
        cluster.add_workers(3)
        process = learn(tmp_path / "shared", tmp_path / "data", "--cluster", cluster.address)
        played = tmp_path / "shared" / "generation-01" / "data.games"
        while process.poll() is None and not (played.exists() and played.stat().st_size > 1000):
            time.sleep(0.02)
        cluster.workers[0].kill()
        assert not list(played.parent.glob("network*")), (
            "the worker should have been lost while games were played"
        )
        assert cluster.workers[0].wait(SECONDS) == -signal.SIGKILL
        assert process.wait() == 0, (tmp_path / "shared.log").read_text()
    finally:
        cluster.close()
    for name in ("data.games", "network.network"):
        parts = [(tmp_path / run / "generation-01" / name).read_bytes() for run in ("alone", "shared")]
        assert parts[0] == parts[1]
