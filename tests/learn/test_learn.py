"""The loop of learning: its phases in order, and interruptions at any point."""

import inspect
import json
import math
import os
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest
import surajang
from click.testing import CliRunner
from surajang.engine.variant import Variant
from surajang.eval.network.file import load_network
from surajang.learn.generations import compile_run, generations, learn_command, learning
from surajang.learn.generations.generations import (
    CLOCK,
    FIXED,
    Generation,
    InterruptedRunError,
    LearningError,
    LearningPlan,
    LearningResources,
    Loop,
    folder_lock,
    generations_in,
    is_won,
    open_folder,
    read_json,
    seconds_each,
)
from surajang.learn.generations.learn_report import write_report
from surajang.learn.generations.learned_match import NO_GAMES, MatchOutcome

pytestmark = pytest.mark.process

PLAN = LearningPlan(
    Variant("minishogi"), 300, 10, 4, 16, 2, 4, 50, "1+0.1", "elo0=0 elo1=30", 7, king_buckets=1
)
WON = MatchOutcome(30, 0, 10, 190.8, 90.0, 0.999)
LOST = MatchOutcome(10, 0, 30, -190.8, 90.0, 0.001)
SWEPT = MatchOutcome(10, 0, 0, None, None, 0.999)
LEVEL = MatchOutcome(20, 0, 20, 0.0, 90.0, 0.5)


class Machine:
    """Runs no commands but records them, and interrupts the one with the number `cut`. The results of matches
    are `outcomes`, by folder, otherwise WON."""

    def __init__(self, monkeypatch, outcomes=None, cut=None):
        self.commands, self.seconds, self.outcomes, self.cut = [], [], outcomes or {}, cut
        self.winning, self.duels = (), []
        monkeypatch.setattr(generations, "outcome_of", self.outcome_of)

    def __call__(self, arguments, seconds):
        self.commands.append(arguments)
        self.seconds.append(seconds)
        if arguments[1] == "duel":
            first, second = (option(arguments, name) for name in ("--first", "--second"))
            self.duels.append((factor_in(first), factor_in(second)))
            won = self.duels[-1][0] in self.winning
            tally = {"games": [100, 0, 500] if won else [300, 0, 300], "pairs": [20, 0, 60, 0, 220 * won]}
            Path(option(arguments, "--log")).write_text(json.dumps(tally) + "\n")
        if len(self.commands) - 1 == self.cut:
            raise InterruptedRunError
        return seconds is None or seconds > 100

    def outcome_of(self, folder):
        return self.outcomes.get("/".join(folder.parts[-2:]), WON)

    def kinds(self):
        """The kind of each command."""
        return [" ".join(word for word in each[:2] if not word.startswith("-")) for each in self.commands]


def factor_in(player):
    """The factor of the network in the words `eval=FILE`."""
    name = Path(player.removeprefix("eval=")).name
    return float(name.partition("-")[0]) if "-" in name else 1.0


def run(tmp_path, machine, count=1, resources=LearningResources(), told=None, plan=PLAN):  # noqa: B008 - frozen
    open_folder(tmp_path / "run", plan)
    loop = Loop(tmp_path / "run", plan, resources, (told if told is not None else []).append, machine)
    return [loop.run_generation(number) for number in range(1, count + 1)]


def option(arguments, name):
    return arguments[arguments.index(name) + 1]


def test_generation_plays_trains_and_is_judged_by_two_matches(tmp_path, monkeypatch):
    machine, told = Machine(monkeypatch), []
    (first,) = run(tmp_path, machine, told=told)
    assert machine.kinds() == ["bench data", "bench train", "match", "match"]
    data, train, fixed, clock = machine.commands
    assert option(data, "--out") == str(first.games) == option(train, "--data")
    assert "--eval-file" not in data and option(data, "--seed") == "7"
    assert option(train, "--out") == str(first.network)
    assert "nodes=50" in option(fixed, "--engine") and "tc=1+0.1" in option(clock, "--engine")
    assert "Use NNUE=false" in fixed[-1 - fixed[::-1].index("--engine") + 1]
    assert first.is_kept() and "won at equal nodes" in first.verdict["reason"]
    assert any("kept" in text for text in told)


