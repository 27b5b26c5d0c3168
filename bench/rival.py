"""Another engine's perft over UCI, for speeds side by side."""

import shutil
import subprocess
import time

GAMES_FOLDER = "/usr/games"  # where Debian puts engines, outside of most search paths
# Our name of a game -> the rival's, where they differ.
NAMES = {"janggi": "janggitraditional"}


class RivalError(RuntimeError):
    """The other engine does not run, or does not play the game; the text says which."""


class Rival:
    """A UCI engine whose `go perft` is measured from the outside."""

    def __init__(self, command):
        path = shutil.which(command) or shutil.which(command, path=GAMES_FOLDER)
        if path is None:
            raise RivalError(f"{command!r} is not installed")
        self.name = command
        self._process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self._say("uci")
        self._games = self._read_games()

    def _say(self, line):
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def _lines(self, until):
        """The engine's lines up to the first that begins with `until`, that one included."""
        for line in self._process.stdout:
            yield line.strip()
            if line.startswith(until):
                return
        raise RivalError(f"{self.name!r} ended before it said {until!r}")

    def _read_games(self):
        games = set()
        for line in self._lines("uciok"):
            if "UCI_Variant" in line:
                games |= {word for word in line.split() if word != "var"}
        return games

    def plays(self, variant):
        """Whether the engine knows the game."""
        return NAMES.get(variant, variant) in self._games

    def perft(self, variant, fen, depth):
        """(leaves, seconds) of one count. Raises RivalError when the engine does not know the game."""
        if not self.plays(variant):
            raise RivalError(f"{self.name!r} does not play {variant!r}")
        self._say(f"setoption name UCI_Variant value {NAMES.get(variant, variant)}")
        self._say(f"position fen {fen}")
        self._say("isready")
        list(self._lines("readyok"))
        started = time.perf_counter()
        self._say(f"go perft {depth}")
        last = list(self._lines("Nodes searched"))[-1]
        return int(last.split()[-1]), time.perf_counter() - started

    def close(self):
        """Ends the engine."""
        self._process.kill()
        self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()
