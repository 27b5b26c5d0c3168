"""An engine process as a tournament sees it: spoken to in CECP, timed from outside."""

import queue
import subprocess
import sys
import threading
import time
from typing import NamedTuple

from ..protocol.arrangement import SETUP_PHASE
from ..protocol.cecp import NAMES
from ..protocol.notation import Notation

STARTUP_SECONDS = 600.0  # a first start compiles
QUIT_SECONDS = 2.0
MATE = 100_000  # how CECP says "mate in n": this plus n
SURAJANG = (sys.executable, "-m", "surajang")


class PlayerError(RuntimeError):
    """An engine that did not do what the protocol asks; the text names it and quotes it."""


class Thinking(NamedTuple):
    """What an engine last said of its search: `score` in centipawns for itself, `seconds`, `nodes`."""

    depth: int = 0
    score: int = 0
    seconds: float = 0.0
    nodes: int = 0
    line: str = ""

    @property
    def nps(self):
        """Nodes per second."""
        return int(self.nodes / max(self.seconds, 0.01))

    @property
    def verdict(self):
        """The score as people read it: pawns, or the moves to mate."""
        if abs(self.score) < MATE:
            return f"{self.score / 100:+.2f}"
        return f"{'+' if self.score > 0 else '-'}M{abs(self.score) - MATE}"


class CecpPlayer:
    """One engine process. `command` is its command line as a list, `description` the game it plays,
    `environment` its environment variables (this process's by default).

    Raises PlayerError wherever the engine is missing, dies, is silent for too long or answers nonsense.
    """

    def __init__(self, name, command, description, environment=None):
        self.name = name
        self.thinking = Thinking()
        self._notation = Notation(description)
        self._variant = NAMES.get(description.name, description.name)
        self._lines = queue.SimpleQueue()
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                bufsize=1,
                errors="replace",
                env=environment,
            )
        except OSError as error:
            raise PlayerError(f"{name} does not start: {error}") from None
        threading.Thread(target=self._read, daemon=True).start()
        self._send("xboard", "protover 2")
        self._wait(lambda line: line.startswith("feature") and "done=1" in line, STARTUP_SECONDS)
        if description.setup_swaps:
            self._send(f"option {SETUP_PHASE}={int('S' in description.start_fen.split()[2])}")
        self._send("new", f"variant {self._variant}", "post", "easy")
        self.synchronise(STARTUP_SECONDS)

    def _read(self):
        for line in self._process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def _send(self, *lines):
        try:
            self._process.stdin.write("".join(line + "\n" for line in lines))
            self._process.stdin.flush()
        except OSError:
            raise PlayerError(f"{self.name} has died") from None

    def _wait(self, wanted, seconds, heed=lambda line: None):
        """The first line that is `wanted`; `heed` sees every line before it."""
        end = time.monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise PlayerError(f"{self.name} was silent for {seconds:g} seconds") from None
            if line is None:
                raise PlayerError(f"{self.name} has died")
            if line.startswith(("Illegal move", "Error")):
                raise PlayerError(f"{self.name} said {line!r}")
            heed(line)
            if wanted(line):
                return line

    def synchronise(self, seconds=10.0):
        """Waits until the engine has done everything it was told."""
        self._send("ping 1")
        self._wait(lambda line: line == "pong 1", seconds)

    def new_game(self, base, increment):
        """The start position, a clock of `base` seconds and `increment` seconds a move, nobody to move."""
        minutes, seconds = divmod(int(base), 60)
        level = f"level 0 {minutes}:{seconds:02} {increment:g}"
        self._send("new", f"variant {self._variant}", level, "force")
        self.synchronise()

    def tell(self, move):
        """Tells a move that the other side has made, without asking for a reply."""
        self._send(f"usermove {self._notation.write_move(move)}")

    def think(self, clock, other, limit, on_thinking=lambda thinking: None):
        """The engine's move as text, in the engine's own notation; it stays in force mode afterwards.

        `clock` and `other` are the two clocks in seconds, `limit` seconds after which the engine is given
        up; `on_thinking` is called with each new `Thinking`.
        """
        self._send(f"time {int(clock * 100)}", f"otim {int(other * 100)}", "go")

        def heed(line):
            fields = line.split(maxsplit=4)
            if len(fields) >= 4 and all(field.lstrip("-").isdigit() for field in fields[:4]):
                depth, score, centiseconds, nodes = map(int, fields[:4])
                words = fields[4].split() if len(fields) > 4 else ()
                line = " ".join(self._notation.read_move(word) for word in words)
                self.thinking = Thinking(depth, score, centiseconds / 100, nodes, line)
                on_thinking(self.thinking)

        answer = self._wait(lambda line: line.startswith("move "), limit, heed)
        self._send("force")
        return self._notation.read_move(answer.removeprefix("move ").strip())

    def close(self):
        """Asks the engine to quit, and kills it when it does not."""
        try:
            self._send("quit")
            self._process.wait(QUIT_SECONDS)
        except (PlayerError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
