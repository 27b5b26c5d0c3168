"""The engines that play in the threads of a match, and whole matches."""

import json
import threading
from dataclasses import replace

import pytest
from surajang.engine.definition.catalogue import load
from surajang.engine.variant import Variant
from surajang.match.games import engine_pool
from surajang.match.games.adjudication import AdjudicationRules
from surajang.match.games.engine_pool import MatchOverError, PlayGame
from surajang.match.games.tournament import Tournament, TournamentError
from surajang.match.match_setup import configuration_in
from surajang.match.players.control import TimeControl
from surajang.match.players.player import Answer, CrashError, Player, StallError, StartError
from surajang.match.players.spec import EngineSpec
from surajang.match.records.journal import Journal
from surajang.match.records.model import MatchGame, MoveRecord, Opening, Record, Termination
from surajang.match.results.sprt import Sprt
from surajang.match.runner import DECIDED, FINISHED, UNFINISHED, MatchError, play_match, standings_of
from surajang.match.workers.pool import LocalWorkers
from surajang.tests.support.fake_players import wait_for

pytestmark = [pytest.mark.process, pytest.mark.quick]

CHESS = load("chess")
START = Opening(CHESS.start_fen)
NODES = TimeControl(nodes=1)


class Walker(Player):
    """An engine that always plays the same legal move in a position, and misbehaves on demand."""

    def __init__(self, spec, faults):
        self.name = self.own_name = spec.name
        self.description, self.faults = CHESS, faults
        self.games, self.closed = 0, False
        self.closing = threading.Event()

    def new_game(self, position, own, other, colour):
        self.games += 1
        assert not self.closed

    def think(self, position, clock, other_clock, on_thinking=lambda thinking: None):
        if "hang" in self.faults:
            self.closing.wait()
            raise CrashError(f"{self.name} was killed")
        if "crash" in self.faults:
            raise CrashError(f"{self.name} ended")
        moves = sorted(str(move) for move in position.legal_moves())
        return Answer(moves[position.key % len(moves)], 0.001, None)

    def ponder(self, position, clock, other_clock):
        pass

    def end_game(self, position, score, reason):
        pass

    def synchronise(self, seconds=10.0):
        if "dies between games" in self.faults:
            raise StallError(f"{self.name} is silent")

    def close(self):
        self.closed = True
        self.closing.set()


class Workshop:
    """Starts Walkers; `faults` by engine's name, `most` is the largest number that were alive at once."""

    def __init__(self):
        self.faults, self.started, self.most = {}, [], 0
        self.lock = threading.Lock()

    def start(self, spec, description, log=None, *, begun):
        faults = self.faults.get(spec.name, set())
        if "missing" in faults:
            raise StartError(f"{spec.name} is not there")
        with self.lock:
            player = Walker(spec, faults)
            self.started.append(player)
            self.most = max(self.most, sum(not player.closed for player in self.started))
        try:
            begun(player)
        except MatchOverError:
            player.close()
            raise
        if "waits" in faults:
            player.closing.wait(60)
            raise CrashError(f"{spec.name} was closed")
        return player

    def count(self, name):
        return sum(player.name == name for player in self.started)


@pytest.fixture
def workshop(monkeypatch):
    shop = Workshop()
    monkeypatch.setattr(engine_pool, "start_player", shop.start)
    yield shop
    assert all(player.closed for player in shop.started), "an engine is left"


def engine(name, **settings):
    return EngineSpec(name=name, command=(name,), protocol="uci", control=NODES, **settings)


