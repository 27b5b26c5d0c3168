"""`surajang match` on the command line: whole matches between processes, killed, interrupted and resumed."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import chess.pgn
import psutil
import pytest
from click.testing import CliRunner
from surajang import Position
from surajang.engine.variant import Variant
from surajang.match.match_command import main
from surajang.match.match_setup import evaluations
from surajang.match.odds_command import main as odds_main
from surajang.match.openings import opening_suites
from surajang.match.openings.opening_files import save_suite
from surajang.match.players.spec import parse_engine
from surajang.match.records.model import Opening

pytestmark = pytest.mark.process

WALKER = Path(__file__).parents[1] / "support" / "walking_engine.py"
FAKE = Path(__file__).parents[1] / "support" / "fake_engine.py"
SECONDS = 60  # within which a process that should end must have ended
OPENINGS = """\
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id "open";
rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - id "closed";
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id "sicilian";
"""


def command(*arguments):
    return [sys.executable, "-m", "surajang", "match", *map(str, arguments)]


def surajang_match(*arguments, cwd=None):
    """Runs the command to its end."""
    return subprocess.run(command(*arguments), capture_output=True, text=True, timeout=300, cwd=cwd)


def match_here(*arguments):
    """The same in the process of the test, which has imported everything."""
    done = CliRunner().invoke(main, [str(argument) for argument in arguments])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)


class Match:
    """A match between two walkers in its own folder; `interrupted`, it cannot finish."""

    def __init__(self, folder, games, *more):
        self.folder, self.pids, self.hold = folder / "match", folder / "pids", folder / "hold"
        openings = folder / "openings.epd"
        openings.write_text(OPENINGS)
        self.arguments = ["--variant", "chess", "--games", games, "--max-moves", 20, "--openings", openings]
        for name in ("one", "two"):
            walker = f"{sys.executable} {WALKER} --seed {name} --pids {self.pids} --hold {self.hold}"
            self.arguments += ["--engine", f"cmd='{walker}' proto=uci nodes=1 name={name}"]
        self.arguments += ["--out", self.folder, *more]

    def run(self, command=surajang_match):
        self.hold.touch()
        return command(*self.arguments)

    def resume(self, *more, command=surajang_match):
        self.hold.touch()
        return command("--resume", self.folder, *more)

    def interrupted(self, number, games, *arguments):
        """Sends the signal after that many games of a match that begins, or of the command with `arguments`.
        Returns the process, which has ended, and its errors."""
        process = subprocess.Popen(
            command(*(arguments or self.arguments)),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for line in process.stdout:
            games -= line.startswith("Finished game")
            if not games:
                process.send_signal(number)
                break
        _, errors = process.communicate(timeout=SECONDS)
        return process, errors

    def results(self):
        """The part of the results that must not depend on how the match was played, by game."""
        lines = map(json.loads, (self.folder / "games.jsonl").read_text().splitlines())
        entries = [
            (line["game"]["number"], line["score"], line["reason"], [ply["move"] for ply in line["plies"]])
            for line in lines
        ]
        assert len({number for number, *_ in entries}) == len(entries), "a game was played twice"
        return sorted(entries)

    def assert_no_engine_is_left(self):
        pids = [int(line) for line in self.pids.read_text().split()]
        engines = [psutil.Process(pid) for pid in pids if psutil.pid_exists(pid)]
        _, alive = psutil.wait_procs(engines, SECONDS)
        assert pids
        assert not alive


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """The results of 12 games, one after the other."""
    match = Match(tmp_path_factory.mktemp("uninterrupted"), 12)
    run = match.run(match_here)
    assert run.returncode == 0, run.stderr
    assert len(match.results()) == 12
    return match.results()


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A match of 6 games that is over, and its process."""
    folder = tmp_path_factory.mktemp("finished")
    match = Match(folder, 6, "--concurrency", 2, "--event", "Test cup", "--plot", folder / "plot.png")
    run = match.run()
    assert run.returncode == 0, run.stderr
    return match, run


