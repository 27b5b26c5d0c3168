"""SPSA: it finds the best numbers, stays in range, and an interrupted run gives the same result."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from surajang.learn.tuning.spsa import Spsa, SpsaError, SpsaJournal, TuningPlan
from surajang.learn.tuning.spsa_command import main
from surajang.search.tree.tunable import TUNABLES

pytestmark = pytest.mark.process

START = (("rfp_margin", 90.0), ("lmr_base", 410.0), ("see_quiet", 30.0))
BEST = {"rfp_margin": 150.0, "lmr_base": 0.0, "see_quiet": 55.0}


def play(first, second, random):
    """Points of one setting over another: by how much nearer to BEST it is, plus noise."""

    def distance(numbers):
        return sum(((numbers[name] - best) / TUNABLES[name].step) ** 2 for name, best in BEST.items())

    share = 1 / (1 + np.exp((distance(first) - distance(second)) / 20))
    return float(2 * random.binomial(4, share) - 4)


def run(spsa, iterations, journal=None):
    random = np.random.default_rng(11)
    for iteration in range(iterations):
        points = play(*spsa.proposal(iteration), random)
        if iteration in spsa.done:
            continue
        (journal.add if journal else spsa.learn)(iteration, points)


def test_numbers_come_near_the_best_ones():
    spsa = Spsa(TuningPlan(START, 4000, 2, 3))
    run(spsa, 4000)
    for (name, start), value in zip(START, spsa.values, strict=True):
        assert abs(value - BEST[name]) < abs(start - BEST[name]) / 3, name
    assert len(spsa.course) == 4001


def test_points_pull_towards_the_side_that_made_them():
    spsa = Spsa(TuningPlan(START, 100, 1, 1))
    first, second = spsa.proposal(0)
    before = spsa.values.copy()
    spsa.learn(0, 2.0)
    for index, (name, _) in enumerate(START):
        assert (spsa.values[index] - before[index]) * (first[name] - second[name]) > 0


def test_proposals_are_whole_numbers_in_range_on_either_side_of_the_values():
    start = tuple((name, float(each.low)) for name, each in TUNABLES.items())
    spsa = Spsa(TuningPlan(start, 50, 1, 2))
    for iteration in range(50):
        for numbers in spsa.proposal(iteration):
            assert all(TUNABLES[name].low <= value <= TUNABLES[name].high for name, value in numbers.items())
    middle = Spsa(TuningPlan(START, 50, 1, 2))
    for iteration in range(50):
        first, second = middle.proposal(iteration)
        assert first != second
        for index, (name, _) in enumerate(START):
            assert abs((first[name] + second[name]) / 2 - middle.values[index]) <= 1


def test_gains_fall_to_the_step_at_the_end():
    spsa = Spsa(TuningPlan(START, 1000, 1, 1))
    first, last = spsa.gains(0), spsa.gains(999)
    steps = [TUNABLES[name].step for name, _ in START]
    assert np.allclose(last[0], steps) and (first[0] > last[0]).all() and (first[1] > last[1]).all()


def test_interrupted_run_gives_the_same_result(tmp_path):
    whole, plan = tmp_path / "whole.jsonl", TuningPlan(START, 60, 2, 3)
    spsa = Spsa(plan)
    with SpsaJournal(whole, spsa, {"variant": "chess"}) as journal:
        run(spsa, 60, journal)
    lines = whole.read_bytes().splitlines(keepends=True)
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(b"".join(lines[:31]) + lines[31][:3])
    again = Spsa(plan)
    with SpsaJournal(cut, again, {"variant": "chess"}) as journal:
        assert len(again.done) == 30
        for line in lines[31:]:
            journal.add(*json.loads(line))
    assert cut.read_bytes() == whole.read_bytes()
    assert (again.values == spsa.values).all()


@pytest.mark.parametrize(
    "plan, conditions, words",
    [
        (TuningPlan(START, 60, 2, 4), {"variant": "chess"}, r"\(seed differ"),
        (TuningPlan(START[:2], 60, 2, 3), {"variant": "chess"}, r"\(start differ"),
        (TuningPlan(START, 60, 2, 3), {"variant": "janggi"}, r"\(variant differ"),
    ],
)
def test_journal_of_another_run_is_refused(tmp_path, plan, conditions, words):
    path = tmp_path / "run.jsonl"
    with SpsaJournal(path, Spsa(TuningPlan(START, 60, 2, 3)), {"variant": "chess"}) as journal:
        journal.add(0, 1.0)
    before = path.read_bytes()
    with pytest.raises(SpsaError, match=words):
        SpsaJournal(path, Spsa(plan), conditions)
    assert path.read_bytes() == before


@pytest.mark.parametrize("text", ["no json\n", "[1, 2]\n[3]\n", '{"spsa": 1}\n["a", "b"]\n'])
def test_file_that_is_no_journal_is_refused(tmp_path, text):
    path = tmp_path / "run.jsonl"
    path.write_text(text)
    with pytest.raises(SpsaError, match=r"run\.jsonl"):
        SpsaJournal(path, Spsa(TuningPlan(START, 60, 2, 3)), {})
    assert path.read_text() == text


def test_finished_run_is_shown_with_its_picture_and_plays_nothing(tmp_path):
    path, plot = tmp_path / "run.jsonl", tmp_path / "run.png"
    begin = float(TUNABLES["rfp_margin"].value)  # that of chess
    spsa = Spsa(TuningPlan((("rfp_margin", begin),), 10, 2, 1))
    with SpsaJournal(path, spsa, {"variant": "chess", "nodes": 4000, "plies": 8, "eval": ""}) as journal:
        for iteration in range(10):
            journal.add(iteration, 4.0)
    options = ["--variant", "chess", "--numbers", "rfp_margin", "--iterations", "10", "--out", str(path)]
    result = CliRunner().invoke(main, [*options, "--plot", str(plot)])
    assert result.exit_code == 0, result.output
    assert f"{spsa.values[0]:.1f}" in result.output and plot.stat().st_size > 1000


def test_journal_depends_on_the_clock(tmp_path):
    path = tmp_path / "run.jsonl"
    options = ["--variant", "minishogi", "--numbers", "time_moves", "--iterations", "10", "--pairs", "1"]
    timed = [*options, "--eval", "none", "--plies", "4", "--out", str(path), "--clock"]
    result = CliRunner().invoke(main, [*timed, "1000+20"])
    assert result.exit_code == 0, result.output
    head, *entries = [json.loads(line) for line in path.read_text().splitlines()]
    assert head["clock"] == "1000+20" and "nodes" not in head and len(entries) == 10
    assert any(points for _, points in entries)  # at equal nodes the number would decide nothing
    other = CliRunner().invoke(main, [*timed, "2000+20"])
    assert other.exit_code == 2 and "clock differ" in other.output
    bad = CliRunner().invoke(main, [*timed, "5+0.05"])
    assert bad.exit_code == 2 and "'5+0.05' should be nodes" in bad.output
