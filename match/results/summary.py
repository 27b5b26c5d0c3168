"""A match as text: a line for each finished game, a short summary, and the final report."""

import io
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..records.model import FAULTS
from .statistics import least_elo

if TYPE_CHECKING:
    from ..records.model import MatchGame, Record
    from .standings import Standings
    from .statistics import Tally


WIDTH = 80  # columns of a report


def percent(share: float) -> str:
    """A share of 1 in per cent, "-" for nan."""
    return "-" if math.isnan(share) else f"{100 * share:.1f}"


def decimal(number: float, digits: int = 2) -> str:
    """A number, "-" for nan."""
    return "-" if math.isnan(number) else f"{number:.{digits}f}"


def wins_draws_losses(counts: Sequence[int]) -> str:
    """[losses, draws, wins] as chess tables write them."""
    losses, draws, wins = counts
    return f"+{wins} ={draws} -{losses}"


def finished_line(record: "Record", names: Sequence[str], total: int | None = None) -> str:
    """One line on a game: "Finished game 12 of 200 (A vs B): 1-0 {White mates}, 45 moves"."""
    game = record.game
    number = f"{game.number + 1}" + (f" of {total}" if total else "")
    replay = f", replay {game.replay}" if game.replay else ""
    kind = f" [{record.termination}]" if record.termination in FAULTS else ""
    moves = (len(record.plies) + 1) // 2
    return (
        f"Finished game {number}{replay} ({names[game.white]} vs {names[game.black]}): "
        f"{record.score} {{{record.reason}}}{kind}, {moves} move{'' if moves == 1 else 's'}"
    )


def running_score(standings: "Standings", game: "MatchGame") -> str:
    """How the two engines of a game stand against each other: "Score of A vs B: 12 - 7 - 3 [0.614] 22", which
    are wins, losses and draws of A, its share of the points, and the games."""
    a, b = sorted((game.white, game.black))
    tally = standings.between(a, b)
    losses, draws, wins = tally.games
    names = f"{standings.names[a]} vs {standings.names[b]}"
    return f"Score of {names}: {wins} - {losses} - {draws} [{decimal(tally.score, 3)}] {tally.played}"


def score_line(standings: "Standings", engine: int = 0) -> str:
    """The result of an engine against all: "A: 12.5 of 20 (62.5 %), +10 =5 -5, Elo +88.7 ± 101.3"."""
    tally = standings.total(engine)
    if not tally.played:
        return f"{standings.names[engine]}: no games"
    return (
        f"{standings.names[engine]}: {tally.points:g} of {tally.played} ({percent(tally.score)} %), "
        f"{wins_draws_losses(tally.games)}, Elo {standings.elo(engine)}"
    )


def pairs_line(tally: "Tally") -> str:
    """The pentanomial: "Ptnml(0-2) [1, 2, 9, 5, 3], pair ratio 2.67"."""
    counts = ", ".join(str(count) for count in tally.pairs)
    return f"Ptnml(0-2) [{counts}], pair ratio {decimal(tally.pair_ratio)}"


def sprt_line(standings: "Standings") -> str:
    """The test: "SPRT nElo [0.00, 5.00]: LLR +1.24 (42 %) in (-2.94, 2.94), undecided"."""
    sprt, llr = standings.sprt, standings.llr
    assert sprt is not None and llr is not None
    part = llr / (sprt.upper if llr >= 0 else -sprt.lower)
    verdict = f"{standings.decision} accepted" if standings.decision else "undecided"
    bounds = f"({sprt.lower:.2f}, {sprt.upper:.2f})"
    return f"SPRT {sprt}: LLR {llr:+.2f} ({100 * part:+.0f} %) in {bounds}, {verdict}"


def summary(standings: "Standings") -> list[str]:
    """A few lines on how a match stands while it is played."""
    if len(standings.names) > 2:
        return [score_line(standings, engine) for engine in ranking(standings)]
    tally = standings.total(0)
    line = f"  LOS {percent(tally.superiority)} %, draws {percent(tally.draw_ratio)} %"
    lines = [score_line(standings), f"{line}, {pairs_line(tally)}" if any(tally.pairs) else line]
    if standings.sprt:
        lines.append(f"  {sprt_line(standings)}")
    return lines


def ranking(standings: "Standings") -> list[int]:
    """The engines' numbers, the strongest first; two engines, and engines that are level or unrated, in the
    order of their numbers."""
    if len(standings.names) == 2:
        return [0, 1]
    values = [estimate.value for estimate in standings.ratings()]
    order = [math.inf if math.isnan(value) else -value for value in values]
    return sorted(range(len(order)), key=order.__getitem__)


