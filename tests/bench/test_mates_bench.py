"""Suites of mates as files, the hunt for them in games, and the benchmark."""

import json
import re
import sys
from itertools import islice

import pytest
from click.testing import CliRunner
from surajang.bench.speed.engines_under_test import SearchReport
from surajang.bench.suites.epd import write_entries
from surajang.bench.suites.mates import hunt_command, mates_command
from surajang.bench.suites.mates.hunt_command import MateHunt
from surajang.bench.suites.mates.mate_file import FOLDER, LENGTHS, UNPROVEN, Mate, chosen, read_mates
from surajang.bench.suites.mates.solver import Solver
from surajang.engine.variant import Variant
from surajang.learn.self_play.compiled_games import Settings
from surajang.learn.self_play.games_file import Header
from surajang.learn.self_play.generator import PlayGames

pytestmark = pytest.mark.process

BACK_RANK = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"
THREE_WAYS = "k7/3Q4/1K6/8/8/8/8/8 w - - 0 1"
LADDER = "7k/8/8/8/8/8/R7/1R5K w - - 0 1"
HUNT = ("--variant", "minishogi", "--nodes", 300, "--plies", 4, "--seed", 7)

# A UCI engine that announces a mate in one with the rook in every position.
FAKE = """
import sys
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        print("id name Fake")
        print("uciok")
    elif words[:1] == ["isready"]:
        print("readyok")
    elif words[:1] == ["go"]:
        print("info depth 1 score mate 1 nodes 1000 time 10 pv a1a8")
        print("bestmove a1a8")
    elif words[:1] == ["quit"]:
        break
    sys.stdout.flush()
"""


def mate(fen=BACK_RANK, moves=1, first=("a1a8",), shortest=True, name="one", variant="chess"):
    return Mate(variant, name, fen, moves, first, shortest)


def run(command, *arguments):
    return CliRunner(env={"COLUMNS": "200"}).invoke(command.main, [str(argument) for argument in arguments])


