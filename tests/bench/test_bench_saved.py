"""Saved benchmarks: the file, what may be compared, and the verdicts."""

import json
from copy import deepcopy

import pytest
from surajang.bench.speed.result import (
    DEPTH,
    SECONDS,
    SPEED,
    BenchmarkResult,
    Measurement,
    Signature,
    shared_lines,
    totals,
)
from surajang.bench.speed.results_file import (
    FORMAT,
    SAME,
    SavedError,
    load,
    print_comparison,
    refuse_other,
    save,
    verdict,
)
from surajang.match.workers.machine import facts

pytestmark = pytest.mark.pure


def outcome(speeds=(1.0, 1.1, 1.2), **changes):
    """A made-up benchmark with one line and one run per speed."""
    made = BenchmarkResult(
        benchmark="nps",
        game="chess",
        parameters={"threads": 1, "hash": 64},
        positions={"start": "8/8 ; depth 5"},
        figures=(SPEED,),
        contenders=["Surajang"],
        samples=[
            Measurement("start", "Surajang", run, {"speed": speed, "nodes": 100})
            for run, speed in enumerate(speeds)
        ],
        signature=Signature("nodes", 100),
        facts=facts(len(speeds)),
    )
    for name, value in changes.items():
        setattr(made, name, value)
    return made


# The file


def test_saved_outcome_comes_back_as_it_was(tmp_path):
    made = outcome(skipped={"sharp attack": "refused"}, baseline="Surajang")
    save(made, tmp_path / "a.json")
    assert load(tmp_path / "a.json") == made


def test_saved_file_holds_every_run_and_the_machine(tmp_path):
    save(outcome(), tmp_path / "a.json")
    data = json.loads((tmp_path / "a.json").read_text())
    assert (data["format"], data["version"]) == (FORMAT, 1)
    assert [sample["figures"]["speed"] for sample in data["samples"]] == [1.0, 1.1, 1.2]
    assert {"processor", "cores", "python", "numba", "numpy", "surajang", "sources", "date"} <= set(
        data["facts"]
    )


@pytest.mark.parametrize(
    "change, quoted",
    [
        (lambda data: data.update(format="fishtest"), "'fishtest'"),
        (lambda data: data.update(version=99), "99"),
        (lambda data: data.pop("samples"), "samples"),
        (lambda data: data.update(colour="red"), "colour"),
        (lambda data: data["samples"][0]["figures"].update(speed="fast"), "'fast'"),
        (lambda data: data["samples"][0].pop("run"), "run"),
        (lambda data: data["facts"].pop("processor"), "processor"),
        (lambda data: data["figures"][0].pop("unit"), "unit"),
    ],
)
def test_file_that_is_no_saved_benchmark_is_refused_with_what_is_wrong(tmp_path, change, quoted):
    path = tmp_path / "bad.json"
    save(outcome(), path)
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))
    with pytest.raises(SavedError) as error:
        load(path)
    assert str(path) in str(error.value)
    assert quoted in str(error.value)


@pytest.mark.parametrize("text, quoted", [("{nonsense", "nonsense"), ("", "is not JSON"), ("[1]", "[1]")])
def test_text_that_is_no_benchmark_is_quoted(tmp_path, text, quoted):
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(SavedError, match=r"bad\.json") as error:
        load(path)
    assert quoted in str(error.value)


def test_bytes_that_are_no_text_are_refused(tmp_path):
    path = tmp_path / "bad.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SavedError, match="cannot be read"):
        load(path)
    with pytest.raises(SavedError, match=r"none\.json: cannot be read: No such file or directory$"):
        load(tmp_path / "none.json")


# What may be compared


@pytest.mark.parametrize(
    "changes, quoted",
    [
        ({"benchmark": "ttd"}, ("benchmark", "'nps'", "'ttd'")),
        ({"game": "janggi"}, ("game", "'chess'", "'janggi'")),
        ({"parameters": {"threads": 2, "hash": 64}}, ("threads", "1", "2")),
        ({"parameters": {"threads": 1}}, ("hash", "64", "None")),
        ({"positions": {"start": "8/8 ; depth 6"}}, ("'start'", "depth 5", "depth 6")),
        ({"positions": {}}, ("'start'", "depth 5", "None")),
    ],
)
def test_other_work_is_not_compared_and_the_difference_is_named(tmp_path, changes, quoted):
    with pytest.raises(SavedError, match="cannot be compared") as error:
        refuse_other(outcome(), outcome(**changes), tmp_path / "a.json")
    for words in quoted:
        assert words in str(error.value)


