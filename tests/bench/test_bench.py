"""The benchmarks: their positions, their rounds, and the commands, at small depths."""

import json
import re
import sys

import pytest
from click.testing import CliRunner
from surajang import Position
from surajang.bench.speed import engines_under_test as contenders
from surajang.bench.speed import (
    library_command,
    nps_command,
    perft_command,
    smp_command,
    start_command,
    ttd_command,
)
from surajang.bench.speed import repeat as rounds
from surajang.engine import bench_positions as positions
from surajang.engine.definition.catalogue import load
from surajang.engine.variant import Variant
from surajang.match.players.player import ProtocolError
from surajang.protocol.terminal import progress
from surajang.tests.support.games import SEARCHED_GAMES

pytestmark = pytest.mark.process

START_LEAVES = (20, 400, 8_902)  # of chess, to depths 1, 2 and 3
ROOK_ENDING = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"

# A UCI engine with 1000 nodes per depth, 0.1 s each. It crashes on a position that contains its argument.
FAKE = """
import sys
words = []
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        print("id name Fake")
        print("option name UCI_Variant type combo default chess var chess var crazyhouse")
        print("option name Threads type spin default 1 min 1 max 8")
        print("option name Hash type spin default 16 min 1 max 1024")
        print("uciok")
    elif words[:1] == ["isready"]:
        print("readyok")
    elif words[:1] == ["position"] and sys.argv[1:] and sys.argv[1] in line:
        sys.exit(3)
    elif words[:2] == ["go", "perft"]:
        print("Nodes searched: %d" % [1, 20, 400, 8902][int(words[2])])
    elif words[:1] == ["go"]:
        for depth in range(1, 4):
            print("info depth %d score cp 10 nodes %d time %d pv e2e4" % (depth, 1000 * depth, 100 * depth))
        print("bestmove e2e4")
    elif words[:1] == ["quit"]:
        break
    sys.stdout.flush()
"""


@pytest.fixture
def fake(tmp_path):
    """The command of an engine that answers at once."""
    script = tmp_path / "fake.py"
    script.write_text(FAKE)
    return f"cmd='{sys.executable} {script}' proto=uci name=Fake"


def bench(command, *arguments):
    """Runs a benchmark of chess that must succeed; returns its output."""
    return CliRunner(env={"COLUMNS": "200"}).invoke(command.main, [str(argument) for argument in arguments])


def chess(command, *arguments):
    """Runs a benchmark of chess that has to succeed; returns what it prints."""
    done = bench(command, "--variant", "chess", *arguments)
    assert done.exit_code == 0, done.output
    return done.stdout


def signature(text):
    return int(re.search(r"(?:Nodes|Leaves) searched : (\d+)", text)[1])


# Positions


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("variant", SEARCHED_GAMES)
def test_every_searched_game_has_a_list_that_is_what_it_says(variant):
    items = positions.read_items(positions.FOLDER / f"{variant}.epd", Variant(variant))
    assert 4 <= len(items) <= 8
    assert items[0].name == "start"
    assert items[0].fen == load(variant).start_fen
    assert len({item.name for item in items}) == len({item.fen for item in items}) == len(items)
    for item in items:
        position = item.position
        assert position.fen() == item.fen
        assert position.result() is None
        assert len(position.legal_moves()) >= (2 if item.name == "start" else 5)  # a start may be a choice
        assert position.is_check() == (item.name == "in check")
        if item.name == "middle game, full hands":
            assert all(sum(position.hand(colour).values()) >= 3 for colour in (0, 1))
    kinds = ("opening", "middle game", "sharp attack", "quiet end")
    assert set(kinds) <= {item.name for item in items}
    drops = load(variant).has_drops and not load(variant).gates  # two pieces enter at gates, early
    assert drops == any("full hands" in item.name for item in items)


def test_game_without_a_list_walks_at_random_and_always_alike(monkeypatch, tmp_path):
    monkeypatch.setattr(positions, "FOLDER", tmp_path)
    items = positions.items_of(Variant("chess"))
    assert [item.name for item in items] == ["start"] + [f"random walk, {n} plies" for n in positions.WALKS]
    assert items == positions.items_of(Variant("chess"))
    assert len({item.fen for item in items}) == len(items)
    assert all(item.position.result() is None for item in items)


def test_list_of_another_game_of_that_name_is_not_used(monkeypatch, tmp_path):
    (tmp_path / "chess.epd").write_text(f'{ROOK_ENDING} ; id "start" ; search 3 ; perft 2\n')
    monkeypatch.setattr(positions, "FOLDER", tmp_path)
    items = positions.items_of(Variant("chess"))
    assert items[0].fen == load("chess").start_fen
    assert items[1].name.startswith("random walk")