def test_next_generation_plays_by_the_network_that_was_kept(tmp_path, monkeypatch):
    machine = Machine(monkeypatch, {f"generation-02/{FIXED}": LOST})
    first, second, third = run(tmp_path, machine, 3)
    plays = [each for each in machine.commands if each[1] == "data"]
    assert [option(each, "--eval-file") for each in plays[1:]] == [str(first.network)] * 2
    trains = [each for each in machine.commands if each[1] == "train"]
    assert [each.count("--data") for each in trains] == [1, 2, 3]
    assert not second.is_kept() and third.is_kept()
    assert len([each for each in machine.commands if each[0] == "match"]) == 5
    assert any(f"option.EvalFile={first.network.resolve()}" in word for word in machine.commands[-1])


@pytest.mark.parametrize(
    ("fixed", "clock", "kept"),
    [(WON, WON, True), (WON, LEVEL, True), (WON, LOST, False), (LEVEL, WON, False)],
)
def test_network_is_kept_if_it_wins_at_nodes_and_does_not_lose_by_the_clock(
    tmp_path, monkeypatch, fixed, clock, kept
):
    outcomes = {f"generation-01/{FIXED}": fixed, f"generation-01/{CLOCK}": clock}
    (first,) = run(tmp_path, Machine(monkeypatch, outcomes))
    assert first.is_kept() is kept
    if fixed is LEVEL:
        assert first.state["match_by_clock"]["wins"] == 0


def test_decision_of_the_sprt_goes_before_the_likelihood():
    assert is_won(MatchOutcome(6, 0, 5, 30.0, 200.0, 0.6, "H1"))
    assert not is_won(MatchOutcome(30, 0, 10, 190.0, 90.0, 0.999, "H0"))
    assert is_won(WON) and not is_won(NO_GAMES)


@pytest.mark.parametrize("cut", range(8))
def test_interrupted_run_resumes_its_phase(tmp_path, monkeypatch, cut):
    whole = Machine(monkeypatch)
    run(tmp_path / "whole", whole, 2)
    machine = Machine(monkeypatch, cut=cut)
    with pytest.raises(InterruptedRunError):
        run(tmp_path / "cut", machine, 2)
    again = Machine(monkeypatch)
    found = run(tmp_path / "cut", again, 2)
    assert machine.kinds()[:cut] + again.kinds() == whole.kinds()
    assert all(each.is_kept() for each in found)


def test_match_and_training_that_were_begun_are_resumed(tmp_path, monkeypatch):
    generation = tmp_path / "run" / "generation-01"
    open_folder(tmp_path / "run", PLAN)
    (generation / FIXED).mkdir(parents=True)
    (generation / FIXED / "match.json").write_text("{}")
    (generation / "network.network.checkpoint").write_text("")
    machine = Machine(monkeypatch)
    run(tmp_path, machine)
    assert "--resume" in machine.commands[1]
    assert machine.commands[2][:3] == ["match", "--resume", str(generation / FIXED)]


def test_hours_bound_the_games_and_the_cluster_plays_them(tmp_path, monkeypatch):
    machine = Machine(monkeypatch)
    (first,) = run(tmp_path, machine, resources=LearningResources(2, "tcp://host:1", 100.0))
    assert machine.seconds[0] == pytest.approx(70) and not first.state["play"]["complete"]
    assert [("--cluster" in each, "--concurrency" in each) for each in machine.commands] == [
        (True, False),
        (False, False),
        (True, False),
        (True, False),
    ]
    assert option(machine.commands[1], "--threads") == "2"
    assert option(machine.commands[1], "--king-buckets") == "1"


