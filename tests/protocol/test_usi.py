"""USI: the engine driven by cshogi, a client and a board of shogi that share no code with it, and by hand."""

import random
import stat
import sys

import cshogi
import pytest
from cshogi.usi import Engine as UsiEngine
from surajang.engine.position import Position
from surajang.engine.variant import Variant
from surajang.protocol.usi.notation import UsiNotation, fits
from surajang.protocol.usi.protocol import Usi, clock_words, mate_words, usi_name
from surajang.protocol.wire.arguments import RefusedError
from surajang.protocol.wire.stdio import InputLine
from surajang.tests.support.gui import READY, UciGui

pytestmark = pytest.mark.process

SHOGI = Variant("shogi")
NOTATION = UsiNotation(SHOGI.description)
MATE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
MATED = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 2"


# Moves and positions


def walk(seed, plies=120):
    """Positions of a random game as (ours, cshogi's)."""
    chance, ours, theirs = random.Random(seed), Position("shogi"), cshogi.Board()
    while ours.ply < plies and ours.result() is None:
        yield ours, theirs
        move = chance.choice(ours.legal_moves())
        theirs.push_usi(NOTATION.write_move(move))
        ours.push(move)


@pytest.mark.parametrize("seed", range(6))
def test_moves_and_positions_are_those_of_cshogi(seed):
    """A pawn drop that mates is pseudo-legal there: it is left out."""
    drops = 0
    for ours, theirs in walk(seed):
        written = {NOTATION.write_move(move): str(move) for move in ours.legal_moves}
        assert set(written) == {cshogi.move_to_usi(move) for move in theirs.legal_moves}
        assert all(str(ours.parse_move(NOTATION.read_move(usi))) == text for usi, text in written.items())
        assert NOTATION.write_sfen(ours.fen()).split()[:2] == theirs.sfen().split()[:2]
        again = cshogi.Board(NOTATION.write_sfen(ours.fen()))
        assert again.sfen() == theirs.sfen()
        back = Position("shogi", NOTATION.read_sfen(theirs.sfen().split()))
        assert back.fen().split()[:4] == ours.fen().split()[:4]
        assert back.fullmove_number == ours.fullmove_number
        drops += sum("*" in usi for usi in written)
    assert drops > 100


@pytest.mark.usefixtures("seldom_compiled")
@pytest.mark.parametrize(
    "variant", ["minishogi", "kyotoshogi", "judkins", "euroshogi", "sittuyin", "placement"]
)
def test_moves_of_other_boards_come_back(variant):
    chance, position = random.Random(variant), Position(variant)
    notation = UsiNotation(position.description)
    while position.ply < 40 and position.result() is None:
        for move in position.legal_moves:
            assert position.parse_move(notation.read_move(notation.write_move(move))) == move
        sfen = notation.write_sfen(position.fen())
        assert (
            Position(variant, notation.read_sfen(sfen.split())).fen().split()[:2]
            == position.fen().split()[:2]
        )
        position.push(chance.choice(position.legal_moves()))


def test_boards_of_ten_files_have_no_squares_in_usi():
    assert fits(SHOGI.description) and not fits(Variant("pandemonium").description)


@pytest.mark.parametrize(
    "text, quoted",
    [
        ("4k4/9/9/9/9/9/9/9/4K4 x - 1", "'4k4/9/9/9/9/9/9/9/4K4 x - 1' should read BOARD b"),
        ("4k4/9/9/9/9/9/9/9/4K4 b", "'4k4/9/9/9/9/9/9/9/4K4 b' should read"),
        ("4k4/9/9/9/9/9/9/9/4K4 b 2 1", "the hands '2' should be letters"),
        ("4k4/9/9/9/9/9/9/9/4K4 b 100P 1", "more than 99 pieces"),
        ("4k4/9/9/9/9/9/9/9/4K4 b - one", "'one' should be the number of the next move"),
    ],
)
def test_wrong_sfen_is_quoted(text, quoted):
    with pytest.raises(ValueError, match=quoted):
        NOTATION.read_sfen(text.split())


# Clocks


@pytest.mark.parametrize(
    "go, uci",
    [
        ("btime 60000 wtime 50000", "wtime 60000 btime 50000"),
        ("btime 0 wtime 0 byoyomi 3000", "movetime 3000"),
        ("byoyomi 3000", "movetime 3000"),
        ("btime 60000 wtime 50000 byoyomi 3000", "wtime 63000 winc 3000 btime 53000 binc 3000"),
        ("btime 1000 wtime 0 byoyomi 0", "wtime 1000 btime 0"),
        ("ponder btime 0 wtime 9 byoyomi 100", "ponder movetime 100"),
        ("btime 0 wtime 0 binc 1000 winc 500", "wtime 0 btime 0 winc 1000 binc 500"),
        ("nodes 100", "nodes 100"),
    ],
)
def test_clock_of_the_first_player_is_whites(go, uci):
    assert " ".join(clock_words(go.split(), Position("shogi"))) == uci


def test_second_player_has_its_own_byoyomi():
    position = Position("shogi")
    position.push(position.legal_moves()[0])
    go = "btime 60000 wtime 0 byoyomi 2000"
    assert " ".join(clock_words(go.split(), position)) == "movetime 2000"


@pytest.mark.parametrize("go", ["byoyomi", "byoyomi soon", "btime 1 byoyomi -5"])
def test_byoyomi_that_is_no_number_is_quoted(go):
    with pytest.raises(RefusedError, match="byoyomi needs a whole number of milliseconds"):
        clock_words(go.split(), Position("shogi"))


def test_mate_has_milliseconds_or_none():
    assert mate_words(["mate", "500"])[-2:] == ["movetime", "500"]
    assert mate_words(["mate", "infinite"]) == mate_words(["mate"])
    with pytest.raises(RefusedError, match="not 'soon'"):
        mate_words(["mate", "soon"])


