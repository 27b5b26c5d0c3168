"""FENs of other programs, and the reader's notes on ignored parts."""

import random
import re
from functools import cache

import chess
import chess.variant
import pyffish
import pytest
from surajang.engine.definition import catalogue
from surajang.engine.definition.fen import FenError, castling_field, parse, write
from surajang.engine.fairy_ini.importing import import_text
from surajang.engine.game.moves import parse_square
from surajang.protocol.uci.notation import UciNotation
from surajang.tests.support.games import SEARCHED_GAMES
from surajang.tests.support.soak_judges import MODELLED, configure

pytestmark = pytest.mark.pure

load = cache(catalogue.load)
SITTUYIN = "8/8/4pppp/pppp4/4PPPP/PPPP4/8/8"
SHOGI = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"
MAKRUK = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR"
CHESS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R"
BARE = "8/8/4k3/8/8/3K4/8/R7"
GRAND = "r8r/1nbqkcabn1/pppppppppp/10/10/10/10/PPPPPPPPPP/1NBQKCABN1/R8R"
# Names of games in Fairy-Stockfish: all that are shipped and that it knows
FAIRY = [
    *("chess", "crazyhouse", "janggi", "grand", "makruk", "placement", "shogi", "xiangqi"),
    *(
        pytest.param(name, marks=pytest.mark.slow)
        for name in (
            *("capablanca", "capahouse", "euroshogi", "kingofthehill", "knightmate", "minishogi"),
            *("minixiangqi", "shako", "cannonshogi"),
            *sorted({*catalogue.shipped()} - {*SEARCHED_GAMES, *MODELLED, "chess960"}),
        )
    ),
]


def reading(variant, text):
    """(the position in our notation, the notes) of a FEN."""
    return reading_of(load(variant), text)


def reading_of(game, text):
    setup = parse(text, game)
    return write(setup, castling_field(setup), game), setup.notes


