"""Figures of chess, crazyhouse and shogi, beside which a reader can place a game.

`references.json` has them at one or more strengths, from the reports of studies by `surajang study`:

    python -m surajang.study.figures.references study-chess study-crazyhouse study-shogi
"""

import json
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..games.plan import START

FILE = Path(__file__).with_name("references.json")
NUMBER, SHARE = "number", "share"


@dataclass(frozen=True)
class Reference:
    """Figures of a study of a game: its `title`, the strength of the games in `nodes` a move, their number,
    the evaluation and the program, and the `values` with their intervals (value, low, high) by name."""

    game: str
    title: str
    nodes: int
    games: int
    evaluation: str
    program: str
    values: dict[str, tuple[float, float, float]]


def _phase(kind: str) -> Callable[[Any], Any]:
    """Reads the share of moves of a kind in the middle third of games."""

    def read(report: Any) -> Any:
        rows = report["character"]["kinds"]
        none = {"value": 0.0, "low": 0.0, "high": 0.0}  # a game without a move of the kind
        return next((row["shares"][1] for row in rows if row["kind"] == kind), none)

    return read


def _balance(name: str) -> Callable[[Any], Any]:
    """Reads a figure of the results of the same games."""

    def read(report: Any) -> Any:
        rows = report["balance"]["rows"]
        nodes = report["character"]["nodes"]
        return next(row[name] for row in rows if row["source"] == START and row["nodes"] == nodes)

    return read


FIGURES: tuple[tuple[str, str, Callable[[Any], Any]], ...] = (
    ("White's score", SHARE, _balance("score")),
    ("draws", SHARE, _balance("drawn")),
    ("plies", NUMBER, lambda report: report["character"]["plies"]),
    ("legal moves", NUMBER, lambda report: report["character"]["legal_moves"]),
    ("lead changes in a game", NUMBER, lambda report: report["character"]["lead_changes"]),
    ("decisive games in which the loser was ahead", SHARE, lambda report: report["character"]["turned"]),
    ("decisive games in which it was ahead late", SHARE, lambda report: report["character"]["turned_late"]),
    ("captures in the second third", SHARE, _phase("captures")),
    ("checks in the second third", SHARE, _phase("checks")),
    ("drops in the second third", SHARE, _phase("drops")),
    ("loss by the second-best move", NUMBER, lambda report: report["sharpness"]["loss"]),
    ("sharp positions", SHARE, lambda report: report["sharpness"]["sharp"]),
    ("changes of the best move with depth", SHARE, lambda report: report["sharpness"]["changes"]),
)


def reference_of(report: Any) -> Reference:
    """The reference figures of a study's report, as its JSON has it. Raises KeyError, TypeError for another
    structure."""
    source, character = report["source"], report["character"]
    values = {name: _values(read(report)) for name, _, read in FIGURES if _is_read(read, report)}
    return Reference(
        source["game"],
        source["title"],
        character["nodes"],
        character["games"],
        source["evaluation"],
        source["program"],
        values,
    )


def _is_read(read: Callable[[Any], Any], report: Any) -> bool:
    try:
        return read(report) is not None
    except TypeError:  # a part of the report that is missing
        return False


def _values(interval: Any) -> tuple[float, float, float]:
    value, low, high = (
        math.nan if interval[name] is None else interval[name] for name in ("value", "low", "high")
    )
    return value, low, high


@cache
def references() -> tuple[Reference, ...]:
    """The references that come with the program; none before they are made."""
    if not FILE.exists():
        return ()
    found = json.loads(FILE.read_text(encoding="utf-8"))
    return tuple(
        Reference(**{**facts, "values": {name: tuple(value) for name, value in facts["values"].items()}})
        for facts in found
    )


def beside(reference: Reference, others: Sequence[Reference]) -> list[Reference]:
    """The other games for a comparison, each at the strength nearest to that of `reference`."""
    found: dict[str, Reference] = {}
    for other in others:
        known = found.get(other.game)
        if other.game != reference.game and (
            known is None or _apart(reference, other) < _apart(reference, known)
        ):
            found[other.game] = other
    return list(found.values())


def _apart(first: Reference, second: Reference) -> float:
    """How much the strengths of two references differ: the logarithm of their ratio."""
    return abs(math.log(first.nodes / second.nodes))


def write_references(folders: Sequence[Path], path: Path = FILE) -> None:
    """Writes the references of the studies in some folders. Raises OSError, ValueError, KeyError."""
    found = [
        reference_of(json.loads((folder / "report.json").read_text(encoding="utf-8"))) for folder in folders
    ]
    rounded = [
        {**vars(each), "values": {name: [round(x, 4) for x in value] for name, value in each.values.items()}}
        for each in found
    ]
    path.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_references([Path(folder) for folder in sys.argv[1:]])
