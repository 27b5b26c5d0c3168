"""Plots of matches: their content, and that every match has one."""

import math
import sys
from dataclasses import replace

import pytest
from surajang.match.odds import OddsPoint, fitted
from surajang.match.records.model import MoveRecord
from surajang.match.results.sprt import Sprt
from surajang.match.results.standings import Standings
from surajang.match.results.statistics import Tally, score_of_elo
from surajang.tests.support.match_records import record, records

pytestmark = [pytest.mark.pure, pytest.mark.slow]

NAMES = ["Surajang", "Rival"]
HEADS = {".png": b"\x89PNG", ".pdf": b"%PDF", ".svg": b"<?xml"}


@pytest.fixture(scope="module")
def plots():
    """The module of plots. Imports matplotlib, so not while tests are collected: every worker would."""
    pytest.importorskip("matplotlib")
    from surajang.match.results import plots

    return plots


@pytest.fixture
def sheet(monkeypatch, tmp_path):
    """A function that calls another one with a path and returns the axes of the Figure that it saved."""
    from matplotlib.figure import Figure

    saved = []
    monkeypatch.setattr(Figure, "savefig", lambda figure, path, **_: saved.append(figure))

    def draw(function, *arguments, **options):
        function(*arguments, tmp_path / "plot.png", **options)
        return saved[-1].axes

    return draw


@pytest.mark.slow
@pytest.mark.parametrize("suffix", HEADS)
def test_suffix_says_the_format(plots, tmp_path, suffix):
    path = tmp_path / f"match{suffix}"
    plots.plot_match(records(4), NAMES, path)
    assert path.read_bytes().startswith(HEADS[suffix])


def test_other_suffix_is_refused_before_anything_is_drawn(plots, tmp_path):
    for name in ("match.jpg", "match"):
        with pytest.raises(ValueError, match=rf"\.png, \.svg, \.pdf, not as '{name}'"):
            plots.plot_match(records(2), NAMES, tmp_path / name)
        with pytest.raises(ValueError, match=name):
            plots.check_plot(name)
    assert not list(tmp_path.iterdir())


def test_match_has_named_axes_with_units_and_legends(plots, sheet):
    elo, llr, scores, times = sheet(plots.plot_match, records(40), NAMES, sprt=Sprt(0, 5))
    assert (elo.get_xlabel(), elo.get_ylabel()) == ("games", "Elo over Rival")
    assert "LLR" in llr.get_ylabel() and "nElo [0.00, 5.00]" in llr.get_ylabel()
    assert "pawns" in scores.get_ylabel() and "seconds" in times.get_ylabel()
    assert "moves" in scores.get_xlabel() and "moves" in times.get_xlabel()
    for axes in (elo, llr, scores, times):
        assert axes.get_legend()


def test_elo_path_ends_at_the_elo_of_the_match(plots, sheet):
    games = records(60)
    standings = Standings(NAMES)
    for game in games:
        standings.add(game)
    elo = sheet(plots.plot_match, games, NAMES)[0]
    line, estimate = elo.get_lines()[0], standings.elo(0)
    assert line.get_xdata()[-1] == 60
    assert line.get_ydata()[-1] == pytest.approx(estimate.value)
    assert str(estimate) in line.get_label()
    band = elo.collections[0].get_paths()[0].vertices
    ends = sorted(y for x, y in band if x == 60)
    assert (ends[0], ends[-1]) == pytest.approx(
        (estimate.value - estimate.error, estimate.value + estimate.error)
    )
    low, high = elo.get_ylim()
    assert low < ends[0] and ends[-1] < high


def test_path_of_the_test_comes_with_its_bounds(plots, sheet):
    games, sprt = records(30), Sprt(0, 50)
    standings = Standings(NAMES, sprt)
    for game in games:
        standings.add(game)
    llr = sheet(plots.plot_match, games, NAMES, sprt=sprt)[1]
    path, upper, lower = llr.get_lines()[:3]
    assert path.get_ydata()[-1] == pytest.approx(standings.llr)
    assert (upper.get_ydata()[0], lower.get_ydata()[0]) == (sprt.upper, sprt.lower)
    assert llr.get_ylim()[0] < sprt.lower and sprt.upper < llr.get_ylim()[1]


def test_game_shows_each_engine_as_it_saw_itself(plots, sheet):
    game = record(3, 1, 0, 2)  # engine 1 has White and wins
    game.plies = [
        MoveRecord("e4", 1.0, score=50),
        MoveRecord("e5", 2.0, score=-30),
        MoveRecord("d4", 3.0, score=4000),
        MoveRecord("d5", 4.0, mate=-3),
    ]
    _, scores, times = sheet(plots.plot_match, [game], NAMES)
    white, black = (
        next(line for line in scores.get_lines() if line.get_label() == NAMES[engine]) for engine in (1, 0)
    )
    assert list(white.get_ydata()) == [0.5, plots.EDGE]
    assert list(black.get_ydata()) == [-0.3, -plots.EDGE]
    assert [list(line.get_ydata()) for line in times.get_lines()[:2]] == [[2.0, 4.0], [1.0, 3.0]]


def test_move_without_a_score_is_left_out(plots, sheet):
    game = record(0, 0, 1, 2, plies=6)
    game.plies[2] = replace(game.plies[2], score=None)
    line = sheet(plots.plot_match, [game], NAMES)[1].get_lines()[0]
    assert list(line.get_xdata()) == [1, 3]


def test_median_ends_where_hardly_a_game_continues(plots, sheet):
    games = [record(number, 0, 1, 1, plies=20) for number in range(30)]
    games[0] = record(0, 0, 1, 1, plies=80)
    scores = sheet(plots.plot_match, games, NAMES)[1]
    median = next(line for line in scores.get_lines() if "median" in line.get_label())
    assert median.get_xdata()[-1] == 10


