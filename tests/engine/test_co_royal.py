"""Royal pieces besides the king: checked and mated like it, and never taken."""

import pyffish
import pytest
from surajang import Engine, Position
from surajang.engine.definition.catalogue import load, parse
from surajang.engine.fairy_ini.exporting import export
from surajang.engine.fairy_ini.importing import import_text
from surajang.engine.game.description import VariantError

pytestmark = pytest.mark.compiled

POSITIONS = {
    "the queen is attacked": "3qk3/8/8/8/3r4/8/8/R2QK2R w KQ - 0 1",
    "the queen may not be exposed": "3q3k/8/8/8/1b6/8/3N4/R3Q2K w - - 0 1",
    "a new queen may not be attacked": "1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1",
    "passing exposes the queen": "4k3/8/8/Q2pPr2/8/8/8/4K3 w - d6 0 1",
    "king and queen are forked": "4k3/8/8/8/8/5n2/8/3QK3 w - - 0 1",
}


@pytest.mark.parametrize("case", POSITIONS)
def test_no_royal_piece_may_stay_attacked(interpreted, case):
    position = Position("coregal", POSITIONS[case])
    moves = {str(move) for move in position.legal_moves}
    assert moves == set(pyffish.legal_moves("coregal", POSITIONS[case], []))
    assert position.perft(2) == sum(
        len(pyffish.legal_moves("coregal", POSITIONS[case], [move])) for move in moves
    )


def test_attack_on_the_queen_is_check():
    position = Position("coregal", POSITIONS["the queen is attacked"])
    assert position.is_check()


def test_queen_is_mated():
    position = Position("coregal", "k7/8/8/8/8/8/PPn5/QR5K w - - 0 1")
    assert position.is_checkmate() and position.result().score == "0-1"
    assert pyffish.legal_moves("coregal", position.fen(), []) == []


def test_the_search_sees_a_fork_of_king_and_queen(interpreted_search):
    with Engine("coregal") as engine:
        result = engine.play(Position("coregal", "q3k3/8/8/1N6/8/8/8/3QK3 w - - 0 1"), depth=4)
    assert str(result.move) == "b5c7" and result.score.mate == 1


@pytest.mark.parametrize(
    "lines, reason",
    [
        ('extends = "chess"\nco_royal = "K"', "co_royal: 'K' is royal already"),
        ('extends = "antichess"\nco_royal = "Q"', "co_royal: needs a royal piece of each side"),
        ('extends = "crazyhouse"\nco_royal = "Q"', "co_royal: cannot be combined with drops"),
        ('extends = "chess"\nco_royal = "X"', "co_royal: 'X' is not a piece of this game"),
    ],
)
def test_contradictions_are_refused(lines, reason):
    with pytest.raises(VariantError) as refused:
        parse(lines.replace("\n", '\nname = "mine"\ntitle = "Mine"\n', 1), "mine.toml")
    assert reason in str(refused.value) and "\n" not in str(refused.value)


def test_coregal_is_exported_and_imported():
    assert "extinctionPseudoRoyal = true" in export(load("coregal"))
    (found,) = import_text("[mine:coregal]\nextinctionPieceCount = 2\n", "mine.ini").values()
    assert isinstance(found, VariantError) and "several royal pieces" in str(found)
