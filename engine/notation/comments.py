"""Commands in comments of PGN: `[%eval 0.35,12]`, `[%eval #-3]`, `[%clk 0:01:02]`, `[%emt 0:00:00.51]`."""

import re
from typing import NamedTuple

from ..game.arguments import check_magnitude, check_range

_TIME = r"\s+(?:(?:(?P<hours>\d+):)?(?P<minutes>\d+):)?(?P<seconds>\d+(?:\.\d*)?)\s*"
_EVAL = re.compile(
    r"\[%eval\s+(?:#(?P<mate>[+-]?\d+)|(?P<pawns>[+-]?(?:\d+\.?\d*|\.\d+)))(?:,(?P<depth>\d+))?\s*\]"
)
_CLOCKS = {name: re.compile(rf"\[%{name}{_TIME}\]") for name in ("clk", "emt")}
_COMMAND = re.compile(r"\[%\w+[^][]*\]")
MOST_DIGITS = 9  # of a number in a command; a longer one is invalid
_COUNTS = 10**MOST_DIGITS  # moves to mate and plies are fewer
_CENTIPAWNS = 100 * _COUNTS
_SECONDS = 3600 * _COUNTS


class WhiteScore(NamedTuple):
    """A score from White's side: `centipawns`, or moves to `mate` (negative when White is mated), and the
    `depth` in plies of the search that found it, 0 if that is unknown."""

    centipawns: int | None
    mate: int | None = None
    depth: int = 0


def read_eval(comment: str) -> WhiteScore | None:
    """The score of the command `%eval`, or None."""
    match = _EVAL.search(comment)
    if match is None or max(len(digits) for digits in re.findall(r"\d+", match[0])) > MOST_DIGITS:
        return None
    depth = int(match["depth"] or 0)
    if match["mate"]:
        return WhiteScore(None, int(match["mate"]), depth)
    centipawns = round(100 * float(match["pawns"]))
    return WhiteScore(centipawns, None, depth) if abs(centipawns) < _CENTIPAWNS else None


def write_eval(score: WhiteScore) -> str:
    """The command for a score. Raises TypeError for something else, such as a score for the side to move,
    and TypeError or ValueError for parts that no command holds, such as infinite ones."""
    if not isinstance(score, WhiteScore):
        raise TypeError(f"{score!r} is not a WhiteScore, as Score.white gives it")
    if score.centipawns is not None:
        check_magnitude("centipawns", score.centipawns, below=_CENTIPAWNS)
    if score.mate is not None:
        check_magnitude("mate", score.mate, whole=True, below=_COUNTS)
    check_magnitude("depth", score.depth, whole=True, below=_COUNTS)
    check_range("depth", score.depth, 0)
    depth = f",{score.depth}" if score.depth else ""
    if score.mate is not None:
        return f"[%eval #{score.mate}{depth}]"
    return f"[%eval {(score.centipawns or 0) / 100:.2f}{depth}]"


def writable(score: WhiteScore) -> WhiteScore:
    """The score, or the nearest one that a command holds: engines report any numbers."""
    centipawns, mate, depth = score
    return WhiteScore(
        None if centipawns is None else max(1 - _CENTIPAWNS, min(centipawns, _CENTIPAWNS - 1)),
        None if mate is None else max(1 - _COUNTS, min(mate, _COUNTS - 1)),
        max(0, min(depth, _COUNTS - 1)),
    )


def read_clock(comment: str, name: str) -> float | None:
    """The seconds of the command `%clk` or `%emt`, by its `name` without the sign, or None."""
    match = _CLOCKS[name].search(comment)
    if match is None or max(len(digits) for digits in re.findall(r"\d+", match[0])) > MOST_DIGITS:
        return None
    seconds = 3600 * int(match["hours"] or 0) + 60 * int(match["minutes"] or 0) + float(match["seconds"])
    return seconds if seconds < _SECONDS else None


def write_clock(seconds: float, name: str) -> str:
    """The command for a time, rounded to milliseconds; one below zero counts as zero. Raises TypeError for
    something else than a number, ValueError for one that is not finite or has too many hours."""
    check_magnitude("seconds", seconds, below=_SECONDS)
    whole, thousandths = divmod(max(0, round(seconds * 1000)), 1000)
    minutes, rest = divmod(whole, 60)
    fraction = f".{thousandths:03d}".rstrip("0") if thousandths else ""
    return f"[%{name} {minutes // 60}:{minutes % 60:02d}:{rest:02d}{fraction}]"


def with_command(comment: str, name: str, command: str) -> str:
    """The comment with another command of that name, or without one if `command` is empty."""
    pattern = re.compile(rf"\s*\[%{name}\b[^][]*\]")
    if pattern.search(comment):
        found = pattern.sub(lambda match: f" {command}" if command else "", comment, count=1)
        return found.strip()
    return f"{comment} {command}".strip()


def without_commands(comment: str) -> str:
    """The words of a comment."""
    return " ".join(_COMMAND.sub(" ", comment).split())
