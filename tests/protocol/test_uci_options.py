"""The options of UCI, the notation of other games, and invalid text."""

import math
import re

import pytest
from surajang import Position
from surajang.engine.definition import catalogue
from surajang.match.players.spec import parse_engine
from surajang.match.players.start import start_player
from surajang.protocol.uci.notation import UciNotation
from surajang.protocol.uci.options import games
from surajang.protocol.wire.stdio import LONGEST_LINE
from surajang.search.levels import NODE_SPREAD, level_of
from surajang.tests.support.gui import READY, UciGui
from surajang.tests.support.uci import complaints, engine_at_the_start, fen_of, search, shared_engine

pytestmark = pytest.mark.process

shared, gui = shared_engine, engine_at_the_start


# Options


@pytest.mark.parametrize(
    "text, variant",
    [
        ("koth", "kingofthehill"),
        ("Three-check", "3check"),
        ("janggitraditional", "janggi"),
        ("Mini", "minishogi"),
        ("chess 960", "chess960"),
        ("koth960", "kingofthehill960"),
    ],
)
def test_game_is_chosen_by_its_title_or_an_alias_too(text, variant):
    assert games().read(text) == variant


def test_chess960_changes_the_castling_of_the_game(gui):
    gui.ask("setoption name UCI_Chess960 value true", within=READY)
    try:
        gui.ask("position fen 4k3/8/8/8/8/8/8/1R2KR2 w FB - 0 1", within=READY)
        assert fen_of(gui).split()[2] == "FB"
        assert {"e1f1: 1", "e1b1: 1"} <= set(gui.ask("go perft 1"))
        gui.ask("position fen 4k3/8/8/8/8/8/8/1R2KR2 w FB - 0 1 moves e1b1")
        assert fen_of(gui).startswith("4k3/8/8/8/8/8/8/2KR1R2")
        gui.ask("position startpos moves g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1g1")  # as other games write it
        assert fen_of(gui).split()[2] == "ha"
    finally:
        gui.ask("setoption name UCI_Chess960 value false", within=READY)
    gui.ask("position startpos", within=READY)
    assert fen_of(gui).split()[2] == "KQkq"


def test_several_lines_are_searched_and_the_best_comes_first(gui):
    gui.ask("setoption name multipv value 3", "position startpos")
    infos, answer = search(gui, "go depth 4")
    last = [info for info in infos if info["depth"] == "4"]
    assert [info["multipv"] for info in last] == ["1", "2", "3"]
    assert len({info["pv"].split()[0] for info in last}) == 3
    assert answer[1] == last[0]["pv"].split()[0]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "setoption should be followed by"),
        ("Hash 3", "setoption should be followed by"),
        ("name", "setoption should be followed by"),
        ("name value", "setoption should be followed by"),
        ("name value 3", "setoption should be followed by"),
        ("name Hahs value 3", "did you mean 'Hash'?"),
        ("name Hash", "not a whole number"),
        ("name Hash value", "not a whole number"),
        ("name Hash value 0", "not from 1 to 1048576"),
        ("name Hash value -5", "not from 1 to 1048576"),
        ("name Hash value 99999999999999", "not from 1 to 1048576"),
        ("name Skill Level value 21", "not from 0 to 20"),
        ("name Hash value 1048576", "does not have so much memory"),
        ("name MultiPV value many", "not a whole number"),
        ("name UCI_Elo value 99999", "not from 200 to 3200"),
        ("name UCI_LimitStrength value maybe", "neither true nor false"),
        ("name UCI_Variant value fisherandom", "unknown variant; did you mean 'fischerandom'?"),
        ("name UCI_Variant value crazyhose", "unknown variant; did you mean 'crazyhouse'?"),
        ("name UCI_Variant value ../x", "unknown variant; 'surajang variants' lists all games"),
        ("name UCI_Variant value bughouse", "games on two boards are not played"),
        ("name VariantPath value /no/such/folder", "no such file or folder"),
    ],
)
def test_bad_option_is_quoted_and_changes_nothing(gui, text, reason):
    before = fen_of(gui)
    (complaint,) = complaints(gui.ask(f"setoption {text}"))
    assert reason in complaint and "setoption" in complaint
    assert fen_of(gui) == before


def test_options_are_taken(gui):
    assert (
        gui.ask(
            "setoption name Hash value 8",
            "setoption name   Move   Overhead  value 100",
            "setoption name threads value 2",
            "setoption name Clear Hash",
            "setoption name Ponder value true",
        )
        == []
    )
    _, answer = search(gui, "go depth 4", "position startpos")
    assert len(answer[1]) == 4
    assert gui.ask("setoption name Threads value 1", "setoption name Hash value 64") == []


