"""Reports of a search as lines of UCI."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ...eval.wdl import WdlModel

if TYPE_CHECKING:
    from ...engine.position import Move
    from ...search.engine import Info, Limit, PlayResult, Score

    Spell = Callable[[Iterable[Move]], str]  # a line of moves as text


def score_of(score: Score, wdl_model: WdlModel | None = None) -> str:
    """A `Score` as `cp 13` or `mate -3`, with the chances of a win, a draw and a loss if there is a
    `wdl_model`."""
    text = f"cp {score.centipawns}" if score.mate is None else f"mate {score.mate}"
    if wdl_model is None:
        return text
    return f"{text} wdl {' '.join(map(str, wdl_model.chances(score.centipawns, score.mate)))}"


def info_of(info: Info, spell: Spell, score: str) -> str:
    """An `Info` as a line; `score` is its score as text."""
    bound = f" {info.bound}bound" if info.bound else ""
    return _line(info, info.multipv, f"{score}{bound}", info.nps, spell)


def result_of(result: PlayResult, spell: Spell, score: str) -> str:
    """A `PlayResult` as the last report of a search; `score` is its score as text."""
    return _line(result, 1, score, int(result.nodes / max(result.time, 1e-6)), spell)


def _line(found: Info | PlayResult, multipv: int, score: str, nps: int, spell: Spell) -> str:
    return (
        f"info depth {found.depth} seldepth {found.seldepth} multipv {multipv}"
        f" score {score} nodes {found.nodes} nps {nps}"
        f" hashfull {found.hashfull} time {1000 * found.time:.0f} pv {spell(found.pv)}"
    )


def best_of(line: tuple[Move, ...], spell: Spell, none: str = "(none)") -> str:
    """The move to play, with the expected reply, if any; `none` where there is no move."""
    ponder = f" ponder {spell(line[1:2])}" if len(line) > 1 else ""
    return f"bestmove {spell(line[:1]) or none}{ponder}"


def limits_of(limit: Limit, searchmoves: tuple[Move, ...] | None, spell: Spell) -> str:
    """The limits of a search in words."""
    counts = {"depth": limit.depth, "nodes": limit.nodes, "mate": limit.mate}
    found = [f"{name} {count}" for name, count in counts.items() if count is not None]
    if limit.time is not None:
        found.append(f"movetime {_milliseconds(limit.time)}")
    if clock := limit.clock:
        found.append(f"clock {_milliseconds(clock.remaining)} + {_milliseconds(clock.increment)} a move")
        if clock.moves_to_go:
            found.append(f"{clock.moves_to_go} moves to go")
    if searchmoves is not None:
        found.append(f"searchmoves {spell(searchmoves)}")
    return ", ".join(found) or "none"


def _milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms"
