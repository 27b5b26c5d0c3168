"""Best moves: their files, how positions of games are judged, the suite's command, and the benchmark."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
import surajang
from click.testing import CliRunner
from surajang import Position
from surajang.bench.speed.engines_under_test import SearchReport
from surajang.bench.speed.result import BenchmarkResult, Measurement
from surajang.bench.suites.best_moves import find_moves_command, moves_command
from surajang.bench.suites.best_moves.best_move_file import (
    CAPTURE,
    DROP,
    FOLDER,
    FORM,
    KINDS,
    QUIET,
    BestMove,
    first_of,
    read_moves,
)
from surajang.bench.suites.best_moves.find_moves_command import (
    EXAMINED,
    FIRST_PLY,
    MoveFinder,
    counts_of,
)
from surajang.bench.suites.best_moves.judging import (
    CLOSE,
    DISPUTED,
    EASY,
    FEW,
    MATE,
    REFUTED,
    UNSTABLE,
    WON,
    MoveJudge,
    Ranked,
    Ranking,
)
from surajang.bench.suites.collecting import Moment
from surajang.bench.suites.epd import write_entries
from surajang.engine.variant import Variant
from surajang.eval.network.installing import default_network
from surajang.learn.self_play.compiled_games import Settings
from surajang.learn.self_play.games_file import Header, evaluation_digest
from surajang.learn.self_play.generator import PlayGames

pytestmark = pytest.mark.process

SUITES = sorted(path.stem for path in FOLDER.glob("*.epd"))
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FREE_ROOK = "6k1/5ppp/8/8/8/8/r4PPP/R5K1 w - - 0 1"
BACK_RANK = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"
NODES = 6_000  # of a deep search
FIND = (
    "--variant",
    "minishogi",
    "--nodes",
    NODES,
    "--margin",
    30,
    "--game-nodes",
    200,
    "--plies",
    4,
    "--seed",
    2,
)


def best(fen=FREE_ROOK, moves=("a1a2",), name="one", **figures):
    return BestMove(Variant("chess"), name, fen, moves, **figures)


def run(command, *arguments):
    return CliRunner(env={"COLUMNS": "200"}).invoke(command.main, [str(argument) for argument in arguments])


# Files


def test_file_keeps_what_was_written(tmp_path):
    found = [best(score=-12, nodes=900, margin=130), best(START, ("e2e4", "d2d4"), "two")]
    write_entries(tmp_path / "a.epd", found, "a heading")
    assert (tmp_path / "a.epd").read_text().splitlines() == [
        "# a heading",
        f'{FREE_ROOK} ; bm a1a2 ; ce -12 ; acn 900 ; c0 "margin 130" ; id "one"',
        f'{START} ; bm e2e4 d2d4 ; id "two"',
    ]
    assert read_moves(tmp_path / "a.epd", Variant("chess")) == found


@pytest.mark.parametrize(
    "line, told",
    [
        ("8/8 w - -", FORM),
        (f'{START} ; id "a"', FORM),
        (f"{START} ; bm e2e4", FORM),
        (f'{START} ; bm e2e4 ; ce much ; id "a"', FORM),
        (f'{START} ; bm e2e5 ; id "a"', "the Pawn on e2 cannot go to e5; it should name legal moves"),
        (f'{START} ; bm Nf3 ; id "a"', "is not a move"),
        ('9/8 w - - 0 1 ; bm e2e4 ; id "a"', "the position cannot be set up"),
        (f'{START} ; bm e2e4 ; id "fine"', "the id 'fine' is that of line 2"),
    ],
)
def test_bad_line_is_quoted_with_its_number_and_the_right_form(tmp_path, line, told):
    path = tmp_path / "bad.epd"
    path.write_text(f'# a heading\n{START} ; bm d2d4 ; id "fine"\n{line}\n')
    with pytest.raises(ValueError, match=r"bad\.epd:3") as error:
        read_moves(path, Variant("chess"))
    assert repr(line) in str(error.value)
    assert told in str(error.value)


def test_no_position_stands_twice_in_a_suite():
    again = best(FREE_ROOK.replace("0 1", "4 9"), name="again")
    assert [one.name for one in first_of([best(), again, best(START, name="two")], 5)] == ["one", "two"]
    assert [one.name for one in first_of([best(), again, best(START, name="two")], 1)] == ["one"]


def test_right_to_capture_en_passant_makes_another_position_in_a_suite():
    passed = "4k3/8/8/8/3pP3/8/8/4K3 b - {} 0 1"
    one, other = best(passed.format("e3"), name="one"), best(passed.format("-"), name="two")
    assert first_of([one, other], 5) == [one, other]


@pytest.mark.parametrize(
    "variant, fen, move, kind",
    [
        ("chess", FREE_ROOK, "a1a2", CAPTURE),
        ("chess", START, "e2e4", QUIET),
        ("crazyhouse", FREE_ROOK.replace(" w", "[N] w"), "N@e4", DROP),
    ],
)
def test_best_move_has_a_kind(variant, fen, move, kind):
    assert BestMove(variant, "one", fen, (move,)).kind == kind


# The judgement of positions


@pytest.fixture(scope="module")
def judge():
    found = MoveJudge(Variant("chess"), NODES, 80)
    yield found
    found.close()


@pytest.mark.parametrize(
    "fen, why",
    [
        (FREE_ROOK, EASY),  # any search takes the rook
        ("7k/8/8/8/8/8/8/K7 w - - 0 1", FEW),
    ],
)
def test_position_without_a_best_move_is_left_out_for_a_reason(judge, fen, why):
    assert judge.examine(Position("chess", fen), "one") == why


class ToldJudge(MoveJudge):
    """A judge of the start position of chess with given results of its searches: the move of the short search
    and of the second opinion, (move, score) by iteration of the probe and of the deep search, and the scores
    of searches after moves."""

    def __init__(self, short="a2a3", second="e2e4", probe=None, deep=None, behind=None, mate=False):
        super().__init__(Variant("chess"), NODES, 80)
        good = [[("e2e4", 200), ("d2d4", 100)]] * 3
        self.told = {NODES // 10: probe or good, NODES: deep or good}
        self.short, self.second, self.mate = short, second, mate
        self.behind = {"e2e4": 200, **(behind or {})}

    def _move(self, engine, position, nodes):
        return position.parse_move(self.second if nodes >= NODES else self.short)

    def _ranking(self, position, nodes, lines=2, moves=None):
        told = [
            [Ranked(position.parse_move(move), score, self.mate) for move, score in iteration]
            for iteration in self.told[nodes]
            if lines == 2
        ] or [[Ranked(move, 0, False) for move in moves[:lines]]]
        return Ranking(told[-1][0].move, told)

    def _score_behind(self, position, move):
        return self.behind.get(str(move), 0)


CHANGING = [[("d2d4", 200), ("e2e4", 0)], *[[("e2e4", 200), ("d2d4", 100)]] * 2]


@pytest.mark.parametrize(
    "told, why",
    [
        ({"short": "e2e4"}, EASY),
        ({"probe": [[("e2e4", 50), ("d2d4", 11)]]}, CLOSE),
        ({"probe": [[("e2e4", 50), ("d2d4", 10)]]}, None),
        ({"deep": [[("a2a3", 200), ("d2d4", 100)]] * 3}, EASY),
        ({"deep": [[("e2e4", 200), ("d2d4", 121)]] * 3}, CLOSE),
        ({"deep": [[("e2e4", 200), ("d2d4", 120)]] * 3}, None),
        ({"deep": CHANGING}, UNSTABLE),
        ({"deep": [[("e2e4", 900), ("d2d4", 600)]] * 3}, WON),
        ({"deep": [[("e2e4", -600), ("d2d4", -900)]] * 3}, WON),
        ({"mate": True}, MATE),
        ({"second": "d2d4"}, DISPUTED),
        ({"behind": {"d2d4": 161}}, REFUTED),
        ({"behind": {"d2d4": 160}}, None),
        ({"behind": {"a2a3": 161}}, REFUTED),  # the move of the short search
    ],
)
def test_best_move_passes_every_question(told, why):
    found = ToldJudge(**told).examine(Position("chess"), "one")
    if why is None:
        assert (found.best, found.nodes, found.name) == (("e2e4",), NODES, "one")
        assert (found.score, found.margin) == (200, 80 if "deep" in told else 100)
    else:
        assert found == why


def test_mate_is_no_best_move(judge):
    position = Position("chess", BACK_RANK)
    deep = judge._ranking(position, NODES)
    assert str(deep.move) == "a1a8"
    assert judge._fault(deep, position.parse_move("a1a2")) == MATE


def test_scores_behind_moves_are_the_movers(judge):
    position = Position("chess", FREE_ROOK)
    taken, left = (judge._score_behind(position, position.parse_move(text)) for text in ("a1a2", "g1f1"))
    assert taken > 300
    assert left < -100 or left < taken - 300
    stalemate = Position("chess", "k7/3Q4/1K6/8/8/8/8/8 w - - 0 1")
    assert judge._score_behind(stalemate, stalemate.parse_move("d7c7")) == 0
    assert judge._score_behind(stalemate, stalemate.parse_move("d7b7")) == 1_000


def moment(ply, score):
    return Moment(None, ply, score)


def test_positions_where_scores_change_most_are_examined_first():
    left_out = Counter()
    scores = [0] * FIRST_PLY + [0, 50, 0, 700, 300, None, 10, 20]
    found = MoveFinder.examined([moment(ply, score) for ply, score in enumerate(scores)], left_out)
    assert [one.ply - FIRST_PLY for one in found] == [2, 0, 1, 6]
    assert +left_out == {"early": FIRST_PLY, "decided": 1, "unscored": 3}


def test_only_so_many_positions_of_a_game_are_examined():
    left_out = Counter()
    found = MoveFinder.examined([moment(ply, ply) for ply in range(FIRST_PLY + EXAMINED + 4)], left_out)
    assert [one.ply for one in found] == list(range(FIRST_PLY, FIRST_PLY + EXAMINED))
    assert left_out["calm"] == 3


# The command that makes suites


def found_in(seed, number):
    """What a game of minishogi gives."""
    settings = Settings(nodes=200, plies=4, seed=seed)
    game = Variant("minishogi")
    work = PlayGames(Header.of(game, settings))
    finder = MoveFinder(work, NODES, evaluation_digest(game, default_network(game)), 30)
    return [str(line) for line in finder(number)]


def test_game_gives_the_same_moves_every_time():
    assert found_in(3, 1) == found_in(3, 1)
    assert found_in(3, 1) != found_in(4, 1)


def test_suite_is_the_same_after_a_kill(tmp_path):
    """The killed process leaves whole games and possibly a part of one."""
    whole, parts = tmp_path / "whole.epd", tmp_path / "parts.epd"
    done = run(find_moves_command, *FIND, "--games", 6, "--out", whole)
    assert done.exit_code == 0, done.output
    found = read_moves(whole, Variant("minishogi"))
    assert found
    assert f"{len(found)} best moves in {whole}" in done.stdout.replace("\n", "")
    assert "all 6 games have been played" in done.stdout
    assert "easy" in done.stdout
    for one in found:
        assert one.nodes == NODES
        assert one.margin >= 30

    journal = tmp_path / "parts.epd.games"
    command = [sys.executable, "-m", "surajang", "bench", "find-moves", *map(str, FIND), "--games", "6"]
    package = str(Path(surajang.__file__).parent.parent)
    environment = {**os.environ, "PYTHONPATH": package}
    process = subprocess.Popen([*command, "--out", str(parts)], env=environment, start_new_session=True)
    while process.poll() is None and not (journal.exists() and b"end of game 1" in journal.read_bytes()):
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    with journal.open("ab") as file:
        file.write(b"half a li")
    done = run(find_moves_command, *FIND, "--games", 6, "--out", parts)
    assert done.exit_code == 0, done.output
    assert parts.read_bytes() == whole.read_bytes()
    assert journal.read_bytes() == (tmp_path / "whole.epd.games").read_bytes()

    done = run(find_moves_command, *FIND, "--games", 6, "--positions", 1, "--out", parts)
    assert len(read_moves(parts, Variant("minishogi"))) == 1
    done = run(find_moves_command, *FIND, "--nodes", NODES + 1, "--games", 6, "--out", parts)
    assert done.exit_code == 2
    assert f"{NODES} nodes" in done.output


def test_reasons_are_counted_over_all_games():
    lines = ["# x", "# left out: 3 close, 12 few moves", "a move", "# left out: 1 close"]
    assert counts_of(lines) == {"close": 4, "few moves": 12}


# The benchmark


@pytest.fixture
def suite(tmp_path):
    """A file with a best move that every search finds, and a wrong one."""
    path = tmp_path / "two.epd"
    write_entries(path, [best(), best(FREE_ROOK, ("h2h3",), "planted")], "two")
    return path


@pytest.mark.parametrize(
    "choices, nodes",
    [
        (((10, "a1a2"), (20, "a1a2"), (30, "a1a2")), 10),
        (((10, "a1a2"), (20, "h2h3"), (30, "a1a2")), 30),
        (((10, "h2h3"), (20, "a1a2"), (30, "a1a2")), 20),
        (((10, "a1a2"), (30, "h2h3")), 40),  # not solved: all nodes of the search
    ],
)
def test_nodes_to_the_move_are_those_after_which_no_other_was_named(choices, nodes):
    search = SearchReport(3, 40, 1.0, {}, choices[-1][1], None, choices)
    assert moves_command.nodes_to_move(best(), search) == nodes


def test_planted_wrong_move_counts_as_unsolved(suite, tmp_path):
    path = tmp_path / "a.json"
    work = ("--variant", "chess", "--moves", suite, "--nodes", 2_000)
    done = run(moves_command, *work, "--json", path)
    assert done.exit_code == 0, done.output
    samples = {one["line"]: one["figures"] for one in json.loads(path.read_text())["samples"]}
    assert (samples["one"]["is_solved"], samples["planted"]["is_solved"]) == (1, 0)
    assert samples["total"]["solved"] == 50
    assert samples["planted"]["nodes_to_move"] == samples["planted"]["nodes"]
    assert samples["1 quiet moves"]["solved"] == 0
    assert samples["1 captures"]["solved"] == 100
    assert re.search(r"1 captures\b.*100.*100.*100", done.stdout)


def test_figures_at_fixed_nodes_are_the_same_in_every_run(suite, tmp_path):
    path = tmp_path / "a.json"
    run(moves_command, "--variant", "chess", "--moves", suite, "--nodes", 3_000, "--runs", 2, "--json", path)
    figures = {0: {}, 1: {}}
    for one in json.loads(path.read_text())["samples"]:
        figures[one["run"]][one["line"]] = {k: v for k, v in one["figures"].items() if k != "seconds"}
    assert figures[0] == figures[1]
    again = run(moves_command, "--variant", "chess", "--moves", suite, "--nodes", 3_000, "--compare", path)
    assert again.exit_code == 0, again.output
    assert "worse" not in again.stdout
    assert "olved: Surajang" not in again.stdout


def test_positions_that_changed_are_named():
    def result(one, two):
        samples = [
            Measurement("one", "S", 0, {"is_solved": one}),
            Measurement("two", "S", 0, {"is_solved": two}),
        ]
        positions = {"one": "", "two": ""}
        return BenchmarkResult("moves", "chess", {}, positions, (), ["S"], samples=samples)

    assert moves_command.changes(result(1, 0), result(0, 1)) == ["No longer solved: S, one", "Solved: S, two"]
    assert moves_command.changes(result(1, 0), result(1, 0)) == []


def test_wrong_options_are_reported(suite, tmp_path):
    done = run(moves_command, "--movetime", 1, "--nodes", 1)
    assert done.exit_code == 2
    assert "exclude each other" in done.output
    done = run(moves_command, "--variant", "xxl")
    assert done.exit_code == 2
    assert "xxl comes without best moves" in done.output
    (tmp_path / "bad.epd").write_text("nonsense\n")
    done = run(moves_command, "--variant", "chess", "--moves", tmp_path / "bad.epd")
    assert done.exit_code == 2
    assert "'nonsense' should read" in " ".join(done.output.split())


# The suites that come with the engine


@pytest.mark.parametrize("variant", SUITES)
def test_suite_is_what_it_says(variant):
    found = read_moves(FOLDER / f"{variant}.epd", Variant(variant))
    assert len(found) >= 10
    assert len({one.name for one in found}) == len({one.fen for one in found}) == len(found)
    for one in found:
        assert one.position.fen() == one.fen
        assert one.position.result() is None
        (move,) = one.best
        assert move in [str(legal) for legal in one.position.legal_moves()]
        assert one.kind in KINDS
        assert one.margin >= 80
        one.position.push(move)
        assert one.position.result() is None  # no mate at once
        one.position.pop()


def test_suites_come_with_the_package():
    assert SUITES
    text = (FOLDER.parents[3] / "pyproject.toml").read_text()
    assert '"best_moves/data/*.epd"' in text
    assert '"surajang.bench.suites.best_moves"' in text