def test_other_runs_machine_and_signature_may_be_compared(tmp_path):
    now = outcome((1.0,), signature=None)
    now.facts = now.facts | {"processor": "another"}
    refuse_other(outcome(), now, tmp_path / "a.json")


# Verdicts


@pytest.mark.parametrize(
    "before, now, figure, word",
    [
        ([1.0, 1.1, 1.2], [1.3, 1.4, 1.5], SPEED, "faster"),
        ([1.3, 1.4, 1.5], [1.0, 1.1, 1.2], SPEED, "slower"),
        ([1.0, 1.1, 1.2], [1.3, 1.4, 1.5], SECONDS, "slower"),
        ([1.3, 1.4, 1.5], [1.0, 1.1, 1.2], SECONDS, "faster"),
        ([1.0, 1.1, 1.2], [1.2, 1.4, 1.5], SPEED, SAME),  # the ranges touch
        ([1.0, 1.1, 1.2], [0.9, 2.0, 2.1], SPEED, SAME),  # one run as bad as before
        ([1.000, 1.001, 1.002], [1.010, 1.011, 1.012], SPEED, SAME),  # apart, but by 1 % alone
        ([1.00], [1.05], SPEED, SAME),  # single runs
        ([1.00], [1.15], SPEED, "faster"),
        ([1.00, 1.01], [1.05, 1.06, 1.07], SPEED, SAME),
        ([10, 10, 10], [11, 11, 11], DEPTH, "deeper"),
        ([10, 10, 10], [9, 9, 9], DEPTH, "shallower"),
        ([0.0], [1.0], SPEED, SAME),  # no ratio to nothing
    ],
)
def test_verdict_takes_ranges_apart_and_medians_that_differ(before, now, figure, word):
    assert verdict(before, now, figure)[1] == word


def test_gain_is_above_one_where_it_is_better():
    assert verdict([1.0, 1.0], [2.0, 2.0], SPEED)[0] == pytest.approx(2.0)
    assert verdict([1.0, 1.0], [2.0, 2.0], SECONDS)[0] == pytest.approx(0.5)


def test_comparison_reports_each_line_and_the_tree(tmp_path, capsys):
    path = tmp_path / "before.json"
    print_comparison(outcome(), outcome((2.0, 2.1, 2.2)), path)
    told = capsys.readouterr().out
    assert "faster" in told
    assert "before.json" in told
    assert "The same tree: 100 nodes" in told
    print_comparison(outcome(), outcome(signature=Signature("nodes", 101)), path)
    told = capsys.readouterr().out
    assert "same" in told
    assert "A different tree: 100 nodes before, 101 now" in told


def test_comparison_with_another_machine_names_it(tmp_path, capsys):
    before = outcome()
    before.facts = before.facts | {"processor": "Abacus 3000"}
    print_comparison(before, outcome(), tmp_path / "before.json")
    assert "Abacus 3000" in capsys.readouterr().out


def test_total_of_other_lines_is_not_compared(tmp_path, capsys):
    total = [Measurement("total", "Surajang", run, {"speed": 1.0, "lines": 5}) for run in range(3)]
    before, now = outcome(), outcome()
    before.samples, now.samples = before.samples + total, now.samples + total
    print_comparison(before, now, tmp_path / "a.json")
    assert "total" in capsys.readouterr().out
    before.samples[3:] = [sample._replace(figures={"speed": 1.0, "lines": 4}) for sample in total]
    print_comparison(before, now, tmp_path / "a.json")
    assert "total" not in capsys.readouterr().out


def test_signature_of_other_lines_is_not_compared(tmp_path, capsys):
    now = outcome(signature=Signature("nodes", 7))
    now.samples = [sample._replace(line="quiet end") for sample in now.samples]
    print_comparison(outcome(), now, tmp_path / "a.json")
    assert "tree" not in capsys.readouterr().out


# Totals


def add(found):
    return {"nodes": sum(figures["nodes"] for figures in found.values())}


def test_total_counts_only_what_every_contender_finished():
    work = [("a", "x", 1), ("b", "x", 10), ("c", "x", 100), ("a", "y", 2), ("b", "y", 20)]
    samples = [Measurement(line, who, run, {"nodes": nodes}) for line, who, nodes in work for run in (0, 1)]
    assert shared_lines(samples, ["x", "y"]) == ["a", "b"]
    made = [(it.contender, it.run, it.figures["nodes"]) for it in totals(samples, ["x", "y"], add)]
    assert sorted(made) == [("x", 0, 11), ("x", 1, 11), ("y", 0, 22), ("y", 1, 22)]


def test_one_line_needs_no_total():
    made = deepcopy(outcome())
    assert totals(made.samples, made.contenders, add) == []