def test_generations_that_are_not_complete_share_the_hours(tmp_path, monkeypatch):
    machine = Machine(monkeypatch)
    run(tmp_path, machine, 2)
    folder = tmp_path / "run"
    assert seconds_each(folder, 3, 6.0) == 6 * 3600 and seconds_each(folder, 5, 6.0) == 2 * 3600
    with pytest.raises(InterruptedRunError):
        run(tmp_path, Machine(monkeypatch, cut=1), 3)
    assert seconds_each(folder, 3, 6.0) == 6 * 3600, "the third is begun"
    run(tmp_path, Machine(monkeypatch), 3)
    assert seconds_each(folder, 2, 6.0) == seconds_each(folder, 3, 6.0) == 6 * 3600, "nothing is left to do"
    assert seconds_each(folder, 4, None) is None


def test_size_and_length_are_left_to_the_training_where_the_plan_does_not_say_them(tmp_path, monkeypatch):
    machine, open_plan = Machine(monkeypatch), replace(PLAN, hidden=None, king_buckets=None, epochs=None)
    run(tmp_path, machine, plan=open_plan)
    assert not {"--hidden", "--king-buckets", "--epochs"} & set(machine.commands[1])
    said = Machine(monkeypatch)
    run(tmp_path / "said", said, plan=replace(PLAN, king_buckets=4))
    assert [option(said.commands[1], name) for name in ("--hidden", "--king-buckets", "--epochs")] == [
        "16",
        "4",
        "2",
    ]


def test_code_of_all_parts_and_of_later_networks_is_compiled_before_a_run(monkeypatch):
    """Two million positions make 64 neurons, those of three generations 128."""
    told = []

    def noted(variant, network, progress):
        told.append(("games", network.hidden if network else None))

    def of_file(variant, path):
        return lambda progress: told.append(("matches", load_network(path, variant).hidden if path else None))

    monkeypatch.setattr(compile_run, "compile_training", lambda variant, progress: told.append("training"))
    monkeypatch.setattr(compile_run, "compile_all", noted)
    monkeypatch.setattr(compile_run, "compiling", of_file)
    monkeypatch.setattr(
        compile_run, "_compile_duels", lambda network, progress: told.append(("duels", network.hidden))
    )
    plan = replace(PLAN, positions=2_000_000, hidden=None, king_buckets=None, factor_games=600)
    compile_run.compile_run(plan, None, 3, None)
    first = ["training", ("games", None), ("matches", None)]
    small = [("matches", 64), ("games", 64), ("duels", 64)]
    assert told == [*first, *small, ("matches", 128), ("games", 128), ("duels", 128)]
    told.clear()
    compile_run.compile_run(replace(plan, factor_games=0), None, 1, None)
    assert told == [*first, ("matches", 64)], "no generation plays by the only network"
    told.clear()
    compile_run.compile_run(plan, None, 3, "tcp://scheduler")
    assert told == ["training"]


def test_size_of_the_code_is_that_of_the_plan_or_of_the_positions_of_three_generations():
    sizes = compile_run.network_sizes
    assert sizes(PLAN, 2) == [(16, 1)] * 2
    growing = replace(PLAN, positions=3_000_000, growth=2.0, hidden=None, king_buckets=None)
    assert sizes(growing, 4) == [(64, 1), (128, 8), (128, 8), (256, 16)], "2.85, 8.55, 20 and 40 million"


def test_generations_may_grow(tmp_path, monkeypatch):
    machine = Machine(monkeypatch)
    run(tmp_path, machine, 3, plan=replace(PLAN, growth=2.5))
    plays = [each for each in machine.commands if each[1] == "data"]
    assert [option(each, "--positions") for each in plays] == ["300", "750", "1875"]


SEEKING = replace(PLAN, factor_games=600)


