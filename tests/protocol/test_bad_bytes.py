"""Bytes that are not lines of any protocol, sent to a process during a search."""

import pytest
from surajang.tests.support.gui import Gui, UciGui
from surajang.tests.support.utterances import DAMAGE

pytestmark = pytest.mark.process

SEARCH = {Gui: ("analyze", "exit"), UciGui: ("go infinite", "stop")}
REFUSALS = ("Error (", "Illegal move (", "tellusererror ", "info string ", "# ")


@pytest.fixture(scope="module", params=[Gui, UciGui])
def gui(request):
    engine = request.param()
    engine.start("crazyhouse")
    yield engine
    engine.close()


@pytest.mark.parametrize("data", DAMAGE, ids=range(len(DAMAGE)))
def test_search_outlives_whatever_bytes_come(gui, data):
    begin, end = SEARCH[type(gui)]
    gui.send(begin)
    gui.send(data if data.endswith(b"\n") else data + b"\n")
    answers = gui.ask()
    assert all(line.startswith((*REFUSALS, "info depth")) for line in answers), answers
    assert not any("Traceback" in line or "internal error" in line for line in answers)
    gui.send(end)
    if type(gui) is UciGui:
        gui.expect("bestmove .*")
    assert gui.process.poll() is None


def test_lines_may_arrive_a_byte_at_a_time(gui):
    for byte in b"nonsense-of-no-protocol\r\n":
        gui.send(bytes([byte]))
    assert any("nonsense-of-no-protocol" in line for line in gui.ask())
