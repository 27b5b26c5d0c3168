"""The referee: every way in which a game can end, with scripted players."""

import sys
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest
from surajang.engine.definition.catalogue import load
from surajang.engine.position import MoveError, Position
from surajang.engine.variant import Variant
from surajang.match.games.adjudication import (
    AdjudicationRules,
    DrawRule,
    ResignRule,
    parse_draw,
    parse_resign,
)
from surajang.match.games.engine_pool import PlayGame
from surajang.match.games.game import no_start, play_game
from surajang.match.players import player
from surajang.match.players.control import TimeControl
from surajang.match.players.player import (
    Answer,
    CrashError,
    DisconnectError,
    Player,
    PlayerError,
    ProtocolError,
    StallError,
    StartError,
    Thinking,
)
from surajang.match.players.spec import parse_engine
from surajang.match.records.model import MatchGame, Opening, Record, Termination
from surajang.match.workers.pool import LocalWorkers

pytestmark = [pytest.mark.process, pytest.mark.quick]

CHESS = load("chess")
NODES = TimeControl(nodes=100)
WHITE, BLACK = 4, 7  # numbers of the engines in the match
WHITE_MATES = ["e2e4", "f1c4", "d1h5", "h5f7"], ["e7e5", "b8c6", "g8f6"]
KNIGHTS = ["g1f3", "f3g1"] * 3, ["g8f6", "f6g8"] * 3


class Scripted(Player):
    """Gives the answers of a list in turn: a move, an Answer, or an error to raise. Records its calls."""

    name = own_name = "scripted"
    description = CHESS

    def __init__(self, answers, seconds=0.25, on_new_game=None, on_end=None):
        self.answers, self.seconds = list(answers), seconds
        self.on_new_game, self.on_end = on_new_game, on_end
        self.told, self.clocks = [], []

    def new_game(self, position, own, other, colour):
        self.told.append(("new game", position.fen(), colour, own, other))
        if self.on_new_game:
            raise self.on_new_game

    def think(self, position, clock, other_clock, on_thinking=lambda thinking: None):
        self.clocks.append((clock, other_clock))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Answer):
            return answer
        return Answer(answer, self.seconds, Thinking(depth=3, score=20, nodes=50, seconds=0.2))

    def ponder(self, position, clock, other_clock):
        self.told.append(("ponder", len(position.moves), clock, other_clock))

    def end_game(self, position, score, reason):
        self.told.append(("end", score, reason))
        if self.on_end:
            raise self.on_end

    def synchronise(self, seconds=10.0):
        pass

    def close(self):
        pass


def play(white, black, controls=(NODES, NODES), rules=None, opening=None, **arguments):
    players = [side if isinstance(side, Player) else Scripted(side) for side in (white, black)]
    game = MatchGame(0, 0, WHITE, BLACK, opening or Opening(CHESS.start_fen))
    return play_game(game, players, controls, CHESS, rules or AdjudicationRules(), **arguments)


def ending(record):
    return record.score, record.termination, record.fault


def test_a_game_ends_by_the_rules_of_the_game():
    record = play(*WHITE_MATES)
    assert ending(record) == ("1-0", Termination.NORMAL, None)
    assert record.reason == "White mates"
    assert [ply.move for ply in record.plies][-1] == "h5f7"
    assert len(record.plies) == 7


def test_a_record_survives_its_journey_as_json():
    record = play(*WHITE_MATES)
    assert Record.from_json(record.as_json()) == record


def test_the_opening_is_played_before_the_first_answer_and_is_no_part_of_the_plies():
    opening = Opening(CHESS.start_fen, ("e2e4", "e7e5", "f1c4", "b8c6"))
    white, black = Scripted(["d1h5", "h5f7"]), Scripted(["g8f6"])
    record = play(white, black, opening=opening)
    assert [ply.move for ply in record.plies] == ["d1h5", "g8f6", "h5f7"]
    assert white.told[0][1].startswith("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/8")
    assert white.told[0][2:4] == (0, NODES)
    assert black.told[0][2] == 1


