"""Two settings of this program at equal nodes, and settings of the search that differ between them."""

import json
import re
import signal
import threading
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from surajang import Engine, Position
from surajang.engine.definition import catalogue
from surajang.engine.rules import rules_for
from surajang.engine.variant import Variant
from surajang.eval.network.file import random_network, save_network
from surajang.eval.terms.weights import default_parameters
from surajang.learn.self_play.compiled_games import NO_SCORE
from surajang.learn.self_play.duel_games import DUEL_SETTINGS, Duel, Duellist, NodeClock
from surajang.learn.self_play.game_player import OpeningError, StoppedError
from surajang.learn.self_play.generator import Batches
from surajang.learn.tuning import duel_command
from surajang.learn.tuning.duel_command import main
from surajang.learn.tuning.duels import (
    PlayChoices,
    PlayerSpec,
    PlayPairs,
    parse_clock,
    parse_numbers,
    parse_player,
)
from surajang.match.openings.opening_files import save_openings
from surajang.match.records.model import Opening
from surajang.search.aspiration import NO_LIMIT, Root
from surajang.search.stop import Stop
from surajang.search.tree.tunable import TUNABLES, tuned_values
from surajang.search.tree.worker import new_worker
from surajang.tests.learn.test_selfplay import referee

pytestmark = pytest.mark.process

GAME = Variant("minishogi")
QUICK = DUEL_SETTINGS._replace(nodes=200, plies=4, win_score=3000)
PLAIN = Duellist()
CARELESS = Duellist(None, (("lmr_base", 1600), ("lmr_slope", 1000), ("see_tactical", 30)))
IGNORANT = Duellist(random_network(GAME, 16, 5))


@pytest.fixture(scope="module")
def even():
    return Duel(GAME, QUICK, PLAIN, PLAIN)


def test_equal_players_play_the_same_game_with_either_colour(even):
    for number in range(3):
        first, second = even.games(number)
        assert list(first.moves) == list(second.moves) and list(first.scores) == list(second.scores)
        assert sum(even.play_pair(number)[0]) == 2


def test_games_are_legal_and_end_as_the_rules_say(even):
    for number in range(4):
        for game in even.games(number):
            referee(GAME, game)


def test_pair_has_one_random_opening_that_is_level(even):
    openings = set()
    for number in range(6):
        first, second = (
            Duel(GAME, QUICK, PLAIN, CARELESS).games(number) if number == 0 else even.games(number)
        )
        assert first.opening == second.opening == QUICK.plies + number % 2
        opening = tuple(first.moves[: first.opening])
        assert opening == tuple(second.moves[: second.opening])
        assert all(score == NO_SCORE for score in first.scores[: first.opening])
        assert abs(first.scores[first.opening]) <= QUICK.balance
        openings.add(opening)
    assert len(openings) == 6


def test_result_does_not_depend_on_what_was_played_before(even):
    wanted = [even.play_pair(number) for number in (3, 4)]
    assert [Duel(GAME, QUICK, PLAIN, PLAIN).play_pair(number) for number in (3, 4)] == wanted


def test_pair_can_have_a_given_opening(even):
    games = even.games(3)
    codes = games[0].moves[: games[0].opening]
    given = even.games(0, codes)
    for one, other in zip(games, given, strict=True):
        assert one.moves.tolist() == other.moves.tolist() and one.scores.tolist() == other.scores.tolist()
    assert even.games(0, codes[:1])[0].opening == 1


def test_player_that_knows_nothing_loses():
    """Except in one game of ten: 200 nodes are few, and an opening may help."""
    duel, swapped = Duel(GAME, QUICK, PLAIN, IGNORANT), Duel(GAME, QUICK, IGNORANT, PLAIN)
    for game in duel.games(0):
        referee(GAME, game)
    pairs = range(5)
    assert sum(sum(duel.play_pair(number)[0]) for number in pairs) >= 18  # half points of ten games
    assert sum(sum(swapped.play_pair(number)[0]) for number in pairs) <= 2


