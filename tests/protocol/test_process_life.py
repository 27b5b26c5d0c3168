"""The end of the process: by signals, by the end of input, and without a reader. Each way is tried while the
engine is idle, searches, analyses, compiles, or counts. Every state and every way occurs in both protocols;
where the protocol makes a difference, every pair of them."""

import os
import re
import select
import signal
import subprocess
import sys
import time

import psutil
import pytest
from surajang.tests.support.compiling import until
from surajang.tests.support.gui import COMMAND, READY, SOON

pytestmark = pytest.mark.process

LIMIT = 30  # seconds in which it has to end; a tenth of one is usual
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
        """Reads until nobody can write any more, which is the end of a process that is not a child of this
        one."""
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
    """Far from the end of the search of a move, and silent in CECP."""
    if protocol == "uci":
        engine.send("uci", "go movetime 600000")
        engine.expect("info depth 5 .*", READY)
    else:
        engine.send("xboard", "protover 2", "new", "st 600", "post", "go")
        engine.expect("5 .*", READY)
        engine.send("nopost")


def analysing(engine, protocol):
    """A search that only the GUI ends."""
    if protocol == "uci":
        engine.send("uci", "go infinite")
        engine.expect("info depth 5 .*", READY)
    else:
        engine.send("xboard", "protover 2", "new", "post", "analyze")
        engine.expect("5 .*", READY)


def counting(engine, protocol):
    """Far from the end of a count, and silent."""
    perft = "go perft 12" if protocol == "uci" else "perft 12"
    engine.send(protocol, "d", perft)
    engine.expect("Key: .*", READY)


def compiling(engine, protocol):
    """Compiling, with nothing to do afterwards."""
    engine.send(protocol, "setoption name UCI_Variant value chess" if protocol == "uci" else "variant normal")
    engine.expect(".*[Cc]ompiling chess, once.*", READY)


def planning(engine, protocol):
    """Compiling, with work to do afterwards."""
    compiling(engine, protocol)
    engine.send("go movetime 600000" if protocol == "uci" else "go")


STATES = (idle, searching, analysing, counting, compiling, planning)
PROTOCOLS = ("uci", "xboard")


def cases(pairs):
    """Parametrises `start` with pairs of a state and a protocol."""
    ids = [f"{state.__name__}-{protocol}" for state, protocol in pairs]
    return pytest.mark.parametrize("start", pairs, indirect=True, ids=ids)


def taking_turns(first):
    """Every state, the first of them in the protocol of that number, the next one in the other."""
    return cases([(state, PROTOCOLS[(first + number) % 2]) for number, state in enumerate(STATES)])


in_both_protocols = cases([(state, protocol) for state in STATES for protocol in PROTOCOLS])


@pytest.fixture
def start(request, tmp_path):
    """Starts an engine and brings it to the state of the case; `start.protocol` is what it speaks."""
    state, protocol = request.param
    env = {"SURAJANG_CACHE_DIR": str(tmp_path)} if state in (compiling, planning) else {}
    started = []

    def start(before=()):
        engine = Pipes(env, before)
        started.append(engine)
        state(engine, protocol)
        return engine

    start.state, start.protocol, start.name = state, protocol, request.node.name
    yield start
    for engine in started:
        engine.process.kill()
        engine.process.wait()
        engine.close()


def timed(start, function, *arguments):
    """The result of the function; prints the seconds that it took."""
    begin = time.monotonic()
    result = function(*arguments)
    print(f"{start.name}: {1000 * (time.monotonic() - begin):.0f} ms")
    return result


@in_both_protocols
def test_end_of_input_ends_it_where_no_work_is_left(start):
    """Work that is left ends without a reader, as Linux tells."""
    engine = start()
    engine.close(engine.input)
    if start.state not in (idle, analysing, compiling):
        with pytest.raises(subprocess.TimeoutExpired):
            engine.process.wait(1)
        engine.close(engine.output)
    if start.state in (idle, analysing, compiling) or sys.platform == "linux":
        assert timed(start, engine.process.wait, LIMIT) == 0


