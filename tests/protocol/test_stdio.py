"""Lines through pipes in all states: every one arrives whole."""

import os
import threading

import pytest
from surajang.protocol.wire.stdio import DebugLog, EndOfInput, InputLine, LineReader, Writer
from surajang.tests.support.gui import SOON

pytestmark = pytest.mark.pure

LINES = [f"{number:05} {'x' * 90}" for number in range(5000)]  # many times what a pipe holds


@pytest.fixture
def pipe():
    reading, writing = os.pipe()
    files = os.fdopen(reading, "rb"), os.fdopen(writing, "wb", 0)
    yield files
    for file in files:
        file.close()


@pytest.mark.parametrize("blocking", [True, False])
def test_slow_reader_gets_every_line(pipe, blocking):
    """Programs that share a terminal or a socket may have made it non-blocking."""
    reading, writing = pipe
    os.set_blocking(writing.fileno(), blocking)
    found = []

    def read():
        while (line := reading.readline()) != b"end\n":
            found.append(line.decode().rstrip("\n"))

    reader = threading.Thread(target=read, daemon=True)
    writer = Writer(DebugLog(), writing.fileno())
    for line in LINES[:100]:
        writer.line(line)
    reader.start()
    for line in [*LINES[100:], "end"]:
        writer.line(line)
    reader.join(SOON)
    assert found == LINES


@pytest.mark.parametrize("polls", [True, False])
def test_reader_waits_for_input_that_does_not_wait_for_it(pipe, polls):
    reading, writing = pipe
    os.set_blocking(reading.fileno(), False)
    events, ended = [], threading.Event()

    def post(event):
        events.append(event)
        if isinstance(event, EndOfInput):
            ended.set()

    output = os.open(os.devnull, os.O_WRONLY)
    reader = LineReader(post, DebugLog(), reading.fileno(), output)
    if not polls:
        reader._poll = None  # as on systems whose terminals cannot be polled
    reader._watch = lambda: None
    reader.start()
    for line in LINES[:2000]:
        writing.write(line.encode() + b"\n")
    writing.close()
    assert ended.wait(SOON)
    os.close(output)
    assert events == [*map(InputLine, LINES[:2000]), EndOfInput()]


def lines_of(pipe, *chunks):
    """The lines that a reader posts for data in these pieces."""
    reading, writing = pipe
    events, ended = [], threading.Event()

    def post(event):
        events.append(event)
        if isinstance(event, EndOfInput):
            ended.set()

    output = os.open(os.devnull, os.O_WRONLY)
    reader = LineReader(post, DebugLog(), reading.fileno(), output)
    reader._watch = lambda: None
    reader.start()
    for chunk in chunks:
        writing.write(chunk)
    writing.close()
    assert ended.wait(SOON)
    os.close(output)
    return [event.text for event in events[:-1]]


ENCODINGS = [("utf-8", 1), ("utf-8-sig", 1), ("utf-16", 1), ("utf-16", 7), ("utf-16-le", 7), ("utf-16-be", 7)]


@pytest.mark.parametrize(("encoding", "size"), ENCODINGS)
def test_lines_of_each_encoding_that_shells_write(pipe, encoding, size):
    """PowerShell writes files as UTF-16 with its mark."""
    data = "uci\r\nsetoption name VariantPath value é.ini\r\nquit".encode(encoding)
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert lines_of(pipe, *pieces) == ["uci", "setoption name VariantPath value é.ini", "quit"]


@pytest.mark.parametrize("data", [b"\xff", b"\xfe", b"\xff\n", b"\xfeuci\n"])
def test_half_a_mark_of_utf_16_is_a_line(pipe, data):
    assert lines_of(pipe, data) == [data.decode("utf-8", "backslashreplace").rstrip("\n")]