def test_overhead_is_kept_back(gui):
    gui.ask("setoption name Move Overhead value 400", "debug on", "position startpos")
    gui.send("go movetime 900")
    (limits,) = (line for line in gui.expect("bestmove .*") if "limits" in line)
    assert limits == "info string limits: movetime 500 ms"


def test_limited_strength_means_few_nodes(gui):
    """They are random, at most five standard deviations above the level's in three million moves."""
    most = level_of(1100).nodes * math.exp(5 * NODE_SPREAD)
    gui.ask("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 1100")
    infos, answer = search(gui, "go movetime 20000", "position startpos")
    assert int(infos[-1]["nodes"]) < most and {info["multipv"] for info in infos} == {"1"}
    assert re.fullmatch(r"[a-h][1-8][a-h][1-8]", answer[1])
    gui.ask("setoption name UCI_AnalyseMode value true")
    infos, _ = search(gui, f"go nodes {round(4 * most)}")
    assert int(infos[-1]["nodes"]) > most


@pytest.mark.parametrize(
    ("name", "files", "first"),
    [("standard", 8, "rnbqkbnr/pppppppp/8"), ("Normal", 8, "rnbqkbnr/pppppppp/8"), ("crazyhouse", 8, "rnbq")],
)
def test_games_have_the_names_that_others_use(gui, name, files, first):
    (line,) = complaints(gui.ask(f"setoption name UCI_Variant value {name}", within=READY))
    assert f" files {files} " in line and f" startpos {first}" in line
    assert fen_of(gui).startswith(first)


def test_game_is_known_by_its_file(gui, tmp_path):
    file = tmp_path / "knighthouse.toml"
    file.write_text(
        'extends = "crazyhouse"\nname = "knighthouse"\ntitle = "Knighthouse"\n'
        'start = "nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/NNNNKNNN[] w - - 0 1"\ncastling = false\n'
    )
    assert complaints(gui.ask(f"setoption name VariantPath value {tmp_path}")) == ["games added: knighthouse"]
    assert gui.ask("setoption name VariantPath value <empty>") == []
    gui.send("uci")
    offered = next(line for line in gui.expect("uciok") if " UCI_Variant " in line)
    assert " var knighthouse" in offered
    (tmp_path / "broken.toml").write_text("name = 3")
    (complaint,) = complaints(gui.ask(f"setoption name VariantPath value {tmp_path / 'broken.toml'}"))
    assert "broken.toml" in complaint
    (tmp_path / "a.toml").write_text("name = 3")
    added, *others = complaints(gui.ask(f"setoption name VariantPath value {tmp_path}"))
    assert added == "games added: knighthouse"
    for other, name in zip(others, ("a.toml", "broken.toml"), strict=True):
        assert other.startswith("not added: ") and f"{name}: " in other


def test_skill_level_means_few_nodes_unless_an_elo_number_is_wanted(gui):
    gui.ask("setoption name Skill Level value 3", "position startpos")
    infos, _ = search(gui, "go movetime 20000")
    assert int(infos[-1]["nodes"]) < 3000
    gui.ask("setoption name UCI_Elo value 1900", "setoption name UCI_LimitStrength value true")
    infos, _ = search(gui, "go movetime 20000")
    assert int(infos[-1]["nodes"]) > 3000
    gui.ask("setoption name Skill Level value 20", "setoption name UCI_LimitStrength value false")


def test_chances_follow_the_score_and_add_up(gui):
    gui.ask("setoption name UCI_ShowWDL value true", "position startpos")
    gui.send("go depth 4")
    lines = [line for line in gui.expect("bestmove .*") if line.startswith("info depth")]
    gui.ask("setoption name UCI_ShowWDL value false")
    for line in lines:
        _, win, draw, loss = re.search(r" score (cp -?\d+) wdl (\d+) (\d+) (\d+) nodes ", line).groups()
        assert int(win) + int(draw) + int(loss) == 1000


def test_debug_reports_the_limits(gui):
    gui.ask("debug on", "position startpos")
    for go, limits in (
        ("go depth 1", "depth 1"),
        ("go depth 1 searchmoves a2a3 b2b4", "depth 1, searchmoves a2a3 b2b4"),
        (
            "go nodes 5 wtime 900 btime 1 winc 10 movestogo 9",
            "nodes 5, clock 900 ms + 10 ms a move, 9 moves to go",
        ),
    ):
        gui.send(go)
        assert f"info string limits: {limits}" in gui.expect("bestmove .*")
    assert complaints(gui.ask("debug maybe")) == ["debug is on or off: debug maybe"]


# Janggi, on ten ranks


@pytest.fixture(scope="module")
def janggi():
    gui = UciGui()
    gui.start("janggi")
    yield gui
    gui.close()


@pytest.mark.parametrize("text", ["e2e2", "0000", "@@@@", "pass"])
def test_pass_is_read_in_every_spelling(janggi, text):
    assert complaints(janggi.ask(f"position startpos moves {text} a7a6")) == []
    assert complaints(janggi.ask("position startpos")) == []