def test_black_to_move_begins():
    record = play(
        ["resign"], [Answer(None, 0.1, None, "resign")], opening=Opening(CHESS.start_fen, ("e2e4",))
    )
    assert ending(record) == ("1-0", Termination.NORMAL, None)
    assert record.reason == "Black resigns"


def test_an_opening_that_does_not_fit_is_the_callers_mistake():
    with pytest.raises(MoveError, match="e2e5"):
        play([], [], opening=Opening(CHESS.start_fen, ("e2e5",)))


@pytest.mark.parametrize(
    "answer, score, termination, fault, reason",
    [
        (
            "e7e4",
            "1-0",
            Termination.ILLEGAL,
            BLACK,
            "Black's move e7e4 is illegal: the Pawn on e7 cannot go to e4",
        ),
        ("what", "1-0", Termination.ILLEGAL, BLACK, "Black's move what is illegal: not a move;"),
        (CrashError("X ended"), "1-0", Termination.CRASH, BLACK, "Black fails (crash): X ended"),
        (
            DisconnectError("X closed"),
            "1-0",
            Termination.DISCONNECT,
            BLACK,
            "Black fails (disconnect): X closed",
        ),
        (StallError("X is silent"), "1-0", Termination.STALL, BLACK, "Black fails (stall): X is silent"),
        (
            ProtocolError("X said x"),
            "1-0",
            Termination.PROTOCOL,
            BLACK,
            "Black fails (protocol error): X said x",
        ),
        (PlayerError("X?"), "1-0", Termination.PROTOCOL, BLACK, "Black fails (protocol error): X?"),
        (Answer(None, 0.1, None, "resign"), "1-0", Termination.NORMAL, None, "Black resigns"),
        (Answer(None, 0.1, None, "1-0", "Black resigns"), "1-0", Termination.NORMAL, None, "Black resigns"),
        (
            Answer(None, 0.1, None, "0-1", "I win"),
            "1-0",
            Termination.CLAIM,
            BLACK,
            "Black claims 0-1 {I win}, but",
        ),
        (Answer(None, 0.1, None, "1/2-1/2"), "1-0", Termination.CLAIM, BLACK, "Black claims 1/2-1/2, but"),
        (Answer(None, 0.1, None, "1-0", "White mates"), "1-0", Termination.CLAIM, BLACK, "Black claims 1-0"),
        (Answer(None, 0.1, None), "1-0", Termination.PROTOCOL, BLACK, "Black makes no move"),
    ],
)
def test_what_black_does_ends_the_game(answer, score, termination, fault, reason):
    white, black = Scripted(["e2e4"]), Scripted([answer])
    record = play(white, black)
    assert ending(record) == (score, termination, fault)
    assert record.reason.startswith(reason)
    assert [ply.move for ply in record.plies] == ["e2e4"]
    assert white.told[-1] == ("end", score, record.reason)
    failed = fault is not None
    assert (black.told[-1][0] == "end") != failed  # a player in no known state is told nothing more


def test_white_loses_what_white_does_wrong():
    assert ending(play(["e2e5"], [])) == ("0-1", Termination.ILLEGAL, WHITE)
    assert ending(play([StallError("X")], [])) == ("0-1", Termination.STALL, WHITE)


def test_a_failure_before_the_first_move_counts_against_the_player_that_is_set_up():
    record = play([], Scripted([], on_new_game=CrashError("X ended")))
    assert ending(record) == ("1-0", Termination.CRASH, BLACK)
    record = play(Scripted([], on_new_game=ProtocolError("X refuses")), [])
    assert ending(record) == ("0-1", Termination.PROTOCOL, WHITE)
    assert record.plies == []


