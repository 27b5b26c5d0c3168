"""Lines through pipes that others have set up: every one arrives whole."""

import os
import threading

import pytest
from surajang.protocol.wire.debug_log import DebugLog
from surajang.protocol.wire.stdio import EndOfInput, InputLine, LineReader, Writer
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
    """Programs that share a terminal or a socket may have set it not to wait."""
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