def test_match_is_played_reported_and_saved(finished):
    match, run = finished
    assert len(re.findall(r"^Finished game \d of 6 ", run.stdout, re.MULTILINE)) == 6
    scores = re.findall(r"^Score of one vs two: .* \[[01]\.\d{3}\] (\d)$", run.stdout, re.MULTILINE)
    assert scores == list("123456")
    assert "Test cup: chess, head-to-head, nodes=1" in run.stdout
    assert re.search(r"^one +6 ", run.stdout, re.MULTILINE)
    assert "Traceback" not in run.stderr
    match.assert_no_engine_is_left()
    with (match.folder / "games.pgn").open() as file:
        games = [chess.pgn.read_game(file) for _ in range(6)]
        assert chess.pgn.read_game(file) is None
    assert all(not game.errors and game.headers["Event"] == "Test cup" for game in games)
    assert sorted(game.headers["Round"] for game in games) == list("123456")
    assert (match.folder.parent / "plot.png").read_bytes().startswith(b"\x89PNG")
    assert (match.folder / "openings.epd").read_text().count('id "') == 3


def test_a_finished_match_plays_nothing_when_resumed(finished):
    match, _ = finished
    started = match.pids.read_text()
    run = match.resume(command=match_here)
    assert run.returncode == 0
    assert "Finished game" not in run.stdout
    assert match.pids.read_text() == started


def drawn_text(path):
    """The texts of an SVG by matplotlib, which draws glyphs and keeps each text in a comment."""
    return "\n".join(re.findall("<!-- (.*?) -->", path.read_text()))


def test_match_at_odds_reports_the_score_by_odds_and_is_resumed(tmp_path):
    """Two clocks against one; the walkers ignore time, so the line is meaningless."""
    openings = tmp_path / "openings.epd"
    openings.write_text(OPENINGS)
    words = ["--variant", "chess", "--games", 6, "--max-moves", 20, "--openings", openings]
    for name in ("one", "two"):
        walker = f"{sys.executable} {WALKER} --seed {name} --pids {tmp_path / 'pids'} --hold {openings}"
        words += ["--engine", f"cmd='{walker}' proto=uci name={name}"]
    words += ["--odds", "30+0.1 60+0.2", "--odds", "30+0.1 120+0.4", "--out", tmp_path / "match"]
    run = match_here(*words, "--plot", tmp_path / "match.svg")
    assert run.returncode == 0, run.stderr
    assert "odds: the time of two as a multiple of that of one" in drawn_text(tmp_path / "match.svg")
    names = {f"{name} {clock}" for name, clock in (("one", "30+0.1"), ("two", "60+0.2"), ("two", "120+0.4"))}
    assert {name for name in names if name in run.stdout} == names
    rows = re.findall(r"^(\d+) +30\+0\.1 +(\S+) +6 ", run.stdout, re.MULTILINE)
    assert rows == [("2", "60+0.2"), ("4", "120+0.4")]
    assert re.search(r"both are level|no finite fit|are level where two has", run.stdout)
    again = match_here("--resume", tmp_path / "match")
    assert again.returncode == 0 and rows == re.findall(
        r"^(\d+) +30\+0\.1 +(\S+) +6 ", again.stdout, re.MULTILINE
    )
    told = CliRunner().invoke(odds_main, [str(tmp_path / "match")])
    assert told.exit_code == 0 and told.output.strip("\n") in run.stdout
    picture = tmp_path / "odds.svg"
    drawn = CliRunner().invoke(odds_main, [str(tmp_path / "match"), "--plot", str(picture)])
    assert drawn.output == f"{told.output}The plot is in {picture}\n"
    assert "chess: one - two" in drawn_text(picture)
    refused = CliRunner().invoke(odds_main, [str(tmp_path / "match"), "--plot", str(tmp_path / "odds.doc")])
    assert refused.exit_code == 2 and "odds.doc" in refused.output


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--odds", "1+0.01"), "'1+0.01': expected two clocks"),
        (("--odds", "1+0.01 fast"), "'1+0.01 fast': 'fast' is not a clock"),
        (("--odds", "1 4", "--odds", "1 4"), "--odds names the same clocks twice"),
        (("--odds", "1 4", "--sprt", "elo0=0 elo1=5"), "cannot be combined with --sprt or --tournament"),
        (("--odds", "1 4", "--each", "tc=3"), "'tc=3' cannot be combined with --odds"),
        (("--odds", "1 4", "--engine", "cmd=surajang name=c"), "for 2 engines, not 3"),
    ],
)
def test_odds_that_make_no_match_are_refused(tmp_path, words, told):
    engines = ("--engine", "cmd=surajang name=a", "--engine", "cmd=surajang name=b")
    run = CliRunner().invoke(main, ["--variant", "chess", "--out", str(tmp_path / "m"), *engines, *words])
    assert run.exit_code == 2 and told in " ".join(run.output.split())
    assert not (tmp_path / "m").exists()