def test_numbers_can_be_changed_between_games():
    duel = Duel(GAME, QUICK, PLAIN, PLAIN)
    duel.tune(1, dict(CARELESS.tuned))
    wanted = Duel(GAME, QUICK, PLAIN, CARELESS).play_pair(1)
    assert duel.play_pair(1) == wanted
    with pytest.raises(ValueError, match="no setting 'speed'"):
        duel.tune(0, {"speed": 3})


def test_worker_that_can_be_tuned_searches_as_the_constants_do():
    engine, found = Engine(GAME, eval_file=False), []
    for worker in (engine.workers[0], new_worker(engine.rules, catalogue.load(GAME), None, {})):
        root, value = Root(engine, worker, []), 0
        engine.table.clear()
        worker["age"] = engine.table.age
        root.load(Position(GAME), Stop())
        worker["stoppable_from"] = NO_LIMIT
        for depth in range(1, 9):
            line, _ = root.search(depth, value)
            value = line.value
        found.append((root.nodes, line))
    assert found[0] == found[1] and found[0][0] > 1000


def test_every_number_has_a_value_within_its_range_and_a_step_that_fits():
    for variant in ("chess", "crazyhouse", "janggi"):
        for name, value in tuned_values(rules_for(variant)).items():
            each = TUNABLES[name]
            assert each.low <= value <= each.high and 0 < each.step <= each.high - each.low, name


def test_clocks_are_charged_with_the_nodes_of_the_searches(even):
    codes = even.games(3)[0].moves[:4]
    duel = Duel(GAME, QUICK, PLAIN, PLAIN, NodeClock(20_000, 50))
    duel._game["nodes"] = 0
    first, second = duel.games(0, codes)
    assert list(first.moves) == list(second.moves) and len(second.moves) > 20
    referee(GAME, second)
    remaining, plies = duel._clocks["remaining"], len(second.moves) - second.opening
    assert 2 * (2 * 20_000 + 50 * plies - sum(remaining)) == duel._game["nodes"]  # of two equal games
    assert min(remaining) > 0 and max(remaining) < 20_000


def test_clock_is_shared_out_by_the_numbers_of_its_player(even):
    codes = even.games(3)[0].moves[:4]
    hasty, thrifty = (Duellist(None, (("time_moves", n), ("time_least_moves", n))) for n in (10, 60))
    duel = Duel(GAME, QUICK._replace(most_plies=34), hasty, thrifty, NodeClock(20_000))
    duel.games(0, codes)  # the first player is Black in the second one
    white, black = duel._clocks["remaining"]
    assert 0 < 2 * black < white


def test_hard_limit_ends_a_search_by_the_clock(even):
    codes = even.games(3)[0].moves[:4]
    duel = Duel(GAME, QUICK._replace(most_plies=5), PLAIN, PLAIN, NodeClock(20_000))
    spent = []
    for hard in (150, 1200):
        for player in (0, 1):
            duel.tune(player, {"time_hard": hard, "time_unstable": 300, "time_stable": 120, "time_moves": 60})
        duel.games(0, codes)
        spent.append(20_000 - duel._clocks["remaining"][0])
    share = 20_000 // 58  # of one move: two plies were played
    assert share < spent[0] <= 1.5 * share + 1 < spent[1]


@pytest.mark.parametrize(
    "text, words",
    [
        ("fast", "a clock 'fast' should be nodes, as in 400000"),
        ("5s+1", r"a clock '5s\+1' should be nodes"),
        ("400000+", r"'400000\+' should be nodes"),
        ("999+50", "at least 1,000 nodes"),
        ("4000+-1", "at least 1,000 nodes"),
    ],
)
def test_clock_that_cannot_be_read_is_quoted(text, words):
    with pytest.raises(ValueError, match=words):
        parse_clock(text)


def test_clock_has_nodes_for_the_game_and_for_each_move():
    assert parse_clock("400000") == NodeClock(400_000, 0)
    assert parse_clock("400000+4000") == NodeClock(400_000, 4000)


def test_duel_that_is_stopped_ends():
    duel = Duel(GAME, QUICK._replace(nodes=1 << 40), PLAIN, PLAIN)
    threading.Timer(0.2, duel.stop).start()
    with pytest.raises(StoppedError, match="pair 0"):
        duel.play_pair(0)


