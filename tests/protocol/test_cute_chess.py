"""The engine in Cute Chess: chess and crazyhouse in both protocols, with that program's commands."""

import re

import chess
import pytest
from surajang.tests.support.cutechess import PLAYERS

pytestmark = pytest.mark.gui

OPTIONS = {
    "uci": {"Hash": 32, "Threads": 1, "MultiPV": 1, "UCI_LimitStrength": False, "UCI_Elo": 2000},
    "xboard": {"memory": 32, "cores": 1, "MultiPV": 1, "UCI_LimitStrength": False, "UCI_Elo": 2000},
}
OPTIONS["uci"] |= {"Move Overhead": 30, "VariantPath": "<empty>", "Debug Log File": "<empty>"}
OPTIONS["xboard"] |= {"Move Overhead": 30, "VariantPath": "", "Resign": False, "Setup phase": False}
BOOK = {
    "standard": [
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    ],
    "crazyhouse": [
        "rnbqkbnr/pppp1ppp/8/8/3pP3/8/PPP2PPP/RNBQKBNR[p] w KQkq - 0 3",
        "rnb1kbnr/ppp1pppp/8/8/8/8/PPPP1PPP/RNBQK1Q~R[BPqp] b KQkq - 0 5",
        "rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR[] b KQkq - 1 1",
    ],
}
SHORT_MATE = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR{} w KQkq - 4 4"  # h5f7


UNDERSTOOD = {
    "uci": re.compile(r"(info (depth|string variant)|bestmove|readyok|option|id|uciok)\b.*"),
    "xboard": re.compile(r"(feature|move|pong) .*|(1-0|0-1) \{.*\}|\d+ -?\d+ \d+ \d+( \S+)+|Hint: \S+"),
}
SHOWN = {
    "uci": re.compile(r"\S+ name .+ type (button|check default (true|false)|string default .*)"),
    "xboard": re.compile(r".+ -(button|check [01]|(file|path|string) .*|combo (.+ /// )*\*.+)"),
}
SPIN = {
    "uci": re.compile(r"\S+ name .+ type spin default (\d+) min (\d+) max (\d+)"),
    "xboard": re.compile(r".+ -spin (\d+) (\d+) (\d+)"),
}


@pytest.fixture(scope="module", params=BOOK)
def variant(request):
    return request.param


@pytest.fixture(scope="module", params=PLAYERS)
def process(request, variant):
    """One process for all games of a variant, as in a tournament."""
    player = PLAYERS[request.param]()
    player.start(OPTIONS[request.param])
    player.protocol = request.param
    yield player
    player.gui.close()


@pytest.fixture
def player(process):
    """The engine, whose output must be understood or skipped by Cute Chess."""
    if process.gui.process.poll() is not None:
        pytest.fail("an earlier test has ended the engine")
    yield process
    assert [line for line in process.answers if not UNDERSTOOD[process.protocol].fullmatch(line)] == []


@pytest.mark.parametrize("side", [chess.WHITE, chess.BLACK])
def test_game_is_played(player, variant, side):
    player.begin(variant, side)
    player.play(6)
    player.finish("1/2-1/2")


@pytest.mark.parametrize("side", [chess.WHITE, chess.BLACK])
def test_games_begin_from_a_book(player, variant, side):
    for fen in BOOK[variant]:
        player.begin(variant, side, fen)
        player.play(2)
        player.finish("*")


def test_engine_thinks_in_its_opponents_time(player, variant):
    """The opponent's moves are the expected ones, or others."""
    player.pondering = True
    try:
        player.begin(variant, chess.WHITE)
        player.think()
        for number in range(4):
            guess = player.expected
            others = [move for move in player.board.legal_moves if move != guess]
            player.make(others[0] if guess is None or number % 2 else guess)
            player.think()
        player.finish("0-1")
    finally:
        player.pondering = False


def test_mate_ends_the_game(player, variant):
    """The engine's own claim follows its move, and the next game begins all the same."""
    player.begin(variant, chess.WHITE, SHORT_MATE.format("[]" if variant == "crazyhouse" else ""))
    player.think()
    assert player.board.is_checkmate()
    player.finish("1-0")
    player.begin(variant, chess.WHITE)
    player.think()
    player.finish("*")


def test_opponents_mate_ends_the_game(player, variant):
    player.begin(variant, chess.BLACK, SHORT_MATE.format("[]" if variant == "crazyhouse" else ""))
    player.make(chess.Move.from_uci("h5f7"))
    player.finish("1-0")
    player.begin(variant, chess.BLACK)
    player.play(1)
    player.finish("*")


def test_game_that_is_ended_while_the_engine_thinks(player, variant):
    player.begin(variant, chess.WHITE)
    player.play(1)
    player.make(next(iter(player.board.legal_moves)))
    player.ask()
    player.finish("0-1", thinking=True)
    player.begin(variant, chess.BLACK)
    player.play(1)
    player.finish("*")


@pytest.mark.parametrize("name", PLAYERS)
def test_quit_is_obeyed_at_once_while_the_engine_thinks(name):
    quitter = PLAYERS[name]()
    quitter.start({})
    quitter.begin("crazyhouse", chess.WHITE)
    quitter.ask()
    assert quitter.quit() == 0


def test_options_are_such_as_cute_chess_can_show(process):
    protocol, others = process.protocol, []
    for option in process.options:
        spin = SPIN[protocol].fullmatch(option)
        if spin:
            default, least, most = map(int, spin.groups())
            assert least <= default <= most, option
        elif not SHOWN[protocol].fullmatch(option):
            others.append(option)
    if protocol == "uci":  # which game is to be played is not an option there
        (games,) = others
        assert {"UCI_Variant", "chess", "crazyhouse"} <= set(games.split())
    else:
        assert others == []
        assert {"normal", "crazyhouse"} <= set(process.features["variants"].split(","))
