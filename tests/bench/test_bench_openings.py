"""`surajang bench openings`: the content of a suite, its reproducibility, and its check."""

import gzip
import random
import re
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner
from surajang import Engine, Position
from surajang.bench.suites.openings import openings_command
from surajang.bench.suites.openings.attempt import SuiteSettings, Verdict
from surajang.bench.suites.openings.judging import Judge
from surajang.bench.suites.openings.lines import LineMaker
from surajang.bench.suites.openings.opening_suite import OpeningSuite, _other_side, identity, played
from surajang.engine.definition.catalogue import shipped
from surajang.engine.variant import Variant
from surajang.match.openings.opening_files import load_openings
from surajang.match.openings.opening_suites import suffices, suites

pytestmark = pytest.mark.process

GAME = Variant("minishogi")
NODES, LIMIT = 300, 60
OPTIONS = ("--variant", GAME, "--nodes", NODES, "--plies", 6, "--seed", 5)
SIZE = 6
SECONDS = 300  # limit of the wait for a process


def run(*words):
    return CliRunner(env={"COLUMNS": "300"}).invoke(openings_command.main, [str(word) for word in words])


def told(*words):
    """The output of the command, which must succeed."""
    done = run(*words)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A suite that one process made without interruption."""
    path = tmp_path_factory.mktemp("whole") / "whole.epd"
    path.with_suffix(".txt").write_text(told(*OPTIONS, "--positions", SIZE, "--out", path))
    return path


def attempts_beside(path):
    return path.with_name(f"{path.name}.attempts")


# What a suite holds


def test_openings_are_different_level_and_quiet(whole):
    openings = load_openings(whole, GAME)
    positions = [played(GAME, opening.moves) for opening in openings]
    assert len(openings) == len({identity(position) for position in positions}) == SIZE
    assert {len(opening.moves) for opening in openings} == {6, 7}
    for position in positions:
        assert position.result() is None and not position.is_check()
        assert position.start_fen == position.description.start_fen


def test_score_in_the_file_is_that_of_the_search(whole):
    scores = [int(score) for score in re.findall(r"\bce (-?\d+);", whole.read_text())]
    engine = Engine(GAME, hash_mb=16)
    for opening, score in zip(load_openings(whole, GAME), scores, strict=True):
        engine.clear()
        assert engine.play(played(GAME, opening.moves), nodes=NODES).score == (score, None)
        assert abs(score) < LIMIT


def test_report_counts_what_was_left_out(whole):
    first, second = whole.with_suffix(".txt").read_text().splitlines()
    assert first.startswith(f"{SIZE} openings in {whole}, on average ")
    attempts, rejected, reasons = re.fullmatch(r"(\d+) attempts, (\d+) left out: (.*)", second).groups()
    assert int(attempts) == SIZE + int(rejected)
    assert int(rejected) == sum(int(number) for number in re.findall(r"\d+", reasons)) > 0
    assert whole.read_text().startswith(
        f"# Minishogi: {SIZE} openings, below {LIMIT} at {NODES} nodes, 6 plies, seed 5\n"
    )


# The same bytes


def test_workers_change_nothing_and_gz_is_the_same_inside(whole, tmp_path):
    path = tmp_path / "two.epd.gz"
    told(*OPTIONS, "--positions", SIZE, "--workers", 2, "--out", path)
    assert load_openings(path, GAME) != []
    plain = subprocess.run(["gzip", "-dc", path], capture_output=True, check=True).stdout
    assert plain == whole.read_bytes()


def test_suite_grows_to_the_one_made_at_once(whole, tmp_path):
    path = tmp_path / "grown.epd"
    told(*OPTIONS, "--positions", 2, "--out", path)
    few = path.read_text().splitlines()[1:]
    told(*OPTIONS, "--positions", SIZE, "--out", path)
    assert path.read_bytes() == whole.read_bytes()
    assert path.read_text().splitlines()[1:3] == few
    told(*OPTIONS, "--positions", 2, "--out", path)
    assert path.read_text().splitlines()[1:] == few


@pytest.mark.parametrize("share", [0.3, 0.8])
def test_incomplete_journal_is_continued(whole, tmp_path, share):
    path, journal = tmp_path / "torn.epd", attempts_beside(whole).read_bytes()
    attempts_beside(path).write_bytes(journal[: int(share * len(journal))])
    told(*OPTIONS, "--positions", SIZE, "--out", path)
    assert path.read_bytes() == whole.read_bytes()


def test_killed_command_can_be_resumed(whole, tmp_path):
    path = tmp_path / "killed.epd"
    words = [*map(str, OPTIONS), "--positions", str(SIZE), "--out", str(path)]
    process = subprocess.Popen([sys.executable, "-m", "surajang", "bench", "openings", *words])
    end = time.monotonic() + SECONDS
    while not (attempts_beside(path).exists() and attempts_beside(path).read_text().count("# end of")):
        assert time.monotonic() < end and process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait(SECONDS)
    told(*OPTIONS, "--positions", SIZE, "--out", path)
    assert path.read_bytes() == whole.read_bytes()


# The check


def test_check_reports_whites_score_and_keeps_the_games(whole, tmp_path):
    path = tmp_path / "checked.epd"
    attempts_beside(path).write_bytes(attempts_beside(whole).read_bytes())
    words = (*OPTIONS, "--positions", SIZE, "--out", path)
    line = told(*words, "--check", SIZE + 2).splitlines()[-1]
    found = re.match(
        r"White scores [\d.]+ ± [\d.]+ % of 8 games: \+(\d+) =(\d+) -(\d+); (balanced|more)", line
    )
    assert found, line
    games = path.with_name("checked.epd.games")
    kept = games.read_bytes()
    results = [int(line) for line in kept.decode().splitlines() if not line.startswith("#")]
    assert [results.count(result) for result in (1, 0, -1)] == [int(found[n]) for n in (1, 2, 3)]
    assert told(*words, "--check", SIZE + 2).splitlines()[-1] == line
    games.write_bytes(kept[: len(kept) // 2])
    assert told(*words, "--check", SIZE + 2, "--workers", 2).splitlines()[-1] == line
    assert games.read_bytes() == kept


# What is refused


def test_journal_of_other_settings_is_refused(whole, tmp_path):
    path = tmp_path / "other.epd"
    attempts_beside(path).write_bytes(attempts_beside(whole).read_bytes())
    done = run(*OPTIONS[:-1], 6, "--positions", SIZE, "--out", path)
    assert done.exit_code == 2
    assert "seed 5" in done.output and "seed 6" in done.output
    assert not path.exists()


@pytest.mark.parametrize("line", ["nonsense", "balanced +3 a1a9"])
def test_journal_with_something_else_is_refused(whole, tmp_path, line):
    path = tmp_path / "bad.epd"
    lines = attempts_beside(whole).read_text().splitlines()
    attempts_beside(path).write_text("\n".join([lines[0], line, *lines[2:]]) + "\n")
    done = run(*OPTIONS, "--positions", SIZE, "--out", path)
    assert done.exit_code == 2
    assert str(attempts_beside(path)) in done.output and line.split()[-1] in done.output


def test_game_with_too_few_openings_is_reported(tmp_path):
    done = run(*OPTIONS[:4], "--plies", 1, "--positions", 100, "--out", tmp_path / "a.epd")
    assert done.exit_code == 2
    assert re.search(r"minishogi gives \d+ openings, and no more in 400 attempts; 100 were", done.output)


@pytest.mark.parametrize(
    "words, quoted",
    [
        (("--variant", "draughts", "--out", "a"), "draughts"),
        (("--positions", "0", "--out", "a"), "0"),
        (("--limit", "x", "--out", "a"), "'x'"),
        ((), "--out"),
    ],
)
def test_wrong_options_are_quoted(words, quoted):
    done = run(*words)
    assert done.exit_code == 2
    assert quoted in done.output


# Lines, verdicts, identity


def test_line_follows_from_its_number_and_the_seed():
    settings = SuiteSettings(plies=4, seed=3)
    maker = LineMaker(GAME, settings)
    lines = [maker.line(number)[0].moves for number in range(6)]
    assert [len(moves) for moves in lines] == [4, 5] * 3
    assert LineMaker(GAME, settings).line(4)[0].moves == lines[4]
    other = LineMaker(GAME, settings._replace(seed=4))
    assert [other.line(number)[0].moves for number in range(6)] != lines


def test_setup_choices_come_first_and_do_not_count(interpreted_search, monkeypatch):
    monkeypatch.setattr("surajang.bench.suites.openings.lines.NODES", 40)
    maker = LineMaker(Variant("pandemonium-vchess"), SuiteSettings(plies=1))
    for number in range(3):
        kinds = [move.is_choice for move in maker.line(number)[0].moves]
        assert kinds == [True, True] + [False] * (1 + number % 2)


def test_search_ends_early_where_a_side_is_far_ahead():
    """Black leaves its king to an attack; the first iteration after the cheap nodes shows it."""
    moves = ("c1d2", "c5b4", "d1c2", "b5a4", "e1d1", "a4b3", "d2d3", "a5c5")
    far = Judge(GAME, SuiteSettings(nodes=1 << 40))((0, moves))
    assert far.verdict == Verdict.FAR and far.score > LIMIT
    assert Judge(GAME, SuiteSettings(nodes=6_000))((0, moves)).verdict == Verdict.UNBALANCED
    assert Judge(GAME, SuiteSettings(nodes=6_000, limit=10_000))((0, moves)).verdict == Verdict.BALANCED


def test_mate_is_no_opening():
    moves = ("f2f3", "e7e5", "g2g4")
    assert Judge(Variant("chess"), SuiteSettings(nodes=1 << 40))((0, moves)) == (Verdict.MATE, 0, moves)


def test_positions_that_differ_in_the_colours_alone_are_the_same():
    white = played(Variant("chess"), ("g1f3", "e7e6", "f3g1", "e6e5"))
    black = played(Variant("chess"), ("e2e4", "g8f6", "g1f3", "f6g8", "f3g1"))
    assert white.turn != black.turn and identity(white) == identity(black)
    assert identity(white) != identity(played(Variant("chess"), ("g1f3", "e7e6", "f3g1", "d7d5")))
    assert identity(white) != identity(played(Variant("chess"), ("g1f3", "e7e5", "f3g1")))


@pytest.mark.parametrize("variant", ["chess", "crazyhouse", "minishogi", "janggi"])
def test_other_side_sees_the_same_game(variant):
    chance, position = random.Random(3), Position(variant)
    assert identity(position) == identity(_other_side(position))
    for _ in range(40):
        moves = position.legal_moves()
        if position.result() is not None:
            break
        position.push(chance.choice(moves))
        twin = _other_side(position)
        assert twin.turn != position.turn
        assert identity(twin) == identity(position) != identity(Position(variant))
        assert len(twin.legal_moves()) == len(position.legal_moves())


def test_attempts_behind_a_complete_suite_do_not_count():
    suite, good = OpeningSuite(GAME, 1), Judge(GAME, SuiteSettings(nodes=100, limit=10_000))((0, ("b1b2",)))
    suite.add(good._replace(verdict=Verdict.CHECK))
    suite.add(good)
    suite.add(good._replace(moves=("c1c2",)))
    suite.add(good._replace(verdict=Verdict.CHECK))
    assert [opening.moves for opening, _ in suite.openings] == [("b1b2",)]
    assert suite.attempts == 2 and suite.mean_score == -good.score


# The suites that come with the engine

JUDGING_NODES = {"atomic": 100_000}  # of the search that judged, where it was shorter


@pytest.mark.parametrize("variant", [variant for variant in suites() if suffices(variant)])
def test_shipped_suite_is_what_it_says(seldom_compiled, variant):
    """500 level positions; the first ones are played out from their moves."""
    path = suites()[variant]
    with gzip.open(path, "rt", encoding="utf-8") as file:
        heading, *lines = file.read().splitlines()
    nodes = JUDGING_NODES.get(variant, 1_000_000)
    assert re.search(rf": 500 openings, below 60 at {nodes} nodes, \d+ plies, seed 1$", heading)
    scores = [int(re.search(r" ce (-?\d+);", line)[1]) for line in lines]
    assert len(scores) == len({line.partition(" hmvc ")[0] for line in lines}) == 500
    assert all(abs(score) < 60 for score in scores)
    openings = load_openings(path, Variant(variant), lambda found: found[:25])
    positions = [played(Variant(variant), opening.moves) for opening in openings]
    assert len({identity(position) for position in positions}) == 25
    for position, line in zip(positions, lines, strict=False):
        assert position.fen().split()[:4] == line.split()[:4]
        assert position.result() is None and not position.is_check()


def test_no_suite_is_left_over():
    assert suites().keys() <= set(shipped())
