"""Analysis in CECP, and excluded moves: over a pipe, with ranks counted from 1."""

import re
import time

import pytest
from surajang.tests.support.gui import shared_engine

pytestmark = pytest.mark.process

THOUGHT = re.compile(r"(?P<depth>\d+) (?P<score>-?\d+) \d+ \d+ (?P<first>\S+).*")
MATE_IN_ONE = "7k/8/6K1/8/8/8/8/R7[] w - - 0 1"
ENDED = "7k/6Q1/6K1/8/8/8/8/8[] b - - 0 1"
FEW = "7k/8/8/8/8/8/r7/7K[] w - - 0 1"  # only h1g1


shared = shared_engine("crazyhouse")


@pytest.fixture
def gui(shared):
    shared.begin(
        "accepted analyze",
        "exit",
        "force",
        "new",
        "variant crazyhouse",
        "force",
        "post",
        "st 60",
        "level 40 5 0",
    )
    yield shared
    shared.ask("exit", "force")


def thoughts(gui, depth=4):
    """The reports from the last depth 1 up to that depth; fails on a move or an error among them."""
    found = []
    while not found or int(found[-1]["depth"]) < depth:
        line = gui.expect(".*")[-1]
        match = THOUGHT.fullmatch(line)
        assert match, line
        found = [match] if match["depth"] == "1" else [*found, match]
    return found


def quiet(gui):
    gui.ask()
    time.sleep(0.3)
    return gui.ask() == []


def test_analysis_continues_until_exit(gui):
    gui.send("analyze")
    thoughts(gui, 8)
    said = gui.ask("exit")
    assert all(THOUGHT.fullmatch(line) for line in said)
    assert quiet(gui)


def test_pings_are_answered_while_analysing(gui):
    gui.send("analyze")
    thoughts(gui)
    gui.ask()


@pytest.mark.parametrize(
    ("commands", "moves"),
    [
        (["usermove e2e4"], "[a-h][78].*"),
        (["usermove e2e4", "usermove e7e5", "undo"], "[a-h][78].*"),
        (["usermove e2e4", "undo"], "[a-h][12].*"),
        ([f"setboard {MATE_IN_ONE}"], "a1a8"),
        ([f"setboard {FEW}"], "h1g1"),
    ],
)
def test_analysis_follows_the_position(gui, commands, moves):
    gui.send("analyze")
    thoughts(gui)
    said = gui.ask(*commands)
    while not said or not re.fullmatch(moves, THOUGHT.fullmatch(said[-1])["first"]):
        said = gui.expect(THOUGHT.pattern)
    assert all(re.fullmatch(moves, THOUGHT.fullmatch(line)["first"]) for line in gui.ask())


def test_analysis_restarts_after_each_change(gui):
    gui.send("analyze")
    thoughts(gui)
    gui.send("usermove e2e4")
    first = None
    while first is None or first["depth"] != "1":
        first = THOUGHT.fullmatch(gui.expect(".*")[-1])
    assert first["first"][1] in "78"


def test_new_game_is_analysed_from_its_start(gui):
    gui.ask("usermove e2e4")
    gui.send("analyze")
    thoughts(gui)
    gui.ask("new", "variant crazyhouse")
    first = None
    while first is None or first["depth"] != "1":
        first = THOUGHT.fullmatch(gui.expect(".*")[-1])
    assert first["first"][1] in "12"


def test_position_without_moves_is_analysed_in_silence(gui):
    gui.ask("analyze", f"setboard {ENDED}")
    assert quiet(gui)
    gui.send(f"setboard {MATE_IN_ONE}")
    thoughts(gui, 2)


def test_status_is_reported_on_demand(gui):
    assert gui.ask(".") == []
    gui.send("analyze")
    thoughts(gui, 6)
    lines = [line for line in gui.ask(".") if not THOUGHT.fullmatch(line)]
    assert len(lines) == 1
    status = re.fullmatch(r"stat01: (\d+) (\d+) (\d+) 0 20 [a-h][12][a-h][34]", lines[0])
    assert int(status[2]) > 100 and int(status[3]) >= 6


def test_status_of_a_long_analysis_reports_how_many_moves_are_left(gui):
    gui.send("analyze")
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        time.sleep(0.2)
        lines = [line for line in gui.ask(".") if not THOUGHT.fullmatch(line)]
        status = re.fullmatch(r"stat01: (\d+) (\d+) (\d+) (\d+) 20 ([a-h][12][a-h][34])", lines[0])
        if int(status[4]):
            break
    assert 0 < int(status[4]) < 20