def test_openings_that_are_never_level_are_an_error():
    with pytest.raises(OpeningError, match="minishogi"):
        Duel(GAME, QUICK._replace(balance=-1), PLAIN, PLAIN).play_pair(0)


def test_batches_are_pairs_by_number(even):
    work = PlayPairs(GAME, QUICK, PlayerSpec(None), PlayerSpec(None))
    results, seconds = work((2, 2))
    assert results == [even.play_pair(number) for number in (2, 3)] and seconds > 0
    work.close()


def test_task_of_choices_counts_the_points_of_the_first():
    work = PlayChoices(GAME, QUICK, PlayerSpec(None), PlayerSpec(None))
    duel = Duel(GAME, QUICK, PLAIN, CARELESS)
    wanted = sum(sum(duel.play_pair(number)[0]) - 2 for number in (6, 7, 8))
    assert work((2, 3, (), CARELESS.tuned)) == wanted
    assert work((2, 3, CARELESS.tuned, CARELESS.tuned)) == 0
    work.close()


@pytest.mark.parametrize(
    "text, words",
    [
        ("rfp_margin", "'rfp_margin' should be NAME=NUMBER"),
        ("rfp_margins=3", "no setting 'rfp_margins'"),
        ("rfp_margin=high", "rfp_margin 'high' should be a whole number"),
    ],
)
def test_player_that_cannot_be_read_is_quoted(text, words):
    with pytest.raises(ValueError, match=words):
        parse_player(text, GAME)


def test_player_has_the_network_of_the_game_unless_it_says_another(tmp_path):
    path = tmp_path / "other.network"
    save_network(path, IGNORANT.network)
    assert parse_player("", Variant("crazyhouse")).network is not None
    assert parse_player("eval=none see_quiet=20", Variant("crazyhouse")) == PlayerSpec(
        None, (("see_quiet", 20),)
    )
    assert parse_player(f"eval='{path}'", GAME).network == path.read_bytes()


def test_player_plays_with_weights_of_its_own(tmp_path):
    rules, description = rules_for(GAME), catalogue.load(GAME)
    path = tmp_path / "flat.toml"
    material = default_parameters(rules, description).material
    flat = replace(default_parameters(rules, description), material=np.minimum(material, 1.0))
    path.write_text(flat.as_toml(description))
    poor, plain = (parse_player(f"eval=none weights={name}", GAME) for name in (path, "none"))
    work = PlayPairs(GAME, QUICK, poor, plain)
    pairs, _ = work((0, 6))
    assert (
        sum(sum(points) for points, _ in pairs) <= 6
    )  # of 24 half points, for pieces that are worth nothing
    assert PlayPairs(GAME, QUICK, plain, plain)((0, 6))[0] != pairs


@pytest.mark.parametrize(
    "content, words",
    [
        (b"\xff\xfe", "flat.toml is not text"),
        (b"pieces = 3", "the weights are for other pieces"),
        (b"pieces = [", "flat.toml: Invalid value"),
    ],
)
def test_weights_that_cannot_be_read_are_refused_before_a_game(tmp_path, content, words):
    path = tmp_path / "flat.toml"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=words):
        PlayPairs(GAME, QUICK, parse_player(f"weights={path}", GAME), PlayerSpec(None)).compile()


@pytest.mark.parametrize(
    "text, words",
    [
        ("", "is not a setting of the search"),
        ("rfp_margin=x", "'x' should be a number"),
        ("rfp_margin=9000", "from 20 to 250"),
        ("margin", "no setting 'margin'"),
    ],
)
def test_numbers_that_cannot_be_tuned_are_quoted(text, words):
    with pytest.raises(ValueError, match=words):
        parse_numbers(text, rules_for(GAME))


