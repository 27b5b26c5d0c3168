"""Suites of openings: attempts as text, the balance of results, and the names of suites."""

import math

import pytest
from surajang.bench.suites.openings.attempt import Attempt, Verdict
from surajang.bench.suites.openings.balance import balance_of
from surajang.engine.variant import Variant
from surajang.match.openings import opening_suites
from surajang.match.openings.opening_suites import find_openings, suites
from surajang.match.openings.openings import BookError

pytestmark = pytest.mark.pure


@pytest.mark.parametrize(
    "attempt, text",
    [
        (Attempt(Verdict.BALANCED, -12, ("e2e4", "N@f3")), "balanced -12 e2e4 N@f3"),
        (Attempt(Verdict.FAR, 150, ("e2e4",)), "far +150 e2e4"),
        (Attempt(Verdict.DECIDED, 0, ()), "decided +0"),
    ],
)
def test_attempt_comes_back_from_its_text(attempt, text):
    assert str(attempt) == text
    assert Attempt.parse(text) == attempt


@pytest.mark.parametrize("text", ["", "balanced", "fine +3 e2e4", "balanced x e2e4"])
def test_text_that_is_no_attempt_is_quoted(text):
    with pytest.raises(ValueError, match=r"is not an attempt like") as error:
        Attempt.parse(text)
    assert str(error.value).startswith(repr(text))


def test_error_of_the_balance_is_that_of_a_mean():
    """100 games of as many openings, 60 won and 40 lost: the standard error of a mean."""
    balance = balance_of([1] * 60 + [-1] * 40, 100)
    assert balance.counts == (40, 0, 60) and balance.score == 0.6
    assert balance.error == pytest.approx(1.959964 * math.sqrt(0.24 / 99))
    assert not balance.is_even
    assert str(balance) == "White scores 60.0 ± 9.7 % of 100 games: +60 =0 -40"


def test_games_of_one_opening_count_as_one_sample():
    """Ten rounds in which every opening has the same result are no more information than one round."""
    once = [1, -1, 1, 0, -1, 1, 1, -1]
    assert balance_of(once * 10, 8).error == pytest.approx(balance_of(once, 8).error)
    assert balance_of(once * 10, 8).score == balance_of(once, 8).score


def test_rounds_that_contradict_themselves_tell_nothing_of_openings():
    assert balance_of([1, -1, -1, 1], 2).score == 0.5
    assert math.isnan(balance_of([1, -1, -1, 1], 2).error)
    assert math.isnan(balance_of([1, -1, 1], 1).error)


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """A folder in which two games have suites."""
    monkeypatch.setattr(opening_suites, "FOLDER", tmp_path)
    monkeypatch.chdir(tmp_path)
    for name in ("minishogi", "crazyhouse"):
        (tmp_path / f"{name}.epd.gz").touch()
    return tmp_path


def test_suite_is_found_by_the_name_of_its_game(shipped):
    assert list(suites()) == ["crazyhouse", "minishogi"]
    assert find_openings("crazyhouse", Variant("minishogi")) == shipped / "crazyhouse.epd.gz"
    assert find_openings("zh", Variant("minishogi")) == shipped / "crazyhouse.epd.gz"
    assert find_openings("suite", Variant("minishogi")) == shipped / "minishogi.epd.gz"


def test_file_goes_before_a_name(shipped):
    (shipped / "crazyhouse").touch()
    assert find_openings("crazyhouse", Variant("crazyhouse")).name == "crazyhouse"


@pytest.mark.parametrize(
    "text, told",
    [
        ("crazyhose", "'crazyhose' is neither a file nor .*; did you mean 'crazyhouse'[?]"),
        ("suit", "did you mean 'suite'[?]"),
        ("/no/such.pgn", r"there is no file '/no/such.pgn'; .* a suite \(suites: crazyhouse, minishogi\)"),
        ("such.pgn", "there is no file 'such.pgn'"),
        ("suite", r"'chess' comes without a suite of openings \(suites: crazyhouse, minishogi\)"),
        (".", "'.' is a folder"),
    ],
)
def test_name_that_finds_nothing_is_quoted(shipped, text, told):
    with pytest.raises(BookError, match=told):
        find_openings(text, Variant("chess"))


def test_package_has_the_suites():
    text = (opening_suites.Path(opening_suites.__file__).parents[2] / "pyproject.toml").read_text()
    assert '"surajang.match.openings" = ["data/*.epd.gz"]' in text
