"""The search knows the rules that few games have: short wins that depend on one of them. A solver that shares
no code with the engine proves each, and that without the rule there is none, or another one."""

import chess
import chess.variant
import pytest
from surajang import Engine, Position
from surajang.engine.fairy_ini.importing import import_text
from surajang.tests.support.games import SEARCHED_GAMES
from surajang.tests.support.referee_rule_changes import DelayedCastlingBoard
from surajang.tests.support.short_wins import (
    CHESS,
    Fairy,
    OwnCaptures,
    PythonChess,
    Relative,
    fastest_wins,
)

pytestmark = [pytest.mark.compiled, pytest.mark.usefixtures("interpreted_positions")]

MOST = 3  # plies of a win, and one more where the loser has the last reply
ATOMIC, ANTICHESS = PythonChess(chess.variant.AtomicBoard), PythonChess(chess.variant.AntichessBoard)
CHECKS = PythonChess(chess.variant.ThreeCheckBoard)
EXTINCTION, RACE, BARE, COREGAL = map(Fairy, ("extinction", "racingkings", "shatranj", "coregal"))
GATES, FIRST_CHECK, XIANGQI, MINISHOGI = map(Fairy, ("seirawan", "karouk", "xiangqi", "minishogi"))
SPARTAN, CHIGORIN, LEGAN, ATOMAR = map(Fairy, ("spartan", "chigorin", "legan", "atomar"))
UNFORCED = Fairy("unforced", "[unforced:antichess]\nmustCapture = false\n")
UNANSWERED = Fairy("unanswered", "[unanswered:racingkings]\nflagMove = false\n")
BARE_ALLOWED = Fairy("bareallowed", "[bareallowed:shatranj]\nextinctionValue = none\n")
KINGS_FACE = Fairy("kingsface", "[kingsface:xiangqi]\nflyingGeneral = false\n")
TWO_PAWNS = Fairy("twopawns", "[twopawns:minishogi]\ndropNoDoubled = -\n")
BOTH_KINGS = Fairy("bothkings", "[bothkings:spartan]\ndupleCheck = false\n")
NO_JUMP = Fairy("nojump", "[nojump:spartan]\ncustomPiece1 = h:fmFfcW\n")
SAME_PROMOTIONS = Fairy("samepromotions", "[samepromotions:chigorin]\npromotionPieceTypesWhite = crnqb\n")
MIRRORED = Fairy("mirrored", "[mirrored:legan]\npromotionRegionBlack = a1 b1 c1 d1 a2 a3 a4\n")
KINGS_CAPTURE = Fairy("kingscapture", "[kingscapture:nocheckatomic]\nblastImmuneTypes = k\n")
IMPORTED = "[legan-own:legan]\n[atomar-own:atomar]\n"
LIMITED = 'extends = "chess"\nname = "limited"\ntitle = "Limited chess"\n[end]\nmoves = 40\n'
# The rules of the games whose search Python runs
COMBINED = """extends = "karouk"
name = "combined"
title = "All rules at once"
[pieces]
P = { promotes = "MN" }
[promotion]
white = "MN"
black = "N"
[bare_king]
result = "loss"
reply = true
[end]
moves = 40
"""
MARKSMEN = """extends = "chess"
name = "marksmen"
title = "Rules that can be combined with rifle captures"
rifle_captures = true
cells = { files = 2, ranks = 2 }
checked_king = "captures"
[castling]
free = true
after = 3
[end]
dead_positions = false
"""
# The games that no other test compiles, except those with the most rules of their own
INTERPRETED = {"karouk", "chigorin", "shatranj", "limited", "rifle", "grid", "nocastle10", "andernach"}
INTERPRETED |= {"selfcapture", "extinction", "coregal", "legan-own", "atomar-own"}
LAST_PAWN = "4q3/3p3R/2b5/3n2B1/4k3/P7/4r2N/2K3Q1 w - - 0 1"
FACED = "4k1P2/9/9/9/9/9/9/R8/9/3K5 w - - 0 1"
TURNCOAT = "2K5/k2p4/1p6/3r4/8/5Q2/3n4/5R2 w - - 0 1"
LATE = "8/8/B7/8/4p1p1/4pkp1/8/4K2R w K - 0 11"

