"""The soak in small: short games, and the detection of every fault."""

import os
import random

import pytest
from surajang.engine.definition import catalogue
from surajang.engine.variant import Variant
from surajang.match.players.control import TimeControl
from surajang.match.players.player import Answer, StallError
from surajang.tests.support import soak
from surajang.tests.support.games import SEED_GAMES
from surajang.tests.support.soak_judges import JUDGES, judge_of

pytestmark = pytest.mark.process

PATIENT = 60.0  # seconds that a stopwatch may err here: nothing is measured
FOOLS_MATE = ["f2f3", "e7e5", "g2g4", "d8h4"]


@pytest.mark.parametrize("variant", [*SEED_GAMES, "placement", "xxl"])
def test_engines_of_both_protocols_play_without_fault(variant, monkeypatch):
    monkeypatch.setattr(soak, "OPENING", range(14, 15))
    sides = soak.soak(variant, 1, longest=24, margin=PATIENT, hash_mb=1)
    assert [side.faults for side in sides] == [[], []]
    for side in sides:
        assert side.games == 1 and side.ends.total() == 1 and len(side.memory) == 1
    assert sum(side.moves for side in sides) > 0


# Ends that the judges know by themselves

ENDS = {
    "chess": (FOOLS_MATE, "0-1"),
    "crazyhouse": (FOOLS_MATE, "0-1"),
    "janggi": (["e2e2", "e9e9"], "1/2-1/2"),
    "minishogi": (["b1b2", "d5d4", "b2b1", "d4d5"] * 3, "1/2-1/2"),
    "shogi": (["h2g2", "b8c8", "g2h2", "c8b8"] * 3, "1/2-1/2"),
    "xiangqi": (["b1a3", "b10a8", "a3b1", "a8b10"] * 2, "1/2-1/2"),
    "makruk": (["d1d2", "e8e7", "d2d1", "e7e8"] * 2, "1/2-1/2"),
    "kingofthehill": (["e2e3", "a7a6", "e1e2", "a6a5", "e2d3", "a5a4", "d3d4"], "1-0"),
    "knightmate": (["e1d3", "e8d6", "d3e1", "d6e8"] * 2 + ["e1d3", "e8d6"], "1/2-1/2"),
    "minixiangqi": (["b1b2", "b7b6", "b2b1", "b6b7"] * 2, "1/2-1/2"),
    "euroshogi": (["d1d2", "d8d7", "d2d1", "d7d8"] * 3, "1/2-1/2"),
    "cannonshogi": (["e1e2", "e9e8", "e2e1", "e8e9"] * 3, "1/2-1/2"),
    "placement": (
        [f"{piece}@{file}{rank}" for piece, file in zip("RNBQKBNR", "abcdefgh", strict=True) for rank in "18"]
        + ["g1f3", "g8f6", "f3g1", "f6g8"] * 2,
        "1/2-1/2",
    ),
    "3check": (
        ["e2e4", "d7d6", "f1b5", "c7c6", "b5c6", "b7c6", "d1h5", "a7a6", "h5f7"],
        "1-0",
    ),
    "kyotoshogi": (["a1b2l", "e5d4l"], None),
    "judkins": (["f1f5d"], None),
    "capablanca": (["b1a3", "b8a6", "a3b1", "a6b8"] * 2, "1/2-1/2"),
}


@pytest.mark.parametrize("variant", ENDS)
def test_judge_knows_how_a_game_ends(variant):
    moves, score = ENDS[variant]
    judge = judge_of(variant)
    for text in moves:
        assert judge.result is None and text in judge.moves
        judge.push(text)
    assert judge.result == score


def test_change_of_a_piece_by_a_sign_gets_its_letter_and_a_pass_its_squares():
    moves = {"a2a3", "a2a3d", "b2b3h", "e2e2"}
    assert {soak.spelled_out(text, moves) for text in ("@@@@", "0000")} == {"e2e2"}
    assert soak.spelled_out("a2a3+", moves) == soak.spelled_out("a2a3-", moves) == "a2a3d"
    assert soak.spelled_out("a2a3", moves) == "a2a3"
    assert soak.spelled_out("c2c3+", moves) == "c2c3+"


def test_every_shipped_game_has_a_judge_that_plays_it():
    assert set(JUDGES) == set(catalogue.shipped())
    for game in sorted(JUDGES):
        chance, judge = random.Random(game), judge_of(Variant(game))
        for _ in range(4):
            judge.push(chance.choice(sorted(judge.moves)))


