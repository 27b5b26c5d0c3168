"""Known facts about chess and crazyhouse, in the reports of `docs/studies`."""

import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.pure

STUDIES = Path(__file__).parents[2] / "docs" / "studies"


def report(game):
    return json.loads((STUDIES / f"{game}.json").read_text(encoding="utf-8"))


def from_the_start(game):
    return [row for row in report(game)["balance"]["rows"] if row["source"] == "start"]


def test_chess_is_drawn_more_the_stronger_the_play():
    drawn = [row["drawn"]["value"] for row in from_the_start("chess")]
    assert drawn == sorted(drawn) and drawn[-1] > drawn[0] + 0.2
    assert report("chess")["balance"]["drawn_change"]["low"] > 0, "more than chance"


def test_crazyhouse_is_hardly_drawn():
    assert all(row["drawn"]["high"] < 0.1 for row in from_the_start("crazyhouse"))
    assert max(row["games"] for row in from_the_start("crazyhouse")) >= 400


def test_rook_and_bishop_are_worth_what_literature_says():
    """In centipawns, the army of chess being worth 4,100: a bishop 3 to 3.5 pawns, a rook 4.5 to 5.63 (H.
    Berliner; L. Kaufman; N. Tomašev and others, 2020)."""
    values = {row["letter"]: row["value"] for row in report("chess")["values"]}
    assert 300 <= values["B"]["value"] <= 350
    assert 450 <= values["R"]["value"] <= 563
    assert values["N"]["value"] < values["B"]["value"] < values["R"]["value"] < values["Q"]["value"]


@pytest.mark.parametrize("path", sorted(STUDIES.glob("*.json")), ids=lambda path: path.stem)
def test_page_has_its_figures_and_is_in_the_list(path):
    page = path.with_suffix(".md").read_text(encoding="utf-8")
    for name in ("score", "results", "legal", "material", "pieces"):
        assert f"({path.stem}-{name}.svg)" in page
        assert path.with_name(f"{path.stem}-{name}.svg").exists()
    listed = (STUDIES / "index.md").read_text(encoding="utf-8")
    assert f"]({path.stem}.md)" in listed and f"\n{path.stem}\n" in listed
    games = f"{json.loads(path.read_text())['games']:,}"
    assert f"| {games} |" in listed, "the list has the number of games"
