"""The tables of a report, which Markdown and HTML share: headings and rows of text."""

import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import NamedTuple

from ..figures.character import PHASES
from ..figures.intervals import Interval
from ..figures.references import FIGURES, SHARE, Reference, beside, reference_of, references
from ..figures.study import Study
from . import sentences
from .numbers import nodes, number, pawns, percent, without_nan


class ReportTable(NamedTuple):
    """A table: its headings and rows of as many texts."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class ReportSection(NamedTuple):
    """A part of a report: its name (of its figures, too), heading, sentences and tables."""

    name: str
    heading: str
    sentences: list[str]
    tables: list[ReportTable]


MOST_FIRST_MOVES = 20
SHOWN_PLIES = 2  # of the best lines by search


def sections(study: Study) -> Iterator[ReportSection]:
    """Yields the parts of a report, without those that have no figures."""
    if study.balance.rows:
        yield ReportSection("balance", "Balance", sentences.balance(study), [_balance(study)])
    if study.rules.ends:
        yield ReportSection("rules", "Rules at work", sentences.rules(study), [_ends(study), _moves(study)])
    if study.character is not None:
        tables = [_kinds(study), _beside(study)]
        yield ReportSection("character", "Character", sentences.character(study), tables)
    if study.pieces is not None and study.pieces.rows:
        yield ReportSection("pieces", "Pieces", sentences.pieces(study), [_pieces(study), _values(study)])
    if study.openings is not None and study.openings.first:
        tables = [*_openings(study), *_tree(study)]
        yield ReportSection("openings", "Openings", sentences.openings(study), tables)
    if lines := sentences.advice(study):
        yield ReportSection("advice", "Advice", lines, [_handicaps(study)])


def _balance(study: Study) -> ReportTable:
    rows = tuple(
        (
            nodes(row.nodes),
            row.source,
            f"{row.games:,}",
            percent(row.score),
            f"{row.white_wins} / {row.draws} / {row.black_wins}",
            str(row.unfinished),
            percent(row.drawn),
            percent(row.decisive),
            number(row.plies),
        )
        for row in study.balance.rows
    )
    headings = ("nodes a move", "openings", "games", "White's score", "White won / drawn / Black won")
    return ReportTable((*headings, "no result", "draws", "decisive", "plies"), rows)


def _ends(study: Study) -> ReportTable:
    rows = tuple((row.name, f"{row.games:,}", percent(row.share, 1)) for row in study.rules.ends)
    return ReportTable(("how games end", "games", "share of games"), rows)


def _moves(study: Study) -> ReportTable:
    rows = tuple(
        (row.name, f"{row.games:,}", percent(row.share, 1), f"{row.times / study.rules.games:.2f}")
        for row in study.rules.moves
    )
    return ReportTable(("move", "games with it", "share of games", "times a game"), rows)


def _kinds(study: Study) -> ReportTable:
    assert study.character is not None
    rows = tuple((row.kind, *(percent(part, 1) for part in row.shares)) for row in study.character.kinds)
    return ReportTable(("share of moves", *PHASES), rows)


def _beside(study: Study) -> ReportTable:
    """The figures of this game beside those of well-known games."""
    own = reference_of(without_nan(asdict(study)))
    others, rows = beside(own, references()), []
    if not others:
        return ReportTable((), ())
    for name, unit, _ in FIGURES:
        if name in own.values:
            cells = [_reference(each, name, unit) for each in (own, *others)]
            rows.append((name, *cells))
    titles = (f"{each.title}, {nodes(each.nodes)} nodes" for each in (own, *others))
    return ReportTable(("figure", *titles), tuple(rows))


def _reference(reference: Reference, name: str, unit: str) -> str:
    value = Interval(*reference.values.get(name, (math.nan,) * 3))
    return percent(value) if unit == SHARE else number(value, 1 if value.value >= 10 else 2)


def _pieces(study: Study) -> ReportTable:
    assert study.pieces is not None
    rows = tuple(
        (row.name, percent(row.moves, 1), number(row.mobility, 1), percent(row.survival))
        for row in study.pieces.rows
    )
    headings = (
        "piece",
        "share of all moves",
        "legal moves of one",
        "on the board at the end, of those at the start",
    )
    return ReportTable(headings, rows)


def _values(study: Study) -> ReportTable:
    rows = tuple(
        (
            f"{row.name} in hand" if row.in_hand else row.name,
            *(number(value) for value in (row.value, row.early, row.late)),
            f"{row.in_file:,}",
        )
        for row in study.values
    )
    headings = ("piece", "value by results", "in the first half", "in the second half")
    return ReportTable((*headings, "in the game's file"), rows)


def _tree(study: Study) -> list[ReportTable]:
    """The lines by search: all, the most balanced and the sharpest."""
    found = study.openings
    if found is None or not found.tree:
        return []
    headings = ("by search: score", "goes on")
    short = [line for line in found.tree if len(line.moves) <= SHOWN_PLIES]
    tables = [
        ReportTable(
            (name, *headings),
            tuple((" ".join(line.moves), pawns(line.score), " ".join(line.continuation)) for line in lines),
        )
        for name, lines in (("best lines", short), ("most balanced lines", found.balanced))
    ]
    rows = tuple(
        (" ".join(line.moves), line.continuation[0], f"{(line.margin or 0) / 100:.2f}")
        for line in found.sharp
        if line.continuation
    )
    return [*tables, ReportTable(("sharpest lines", "best reply", "pawns that the next reply loses"), rows)]


def _handicaps(study: Study) -> ReportTable:
    plain, rows = study.advice.plain, study.advice.handicaps
    if plain is None or not rows:
        return ReportTable((), ())
    found = [("none", f"{plain.games:,}", percent(plain.score))]
    found += [(row.name, f"{row.games:,}", percent(row.score)) for row in rows]
    return ReportTable(("handicap", "games", "White's score"), tuple(found))


def _openings(study: Study) -> list[ReportTable]:
    assert study.openings is not None
    return [
        ReportTable(
            (name, "games", "White's score"),
            tuple((" ".join(row.moves), f"{row.games:,}", percent(row.score)) for row in rows),
        )
        for name, rows in (
            ("first move", study.openings.first[:MOST_FIRST_MOVES]),
            ("line", study.openings.lines),
        )
        if rows
    ]