@pytest.fixture
def suite(tmp_path):
    """A file with three mates of chess: in one, in two, in three."""
    path = tmp_path / "three.epd"
    found = [
        mate(),
        mate(LADDER, 2, ("a2a7", "b1b7"), name="two"),
        mate("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3, ("f8c5",), name="three"),
    ]
    write_entries(path, found, "three mates")
    return path


# Files


def test_file_keeps_what_was_written(tmp_path):
    found = [mate(moves=3, shortest=False, first=("a1a8", "Q@h7")), mate(name="other", fen=THREE_WAYS)]
    write_entries(tmp_path / "a.epd", found, "a heading")
    text = (tmp_path / "a.epd").read_text()
    assert text.startswith("# a heading\n")
    assert text.count(UNPROVEN) == 1
    assert read_mates(tmp_path / "a.epd", Variant("chess")) == found


@pytest.mark.parametrize(
    "line", ["8/8 w - -", 'fen ; dm x ; bm a1a2 ; id "a"', 'fen ; dm 2 ; id "a"', "fen ; dm 2 ; bm a1a2"]
)
def test_bad_line_is_quoted(tmp_path, line):
    path = tmp_path / "bad.epd"
    path.write_text("# fine\n" + line + "\n")
    with pytest.raises(ValueError, match=r"bad\.epd:2") as error:
        read_mates(path, Variant("chess"))
    assert repr(line) in str(error.value)


def test_suite_has_no_position_twice_and_not_too_many_of_a_length():
    found = [mate(f"{number}/8 w - - 0 1", 2, name=f"{number}") for number in range(8)]
    again = [mate("1/8 w - - 5 9", 3, name="again"), mate("new/8 w - - 0 1", 4, name="new")]
    assert [one.name for one in chosen(found + again, 8)] == ["0", "1", "new"]  # a quarter of eight, each
    assert [one.name for one in chosen(again + found, 8)] == ["0", "2", "again", "new"]  # by length


# The hunt


def hunted(seed, number):
    """The mates of a game of minishogi."""
    settings = Settings(nodes=300, plies=4, seed=seed, win_score=hunt_command.NEVER)
    return MateHunt(PlayGames(Header.of(Variant("minishogi"), settings)))(number)


def test_game_gives_the_same_mates_every_time():
    having_mates = ((number, found) for number in range(8) if (found := hunted(11, number)))
    games = dict(islice(having_mates, 2))  # not every game of 300 nodes a move has a mate
    assert len(games) == 2
    for number, found in games.items():
        assert found == hunted(11, number)
        assert all(found != other for others, other in games.items() if others != number)
        lengths = [one.moves for one in found]
        assert len(set(lengths)) == len(lengths)
        assert set(lengths) <= set(LENGTHS)


def test_other_seed_gives_other_mates():
    assert hunted(7, 0) != hunted(8, 0)


def test_hunt_resumes_and_gives_the_same_suite(tmp_path):
    whole, parts = tmp_path / "whole.epd", tmp_path / "parts.epd"
    assert run(hunt_command, *HUNT, "--games", 2, "--out", whole).exit_code == 0
    assert run(hunt_command, *HUNT, "--games", 1, "--out", parts).exit_code == 0
    assert parts.read_text() != whole.read_text()
    done = run(hunt_command, *HUNT, "--games", 2, "--out", parts)
    assert done.exit_code == 0, done.output
    assert parts.read_text() == whole.read_text()
    journal = (tmp_path / "parts.epd.games").read_text()
    assert journal == (tmp_path / "whole.epd.games").read_text()
    found = read_mates(parts, Variant("minishogi"))
    assert f"{len(found)} mates in {parts}" in done.stdout.replace("\n", "")
    assert "all 2 games have been played" in done.stdout
    done = run(hunt_command, *HUNT, "--games", 2, "--count", 1, "--out", parts)
    assert len(read_mates(parts, Variant("minishogi"))) == 1
    assert (tmp_path / "parts.epd.games").read_text() == journal
    done = run(hunt_command, "--variant", "minishogi", "--nodes", 301, "--out", parts)
    assert done.exit_code == 2
    assert "300 nodes" in done.output


# The benchmark


def search(move, announced):
    return SearchReport(1, 1, 1.0, {}, move, announced)


@pytest.mark.parametrize(
    "move, announced, solved",
    [("a1a8", 1, True), ("a1a8", 2, False), ("a1a8", None, False), ("a1a8", -1, False), ("a1a7", 1, False)],
)
def test_mate_is_solved_by_its_move_and_its_length(move, announced, solved):
    assert mates_command.is_solved(Solver(Variant("chess")), mate(), search(move, announced)) is solved


def test_other_move_that_mates_as_fast_solves_too():
    solver, known = Solver(Variant("chess")), mate(THREE_WAYS, 1, ("d7d8",))
    solved = {
        move: mates_command.is_solved(solver, known, search(move, 1)) for move in ("d7d8", "d7b7", "d7c7")
    }
    assert solved == {"d7d8": True, "d7b7": True, "d7c7": False}  # the last one stalemates


@pytest.mark.parametrize("announced, wrong", [(None, False), (-1, False), (1, True), (2, False), (3, False)])
def test_mate_that_is_shorter_than_the_shortest_is_wrong(announced, wrong):
    for shortest in (True, False):
        known = mate(LADDER, 2, ("a2a7",), shortest=shortest)
        assert mates_command.is_wrong(Solver(Variant("chess")), known, search("a2a7", announced)) is wrong


def test_command_reports_shares_by_length_and_is_the_same_in_every_run(suite, tmp_path):
    path = tmp_path / "a.json"
    work = ("--variant", "chess", "--mates", suite, "--nodes", 20_000)
    done = run(mates_command, *work, "--runs", 2, "--json", path)
    assert done.exit_code == 0, done.output
    for line in ("1 mate in 1", "1 mate in 2", "1 mate in 3", "total"):
        assert re.search(rf"{line}\b.*100.*100.*100", done.stdout), line
    data = json.loads(path.read_text())
    lines = {sample["line"]: sample["figures"] for sample in data["samples"]}
    assert lines["total"]["solved"] == lines["total"]["announced"] == 100
    assert all(lines[name]["is_solved"] == 1 for name in ("one", "two", "three"))
    nodes = sum(lines[name]["nodes"] for name in ("one", "two", "three"))
    assert data["signature"] == {"what": "nodes", "value": nodes}
    again = run(mates_command, *work, "--compare", path)
    assert "The same tree" in again.stdout
    assert f"Nodes searched : {nodes}" in again.stdout


def test_too_few_nodes_solve_less(suite):
    done = run(mates_command, "--variant", "chess", "--mates", suite, "--nodes", 1)
    assert re.search(r"1 mate in 3\b.* 0 ", done.stdout), done.output


def test_another_engine_is_asked_too_and_its_false_mates_are_named(suite, tmp_path):
    script = tmp_path / "fake.py"
    script.write_text(FAKE)
    fake = f"cmd='{sys.executable} {script}' proto=uci name=Fake"
    path = tmp_path / "a.json"
    work = ("--variant", "chess", "--mates", suite, "--nodes", 20_000)
    done = run(mates_command, *work, "--against", fake, "--json", path)
    assert done.exit_code == 0, done.output
    samples = json.loads(path.read_text())["samples"]
    theirs = {sample["line"]: sample["figures"] for sample in samples if sample["contender"] == "Fake"}
    assert theirs["one"]["is_solved"] == 1
    assert theirs["two"]["is_solved"] == theirs["three"]["is_solved"] == 0
    assert "No such mate: Fake in two" in done.stdout
    assert "No such mate: Surajang" not in done.stdout


def test_every_takes_a_part_of_the_suite(suite):
    done = run(mates_command, "--variant", "chess", "--mates", suite, "--nodes", 100, "--every", 2)
    assert "mate in 2" not in done.stdout
    assert "mate in 3" in done.stdout


def test_wrong_options_are_reported(suite, tmp_path):
    done = run(mates_command, "--movetime", 1, "--nodes", 1)
    assert done.exit_code == 2
    assert "exclude each other" in done.output
    done = run(mates_command, "--variant", "xxl")
    assert done.exit_code == 2
    assert "xxl comes without mates" in done.output
    assert "crazyhouse" in done.output
    (tmp_path / "empty.epd").write_text("# nothing\n")
    done = run(mates_command, "--mates", tmp_path / "empty.epd")
    assert done.exit_code == 2
    assert "no mates in it" in done.output


def test_suites_come_with_the_package():
    text = (FOLDER.parents[3] / "pyproject.toml").read_text()
    assert '"mates/data/*.epd"' in text
    assert '"surajang.bench.suites.mates"' in text