# program and what it writes -> game, text, the position in our notation
WRITTEN = {
    "pyffish, start of shogi": ("shogi", f"{SHOGI}[-] w 0 1", f"{SHOGI}[] w - - 0 1"),
    "pychess.org, handicap": ("shogi", f"{SHOGI}[-] b 0 1", f"{SHOGI}[] b - - 0 1"),
    "Cute Chess, shogi": ("shogi", f"{SHOGI}[-] b - 2", f"{SHOGI}[] b - - 0 2"),
    "Cute Chess, hands": ("shogi", f"{SHOGI}[P2p] w - 7", f"{SHOGI}[Ppp] w - - 0 7"),
    "XBoard, shogi": ("shogi", f"{SHOGI}[-] w 4 3", f"{SHOGI}[] w - - 4 3"),
    "XBoard, xiangqi": (
        "xiangqi",
        "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w 0 1",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    ),
    "XBoard, makruk": ("makruk", f"{MAKRUK} w 0 1", f"{MAKRUK} w - - 0 1"),
    "XBoard, no castling in the game": ("grand", f"{GRAND} w - 3 5", f"{GRAND} w - - 3 5"),
    "XBoard, no castling, en passant": (
        "grand",
        "10/10/5k4/10/10/2Pp6/10/10/4K5/10 b c4 0 5",
        "10/10/5k4/10/10/2Pp6/10/10/4K5/10 b - c4 0 5",
    ),
    "XBoard, crazyhouse": ("crazyhouse", f"{CHESS}[-] w KQkq - 0 1", f"{CHESS}[] w KQkq - 0 1"),
    "XBoard, castling by files": ("chess", f"{CASTLES} w HAha - 0 1", f"{CASTLES} w KQkq - 0 1"),
    "XBoard, empty hands in a game without drops": ("grand", f"{GRAND}[-] w - - 0 1", f"{GRAND} w - - 0 1"),
    "Cute Chess, makruk": ("makruk", f"{MAKRUK} w - 0 0 1", f"{MAKRUK} w - - 0 1"),
    "python-chess, Shredder": ("chess", f"{CASTLES} b Ha - 3 9", f"{CASTLES} b Kq - 3 9"),
    "Lichess, crazyhouse": ("crazyhouse", f"{CHESS}/ w KQkq - 0 1", f"{CHESS}[] w KQkq - 0 1"),
    "Lichess, hands": ("crazyhouse", f"{CHESS}/PPq b KQkq - 0 9", f"{CHESS}[PPq] b KQkq - 0 9"),
    "Lichess, address of a page": ("chess", f"{CHESS}_w_KQkq_-_0_1", f"{CHESS} w KQkq - 0 1"),
    "an address with escapes": ("chess", f"{CHESS}%20w%20KQkq%20-%200%201", f"{CHESS} w KQkq - 0 1"),
    "hands behind a blank": ("crazyhouse", f"{CHESS} [Pq] w KQkq - 0 1", f"{CHESS}[Pq] w KQkq - 0 1"),
    "PyChess, placement": (
        "placement",
        "8/pppppppp/8/8/8/8/PPPPPPPP/8/nnbbrrqkNNBBRRQK w - - 0 1",
        "8/pppppppp/8/8/8/8/PPPPPPPP/8[QRRBBNNKqrrbbnnk] w - - 0 1",
    ),
    "PyChess, gold generals": (
        "euroshogi",
        "1nbqkqn1/1r4b1/pppppppp/8/8/PPPPPPPP/1B4R1/1NQKQBN1 w - - 0 1",
        "1nbgkgn1/1r4b1/pppppppp/8/8/PPPPPPPP/1B4R1/1NGKGBN1[] w - - 0 1",
    ),
    "PyChess, gold generals in hand": (
        "euroshogi",
        "4k3/8/8/8/8/8/8/4K3[Qq] w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3[Gg] w - - 0 1",
    ),
    "a full move number of 0": ("chess", f"{CHESS} w KQkq - 0 0", f"{CHESS} w KQkq - 0 1"),
    "no en passant field": ("chess", f"{CHESS} w KQkq 0 1", f"{CHESS} w KQkq - 0 1"),
    "an empty rank more": ("chess", f"{CHESS}/ w KQkq - 0 1", f"{CHESS} w KQkq - 0 1"),
    "castling by files on a wide board": (
        "xxl",
        "7k6/14/14/14/14/14/14/14/14/14/14/14/14/R6K5R w AN - 0 1",
        "7k6/14/14/14/14/14/14/14/14/14/14/14/14/R6K5R w KQ - 0 1",
    ),
    "the first of two crossed squares": (
        "pandemonium",
        "4k5/10/10/10/10/P9/1p8/10/10/4K5[] b - a3 0 1",
        "4k5/10/10/10/10/P9/1p8/10/10/4K5[] b - a3a4 0 1",
    ),
    "the second of two crossed squares": (
        "pandemonium",
        "4k5/10/10/10/10/Pp8/10/10/10/4K5[] b - a4 0 1",
        "4k5/10/10/10/10/Pp8/10/10/10/4K5[] b - a4 0 1",
    ),
}


START = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
PASTED = {
    "quotes": f'"{START}"',
    "quotes of a shell": f" '{START}' ",
    "fen": f"fen {START}",
    "a line of UCI": f"position fen {START}",
    "a side in capitals": START.replace(" b ", " B "),
    "a side as a word": START.replace(" b ", " Black "),
    "a square in capitals": START.replace("e3", "E3"),
    "a tag of PGN": f'[FEN "{START}"]',
    "characters of no width": "\ufeff" + START.replace(" ", " \u200b"),
    "a semicolon": f"{START};",
    "an address in quotes": '"' + START.replace(" ", "_") + '"',
    "an address in a line of UCI": "position fen " + START.replace(" ", "%20"),
    "an address after a mark of byte order": "\ufeff" + START.replace(" ", "_"),
    "counters of EPD": START.replace("0 1", "hmvc 0; fmvn 1;"),
}


@pytest.mark.parametrize("case", PASTED)
def test_fen_is_read_as_people_paste_it(case):
    assert reading("chess", PASTED[case]) == (START, ())


@pytest.mark.parametrize("text", ["\ufeff{}", '"{}"', "fen {}", '[FEN "{}"]'])
def test_board_alone_is_read_as_people_paste_it(text):
    assert reading("chess", text.format(CHESS)) == (f"{CHESS} w - - 0 1", ())


