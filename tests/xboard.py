"""XBoard on a screen of its own: what the tests of the real GUI need."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import platformdirs

XBOARD = shutil.which("xboard", path=f"{os.environ.get('PATH', '')}:/usr/games")
MISSING = [name for name, found in {"xboard": XBOARD, "Xvfb": shutil.which("Xvfb")}.items() if not found]
ENGINE = shlex.join([sys.executable, "-m", "surajang"])
QUIET = (
    *("-popupExitMessage", "false", "-popupMoveErrors", "false", "-saveSettingsOnExit", "false"),
    *("-soundMove", "", "-ringBellAfterMoves", "false"),
)


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
    ]


def engine_lines(log):
    """What the engines said, after XBoard's log."""
    return re.findall(r"^\d+ <(?:first|second) ?: (.*)", log.read_text(errors="replace"), re.M)


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
