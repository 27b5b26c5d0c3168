"""Studies of several games beside each other: the same figures, and what differs from the first game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..games.plan import START
from .balance import BalanceRow
from .intervals import UNKNOWN, Interval
from .study import Study

SHARE, NUMBER = "share", "number"  # of what a figure is


@dataclass(frozen=True)
class ComparedFigure:
    """A figure of each game, `values`, and the `differences` of all games after the first from the first one.
    `unit` is SHARE or NUMBER."""

    name: str
    unit: str
    values: tuple[Interval, ...]

    @property
    def differences(self) -> tuple[Interval, ...]:
        """The difference of each game after the first from the first one."""
        return tuple(value - self.values[0] for value in self.values[1:])


@dataclass(frozen=True)
class Comparison:
    """Studies of several games. `nodes` is the strength of the games that are compared: the greatest that
    all studies have from the start; 0 where there is none."""

    studies: tuple[Study, ...]
    nodes: int
    figures: tuple[ComparedFigure, ...]

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles of the games."""
        return tuple(study.source.title for study in self.studies)


def compare(studies: Sequence[Study]) -> Comparison:
    """The comparison of one or more studies with the first of them. Character is compared where it is that of
    games at the same strength; values of pieces are those of all games, where all studies have one."""
    nodes = common_strength(studies)
    rows = [_row(study, nodes) for study in studies]
    figures = [
        ComparedFigure(name, unit, tuple(read(row) if row else UNKNOWN for row in rows))
        for name, unit, read in BALANCE
    ]
    if len({study.character.nodes for study in studies if study.character}) == 1:
        figures += [
            ComparedFigure(name, unit, tuple(read(study) for study in studies))
            for name, unit, read in CHARACTER
        ]
    figures += _piece_values(studies)
    known = [figure for figure in figures if any(value.is_known for value in figure.values)]
    return Comparison(tuple(studies), nodes, tuple(known))


def _piece_values(studies: Sequence[Study]) -> list[ComparedFigure]:
    """The values by results of the pieces on the board that all games have, by their names."""
    values = [{row.name: row.value for row in study.values if not row.in_hand} for study in studies]
    return [
        ComparedFigure(f"Value of the {name}", NUMBER, tuple(found[name] for found in values))
        for name in values[0]
        if all(name in found for found in values)
    ]


def common_strength(studies: Sequence[Study]) -> int:
    """The greatest number of nodes a move at which each study has games from the start; 0 for none."""
    strengths = [{row.nodes for row in study.balance.rows if row.source == START} for study in studies]
    return max(set.intersection(*strengths), default=0) if strengths else 0


def _row(study: Study, nodes: int) -> BalanceRow | None:
    rows = [row for row in study.balance.rows if row.source == START and row.nodes == nodes]
    return rows[0] if rows else None


def _part(part: str, name: str) -> Callable[[Study], Interval]:
    """Reads a figure of a part of a study that may be missing."""

    def read(study: Study) -> Interval:
        found = getattr(study, part)
        figure: Interval = UNKNOWN if found is None else getattr(found, name)
        return figure

    return read


def _kind(name: str) -> Callable[[Study], Interval]:
    """Reads the share of moves of a kind in the middle third of a game."""

    def read(study: Study) -> Interval:
        rows = study.character.kinds if study.character else ()
        return next((row.shares[1] for row in rows if row.kind == name), UNKNOWN)

    return read


BALANCE: tuple[tuple[str, str, Callable[[BalanceRow], Interval]], ...] = (
    ("White's score", SHARE, lambda row: row.score),
    ("Draws", SHARE, lambda row: row.drawn),
    ("Decisive games", SHARE, lambda row: row.decisive),
    ("Plies", NUMBER, lambda row: row.plies),
)
CHARACTER: tuple[tuple[str, str, Callable[[Study], Interval]], ...] = (
    ("Legal moves", NUMBER, _part("character", "legal_moves")),
    ("Lead changes", NUMBER, _part("character", "lead_changes")),
    ("Ahead and lost", SHARE, _part("character", "turned")),
    ("Loss by the second-best move", NUMBER, _part("sharpness", "loss")),
    ("Sharp positions", SHARE, _part("sharpness", "sharp")),
    ("Captures in the second third", SHARE, _kind("captures")),
    ("Checks in the second third", SHARE, _kind("checks")),
    ("Drops in the second third", SHARE, _kind("drops")),
)