def test_walks_that_end_too_early_are_left_out():
    mated = Position("chess", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
    assert positions._walk(mated, 1, positions.random.Random(1)) is None


@pytest.mark.parametrize(
    "line",
    ["8/8 w - -", 'fen ; id "a" ; search x ; perft 2', 'fen ; id "a" ; perft 2', "fen ; search 1 ; perft 2"],
)
def test_bad_line_of_a_list_is_quoted(tmp_path, line):
    path = tmp_path / "bad.epd"
    path.write_text("# fine\n" + line + "\n")
    with pytest.raises(ValueError, match=r"bad\.epd:2") as error:
        positions.read_items(path, Variant("chess"))
    assert repr(line) in str(error.value)


# Rounds


class Scripted:
    """A contender that records its requests, and refuses some items."""

    def __init__(self, name, log, unready=(), refused=()):
        self.name, self.log, self.unready, self.refused = name, log, unready, refused

    def ready(self, item):
        if item.name in self.unready:
            raise ProtocolError(f"{self.name} does not play {item.name}")

    def work(self, item, run):
        self.log.append((run, item.name, self.name))
        if item.name in self.refused:
            raise ProtocolError(f"{self.name} refuses {item.name}")
        return {item.name: {"seconds": 1.0}}


ITEMS = [positions.Item(Variant("chess"), name, "", 1, 1) for name in ("a", "b")]


def go(*who, runs=2):
    return rounds.rounds(ITEMS, who, lambda who, item, run: who.work(item, run), runs, "working")


@pytest.mark.quick
def test_contenders_work_in_turn_on_each_item_round_after_round():
    log = []
    samples, skipped = go(Scripted("x", log), Scripted("y", log))
    assert log == [(run, item, who) for run in (0, 1) for item in "ab" for who in "xy"]
    assert [(sample.run, sample.line, sample.contender) for sample in samples] == log
    assert skipped == {}


def test_item_that_one_contender_refuses_is_skipped_and_reported():
    log = []
    samples, skipped = go(Scripted("x", log), Scripted("y", log, refused="a"))
    assert {(sample.line, sample.contender) for sample in samples} == {("b", "x"), ("b", "y")}
    assert skipped == {"a": "y refuses a"}
    assert [entry for entry in log if entry[1] == "a"] == [(0, "a", "x"), (0, "a", "y")]


def test_nobody_works_on_what_one_cannot_play():
    log = []
    _, skipped = go(Scripted("x", log), Scripted("y", log, unready="b"))
    assert skipped == {"b": "y does not play b"}
    assert {item for _, item, _ in log} == {"a"}


# Commands


def test_signature_is_the_same_in_every_run_and_follows_depth_and_position():
    told = chess(nps_command, "--depth", 3, "--runs", 2)
    assert "sharp attack" in told
    assert signature(told) == signature(chess(nps_command, "--depth", 3, "--runs", 1))
    assert signature(told) != signature(chess(nps_command, "--depth", 4, "--runs", 1))
    one = signature(chess(nps_command, "--depth", 3, "--runs", 1, "--fen", ROOK_ENDING))
    other = ROOK_ENDING.replace("K2R w K", "KR2 w -")
    assert one != signature(chess(nps_command, "--depth", 3, "--runs", 1, "--fen", other))


def test_signature_is_the_sum_of_the_nodes_of_the_positions(tmp_path):
    told = chess(nps_command, "--depth", 2, "--runs", 1, "--json", tmp_path / "a.json")
    data = json.loads((tmp_path / "a.json").read_text())
    nodes = [sample["figures"]["nodes"] for sample in data["samples"] if sample["line"] != "total"]
    assert len(nodes) == len(positions.items_of(Variant("chess")))
    assert sum(nodes) == signature(told) == data["signature"]["value"]


@pytest.mark.quick
@pytest.mark.parametrize("limit", [("--nodes", 500), ("--seconds", 0.01)])
def test_nps_takes_other_limits_and_signs_only_what_is_fixed(limit):
    told = chess(nps_command, *limit, "--runs", 1, "--fen", ROOK_ENDING)
    assert ("Nodes searched" in told) == (limit[0] == "--nodes")


def test_nps_takes_one_limit():
    done = bench(nps_command, "--nodes", 5, "--depth", 5)
    assert done.exit_code == 2
    assert "exclude each other" in done.output


def test_table_larger_than_memory_is_refused():
    done = bench(nps_command, "--hash", 10**9)
    assert done.exit_code == 2
    assert "this machine does not have so much memory" in done.output


def test_threads_leave_no_signature():
    assert "searched :" not in chess(
        nps_command, "--depth", 2, "--runs", 1, "--threads", 2, "--fen", ROOK_ENDING
    )


def test_saved_run_is_compared_and_other_work_is_refused(tmp_path):
    path = tmp_path / "a.json"
    work = ("--runs", 1, "--fen", ROOK_ENDING)
    chess(nps_command, "--depth", 2, *work, "--json", path)
    told = chess(nps_command, "--depth", 2, *work, "--compare", path)
    assert "a.json" in told
    assert "verdict" in told
    assert "The same tree" in told
    for arguments, quoted in [(("--depth", 3), "depth 2"), (("--depth", 2, "--hash", 3), "hash")]:
        done = bench(nps_command, "--variant", "chess", *arguments, *work, "--compare", path)
        assert done.exit_code == 2
        assert quoted in done.output
        assert "cannot be compared" in done.output
    done = bench(nps_command, "--variant", "chess", *work, "--json", tmp_path / "none" / "a.json")
    assert done.exit_code == 2
    assert "there is no folder" in done.output
    path.write_text("{")
    done = bench(nps_command, "--variant", "chess", *work, "--compare", path)
    assert done.exit_code == 2
    assert "a.json" in done.output


@pytest.mark.quick
def test_perft_reports_the_leaves_that_it_counted():
    told = chess(perft_command, "--depth", 3, "--runs", 2, "--fen", load("chess").start_fen)
    assert signature(told) == START_LEAVES[2]
    assert f"{START_LEAVES[2]:,}" in told


def test_library_counts_the_leaves_that_python_chess_counts():
    told = chess(library_command, "--depth", 2, "--runs", 1, "--fen", load("chess").start_fen)
    assert signature(told) == 400
    assert "python-chess" in told


def test_library_is_measured_alone_in_a_game_that_python_chess_does_not_know():
    done = bench(library_command, "--variant", "janggi", "--depth", 1, "--runs", 1)
    assert done.exit_code == 0 and "python-chess" not in done.stdout


@pytest.mark.usefixtures("interpreted")
def test_perft_of_a_suite_counts_the_start_of_every_game():
    done = bench(perft_command, "--all", "--depth", 1, "--runs", 1)
    assert done.exit_code == 0, done.output
    assert signature(done.stdout) == sum(
        len(Position(game).legal_moves()) for game in perft_command.RIVAL_GAMES
    )
    assert all(game in done.stdout for game in perft_command.RIVAL_GAMES)


@pytest.mark.quick
def test_ttd_reports_the_last_depths_of_the_ladder(tmp_path):
    path = tmp_path / "a.json"
    told = chess(ttd_command, "--depth", 4, "--ladder", 2, "--runs", 1, "--json", path)
    assert signature(told) == signature(chess(nps_command, "--depth", 4, "--runs", 1))
    samples = json.loads(path.read_text())["samples"]
    lines = [sample["line"] for sample in samples if sample["line"].startswith("start")]
    assert lines == ["start, depth 3", "start, depth 4"]
    seconds = {sample["line"]: sample["figures"]["seconds"] for sample in samples}
    assert seconds["start, depth 3"] <= seconds["start, depth 4"]
    deepest = [value for line, value in seconds.items() if line.endswith("depth 4")]
    assert seconds["total"] == pytest.approx(sum(deepest))


@pytest.mark.parametrize("most, numbers", [(1, [1]), (2, [1, 2]), (6, [1, 2, 4, 6]), (8, [1, 2, 4, 8])])
def test_smp_doubles_threads_up_to_the_most(most, numbers):
    assert smp_command.steps(most) == numbers


def test_smp_compares_with_one_thread():
    told = chess(smp_command, "--depth", 3, "--threads", 2, "--runs", 2, "--fen", ROOK_ENDING)
    assert "to 1 thread" in told
    assert "2 threads" in told
    assert signature(told) == signature(chess(nps_command, "--depth", 3, "--runs", 1, "--fen", ROOK_ENDING))


# Beside another engine


def test_perft_beside_another_engine_reports_the_ratio_and_other_counts(fake):
    work = ("--runs", 2, "--fen", load("chess").start_fen, "--against", fake)
    told = chess(perft_command, "--depth", 3, *work)
    assert re.search(r"\d+\.\d\d \(\d+\.\d\d to \d+\.\d\d\)", told)
    assert "Other leaves" not in told
    told = chess(perft_command, "--depth", 2, "--runs", 1, "--fen", ROOK_ENDING, "--against", fake)
    assert re.search(r"Other leaves in .*400", told)


def test_nps_beside_another_engine_takes_its_own_figures(fake, tmp_path):
    path = tmp_path / "a.json"
    chess(nps_command, "--nodes", 300, "--runs", 1, "--against", fake, "--json", path)
    data = json.loads(path.read_text())
    theirs = [sample["figures"] for sample in data["samples"] if sample["contender"] == data["baseline"]]
    assert len(theirs) == len(positions.items_of(Variant("chess"))) + 1
    assert all(figures["speed"] == pytest.approx(0.01) for figures in theirs)  # 1000 nodes in 0.1 s


def test_position_of_which_the_other_engine_dies_is_skipped_by_name(fake, tmp_path):
    path = tmp_path / "a.json"
    sharp = next(item for item in positions.items_of(Variant("chess")) if item.name == "sharp attack")
    against = f"{fake} arg={sharp.fen.split()[0]}"
    told = chess(nps_command, "--depth", 2, "--runs", 2, "--against", against, "--json", path)
    assert "Skipped sharp attack" in told
    data = json.loads(path.read_text())
    lines = {sample["line"] for sample in data["samples"]}
    assert "sharp attack" not in lines
    assert len(lines) == len(positions.items_of(Variant("chess")))  # one less, and the total


def test_ttd_beside_another_engine_reports_both(fake, tmp_path):
    path = tmp_path / "a.json"
    chess(ttd_command, "--depth", 3, "--ladder", 1, "--runs", 1, "--against", fake, "--json", path)
    samples = json.loads(path.read_text())["samples"]
    assert 0.3 in [sample["figures"]["seconds"] for sample in samples if sample["line"] == "start, depth 3"]


def test_engine_that_does_not_start_or_play_is_reported(fake):
    done = bench(perft_command, "--variant", "chess", "--runs", 1, "--against", "no-such-engine")
    assert done.exit_code == 2
    assert "no-such-engine" in done.output
    done = bench(perft_command, "--variant", "janggi", "--depth", 1, "--runs", 1, "--against", fake)
    assert done.exit_code == 2
    assert "janggi" in done.output


WAYS = start_command.starts_of([Variant("chess")], [start_command.PERFT, start_command.FIRST_MOVE])


def test_another_engine_starts_warm_and_up_to_its_first_move_only(fake, tmp_path):
    starter = start_command.Starter(contenders.rival_specs(fake)[0], tmp_path, False)
    given = [how.name for how in WAYS if starter.seconds(how, 0)]
    assert given == ["first move, warm"]


def test_own_engine_starts_cold_in_every_run_and_warm_after_it(monkeypatch, tmp_path):
    caches = []
    note = lambda self, variant, environment: caches.append(environment[start_command.CACHE_VARIABLE])  # noqa: E731
    monkeypatch.setattr(start_command.Starter, "_perft", note)
    starter = start_command.Starter(contenders.spec_of("cmd=surajang"), tmp_path, True)
    ways = [how for how in WAYS if how.what == start_command.PERFT]
    lines = [line for run in (0, 1) for how in ways for line in starter.seconds(how, run)]
    assert lines == ["perft 1, cold", "perft 1, warm"] * 2
    first, again, second, last = caches
    assert first == again != second == last


def test_start_of_all_games_names_each():
    ways = start_command.starts_of(start_command.SEEDS, [start_command.FIRST_MOVE])
    assert len({how.name for how in ways}) == len(ways) == 2 * len(start_command.SEEDS)
    assert [how.name for how in ways[:2]] == [
        "pandemonium, first move, cold",
        "pandemonium, first move, warm",
    ]


# Progress


def test_plain_lines_come_when_it_is_time(capsys):
    clock = iter([0.0, 4.0, 11.0, 12.0, 25.0])
    lines = progress._PlainLines("working", now=lambda: next(clock))
    for done in range(1, 5):
        lines.tell(done, 4)
    assert capsys.readouterr().err.splitlines() == ["working: 2 of 4, 11 s", "working: 4 of 4, 25 s"]


def test_short_work_without_a_terminal_prints_nothing(capsys):
    assert list(progress.tracked([1, 2], "working")) == [1, 2]
    assert list(progress.tracked(iter([1, 2]), "working", 2)) == [1, 2]
    assert capsys.readouterr() == ("", "")