@pytest.mark.parametrize(
    ("winning", "duels", "factor"),
    [
        ((), [(0.75, 1), (1.3333, 1)], 1),
        ((0.75,), [(0.75, 1), (0.5625, 0.75)], 0.75),
        ((0.75, 0.5625, 0.4219), [(0.75, 1), (0.5625, 0.75), (0.4219, 0.5625)], 0.4219),
        ((1.3333,), [(0.75, 1), (1.3333, 1), (1.7778, 1.3333)], 1.3333),
    ],
)
def test_search_factor_is_looked_for_down_and_else_up_while_it_wins(
    tmp_path, monkeypatch, winning, duels, factor
):
    machine = Machine(monkeypatch)
    machine.winning = winning
    (first,) = run(tmp_path, machine, plan=SEEKING)
    assert machine.duels == duels and first.state["try_factors"] == {"factor": factor}
    assert first.player == (
        first.network if factor == 1 else first.folder / "factors" / f"{factor}-network.network"
    )
    rescales = [each for each in machine.commands if each[1] == "rescale"]
    assert [float(option(each, "--factor")) for each in rescales] == [one for one, _ in duels]
    assert {option(each, "--eval-file") for each in rescales} == {str(first.network)}


def test_next_generation_plays_and_is_compared_with_the_factor_that_was_found(tmp_path, monkeypatch):
    machine = Machine(monkeypatch)
    machine.winning = (0.75,)
    first, second = run(tmp_path, machine, 2, plan=SEEKING)
    plays = [each for each in machine.commands if each[1] == "data"]
    assert option(plays[1], "--eval-file") == str(first.player) != str(first.network)
    fixed = next(each for each in machine.commands if str(second.folder / FIXED) in each)
    assert any(f"option.EvalFile={first.player.resolve()}" in word for word in fixed)


def test_factors_that_are_reported_are_those_of_the_network_in_the_search(tmp_path, monkeypatch):
    """A network has the factor of the network that played its games; duels multiply it."""
    machine, told = Machine(monkeypatch), []
    machine.winning = (0.75,)
    monkeypatch.setattr(Loop, "_facts_of", lambda loop, path: {"search_factor": 0.6, "positions": 300})
    (first,) = run(tmp_path, machine, plan=SEEKING, told=told)
    assert first.state["try_factors"] == {"factor": 0.75} and first.player.name.startswith("0.75-")
    factors = [text.partition(": search factor ")[2] for text in told if "search factor" in text]
    assert factors == ["0.45 against 0.6", "0.3375 against 0.45", "0.45, after trials of 0.45, 0.3375"]
    report = write_report(tmp_path / "run", SEEKING).read_text()
    assert [line.endswith("| kept | 0.45 |") for line in report.splitlines() if line.startswith("| 1 |")] == [
        True
    ]


def test_no_factor_is_looked_for_after_a_network_that_is_rejected(tmp_path, monkeypatch):
    machine = Machine(monkeypatch, {f"generation-01/{FIXED}": LOST})
    (first,) = run(tmp_path, machine, plan=SEEKING)
    assert not machine.duels and first.player == first.network