def test_names_of_options_have_no_spaces():
    assert [usi_name(name) for name in ("Hash", "Clear Hash", "UCI_Elo", "Threads")] == [
        *("USI_Hash", "Clear_Hash", "USI_Elo", "Threads")
    ]


# cshogi as the client


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """An engine that cshogi has started; it takes one path, without arguments."""
    path = tmp_path_factory.mktemp("usi") / "engine"
    path.write_text(f"#!/bin/sh\nexec {sys.executable} -m surajang\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    engine = UsiEngine(str(path))
    engine.setoption("USI_Hash", 16)
    engine.isready()
    engine.usinewgame()
    yield engine
    engine.quit()


def test_client_knows_the_name_and_the_options(client):
    assert client.name.startswith("Surajang ")
    options = {line.split()[2] for line in client.usi() if line.startswith("option name ")}
    assert {"USI_Hash", "USI_Ponder", "USI_Variant", "MultiPV", "Threads", "EvalFile"} <= options


def test_game_by_byoyomi_has_legal_moves_only(client):
    board, moves, told = cshogi.Board(), [], []
    for _ in range(24):
        client.position(moves)
        best, reply = client.go(btime=0, wtime=0, byoyomi=60, listener=told.append)
        move = board.move_from_usi(best)
        assert board.is_legal(move), (best, moves)
        board.push(move)
        moves.append(best)
        assert reply is None or board.is_legal(board.move_from_usi(reply))
    lines = [line for line in told if line.startswith("info depth ") and " pv " in line]
    assert lines
    for line in lines[-20:]:  # of the last position: lines can be played
        played = cshogi.Board()
        for move in moves[:-1]:
            played.push_usi(move)
        for move in line.split(" pv ")[1].split():
            if not played.is_legal(played.move_from_usi(move)):
                break
            played.push_usi(move)
        else:
            return
    pytest.fail(f"no line can be played: {lines[-1]}")


def test_mate_is_found_and_side_without_a_move_resigns(client):
    client.position(sfen=f"sfen {MATE}")
    assert client.go_mate(byoyomi=5000) == "G*5b"
    client.position(sfen="sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1")
    assert client.go_mate(byoyomi=50) == "timeout"
    client.position(sfen=f"sfen {MATED}")
    assert client.go(byoyomi=1000) == ("resign", None)
    assert client.go_mate(byoyomi=1000) == "nomate"


# By hand


@pytest.fixture(scope="module")
def gui():
    """An engine in USI after `usi`."""
    gui = UciGui()
    gui.send("usi")
    gui.expect("usiok")
    gui.send("isready")
    gui.expect("readyok", READY)
    yield gui
    gui.close()


def test_isready_prepares_the_game_before_a_position_is_sent():
    """Programs for shogi send no other before the clock of the first move runs."""
    written = []
    talk = Usi(written.append, lambda event: None)
    for line in ("usi", "isready"):
        talk.handle(InputLine(line))
    assert talk._session.loading == "shogi" and "readyok" not in written


def asked(gui, *lines):
    gui.send(*lines, "isready")
    return gui.expect("readyok")[:-1]


def test_length_of_a_mate_is_in_plies(gui):
    gui.send(f"position sfen {MATE}", "go depth 4")
    *_, line, best = gui.expect("bestmove .*")
    assert " score mate 1 " in line and best == "bestmove G*5b"
    gui.send("position sfen 4k4/9/9/4P4/9/9/9/9/4K4 b 2G 1", "go depth 12")
    *_, line, _ = gui.expect("bestmove .*")
    plies = int(line.split(" score mate ")[1].split()[0])
    assert plies % 2 == 1 and plies > 1


def test_gameover_ends_a_search_without_a_move(gui):
    assert asked(gui, "position startpos", "go infinite", "gameover draw") == []
    assert asked(gui, "gameover never") == [
        "info string gameover is followed by win, lose, draw: gameover never"
    ]


def test_another_game_is_chosen_by_its_option(gui):
    said = asked(gui, "setoption name USI_Variant value minishogi", "position startpos moves 4e4d", "d")
    assert "Sfen: rbsgk/4p/5/PG3/K1SBR w - 2" in said
    asked(gui, "setoption name USI_Variant value shogi")


@pytest.mark.parametrize(
    "line, reason",
    [
        ("position fen 4k4/9 b - 1", "position should be followed by: startpos, or sfen BOARD"),
        ("position sfen 9/9 b - 1", "the position does not change; board: '9/9' has 2 ranks"),
        ("position startpos moves 7g7e", "'7g7e': the Pawn on 7g cannot go to 7e;"),
        ("position startpos moves 3c3d", "'3c3d': the piece on 3c is not White's;"),
        ("position startpos moves 7g7x", "'7g7x': is not a move; moves look like '7g7f', '8h2b+' or 'P*5e';"),
        ("position startpos moves j9j8", "'j9j8': the board has no square 'j9';"),
        ("position sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1 moves P*5i", "'P*5i': 5i is occupied;"),
        (
            "position sfen 4k4/P8/9/9/9/9/9/9/4K4 b - 1 moves 9b9a",
            "'9b9a': the promotion does not fit; possible: 9b9a+;",
        ),
        ("go byoyomi soon", "not 'soon'"),
        ("setoption name USI_Variant value pandemonium", "the value is not one of: shogi"),
        ("setoption name USI_Hsh value 3", "did you mean"),
        ("castle", "unknown command"),
    ],
)
def test_wrong_lines_are_quoted(gui, line, reason):
    (said,) = asked(gui, line)
    assert said.startswith("info string ") and reason in said and line.split()[-1] in said
