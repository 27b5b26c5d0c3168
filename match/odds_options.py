"""The engines and pairings of a match, by the options --engine, --each and --odds."""

import re
from collections.abc import Callable
from dataclasses import replace

import click

from .games.tournament import HEAD_TO_HEAD
from .match_options import MatchOptions
from .players.control import parse_clock
from .players.spec import EngineSpec

_LIMIT = re.compile(r"(^|\s)(tc|st)=\S*")


def engines_at_odds(
    options: MatchOptions, parse: Callable[[str, str], EngineSpec]
) -> tuple[tuple[EngineSpec, ...], tuple[tuple[int, int], ...]]:
    """(engines, pairings) of a match: the engines as `parse(text, each)` reads them, and no pairings; with
    --odds an engine for each of the two and each of its clocks, and their pairings. Raises UsageError."""
    each = "ponder=on " * options.ponder + options.each
    if not options.odds:
        return tuple(parse(text, each) for text in options.engines), ()
    _check_options(options)
    engines: dict[str, EngineSpec] = {}
    pairings = []
    for pair in map(_clocks, options.odds):
        numbers = []
        for text, clock in zip(options.engines, pair, strict=True):
            spec = parse(f"{text} tc={clock}", each)
            name = f"{spec.name} {spec.control}"
            if engines.setdefault(name, replace(spec, name=name)).command != spec.command:
                raise click.UsageError(
                    f"both engines are called {spec.name!r}; give them different names with name=..."
                )
            numbers.append(list(engines).index(name))
        pairings.append((numbers[0], numbers[1]))
    if len(set(pairings)) < len(pairings):
        raise click.UsageError("--odds names the same clocks twice")
    return tuple(engines.values()), tuple(pairings)


def _check_options(options: MatchOptions) -> None:
    """Raises UsageError for options that cannot be combined with --odds."""
    if len(options.engines) != 2:
        raise click.UsageError(f"--odds is for 2 engines, not {len(options.engines)}")
    if options.sprt or options.tournament != HEAD_TO_HEAD:
        raise click.UsageError("--odds cannot be combined with --sprt or --tournament")
    for text in (*options.engines, options.each):
        if limit := _LIMIT.search(text):
            raise click.UsageError(
                f"{limit[0].strip()!r} cannot be combined with --odds, which sets the clocks"
            )


def _clocks(text: str) -> list[str]:
    """The two clocks of a pair. Raises BadParameter."""
    clocks = text.split()
    try:
        if len(clocks) != 2:
            raise ValueError("expected two clocks, such as '1+0.01 16+0.16'")
        for clock in clocks:
            parse_clock(clock)
    except ValueError as error:
        raise click.BadParameter(f"{text!r}: {error}", param_hint="--odds") from None
    return clocks
