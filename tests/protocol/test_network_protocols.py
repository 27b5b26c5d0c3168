"""Networks in UCI and CECP, and code that is compiled for them once."""

import pytest
from surajang.engine.variant import Variant
from surajang.eval.network.file import random_network, save_network
from surajang.tests.support.compiling import run
from surajang.tests.support.gui import Gui, UciGui
from surajang.tests.support.uci import search

pytestmark = pytest.mark.process

GAME, HIDDEN = "minishogi", 16  # other neurons than those of its own network; other tests share the code
PLAY = """
from surajang import Engine, Position
engine = Engine("minishogi", 1, eval_file=sys.argv[1])
engine.compile()
result = engine.play(Position("minishogi"), depth=3)
tell(move=str(result.move), nodes=result.nodes, score=engine.evaluate(Position("minishogi")).centipawns)
"""


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    path = tmp_path_factory.mktemp("networks") / "random.network"
    save_network(path, random_network(Variant(GAME), HIDDEN, 1))
    return path


@pytest.fixture(scope="module")
def gui():
    gui = UciGui()
    gui.start(GAME)
    yield gui
    gui.close()


def told(gui, *lines):
    """The output before the next `readyok`, without lines about compiling."""
    return [line for line in gui.ask(*lines) if "compiling" not in line]


def nodes(gui):
    infos, _ = search(gui, "go depth 4")
    return infos[-1]["nodes"]


def test_network_is_switched_on_and_off_in_uci_and_the_position_stays(gui, network):
    gui.ask("position startpos moves c1c2")
    shipped = nodes(gui)
    assert told(gui, f"setoption name EvalFile value {network}") == [
        f"info string evaluation by the network {network} ({HIDDEN} hidden neurons)"
    ]
    by_network = nodes(gui)
    assert told(gui, "setoption name Use NNUE value false") == []
    plain = nodes(gui)
    assert len({shipped, by_network, plain}) == 3
    assert len(told(gui, "setoption name use nnue value true")) == 1
    assert nodes(gui) == by_network
    assert told(gui, "setoption name EvalFile value <empty>") == []
    assert nodes(gui) == shipped


def test_file_that_is_no_network_is_named_and_play_continues(gui, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not weights")
    (line,) = told(gui, f"setoption name EvalFile value {path}")
    assert line.startswith("info string") and str(path) in line
    assert "not a network file" in line and "hand-written evaluation" in line
    assert int(nodes(gui)) > 0
    told(gui, "setoption name EvalFile value <empty>")


def test_eval_draws_the_board_and_reports_what_is_in_use(gui, network):
    gui.ask("position startpos")
    told(gui, "setoption name Use NNUE value false")
    lines = told(gui, "eval")
    assert lines[-1] == "In use: the hand-written evaluation"
    assert sum(line.count("|") for line in lines) == 10 * 6
    told(gui, "setoption name Use NNUE value true", f"setoption name EvalFile value {network}")
    lines = told(gui, "eval")
    assert lines[-1] == f"In use: {network} ({HIDDEN} hidden neurons)"
    assert any(line.startswith("Network") for line in lines)
    told(gui, "setoption name EvalFile value <empty>")


def test_xboard_chooses_a_network(network):
    gui = Gui()
    gui.start()
    lines = gui.ask(f"option EvalFile={network}", "new", f"variant {GAME}", "force")
    assert f"# evaluation by the network {network} ({HIDDEN} hidden neurons)" in lines
    lines = gui.ask("usermove c1c2", "option Use NNUE=0", "usermove c5c4")
    assert not [line for line in lines if "Error" in line or "Illegal" in line]
    gui.close()


@pytest.fixture(scope="module")
def helped(tmp_path_factory):
    """The folder of compiled code and the networks of a game that two processes have compiled, and the report
    of the first one."""
    folder = tmp_path_factory.mktemp("helped")
    paths = [folder / f"{seed}.network" for seed in (1, 2)]
    for seed, path in enumerate(paths):
        save_network(path, random_network(Variant(GAME), HIDDEN, seed))
    return folder / "cache", paths, run(PLAY, folder / "cache", paths[0], SURAJANG_COMPILERS="2")


def test_helpers_compile_for_a_network_and_a_later_process_uses_their_results(helped):
    cache, (path, _), cold = helped
    alone = run(PLAY, cache, path)
    assert cold["compiled"] and not alone["compiled"]
    assert {**cold, "compiled": []} == alone


def test_second_process_compiles_nothing_for_a_network_of_the_same_shape(helped):
    cache, (_, path), cold = helped
    other = run(PLAY, cache, path)
    assert not other["compiled"]
    assert other["score"] != cold["score"]
