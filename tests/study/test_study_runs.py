"""Studies of tiny games: unplayable games still get a report, and runs can be resumed."""

import json
import pkgutil
import shutil

import chess
import pytest
import surajang
from click.testing import CliRunner
from surajang.engine.definition import catalogue
from surajang.engine.variant import CHESS, Variant
from surajang.learn.self_play.games_file import Header
from surajang.match.workers.options import workers
from surajang.study.games.journal import heading
from surajang.study.games.plan import StudyPlan
from surajang.study.games.playing import StudyPart
from surajang.study.games.recording import record_moves
from surajang.study.games.start_openings import StartOpenings
from surajang.study.run_study import StudyRun
from surajang.study.study_command import main

pytestmark = pytest.mark.compiled


def record(variant, *moves, fen=None):
    return record_moves(surajang.Position(variant, fen), moves)


def test_moves_are_recorded_with_what_they_are():
    game = record("chess", "e2e4", "d7d5", "e4d5", "d8d5", "f1b5", "d5b5")
    assert game.kinds == ("2", "2", "x", "x", "+", "x")
    assert game.pieces == ("P", "P", "P", "Q", "B", "Q")
    assert game.taken == ("", "", "P", "P", "", "B")
    assert game.line[:3] == ("e4", "d5", "exd5")
    assert game.legal[0] == 20 and game.result == "*"
    assert game.white[-1] < game.black[-1] < game.white[0] + 1


