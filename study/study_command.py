"""`surajang study`: what a game is like, from games of the engine against itself."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from ..engine.game.description import VariantError
from ..engine.variant import Variant
from ..eval.network.file import NetworkError
from ..match.workers.options import interruptible_workers, workers
from ..match.workers.pool import WorkersError
from ..protocol.session.user_games import register_file
from ..protocol.terminal.command_options import NEW_FOLDER, Cluster, Option, told_errors, with_options
from ..protocol.terminal.options import known_game
from ..protocol.terminal.progress import compiled_with_bar, counted
from .games.plan import QUICK_GAMES, STRENGTHS, parse_strengths
from .games.study_options import Games, Hours, Processes, StudySeed

if TYPE_CHECKING:
    from .figures.study import Study
    from .run_study import StudyRun

KILLED = (
    "a process that played games was killed: perhaps the memory is too small for that many;"
    " --resume continues the study"
)


def game_argument(context: click.Context, parameter: click.Parameter, text: str) -> Variant:
    """The name of the game for a name or a file's path; registers the file's game."""
    try:
        if Path(text).suffix in (".toml", ".ini"):
            if not Path(text).is_file():
                raise click.BadParameter(f"there is no file {text!r}")
            return Variant(register_file(Path(text)))
        return known_game(text)
    except VariantError as error:
        raise click.BadParameter(str(error)) from None


def game_arguments(
    context: click.Context, parameter: click.Parameter, texts: tuple[str, ...]
) -> tuple[Variant, ...]:
    """The names of the games for names or paths of files; no game may be named twice."""
    names = tuple(game_argument(context, parameter, text) for text in texts)
    for name in names:
        if names.count(name) > 1:
            raise click.BadParameter(f"{name!r} is named twice; name different games")
    return names


STRENGTHS_HELP = f"Strengths in nodes a move.  [default: {','.join(map(str, STRENGTHS))}]"


@click.command()
@click.argument("names", metavar="GAME...", nargs=-1, required=True, callback=game_arguments)
@with_options
def main(
    names: tuple[Variant, ...],
    games: Games = None,
    strengths: Annotated[
        tuple[int, ...] | None, Option(STRENGTHS_HELP, metavar="N,N,...", type=str, parse=parse_strengths)
    ] = None,
    quick: Annotated[
        bool,
        Option(f"A first impression in ten minutes: {QUICK_GAMES} games, without the greatest strength."),
    ] = False,
    hours: Hours = None,
    seed: StudySeed = 1,
    concurrency: Processes = 1,
    cluster: Cluster = None,
    resume: Annotated[bool, Option("Continue the games in the folder.")] = False,
    out: Annotated[
        Path | None, Option("Folder of the study.  [default: study-NAME]", type=NEW_FOLDER)
    ] = None,
) -> None:
    """Study GAME, the name of a game or the file of your own: who is favoured, how games end, which rules
    matter, where pieces stand, which first moves are good.

    The engine plays against itself at several strengths. The folder gets report.html, report.md and
    report.json, and keeps the games. Several games are compared with the first of them: each has a folder
    inside, beside comparison.html, comparison.md and comparison.json."""
    from .figures.comparison import compare
    from .games.journal import StudyJournalError
    from .report.comparing import HTML as COMPARISON
    from .report.comparing import write_comparison
    from .report.files import HTML
    from .report.sentences import balance
    from .run_study import (
        StudyError,
        StudyRun,
        default_folder,
        have_networks,
        make_plan,
        refuse_to_resume_nothing,
        seconds_of,
    )

    with told_errors(
        StudyError, StudyJournalError, NetworkError, VariantError, failures=(WorkersError, OSError)
    ):
        several = len(names) > 1
        whole = out or (Path("study-comparison") if several else default_folder(names[0]))
        seconds = seconds_of(hours and hours / len(names), quick)
        with_network = not several or have_networks(names)
        plans = [make_plan(name, games, strengths, seed, quick) for name in names]
        studies = [
            StudyRun(plan, whole / plan.variant if several else whole, seconds, with_network)
            for plan in plans
        ]
        if resume:
            refuse_to_resume_nothing(whole, [studying.folder for studying in studies])
        for studying in studies:
            if not resume:
                studying.refuse_old_games()
        found = []
        for studying in studies:
            found.append(_study(studying, cluster, concurrency))
            for sentence in (*found[-1].notes, *balance(found[-1])):
                click.echo(sentence)
            click.echo(f"report: {studying.folder / HTML}")
        if several:
            write_comparison(whole, compare(found))
            click.echo(f"comparison: {whole / COMPARISON}")


def _study(studying: "StudyRun", cluster: str | None, concurrency: int) -> "Study":
    """The figures of a study that is played to its end, with its progress on stderr; writes its report."""
    from .report.files import write_report

    plan = studying.plan
    compiled_with_bar(plan.variant, studying.compile)
    with counted("first moves", 0, max(map(plan.games_of, plan.series)), "openings") as tell:
        openings = studying.openings(lambda done, total, what: tell(done, done))
    total = sum(studying.wanted(openings).values())
    with (
        interruptible_workers(workers(cluster, concurrency, processes=concurrency > 1), KILLED) as pool,
        counted("games", 0, total, "games") as tell,
    ):
        played = studying.play(openings, pool, lambda done, total, what: tell(done, done))
    with counted("searches", 0, studying.probes, "positions") as tell:
        study = studying.figures(played, openings, lambda done, total, what: tell(done, done))
    write_report(studying.folder, study, studying.description)
    return study