def test_odds_of_different_engines_are_not_mixed(tmp_path, finished):
    one, _ = finished
    found = CliRunner().invoke(odds_main, [str(one.folder)])
    assert found.exit_code == 0 and "Games at two odds or more" in found.output
    text = (one.folder / "match.json").read_text().replace('"name": "two"', '"name": "three"')
    other = tmp_path / "other"
    shutil.copytree(one.folder, other)
    (other / "match.json").write_text(text)
    mixed = CliRunner().invoke(odds_main, [str(one.folder), str(other)])
    assert mixed.exit_code == 2 and "different games or engines" in mixed.output
    twice = CliRunner().invoke(odds_main, [str(one.folder), f"{one.folder}/."])
    assert twice.exit_code == 2 and "is named twice; its games would count twice" in twice.output
    none = CliRunner().invoke(odds_main, [str(tmp_path)])
    assert none.exit_code == 2 and "holds no match" in none.output


def test_killed_match_leaves_no_engine_and_resumes(tmp_path, uninterrupted):
    """Three games at a time change no result; a game that is half written is played again."""
    match = Match(tmp_path, 12, "--concurrency", 3)
    process, _ = match.interrupted(signal.SIGKILL, 4)
    assert process.returncode == -signal.SIGKILL
    match.assert_no_engine_is_left()
    before = match.results()
    assert 4 <= len(before) < 12
    journal = match.folder / "games.jsonl"
    journal.write_bytes(journal.read_bytes()[:-20])
    run = match.resume("--concurrency", 3)
    assert run.returncode == 0, run.stderr
    assert "half written" in run.stderr
    assert match.results() == uninterrupted
    assert run.stdout.count("Finished game") == 12 - (len(before) - 1)
    assert re.search(r"^one +12 ", run.stdout, re.MULTILINE)


def test_an_interrupted_match_ends_in_good_order(tmp_path, uninterrupted):
    """Also when it was resumed, and plays one game at a time."""
    match, played = Match(tmp_path, 12, "--concurrency", 2), 0
    for number, arguments in ((signal.SIGINT, ()), (signal.SIGTERM, ("--resume", match.folder))):
        process, errors = match.interrupted(number, 2, *arguments)
        assert process.returncode == 130
        assert f"surajang match --resume {match.folder}" in errors
        assert "Traceback" not in errors
        match.assert_no_engine_is_left()
        assert played < len(match.results()) < 12
        played = len(match.results())
    assert match.resume().returncode == 0
    assert match.results() == uninterrupted


def test_a_second_interrupt_leaves_no_engine_either(tmp_path):
    match = Match(tmp_path, 12, "--concurrency", 2)
    process = subprocess.Popen(command(*match.arguments), stdout=subprocess.PIPE)
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=SECONDS)
    assert process.returncode == 130
    match.assert_no_engine_is_left()


def test_the_test_ends_the_match(tmp_path):
    match = Match(tmp_path, 1000, "--sprt", "elo0=0 elo1=600", "--concurrency", 2)
    loser = f"cmd='{sys.executable} {FAKE} --uci --fault exit' proto=uci nodes=1 name=two"
    match.arguments[match.arguments.index("--out") - 1] = loser
    run = match.run(match_here)
    assert run.returncode == 0, run.stderr
    assert "H1 accepted" in run.stdout
    assert "Faults of two: crash" in run.stdout
    assert len(match.results()) < 100


