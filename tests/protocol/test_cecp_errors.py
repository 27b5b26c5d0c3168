"""Bad lines, and failures of the engine: XBoard gets an error, and the game stays."""

import queue
import re

import pytest
from surajang import Position
from surajang.engine.variant import Variant
from surajang.protocol.cecp.protocol import Cecp
from surajang.protocol.session.loading import Loaded
from surajang.protocol.session.session import Session
from surajang.protocol.wire.stdio import LONGEST_LINE, InputLine
from surajang.tests.support.engines import Indifferent
from surajang.tests.support.gui import SOON, at_the_start, shared_engine

pytestmark = pytest.mark.process


shared, gui = shared_engine("pandemonium"), at_the_start


# Bad input


@pytest.mark.parametrize(
    "line",
    [
        *("nonsense", "setscores 10 3", "protover2", "NEW", "do_quit", "_do_quit", "__init__", "?!"),
        *("ping", "ping x", "level", "level 40", "level 40 5", "level a b c", "level 40 5 0 0"),
        *(
            "level -1 5 0",
            "level 40 nan 0",
            "level 40 +5 0",
            "level 40 5:1:2 0",
            "level 40 5.0.1 0",
            "level 40 5 inf",
            "level 40 5:99999999999 0",
            "level 1 : 0",
        ),
        *("st", "st -1", "st x", "st 1e9", "sd", "sd 0", "sd -3", "sd x", "sd 1.5"),
        *("time", "time x", "otim x", "memory", "memory 0", "memory x", "memory 999999999", "memory 1000000"),
        *("cores", "cores 0", "cores -1", "variant", "variant ../x", "variant /"),
        *("piñata", "\u202e", "new\x00", "a" * 5000),
    ],
)
def test_bad_line_gets_an_error_and_changes_nothing(gui, line):
    gui.ask("usermove e1e4")
    answers = gui.ask(line)
    assert len(answers) == 1
    assert re.fullmatch(r"Error \([^()]+\): .+", answers[0]) and len(answers[0]) < 150
    assert gui.ask("usermove e8e5") == []


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe\x80\n",
        b"usermove \xc3\x28\n",
        b"\0\0\0\0\n",
        b"usermove e1\0e4\n",
        b"x" * (LONGEST_LINE - 1) + b"\n",
        b"x" * (LONGEST_LINE + 1) + b"\n",
        b"usermove " + b"e1e4" * 500_000 + b"\n",
        b"setboard " + b"9k/" * 1_000_000 + b"\n",
    ],
    ids=["no-utf8", "no-utf8-move", "nul", "nul-move", "long", "longer", "2-MB-move", "3-MB-fen"],
)
def test_bytes_that_are_no_text_get_an_error(gui, line):
    gui.ask("usermove e1e4")
    gui.send(line)
    answers = gui.ask()
    assert len(answers) == 1 and re.match(r"(Error|Illegal move) \([^()]+\): ", answers[0])
    assert answers[0].isprintable() and len(answers[0]) < 150
    assert gui.ask("usermove e8e5") == []


def test_empty_lines_are_nothing(gui):
    gui.send(b"\n\r\n   \n\t\n")
    assert gui.ask() == []


def test_lines_may_end_as_in_windows(gui):
    gui.send(b"usermove e1e4\r\n")
    assert gui.ask("usermove e8e5") == []


@pytest.mark.parametrize(
    "fen",
    [
        "",
        "x",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "/" * 9,
        "10/10/10/10/10/10/10/10/10/10[] w - - 0 1",
        "4k5/10/10/10/10/10/10/10/10/4K5[K] w - - 0 1",
        "4k5/4R5/10/10/10/10/10/10/10/4K5[] w - - 0 1",
        "4k5/10/10/10/10/10/10/10/10/4K5[] x - - 0 1",
        "4k5/10/10/10/10/10/10/10/10/4K5[] w - zz 0 1",
        "PPPPPPPPPP/PPPPPPPPPP/6PPPP/6PPPP/6PPPP/6PPPP/6PPPP/6PPPP/6PPPP/6PPPP[-] w - - 0 1",
        "k" * 3000,
    ],
)
def test_bad_position_is_refused_and_the_game_stays(gui, fen):
    gui.ask("usermove e1e4")
    (line,) = gui.ask(f"setboard {fen}")
    assert line.startswith("tellusererror Illegal position: ") and len(line) < 350
    assert fen[:20] in line
    assert gui.ask("usermove e8e5") == []


def test_positions_as_xboard_writes_them(gui):
    assert gui.ask("setboard +P9/2R7/10/10/10/4k5/10/10/p1r7/4K5[PRp] b - - 0 1") == []
    assert gui.ask("usermove c1c0+", "usermove e0e1") == []
    gui.ask("setboard 4k5/10/10/10/10/3p6/1pP7/10/10/4K5[-] b - c3 0 1")
    assert gui.ask("usermove b3c2") == []


class BrokenEngine(Indifferent):
    """An engine whose searches fail."""

    def play(self, position, limit, **options):
        raise ArithmeticError("a bug")


# Failures inside


@pytest.mark.quick
def test_failing_search_is_logged_and_some_move_made():
    lines, events = [], queue.SimpleQueue()
    talk = Cecp(lines.append, events.put)
    talk.handle(Loaded(Variant("pandemonium"), BrokenEngine(), Position("pandemonium")))
    talk.handle(InputLine("go"))
    talk.handle(events.get(timeout=SOON))
    assert lines[-1].startswith("move ")
    assert any(line.endswith("ArithmeticError: a bug") for line in lines)
    assert all(line.startswith(("# ", "telluser ", "move ")) for line in lines)
    assert not talk.ended


def test_comments_are_kept_back_where_the_gui_rejects_them(monkeypatch):
    monkeypatch.setattr(Session, "force", lambda self: 1 / 0)
    lines = []
    talk = Cecp(lines.append, print)
    talk.handle(Loaded(Variant("pandemonium"), BrokenEngine(), Position("pandemonium")))
    talk.handle(InputLine("rejected debug"))
    talk.handle(InputLine("force"))
    assert lines == ["telluser An internal error occurred; the log has the details."]


def test_failing_command_is_logged_and_survived(monkeypatch):
    monkeypatch.setattr(Session, "force", lambda self: 1 / 0)
    lines = []
    talk = Cecp(lines.append, print)
    talk.handle(Loaded(Variant("pandemonium"), BrokenEngine(), Position("pandemonium")))
    talk.handle(InputLine("force"))
    assert lines[-2:] == [
        "# ZeroDivisionError: division by zero",
        "telluser An internal error occurred; the log has the details.",
    ]
    assert not talk.ended