# What decides -> game, its judge, a judge without the rule, and the position.
WINS = {
    "a blast reaches the king": ("atomic", ATOMIC, CHESS, "7k/6p1/8/8/8/8/6R1/K7 w - - 0 1"),
    "two blasts are threatened": ("atomic", ATOMIC, CHESS, "8/1k6/8/5K2/Q6p/5b2/2p1p3/1r5N w - - 0 1"),
    "a capture is mandatory": ("antichess", ANTICHESS, UNFORCED, "8/8/8/8/3p4/8/2P5/8 w - - 0 1"),
    "the last pawn falls": ("extinction", EXTINCTION, CHESS, LAST_PAWN),
    "the second check counts": ("3check", CHECKS, CHESS, "r3k3/8/5p1K/5N2/8/3R4/5p2/8 w - - 2+3 0 1"),
    "Black may follow to the goal": ("racingkings", RACE, UNANSWERED, "8/K6k/8/8/8/8/8/1R6 w - - 0 1"),
    "the queen is royal": ("coregal", COREGAL, CHESS, "q3k3/8/8/1N6/8/8/8/3QK3 w - - 0 1"),
    "the king is bare": ("shatranj", BARE, BARE_ALLOWED, "1k2N3/8/8/3K4/8/8/7R/7n w - - 0 1"),
    "a piece enters by a gate": ("seirawan", GATES, CHESS, "rkr5/p1p5/8/8/8/8/8/1N2K3[E] w B - 0 1"),
    "the first move leaps": ("karouk", FIRST_CHECK, None, "8/8/8/8/5k2/8/8/3KM3 w E - 1+1 0 1"),
    "the kings may not face each other": ("xiangqi", XIANGQI, KINGS_FACE, FACED),
    "a file has its pawn": ("minishogi", MINISHOGI, TWO_PAWNS, "k4/5/G4/1pR2/4K[p] w - - 0 1"),
    "a captor stays": ("rifle", Relative("rifle"), CHESS, "k2b3R/pp6/8/8/8/8/3r4/7K w - - 0 1"),
    "a captor changes sides": ("andernach", Relative("andernach"), CHESS, TURNCOAT),
    "attacks end in the own cell": ("grid", Relative("grid"), CHESS, "8/7k/8/p7/r7/1Rp5/Q1K5/8 w - - 0 1"),
    "an own piece is captured": ("selfcapture", OwnCaptures(), CHESS, "N6k/6pp/8/4B3/8/3B4/8/R6K w - - 0 1"),
    "two kings are attacked": ("spartan", SPARTAN, BOTH_KINGS, "k6k/5R2/8/8/8/8/4Q3/4K3 w - - 0 1"),
    "a piece jumps from its first square": (
        "spartan",
        SPARTAN,
        NO_JUMP,
        "8/2h5/1k6/8/K2c4/PP6/8/8 b - - 0 1",
    ),
    "a side has no queens": ("chigorin", CHIGORIN, SAME_PROMOTIONS, "8/P7/8/1p6/8/6K1/4N3/7k w - - 0 1"),
    "the squares of promotion are turned": ("legan-own", LEGAN, MIRRORED, "8/8/8/8/6p1/8/5k2/7K b - - 0 1"),
    "kings do not capture kings": ("atomar-own", ATOMAR, KINGS_CAPTURE, "8/7B/8/8/7p/2R4P/1K6/k7 w - - 0 1"),
    "castling is allowed late": ("nocastle10", PythonChess(DelayedCastlingBoard), None, LATE),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Name -> the file of a game that the engine does not come with."""
    texts = {name: game.toml for name, game in import_text(IMPORTED, "own.ini").items()}
    folder = tmp_path_factory.mktemp("games")
    for name, text in (texts | {"limited": LIMITED, "combined": COMBINED, "marksmen": MARKSMEN}).items():
        (folder / f"{name}.toml").write_text(text)
    return {path.stem: str(path) for path in folder.iterdir()}


def engine_of(game):
    """An engine; of games that no other test compiles, with the search alone, without proofs of mates."""
    engine = Engine(game, hash_mb=1, compile_now=False)
    engine.is_ready = game not in SEARCHED_GAMES  # each function is compiled at its first call
    return engine


def searched(game, fen, plies):
    """(mate, move) of a search that is two plies deeper than the win."""
    with engine_of(game) as engine:
        result = engine.play(Position(game, fen), depth=plies + 2)
    return result.score.mate, str(result.move)


@pytest.mark.parametrize("case", [case for case, (game, *_) in WINS.items() if game not in INTERPRETED])
def test_win_by_a_rule_is_found(case, files):
    check_win(case, files)


@pytest.mark.usefixtures("interpreted_search")
@pytest.mark.parametrize("case", [case for case, (game, *_) in WINS.items() if game in INTERPRETED])
def test_win_by_a_rule_is_found_by_interpreted_code(case, files):
    check_win(case, files)


def check_win(case, files):
    """Checks that the judges and the search agree on a win and how many plies it takes."""
    game, judge, without, fen = WINS[case]
    plies, moves = fastest_wins(judge, judge.state(fen), MOST + 1)
    assert plies
    if without:
        state = without.state(fen.replace(" 2+3", "").replace("[E] w B", " w -"))
        assert fastest_wins(without, state, plies) != (plies, moves)
    mate, move = searched(files.get(game, game), fen, plies)
    assert mate == (plies + 1) // 2
    assert move[:4] in {text[:4] for text in moves}


def test_castling_is_no_win_before_its_time(interpreted_search):
    fen = LATE.replace(" 11", " 10")
    assert fastest_wins(CHESS, CHESS.state(fen), 1) == (1, {"e1g1"})
    delayed = PythonChess(DelayedCastlingBoard)
    assert fastest_wins(delayed, delayed.state(fen), MOST) == (None, set())
    mate, move = searched("nocastle10", fen, 1)
    assert mate is None and move != "e1g1"


def test_mate_after_the_last_move_is_no_win(files, interpreted_search):
    game, fen = files["limited"], "7k/8/5K2/8/8/8/8/R7 w - - 0 40"
    last = fen.replace("5K2", "6K1")
    assert fastest_wins(CHESS, CHESS.state(fen), MOST) == (3, {"f6f7", "f6g6"})
    assert fastest_wins(CHESS, CHESS.state(last), 1) == (1, {"a1a8"})
    assert searched(game, fen.replace(" 40", " 39"), 3)[0] == 2
    assert searched(game, fen, 3)[0] is None
    assert searched(game, last, 1) == (1, "a1a8")
    with engine_of(game) as engine:
        assert engine.play(Position(game, fen), depth=5).score.centipawns == 0


STARTS = {
    "chess": (  # by a network
        "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ),
    "combined": (
        "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 1+1 0 1",
        "4k3/8/8/3P4/8/8/1r6/R3K1n1 w - - 1+1 0 38",
    ),
    "marksmen": (
        "r3k2r/ppp1qppp/2np1n2/2b1p1B1/2B1P3/2NP1N2/PPP1QPPP/R3K2R w KQkq - 0 2",
        "r3k2r/ppp1qppp/2np1n2/4p3/2B1P1b1/2NP1b2/PPP1QPPP/R3K2R w KQkq - 0 9",
    ),
}


@pytest.mark.parametrize("name", STARTS)
def test_interpreted_search_is_the_compiled_one(files, name, request):
    found = []
    for fixture in (None, "interpreted_search"):
        if fixture:
            request.getfixturevalue(fixture)
        for fen in STARTS[name]:
            with engine_of(files.get(name, name)) as engine:
                result = engine.play(Position(files.get(name, name), fen), depth=4)
            found.append((result.nodes, result.score, result.pv))
    assert found[:2] == found[2:]
    assert min(nodes for nodes, *_ in found) > 20 and max(nodes for nodes, *_ in found) > 100
