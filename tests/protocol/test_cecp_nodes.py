"""Time counted in nodes, for match runners in CECP: `nps N` and `st S` are N * S nodes per move."""

import time

import pytest
from surajang import Position
from surajang.protocol.cecp.notation import Notation
from surajang.protocol.session.clock import ClockSettings
from surajang.protocol.session.game import BLACK
from surajang.protocol.session.session import Session
from surajang.search.engine import Engine
from surajang.tests.support.gui import READY, Gui

pytestmark = pytest.mark.process

VARIANT = "crazyhouse"
SICILIAN = ("e2e4", "c7c5")
BUSY = "r1bqk2r/ppp2ppp/2n2n2/3pp3/1bB1P3/2NP1N2/PPP2PPP/R1BQK2R[Pp] w KQkq - 0 6"


@pytest.fixture(scope="module")
def shared():
    gui = Gui()
    gui.start(VARIANT)
    yield gui
    gui.close()


@pytest.fixture
def gui(shared):
    shared.ask("force", "new", f"variant {VARIANT}", "force", "post", "level 40 5 0", within=READY)
    return shared


def search(gui, *lines):
    """(move, nodes of the last report) of a search after those lines."""
    gui.send(*lines, "go")
    *reports, move = [line for line in gui.expect("move .*") if line[0] != "#"]
    return move.removeprefix("move "), int(reports[-1].split()[3])


def engine_move(nodes, fen=None, moves=()):
    """The engine's own move with that many nodes."""
    engine = Engine(VARIANT)
    position = Position(VARIANT, fen)
    for move in moves:
        position.push(move)
    result = engine.play(position, nodes=nodes)
    engine.close()
    return str(result.move), result.nodes


@pytest.mark.parametrize(
    ("rate", "seconds", "nodes"), [(1000, 1, 1000), (500, 4, 2000), (30_000, "0.1", 3000)]
)
def test_time_of_a_move_is_nodes(gui, rate, seconds, nodes):
    move, reported = search(gui, f"setboard {BUSY}", f"nps {rate}", f"st {seconds}")
    assert move == engine_move(nodes, BUSY)[0] and reported <= nodes


def test_order_of_the_commands_is_no_matter(gui):
    found = set()
    for lines in (("st 1", "nps 900"), ("nps 900", "st 1")):
        gui.ask("new", f"variant {VARIANT}", "force")
        found.add(search(gui, f"setboard {BUSY}", *lines))
    assert len(found) == 1


def test_depth_limits_beside_nodes(gui):
    *_, nodes = search(gui, f"setboard {BUSY}", "nps 1000000", "st 60", "sd 2")
    assert nodes < 100_000


def test_fewer_nodes_than_an_iteration_still_give_a_move(gui):
    gui.send(f"setboard {BUSY}", "nps 1", "st 1", "go")
    assert gui.expect("move .*")[-1] == f"move {engine_move(1, BUSY)[0]}"


def test_two_games_at_fixed_nodes_are_the_same(gui):
    def game():
        gui.ask("new", f"variant {VARIANT}", "force", "st 1", "nps 700", "post")
        position, notation = Position(VARIANT), Notation(Position(VARIANT).description)
        found = []
        while position.result() is None and position.ply < 24:
            found.append(search(gui))
            position.push(notation.read_move(found[-1][0]))
            gui.ask("force")
        return found

    assert game() == game()


def test_game_that_went_before_is_forgotten(gui):
    search(gui, f"setboard {BUSY}", "nps 20000", "st 1")
    gui.ask("new", f"variant {VARIANT}", "force")
    move = search(gui, *(f"usermove {move}" for move in SICILIAN), "nps 3000", "st 1")[0]
    assert move == engine_move(3000, moves=SICILIAN)[0]


def test_new_game_counts_seconds_again(gui):
    gui.ask("nps 1", "new", f"variant {VARIANT}", "force")
    *_, nodes = search(gui, "sd 4", "st 60")
    assert nodes > 100


def test_minus_one_counts_seconds_again(gui):
    *_, nodes = search(gui, "nps 1", "nps -1", "sd 4", "st 60")
    assert nodes > 100


def test_rate_of_zero_means_seconds(gui):
    *_, nodes = search(gui, "nps 0", "sd 4", "st 60")
    assert nodes > 100


@pytest.mark.parametrize("text", ["", "-2", "x", "1.5", "1 2", "1000000000000"])
def test_bad_rate_gets_an_error(gui, text):
    (line,) = gui.ask(f"nps {text}".strip())
    assert line.startswith("Error (") and line.endswith(f"nps {text}".strip())


# The clock


@pytest.fixture(scope="module")
def session():
    session = Session(lambda event: None)
    session.search_control.engine, session.game.variant = Engine(VARIANT), VARIANT
    session.game.position, session.game.engine_side = Position(VARIANT), BLACK
    return session


@pytest.mark.parametrize(
    ("control", "clock", "least", "most"),
    [
        (ClockSettings(0, 60.0, node_rate=1000), 60.0, 900, 3000),
        (ClockSettings(0, 60.0, 5.0, node_rate=1000), 60.0, 5000, 7000),
        (ClockSettings(1, 60.0, node_rate=1000), 2.0, 1500, 2000),
        (ClockSettings(0, 60.0, node_rate=1000), 0.0, 1, 1),
    ],
)
def test_share_of_the_clock_is_nodes(session, control, clock, least, most):
    session.clock.control, session.clock.remaining = control, clock
    assert least <= session.clock.limit(session.position).nodes <= most


def test_clock_runs_by_nodes(session):
    session.clock.control, session.clock.remaining = ClockSettings(0, 10.0, node_rate=1000), 10.0
    session._begin(Position(VARIANT, BUSY))
    session.search_control.think()
    session.search._thread.join()
    nodes = session.search.result.nodes
    time.sleep(0.05)
    session.search_control.finish()
    assert session.clock.remaining == pytest.approx(10.0 - nodes / 1000)


def test_nodes_of_a_move_are_those_of_all_threads(session):
    session.clock.control = ClockSettings(per_move=2.0, node_rate=1000)
    session.set_threads(4)
    session._begin(Position(VARIANT, BUSY))
    session.search_control.think()
    session.search._thread.join()
    assert session.search.result.nodes == 2000
    session.search_control.finish()
    session.set_threads(1)
