"""Every reader accepts the same FENs, and reports ignored parts in its own way."""

import io
from contextlib import redirect_stderr

import pytest
from click import BadParameter
from click.testing import CliRunner
from surajang import FenError, Position
from surajang.board.pgn import build_tree
from surajang.cli import main
from surajang.engine.notation.reading import scan_games
from surajang.engine.variant import Variant
from surajang.match.openings.opening_files import load_openings
from surajang.protocol.cecp.protocol import Cecp
from surajang.protocol.session.loading import Loaded
from surajang.protocol.terminal.options import position_of
from surajang.protocol.uci.protocol import Uci
from surajang.protocol.wire.stdio import InputLine
from surajang.tests.support.engines import Indifferent

pytestmark = pytest.mark.compiled

VARIANT = Variant("crazyhouse")
CASTLES = "r3k2r/pppp1ppp/8/8/8/8/PPPP1PPP/R3K2R"
# What is written -> the position in our notation, and the field that something is said about, if any
TEXTS = {
    "castling by files": (f"{CASTLES}[] w HAha - 0 1", f"{CASTLES}[] w KQkq - 0 1", None),
    "fields missing": (f"{CASTLES}[-] w 3 7", f"{CASTLES}[] w - - 3 7", None),
    "the full move alone": (f"{CASTLES}[-] b - 2", f"{CASTLES}[] b - - 0 2", None),
    "a hand as a ninth rank": (f"{CASTLES}/PPq w KQkq - 0 1", f"{CASTLES}[PPq] w KQkq - 0 1", None),
    "hands by numbers": (f"{CASTLES}[2Pq] w KQkq - 0 1", f"{CASTLES}[PPq] w KQkq - 0 1", None),
    "underscores": (f"{CASTLES}[]_w_KQkq_-_0_1", f"{CASTLES}[] w KQkq - 0 1", None),
    "checks": (f"{CASTLES}[] w KQkq - 0 1 +0+0", f"{CASTLES}[] w KQkq - 0 1", "checks"),
    "another rook": (f"{CASTLES}[] w GAha - 0 1", f"{CASTLES}[] w Qkq - 0 1", "castling"),
    "a right of no use": (
        "4k3/pppp1ppp/8/8/8/8/PPPP1PPP/R3K2R[] w KQkq - 0 1",
        "4k3/pppp1ppp/8/8/8/8/PPPP1PPP/R3K2R[] w KQ - 0 1",
        "castling",
    ),
    "no pawn has crossed": (f"{CASTLES}[] w KQkq e6 0 1", f"{CASTLES}[] w KQkq - 0 1", "ep"),
}
# The beginning of the reason -> what has no meaning
REFUSED = {
    "castling: 'X' in 'KX' is not one of KQkq": f"{CASTLES}[] w KX - 0 1",
    "board: .* has 9 ranks, but crazyhouse has 8": f"{CASTLES}/8[] w KQkq - 0 1",
    r"board: '\*' in rank 1, 'R3K2\*', is a hole or a wall, but there": f"{CASTLES[:-1]}*[] w Qkq - 0 1",
    "board: rank 1, 'R3K2R1', has 9 squares instead of 8": f"{CASTLES}1[] w KQkq - 0 1",
    "board: '518' has 1 rank, but crazyhouse has 8": "518",
    "turn: 'x' should be 'w' or 'b'": f"{CASTLES}[] x KQkq - 0 1",
}


# Each door gives (the position, what it says)


def python(text, tmp_path):
    position = Position(VARIANT, text)
    return position.fen(), list(position.notes)


def conversation(dialect, lines, variant=VARIANT):
    """One in which an engine without a search has been loaded, and no thread loads another."""
    talk = dialect(lines.append, lambda event: None)
    talk._session.loader.begin = lambda variant, start=None: None
    if dialect is Uci:
        talk.handle(InputLine(f"setoption name UCI_Variant value {variant}"))
    talk.handle(Loaded(variant, Indifferent(), Position(variant)))
    lines.clear()
    return talk


def dialogue(dialect, line):
    lines = []
    talk = conversation(dialect, lines)
    talk.handle(InputLine(line))
    return talk._session.position.fen(), lines


def uci(text, tmp_path):
    fen, lines = dialogue(Uci, f"position fen {text}")
    if any("the position does not change" in line for line in lines):
        raise FenError(lines[-1])
    return fen, [line.removeprefix("info string ") for line in lines]


def cecp(text, tmp_path):
    fen, lines = dialogue(Cecp, f"setboard {text}")
    if any(line.startswith("tellusererror") for line in lines):
        raise FenError(lines[-1])
    assert all(line.startswith("# ") for line in lines)
    return fen, [line.removeprefix("# ") for line in lines]


def command_line(text, tmp_path):
    said = io.StringIO()
    with redirect_stderr(said):
        fen = position_of(VARIANT, text).fen()
    return fen, [line.removeprefix("--fen: ") for line in said.getvalue().splitlines()]


def opening(path):
    said = []
    (found,) = load_openings(path, VARIANT, warn=said.append)
    return found.fen, [line.split(": ", 1)[1] for line in said]


def epd(text, tmp_path):
    path = tmp_path / "book.epd"
    path.write_text(f'{text} ; id "one";\n')
    return opening(path)


def match_pgn(text, tmp_path):
    path = tmp_path / "book.pgn"
    path.write_text(pgn(text))
    return opening(path)


def board_pgn(text, tmp_path):
    (game,) = scan_games(io.StringIO(pgn(text)))
    tree, _ = build_tree(game, VARIANT)
    return tree.start_fen, list(tree.position.notes)


def pgn(text):
    return f'[Variant "Crazyhouse"]\n[SetUp "1"]\n[FEN "{text}"]\n\n*\n'


DOORS = [python, uci, cecp, command_line, epd, match_pgn, board_pgn]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("case", TEXTS)
def test_door_takes_the_fen_and_says_what_it_leaves_out(case, door, tmp_path):
    text, fen, field = TEXTS[case]
    found, said = door(text, tmp_path)
    assert found == fen
    assert [sentence.split(":")[0] for sentence in said] == ([field] if field else [])


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("reason", REFUSED)
def test_door_refuses_what_has_no_meaning_by_its_field(reason, door, tmp_path):
    with pytest.raises((ValueError, BadParameter), match=reason) as refused:
        door(REFUSED[reason], tmp_path)
    assert "\n" not in str(refused.value)


def test_command_line_writes_notes_beside_the_answer():
    result = CliRunner().invoke(
        main, ["perft", "--variant", VARIANT, "--fen", TEXTS["another rook"][0], "--depth", "1"]
    )
    assert result.exit_code == 0
    assert result.stderr.startswith("--fen: castling: 'G' in 'GAha' is dropped")
    assert result.stdout.strip().isdecimal()


def test_uci_reports_it_once_for_a_continued_position():
    lines = []
    talk = conversation(Uci, lines)
    start = f"position fen {TEXTS['another rook'][0]}"
    for moves in ("", " moves a2a3", " moves a2a3 a7a6"):
        talk.handle(InputLine(start + moves))
    assert len(lines) == 1
    talk.handle(InputLine("position startpos"))
    talk.handle(InputLine(start))
    assert len(lines) == 2


def test_setboard_after_a_pass_is_a_pass_however_its_hands_are_written():
    talk = conversation(Cecp, [], Variant("janggi"))
    talk.handle(
        InputLine("setboard rnea1aenr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNEA1AENR[-] b 0 1")
    )
    assert [str(move) for move in talk._session.position.moves] == ["e2e2"]