def test_a_failure_after_the_end_changes_nothing():
    white, black = WHITE_MATES
    record = play(white, Scripted(black, on_end=CrashError("X ended")))
    assert ending(record) == ("1-0", Termination.NORMAL, None)


def test_a_missing_player_loses():
    record = no_start(
        MatchGame(0, 0, WHITE, BLACK, Opening(CHESS.start_fen)), 0, StartError("X is not there")
    )
    assert ending(record) == ("0-1", Termination.START, WHITE)
    assert record.reason == "White fails (no start): X is not there"


def test_a_long_move_is_quoted_in_part():
    record = play(["x" * 10_000], [])
    assert record.termination == Termination.ILLEGAL
    assert len(record.reason) < 300


class TestClocks:
    def test_time_is_taken_and_increments_are_added(self):
        white = Scripted(KNIGHTS[0], seconds=1.0)
        black = Scripted(KNIGHTS[1], seconds=0.5)
        controls = TimeControl(base=10, increment=0.25), TimeControl(base=20)
        record = play(white, black, controls)
        assert record.score == "1/2-1/2"
        assert white.clocks == [(10, 20), (9.25, 19.5), (8.5, 19), (7.75, 18.5)]
        assert black.clocks == [(20, 9.25), (19.5, 8.5), (19, 7.75), (18.5, 7.0)]

    def test_a_session_brings_new_time(self):
        white = Scripted(KNIGHTS[0], seconds=1.0)
        play(white, KNIGHTS[1], (TimeControl(base=10, moves=2), NODES))
        assert [clock for clock, _ in white.clocks] == [10, 9, 18, 17]

    def test_byoyomi_is_whole_again_at_each_move_after_the_base(self):
        spent = zip(KNIGHTS[0], (3.0, 1.9, 1.9, 0.0, 0.0, 0.0), strict=True)
        white = Scripted([Answer(move, seconds, None) for move, seconds in spent])
        play(white, KNIGHTS[1], (TimeControl(base=2, increment=0.25, byoyomi=2), NODES))
        assert [clock for clock, _ in white.clocks][:3] == [2, 0.25, 0.25]

    def test_without_a_clock_none_is_reported_and_none_runs_out(self):
        white = Scripted(KNIGHTS[0], seconds=1000.0)
        record = play(white, KNIGHTS[1])
        assert record.termination == Termination.NORMAL
        assert white.clocks[0] == (None, None)

    @pytest.mark.parametrize(
        "control, seconds, ends_in",
        [
            (TimeControl(base=1), 1.01, Termination.NORMAL),
            (TimeControl(base=1), 1.03, Termination.TIME),
            (TimeControl(base=1, increment=5), 1.03, Termination.TIME),
            (TimeControl(movetime=1), 1.01, Termination.NORMAL),
            (TimeControl(movetime=1), 1.03, Termination.TIME),
            (TimeControl(base=1, nodes=10), 1.03, Termination.TIME),
            (TimeControl(base=1, byoyomi=1), 2.01, Termination.NORMAL),
            (TimeControl(base=1, byoyomi=1), 2.03, Termination.TIME),
        ],
    )
    def test_time_runs_out_only_beyond_the_margin(self, control, seconds, ends_in):
        answers = [Answer("e2e4", seconds, None), Answer(None, 0.0, None, "resign")]
        record = play(answers, ["e7e5"], (control, NODES), AdjudicationRules(margin=0.02))
        assert record.termination == ends_in
        assert record.fault == (WHITE if ends_in == Termination.TIME else None)
        assert record.score == "0-1"

    def test_a_move_that_comes_too_late_is_not_played(self):
        mate = [*WHITE_MATES[0][:-1], Answer("h5f7", 9.0, None)]
        record = play(mate, WHITE_MATES[1], (TimeControl(movetime=1), NODES))
        assert ending(record) == ("0-1", Termination.TIME, WHITE)
        assert len(record.plies) == 6
        assert record.reason == "White loses on time: 9.000 s for a move"

    def test_what_is_overdrawn_is_not_given_back(self):
        white = Scripted([Answer("g1f3", 1.01, None), Answer("f3g1", 0.3, None)])
        record = play(
            white, KNIGHTS[1], (TimeControl(base=1, increment=0.25), NODES), AdjudicationRules(margin=0.02)
        )
        assert [clock for clock, _ in white.clocks] == [1, pytest.approx(0.24)]
        assert record.termination == Termination.TIME

    def test_who_has_moved_may_ponder_by_the_clocks_after_the_move(self):
        white, black = Scripted(KNIGHTS[0][:1], seconds=2.0), Scripted([Answer(None, 0.0, None, "resign")])
        play(white, black, (TimeControl(base=10, increment=1), TimeControl(base=7)))
        assert [told for told in white.told if told[0] == "ponder"] == [("ponder", 1, 9, 7)]
        assert not [told for told in black.told if told[0] == "ponder"]

    def test_a_player_on_the_margin_is_told_no_negative_time(self):
        white = Scripted([Answer("g1f3", 1.01, None), Answer(None, 0.0, None, "resign")])
        play(white, KNIGHTS[1], (TimeControl(base=1), NODES), AdjudicationRules(margin=0.02))
        assert white.clocks[1][0] > 0