def games(count, engines=2):
    return [MatchGame(n, n // 2, n % engines, (n + 1) % engines, START) for n in range(count)]


def work(*engines, max_moves=3, name=None):
    """A PlayGame for one test."""
    work.count = getattr(work, "count", 0) + 1
    specs = tuple(engine(one) if isinstance(one, str) else one for one in engines)
    return PlayGame(
        f"test {work.count}", Variant("chess"), None, specs, AdjudicationRules(max_moves=max_moves)
    )


def results(pairs):
    """The part of the results that must not depend on how a match was played."""
    records = sorted((record for _, record in pairs), key=lambda record: record.game.number)
    return [(r.game, r.score, r.reason, r.termination, r.fault, [p.move for p in r.plies]) for r in records]


class TestEngines:
    def test_are_kept_from_game_to_game(self, workshop):
        with LocalWorkers(1) as pool:
            list(pool.run(work("a", "b"), games(6)))
        assert [player.games for player in workshop.started] == [6, 6]

    def test_engines_restart_for_each_game_on_request(self, workshop):
        with LocalWorkers(1) as pool:
            list(pool.run(work("a", engine("b", restart=True)), games(6)))
        assert workshop.count("a") == 1
        assert workshop.count("b") == 6

    def test_concurrency_changes_no_result(self, workshop):
        found = []
        for concurrency in (1, 2, 5):
            with LocalWorkers(concurrency) as pool:
                found.append(results(pool.run(work("a", "b", max_moves=10), games(20))))
        assert found[0] == found[1] == found[2]
        assert len(found[0]) == 20

    @pytest.mark.parametrize("concurrency", [1, 3])
    def test_never_more_than_two_for_each_game(self, workshop, concurrency):
        with LocalWorkers(concurrency) as pool:
            list(pool.run(work(*"abcde"), games(30, engines=5)))
        assert workshop.most <= 2 * concurrency

    def test_a_crashed_one_loses_and_is_started_again_and_the_other_stays(self, workshop):
        workshop.faults["b"] = {"crash"}
        with LocalWorkers(1) as pool:
            found = results(pool.run(work("a", "b"), games(4)))
        assert [(score, termination, fault) for _, score, _, termination, fault, _ in found] == [
            ("1-0", Termination.CRASH, 1),
            ("0-1", Termination.CRASH, 1),
        ] * 2
        assert workshop.count("b") == 4
        assert workshop.count("a") == 1

    def test_one_that_dies_between_games_is_replaced(self, workshop):
        workshop.faults["b"] = {"dies between games"}
        with LocalWorkers(1) as pool:
            found = results(pool.run(work("a", "b"), games(4)))
        assert {termination for _, _, _, termination, _, _ in found} == {Termination.ADJUDICATION}
        assert workshop.count("b") == 4

    def test_one_that_is_missing_loses_and_the_other_is_kept(self, workshop):
        workshop.faults["b"] = {"missing"}
        with LocalWorkers(1) as pool:
            found = results(pool.run(work("a", "b"), games(2)))
        assert [entry[1:5] for entry in found] == [
            ("1-0", "Black fails (no start): b is not there", Termination.START, 1),
            ("0-1", "White fails (no start): b is not there", Termination.START, 1),
        ]
        assert workshop.count("a") == 1

    def test_those_that_think_are_closed_when_the_field_stops(self, workshop):
        workshop.faults["b"] = {"hang"}
        with LocalWorkers(2) as pool:
            playing = pool.run(
                work("a", "b", "c", "d"), [replace(g, white=2, black=3) for g in games(1)] + games(4)
            )
            next(playing)
            playing.close()

    def test_idle_engines_are_closed_after_a_while(self, workshop, monkeypatch):
        monkeypatch.setattr(engine_pool, "IDLE_SECONDS", 0.01)
        function = work("a", "b")
        function(games(1)[0])
        assert all(player.closing.wait(60) for player in workshop.started)
        assert function(games(2)[1]).termination == Termination.ADJUDICATION
        assert len(workshop.started) == 4
        function.close()

    def test_are_closed_while_they_start(self, workshop):
        workshop.faults["b"] = {"waits"}
        with LocalWorkers(1) as pool:
            waiter = threading.Thread(target=lambda: (wait_for(lambda: workshop.count("b")), pool.stop()))
            waiter.start()
            assert list(pool.run(work("a", "b"), games(2))) == []
            waiter.join()
        assert [player.closed for player in workshop.started] == [True, True]

    def test_none_is_started_once_the_match_is_over(self, workshop):
        function = work("a", "b")
        function.close()
        with pytest.raises(MatchOverError):
            function(games(1)[0])
        assert workshop.started == []

    def test_whoever_looks_on_sees_games_and_moves(self, workshop):
        class View:
            def __init__(self):
                self.seen = []

            def started(self, game):
                self.seen.append(game.number)

            def moved(self, game, ply):
                self.seen.append((game.number, ply.move))

        function, view = work("a", "b", max_moves=2), View()
        function.show_to(view)
        with LocalWorkers(1) as pool:
            ((_, record),) = pool.run(function, games(1))
        assert view.seen == [0, *((0, ply.move) for ply in record.plies)]


class TestTravellingGame:
    @pytest.fixture(autouse=True)
    def elsewhere(self, monkeypatch, tmp_path):
        monkeypatch.setenv(engine_pool.VARIANT_PATH, str(tmp_path))
        monkeypatch.setattr(engine_pool.tempfile, "gettempdir", lambda: str(tmp_path))
        monkeypatch.setattr(engine_pool, "_travelled", {})

    def text(self, name, more=""):
        return f'name = "{name}"\ntitle = "T"\nextends = "chess"\n{more}'

    def test_is_known_here_afterwards_and_by_engines_that_start_here(self):
        text = self.text("journey")
        assert engine_pool.local_description(Variant("journey"), text).name == "journey"
        assert load("journey").path.read_text() == text
        assert str(load("journey").path.parent) in engine_pool.os.environ[engine_pool.VARIANT_PATH]

    def test_is_replaced_by_a_newer_file(self):
        engine_pool.local_description(Variant("journey"), self.text("journey"))
        newer = self.text("journey", "# newer\n")
        assert engine_pool.local_description(Variant("journey"), newer).path.read_text() == newer
        folders = engine_pool.os.environ[engine_pool.VARIANT_PATH].split(engine_pool.os.pathsep)
        assert len([folder for folder in folders if "surajang-" in folder]) == 1

    def test_another_game_of_that_name_is_an_error(self, tmp_path):
        (tmp_path / "journey.toml").write_text(self.text("journey", "# mine\n"))
        with pytest.raises(engine_pool.EnginePoolError, match="another game"):
            engine_pool.local_description(Variant("journey"), self.text("journey"))


class View:
    """A MatchView for tests."""

    def __init__(self, standings):
        self.standings, self.records = standings, []

    def finished(self, record):
        self.records.append(record)
        self.standings.add(record)


def script(scores):
    """A function that plays games with results from a dict by (number, replay); "1-0" by default."""

    def play(game):
        score, *fault = scores.get((game.number, game.replay), ["1-0"])
        plies = [MoveRecord("e2e4", 0.1)]
        if fault:
            return Record(game, score, "b fails", fault[0], plies, fault=1)
        return Record(game, score, "White mates", Termination.NORMAL, plies)

    return play


def configured(count=4, **settings):
    openings = tuple(replace(START, name=str(number)) for number in range(count))
    return Tournament(Variant("chess"), (engine("a"), engine("b")), openings, **settings)


def play_all(configuration, journal, function, concurrency=1, stop_after=None):
    """(outcome, View) of a match."""
    view = View(standings_of(configuration, journal.records))
    with LocalWorkers(concurrency) as pool:
        if stop_after:
            finished = view.finished

            def count(record):
                finished(record)
                if len(view.records) == stop_after:
                    pool.stop()

            view.finished = count
        return play_match(configuration, journal, pool, function, view), view


class TestMatch:
    def test_plays_the_schedule_and_keeps_it(self, tmp_path):
        configuration = configured()
        with Journal.create(tmp_path, configuration.as_json()) as journal:
            outcome, view = play_all(configuration, journal, script({}))
            assert outcome == FINISHED
            assert [record.game for record in journal.records] == configuration.schedule()
            assert view.standings.played == 8

    def test_stopped_work_resumes(self, tmp_path):
        configuration = configured()
        with Journal.create(tmp_path, configuration.as_json()) as journal:
            outcome, _ = play_all(configuration, journal, script({}), stop_after=3)
            assert outcome == UNFINISHED
            assert len(journal.records) == 3
        with Journal.resume(tmp_path) as journal:
            resumed = configuration_in(tmp_path)
            assert resumed == configuration
            outcome, view = play_all(resumed, journal, script({}))
            assert outcome == FINISHED
            assert len(view.records) == 5
            assert [record.game for record in journal.records] == configuration.schedule()

    def test_plays_draws_again_with_colours_changed(self, tmp_path):
        configuration = configured(count=1, replay_draws=2)
        draws = {(0, 0): ["1/2-1/2"], (0, 1): ["1/2-1/2"], (0, 2): ["1/2-1/2"], (1, 0): ["1/2-1/2"]}
        with Journal.create(tmp_path, configuration.as_json()) as journal:
            outcome, _ = play_all(configuration, journal, script(draws))
            played = sorted((r.game.number, r.game.replay, r.game.white) for r in journal.records)
        assert outcome == FINISHED
        assert played == [(0, 0, 0), (0, 1, 1), (0, 2, 0), (1, 0, 1), (1, 1, 0)]

    def test_ends_with_the_verdict_of_its_test(self, tmp_path):
        configuration = configured(count=500, sprt=Sprt(0, 100))
        wins = {(number, 0): ["1-0" if number % 2 == 0 else "0-1"] for number in range(1000)}
        with Journal.create(tmp_path, configuration.as_json()) as journal:
            outcome, view = play_all(configuration, journal, script(wins), concurrency=2)
            assert outcome == DECIDED
            assert view.standings.decision == "H1"
            assert len(journal.records) < 200

    def test_with_a_verdict_is_over_when_resumed(self, tmp_path):
        configuration = configured(count=500, sprt=Sprt(0, 100))
        wins = {(number, 0): ["1-0" if number % 2 == 0 else "0-1"] for number in range(1000)}
        with Journal.create(tmp_path, configuration.as_json()) as journal:
            play_all(configuration, journal, script(wins))
        with Journal.resume(tmp_path) as journal:
            outcome, view = play_all(configuration, journal, script(wins))
        assert outcome == DECIDED
        assert view.records == []

    def test_ends_at_once_when_an_engine_never_starts_and_counts_nothing(self, tmp_path):
        configuration = configured()
        missing = {(number, 0): ["1-0", Termination.START] for number in range(8)}
        with Journal.create(tmp_path, configuration.as_json()) as journal:
            with pytest.raises(MatchError, match="b does not start"):
                play_all(configuration, journal, script(missing))
            assert journal.records == []

    def test_a_start_that_fails_once_loses_a_game_and_twice_ends_the_match(self, tmp_path):
        configuration = configured()
        missing = {(number, 0): ["1-0", Termination.START] for number in (1, 3, 4)}
        with Journal.create(tmp_path, configuration.as_json()) as journal:
            with pytest.raises(MatchError, match="b does not start"):
                play_all(configuration, journal, script(missing))
            assert [record.termination for record in journal.records] == [
                Termination.NORMAL,
                Termination.START,
                Termination.NORMAL,
                Termination.START,
            ]


class TestConfiguration:
    def test_survives_its_journey_as_json(self):
        configuration = configured(
            sprt=Sprt(0, 5), replay_draws=3, rules=AdjudicationRules(max_moves=9), toml="x"
        )
        again = Tournament.from_json(json.loads(json.dumps(configuration.as_json())))
        assert again == configuration and again.variant.description

    @pytest.mark.parametrize(
        "engines, settings, reason",
        [
            ("a", {}, "at least 2 engines, not 1"),
            ("aa", {}, "2 engines have the name 'a'"),
            ("abc", {}, "not 3"),
            ("abc", {"tournament": "round-robin", "sprt": Sprt(0, 5)}, "SPRT compares 2"),
            ("ab", {"tournament": "swiss"}, "'swiss'"),
        ],
    )
    def test_impossible_matches_are_refused(self, engines, settings, reason):
        with pytest.raises(TournamentError, match=reason):
            Tournament(Variant("chess"), tuple(map(engine, engines)), (START,), **settings)

    @pytest.mark.parametrize("damage", [{"engines": None}, {"rules": {}}, {"openings": [1]}, {"unknown": 1}])
    def test_a_damaged_one_is_refused(self, damage):
        with pytest.raises(TournamentError, match="not a configuration"):
            Tournament.from_json(configured().as_json() | damage)