def test_command_reports_the_result_and_keeps_it(tmp_path):
    log = tmp_path / "log.jsonl"
    options = ["--variant", GAME, "--nodes", "100", "--games", "9", "--plies", "4", "--log", str(log)]
    result = CliRunner().invoke(main, [*options, "--first", "eval=none", "--second", "eval=none"])
    assert result.exit_code == 0, result.output
    assert "with both colours, so 8 games are played" in result.output
    assert "a match of a player against itself" in result.output
    assert "of 8 games" in result.output and "Ptnml(0-2) [0, 0, 4, 0, 0]" in result.output
    (entry,) = [json.loads(line) for line in log.read_text().splitlines()]
    assert entry["pairs"] == [0, 0, 4, 0, 0] and entry["nodes"] == 100


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_command_that_is_interrupted_reports_the_games_so_far(tmp_path, monkeypatch, number):
    class Interrupting(Batches):
        def learn(self, count, seconds):
            super().learn(count, seconds)
            signal.raise_signal(number)

    monkeypatch.setattr(duel_command, "Batches", Interrupting)
    words = ["--variant", "minishogi", "--nodes", "200", "--games", "10000", "--log", str(tmp_path / "log")]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 130
    played = re.search("interrupted after ([1-9][0-9]*) of 10000 games", result.stderr)
    assert played is not None and f" of {played[1]} games, " in result.stdout and "Elo " in result.stdout
    assert not (tmp_path / "log").exists()  # which has the results of whole matches


def test_command_plays_each_opening_of_a_file_once(tmp_path):
    path = tmp_path / "book.epd"
    lines = [("c1d2", "c5b4"), ("b1b2",), ("c1c2", "d5d4")]
    save_openings(path, [Opening(Position(GAME).start_fen, moves) for moves in lines], GAME)
    options = ["--variant", GAME, "--nodes", "100", "--games", "20", "--first", "eval=none"]
    result = CliRunner().invoke(main, [*options, "--second", "eval=none", "--openings", str(path)])
    assert result.exit_code == 0, result.output
    assert "book.epd has 3 openings, for 6 games" in result.output
    assert "of 6 games" in result.output and "Ptnml(0-2) [0, 0, 3, 0, 0]" in result.output
    path.write_text("2r1k/2bgp/5/PGB2/K1R2[] w - - 0 1")
    result = CliRunner().invoke(main, [*options, "--openings", str(path)])
    assert result.exit_code == 2
    assert "'book 1' does not begin at the start of minishogi" in result.output


def test_command_plays_by_a_clock(tmp_path):
    log = tmp_path / "log.jsonl"
    options = ["--variant", GAME, "--clock", "3000+20", "--games", "4", "--plies", "4", "--log", str(log)]
    result = CliRunner().invoke(main, [*options, "--first", "eval=none", "--second", "eval=none"])
    assert result.exit_code == 0, result.output
    assert "Ptnml(0-2) [0, 0, 2, 0, 0]" in result.output
    assert json.loads(log.read_text())["clock"] == "3000+20"


def test_sprt_ends_the_command(tmp_path):
    path = tmp_path / "ignorant.network"
    save_network(path, IGNORANT.network)
    options = ["--variant", GAME, "--nodes", "100", "--games", "2000", "--plies", "4", "--first", "eval=none"]
    test = ["--second", f"eval={path}", "--sprt", "elo0=-60 elo1=0"]
    result = CliRunner().invoke(main, [*options, *test])
    assert result.exit_code == 0, result.output
    assert "H1 accepted" in result.output


@pytest.mark.parametrize(
    "options, words",
    [
        (["--first", "speed=3"], "no setting 'speed'"),
        (["--sprt", "elo0=0"], "needs elo1"),
        (["--first", "eval=/no/such.network"], "/no/such.network"),
        (["--first", "eval=/dev/null"], "/dev/null: not a network file"),
        (["--first", "weights=/dev/null"], "/dev/null: the weights are for other pieces"),
        (["--first", f"weights={__file__}"], f"{__file__}: "),
        (
            ["--first", f"rfp_margin={10**20}"],
            f"rfp_margin '{10**20}' is too large; sensible values are from",
        ),
        (["--openings", "none.epd"], "there is no file 'none.epd'"),
        (["--clock", "5+0.05"], "a clock '5+0.05' should be nodes"),
    ],
)
def test_bad_options_are_quoted(options, words):
    result = CliRunner().invoke(main, ["--variant", GAME, *options])
    assert result.exit_code == 2 and words in result.output