@pytest.mark.parametrize("counters", ["", " 0 1", " 0 1;"])
def test_operations_of_epd_are_ignored_and_reported(counters):
    fen = f"{CHESS} w KQkq -"
    note = "FEN: 'bm e4; id \"a; b\"' is ignored: operations of EPD"
    assert reading("chess", f'{fen}{counters} bm e4; id "a; b";') == (f"{fen} 0 1", (note,))


def test_counters_of_epd_are_read():
    fen = f"{CHESS} w KQkq -"
    assert reading("chess", f"{fen} fmvn 30; hmvc 12;") == (f"{fen} 12 30", ())
    assert chess.Board.from_epd(f"{fen} fmvn 30; hmvc 12;")[0].fen() == f"{fen} 12 30"


@pytest.mark.parametrize("turn", ["r", "R", "red"])
def test_red_begins_in_xiangqi(turn):
    start = load("xiangqi").start_fen
    assert reading("xiangqi", start.replace(" w ", f" {turn} ")) == (start, ())
    for game in ("chess", "janggi"):  # red is the second side in Janggi
        with pytest.raises(FenError, match="turn: "):
            parse(load(game).start_fen.replace(" w ", f" {turn} "), load(game))


@pytest.mark.parametrize("text", ["startpos", "position startpos", " startpos\n"])
@pytest.mark.parametrize("variant", ["chess", "janggi"])
def test_startpos_is_the_start_of_the_game(variant, text):
    game = load(variant)
    assert reading(variant, text) == reading(variant, game.start_fen)


@pytest.mark.parametrize("dash", "\u2010\u2011\u2012\u2013\u2014\u2212")
def test_dash_of_a_web_page_is_a_dash(dash):
    assert reading("chess", f"{CHESS} w {dash} {dash} 0 1") == (f"{CHESS} w - - 0 1", ())


@pytest.mark.parametrize("text", ["fen", '"', '""', "'fen '", "position fen"])
def test_text_without_a_fen_is_refused(text):
    with pytest.raises(FenError):
        parse(text, load("chess"))


@pytest.mark.parametrize("case", WRITTEN)
def test_fen_of_another_program_is_read(case):
    variant, text, ours = WRITTEN[case]
    assert reading(variant, text) == (ours, ())
    assert reading(variant, ours) == (ours, ())


@pytest.mark.parametrize(
    "text, fen",
    [
        (f"{SHOGI} b - 1", f"{SHOGI}[] w - - 0 1"),
        (f"{SHOGI} w - 2", f"{SHOGI}[] b - - 0 1"),
        (f"{SHOGI} b 2P3p 15", f"{SHOGI}[PPppp] w - - 0 8"),
        (f"{SHOGI} w RB2p 16", f"{SHOGI}[RBpp] b - - 0 8"),
    ],
)
def test_sfen_is_read_with_its_own_colours(text, fen):
    (ours, notes) = reading("shogi", text)
    assert ours == fen
    assert [note.split(":")[0] for note in notes] == ["turn"]
    assert "SFEN" in notes[0]


@pytest.mark.parametrize(
    "text, fen",
    [
        (f"{SITTUYIN} b K2SF2R2Nk2sf2r2n 1", f"{SITTUYIN}[RRNNSSFKrrnnssfk] w - - 0 1"),
        (f"{SITTUYIN[:-1]}4K3 w 2SF2R2Nk2sf2r2n 2", f"{SITTUYIN[:-1]}4K3[RRNNSSFrrnnssfk] b - - 0 1"),
        (f"4k3{SITTUYIN[1:-1]}4K3 w n 16", f"4k3{SITTUYIN[1:-1]}4K3[n] b - - 0 8"),
        (f"4k3{SITTUYIN[1:-1]}4K3 b - 17", f"4k3{SITTUYIN[1:-1]}4K3[] w - - 0 9"),
    ],
)
def test_sfen_of_a_placement_is_read_with_the_kings_in_hand(text, fen):
    ours, notes = reading("sittuyin", text)
    assert ours == fen
    assert ["SFEN" in note for note in notes] == [True]