def test_positions_are_worth_what_the_user_says(gui):
    """White searches one ply: only e2e4 leads to the position that was scored as lost for Black."""
    gui.ask("sd 3", "usermove e2e4", "setscore -900 10", "undo", "post")
    gui.send("go")
    said = [THOUGHT.fullmatch(line) for line in gui.expect("move e2e4")[:-1]]
    assert said[-1]["depth"] == "3" and said[-1]["score"] == "900"
    gui.ask("force", "new", "variant crazyhouse", "force", "sd 3", "post")
    gui.send("go")
    said = [THOUGHT.fullmatch(line) for line in gui.expect("move .*")[:-1]]
    assert abs(int(said[-1]["score"])) < 300


def test_score_of_the_current_position_is_reported_up_to_its_depth(gui):
    gui.ask("setscore 777 3", "analyze")
    scores = {match["depth"]: int(match["score"]) for match in thoughts(gui, 4)}
    assert [scores[depth] == 777 for depth in "1234"] == [True, True, True, False]


@pytest.mark.parametrize("argument", ["", "3", "x 4", "3 x", "30 0", "30 2000", "999999 3", "1.5 3", "1 2 3"])
def test_scores_that_make_no_sense_are_refused(gui, argument):
    line = f"setscore {argument}".strip()
    assert [reply for reply in gui.ask(line) if reply.startswith("Error (") and reply.endswith(f": {line}")]


def test_move_now_and_results_are_no_matter_of_an_analysis(gui):
    gui.send("analyze")
    thoughts(gui)
    gui.ask(f"setboard {MATE_IN_ONE}")
    said = gui.ask("?", "usermove a1a8", "undo", "draw")
    assert all(THOUGHT.fullmatch(line) for line in said)


def test_engine_plays_on_after_an_analysis(gui):
    gui.send("analyze")
    thoughts(gui)
    gui.ask("exit", "sd 2")
    gui.send("go")
    gui.expect("move .*")


def test_several_lines_are_analysed(gui):
    gui.ask("option MultiPV=3")
    gui.send("analyze")
    found = thoughts(gui, 5)
    gui.ask("exit", "option MultiPV=1")
    depths = [thought["depth"] for thought in found]
    assert depths.count("4") == 3
    assert len({thought["first"] for thought in found if thought["depth"] == "4"}) == 3


# Moves left out


def firsts(gui, *commands):
    """The first moves that an analysis reports after the commands."""
    gui.ask(*commands)
    gui.send("analyze")
    found = {thought["first"] for thought in thoughts(gui, 4)}
    gui.ask("exit")
    return found


def test_excluded_move_is_not_searched(gui):
    assert "a1a8" in firsts(gui, f"setboard {MATE_IN_ONE}")
    assert "a1a8" not in firsts(gui, "exclude a1a8")
    assert "a1a8" in firsts(gui, "include a1a8")


def test_only_included_moves_are_searched(gui):
    assert firsts(gui, "exclude all", "include a2a3", "include h2h3") <= {"a2a3", "h2h3"}
    assert not firsts(gui, "include all") <= {"a2a3", "h2h3"}


def test_nothing_is_searched_when_everything_is_excluded(gui):
    gui.ask("exclude all", "analyze")
    assert quiet(gui)
    gui.send("include a2a3")
    assert {thought["first"] for thought in thoughts(gui, 3)} == {"a2a3"}


@pytest.mark.parametrize("change", ["usermove e2e4", "setboard " + MATE_IN_ONE, "new"])
def test_new_position_has_all_moves(gui, change):
    gui.ask("exclude all", "include a2a3", change, "variant crazyhouse" if change == "new" else "post")
    gui.ask("force")
    assert firsts(gui) != {"a2a3"} and quiet(gui)


def test_excluded_move_is_not_played(gui):
    gui.ask(f"setboard {MATE_IN_ONE}", "exclude a1a8", "sd 3")
    gui.send("go")
    assert gui.expect("move .*")[-1] != "move a1a8"


@pytest.mark.parametrize("text", ["", "e2e5", "nonsense", "none", "all all"])
def test_bad_move_is_not_excluded(gui, text):
    (line,) = gui.ask(f"exclude {text}".strip())
    assert re.fullmatch(rf"Error \([^()]+\): exclude ?{text}", line)


def test_there_is_no_book(gui):
    assert gui.ask("bk") == [" There is no opening book.", ""]


def test_hint_is_the_best_move_while_analysing(gui):
    gui.ask(f"setboard {FEW}")
    gui.send("analyze")
    thoughts(gui, 2)
    assert "Hint: h1g1" in gui.ask("hint")


def test_option_is_obeyed_while_analysing(gui):
    gui.send("analyze")
    thoughts(gui)
    gui.ask("option MultiPV=2")
    found = thoughts(gui, 5)
    gui.ask("exit", "option MultiPV=1")
    assert [thought["depth"] for thought in found].count("4") == 2


def test_hint_is_the_expected_reply(gui):
    assert gui.ask("hint") == []
    gui.ask("sd 4")
    gui.send("go")
    gui.expect("move .*")
    (hint,) = gui.ask("hint")
    assert gui.ask("force", f"usermove {hint.removeprefix('Hint: ')}") == []