def test_special_moves_are_recorded():
    game = record("chess", "e1g1", "e8c8", fen="r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1")
    assert game.kinds == ("O", "O")
    game = record("chess", "e5d6", fen="4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
    assert game.kinds == ("xe",) and game.taken == ("P",)
    game = record("chess", "a7a8q", fen="4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    assert game.kinds == ("+=",)
    game = record("crazyhouse", "P@e4", fen="4k3/8/8/8/8/8/8/4K3[P] w - - 0 1")
    assert game.kinds == ("@",) and game.pieces == ("P",)


def test_capture_of_an_own_piece_takes_nothing_of_the_enemy():
    game = record("selfcapture", "b1d2", "e7e5", "d2e4")
    assert game.kinds == ("o", "2", "") and game.taken == ("", "", "")
    assert game.white[0] < game.black[0] and game.line[0] == "Nxd2"


def test_moves_by_rules_of_few_games_are_recorded():
    game = record("chaotic", "f3f5")
    assert game.kinds == ("b",) and game.boards[-1][61] == "p", "the pawn on f6 is pushed to f8"
    between = "k1armp2/na1mR3/pp1p2pp/2rn1P2/2p3N1/1PPp1MPP/3RNRA1/P1PM1A1K b - - 1 8"
    game = record("chaotic", "e8f7", fen=between)
    assert game.kinds == ("xm",) and game.taken == ("R",)
    assert record("seirawan", "b1c3e").kinds == ("g",)
    assert record("andernach", "e2e4", "d7d5", "e4d5").kinds == ("2", "2", "xc")
    assert record("pandemonium-vchess", "e1e10", "b10c10").kinds == ("s", "sw"), (
        "the first choice swaps nothing"
    )


def test_moves_with_walls_are_recorded(interpreted):
    game = record("duck", "e2e4,e4e6", "d7d5,d5d6", "e4d5,d5e6")
    assert game.kinds == ("2", "2", "x") and game.taken == ("", "", "P")
    assert game.line == ("e4,e6", "d5,d6", "exd5,e6")
    assert game.legal[0] == 640, "20 moves, each with 32 walls"


def test_leaps_of_first_moves_are_recorded_for_both_sides(interpreted):
    moves = ("e3e4", "d6d5", "e1e3", "d8d6", "d1b2", "e8g7", "b2c2", "d6c5")
    game = record("cambodian", *moves)
    assert game.kinds == ("", "", "f", "f", "f", "f", "", ""), "later steps are usual ones"


def test_mobility_counts_the_moves_of_the_side_to_move_and_its_pieces():
    moves = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "b1c3", "g8f6", "d2d3")
    game = record("chess", *moves)
    letters = [piece.letter for piece in CHESS.description.pieces]
    counts = dict(zip(letters, zip(game.mobility, game.movable, strict=True), strict=True))
    board = chess.Board()
    for move in moves[:8]:
        board.push_uci(move)
    for letter, (mobility, movable) in counts.items():
        kind = chess.PIECE_SYMBOLS.index(letter.lower())
        assert movable == len(board.pieces(kind, chess.WHITE))
        assert mobility == sum(board.piece_type_at(m.from_square) == kind for m in board.legal_moves)


def test_mate_is_recorded_without_colours():
    game = record("chess", "f2f3", "e7e5", "g2g4", "d8h4")
    assert (game.result, game.reason, game.mated) == ("0-1", "The winner mates", 4)


# Games that cannot be played well: chess, which is compiled already, from other starts

OVER, ONE_LINE, WON, THREE_MOVES, TWO_ROOKS = (
    f'extends = "chess"\nname = "{name}"\ntitle = "Chess from {name}"\nstart = "{start}"\n'
    for name, start in (
        ("over", "7k/8/8/8/8/1q6/8/K7 w - - 0 1"),
        ("oneline", "7k/8/8/8/8/8/q7/K7 w - - 0 1"),
        ("won", "k7/8/1K6/8/8/8/8/2R5 w - - 0 1"),
        ("three", "8/8/6k1/R7/1R6/8/8/7K w - - 0 1"),
        ("rooks", "8/6k1/8/8/8/8/R7/1R5K w - - 0 1"),
    )
)


@pytest.fixture
def studied(tmp_path):
    """A function that studies the game of a TOML text; (figures, report in Markdown)."""

    def study(text):
        found = surajang.study.run(catalogue.keep_text(text), out=tmp_path, games=5, strengths=(20, 50))
        return found, (tmp_path / "report.md").read_text(encoding="utf-8")

    return study


def test_game_without_a_first_move_is_reported_as_over(studied):
    study, report = studied(OVER)
    assert study.notes == ("The game is over before the first move: Stalemate (1/2-1/2).",)
    assert study.notes[0] in report
    assert study.games == 2 and study.character is None


def test_game_with_one_legal_line_is_played_once_at_each_strength(studied):
    study, report = studied(ONE_LINE)
    assert study.source.start_openings == 1 and study.games == 2
    assert "all games from the start are the same game" in report
    assert [row.draws for row in study.balance.rows] == [1, 1]


def test_game_that_the_first_player_wins_at_once_is_said_to_be_decided(studied):
    study, report = studied(WON)
    assert "White won every game, the longest in 1 ply. The game is probably decided at the start." in report
    assert [row.moves for row in study.openings.first] == [("Rc8#",)]


def test_game_that_white_wins_by_force_in_three_moves_is_said_to_be_decided(studied):
    study, report = studied(THREE_MOVES)
    assert "A search of the start finds that White mates by force in 3 moves." in report
    assert sum(row.games for row in study.balance.rows) == 10


def test_game_without_an_end_is_stopped_at_the_limit_of_plies(tmp_path):
    studying = StudyRun(StudyPlan(CHESS, 3, (20,), most_plies=12), tmp_path)
    openings = studying.openings(lambda done, total, what: None)
    with workers(None, 1) as pool:
        games = studying.play(openings, pool, lambda done, total, what: None)
    study = studying.figures(games, openings)
    assert {game.plies for played in games.values() for game in played if game.result == "*"} == {12}
    assert any("no result after 12 plies" in note for note in study.notes)


def clock_of(seconds):
    """A clock that each look moves on by so many seconds; (function, list of its times)."""
    times = [0.0]

    def now():
        times.append(times[-1] + seconds)
        return times[-1]

    return now, times


@pytest.mark.parametrize("step", [0.5, 10])
def test_study_ends_within_its_hours(tmp_path, step):
    """Whatever a unit of work costs, no part begins one after its time; each one that runs ends."""
    now, times = clock_of(step)
    studying = StudyRun(StudyPlan(CHESS, 60, (20, 30)), tmp_path, 100, now=now)
    studying.compile()
    openings = studying.openings(lambda done, total, what: None)
    with workers(None, 1) as pool:
        games = studying.play(openings, pool, lambda done, total, what: None)
    study = studying.figures(games, openings)
    assert times[-1] <= 100 + 3 * len(StudyPart) * step, "a few looks at the clock beyond the end of a part"
    assert 1 <= study.source.start_openings < 60
    assert study.games < 180 and study.source.seed == 1


@pytest.mark.parametrize(
    ("late", "begun"),
    [
        ("surajang.study.games.playing.PlayStudyGames.__call__", 5),
        ("surajang.study.games.probing._probe", 1),
        ("surajang.study.games.opening_search._analysed", 1),
        ("surajang.study.games.handicaps._points", 1),
    ],
)
def test_nothing_begins_after_the_time_but_the_report(tmp_path, monkeypatch, late, begun):
    """A unit of work that runs when the time is over ends, and no game or search begins after it."""
    hours, times = {"now": 0.0}, {"units": 0, "searches": 0}
    name, _, attribute = late.rpartition(".")
    target = pkgutil.resolve_name(name.replace(".PlayStudyGames", ":PlayStudyGames"))
    work = getattr(target, attribute)

    def overrun(*arguments, **named):
        times["units"] += 1
        done = work(*arguments, **named)
        if times["units"] == begun:
            hours["now"] = 1000.0
            monkeypatch.setattr(surajang.Engine, "analyse", refused)
            monkeypatch.setattr(surajang.Engine, "play", refused)
        return done

    def refused(*arguments, **named):
        raise AssertionError("a search after the end of the time")

    monkeypatch.setattr(target, attribute, overrun)
    plan = StudyPlan(Variant(catalogue.keep_text(TWO_ROOKS)), 10, (20, 600))
    studying = StudyRun(plan, tmp_path, 100, now=lambda: hours["now"])
    studying.compile()
    openings = studying.openings(lambda done, total, what: None)
    with workers(None, 1) as pool:
        games = studying.play(openings, pool, lambda done, total, what: None)
    study = studying.figures(games, openings)
    assert times["units"] == begun, "none more after the end of the time"
    assert hours["now"] == 1000 and study.games >= 5


def test_games_of_a_file_are_resumed_by_name_and_by_path():
    """The command knows the game by its name, a program by the path of its file."""
    path = Variant(catalogue.keep_text(OVER))
    plan = StudyPlan(path, 3, (20,))
    series = plan.series[0]
    found = heading(series, Header.of(path, plan.settings_of(series)))
    assert found.startswith("over (rules ")


# Openings and the command


def test_no_two_games_begin_alike_and_more_games_begin_like_fewer():
    drawn = StartOpenings("chess", 1).draw(12)
    assert len({*drawn}) == 12
    assert StartOpenings("chess", 1).draw(5) == drawn[:5]
    assert StartOpenings("chess", 2).draw(5) != drawn[:5]


def study_chess(folder, *more):
    arguments = ["chess", "--games", "3", "--strengths", "20", "--out", str(folder), *more]
    return CliRunner().invoke(main, arguments)


def test_killed_study_is_resumed_to_the_same_report(tmp_path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert study_chess(whole).exit_code == 0
    assert study_chess(killed).exit_code == 0
    report = (whole / "report.json").read_bytes()
    assert (killed / "report.json").read_bytes() == report, "same seed, same report"
    journal = killed / "start-20.games"
    journal.write_bytes(journal.read_bytes()[:-200])  # in the middle of the last game
    done = study_chess(killed, "--resume")
    assert done.exit_code == 0 and "report.html" in done.output
    assert (killed / "report.json").read_bytes() == report
    assert journal.read_bytes() == (whole / "start-20.games").read_bytes()
    assert json.loads(report)["games"] == 3 + 3

    done = study_chess(killed)
    assert done.exit_code == 2 and "has games of a study already" in done.output
    done = study_chess(killed, "--resume", "--seed", "2")
    assert done.exit_code == 2 and "seed 1" in done.output and "seed 2" in done.output
    done = study_chess(tmp_path / "kiled", "--resume")
    assert done.exit_code == 2 and "kiled has no games of a study" in done.output.replace("\n", "")
    assert not (tmp_path / "kiled").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ches"], "unknown variant 'ches'; did you mean 'chess'?"),
        (["nothere.toml"], "there is no file 'nothere.toml'"),
        (["chess", "--strengths", "many"], "'many' should be nodes a move"),
        (["chess", "--games", "0"], "0 is not in the range"),
        (["chess", "crazyhouse", "chess"], "'chess' is named twice"),
    ],
)
def test_bad_words_are_quoted(arguments, said):
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 2
    assert said in " ".join(done.output.replace("│", " ").split())


