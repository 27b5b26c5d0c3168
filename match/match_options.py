"""The options of `surajang match`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import click

from ..protocol.terminal.command_options import FOLDER, NEW_FOLDER, Cluster, Option
from .games.adjudication import DrawRule, ResignRule, parse_draw, parse_resign
from .games.tournament import TOURNAMENTS
from .openings.opening_files import FINISHED_PLIES
from .openings.opening_suites import OWN
from .openings.openings import ORDERS, PLIES
from .players.spec import check_settings
from .results.plot_option import plot_option
from .results.sprt import Sprt, parse_sprt

REPLAYS = 8  # default limit of replays, because two engines that always draw would play forever
OPENINGS_HELP = (
    "An EPD, FEN or PGN file, a Polyglot book for chess (.bin), or a game, for its suite of openings; "
    f"{OWN!r} is that of --variant, and the default without --plies."
)
PLIES_HELP = (
    f"Plies of random openings and book lines ({PLIES}); of PGN games ({FINISHED_PLIES}, if finished)."
)
TOURNAMENT_HELP = "Who plays whom; a gauntlet is the first engine against all others."
ODDS_HELP = 'Clocks of the two engines, such as "1+0.01 16+0.16"; may be repeated, each pair plays all games.'
GAMES_HELP = "Games of each pairing; even, because every opening is played with both colours."
DRAW_HELP = 'End level games: "number=8 move=40 score=10".'
RESIGN_HELP = 'End lost games: "number=4 score=700".'
SPRT_HELP = 'Stop when decided: "elo0=0 elo1=5".'
ENGINE_HELP = 'An engine: "cmd=... tc=5+0.05 name=..."; at least two.'
EACH_HELP = "Settings of all engines, as in --engine."
ORDER_HELP = "Order of the openings.  [default: sequential; random in a suite]"
REPLAYS_HELP = f"Play drawn games again with colours swapped, up to N times ({REPLAYS} without N)."


def _even(games: int) -> int:
    if games % 2:
        raise ValueError(f"{games} is odd, but every opening is played with both colours: try {games + 1}")
    return games


@dataclass(frozen=True)
class MatchOptions:
    """The options for the match's games, place and end. `replay_draws` is how often a drawn game is played
    again; `timemargin` is in milliseconds."""

    engines: Annotated[tuple[str, ...], Option(ENGINE_HELP, "--engine", multiple=True, metavar="TEXT")] = ()
    each: Annotated[str, Option(EACH_HELP, metavar="TEXT", parse=check_settings)] = ""
    ponder: Annotated[bool, Option("All engines ponder: they think in their opponents' time.")] = False
    games: Annotated[int, Option(GAMES_HELP, least=1, parse=_even)] = 100
    tournament: Annotated[str, Option(TOURNAMENT_HELP, type=click.Choice(TOURNAMENTS))] = TOURNAMENTS[0]
    odds: Annotated[tuple[str, ...], Option(ODDS_HELP, multiple=True, metavar='"TC TC"')] = ()
    openings: Annotated[str | None, Option(OPENINGS_HELP, metavar="FILE|NAME")] = None
    opening_order: Annotated[str | None, Option(ORDER_HELP, type=click.Choice(ORDERS))] = None
    seed: Annotated[int, Option("Seed of random openings and random order.", least=0)] = 1
    plies: Annotated[int | None, Option(PLIES_HELP, least=0)] = None
    concurrency: Annotated[int, Option("Number of games at once.", least=1)] = 1
    cluster: Cluster = None
    out: Annotated[
        Path | None, Option("New folder for the match.  [default: matches/GAME-DATE]", type=NEW_FOLDER)
    ] = None
    resume: Annotated[Path | None, Option("Continue the match in this folder.", type=FOLDER)] = None
    replay_draws: Annotated[
        int, Option(REPLAYS_HELP, is_flag=False, flag_value=REPLAYS, least=0, metavar="[N]")
    ] = 0
    draw: Annotated[DrawRule | None, Option(DRAW_HELP, metavar="TEXT", parse=parse_draw)] = None
    resign: Annotated[ResignRule | None, Option(RESIGN_HELP, metavar="TEXT", parse=parse_resign)] = None
    max_moves: Annotated[int, Option("Draw games after so many moves of each side.", least=0)] = 0
    timemargin: Annotated[int, Option("Milliseconds by which an engine may exceed its time.", least=0)] = 20
    sprt: Annotated[Sprt | None, Option(SPRT_HELP, metavar="TEXT", parse=parse_sprt)] = None
    event: Annotated[str, Option("The tag Event of the PGN.")] = "Surajang match"
    plot: Annotated[Path | None, plot_option("Draw the match: PNG, SVG, PDF.")] = None
    log: Annotated[
        Path | None, Option("Record all input and output of the engines in this folder.", type=NEW_FOLDER)
    ] = None
