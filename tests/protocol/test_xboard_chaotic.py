"""Chaotic Chess in XBoard: its board is right although pawns push and merchants capture on other squares."""

import re
import time

import pytest
from surajang import Position
from surajang.engine.game.moves import square_name
from surajang.protocol.cecp.move_effects import plies, victims
from surajang.tests.support import xboard

# Pushes of own pieces and of others, by both sides, and a capture between merchants at the end.
LINE = (
    *("f3f5", "b7a5", "e2f3", "e7g7", "b3b5", "h6h7", "b5e5", "e8f7"),
    *("g2h4", "b7b4", "e5f5", "f7e8", "h4e7", "e8f7"),
)
PLAYED = re.compile(r"^\d+ <(?:first|second) ?: move (\S+)$", re.M)
WITH_CLICKS = ("-oneClickMove", "true", "-testLegality", "false")  # then XBoard lets the engine click

pytestmark = [
    pytest.mark.gui,
    pytest.mark.skipif(bool(xboard.MISSING), reason=f"not installed: {', '.join(xboard.MISSING)}"),
]


def named(*squares):
    return [square_name(square, 8) for square in squares]


def replayed(log):
    """The position after the engines' moves. Plies that are not moves of the game show the result of a
    push."""
    position, leg, kills = Position("chaotic"), "", 0
    for text in PLAYED.findall(log):
        if text.endswith(","):
            leg = text[:2]
        else:
            kills += bool(leg)
            move, leg = (leg or text[:2]) + text[2:], ""
            if move in map(str, position.legal_moves()):
                position.push(move)
    return position, kills


def played_match(folder):
    """Plays a match of one game in a new folder: (XBoard's log, PGN, last position)."""
    folder.mkdir()
    pgn, end = folder / "game.pgn", folder / "end"
    options = [
        *xboard.match("chaotic", 1, 1, 0.01, pgn),
        "-testClaims",
        "false",
        "-savePositionFile",
        str(end),
    ]
    deadline = time.monotonic() + xboard.PATIENCE
    with xboard.screen() as display, xboard.xboard(folder, display, *options) as process:
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.1)
        assert process.poll() == 0
    return xboard.read_log(folder), pgn, end


def test_board_is_right_at_the_end_of_a_match(tmp_path):
    """Of a game with a pass or a kill, which most games have."""
    for attempt in range(4):
        log, pgn, end = played_match(tmp_path / str(attempt))
        position, kills = replayed(log)
        if log.count("move @@@@") + kills > 0:
            break
    assert log.count("move @@@@") + kills > 0
    (game,) = xboard.read_pgn(pgn)
    assert game.tags["Result"] == position.result().score
    if game.reason.startswith("Xboard adjudication"):
        position.pop()  # XBoard saves the position before it shows the move that it judges
    assert xboard.same_position(end.read_text(), position)
    assert not re.search("Illegal|orfeit|telluser", log)


def test_board_is_right_after_each_move_of_a_person(tmp_path):
    position = Position("chaotic")
    options = ["-fcp", xboard.ENGINE, "-variant", "chaotic", *xboard.SMALL]
    with xboard.screen() as display, xboard.xboard(tmp_path, display, *options):
        person = xboard.Person(display, tmp_path, position.description)
        person.expects(r"\d+ <first : pong \d+", xboard.PATIENCE)
        person.presses("ctrl+e")
        for number, text in enumerate(LINE):
            move = position.parse_move(text)
            shown = plies(position, move)
            for squares in (clicks(position, move), *(step(position, ply) for ply in shown)):
                person.clicks(*squares)
                person.expects(r".*>first : ([a-h]\d)+(,([a-h]\d)+)?")
                if number == 0 and squares == clicks(position, move):
                    take_advice(person)
            position.push(move)
            if shown or number == len(LINE) - 1:
                xboard.screenshot(display, tmp_path / f"{number}{text}.png")
        assert "Illegal" not in person.log
        person.presses("ctrl+shift+e", "ctrl+e")  # edits the position, and sends it at the end
        assert xboard.same_position(person.expects(r"\d+ >first : setboard (.*)")[1], position)


def take_advice(person):
    """Reads and closes the dialog after a person's first move."""
    person.accepts("Note")


def clicks(position, move):
    """The squares to click for a move, including the victim if it captures between merchants."""
    return named(move.from_square, *victims(position, move)[:1], move.to_square)


def step(position, ply):
    """The squares to click for a push: a pass is two clicks on the king."""
    if ply.target is not None:
        return named(ply.origin, ply.target)
    return named(int(position.state["kings"][ply.side])) * 2


def test_engine_completes_what_a_person_pushes(tmp_path):
    position, end = Position("chaotic"), tmp_path / "end"
    options = ["-fcp", xboard.ENGINE, "-variant", "chaotic", "-depth", "1", *xboard.SMALL, *WITH_CLICKS]
    with (
        xboard.screen() as display,
        xboard.xboard(tmp_path, display, *options, "-savePositionFile", str(end)),
    ):
        person = xboard.Person(display, tmp_path, position.description)
        person.expects(r"\d+ <first : pong \d+", xboard.PATIENCE)
        person.clicks("f3", "f5")
        person.expects(r"\d+ <first : move f6f8")
        take_advice(person)
        person.expects(r".*>first : h1h1")
        position.push("f3f5")
        move = position.parse_move(person.expects(r"\d+ <first : move (\S+)")[1])
        for ply in plies(position, move):
            told = "@@@@" if ply.target is None else "".join(named(ply.origin, ply.target))
            person.expects(rf".*<first : move {told}" if ply.side else r".*>first : ([a-h]\d)+")
        position.push(move)
        xboard.screenshot(display, tmp_path / "pushed.png")
        time.sleep(0.2)  # XBoard has told of the move before it is on its board
    assert xboard.same_position(end.read_text(), position)
