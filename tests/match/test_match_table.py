"""The live table of a match, its plain lines and its final report."""

import io

import pytest
from rich.console import Console
from surajang.match.records.model import MoveRecord, Termination
from surajang.match.results.sprt import Sprt
from surajang.match.results.standings import Standings
from surajang.match.results.summary import WIDTH, finished_line, report, running_score, sprt_line, summary
from surajang.match.results.table import MOST_BOARDS, MatchView
from surajang.tests.support.match_records import record, records

pytestmark = pytest.mark.pure

NAMES = ["Surajang", "fairy-stockfish"]


class Clock:
    """Time that passes only when a test advances it."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def plain_console():
    return Console(file=io.StringIO(), width=WIDTH)


def standings_of(games, names=NAMES, sprt=None):
    standings = Standings(names, sprt)
    for game in games:
        standings.add(game)
    return standings


def shown(view):
    """The current lines of the live table."""
    console = Console(file=io.StringIO(), width=WIDTH, color_system=None)
    console.print(view)
    return console.file.getvalue().splitlines()


def cells(lines, name):
    """The words of the row that begins with `name`, after the name."""
    return next(line for line in lines if line.startswith(name))[len(name) :].split()


def test_finished_game_has_a_line():
    game = record(11, 0, 1, 2, plies=89)
    line = "Finished game 12 (Surajang vs fairy-stockfish): 1-0 {White mates}, 45 moves"
    assert finished_line(game, NAMES) == line
    assert finished_line(game, NAMES, 200).startswith("Finished game 12 of 200 (")


def test_line_of_a_game_names_the_fault():
    game = record(0, 1, 0, 0, plies=1, termination=Termination.TIME, fault=1)
    assert finished_line(game, NAMES).endswith("0-1 {Black mates} [time forfeit], 1 move")


def test_report_has_the_statistics():
    games = records(100)
    games[7] = record(7, 1, 0, 0, termination=Termination.CRASH, fault=1)
    games[8] = record(8, 0, 1, 0, termination=Termination.TIME, fault=0)
    standings = standings_of(
        [*games, record(100, 0, 1, 0, termination=Termination.UNTERMINATED)], sprt=Sprt(0, 50)
    )
    text, tally = report(standings, "crazyhouse, 100 games", "Some CPU"), standings.total(0)
    lines = text.splitlines()
    losses, draws, wins = tally.games
    row = cells(lines, "Surajang")
    assert row[:5] == [str(tally.played), str(wins), str(draws), str(losses), f"{100 * tally.score:.1f}"]
    assert " ".join(row[5:8]) == str(tally.elo)
    assert row[8:] == [f"{100 * tally.superiority:.1f}", f"{100 * tally.draw_ratio:.1f}", "1"]
    for part in (
        f"Ptnml(0-2) {tally.pairs}, pair ratio {tally.pair_ratio:.2f}",
        f"Normalised Elo {tally.normalised_elo}",
        f"LLR {standings.llr:+.2f}",
        "in (-2.94, 2.94)",
        "Faults of Surajang: time forfeit 1",
        "Faults of fairy-stockfish: crash 1",
        f"as White +{standings.colours[0][0][2]} =",
    ):
        assert part in text
    assert lines[0] == "crazyhouse, 100 games" and lines[-1] == "Machine: Some CPU"


@pytest.mark.parametrize("engines", [2, 4])
def test_report_fits_a_terminal(engines):
    names = ["an engine with a very long name, as they have", "b" * 50, "c", "d"][:engines]
    text = report(standings_of(records(240, engines), names, None))
    assert max(map(len, text.splitlines())) <= WIDTH
    assert "…" not in text
    assert "as they have" in text.replace("\n", " ")


def test_report_of_several_engines_has_every_meeting():
    standings = standings_of(records(120, engines=4), ["a", "b", "c", "d"])
    lines = report(standings).splitlines()
    for a, b, tally in standings.meetings():
        names = standings.names
        assert cells(lines, f"{names[a]} - {names[b]} ")[:2] == [str(tally.played), str(tally.games[2])]
    ratings = [estimate.value for estimate in standings.ratings()]
    order = [
        line[0]
        for line in lines
        if line[:2] in ("a ", "b ", "c ", "d ") and "±" in line and "- " not in line[:4]
    ]
    assert order == sorted(standings.names, key=lambda name: -ratings[standings.names.index(name)])


def test_report_of_nothing_and_of_wins_only():
    assert "nan" not in report(standings_of([]))
    wins = [record(number, number % 2, 1 - number % 2, 2 - 2 * (number % 2)) for number in range(20)]
    text = report(standings_of(wins))
    assert "above +317" in text and "nan" not in text
    assert "Surajang won all games: at 95 %, Elo above +317" in text  # 0.05 ** (1 / 20) is a score of 0.861


def test_test_line_reports_the_verdict():
    standings = standings_of(records(20), sprt=Sprt(0, 5))
    assert sprt_line(standings).endswith("undecided")
    standings.decision = "H1"
    assert sprt_line(standings).endswith("H1 accepted")


def test_names_are_no_markup():
    standings = standings_of(records(4), ["[red]a[/red]", "[b]"])
    assert "[red]a[/red]: as White" in report(standings)
    console = plain_console()
    with MatchView(Standings(standings.names), 4, console=console) as view:
        view.finished(records(1)[0])
    assert "([red]a[/red] vs [b])" in console.file.getvalue()
    assert any(line.startswith("[red]a[/red] ") for line in shown(view))


def test_plain_lines_without_a_terminal():
    console, games = plain_console(), records(4)
    standings = Standings(NAMES, Sprt(0, 5))
    with MatchView(standings, 4, every=2, console=console) as view:
        for game in games:
            view.started(game.game)
            for ply in game.plies:
                view.moved(game.game, ply)
            assert view.finished(game)
        assert not view.finished(games[0])
    expected = []
    for count, game in enumerate(games, 1):
        after = standings_of(games[:count], sprt=Sprt(0, 5))
        expected += [finished_line(game, NAMES, 4), running_score(after, game.game)]
        expected += summary(after) if count % 2 == 0 else []
    assert console.file.getvalue().splitlines() == [*expected, finished_line(games[0], NAMES, 4)]


def test_running_score_is_that_of_the_two_who_played():
    games = [record(0, 0, 1, 2), record(1, 1, 0, 1), record(2, 2, 0, 0), record(3, 0, 1, 0)]
    standings = standings_of(games, ["a", "b", "c"])
    assert running_score(standings, games[1].game) == "Score of a vs b: 1 - 1 - 1 [0.500] 3"
    assert running_score(standings, games[2].game) == "Score of a vs c: 1 - 0 - 0 [1.000] 1"


def test_live_table_has_no_lines_for_games():
    console = Console(file=io.StringIO(), width=WIDTH, force_terminal=True, color_system=None)
    with MatchView(Standings(NAMES), 4, console=console) as view:
        view.finished(records(1)[0])
        view.say("a worker was lost")
    assert "Finished game" not in console.file.getvalue()
    assert "a worker was lost" in console.file.getvalue()
    assert "1 of 4 games" in console.file.getvalue()


def test_table_shows_results_pairs_and_the_test():
    standings = standings_of(records(40), sprt=Sprt(0, 50))
    lines = shown(MatchView(standings, 100, console=plain_console()))
    assert cells(lines, "Surajang")[0] == "40"
    assert any("Ptnml(0-2)" in line and "nElo" in line for line in lines)
    assert any(line.startswith("SPRT nElo [0.00, 50.00]") for line in lines)
    bar = next(line for line in lines if line.startswith("H0 -2.94 ├"))
    place = (standings.llr + 2.944) / 5.889
    assert bar.index("●") - bar.index("├") - 1 == pytest.approx(30 * place, abs=0.51)
    assert max(map(len, lines)) <= WIDTH


def test_rate_and_end_count_only_games_of_this_run():
    clock, standings = Clock(), standings_of(records(10))
    view = MatchView(standings, 40, console=plain_console(), clock=clock)
    assert "minute" not in "".join(shown(view))
    for game in records(20)[10:]:
        view.finished(game)
    clock.now = 120.0
    line = next(line for line in shown(view) if "games," in line)
    assert "20 of 40 games, 5 a minute, 0:04:00 to " in line


def test_running_games_have_boards():
    view, games = MatchView(Standings(NAMES), 10, console=plain_console()), records(4)
    for game in games[:3]:
        view.started(game.game)
    for ply in (MoveRecord("e4", 1.0, score=120), MoveRecord("e5", 1.0, mate=-4), MoveRecord("d4", 1.0)):
        view.moved(games[1].game, ply)
    # Engine 1, with White in game 2, said nothing of its second move.
    assert cells(shown(view), "2 ") == ["2", "fairy-stockfi…", "Surajang", "-M4", "2", "opening", "1"]
    view.finished(games[0])
    view.started(games[3].game)  # on the board that is free
    rows = [line.split()[:2] for line in shown(view) if line[:2] in ("1 ", "2 ", "3 ")]
    assert rows == [["1", "4"], ["2", "2"], ["3", "3"]]


def test_moves_before_the_game_are_nothing():
    view = MatchView(Standings(NAMES), 10, console=plain_console())
    view.moved(records(1)[0].game, MoveRecord("e4", 1.0))
    assert "board" not in "".join(shown(view))


def test_more_games_than_fit_are_counted():
    view = MatchView(Standings(NAMES), 100, console=plain_console())
    for game in records(MOST_BOARDS + 8):
        view.started(game.game)
    lines = shown(view)
    assert any(line.startswith("and 8 more") for line in lines)
    assert max(map(len, lines)) <= WIDTH
