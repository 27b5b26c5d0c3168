"""`surajang study` on a Dask cluster of two workers on this machine."""

import pytest
from click.testing import CliRunner
from surajang.study.study_command import main

pytestmark = pytest.mark.process


def study(folder, *more):
    words = ["chess", "--games", "6", "--strengths", "20", "--out", str(folder), *more]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return (folder / "start-20.games").read_bytes(), (folder / "report.json").read_bytes()


@pytest.mark.slow
def test_cluster_plays_the_same_games_and_gives_the_same_report(tmp_path):
    pytest.importorskip("distributed")
    from surajang.tests.support.local_cluster import LocalCluster

    alone = study(tmp_path / "alone")
    cluster = LocalCluster()
    try:
        cluster.add_workers(2)
        assert study(tmp_path / "shared", "--cluster", cluster.address) == alone
    finally:
        cluster.close()


def test_cluster_without_a_scheduler_is_an_error(tmp_path, monkeypatch):
    from surajang.match.workers import dask_cluster

    monkeypatch.setattr(dask_cluster, "CONNECT_SECONDS", 0.2)
    words = ["chess", "--games", "1", "--strengths", "20", "--out", str(tmp_path / "x")]
    done = CliRunner().invoke(main, [*words, "--cluster", "tcp://127.0.0.1:1"])
    assert done.exit_code == 1 and "no Dask scheduler answers at 'tcp://127.0.0.1:1'" in done.output