@pytest.mark.parametrize("cut", range(4, 10))
def test_interrupted_search_for_a_factor_resumes_its_duel(tmp_path, monkeypatch, cut):
    def machine(**words):
        made = Machine(monkeypatch, **words)
        made.winning = (0.75, 0.5625)
        return made

    whole = machine()
    (expected,) = run(tmp_path / "whole", whole, plan=SEEKING)
    cut_off, again = machine(cut=cut), machine()
    with pytest.raises(InterruptedRunError):
        run(tmp_path / "cut", cut_off, plan=SEEKING)
    (found,) = run(tmp_path / "cut", again, plan=SEEKING)
    assert found.state["try_factors"] == expected.state["try_factors"] == {"factor": 0.5625}
    assert found.state["tried"] == expected.state["tried"]
    done = 2 * ((cut - 4) // 2)  # commands of duels that were over
    assert again.kinds() == whole.kinds()[4 + done :]


def test_folder_is_worked_in_by_one_process_at_a_time(tmp_path):
    open_folder(tmp_path / "run", PLAN)
    with (
        folder_lock(tmp_path / "run"),
        pytest.raises(LearningError, match="another process"),
        folder_lock(tmp_path / "run"),
    ):
        raise AssertionError("both came in")
    with folder_lock(tmp_path / "run"):
        pass


def test_sizes_that_are_left_open_are_those_that_the_run_was_begun_with(tmp_path):
    open_folder(tmp_path / "run", PLAN)
    open_plan = replace(PLAN, hidden=None, king_buckets=None, epochs=None)
    assert open_folder(tmp_path / "run", open_plan) == PLAN
    assert open_folder(tmp_path / "open", open_plan) == open_plan
    with pytest.raises(LearningError, match="hidden None, not 32"):
        open_folder(tmp_path / "open", replace(open_plan, hidden=32))


def test_folder_of_another_run_is_refused_with_the_difference(tmp_path):
    open_folder(tmp_path / "run", PLAN)
    open_folder(tmp_path / "run", PLAN)
    with pytest.raises(LearningError, match="seed 7, not 8"):
        open_folder(tmp_path / "run", replace(PLAN, seed=8))
    later = ("king_buckets", "growth", "factor_games")
    before = {name: value for name, value in asdict(PLAN).items() if name not in later}
    (tmp_path / "run" / "learn.json").write_text(json.dumps(before))
    old = open_folder(tmp_path / "run", replace(PLAN, king_buckets=None, factor_games=600))
    assert (old.king_buckets, old.factor_games, old.growth) == (1, 0, 1)  # as in earlier versions
    (tmp_path / "run" / "learn.json").write_text(json.dumps(before | {"zones": 8, "factor_games": 600}))
    assert open_folder(tmp_path / "run", replace(PLAN, king_buckets=None, factor_games=600)).king_buckets == 8
    (tmp_path / "run" / "learn.json").write_text(json.dumps(before))
    with pytest.raises(LearningError, match="king_buckets 1, not 8"):
        open_folder(tmp_path / "run", replace(PLAN, king_buckets=8))
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("x")
    with pytest.raises(LearningError, match="holds other things"):
        open_folder(tmp_path / "full", PLAN)


def test_damaged_state_is_refused_by_name(tmp_path, monkeypatch):
    run(tmp_path, Machine(monkeypatch))
    path = tmp_path / "run" / "generation-01" / "state.json"
    path.write_text(path.read_text()[:20])
    with pytest.raises(LearningError, match=r"state\.json: cannot be read"):
        generations_in(tmp_path / "run")
    with pytest.raises(LearningError, match=r"none\.json: cannot be read: No such file or directory$"):
        read_json(tmp_path / "none.json")


SMALL = {"positions": 300, "nodes": 10, "plies": 4, "hidden": 16, "king_buckets": 1, "games": 4}


def learned(tmp_path, monkeypatch, machine, **settings):
    """The result of `surajang.learn.run` with the machine's commands."""
    monkeypatch.setattr(
        learning, "run_command", lambda arguments, seconds, output: machine(arguments, seconds)
    )
    given = SMALL | {"out": tmp_path / "run", "install": False} | settings
    return surajang.learn.run("minishogi", **given)


def test_function_returns_generations_networks_and_the_report(tmp_path, monkeypatch):
    told, results = [], []
    machine = Machine(monkeypatch, {f"generation-02/{FIXED}": LOST})
    result = learned(
        tmp_path, monkeypatch, machine, generations=3, progress=told.append, on_generation=results.append
    )
    assert [(each.number, each.kept) for each in result.generations] == [(1, True), (2, False), (3, True)]
    assert results == list(result.generations)
    assert result.generations[1].at_nodes == LOST
    assert result.generations[1].reason.startswith("it did not win at equal nodes")
    assert result.networks == (result.generations[0].network, result.generations[2].network)
    assert result.network == result.generations[2].network
    assert result.report.read_text().startswith("# Learning minishogi")
    assert told[0].startswith("generation 1: 300 positions")


def test_function_resumes_a_run_that_was_interrupted(tmp_path, monkeypatch):
    with pytest.raises(KeyboardInterrupt):
        learned(tmp_path, monkeypatch, Machine(monkeypatch, cut=1), generations=1)
    machine = Machine(monkeypatch)
    assert learned(tmp_path, monkeypatch, machine, generations=1).generations[0].kept
    assert machine.kinds()[0] == "bench train"


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"games": 3}, "games: 3 is odd"),
        ({"hidden": 17}, "hidden: 17 is not a multiple of"),
        ({"tc": "fast"}, "tc: 'fast'"),
        ({"sprt": "elo0=x"}, "sprt: elo0 'x'"),
    ],
)
def test_setting_that_makes_no_run_is_named(tmp_path, monkeypatch, settings, text):
    with pytest.raises(surajang.learn.LearningError, match=text):
        learned(tmp_path, monkeypatch, Machine(monkeypatch), **settings)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("settings", "error", "text"),
    [
        ({"hours": "2"}, TypeError, "hours '2' should be a number"),
        ({"hours": 0}, ValueError, "hours 0.0 is not in the range x>0$"),
        ({"hours": math.nan}, ValueError, "hours nan is not a number such as 0.5"),
        ({"generations": 0}, ValueError, "generations 0 is not in the range 1<=x<=999"),
        ({"positions": -1}, ValueError, "positions -1 is not in the range"),
        ({"concurrency": 0}, ValueError, "concurrency 0 is not in the range"),
        ({"hidden": 64.0}, TypeError, "hidden 64.0 should be a whole number"),
        ({"tc": 2}, TypeError, "tc 2 should be a text"),
    ],
)
def test_argument_that_the_command_would_refuse_is_refused(tmp_path, monkeypatch, settings, error, text):
    with pytest.raises(error, match=text):
        learned(tmp_path, monkeypatch, Machine(monkeypatch), **settings)
    assert not (tmp_path / "run").exists()