def report(
    standings: "Standings", title: str = "", machine: str = "", odds: "Sequence[str | Table]" = ()
) -> str:
    """The whole match as a plain text of at most WIDTH columns, for a terminal, a README or a log.

    `title` is its first line, `machine` a line on where it was played (see `shared.machine.told`), `odds`
    what is to be said of a match at odds."""
    parts: list[Sequence[str | Table]] = [
        [title],
        [engines_table(standings)],
        _details(standings),
        [_figures_table(standings)],
    ]
    if len(standings.names) > 2:
        parts.insert(3, [_meetings_table(standings)])
    parts.insert(-1, odds)
    parts.append([*_referee(standings), f"Machine: {machine}" if machine else ""])
    return as_text(parts)


def as_text(parts: "Sequence[Sequence[str | Table]]") -> str:
    """Lines and tables as a plain text of at most WIDTH columns, an empty line between two parts."""
    output = io.StringIO()
    console = Console(file=output, width=WIDTH, color_system=None)
    for part in filter(None, parts):
        for line in filter(None, part):
            console.print(line, markup=False, highlight=False)
        console.print()
    text = "\n".join(line.rstrip() for line in output.getvalue().splitlines())
    return text.strip("\n") + "\n"


def plain_table(name: str, *figures: str) -> Table:
    """An empty table: names to the left, which may take several lines, numbers to the right."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1), collapse_padding=True)
    table.add_column(name, overflow="fold")
    for heading in figures:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def engines_table(standings: "Standings") -> Table:
    """A row for each engine; "LOS" is the likelihood of superiority over all its opponents together."""
    value = "Elo\n± 95 %" if len(standings.names) == 2 else "rating\n± 95 %"
    headings = "games", "+", "=", "-", "score\n%", value, "LOS\n%", "draws\n%", "faults"
    table = plain_table("engine", *headings)
    ratings = None if len(standings.names) == 2 else standings.ratings()
    for engine in ranking(standings):
        tally = standings.total(engine)
        losses, draws, wins = (str(count) for count in tally.games)
        table.add_row(
            Text(standings.names[engine]),
            str(tally.played),
            wins,
            draws,
            losses,
            percent(tally.score),
            str(ratings[engine] if ratings else tally.elo),
            percent(tally.superiority),
            percent(tally.draw_ratio),
            str(sum(standings.faults_of(engine).values())),
        )
    return table


def _details(standings: "Standings") -> list[str]:
    """Lines on pairs, normalised Elo and SPRT of two engines, and on the results with each colour."""
    lines = []
    if len(standings.names) == 2:
        tally = standings.total(0)
        if any(tally.pairs):
            lines.append(f"Pairs: {pairs_line(tally)}, even {percent(tally.even_ratio)} %")
        lines.append(f"Normalised Elo {tally.normalised_elo}")
        for name, counts in zip(standings.names, (tally.games, tally.games[::-1]), strict=True):
            if counts[2] and counts[2] == tally.played:
                lines.append(f"{name} won all games: at 95 %, Elo above {least_elo(counts[2]):+.0f}")
        if standings.sprt:
            lines.append(sprt_line(standings))
    for engine, (white, black) in enumerate(standings.colours):
        as_white, as_black = wins_draws_losses(white), wins_draws_losses(black)
        lines.append(f"{standings.names[engine]}: as White {as_white}, as Black {as_black}")
    played = sum(standings.white)
    if played:
        share = percent((standings.white[2] + standings.white[1] / 2) / played)
        lines.append(f"White {wins_draws_losses(standings.white)} ({share} %)")
    return lines


def _meetings_table(standings: "Standings") -> Table:
    table = plain_table("match", "games", "+", "=", "-", "score\n%", "Elo\n± 95 %", "LOS\n%")
    for a, b, tally in standings.meetings():
        losses, draws, wins = (str(count) for count in tally.games)
        names = f"{standings.names[a]} - {standings.names[b]}"
        figures = percent(tally.score), str(tally.elo), percent(tally.superiority)
        table.add_row(Text(names), str(tally.played), wins, draws, losses, *figures)
    return table


def _figures_table(standings: "Standings") -> Table:
    table = plain_table("engine", "moves", "seconds a move", "slowest", "depth", "million nodes/s")
    for name, figures in zip(standings.names, standings.figures, strict=True):
        seconds = decimal(figures.pace, 3), f"{figures.slowest:.3f}"
        thinking = decimal(figures.depth, 1), decimal(figures.speed / 1e6, 3)
        table.add_row(Text(name), str(figures.moves), *seconds, *thinking)
    return table


def _referee(standings: "Standings") -> list[str]:
    """Ends of games, faults and the referee's own time."""
    ends = ", ".join(f"{kind} {count}" for kind, count in standings.terminations.most_common())
    lines = [f"Ends: {ends or '-'}"]
    for engine, name in enumerate(standings.names):
        faults = [f"{kind} {count}" for kind, count in standings.faults_of(engine).items()]
        if faults:
            lines.append(f"Faults of {name}: {', '.join(faults)}")
    if standings.replays:
        lines.append(f"Drawn games played again: {standings.replays}")
    if standings.unfinished:
        lines.append(f"Not played to the end: {standings.unfinished}")
    lines.append(f"Overhead of the referee: {decimal(1000 * standings.overhead_a_move, 2)} ms a move")
    return lines
