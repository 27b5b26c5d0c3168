"""`surajang bench duel`: a match between two settings of this program at equal nodes, with the statistics of
a match."""

import json
from pathlib import Path
from typing import Annotated, Any

import click

from ...engine.variant import Variant
from ...match.openings.opening_files import load_openings
from ...match.openings.opening_suites import find_openings
from ...match.openings.openings import BookError, Codes, codes_of, pick
from ...match.results.sprt import Sprt, parse_sprt
from ...match.results.statistics import Tally
from ...match.results.summary import decimal, pairs_line
from ...match.workers.options import own_file
from ...match.workers.pool import Workers
from ...protocol.terminal.command_options import NEW_FILE, Cluster, Option, with_options
from ...protocol.terminal.console import note
from ...protocol.terminal.options import variant_option
from ...protocol.terminal.outputs import written
from ...protocol.terminal.progress import compiled_with_bar, counted
from ..self_play.generator import Batches, game_errors, playing
from .duel_options import NodeClock, Plies, Processes, SearchNodes, word_errors
from .duels import PlayPairs, duel_settings, parse_clock, parse_player

PLAYER_HELP = (
    "Settings: eval=FILE or eval=none, weights=FILE or weights=none (of the hand-written"
    " evaluation), and numbers of the search, as in 'rfp_margin=80'."
)
SPRT_HELP = "Stop when decided: 'elo0=0 elo1=5', as in `surajang match`."
OPENINGS_HELP = "A file or suite of openings instead of random ones, as in `surajang match`."


@click.command()
@variant_option
@with_options
def main(
    variant: Variant,
    first: Annotated[str, Option(PLAYER_HELP, metavar="PLAYER")] = "",
    second: Annotated[str, Option("Settings of its opponent.", metavar="PLAYER")] = "",
    games: Annotated[int, Option("Maximum number of games.", least=2)] = 20_000,
    nodes: SearchNodes = 8000,
    clock: NodeClock = None,
    sprt: Annotated[str | None, Option(SPRT_HELP, metavar="TEST")] = None,
    plies: Plies = 8,
    seed: Annotated[int, Option("Seed of the openings.", least=0, most=2**64 - 1)] = 1,
    balance: Annotated[int, Option("Maximum score of an opening in centipawns.", least=1)] = 200,
    openings: Annotated[str | None, Option(OPENINGS_HELP, metavar="FILE|NAME")] = None,
    concurrency: Processes = 1,
    cluster: Cluster = None,
    log: Annotated[Path | None, Option("Append the result to this file, as JSON.", type=NEW_FILE)] = None,
) -> None:
    """Play two settings of the search or the evaluation against each other at equal nodes.

    The games are played in compiled code, about ten times as many as in a match between engines. Each opening
    is played with both colours; openings are random moves unless --openings names others. Ctrl-C ends the
    match and shows the result so far."""
    with word_errors():
        test = parse_sprt(sprt) if sprt else None
        one, other = (parse_player(text, variant) for text in (first, second))
        node_clock = parse_clock(clock) if clock is not None else None
    if one == other:
        note("--first and --second are the same, so this is a match of a player against itself")
    if games % 2:
        note(f"each opening is played with both colours, so {games - 1} games are played")
    settings = duel_settings(node_clock, nodes, plies=plies, seed=seed, balance=balance)
    with game_errors(BookError):
        lines = _lines(openings, variant, games // 2, seed) if openings is not None else ()
        work = PlayPairs(variant, settings, one, other, own_file(variant), lines, node_clock)
        compiled_with_bar(variant, work.compile)
        pairs = len(lines) or games // 2
        with playing(cluster, concurrency) as pool:
            tally, mean = _play(work, pool, pairs, test)
            if tally.played < 2 * pairs and not (test and test.verdict(test.llr(tally))):
                note(f"interrupted after {tally.played} of {2 * pairs} games")
            if tally.played:
                click.echo("\n".join(report(tally, mean, test)))
    if log is not None:
        limit = {"clock": clock} if clock is not None else {"nodes": nodes}
        what = {"variant": variant, "first": first, "second": second, **limit, "seed": seed}
        found = {"games": tally.games, "pairs": tally.pairs, "elo": str(tally.elo), "sprt": sprt}
        with written(log), log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(what | found) + "\n")


def _lines(openings: str, variant: Variant, pairs: int, seed: int) -> tuple[Codes, ...]:
    """At most that many openings of a file or a suite, shuffled by the seed. None occurs twice, because the
    games would be the same. Raises BookError, OSError."""
    path = find_openings(openings, variant)

    def choose(known: list[Any]) -> list[Any]:
        return pick(known, len(known), "random", seed)[:pairs]

    found = load_openings(path, variant, choose, warn=note)
    if len(found) < pairs:
        note(f"{openings} has {len(found)} openings, for {2 * len(found)} games")
    return tuple(codes_of(opening, variant) for opening in found)


def _play(work: PlayPairs, pool: Workers, pairs: int, test: Sprt | None) -> tuple[Tally, float]:
    """The `Tally` of the first player and the mean plies of a game, over at most `pairs` pairs."""
    batches, tally, plies = Batches(0, pairs), Tally(), 0
    with counted("pairs", 0, pairs, "games") as tell:
        for (_, count), (results, seconds) in pool.run(work, batches):
            batches.learn(count, seconds)
            for points, lengths in results:
                for each in points:
                    tally.games[each] += 1
                tally.pairs[sum(points)] += 1
                plies += sum(lengths)
            tell(sum(tally.pairs), tally.played)
            if test is not None and test.verdict(test.llr(tally)):
                break
    return tally, plies / max(1, tally.played)


def report(tally: Tally, mean: float, test: Sprt | None) -> list[str]:
    """The result in lines: games, Elo, pairs and the SPRT."""
    losses, draws, wins = tally.games
    lines = [
        f"+{wins} ={draws} -{losses} of {tally.played} games, {decimal(mean, 0)} plies on average",
        f"Elo {tally.elo}, normalised {tally.normalised_elo}, likelihood of superiority "
        f"{100 * tally.superiority:.1f} %",
        pairs_line(tally),
    ]
    if test is not None:
        llr = test.llr(tally)
        verdict = test.verdict(llr)
        ended = f"{verdict} accepted" if verdict else "not decided"
        lines.append(f"SPRT {test}: LLR {llr:+.2f} in ({test.lower:.2f}, {test.upper:.2f}), {ended}")
    return lines
