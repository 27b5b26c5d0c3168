"""XBoard on its own virtual screen: support for tests of the real GUI."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import platformdirs
from surajang.protocol.cecp.notation import Notation

XBOARD = shutil.which("xboard", path=f"{os.environ.get('PATH', '')}:/usr/games")
TOOLS = {"xboard": XBOARD, **{name: shutil.which(name) for name in ("Xvfb", "xdotool")}}
MISSING = [name for name, found in TOOLS.items() if not found]
ENGINE = shlex.join([sys.executable, "-m", "surajang"])
QUIET = (
    *("-popupExitMessage", "false", "-popupMoveErrors", "false", "-saveSettingsOnExit", "false"),
    *("-soundMove", "", "-ringBellAfterMoves", "false"),
)

SMALL = ("-boardSize", "Slim")  # the board is as wide as the menu above it, so its window tells its size
BORDERS = 5  # pixels on both sides of the board, the last line included
HAND_COLUMNS = 2  # of squares on either side: the hand, and a gap
PATIENCE = 600  # seconds for what may wait for a compiler
SOON = 60  # seconds in which anything else must have happened on a busy machine


class Game(NamedTuple):
    """A game of a PGN file: its tags, its moves as text, and why it ended."""

    tags: dict
    moves: str
    reason: str


@contextmanager
def screen():
    """The name of a virtual display that lasts as long as the context."""
    reader, writer = os.pipe()
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", "800x700x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writer], stderr=subprocess.DEVNULL)
    os.close(writer)
    try:
        with os.fdopen(reader) as answer:
            yield f":{int(answer.readline())}"
    finally:
        _end(server)


@contextmanager
def xboard(folder, display, *options):
    """A running XBoard whose settings and log (`debug`) lie in `folder`."""
    # The engine finds what it has compiled although the home directory is another.
    env = {
        **{**os.environ, "DISPLAY": display, "HOME": str(folder)},
        **{"XDG_CACHE_HOME": platformdirs.user_cache_dir(), "LC_ALL": "C.UTF-8"},
    }
    command = [XBOARD, "-debug", "-nameOfDebugFile", str(folder / "debug"), *QUIET, *options]
    with open(folder / "output", "w") as output:
        process = subprocess.Popen(command, cwd=folder, env=env, stdout=output, stderr=output)
    try:
        yield process
    finally:
        _end(process)


def match(variant, games, base, increment, pgn):
    """XBoard's options for that many games of the engine against itself, clock times in seconds."""
    return [
        *("-fcp", ENGINE, "-scp", ENGINE, "-variant", variant),
        *("-mg", str(games), "-matchPause", "100", "-saveGameFile", str(pgn)),
        *("-mps", "0", "-tc", f"0:{base:02d}", "-inc", str(increment), "-ruleMoves", "0"),
        *("-animateMoving", "false"),
    ]


def read_log(folder):
    """XBoard's log so far."""
    log = folder / "debug"
    return log.read_text(errors="replace") if log.exists() else ""


def engine_lines(folder):
    """The engines' output, from XBoard's log."""
    return re.findall(r"^\d+ <(?:first|second) ?: (.*)", read_log(folder), re.M)