def test_function_has_the_settings_and_defaults_of_the_command():
    parameters = inspect.signature(surajang.learn.run).parameters
    options = learn_command.main.make_context("learn", []).params
    for name in ("variant", "variant_file", "no_install", "take_back", "help"):
        options.pop(name, None)
    ours = {name: each.default for name, each in parameters.items()}
    assert {name: ours[name] for name in options} == options
    assert set(ours) == {*options, "variant", "install", "progress", "on_generation"}


def test_report_describes_each_generation(tmp_path, monkeypatch):
    outcomes = {f"generation-02/{FIXED}": LOST, f"generation-03/{FIXED}": SWEPT}
    run(tmp_path, Machine(monkeypatch, outcomes), 3)
    path = write_report(tmp_path / "run", PLAN)
    rows = [line for line in path.read_text().splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 3 and rows[0].endswith("| kept | 1 |") and rows[1].endswith("| - | rejected | - |")
    assert "| +10 =0 -0, Elo above +183 |" in rows[2]
    assert (tmp_path / "run" / "elo.png").read_bytes().startswith(b"\x89PNG")


def test_take_back_without_a_network_says_so(tmp_path):
    environment = os.environ | {"SURAJANG_DATA_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "surajang", "learn", "--variant", "minishogi", "--take-back"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "there is no network to take back" in done.stderr


def test_take_back_goes_without_options_of_a_run():
    done = CliRunner().invoke(
        learn_command.main, ["--variant", "minishogi", "--take-back", "--generations", "3"]
    )
    assert done.exit_code == 2 and "--generations cannot be combined with --take-back" in done.output


def test_generations_are_read_in_order(tmp_path):
    for number in (10, 2):
        each = Generation(tmp_path, number)
        each.folder.mkdir()
        each.note("verdict", kept=True, reason="")
    assert [each.number for each in generations_in(tmp_path)] == [2, 10]


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        (MatchOutcome(0, 0, 10, None, None, 0.0, "H0"), "+0 =0 -10, Elo below -183, H0 accepted"),
        (MatchOutcome(10, 0, 0, None, None, 1.0), "+10 =0 -0, Elo above +183"),
        (MatchOutcome(0, 8, 0, 0.0, None, 0.5), "+0 =8 -0, Elo +0.0 ± ?"),
        (MatchOutcome(0, 0, 10, -9999.0, 9999.0, 0.0), "+0 =0 -10, Elo below -183"),  # as older files have it
        (WON, "+30 =0 -10, Elo +190.8 ± 90.0"),
    ],
)
def test_match_reports_no_unproven_elo(outcome, told):
    assert str(outcome) == told