class TestRecord:
    def test_plies_record_reports_and_times_of_players(self):
        ply = play(*WHITE_MATES).plies[0]
        assert (ply.score, ply.mate, ply.depth, ply.nodes) == (20, None, 3, 50)
        assert (ply.seconds, ply.reported) == (0.25, 0.2)

    def test_a_mate_replaces_the_score(self):
        mate = Answer("e2e4", 0.1, Thinking(depth=9, score=31_000, mate=-3))
        ply = play([mate], [Answer(None, 0.1, None, "resign")]).plies[0]
        assert (ply.score, ply.mate) == (None, -3)

    def test_a_silent_player_has_no_score(self):
        ply = play([Answer("e2e4", 0.1, None)], [Answer(None, 0.1, None, "resign")]).plies[0]
        assert (ply.score, ply.mate, ply.reported) == (None, None, None)

    def test_the_overhead_is_never_negative_and_within_the_game(self):
        record = play(*WHITE_MATES)  # the script claims more time than passed
        assert record.overhead == 0
        record = play(*(Scripted(moves, seconds=0.0) for moves in WHITE_MATES))
        assert 0 < record.overhead <= record.seconds

    def test_every_move_is_shown_with_the_clocks(self):
        seen = []
        controls = TimeControl(base=10), NODES
        play(*WHITE_MATES, controls, on_ply=lambda position, ply, clocks: seen.append((ply.move, *clocks)))
        assert seen[:2] == [("e2e4", 9.75, None), ("e7e5", 9.75, None)]
        assert len(seen) == 7


def scores(*numbers):
    """Answers with knights that move back and forth on four files, so that no position repeats soon."""
    return [None if number is None else Thinking(depth=1, score=number) for number in numbers]


WANDERING = (
    ["g1f3", "b1c3", "h1g1", "a1b1", "g1h1", "b1a1", "f3g1", "c3b1", "a2a3", "b2b3"],
    ["g8f6", "b8c6", "h8g8", "a8b8", "g8h8", "b8a8", "f6g8", "c6b8", "a7a6", "b7b6"],
)


def wander(white_scores, black_scores, rules, opening=None):
    """The record of quiet moves with these scores; the player without a further score resigns."""
    sides = []
    for moves, numbers in zip(WANDERING, (white_scores, black_scores), strict=True):
        answers = [Answer(move, 0.0, said) for move, said in zip(moves, scores(*numbers), strict=False)]
        sides.append([*answers, Answer(None, 0.0, None, "resign")])
    return play(*sides, rules=rules, opening=opening)