def test_brackets_distinguish_a_fen_from_an_sfen():
    assert reading("shogi", f"{SHOGI}[-] b - 1") == (f"{SHOGI}[] b - - 0 1", ())
    assert reading("crazyhouse", f"{CHESS} b - 1") == (f"{CHESS}[] b - - 0 1", ())


# What cannot be taken over is said, and the rest is read

NOTED = {
    "rights without a rook": (
        *("chess", "4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        "castling: 'Qkq' cannot be used: king and rook do not stand on e1 and a1, e8 and h8, e8 and a8",
    ),
    "rights without a king": (
        *("chess", "r3k2r/8/8/8/8/8/8/R2K3R w HAha - 0 1", "r3k2r/8/8/8/8/8/8/R2K3R w kq - 0 1"),
        "castling: 'HA' cannot be used: king and rook do not stand on e1 and h1, e1 and a1;"
        " chess960 has rooks on any files",
    ),
    "another rook": (
        *("chess", "r3k1r1/8/8/8/8/8/8/R3K1R1 w GAga - 0 1", "r3k1r1/8/8/8/8/8/8/R3K1R1 w Qq - 0 1"),
        "castling: 'Gg' in 'GAga' is dropped: chess castles with rooks on h and a;"
        " chess960 has rooks on any files",
    ),
    "rights that follow from the position": (
        "pandemonium",
        "4k5/10/10/10/10/10/10/10/10/4K4R[] w KQkq - 0 1",
        "4k5/10/10/10/10/10/10/10/10/4K4R[] w K - 0 1",
        "castling: 'Qkq' cannot be used: king and rook do not stand on e1 and a1, e10 and j10, e10 and a10",
    ),
    "rights in a game without castling": (
        *("makruk", f"{MAKRUK} w KQkq - 0 1", f"{MAKRUK} w - - 0 1"),
        "castling: 'KQkq' is ignored: makruk has no castling",
    ),
    "rights beside a choice of the setup phase": (
        *("janggi", "4k4/9/9/9/9/9/9/9/4K4/9 w KQs - 0 1", "4k4/9/9/9/9/9/9/9/4K4/9 w s - 0 1"),
        "castling: 'KQ' is ignored: janggi has no castling",
    ),
    "a limit of makruk's counting": (
        *("makruk", f"{BARE} b - 32 4 1", f"{BARE} b - - 4 1"),
        "counting: '32' is ignored: makruk is played without rules of counting",
    ),
    "checks in another game": (
        *("chess", f"{CHESS} w KQkq - 3+3 0 1", f"{CHESS} w KQkq - 0 1"),
        "checks: '3+3' is ignored: chess does not count checks",
    ),
    "Lichess's checks in another game": (
        *("chess", f"{CHESS} w KQkq - 0 1 +0+0", f"{CHESS} w KQkq - 0 1"),
        "checks: '+0+0' is ignored: chess does not count checks",
    ),
    "a square that no pawn has crossed": (
        *("chess", "4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        "ep: 'e6' is ignored: no pawn can just have crossed there",
    ),
    "a square in a game without en passant": (
        *("makruk", f"{MAKRUK} w - e5 0 1", f"{MAKRUK} w - - 0 1"),
        "ep: 'e5' is ignored: no pawn can just have crossed there",
    ),
    "a square of the side to move": (
        *("chess", "4k3/8/8/8/3pP3/8/8/4K3 w - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 w - - 0 1"),
        "ep: 'e3' is ignored: no pawn can just have crossed there",
    ),
    "squares of two files": (
        "pandemonium",
        "4k5/10/10/10/10/P9/1p8/10/10/4K5[] b - a3b3 0 1",
        "4k5/10/10/10/10/P9/1p8/10/10/4K5[] b - - 0 1",
        "ep: 'a3b3' is ignored: no pawn can just have crossed there",
    ),
}


@pytest.mark.parametrize("case", NOTED)
def test_useless_parts_of_a_fen_are_reported(case):
    variant, text, fen, note = NOTED[case]
    assert reading(variant, text) == (fen, (note,))


@pytest.mark.parametrize("rights", ["KQkq", "KQ", "k", "-"])
def test_rights_that_can_be_used_are_kept_without_a_word(rights):
    fen = f"{CASTLES} w {rights} - 0 1"
    assert reading("chess", fen) == (fen, ())


def test_right_that_may_come_back_is_kept_without_a_word():
    # Castling once: where king and rook stand counts when the king castles.
    fen = "4k5/10/10/10/10/10/10/10/10/3K6[] w KQ - 0 1"
    assert reading("pandemonium-vchess", fen) == (fen, ())


@pytest.mark.parametrize(
    "variant, text, reason",
    [
        ("chess", f"{CHESS} w KX - 0 1", "castling: 'X' in 'KX' is not one of KQkq"),
        ("chess", f"{CHESS} w KQkq 3 0 1", "ep: '3' should be squares"),
        ("chess", f"{CHESS} w KQkq e9 0 1", "ep: 'e9' should be squares"),
        ("chess", f"{CHESS} w 0 1 2", "FEN: '2' is too much; a FEN has at most 6 fields"),
        ("chess", f"{CHESS} w KQkq - 0 1 9", "FEN: '9' is too much; a FEN has at most 6 fields"),
        ("chess", "position startpos moves e2e4", "FEN: 'moves' is too much; a FEN has at most 6 fields"),
        ("3check", "startpos moves e2e4", "FEN: 'moves' is too much; a FEN has at most 6 fields"),
        ("chess", f"{CHESS} w KQkq - 0 3+x", "fullmove: '3+x' should be a whole number"),
        ("chess", f"{CHESS} w KQkq - 0 100000", "fullmove: '100000' should be from 0 to 65535"),
        ("chess", f"{CHESS} w KQkq - {'9' * 5000} 1", "halfmove: '999"),
        ("chess", f"{CHESS}/PPq w KQkq - 0 1", f"board: '{CHESS}/PPq' has 9 ranks, but chess has 8"),
        ("chess", f"{CHESS}[P] w KQkq - 0 1", "hands: "),
        ("crazyhouse", f"{CHESS}/P[q] w KQkq - 0 1", f"board: '{CHESS}/P' has 9 ranks"),
        ("crazyhouse", f"{CHESS}[P3] w KQkq - 0 1", "hands: '3'"),
        ("crazyhouse", f"{CHESS}[0P] w KQkq - 0 1", "hands: '0'"),
        ("shogi", f"{SHOGI} b 2X 15", "hands: 'X' in '2X' cannot be in a hand"),
        ("shogi", f"{SHOGI} b 2P 1 5", "castling: '2P'"),
        ("chess", "_", "board: '_' has 1 rank"),
        ("chess", "4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "board: White has 2 kings instead of one"),
        ("horde", "4k3/8/8/8/8/8/8/PPPK4 w - - 0 1", "board: White has a king instead of none"),
    ],
)
def test_field_that_has_no_meaning_is_refused(variant, text, reason):
    with pytest.raises(FenError) as refusal:
        parse(text, load(variant))
    assert str(refusal.value).startswith(reason)


# Checks


@pytest.fixture(scope="module")
def threecheck():
    text = import_text("[3check:chess]\ncheckCounting = true\n", "x.ini")["3check"].toml
    return catalogue.parse(text, "3check.toml")


@pytest.mark.parametrize(
    "text, checks",
    [
        (f"{CHESS} w KQkq - 0 1", (3, 3)),
        (f"{CHESS} w KQkq - 1+3 0 1", (1, 3)),
        (f"{CHESS} w KQkq - 0 1 1+3", (1, 3)),
        (f"{CHESS} w KQkq - 0 1 +0+0", (3, 3)),
        (f"{CHESS} b KQkq - 0 9 +2+1", (1, 2)),
        (f"{CHESS} w KQkq - 1+3", (1, 3)),
        (f"{CHESS} b KQkq - 0+3 0 9", (0, 3)),
        (f"{CHESS} b KQkq - 0 9 +3+0", (0, 3)),
    ],
)
def test_checks_are_read_in_every_order(threecheck, text, checks):
    setup = parse(text, threecheck)
    assert (setup.of_mechanics["checks"], setup.notes) == (checks, ())


@pytest.mark.parametrize(
    "text", ["- 4+1 0 1", "- +4+0 0 1", "- 3+ 0 1", "- 3+3+3 0 1", "- 0+3 0 1", "- 3+3 0 1 +0+0"]
)
def test_checks_that_make_no_sense_are_refused(threecheck, text):
    with pytest.raises(FenError, match="checks: "):
        parse(f"{CHESS} w KQkq {text}", threecheck)


def test_python_chess_and_the_reader_agree_on_checks(threecheck):
    board, chance = chess.variant.ThreeCheckBoard(), random.Random(3)
    while not board.is_game_over():
        setup = parse(board.fen(), threecheck)
        assert setup.of_mechanics["checks"] == (board.remaining_checks[True], board.remaining_checks[False])
        white, black = setup.of_mechanics["checks"]
        given = f"+{3 - white}+{3 - black}"
        plain = board.fen().split()
        assert parse(" ".join([*plain[:4], *plain[5:], given]), threecheck).of_mechanics == setup.of_mechanics
        board.push(chance.choice(list(board.legal_moves)))


# The programs themselves, in random games


def games_of(board, count, plies):
    """Yields the board in random games."""
    chance = random.Random(1)
    for _ in range(count):
        here = board.copy()
        while len(here.move_stack) < plies and not here.is_game_over():
            yield here
            here.push(chance.choice(list(here.legal_moves)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "variant, board",
    [
        ("chess", chess.Board()),
        ("chess", chess.Board("r3k2r/pPp2p2/8/3pP1Pp/3Pp1pP/8/PpP2P2/R3K2R w KQkq d6 0 1")),
        ("crazyhouse", chess.variant.CrazyhouseBoard()),
        ("kingofthehill", chess.variant.KingOfTheHillBoard()),
        ("3check", chess.variant.ThreeCheckBoard()),
        ("antichess", chess.variant.AntichessBoard()),
        ("atomic", chess.variant.AtomicBoard()),
        ("horde", chess.variant.HordeBoard()),
        ("racingkings", chess.variant.RacingKingsBoard()),
    ],
)
def test_every_form_that_python_chess_writes_is_read(variant, board):
    for here in games_of(board, 5, 60):
        plain = reading(variant, here.fen(en_passant="xfen"))
        assert plain[1] == ()
        forms = [here.fen(shredder=True, en_passant="xfen"), here.shredder_fen(en_passant="xfen")]
        if variant != "crazyhouse":
            forms.append(here.fen(promoted=True, en_passant="xfen"))
        for text in forms:
            assert reading(variant, text) == plain, text
        epd, given = here.epd(en_passant="xfen"), plain[0].split()
        assert reading(variant, epd)[0].split()[:4] == given[:4]
        assert reading(variant, here.fen(en_passant="fen"))[1] == ()


def without_pawn(fen, game):
    """A FEN without the pawn's own square among the crossed ones, unless our FENs have it, too."""
    if game.crosses_diagonally:
        return fen
    fields = fen.split()
    crossed = re.findall(r"[a-p]\d+", fields[3])
    board = parse(fen, game).board
    free = [name for name in crossed if parse_square(name, game.files, game.ranks) not in board]
    return " ".join([*fields[:3], "".join(free) or fields[3], *fields[4:]])


@pytest.mark.parametrize("name", FAIRY)
def test_fen_of_fairy_stockfish_is_read_and_written_back(name):
    configure()
    game, start = load(name), pyffish.start_fen(name)
    notation, chance, sfen = UciNotation(game), random.Random(4), 0
    assert reading(name, start) == (game.start_fen, ())
    theirs, ply = pyffish.get_fen(name, start, []), 0
    while ply < 60 and (legal := pyffish.legal_moves(name, theirs, [])):
        ours, notes = reading(name, theirs)
        assert notes == ()
        back, given = notation.write_fen(ours), without_pawn(theirs, game)
        assert back == given or pyffish.get_fen(name, back, []) == given
        if ply % 2 == 0 and game.has_drops and not game.castling:
            text = pyffish.get_fen(name, theirs, [], False, True)
            assert reading(name, text)[0].split()[:2] == ours.split()[:2]
            sfen += 1
        theirs, ply = pyffish.get_fen(name, theirs, [chance.choice(legal)]), ply + 1
    assert sfen > 25 or name not in ("shogi", "minishogi", "euroshogi", "cannonshogi", "sittuyin")