def test_several_games_are_compared_by_the_same_evaluation(tmp_path):
    """Chess has a network, its variant here has none: the hand-written evaluation plays both."""
    won = catalogue.keep_text(WON)
    out = tmp_path / "both"
    done = CliRunner().invoke(
        main, ["chess", str(won), "--games", "3", "--strengths", "20", "--out", str(out)]
    )
    assert done.exit_code == 0 and "comparison.html" in done.output
    text = (out / "comparison.md").read_text(encoding="utf-8")
    assert "# Chess, Chess from won: a comparison" in text
    assert "by the hand-written evaluation; figures" in text
    assert json.loads((out / "won" / "report.json").read_bytes())["games"]
    few = {"games": 3, "strengths": (20,)}
    found = surajang.study.compare(["chess", won], out=tmp_path / "again", **few)
    assert found.titles == ("Chess", "Chess from won")
    assert (tmp_path / "again" / "comparison.json").read_bytes() == (out / "comparison.json").read_bytes()
    with pytest.raises(surajang.study.StudyError, match="chess, chess: two or more"):
        surajang.study.compare(["chess", "chess"])

    again = tmp_path / "again"
    (again / "comparison.json").unlink()
    shutil.rmtree(again / "won")  # as if its study had not begun
    surajang.study.compare(["chess", won], out=again, resume=True, **few)
    assert (again / "comparison.json").read_bytes() == (out / "comparison.json").read_bytes()
    with pytest.raises(surajang.study.StudyError, match="nothing has no games of a study"):
        surajang.study.compare(["chess", won], out=tmp_path / "nothing", resume=True, **few)
    with pytest.raises(surajang.study.StudyError, match="nothing has no games of a study"):
        surajang.study.run("chess", out=tmp_path / "nothing", resume=True, **few)


@pytest.mark.parametrize(
    "make, told",
    [
        (lambda: surajang.study.run("chess", games="5"), "games '5' should be a whole number"),
        (lambda: surajang.study.run("chess", games=0), "games 0 is not in the range x>=1"),
        (lambda: surajang.study.run("chess", hours=float("nan")), "hours nan is not a number"),
        (lambda: surajang.study.run("chess", strengths=5), "strengths 5 should be a list of nodes"),
        (lambda: surajang.study.run("chess", strengths="100,200"), "strengths '100,200' should be a list"),
        (lambda: surajang.study.run("chess", strengths=["5"]), "strength '5' should be a whole number"),
        (lambda: surajang.study.compare("chess"), "games should be a list of names .*, not the text 'chess'"),
        (lambda: surajang.study.compare([]), "no game: two or more different games"),
        (lambda: surajang.study.make_puzzles("chess", count=-1), "count -1 is not in the range x>=1"),
    ],
)
def test_wrong_arguments_are_quoted(make, told):
    with pytest.raises((TypeError, ValueError), match=f"^{told}"):
        make()
