"""The files of the games in play: written without delaying the game, and removed at its end."""

import json
import os
import threading
import time
from dataclasses import asdict

import pytest
from surajang.engine.variant import Variant
from surajang.match.games.adjudication import AdjudicationRules
from surajang.match.games.engine_pool import PlayGame
from surajang.match.players.spec import EngineSpec
from surajang.match.records import live
from surajang.match.records.live import LiveGame, LiveGames, LiveReader
from surajang.match.records.model import MatchGame, MoveRecord, Opening
from surajang.tests.support.fake_players import CLOCK, FAKE, wait_for
from surajang.tests.support.match_records import START

pytestmark = pytest.mark.process


def game(number, replay=0):
    return MatchGame(number, number // 2, number % 2, 1 - number % 2, Opening(START, ("e2e4",)), replay)


E5 = MoveRecord("e7e5", 0.1, score=-20, depth=5)
NF3 = MoveRecord("g1f3", 0.2, mate=3)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(live, "WRITE_SECONDS", 0.005)


def names(folder):
    return sorted(path.name for path in (folder / "live").glob("*"))


def test_game_in_play_is_in_a_file_that_goes_when_it_ends(tmp_path):
    reader = LiveReader(tmp_path)
    with LiveGames(tmp_path) as games:
        games.started(game(0), [60.0, 50.0])
        games.started(game(3), [60.0, 50.0])
        wait_for(lambda: len(reader.read()) == 2)
        first = reader.read()[0]
        assert (first.game.key, first.clocks, first.since) == ((0, 0), [60.0, 50.0], None)
        games.moved(game(0), E5, [60.0, 49.9])
        games.moved(game(0), NF3, [59.8, 49.9])
        wait_for(lambda: len(reader.read()[0].plies) == 2)
        first = reader.read()[0]
        assert first.plies == [E5, NF3] and first.clocks == [59.8, 49.9]
        assert abs(time.time() - first.since) < 60
        games.ended(game(0))
        wait_for(lambda: [one.game.key for one in reader.read()] == [(3, 0)])
    assert reader.read() == [] and not (tmp_path / "live").exists()


def test_replay_of_a_game_takes_its_file(tmp_path):
    reader = LiveReader(tmp_path)
    with LiveGames(tmp_path) as games:
        games.started(game(0), [None, None])
        wait_for(reader.read)
        games.ended(game(0))
        games.started(game(0, replay=1), [None, None])
        wait_for(lambda: [one.game.key for one in reader.read()] == [(0, 1)])
        time.sleep(0.05)
        assert names(tmp_path) == ["0.json"]  # and no draft is left


def test_file_is_whole_at_any_moment(tmp_path):
    with LiveGames(tmp_path) as games:
        games.started(game(0), [60.0, 60.0])
        wait_for(lambda: "0.json" in names(tmp_path))
        for _ in range(300):
            games.moved(game(0), E5, [60.0, 60.0])
            LiveGame.from_json(json.loads((tmp_path / "live" / "0.json").read_bytes()))


def test_slow_disk_delays_no_move(tmp_path, monkeypatch):
    """Methods that the referee calls return at once, even while a file is being written."""
    writing, go_on, written = threading.Event(), threading.Event(), threading.Event()

    def slow(self, one):
        writing.set()
        go_on.wait(60)
        written.set()

    monkeypatch.setattr(LiveGames, "_write", slow)
    with LiveGames(tmp_path) as games:
        games.started(game(0), [60.0, 60.0])
        assert writing.wait(60)
        games.moved(game(0), E5, [60.0, 60.0])
        assert not written.is_set()
        go_on.set()


def test_of_many_moves_only_the_last_state_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(live, "WRITE_SECONDS", 0.2)
    written = []
    monkeypatch.setattr(LiveGames, "_write", lambda self, one: written.append(len(one.plies)))
    with LiveGames(tmp_path) as games:
        games.started(game(0), [None, None])
        for _ in range(50):
            games.moved(game(0), E5, [None, None])
        wait_for(lambda: 50 in written)
    assert len(written) <= 2


def test_leftovers_of_a_killed_match_are_ignored_and_removed_on_resume(tmp_path):
    (tmp_path / "live").mkdir()
    old = tmp_path / "live" / "7.json"
    old.write_text(json.dumps(asdict(LiveGame(game(7), [E5]))))
    reader = LiveReader(tmp_path)
    assert [one.game.key for one in reader.read()] == [(7, 0)]
    long_ago = time.time() - live.STALE_SECONDS - 1
    os.utime(old, (long_ago, long_ago))
    assert reader.read() == []
    with LiveGames(tmp_path):
        assert not old.exists()


def test_long_thought_keeps_a_file_fresh(tmp_path, monkeypatch):
    monkeypatch.setattr(live, "BEAT_SECONDS", 0.01)
    with LiveGames(tmp_path) as games:
        games.started(game(0), [None, None])
        wait_for(lambda: "0.json" in names(tmp_path))
        path = tmp_path / "live" / "0.json"
        os.utime(path, (1000, 1000))
        wait_for(lambda: path.stat().st_mtime > 1000)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"game": 3}', '{"game": {}, "plies": [], "clocks": []}'])
def test_file_that_is_no_game_is_left_out(tmp_path, text):
    (tmp_path / "live").mkdir()
    (tmp_path / "live" / "0.json").write_text(text)
    assert LiveReader(tmp_path).read() == []


def test_folder_without_such_files_has_no_games_in_play(tmp_path):
    assert LiveReader(tmp_path).read() == []


def test_folder_that_cannot_be_written_stops_no_match(tmp_path):
    (tmp_path / "live").write_text("in the way")
    with LiveGames(tmp_path) as games:
        games.started(game(0), [None, None])
        time.sleep(0.05)
        games.moved(game(0), E5, [None, None])
        assert games._thread.is_alive()


def test_games_of_a_match_are_reported_with_moves_and_clocks_and_taken_away_at_the_end():
    class Live:
        def __init__(self):
            self.seen = []

        def started(self, game, clocks):
            self.seen.append(("started", game.number, clocks))

        def moved(self, game, ply, clocks):
            assert all(left is not None and left <= 60 for left in clocks)
            self.seen.append(("moved", game.number, ply.move))

        def ended(self, game):
            self.seen.append(("ended", game.number))

    spec = EngineSpec("Fake", FAKE, "cecp", CLOCK)
    work = PlayGame("live", Variant("crazyhouse"), None, (spec, spec), AdjudicationRules(max_moves=2))
    seen = Live()
    work.show_to(None, seen)
    try:
        record = work(MatchGame(0, 0, 0, 1, Opening(START)))
    finally:
        work.close()
    moves = [("moved", 0, ply.move) for ply in record.plies]
    assert moves and seen.seen == [("started", 0, [60.0, 60.0]), *moves, ("ended", 0)]
