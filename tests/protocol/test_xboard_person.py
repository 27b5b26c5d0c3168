"""A person at XBoard: clicks, drops and promotions, analysis, and a game from a file."""

import re

import pytest
from surajang import Position
from surajang.protocol.cecp.notation import Notation
from surajang.tests.support import xboard

pytestmark = [
    pytest.mark.gui,
    pytest.mark.skipif(bool(xboard.MISSING), reason=f"not installed: {', '.join(xboard.MISSING)}"),
]

# Positions with a pawn that can promote at once, and a piece in hand
ADVANCED = {
    "pandemonium": "r1bqkmcbnr/1Pppppppp1/10/10/10/10/10/10/P1PPPPPPPP/RNBQKMCBNR[B] w KQkq - 0 1",
    "shogi": "lnsgkgsnl/1r5b1/2ppppppp/1P7/9/9/P1PPPPPPP/1B5R1/LNSGKGSNL[G] w - - 0 1",
}
THOUGHT = r"\d+ <first : \d+ -?\d+ \d+ \d+ "  # a line of thinking, up to its moves
SAVED = """[Event "A game with drops"]
[Variant "crazyhouse"]
[White "One"]
[Black "Other"]
[Result "*"]

1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. P@d5 P@e4 5. Nxe4 *
"""
SAVED_MOVES = ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5a5", "P@d5", "P@e4", "c3e4"]


def hand_square(position, letter):
    """The place of a piece in White's hand, right of the board."""
    notation, files = Notation(position.description), position.description.files
    places = [f"{chr(ord('a') + files + 1)}{rank}" for rank in range(position.description.ranks)]
    return next(place for place in places if notation.read_hand_square(place) == letter)


@pytest.mark.parametrize("variant", list(ADVANCED))
def test_person_promotes_and_drops_by_mouse(variant, tmp_path):
    position = Position(variant, ADVANCED[variant])
    notation = Notation(position.description)
    start = notation.setup(position.fen()).split(maxsplit=3)[3]
    # The first one is loaded before XBoard knows the game, the second one when the user asks for the next
    (tmp_path / "start").write_text(f"{start}\n" * 2)
    options = ["-fcp", xboard.ENGINE, "-variant", variant, "-depth", "1", *xboard.SMALL]
    options += ["-loadPositionFile", str(tmp_path / "start"), "-savePositionFile", str(tmp_path / "end")]
    with xboard.screen() as display, xboard.xboard(tmp_path, display, *options):
        person = xboard.Person(display, tmp_path, position.description)
        person.expects(r"\d+ <first : pong \d+", xboard.PATIENCE)
        person.presses("shift+Next")
        person.expects(r"\d+ >first : setboard .*")
        for wanted, then in ((lambda move: move.is_promotion, ["ctrl+b"]), (lambda move: move.is_drop, [])):
            move = max(filter(wanted, position.legal_moves()), key=lambda move: move.to_square)
            text = notation.write_move(move)
            person.clicks(hand_square(position, text[0]) if move.is_drop else text[:2], text[2:4])
            person.expects(rf".*>first : {re.escape(text)}")
            xboard.screenshot(display, tmp_path / f"{text}.png")
            person.presses(*then)
            position.push(move)
            answer = person.expects(r"\d+ <first : move (\S+)")[1]
            position.push(next(m for m in position.legal_moves() if notation.write_move(m) == answer))
    assert xboard.same_position((tmp_path / "end").read_text(), position)


def test_analysis_is_switched_on_and_off_and_the_engine_plays_on(tmp_path):
    options = ["-fcp", xboard.ENGINE, "-variant", "normal", "-timeControl", "0:20", *xboard.SMALL]
    with xboard.screen() as display, xboard.xboard(tmp_path, display, *options):
        person = xboard.Person(display, tmp_path, Position("chess").description)
        person.expects(r"\d+ <first : pong \d+", xboard.PATIENCE)
        person.presses("ctrl+a")
        person.expects(r"\d+ >first : analyze")
        person.expects(THOUGHT + r"[a-h][12][a-h][34].*")
        person.clicks("e2", "e4")
        person.expects(r".*>first : e2e4")
        person.expects(THOUGHT + r"[a-h][78][a-h][56].*")
        xboard.screenshot(display, tmp_path / "analysis.png")
        person.presses("ctrl+e")
        person.expects(r"\d+ >first : exit")
        person.presses("ctrl+b")
        person.expects(r"\d+ >first : go")
        person.expects(r"\d+ <first : move [a-h][78][a-h][56]")
        assert "Error" not in person.log


def test_saved_game_is_stepped_through_and_played_on(tmp_path):
    (tmp_path / "saved.pgn").write_text(SAVED)
    options = ["-fcp", xboard.ENGINE, "-variant", "crazyhouse", "-depth", "1", *xboard.SMALL]
    options += ["-loadGameFile", str(tmp_path / "saved.pgn"), "-loadGameIndex", "1", "-timeDelay", "-1"]
    options += ["-animateMoving", "false"]
    options += ["-savePositionFile", str(tmp_path / "end")]
    position = Position("crazyhouse")
    with xboard.screen() as display, xboard.xboard(tmp_path, display, *options):
        person = xboard.Person(display, tmp_path, position.description)
        person.expects(r"\d+ <first : pong \d+", xboard.PATIENCE)
        person.presses("alt+End", "ctrl+e")
        for move in SAVED_MOVES:
            person.expects(rf".*>first : {move}")
            position.push(move)
        xboard.screenshot(display, tmp_path / "saved.png")
        for _ in range(3):
            person.presses("alt+Left")
            person.expects(r"\d+ >first : undo")
            position.pop()
        person.presses("alt+Right")
        person.expects(rf".*>first : {SAVED_MOVES[-3]}")
        position.push(SAVED_MOVES[-3])
        person.presses("ctrl+b")
        position.push(person.expects(r"\d+ <first : move (\S+)")[1])
        person.presses("Pause")  # it is seen after the move has been made on the board
        person.expects(r"PauseEvent.*")
        xboard.screenshot(display, tmp_path / "played.png")
        assert not re.search("Error|Illegal", person.log)
    assert xboard.same_position((tmp_path / "end").read_text(), position)