def test_drawn_games_are_played_again_with_colours_swapped(tmp_path):
    match = Match(tmp_path, 2, "--replay-draws", 1)
    match.arguments[match.arguments.index("--max-moves") + 1] = 3
    assert match.run(match_here).returncode == 0
    lines = [json.loads(line) for line in (match.folder / "games.jsonl").read_text().splitlines()]
    played = sorted((line["game"]["number"], line["game"]["replay"], line["game"]["white"]) for line in lines)
    assert played == [(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)]


def test_engines_that_should_ponder_have_to_know_how(tmp_path):
    run = Match(tmp_path, 2, "--ponder").run(match_here)
    assert run.returncode == 1
    assert "one cannot ponder: it has no option 'Ponder'" in run.stderr


def test_an_engine_that_cannot_start_ends_the_match_before_it_counts(tmp_path):
    match = Match(tmp_path, 100)
    match.arguments[match.arguments.index("--engine") + 1] = (
        f"cmd='{sys.executable} -c 1' proto=uci nodes=1 name=mute"
    )
    run = match.run(match_here)
    assert run.returncode == 1
    assert "Error: mute does not start: " in run.stderr and "fails (no start)" not in run.stderr
    assert match.results() == []


@pytest.mark.quick
def test_surajang_plays_itself_from_openings_of_its_own(tmp_path):
    arguments = [
        "--games",
        2,
        "--plies",
        4,
        "--max-moves",
        15,
        "--each",
        "cmd=surajang nodes=100",
        "--seed",
        3,
    ]
    run = surajang_match(*arguments, "--engine", "name=a", "--engine", "name=b nodes=50", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    (folder,) = (tmp_path / "matches").iterdir()
    assert folder.name.startswith("pandemonium-")
    games = [json.loads(line) for line in (folder / "games.jsonl").read_text().splitlines()]
    assert {game["termination"] for game in games} <= {"normal", "adjudication"}
    assert len(games) == 2
    assert all(len(game["game"]["opening"]["moves"]) >= 4 for game in games)


@pytest.mark.parametrize(
    ("settings", "evaluation"),
    [
        ("cmd=surajang", None),
        ("cmd='python -m surajang' 'option.Use NNUE=false'", False),
        ("cmd=surajang proto=cecp 'option.Use NNUE=0' option.EvalFile=my.network", False),
        ("cmd=surajang option.EvalFile=my.network", "my.network"),
        ("cmd=surajang option.EvalFile=my.network dir=/networks", "/networks/my.network"),
    ],
)
def test_code_is_compiled_ahead_for_what_each_engine_evaluates_by(settings, evaluation):
    other = parse_engine("cmd=fairy-stockfish proto=uci nodes=100 option.EvalFile=other.network")
    mine = parse_engine(f"{settings} nodes=100")
    assert evaluations([other, mine, mine]) == [evaluation]


def test_match_plays_the_suite_of_its_game(tmp_path, monkeypatch):
    monkeypatch.setattr(opening_suites, "FOLDER", tmp_path)
    start = Position("chess").start_fen
    suite = [Opening(start, moves) for moves in (("e2e4", "e7e5"), ("d2d4", "d7d5"), ("c2c4", "g8f6"))]
    save_suite(tmp_path / "chess.epd.gz", [(opening, 0) for opening in suite], Variant("chess"), "three")
    words = ["--variant", "chess", "--games", "6", "--max-moves", "3", "--seed", "3"]
    for name in "ab":
        words += ["--engine", f"cmd='{sys.executable} {WALKER}' proto=uci nodes=1 name={name}"]
    done = CliRunner().invoke(main, [*words, "--out", str(tmp_path / "match")])
    assert done.exit_code == 0, done.output
    games = [json.loads(line) for line in (tmp_path / "match" / "games.jsonl").read_text().splitlines()]
    played = [(tuple(game["game"]["opening"]["moves"]), game["game"]["white"]) for game in games]
    assert sorted(played) == sorted((opening.moves, white) for opening in suite for white in (0, 1))
    assert [moves for moves, _ in played] != [opening.moves for opening in suite for _ in (0, 1)]


SILVERHOUSE = str(Path(__file__).parents[2] / "docs" / "own-game" / "silverhouse.toml")
TWO = ("--engine", "cmd=surajang nodes=9 name=a", "--engine", "cmd=surajang nodes=9 name=b")


@pytest.mark.parametrize(
    "arguments, quoted",
    [
        ((), "not 0"),
        (TWO[:2], "not 1"),
        ((*TWO, "--variant", "draughts"), "draughts"),
        ((*TWO, "--games", "0"), "0"),
        ((*TWO, "--games", "3"), "both colours: try 4"),
        ((*TWO, "--each", "tc=abc"), "'--each': 'abc' is not a clock"),
        ((*TWO, "--each", "hash=1"), "'--each': 'hash' of 'hash=1' is not a key"),
        (("--each", "cmd=no-such-engine proto=uci", *TWO, "--engine", "nodes=9"), "--each: 'cmd=no-such"),
        ((*TWO, "--tournament", "swiss"), "swiss"),
        ((*TWO, *TWO[:2], "--tournament", "gauntlet"), "the name 'a'"),
        ((*TWO, "--engine", "cmd=surajang nodes=9 name=c"), "not 3"),
        ((*TWO[:3], "cmd=no-such-engine proto=uci nodes=9"), "'no-such-engine' is not installed"),
        ((*TWO[:3], "cmd=surajang nodes=9 dir=nowhere"), "dir=nowhere: there is no such folder"),
        ((*TWO[:3], "cmd=surajang"), "--engine: 'cmd=surajang' does not say how long to think"),
        ((*TWO[:3], "cmd=surajang tc=abc"), "'abc'"),
        ((*TWO[:3], "nodes=9"), "cmd=... is missing"),
        ((*TWO, "--draw", "numbr=8"), "numbr=8"),
        ((*TWO, "--resign", "score=x"), "'x'"),
        ((*TWO, "--sprt", "elo0=5 elo1=0"), "elo0 5"),
        ((*TWO, "--sprt", "elo0=0"), "elo1"),
        ((*TWO, "--openings", "missing.epd"), "there is no file 'missing.epd'"),
        (
            (*TWO, "--variant-file", SILVERHOUSE, "--openings", "suite"),
            "'silverhouse' comes without a suite of openings",
        ),
        ((*TWO, "--openings", "bad.epd"), "line 2"),
        ((*TWO, "--variant", "chess", "--openings", "shogi"), "the suite of 'shogi' does not fit 'chess': "),
        ((*TWO, "--opening-order", "best"), "best"),
        ((*TWO, "--plot", "plot.doc"), "plot.doc"),
        ((*TWO, "--resume", "nowhere"), "nowhere"),
        ((*TWO, "--resume", "."), "--engine cannot be combined with --resume"),
        ((*TWO, "--cluster", "x:1", "--concurrency", "2"), "--concurrency cannot be combined with --cluster"),
        ((*TWO, "--out", "taken"), "--resume taken"),
    ],
)
def test_wrong_options_get_a_sentence_that_quotes_them_and_exit_code_2(
    tmp_path, monkeypatch, arguments, quoted
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.epd").write_text("\nnot a position\n")
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "match.json").write_text("{}")
    run = CliRunner().invoke(main, arguments)
    assert run.exit_code == 2, run.output
    assert quoted in re.sub(r"\s+", " ", run.output)
    assert not (tmp_path / "matches").exists()


@pytest.mark.parametrize(
    "files, quoted",
    [
        ({}, "holds no match"),
        ({"match.json": "{"}, "match.json"),
        ({"match.json": '{"engines": 1}'}, "not a configuration of a match"),
    ],
)
def test_a_folder_that_cannot_be_resumed_is_named(tmp_path, files, quoted):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    run = CliRunner().invoke(main, ["--resume", str(tmp_path)])
    assert run.exit_code == 1 and isinstance(run.exception, SystemExit)
    assert quoted in re.sub(r"\s+", " ", run.output)


def test_two_matches_cannot_share_a_folder(tmp_path):
    match = Match(tmp_path, 1000)
    process = subprocess.Popen(command(*match.arguments), stdout=subprocess.PIPE, text=True)
    try:
        process.stdout.readline()
        run = match.resume()
        assert run.returncode == 1
        assert "in use" in run.stderr
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