class TestAdjudication:
    def test_is_off_by_default(self):
        assert wander([900] * 8, [-900] * 8, AdjudicationRules()).termination == Termination.NORMAL
        assert wander([0] * 8, [0] * 8, AdjudicationRules()).termination == Termination.NORMAL

    def test_both_scores_near_0_for_long_enough_are_a_draw(self):
        rules = AdjudicationRules(draw=DrawRule(number=2, move=0, score=10))
        record = wander([50, -10, 5, 0], [0, 10, 10, 0], rules)
        assert ending(record) == ("1/2-1/2", Termination.ADJUDICATION, None)
        assert len(record.plies) == 5

    def test_no_draw_before_its_move(self):
        rules = AdjudicationRules(draw=DrawRule(number=1, move=4, score=10))
        assert len(wander([0] * 8, [0] * 8, rules).plies) == 8

    @pytest.mark.parametrize("rules", [{"draw": DrawRule(number=1, move=6, score=10)}, {"max_moves": 6}])
    def test_an_opening_counts_the_same_as_moves_and_as_a_position(self, rules):
        position, moves = Position("chess"), ("e2e4", "e7e5", "d2d3", "d7d6", "g2g3", "g7g6")
        for move in moves:
            position.push(move)
        as_moves = Opening(CHESS.start_fen, moves)
        as_position = Opening(position.fen())
        lengths = [
            len(wander([0] * 8, [0] * 8, AdjudicationRules(**rules), opening).plies)
            for opening in (as_moves, as_position)
        ]
        assert lengths == [6, 6]  # of 12 plies, the opening has 6

    @pytest.mark.parametrize("spoiler", [11, -11, None])
    def test_one_score_away_from_0_or_missing_spoils_the_draw(self, spoiler):
        rules = AdjudicationRules(draw=DrawRule(number=3, move=0, score=10))
        assert wander([0, 0, 0], [0, spoiler, 0], rules).termination == Termination.NORMAL

    @pytest.mark.parametrize("winner", [0, 1])
    def test_both_scores_of_one_mind_are_a_win(self, winner):
        rules = AdjudicationRules(resign=ResignRule(number=2, score=700))
        sides = [[900, 700, 800, 800], [0, -700, -900, -800]]
        record = wander(*(sides if winner == 0 else sides[::-1]), rules)
        assert record.termination == Termination.ADJUDICATION
        assert record.score == ("1-0", "0-1")[winner]
        assert record.reason.startswith(("White wins", "Black wins")[winner])

    @pytest.mark.parametrize("optimist", [[-699] * 6, [0] * 6, [None] * 6])
    def test_one_score_alone_decides_nothing(self, optimist):
        rules = AdjudicationRules(resign=ResignRule(number=2, score=700))
        assert wander([900] * 6, optimist, rules).termination == Termination.NORMAL

    def test_a_mate_counts_as_any_score(self):
        rules = AdjudicationRules(resign=ResignRule(number=1, score=700))
        white = [Answer("g1f3", 0.0, Thinking(mate=5)), Answer(None, 0.0, None, "resign")]
        record = play(white, [Answer("g8f6", 0.0, Thinking(mate=-5))], rules=rules)
        assert ending(record) == ("1-0", Termination.ADJUDICATION, None)

    def test_the_longest_game(self):
        record = wander([900] * 8, [900] * 8, AdjudicationRules(max_moves=3))
        assert ending(record) == ("1/2-1/2", Termination.ADJUDICATION, None)
        assert len(record.plies) == 6

    def test_a_result_by_rule_comes_first(self):
        record = play(*WHITE_MATES, rules=AdjudicationRules(max_moves=3, draw=DrawRule(1, 3, 100)))
        assert record.termination == Termination.ADJUDICATION
        record = play(["f2f3", "g2g4"], ["e7e5", "d8h4"], rules=AdjudicationRules(max_moves=2))
        assert ending(record) == ("0-1", Termination.NORMAL, None)