@ON_LINUX
@taking_turns(1)
def test_work_after_the_end_of_input_ends_with_the_process_that_started_it(start):
    engine = start([sys.executable, "-c", PARENT])
    engine.process.stderr.readline()
    engine.close(engine.input)
    engine.process.kill()
    engine.process.wait()
    engine.process.stderr.close()
    timed(start, engine.await_end_of_output)


@taking_turns(0)
def test_quit_ends_it_unless_a_count_comes_first(start):
    """A search is stopped, also one by interpreted rules before the game is compiled."""
    engine = start()
    engine.send("quit")
    if start.state is counting:
        with pytest.raises(subprocess.TimeoutExpired):
            engine.process.wait(1)
    else:
        assert timed(start, engine.process.wait, LIMIT) == 0


@cases([(state, "uci") for state in STATES[1::2]])
def test_sigterm_ends_it(start):
    """In CECP the test of SIGINT sends it."""
    engine = start()
    engine.process.terminate()
    assert timed(start, engine.process.wait, LIMIT) == -signal.SIGTERM


@in_both_protocols
def test_sigint_is_nothing_to_xboard_s_engine_and_ends_another(start):
    """XBoard used to interrupt engines to get their attention, and so does a key in its terminal."""
    engine = start()
    engine.process.send_signal(signal.SIGINT)
    if start.protocol == "uci":
        assert timed(start, engine.process.wait, LIMIT) == -signal.SIGINT
    else:
        with pytest.raises(subprocess.TimeoutExpired):
            engine.process.wait(0.5)
        engine.process.terminate()
        assert timed(start, engine.process.wait, LIMIT) == -signal.SIGTERM


@ON_LINUX
@taking_turns(1)
def test_engine_ends_without_a_reader(start):
    """The input stays open, and in CECP nothing is written that could fail."""
    engine = start()
    engine.close(engine.output)
    assert timed(start, engine.process.wait, LIMIT) == 0


@ON_LINUX
@taking_turns(0)
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
    until(lambda: psutil.Process(engine.pid).num_threads() > 1)  # the second one waits for the first line
    engine.send_signal(signal.SIGINT)
    assert engine.wait(LIMIT) == -signal.SIGINT
    assert engine.stderr.read() == b""
    engine.stdin.close()
    engine.stderr.close()


def asked_too_much():
    """An engine whose answers exceed the size of a pipe, after the end of its input."""
    engine = Pipes({})
    engine.send(*["uci"] * 500)
    time.sleep(1)
    engine.close(engine.input)
    return engine


def test_slow_reader_gets_all_that_was_asked_for_before_the_end_of_input():
    engine = asked_too_much()
    time.sleep(1)
    with os.fdopen(os.dup(engine.output), "rb") as output:
        assert output.read().count(b"uciok\n") == 500
    assert engine.process.wait(LIMIT) == 0
    engine.close()


@ON_LINUX
def test_engine_that_cannot_speak_ends_when_its_reader_is_gone():
    engine = asked_too_much()
    engine.close(engine.output)
    assert engine.process.wait(LIMIT) == 0


@ON_LINUX
def test_output_to_a_file_needs_no_process_that_started_it(tmp_path):
    """For example if a shell puts a job into the background and ends."""
    script, output = tmp_path / "script", tmp_path / "output"
    script.write_text("uci\nposition startpos\ngo movetime 2000\n")
    with script.open() as stdin, output.open("w") as stdout:
        parent = subprocess.Popen(
            [sys.executable, "-c", PARENT, *COMMAND], stdin=stdin, stdout=stdout, stderr=subprocess.PIPE
        )
    pid = int(parent.stderr.readline())
    deadline = time.monotonic() + READY
    while "info depth 3" not in output.read_text() and time.monotonic() < deadline:
        time.sleep(0.05)
    parent.kill()
    parent.wait()
    parent.stderr.close()
    with pytest.raises(ProcessLookupError):
        while time.monotonic() < deadline:
            os.kill(pid, 0)
            time.sleep(0.05)
    assert re.fullmatch(r"bestmove .*", output.read_text().splitlines()[-1])