class Person:
    """A user of an XBoard that was started with SMALL and shows the board of `game`, a Description, with
    White below."""

    def __init__(self, display, folder, game):
        self._display, self._folder = display, folder
        self._files, self._first_rank = game.files, 0 if game.ranks == 10 else 1
        self._columns_left = HAND_COLUMNS if game.hand_pieces else 0
        self._seen = 0  # characters of the log

    def clicks(self, *squares):
        """Clicks on squares as XBoard names them, those of the hands beside the board included."""
        for square in squares:
            x, y = self._place(square)
            self._do("mousemove", x, y, "click", 1)

    def presses(self, *keys):
        """Presses keys such as `ctrl+e`. The keyboard is where the mouse is, and no other window covers the
        lower end of the board."""
        for key in keys:
            at = self._window()
            self._do("mousemove", at["X"] + BORDERS, at["Y"] + at["HEIGHT"] - BORDERS, "key", key)

    def accepts(self, title):
        """Clicks on OK, in the lower right corner of a dialog, and waits until it is gone."""
        deadline = time.monotonic() + SOON
        while not (window := self._do("search", "--onlyvisible", "--name", title).split()):
            assert time.monotonic() < deadline, f"no window {title}"
            time.sleep(0.05)
        while self._do("search", "--onlyvisible", "--name", title).split():
            assert time.monotonic() < deadline, f"{title} stays"
            at = _geometry(self._do("getwindowgeometry", "--shell", window[0]))
            if at:  # else it has gone since it was looked for
                self._do("mousemove", at["X"] + at["WIDTH"] - 50, at["Y"] + at["HEIGHT"] - 24, "click", 1)
            time.sleep(0.2)

    def expects(self, pattern, within=SOON):
        """Waits for a line in XBoard's log that matches, after the last one that was expected."""
        deadline = time.monotonic() + within
        while time.monotonic() < deadline:
            if match := re.compile(rf"^(?:{pattern})$", re.M).search(self.log, self._seen):
                self._seen = match.end()
                return match
            time.sleep(0.02)
        raise AssertionError(f"no {pattern!r} in {within} s after\n{self.log[self._seen :][-2000:]}")

    @property
    def log(self):
        """All that XBoard has logged."""
        return read_log(self._folder)

    def _place(self, square):
        """The middle of a square on the screen."""
        at = self._window()
        columns = self._files + 2 * self._columns_left
        width = (at["WIDTH"] - BORDERS) // columns
        column = ord(square[0]) - ord("a") + self._columns_left
        rank = int(square[1:]) - self._first_rank
        x = at["X"] + BORDERS // 2 + 1 + width * column + width // 2
        return x, at["Y"] + at["HEIGHT"] - BORDERS // 2 - width * rank - width // 2

    def _window(self):
        """X, Y, WIDTH and HEIGHT of the window with the board, the first one that XBoard has opened."""
        window = self._do("search", "--onlyvisible", "--class", "xboard").split()[0]
        return _geometry(self._do("getwindowgeometry", "--shell", window))

    def _do(self, *words):
        env = {**os.environ, "DISPLAY": self._display}
        command = ["xdotool", *map(str, words)]
        return subprocess.run(command, env=env, capture_output=True, text=True, timeout=20).stdout


def _geometry(text):
    """The numbers of a window, as xdotool tells them."""
    return {key: int(value) for key, value in re.findall(r"(\w+)=(\d+)", text)}


def same_position(text, position):
    """Whether a FEN that XBoard has saved has the board, the hands and the turn of a position."""
    board, turn = Notation(position.description).setup(position.fen()).split()[3:5]
    saved = text.strip().splitlines()[-1].split()
    return ([_sorted_hands(saved[0]), saved[1]]) == [_sorted_hands(board), turn]


def _sorted_hands(board):
    """The board of a FEN with the pieces of the hands in the order of the alphabet; XBoard has its own."""
    squares, _, hands = board.partition("[")
    return squares, sorted(hands.strip("-]"))


def screenshot(display, path):
    """A picture of the whole display, where ImageMagick is there to take one."""
    if shutil.which("import"):
        command = ["import", "-display", display, "-window", "root", str(path)]
        subprocess.run(command, check=False, timeout=20)


def read_pgn(path):
    """The finished games of a PGN file as XBoard writes it."""
    games = []
    text = Path(path).read_text() if Path(path).exists() else ""
    for part in re.split(r"(?=^\[Event )", text, flags=re.M)[1:]:
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', part, re.M))
        moves = re.sub(r"^\[.*\]$", "", part, flags=re.M).strip()
        if end := re.search(r"\{([^{}]*)\}\s+" + re.escape(tags["Result"]) + r"\s*\Z", moves):
            games.append(Game(tags, moves[: end.start()], end[1]))
    return games


def _end(process):
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(5)
    process.kill()
    process.wait()
