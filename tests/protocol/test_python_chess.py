"""The engine driven by python-chess, an independent client, in both protocols. It checks the engine's output
with its own rules."""

import logging
import time

import chess
import chess.engine
import chess.variant
import pytest
from surajang.tests.support.gui import COMMAND, READY

pytestmark = pytest.mark.process

QUICK = chess.engine.Limit(nodes=2000, depth=4)
MOVES = 12  # half moves of a game
BOARDS = {"chess": chess.Board, "crazyhouse": chess.variant.CrazyhouseBoard}
SHORT_MATE = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR{} w KQkq - 4 4"  # h5f7


def started(protocol):
    popen = {"uci": chess.engine.SimpleEngine.popen_uci, "xboard": chess.engine.SimpleEngine.popen_xboard}
    return popen[protocol](COMMAND, timeout=READY)


@pytest.fixture(scope="module", params=["uci", "xboard"])
def engine(request):
    with started(request.param) as engine:
        engine.protocol_name = request.param
        yield engine


@pytest.fixture(scope="module")
def uci():
    with started("uci") as engine:
        yield engine


@pytest.fixture(scope="module")
def xboard():
    with started("xboard") as engine:
        yield engine


CONFIGURATIONS = {  # that bots come with, or that their users copy from those of Stockfish
    "lichess-bot": {
        **{"Move Overhead": 100, "Threads": 2, "Hash": 32},
        **{"SyzygyPath": "./syzygy/", "UCI_ShowWDL": True},
    },
    "tablebases": {
        **{"SyzygyPath": "/tables/345:/tables/6", "SyzygyProbeDepth": 1, "SyzygyProbeLimit": 6},
        **{"Syzygy50MoveRule": True},
    },
    "weak": {"UCI_LimitStrength": True, "UCI_Elo": 1500, "Skill Level": 10, "Hash": 16},
    "network": {"Use NNUE": True, "EvalFile": "", "UCI_AnalyseMode": False, "Debug Log File": ""},
}


@pytest.fixture(autouse=True)
def no_complaints(caplog):
    """python-chess logs unexpected output of an engine."""
    with caplog.at_level(logging.WARNING, "chess.engine"):
        yield
    said = [record.getMessage() for record in caplog.get_records("call") if record.name == "chess.engine"]
    assert [text for text in said if "sigterm" not in text] == []


@pytest.mark.parametrize("game", BOARDS)
def test_game_is_played(engine, game):
    board, identity = BOARDS[game](), object()
    for _ in range(MOVES):
        move = engine.play(board, QUICK, game=identity).move
        assert move in board.legal_moves
        board.push(move)


@pytest.mark.parametrize("game", BOARDS)
def test_game_is_played_in_the_other_sides_time_as_well(engine, game):
    """The other side alternates between the expected move and another one."""
    board, identity = BOARDS[game](), object()
    clock = chess.engine.Limit(white_clock=3.0, black_clock=3.0, white_inc=0.01, black_inc=0.01)
    for number in range(MOVES // 2):
        result = engine.play(board, clock, game=identity, ponder=True)
        assert result.move in board.legal_moves
        board.push(result.move)
        if board.is_game_over():
            break
        assert result.ponder in board.legal_moves
        others = [move for move in board.legal_moves if move != result.ponder]
        board.push(others[0] if number % 2 and others else result.ponder)
        time.sleep(0.05)


@pytest.mark.parametrize("game", BOARDS)
def test_mate_is_found(engine, game):
    board = BOARDS[game](SHORT_MATE.format("[]" if game == "crazyhouse" else ""))
    result = engine.play(board, chess.engine.Limit(depth=3), info=chess.engine.INFO_ALL)
    assert result.move == chess.Move.from_uci("h5f7")
    assert result.info["score"].white() == chess.engine.Mate(1)


@pytest.mark.parametrize("game", BOARDS)
def test_analysis_of_a_position(engine, game):
    board = BOARDS[game]()
    for move in ("e2e4", "e7e5", "g1f3"):
        board.push_uci(move)
    info = engine.analyse(board, chess.engine.Limit(depth=5))
    assert info["depth"] >= 5 and info["nodes"] > 100 and -200 < info["score"].white().score() < 300
    for move in info["pv"]:
        assert move in board.legal_moves
        board.push(move)


def test_endless_analysis_is_stopped(engine):
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 6:
                break
        analysis.stop()
    assert engine.play(chess.Board(), QUICK).move


@pytest.mark.parametrize("game", BOARDS)
def test_several_lines(uci, game):
    infos = uci.analyse(BOARDS[game](), chess.engine.Limit(depth=4), multipv=4)
    assert len({info["pv"][0] for info in infos}) == 4
    scores = [info["score"].relative for info in infos]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("game", BOARDS)
def test_analysis_of_chosen_moves(engine, game):
    chosen = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
    info = engine.analyse(BOARDS[game](), chess.engine.Limit(depth=4), root_moves=chosen, game=object())
    assert info["pv"][0] in chosen


def test_chosen_moves(uci):
    chosen = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
    assert uci.play(chess.Board(), QUICK, root_moves=chosen).move in chosen


def test_game_that_is_over_has_no_move(uci):
    board = chess.Board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    assert uci.play(board, QUICK).move is None


def test_options_are_understood(uci, xboard):
    assert set(BOARDS) < set(uci.options["UCI_Variant"].var)
    assert uci.options["Hash"].max >= 1024 and uci.options["Clear Hash"].type == "button"
    assert {"MultiPV", "UCI_Elo", "UCI_LimitStrength", "memory", "cores"} <= set(xboard.options)
    with pytest.raises(chess.engine.EngineError):
        uci.configure({"Hash": 0})


@pytest.mark.parametrize("game", BOARDS)
def test_options_are_set(engine, game):
    """In XBoard's protocol python-chess takes the first word of a name for all of it."""
    engine.configure(
        {
            "uci": {"Hash": 16, "Threads": 2, "Clear Hash": None, "Move Overhead": 50},
            "xboard": {"memory": 16, "cores": 2},
        }[engine.protocol_name]
    )
    engine.configure({"UCI_LimitStrength": True, "UCI_Elo": 1700})
    everything, limit = chess.engine.INFO_ALL, chess.engine.Limit(time=10)
    weak = engine.play(BOARDS[game](), limit, info=everything, game=object())
    assert weak.move and weak.info["nodes"] < 50_000
    engine.configure({"UCI_LimitStrength": False, "Threads" if "Threads" in engine.options else "cores": 1})
    strong = engine.play(BOARDS[game](), chess.engine.Limit(depth=9), info=everything, game=object())
    assert strong.info["depth"] == 9


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_configuration_of_a_bot_is_taken(name):
    """python-chess refuses to set an option that an engine does not announce."""
    with started("uci") as engine:
        engine.configure(CONFIGURATIONS[name])
        assert engine.play(chess.Board(), QUICK).move in chess.Board().legal_moves


def test_configuration_of_a_bot_is_taken_in_xboards_protocol():
    with started("xboard") as engine:
        engine.configure({"cores": 2, "memory": 64})
        assert engine.play(chess.Board(), QUICK).move in chess.Board().legal_moves


@pytest.mark.parametrize("protocol", ["uci", "xboard"])
def test_answer_to_quit_during_a_search_is_no_surprise(protocol):
    with started(protocol) as engine:
        engine.analysis(chess.Board(), chess.engine.Limit(time=600)).next()
        engine.quit()
