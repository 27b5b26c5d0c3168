"""`surajang.match` as a library: results, progress, files, errors; the command line has the same defaults."""

import inspect
import subprocess
import sys
import threading
from dataclasses import fields
from datetime import datetime
from pathlib import Path

import chess.pgn
import pytest
import surajang
from surajang.match import match_setup
from surajang.match.match_options import MatchOptions

pytestmark = pytest.mark.process

WALKER = Path(__file__).parents[1] / "support" / "walking_engine.py"
OPENINGS = """\
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id "open";
rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - id "closed";
"""


class Noon(datetime):
    @classmethod
    def now(cls, tz=None):
        return cls(2030, 1, 1, 12, tzinfo=tz)


def walkers(*names):
    """Engines that play moves by chance."""
    return [f"cmd='{sys.executable} {WALKER} --seed {name}' proto=uci name={name}" for name in names]


def played(tmp_path, names=("one", "two"), **settings):
    """The result of a short match between walkers."""
    openings = tmp_path / "openings.epd"
    openings.write_text(OPENINGS)
    settings = {"games": 4, "max_moves": 12, "each": "nodes=1", "out": tmp_path / "match"} | settings
    return surajang.match.play(walkers(*names), "chess", openings=openings, **settings)


def test_match_gives_results_of_each_engine_and_the_games(tmp_path):
    told = []
    result = played(tmp_path, progress=told.append)
    assert (result.variant, result.games, result.finished, result.decision) == ("chess", 4, True, None)
    one, two = result.engines
    assert (one.name, two.name) == ("one", "two")
    assert (one.wins, one.draws, one.losses) == (two.losses, two.draws, two.wins)
    assert one.games == 4
    assert one.points + two.points == 4
    assert result.elo == one.elo
    with open(result.pgn) as file:
        games = [chess.pgn.read_game(file) for _ in range(4)]
    assert {game.headers["White"] for game in games} == {"one", "two"}
    assert [(each.played, each.total) for each in told] == [(number, 4) for number in range(1, 5)]
    assert {each.score for each in told} == {game.headers["Result"] for game in games}
    assert str(result).startswith("Surajang match: chess, head-to-head")


def test_matches_that_begin_in_the_same_second_have_folders_of_their_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(match_setup, "datetime", Noon)
    folders = [played(tmp_path, games=2, max_moves=2, out=None).folder.name for _ in range(3)]
    assert folders == [f"chess-20300101-120000{number}" for number in ("", "-2", "-3")]


def test_tournament_of_three_gives_ratings(tmp_path):
    result = played(tmp_path, ("a", "b", "c"), games=2, tournament="round-robin")
    assert result.games == 6
    assert [engine.games for engine in result.engines] == [4, 4, 4]


def test_match_stops_with_the_decision_of_the_test(tmp_path):
    with pytest.warns(UserWarning, match="has 2 openings for 50 pairs"):
        result = played(tmp_path, games=100, sprt="elo0=-400 elo1=-300 alpha=0.4 beta=0.4")
    assert result.decision in ("H0", "H1")
    assert result.finished
    assert result.games < 100


def test_match_is_resumed_where_it_was_left(tmp_path):
    class EnoughError(Exception):
        pass

    def stop(progress):
        if progress.played == 2:
            raise EnoughError

    with pytest.raises(EnoughError):
        played(tmp_path, progress=stop)
    before = surajang.match.read(tmp_path / "match")
    assert (before.games, before.finished) == (2, False)
    told = []
    after = surajang.match.resume(tmp_path / "match", progress=told.append)
    assert (after.games, after.finished) == (4, True)
    assert [each.played for each in told] == [3, 4]
    again = surajang.match.read(str(tmp_path / "match"))
    assert again == after


def test_match_is_played_in_a_thread(tmp_path):
    results = []
    thread = threading.Thread(target=lambda: results.append(played(tmp_path)))
    thread.start()
    thread.join()
    assert results[0].games == 4


def test_interrupt_raises_keyboard_interrupt_and_keeps_the_games(tmp_path):
    (tmp_path / "openings.epd").write_text(OPENINGS)
    code = f"""
import os, signal, surajang
try:
    surajang.match.play(
        {walkers("one", "two")!r}, "chess", each="nodes=1", games=1000, openings="openings.epd", out="match",
        max_moves=12, progress=lambda told: told.played == 2 and os.kill(os.getpid(), signal.SIGINT),
    )
except KeyboardInterrupt:
    found = surajang.match.read("match")
    print(found.finished, found.games >= 2)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.stdout == "False True\n", done.stderr


WRONG = {
    "an engine without a limit": ({"each": ""}, surajang.match.TournamentError, "how long to think"),
    "an odd number of games": ({"games": 3}, surajang.match.TournamentError, "games=3 should be even"),
    "no games": ({"games": 0}, ValueError, "games 0 is not in the range x>=1$"),
    "a text for a number": ({"games": "2"}, TypeError, "games '2' should be a whole number"),
    "a fraction of games": ({"games": 2.0}, TypeError, "games 2.0 should be a whole number"),
    "no process": ({"concurrency": 0}, ValueError, "concurrency 0 is not in the range"),
    "numbers for a test": ({"sprt": (0, 5)}, TypeError, r"sprt \(0, 5\) should be a text"),
    "openings that are no file": (
        {"openings": ["e2e4"]},
        TypeError,
        r"openings \['e2e4'\] should be the path",
    ),
    "a position in place of a game": ({"variant": 5}, TypeError, "5 should be the name of a game"),
    "a tournament that does not exist": ({"tournament": "cup"}, surajang.match.TournamentError, "'cup'"),
    "two engines of one name": ({"names": ("a", "a")}, surajang.match.TournamentError, "the name 'a'"),
    "a test that makes no sense": ({"sprt": "elo0=x"}, ValueError, "elo0 'x'"),
    "a game that does not exist": ({"variant": "ches"}, surajang.VariantError, "did you mean 'chess'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_invalid_match_is_refused_before_anything_is_written(tmp_path, case):
    settings, error, text = WRONG[case]
    names, variant = settings.pop("names", ("one", "two")), settings.pop("variant", "chess")
    with pytest.raises(error, match=text):
        surajang.match.play(
            walkers(*names), variant, **{"each": "nodes=1", "out": tmp_path / "match"} | settings
        )
    assert not (tmp_path / "match").exists()


def test_one_text_is_not_a_list_of_engines():
    with pytest.raises(TypeError, match="list of texts, not the text 'cmd=surajang'"):
        surajang.match.play("cmd=surajang", "chess")
    with pytest.raises(TypeError, match="7 should be a text such as 'cmd=surajang"):
        surajang.match.play([7, 8], "chess")


def test_folder_without_a_match_is_named(tmp_path):
    for use in (surajang.match.read, surajang.match.resume):
        with pytest.raises(surajang.match.JournalError, match=f"{tmp_path} holds no match"):
            use(tmp_path)


def test_function_has_the_settings_and_defaults_of_the_command():
    parameters = inspect.signature(surajang.match.play).parameters
    given = {each.name: each.default for each in fields(MatchOptions)}
    for name in ("engines", "odds", "resume", "plot"):  # of the command alone, or required
        del given[name]
    assert {name: parameters[name].default for name in given} == given
    assert set(parameters) == {*given, "engines", "variant", "progress"}