def test_pass_is_written_as_the_kings_own_square(janggi):
    janggi.ask("position fen 4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1")
    _, answer = search(janggi, "go depth 2 searchmoves 0000")
    assert answer[1] == "d1d1"


def test_ten_ranks_are_counted_from_one_and_elephants_are_read_and_written_as_fairy_stockfish_does(janggi):
    fen = "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1"
    assert complaints(janggi.ask(f"position fen {fen} moves a1a2 a10a9")) == []
    janggi.ask(f"position fen {fen}")
    assert fen_of(janggi) == fen
    drawn = [line for line in janggi.ask("d") if line.startswith(("10", " 1"))]
    assert drawn == ["10  r n b a . a b n r", " 1  R N B A . A B N R"]


# Bad input


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe\x80\n",
        b"\0\0\0\n",
        b"position fen \xc3\x28\n",
        b"x" * (LONGEST_LINE + 1) + b"\n",
        b"position startpos moves " + b"e2e4 " * 500_000 + b"\n",
        b"setoption name \xf0\x9f\x98\x80 value 3\n",
        b"go perft \xe2\x80\xae3\n",
    ],
    ids=["no-utf8", "nul", "no-utf8-fen", "long", "2-MB-moves", "option", "override"],
)
def test_bytes_that_are_no_text_get_a_line_and_change_nothing(gui, line):
    gui.ask("position startpos moves e2e4")
    before = fen_of(gui)
    gui.send(line)
    (answer,) = complaints(gui.ask())
    assert answer.isprintable() and len(answer) < 450
    assert fen_of(gui) == before


@pytest.mark.parametrize(
    "word", [b"e2\0e4", b"\xff\xfe", b"\xe2\x80\xae"], ids=["nul", "no-utf8", "override"]
)
def test_moves_that_are_no_text_are_named_in_a_line_of_text(gui, word):
    gui.send(b"position startpos moves e2e4 " + word + b" e7e5\n")
    (answer,) = complaints(gui.ask())
    assert answer.isprintable() and len(answer) < 450 and "is not a move" in answer
    assert " b KQkq " in fen_of(gui)


def test_lines_may_end_as_in_windows(gui):
    gui.send(b"position startpos moves e2e4\r\ngo depth 1\r\n")
    gui.expect("bestmove .*")


# Spelling


@pytest.mark.parametrize(
    ("variant", "fen", "move", "text"),
    [
        ("pandemonium", "4k5/P9/10/10/10/10/10/10/10/4K5[] w - - 0 1", "a9a10g", "a9a10+"),
        ("pandemonium", "4k5/10/10/10/10/10/10/10/10/4K5[P] w - - 0 1", "P@d4", "P@d4"),
        ("crazyhouse", "k7/4P3/8/8/8/8/8/4K3[] w - - 0 1", "e7e8n", "e7e8n"),
        ("janggi", None, "e2e2", "e2e2"),
    ],
)
def test_moves_are_spelled_as_fairy_stockfish_does(variant, fen, move, text):
    position = Position(variant, fen)
    notation = UciNotation(position.description)
    assert notation.write_move(position.parse_move(move)) == text
    assert str(position.parse_move(notation.read_move(text))) == move


@pytest.mark.parametrize("variant", ["minishogi", "janggi", "crazyhouse"])
def test_promoted_pieces_and_letters_are_written_as_others_read_them(variant):
    fens = {
        "minishogi": ("Dbsgk/4p/5/P4/KGS1R[] w - - 0 1", "+Rbsgk/4p/5/P4/KGS1R[] w - - 0 1"),
        "janggi": ("4k4/4e4/9/9/9/9/9/9/4K4/2E6 w Ss - 0 1", "4k4/4b4/9/9/9/9/9/9/4K4/2B6 w - - 0 1"),
        "crazyhouse": ("4k3/8/8/8/8/8/8/4KQ~2[Q] w - - 0 1", "4k3/8/8/8/8/8/8/4KQ~2[Q] w - - 0 1"),
    }
    own, other = fens[variant]
    assert UciNotation(catalogue.load(variant)).write_fen(own) == other


# The player of the tournament


@pytest.mark.parametrize("variant", ["crazyhouse", "janggi", "pandemonium"])
def test_player_drives_the_game(variant):
    position = Position(variant)
    spec = parse_engine("cmd=surajang proto=uci nodes=200 option.Hash=8")
    player = start_player(spec, position.description)
    player.new_game(position, spec.control, spec.control, 0)
    for _ in range(6):
        answer = player.think(position, None, None)
        position.push(answer.move)
        assert 0 < answer.thinking.nodes <= 200
    leaves, _ = player.perft(position, 1)
    assert leaves == len(position.legal_moves())
    player.close()