class TestSettings:
    def test_what_is_left_out_has_its_default(self):
        assert parse_draw("") == DrawRule(8, 40, 10)
        assert parse_draw("score=5 number=3") == replace(DrawRule(), score=5, number=3)
        assert parse_resign("score=500") == ResignRule(4, 500)

    @pytest.mark.parametrize("text", ["numbr=8", "number", "number=x", "number=2.5", "number=0", "score=-1"])
    def test_nonsense_is_quoted(self, text):
        with pytest.raises(ValueError, match=text.partition("=")[2] or text):
            parse_draw(text)


class TestProcesses:
    """The same endings with engines that are processes."""

    FAKE = f"{sys.executable} {Path(__file__).parents[1] / 'support' / 'fake_engine.py'}"

    def ends(self, faulty, protocol="uci", count=1, limits="nodes=1"):
        """The records of games between a faulty engine, White in the first, and a sound one."""
        uci = "--uci" if protocol == "uci" else ""
        engines = [
            parse_engine(f"cmd='{self.FAKE} {uci} {fault}' proto={protocol} name={name}", limits)
            for name, fault in (("faulty", faulty), ("sound", ""))
        ]
        work = PlayGame(
            f"test {uuid4().hex}", Variant("chess"), None, tuple(engines), AdjudicationRules(max_moves=4)
        )
        games = [MatchGame(n, n // 2, n % 2, (n + 1) % 2, Opening(CHESS.start_fen)) for n in range(count)]
        with LocalWorkers(1) as pool:
            return [record for _, record in pool.run(work, games)]

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "fault, protocol, termination, reason",
        [
            ("--fault exit:3 --at 2", "uci", Termination.CRASH, "exit status 3"),
            ("--fault exit:3 --at 2", "cecp", Termination.CRASH, "exit status 3"),
            ("--fault crash --at 2", "uci", Termination.CRASH, "SIGSEGV"),
            ("--fault close --at 2", "uci", Termination.DISCONNECT, "closed its output"),
            ("--fault move:e1e8 --at 2", "uci", Termination.ILLEGAL, "White's move e1e8 is illegal"),
            ("--fault move:e1e8 --at 2", "cecp", Termination.ILLEGAL, "White's move e1e8 is illegal"),
            (
                '--fault "say:1-0 {White mates}" --at 2',
                "cecp",
                Termination.CLAIM,
                "White claims 1-0 {White mates}",
            ),
            ('--fault "say:bestmove (none)" --at 2', "uci", Termination.PROTOCOL, "bestmove (none)"),
            ("--fault exit --at 0", "uci", Termination.START, "White fails (no start)"),
        ],
    )
    def test_what_white_does_wrong_loses(self, fault, protocol, termination, reason):
        (record,) = self.ends(fault, protocol)
        assert ending(record) == ("0-1", termination, 0)
        assert reason in record.reason
        assert len(record.plies) == (0 if termination == Termination.START else 2)

    def test_resigning_is_no_fault(self):
        (record,) = self.ends("--fault say:resign --at 2", "cecp")
        assert ending(record) == ("0-1", Termination.NORMAL, None)

    @pytest.mark.slow
    def test_an_engine_that_hangs_stalls(self, monkeypatch):
        monkeypatch.setattr(player, "STALL_SECONDS", 2.0)
        (record,) = self.ends("--fault hang --at 2")
        assert ending(record) == ("0-1", Termination.STALL, 0)

    def test_an_engine_that_thinks_too_long_loses_on_time(self):
        (record,) = self.ends("--fault late:0.5 --at 2", limits="st=0.3")
        assert ending(record) == ("0-1", Termination.TIME, 0)

    def test_a_faulty_engine_is_started_again_for_the_next_game(self):
        records = self.ends("--fault exit --at 3", count=3)
        assert [ending(record)[1:] for record in records] == [(Termination.CRASH, 0)] * 3
