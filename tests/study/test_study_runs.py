"""Studies of tiny games, played: what cannot be played well still gets a report, and runs can be resumed."""

import pytest
import surajang
from surajang.engine.definition import catalogue
from surajang.study.games.recording import record_moves

pytestmark = pytest.mark.compiled


def record(variant, *moves, fen=None):
    return record_moves(surajang.Position(variant, fen), moves)


def test_moves_are_recorded_with_what_they_are():
    game = record("chess", "e2e4", "d7d5", "e4d5", "d8d5", "f1b5", "d5b5")
    assert game.kinds == ("", "", "x", "x", "+", "x")
    assert game.pieces == ("P", "P", "P", "Q", "B", "Q")
    assert game.taken == ("", "", "P", "P", "", "B")
    assert game.line[:3] == ("e4", "d5", "exd5")
    assert game.legal[0] == 20 and game.result == "*"
    assert game.white[-1] < game.black[-1] < game.white[0] + 1


def test_special_moves_are_recorded():
    game = record("chess", "e1g1", "e8c8", fen="r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1")
    assert game.kinds == ("O", "O")
    game = record("chess", "e5d6", fen="4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
    assert game.kinds == ("xe",) and game.taken == ("P",)
    game = record("chess", "a7a8q", fen="4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    assert game.kinds == ("+=",)
    game = record("crazyhouse", "P@e4", fen="4k3/8/8/8/8/8/8/4K3[P] w - - 0 1")
    assert game.kinds == ("@",) and game.pieces == ("P",)


def test_mate_is_recorded_without_colours():
    game = record("chess", "f2f3", "e7e5", "g2g4", "d8h4")
    assert (game.result, game.reason, game.mated) == ("0-1", "The winner mates", 4)


# Games that cannot be played well: chess from other starts, as its code is there already

OVER = """
extends = "chess"
name = "over"
title = "Chess that is over"
start = "7k/8/8/8/8/1q6/8/K7 w - - 0 1"
"""


@pytest.fixture
def studied(tmp_path):
    """A function that studies the game of a TOML text; (figures, report in Markdown)."""

    def study(text):
        found = surajang.study.run(catalogue.keep_text(text), out=tmp_path, games=5, strengths=(20, 50))
        return found, (tmp_path / "report.md").read_text(encoding="utf-8")

    return study


def test_game_in_which_nobody_can_move_at_the_start_is_said_to_be_over(studied):
    study, report = studied(OVER)
    assert study.notes == ("The game is over before the first move: Stalemate (1/2-1/2).",)
    assert study.notes[0] in report
    assert study.games == 2 and study.character is None
