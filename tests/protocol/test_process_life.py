"""The end of the process: by signals, by the end of input, and when nobody is there to play for.

Each way is tried while the engine is idle, while it searches and while it compiles, in both protocols.
"""

import os
import re
import select
import signal
import subprocess
import sys
import time

import pytest
from surajang.tests.support.gui import COMMAND, READY, SOON

pytestmark = pytest.mark.process

LIMIT = 5  # seconds in which it has to end; a tenth of one is usual
COMPILING = 2  # seconds after which a compilation is under way; it takes many more
ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")

PARENT = """
import subprocess, sys, time
print(subprocess.Popen(sys.argv[1:]).pid, file=sys.stderr, flush=True)
time.sleep(600)
"""


def heed_interrupts():
    """In a child: SIGINT as a terminal's programs have it, also where the tests run in a background job."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Pipes:
    """An engine on two pipes whose ends are closed one by one; `before` is a command that starts it."""

    def __init__(self, env, before=()):
        stdin, self.input = os.pipe()
        self.output, stdout = os.pipe()
        self.process = subprocess.Popen(
            [*before, *COMMAND],
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.PIPE if before else None,
            env=os.environ | env,
            preexec_fn=heed_interrupts,
        )
        os.close(stdin)
        os.close(stdout)
        self.open = {self.input, self.output}

    def send(self, *lines):
        os.write(self.input, "".join(f"{line}\n" for line in lines).encode())

    def expect(self, pattern, within=SOON):
        """Reads until a line matches."""
        text, deadline = "", time.monotonic() + within
        while not re.search(rf"^{pattern}$", text, re.M):
            assert select.select([self.output], [], [], max(0, deadline - time.monotonic()))[0], text
            data = os.read(self.output, 65_536).decode()
            assert data, f"it has ended after {text}"
            text += data

    def await_end_of_output(self):
        """Reads until nobody can write any more: so ends a process that is no child of this one."""
        deadline = time.monotonic() + LIMIT
        while True:
            assert select.select([self.output], [], [], max(0, deadline - time.monotonic()))[0], "it goes on"
            if not os.read(self.output, 65_536):
                return

    def close(self, *descriptors):
        for descriptor in descriptors or tuple(self.open):
            os.close(descriptor)
            self.open.remove(descriptor)


def idle(engine, protocol):
    engine.send(protocol, "nonsense")
    engine.expect(".*nonsense")


def searching(engine, protocol):
    """Far from the end of the search, and silent in CECP."""
    if protocol == "uci":
        engine.send("uci", "go infinite")
        engine.expect("info depth 5 .*", READY)
    else:
        engine.send("xboard", "protover 2", "new", "st 600", "post", "go")
        engine.expect("5 .*", READY)
        engine.send("nopost")


def compiling(engine, protocol):
    engine.send(protocol, "isready" if protocol == "uci" else "go")
    time.sleep(COMPILING)


@pytest.fixture(
    params=[(state, protocol) for state in (idle, searching, compiling) for protocol in ("uci", "xboard")],
    ids=lambda pair: f"{pair[0].__name__}-{pair[1]}",
)
def start(request, tmp_path):
    """Starts an engine and brings it to the state of the case; `start.protocol` is what it speaks."""
    state, protocol = request.param
    env = {"SURAJANG_CACHE_DIR": str(tmp_path)} if state is compiling else {}
    started = []

    def start(before=()):
        engine = Pipes(env, before)
        started.append(engine)
        state(engine, protocol)
        return engine

    start.protocol, start.name = protocol, request.node.name
    yield start
    for engine in started:
        engine.process.kill()
        engine.process.wait()
        engine.close()


def timed(start, function, *arguments):
    """What the function returns; the seconds that it took are printed."""
    begin = time.monotonic()
    result = function(*arguments)
    print(f"{start.name}: {1000 * (time.monotonic() - begin):.0f} ms")
    return result


def test_end_of_input_ends_it(start):
    engine = start()
    engine.close(engine.input)
    assert timed(start, engine.process.wait, LIMIT) == 0


def test_sigterm_ends_it(start):
    engine = start()
    engine.process.terminate()
    assert timed(start, engine.process.wait, LIMIT) == -signal.SIGTERM


def test_sigint_is_nothing_to_xboard_s_engine_and_ends_another(start):
    """XBoard once interrupted engines to get their attention, and so does a key pressed in its terminal."""
    engine = start()
    engine.process.send_signal(signal.SIGINT)
    if start.protocol == "uci":
        assert timed(start, engine.process.wait, LIMIT) == -signal.SIGINT
    else:
        with pytest.raises(subprocess.TimeoutExpired):
            engine.process.wait(0.5)


@ON_LINUX
def test_it_ends_when_nobody_reads_what_it_says(start):
    """Input stays open, and in CECP nothing is written that could fail."""
    engine = start()
    engine.close(engine.output)
    assert timed(start, engine.process.wait, LIMIT) == 0


@ON_LINUX
def test_it_ends_with_the_process_that_started_it(start):
    """The pipes stay open here, as in an engine that has inherited those of another."""
    engine = start([sys.executable, "-c", PARENT])
    pid = int(engine.process.stderr.readline())
    engine.process.kill()
    engine.process.wait()
    engine.process.stderr.close()
    timed(start, engine.await_end_of_output)
    with pytest.raises(ProcessLookupError):
        for _ in range(100):
            os.kill(pid, 0)
            time.sleep(0.05)


def test_sigint_before_the_first_line_leaves_no_traceback():
    engine = subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=heed_interrupts
    )
    time.sleep(1)
    engine.send_signal(signal.SIGINT)
    assert engine.wait(LIMIT) == -signal.SIGINT
    assert engine.stderr.read() == b""
    engine.stdin.close()
    engine.stderr.close()


def test_input_may_end_while_a_gui_that_reads_nothing_keeps_the_engine_from_speaking():
    engine = Pipes({})
    engine.send(*["uci"] * 500)  # answers are many times what a pipe holds
    time.sleep(1)
    engine.close(engine.input)
    assert engine.process.wait(LIMIT) == 0
    engine.close()