def test_rounds_take_turns_and_omit_what_was_played():
    wanted = list(soak.rounds(("chess", "janggi"), 7, 3, {"chess": 0, "janggi": 2}.get))
    assert wanted == [("chess", 0, 3), ("janggi", 2, 1), ("chess", 3, 1)]
    assert list(soak.rounds(("chess",), 7, 3, lambda variant: 7)) == []


def test_journal_knows_the_rounds_before(tmp_path):
    path = tmp_path / "soak.json"
    journal = soak.Journal(path)
    for ends in ("won", "lost"):
        sides = [soak.Side(name, None, games=2, ends=soak.Counter([ends] * 2)) for name in soak.PROTOCOLS]
        sides[0].faults.append(ends)
        journal.add("chess", sides)
    again = soak.Journal(path)
    assert again.played == journal.played and again.games("chess") == 4 and again.games("janggi") == 0
    first, second = again.played["chess"]
    assert (first.faults, second.faults) == (["won", "lost"], [])
    assert first.ends == {"won": 2, "lost": 2}


# Faults


class Scripted:
    """A player that makes the moves of the fool's mate; `think` and `last_word` may be others."""

    pid = os.getpid()
    seconds = 0.001

    def __init__(self, **changes):
        vars(self).update(changes)

    def think(self, position, clock, other_clock):
        return Answer(FOOLS_MATE[position.ply], self.seconds, None)

    def new_game(self, position, own, other, colour):
        pass

    def end_game(self, position, score, reason):
        pass

    def synchronise(self):
        pass

    def error_at_the_end(self, position, judge):
        return None


def answer(move, claim=None):
    return lambda position, clock, other_clock: Answer(move, 0.001, None, claim)


def stall(*arguments):
    raise StallError("it hangs")


@pytest.fixture
def played(monkeypatch):
    """Plays a game of chess with White `Scripted` so; returns whether it continues, and the faults of
    both."""
    monkeypatch.setattr(soak, "OPENING", range(1))
    monkeypatch.setattr(soak, "CONTROLS", [TimeControl(base=1), TimeControl(base=1)])

    def play(judge=judge_of, **changes):
        sides = [soak.Side("cecp", Scripted(**changes)), soak.Side("uci", Scripted())]
        goes_on = soak.Duel(Variant("chess"), sides, 1, 100, 0.02, judge).play(0)
        return goes_on, sides[0].faults, sides[1].faults

    return play


def test_game_without_fault_has_none(played):
    assert played() == (True, [], [])


@pytest.mark.parametrize(
    "changes, text",
    [
        ({"think": answer("f2f5")}, "the move f2f5 is illegal in rnbqkbnr/"),
        ({"think": answer(None, "1-0")}, "no move but '1-0'"),
        ({"think": stall}, "StallError: it hangs"),
        ({"seconds": 30.0}, "time: "),
        ({"error_at_the_end": lambda position, judge: "says []"}, "it says [] in rnb1kbnr/"),
    ],
    ids=["illegal", "claim", "stall", "time", "result"],
)
def test_fault_is_noticed_and_play_continues(played, changes, text):
    goes_on, (fault,), of_the_other = played(**changes)
    assert goes_on and text in fault and of_the_other == []


def test_result_that_the_judge_does_not_know_is_a_fault(played):
    class Drawn(JUDGES["chess"]):
        def _end(self):
            return "1/2-1/2" if len(self._board.move_stack) == 1 else super()._end()

    _, (fault,), _ = played(judge=Drawn)
    assert "None should be 1/2-1/2" in fault


def test_engine_that_does_not_answer_after_a_game_ends_the_soak(played):
    goes_on, (fault,), _ = played(synchronise=stall)
    assert not goes_on and "it cannot go on: it hangs" in fault


@pytest.mark.parametrize(
    "last, is_leak", [(1.049, False), (1.051, True), (0.5, False)], ids=["flat", "leak", "smaller"]
)
def test_memory_that_grows_after_the_warm_up_is_a_fault(last, is_leak):
    side = soak.Side("uci", None, memory=[1] * 9 + [1_000_000] * 10 + [int(1_000_000 * last)])
    soak.report_growth(side)
    assert bool(side.faults) == is_leak
