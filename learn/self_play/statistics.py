"""Statistics of a file of self-play games: lengths, results, scores, material and duplicates, as tables."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.table import Table

from ...engine.position import Position
from ...engine.variant import Variant
from ...protocol.terminal.console import table
from .compiled_games import ENDINGS, NO_SCORE
from .games_file import GamesReader
from .positions import Filter, Replay

SCORE_STEP = 250  # centipawns of a bin
PHASES = 8  # bins of pieces on the board, from none to as many as at the start
MAX_KEYS = 50_000_000  # positions, from the start of the file, that are searched for duplicates
RESULTS = {1: "White wins", 0: "drawn", -1: "Black wins"}


@dataclass
class Statistics:
    """Counts over a file of games, for positions that a `Filter` keeps.

    By game: `plies`. `searched` counts moves with a search. By position: `scores` (centipawns) and `points`,
    both White's, `pieces` on the board and `hands` (pieces in both hands). `doubles` counts positions that
    occurred before. `pieces_at_start` is the number of pieces of the start position, `player` the evaluation
    that played, `torn` the bytes after the last whole game."""

    variant: Variant
    size: int
    plies: np.ndarray
    searched: int
    results: Counter[int]
    endings: Counter[int]
    scores: np.ndarray
    points: np.ndarray
    pieces: np.ndarray
    hands: np.ndarray
    doubles: int
    pieces_at_start: int
    player: str
    torn: int = 0
    settings: dict[str, Any] = field(default_factory=dict)

    def by_score(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.intp], npt.NDArray[np.float64]]:
        """(centres of the bins, positions of each, mean points of each), in steps of SCORE_STEP around 0."""
        bins = np.rint(self.scores / SCORE_STEP).astype(int)
        found, place = np.unique(bins, return_inverse=True)
        counts = np.bincount(place, minlength=len(found))
        points = np.bincount(place, self.points, minlength=len(found))
        return found * SCORE_STEP, counts, points / np.maximum(1, counts)

    def by_phase(self) -> list[tuple[np.int64, np.int64, np.intp]]:
        """(least pieces, most pieces, positions) of each of PHASES bins of pieces on the board."""
        most = max(self.pieces_at_start, int(self.pieces.max(initial=0)))
        edges = np.unique(np.linspace(0, most, PHASES + 1).round().astype(int))
        counts = np.histogram(self.pieces, edges - 0.5 + np.arange(len(edges)).clip(0, 1))[0]
        return list(zip(edges[:-1] + (np.arange(len(edges) - 1) > 0), edges[1:], counts, strict=True))


def collect(
    path: str | Path,
    variant: Variant | None = None,
    filters: Filter = Filter(),  # noqa: B008 - a tuple
    progress: Callable[[int, int], object] = lambda done, positions: None,
) -> Statistics:
    """The `Statistics` of a file of games; `variant` defaults to the game that its header names.
    `progress(bytes, positions)` is called as the file is read. Raises GamesError, VariantError."""
    with GamesReader(path) as reader:
        variant = variant or reader.header.variant
        reader.refuse_other(variant)
        made = Replay(variant, filters, reader.header.starts)
        columns: defaultdict[str, list[np.ndarray]] = defaultdict(list)
        results: Counter[int] = Counter()
        endings: Counter[int] = Counter()
        searched = done = 0
        for chunk in reader.chunks():
            columns["plies"].append(np.diff(chunk.ends, prepend=0))
            searched += int(np.count_nonzero(chunk.scores != NO_SCORE))
            results.update(chunk.results.tolist())
            endings.update(chunk.endings.tolist())
            batch = made.batch(chunk, path)
            pieces = np.bitwise_count(batch.positions["colours"]).sum(axis=(1, 2))
            columns["scores"].append(batch.scores)
            columns["points"].append(((batch.results + 1) / 2).astype(np.float32))
            columns["pieces"].append(pieces.astype(np.uint16))
            columns["hands"].append(batch.positions["hands"].sum(axis=(1, 2)).astype(np.uint16))
            if done < MAX_KEYS:
                columns["keys"].append(batch.positions["key"].copy())
            done += len(batch.plies)
            progress(reader.done, done)
        keys = _joined(columns.pop("keys", []))
        start = Position(variant).state["colours"]
        return Statistics(
            variant=variant,
            size=reader.size,
            searched=searched,
            results=results,
            endings=endings,
            doubles=len(keys) - len(np.unique(keys)),
            pieces_at_start=int(np.bitwise_count(start).sum()),
            torn=reader.torn,
            player=reader.header.player,
            settings=reader.header.settings._asdict(),
            **{name: _joined(columns[name]) for name in ("plies", "scores", "points", "pieces", "hands")},
        )


def _joined(parts: Sequence[np.ndarray]) -> np.ndarray:
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def heading(found: Statistics) -> str:
    """The game and the settings of `Statistics`, in a line."""
    nodes, depth = found.settings["nodes"], found.settings["depth"]
    limit = f"{nodes:,} nodes" if nodes else f"depth {depth}"
    told = f"{limit}, {found.settings['plies']} random plies, seed {found.settings['seed']}"
    return f"{found.variant.description.title}, {len(found.plies):,} games ({told}, by {found.player})"


def tables(found: Statistics) -> list[Table]:
    """The tables that show `Statistics`."""
    return [_games_table(found), _positions_table(found), _scores_table(found)]


def _games_table(found: Statistics) -> Table:
    games = len(found.plies)
    shown = table("games", "number", "share", title="Games")
    for result, name in RESULTS.items():
        shown.add_row(name, f"{found.results[result]:,}", _share(found.results[result], games))
    shown.add_section()
    for ending, count in sorted(found.endings.items()):
        shown.add_row(f"by {ENDINGS[ending]}", f"{count:,}", _share(count, games))
    shown.add_section()
    if games:
        low, middle, high = np.percentile(found.plies, [10, 50, 90])
        shown.add_row("plies", f"{found.plies.sum():,}", "")
        shown.add_row("plies of a game", f"{found.plies.mean():.0f}", "")
        shown.add_row("10 %, half, 90 % of games", f"{low:.0f}, {middle:.0f}, {high:.0f}", "")
        shown.add_row("shortest, longest", f"{found.plies.min()}, {found.plies.max()}", "")
    shown.add_row("bytes", f"{found.size:,}", "")
    if found.torn:
        shown.add_row("bytes of an incomplete game at the end", f"{found.torn:,}", "")
    return shown


def _positions_table(found: Statistics) -> Table:
    kept = len(found.scores)
    shown = table("positions", "number", "share", title="Quiet positions")
    shown.add_row("share of searched positions", f"{kept:,}", _share(kept, found.searched))
    shown.add_row("doubles", f"{found.doubles:,}", _share(found.doubles, min(kept, MAX_KEYS)))
    if kept:
        shown.add_row("bytes of each in the file", f"{found.size / kept:.1f}", "")
        shown.add_section()
        for least, most, count in found.by_phase():
            shown.add_row(f"{least} to {most} pieces on the board", f"{count:,}", _share(count, kept))
        shown.add_row("mean pieces in both hands", f"{found.hands.mean():.1f}", "")
    return shown


def _scores_table(found: Statistics) -> Table:
    shown = table("White's centipawns", "positions", "share", "points", title="Scores of quiet positions")
    for middle, count, points in zip(*found.by_score(), strict=True):
        shown.add_row(f"{middle:+}", f"{count:,}", _share(count, len(found.scores)), f"{points:.2f}")
    return shown


def _share(count: int | np.integer, total: int) -> str:
    return f"{100 * count / total:.1f} %" if total else ""
