"""Writes the page of a study, with its figures and JSON, beside this file, from the games in a folder:

    python docs/studies/write.py study-chess chess --games 400 --strengths 100,1000,10000

No game of the series is played; the games are those that `surajang study` has left in the folder.
"""

import json
from dataclasses import asdict
from pathlib import Path

import click
import surajang
from surajang.engine.variant import Variant
from surajang.study.games.plan import StudyPlan, parse_strengths
from surajang.study.report.markdown import write_markdown
from surajang.study.report.numbers import without_nan
from surajang.study.run_study import StudyRun


@click.command()
@click.argument("folder", type=click.Path(exists=True, path_type=Path))
@click.argument("game")
@click.option("--games", default=1_000, help="Games, as in the study.")
@click.option("--strengths", default="100,1000,10000", help="Strengths, as in the study.")
def main(folder: Path, game: str, games: int, strengths: str) -> None:
    """Write the page of the study of GAME whose games are in FOLDER."""
    variant = Variant(game)
    studying = StudyRun(StudyPlan(variant, games, parse_strengths(strengths)), folder)
    studying.compile()
    write_page(studying.figures(*studying.played()), variant)


def write_page(study: surajang.study.Study, variant: Variant) -> None:
    """Writes the page of a study, its figures and its JSON."""
    page = Path(__file__).with_name(f"{study.source.game}.md")
    write_markdown(page, study, variant.description)
    facts = json.dumps(without_nan(asdict(study)), separators=(",", ":"))
    page.with_suffix(".json").write_text(f"{facts}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