def test_many_games_are_not_drawn_one_by_one(plots, sheet):
    few = sheet(plots.plot_match, records(plots.MOST_FAINT), NAMES)[1]
    many = sheet(plots.plot_match, records(plots.MOST_FAINT + 2), NAMES)[1]
    assert len(few.get_lines()) == 2 * plots.MOST_FAINT + 3
    assert len(many.get_lines()) == 3


def test_long_match_has_a_path_of_a_few_hundred_points(plots, sheet):
    games = [record(number, number % 2, 1 - number % 2, number % 3, plies=2) for number in range(3000)]
    line = sheet(plots.plot_match, games, NAMES)[0].get_lines()[0]
    assert 300 <= len(line.get_xdata()) <= plots.POINTS + 1
    assert line.get_xdata()[-1] == 3000


@pytest.mark.slow
@pytest.mark.parametrize("count", [0, 1, 2])
def test_shortest_matches_have_a_picture(plots, tmp_path, count):
    plots.plot_match(records(count), NAMES, tmp_path / "match.svg", Sprt(0, 5))
    assert (tmp_path / "match.svg").stat().st_size > 1000


def test_match_without_a_bound_says_so(plots, sheet):
    games = [record(number, number % 2, 1 - number % 2, 2 - 2 * (number % 2)) for number in range(6)]
    elo = sheet(plots.plot_match, games, NAMES)[0]
    assert "one side" in elo.texts[0].get_text()


def test_several_engines_have_a_path_each(plots, sheet):
    names = ["a", "b", "c"]
    elo = sheet(plots.plot_match, records(60, engines=3), names)[0]
    labels = [text.get_text() for text in elo.get_legend().get_texts()]
    assert [label.split(":")[0] for label in labels] == names
    assert "rating" in elo.get_ylabel()


def odds_points(*results):
    """Points of odds, each (odds, losses, draws, wins)."""
    return [OddsPoint(odds, Tally(list(games)), "1", f"{odds:g}") for odds, *games in results]


def odds_axes(sheet, points):
    """The axes of the panel of these points."""
    from surajang.match.odds_plot import odds_panel
    from surajang.match.results import plots

    panel = odds_panel(points, ("us", "them"), fitted(points))
    (axes,) = sheet(lambda path: plots.save_panels([panel], "odds", path))
    return axes


def test_line_of_odds_falls_by_each_doubling_and_crosses_zero_at_the_level(sheet):
    """The true line has 300 Elo at even time and loses 100 with each doubling, so the level is at 8."""
    points = []
    for odds in (1, 2, 16):
        wins = round(1e5 * score_of_elo(300 - 100 * math.log2(odds)))
        points += odds_points((odds, 100_000 - wins, 0, wins))
    axes = odds_axes(sheet, points)
    line = next(line for line in axes.get_lines() if "for each doubling" in line.get_label())
    assert list(line.get_xdata()) == [0, 4]
    assert list(line.get_ydata()) == pytest.approx([300, -100], abs=3)
    assert "level at 8 (" in " ".join(text.get_text() for text in axes.get_legend().get_texts())
    low, high = axes.patches[0].get_extents().transformed(axes.transData.inverted()).intervalx
    assert low < 3 < high < low + 0.1
    axes.figure.canvas.draw()
    ticks = {text.get_text(): text.get_position()[0] for text in axes.get_xticklabels()}
    assert ticks["1"] == 0 and ticks["8"] == 3
    assert "us" in axes.get_ylabel() and "them" in axes.get_xlabel()


def test_points_of_odds_have_their_elo_and_one_sided_ones_a_bound(sheet):
    points = odds_points((1, 0, 0, 20), (4, 8, 2, 10), (64, 20, 0, 0), (128, 0, 0, 0))
    axes = odds_axes(sheet, points)
    marks = {
        line.get_marker(): line.get_xydata()[0] for line in axes.get_lines() if len(line.get_xdata()) == 1
    }
    bound = points[0].tally.elo.bound
    assert tuple(marks["^"]) == (0, bound) and tuple(marks["v"]) == (6, -bound) and bound > 100
    assert tuple(marks["o"]) == (2, points[1].tally.elo.value)
    assert axes.get_xlim()[1] < 7


def test_line_reaches_a_level_beyond_the_odds_that_were_played(sheet):
    points = odds_points((1, 100, 0, 900), (4, 300, 0, 700))
    fit = fitted(points)
    assert fit.odds[0] > 4
    line = next(line for line in odds_axes(sheet, points).get_lines() if "doubling" in line.get_label())
    assert list(line.get_xdata()) == [0, fit.level] and line.get_ydata()[-1] == pytest.approx(0)


def test_odds_without_a_level_have_no_band(sheet):
    flat = odds_axes(sheet, odds_points((1, 10, 0, 10), (2, 11, 0, 9)))
    assert not flat.patches and any("doubling" in line.get_label() for line in flat.get_lines())
    single = odds_axes(sheet, odds_points((4, 10, 0, 10)))
    assert not single.patches and not any("doubling" in line.get_label() for line in single.get_lines())


def test_match_at_odds_begins_with_their_panel(plots, sheet):
    from surajang.match.odds_plot import odds_panel

    panel = odds_panel(odds_points((4, 10, 0, 10)), ("us", "them"), None)
    axes = sheet(plots.plot_match, records(10), NAMES, first=[panel])
    assert len(axes) == 4 and axes[0].get_ylabel() == "Elo of us" and "games" in axes[1].get_xlabel()


def test_absence_of_matplotlib_is_explained(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.delitem(sys.modules, "surajang.match.results.plots", raising=False)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        import surajang.match.results.plots  # noqa: F401
