"""A GUI for tests: an engine process, lines in, lines out."""

import os
import queue
import re
import subprocess
import sys
import threading
import time

import pytest

COMPILING = re.compile(
    r"(#|info string|telluser) ([Cc]ompiling \S+(, once|:) .*|(the search of )?\S+ is still being compiled.*)"
)
COMMAND = [sys.executable, "-m", "surajang"]
READY = 300  # seconds that the first compilation may take on a slow machine
SOON = 90  # seconds in which anything else must have happened: a busy machine may still compile then


def shared_engine(variant):
    """A fixture: an engine that is ready for a game, shared by all tests of a module."""

    @pytest.fixture(scope="module")
    def shared():
        gui = Gui()
        gui.start(variant)
        yield gui
        gui.close()

    return shared


@pytest.fixture
def at_the_start(shared):
    """The shared engine at the start of a game of Pandemonium, playing neither side, a minute for a move."""
    shared.begin("force", "new", "variant pandemonium", "force", "nopost", "level 40 5 0", "st 60")
    return shared


class Gui:
    """Talks to an engine process as XBoard does."""

    def __init__(self, *, env=None, command=COMMAND, stderr=None, preexec_fn=None):
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env={**os.environ, **(env or {})},
            preexec_fn=preexec_fn,
        )
        self._lines = queue.SimpleQueue()
        self._pings = 0
        self._is_excused = False  # the next sign of life comes before the game is compiled
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        """Passes lines on, except remarks on compiling, which depend on earlier compilation."""
        for line in self.process.stdout:
            text = line.decode().rstrip("\n")
            if COMPILING.fullmatch(text):
                self._is_excused |= "still" in text
            else:
                self._lines.put(text)
        self._lines.put(None)

    def begin(self, *lines):
        """Sends the commands that make a shared engine ready for the next test; fails if a test has ended
        it."""
        if self.process.poll() is not None:
            pytest.fail("an earlier test has ended the shared engine")
        self.ask(*lines)

    def send(self, *lines):
        for line in lines:
            self.process.stdin.write(line if isinstance(line, bytes) else line.encode() + b"\n")
        self.process.stdin.flush()

    def expect(self, pattern, within=SOON):
        """The lines up to one that matches `pattern`, that one included."""
        seen, deadline = [], time.monotonic() + within
        while not seen or not re.fullmatch(pattern, seen[-1]):
            try:
                line = self._lines.get(timeout=max(deadline - time.monotonic(), 0.001))
            except queue.Empty:
                pytest.fail(f"no {pattern!r} in {within} s, only {seen}")
            if line is None:
                pytest.fail(f"the engine ended before {pattern!r}, after {seen}")
            seen.append(line)
        return seen

    def ask(self, *lines, within=SOON):
        """Sends lines and returns the output until everything has been carried out."""
        self._pings += 1
        self.send(*lines, f"ping {self._pings}")
        said = self.expect(f"pong {self._pings}", within)[:-1]
        return said + self._ask_again(within)

    def _ask_again(self, within):
        """The output until everything has been carried out, if the answer came before that."""
        if not self._is_excused:
            return []
        self._is_excused = False
        return self.ask(within=within)

    def start(self, variant=None):
        """The first words, until the engine is ready to play the game, if one is named."""
        self.send("xboard", "protover 2")
        words = self.expect(r".* done=1")
        if variant:
            self.ask("new", f"variant {variant}", within=READY)
        return words

    def end(self):
        """Waits for the process to end by itself; returns its exit code."""
        return self.process.wait(SOON)

    def close(self):
        self.process.kill()
        self.process.wait()


class UciGui(Gui):
    """Talks to an engine process as a UCI program does."""

    def ask(self, *lines, within=SOON):
        """Sends lines and returns the output until they have been read; a search may continue."""
        self.send(*lines, "isready")
        said = self.expect("readyok", within)[:-1]
        return said + self._ask_again(within)

    def start(self, variant=None):
        """The first words, and then the engine is ready to play the game, if one is named."""
        self.send("uci")
        words = self.expect("uciok")
        if variant:
            self.ask(f"setoption name UCI_Variant value {variant}", within=READY)
        return words
