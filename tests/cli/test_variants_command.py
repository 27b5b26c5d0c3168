"""`surajang variants` and `--variant-file`: listing, showing, checking and choosing games."""

import os
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner
from surajang.cli import main
from surajang.engine.definition import catalogue
from surajang.engine.definition.catalogue import available, load, parse
from surajang.engine.rulebook import rules
from surajang.engine.rulebook.text_board import board_rows, drawings, legend, move_cells, move_rows
from surajang.protocol.session.user_games import FILE_VARIABLE

pytestmark = pytest.mark.process

TINY = """
name = "tiny"
title = "Tiny [red]chess"
start = "rnkbq/ppppp/5/PPPPP/RNKBQ w - - 0 1"

[board]
files = 5
ranks = 5

[pieces]
K = { name = "King", moves = "K", royal = true }
R = { name = "Rook", moves = "R" }
N = { name = "Knight", moves = "N" }
B = { name = "Bishop", moves = "B" }
Q = { name = "Queen", moves = "Q", value = 900 }
P = { name = "Pawn", moves = "fmWfcF", promotes = "Q" }

[promotion]
zone = [5]
mandatory = "P"

[end]
checkmate = "loss"
stalemate = "draw"
"""
HEIR = 'extends = "tiny"\nname = "tiny-heir"\ntitle = "Heir"\n[pieces]\nR = { value = 450 }\n'
KNIGHT = '"Knight", moves = "N"'


@pytest.fixture(autouse=True)
def alone(monkeypatch, tmp_path):
    """Only the engine's own games, in this process and in those that it starts."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for variable in (FILE_VARIABLE, "SURAJANG_VARIANT_PATH", "COLUMNS", "FORCE_COLOR"):
        monkeypatch.setenv(variable, "")
        monkeypatch.delenv(variable)


@pytest.fixture
def own(tmp_path):
    """The user's folder of games."""
    folder = tmp_path / "config" / "surajang" / "variants"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def tiny(tmp_path):
    """A file with another name than its game."""
    return written(tmp_path / "game.toml", TINY)


def written(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def surajang(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def new_process(*arguments, **options):
    command = [sys.executable, "-m", "surajang", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **options)


def words(text):
    """`text` without its line breaks."""
    return " ".join(text.split())


# The list


def test_list_has_every_game_with_its_board_its_pieces_and_what_is_special():
    run = surajang("variants")
    assert run.exit_code == 0
    for name in available():
        game = load(name)
        assert game.title in run.stdout
        (row,) = (line.split() for line in run.stdout.splitlines() if line.startswith(f"  {name} "))
        size = row.index("x", 1 + len(game.title.split()))
        assert (row[size - 1], row[size + 1]) == (str(game.files), str(game.ranks))
        letters = "".join(piece.letter for piece in game.pieces if "~" not in piece.letter)
        assert row[size + 2 : size + 5] == [f"{len(letters)}:", letters, "yes" if game.has_drops else "no"]
    assert "\x1b" not in run.stdout


def test_list_fits_a_narrow_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = [line for line in surajang("variants").stdout.splitlines() if line.startswith(" ")]
    assert max(map(len, lines)) <= 80
    text = words("\n".join(lines))
    for name in available():
        assert f" {name} " in text
        assert load(name).title in text


def test_families_and_own_games_have_headings_with_the_folder(own, monkeypatch, tmp_path):
    written(own / "tiny.toml", TINY)
    other = tmp_path / "other"
    other.mkdir()
    written(other / "tiny-heir.toml", HEIR)
    monkeypatch.setenv("SURAJANG_VARIANT_PATH", str(other))
    lines = surajang("variants").stdout.splitlines()
    place = {line.split()[0]: number for number, line in enumerate(lines) if line.strip()}
    headings = [lines.index(heading) for heading in lines if ", in " in heading]
    engine, *families, mine, others = headings
    assert [lines[heading] for heading in (engine, *families)] == [
        f"{title}, in {folder}" for folder, title in catalogue.FAMILIES.items()
    ]
    assert lines[mine] == f"Your own games, in {own}"
    assert lines[others] == f"Your own games, in {other}"
    assert engine < place["chess"] < families[0] < place["horde"] < families[1] < place["almost"]
    assert families[-1] < place["xiangqi"] < mine < place["tiny"] < others
    assert others < place["tiny-heir"]


@pytest.mark.parametrize(
    "name, text, reason",
    [
        ("broken.toml", TINY.replace("files = 5", "files = 99"), "board.files: 99"),
        ("empty.toml", "", "is missing"),
        ("garbage.toml", "[board", "not TOML"),
        ("other.toml", TINY, "name: 'tiny'"),
        ("chess.toml", TINY, "hidden"),
    ],
)
def test_broken_file_stands_in_the_list_with_its_error_in_one_line(own, name, text, reason):
    written(own / name, text)
    run = surajang("variants")
    assert run.exit_code == 0
    (line,) = (line for line in run.stdout.splitlines() if "cannot be played" in line)
    assert line.split()[0] == name.removesuffix(".toml")
    assert reason in line
    assert "pandemonium" in run.stdout


def test_file_of_the_command_line_stands_in_the_list(tiny):
    lines = surajang("--variant-file", tiny, "variants").stdout.splitlines()
    heading = lines.index("Named by --variant-file")
    assert any(line.split()[:1] == ["tiny"] for line in lines[heading:])


@pytest.mark.parametrize("arguments", [["variants"], ["variants", "janggi"]])
def test_listing_and_showing_load_no_compiler(arguments):
    code = f"""
import sys
from surajang.cli import main
try:
    main({arguments})
finally:
    assert "numba" not in sys.modules and "numpy" not in sys.modules
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    assert "Janggi" in run.stdout


# One game

MECHANICS = {
    "Setup: the first move": lambda game: game.setup_swaps,
    "face each other": lambda game: game.facing_kings,
    "may pass": lambda game: game.passing,
    "palace of each side": lambda game: game.palace,
    "immobilises the enemies": lambda game: game.merchants,
    "pushes that on": lambda game: game.bumping,
    "nothing left but its": lambda game: game.bare_king is not None,
    "may check but not mate": lambda game: any(piece.no_drop_mate for piece in game.pieces),
    "not dropped on a file": lambda game: any(piece.most_per_file for piece in game.pieces),
    "A FEN marks it with '~'": lambda game: any("~" in piece.letter for piece in game.pieces),
    "The most that a side may have by it": lambda game: game.promotion_limit,
    "may promote the piece": lambda game: any(
        p.promotes_to and p.letter not in game.promotion_last for p in game.pieces
    ),
    "by a move of its own from": lambda game: game.promotion_last,
    "goes to its captor's hand": lambda game: game.has_drops and game.captures_to_hand,
    "Captured pieces leave the game": lambda game: game.has_drops and not game.captures_to_hand,
    "must drop such a piece": lambda game: any(piece.must_drop for piece in game.pieces),
    "half on dark ones": lambda game: any(piece.both_colours for piece in game.pieces),
    "have the right, whichever comes first": lambda game: game.castling_dropped,
    "neither in check nor crossing": lambda game: game.castling and any(piece.royal for piece in game.pieces),
    "castle from any squares": lambda game: game.castling_free,
    "may begin on e1 or on d1": lambda game: game.castling_mirrored,
    "castles once at most": lambda game: game.castling_once,
    "The right is lost": lambda game: game.castling_by == "rights",
    "En passant:": lambda game: any(piece.en_passant for piece in game.pieces),
    "steps straight forward": lambda game: any(piece.long_steps == (0,) for piece in game.pieces),
    "steps diagonally forward": lambda game: any(piece.long_steps == (-1, 1) for piece in game.pieces),
    "captures without moving": lambda game: game.rifle_captures,
    "changes its colour": lambda game: game.colour_change,
    "divided into cells": lambda game: game.cells,
    "with its first move of the game": lambda game: game.first_moves,
    "enters, crosses or captures a wall": lambda game: game.walls,
    "never captures a piece of its own kind": lambda game: game.truce,
    "it is checked and mated like a king then": lambda game: game.last_royal and not game.last_royal.leftmost,
    "nearest to the a-file is royal": lambda game: game.last_royal and game.last_royal.leftmost,
    "(Betza notation) as well from": lambda game: game.square_moves,
    "For Black turn the board by half a turn": lambda game: game.promotion_turned,
    "only if it mates": lambda game: game.mates_allowed,
    "White promotes only to": lambda game: game.side_promotions,
    "blocks the leap": lambda game: any(move.lame for piece in game.pieces for move in piece.moves),
    "by a hop along a line": lambda game: any(move.hop for piece in game.pieces for move in piece.moves),
    "no slide takes it": lambda game: any(piece.shielded == "slides" for piece in game.pieces),
    "never hopped over": lambda game: any(piece.shielded == "hops" for piece in game.pieces),
    "Stalemate draws": lambda game: game.stalemate == "draw",
    "Stalemate loses": lambda game: game.stalemate == "loss",
    "Stalemate wins": lambda game: game.stalemate == "win",
    "gave check with every move": lambda game: game.repetition_perpetual_check == "loss",
    "without a capture": lambda game: game.quiet_moves,
    "Material that cannot mate": lambda game: game.dead_positions,
}


@pytest.mark.parametrize("name", available())
def test_sheet_describes_each_mechanic_of_a_game_and_no_other(name):
    game = load(name)
    run = surajang("variants", name)
    assert run.exit_code == 0
    assert "\x1b" not in run.stdout
    sheet = words(run.stdout)
    told = {phrase for phrase in MECHANICS if phrase in sheet}
    assert told == {phrase for phrase, has in MECHANICS.items() if has(game)}
    for text in (f"{game.title} ({name})", game.source, game.start_fen):
        assert text in sheet
    for sentences in rules.sections(game).values():
        assert all(words(sentence) in sheet for sentence in sentences)


@pytest.mark.parametrize("name", available())
def test_sheet_has_a_row_and_a_drawing_for_each_piece(name):
    game = load(name)
    sheet = surajang("variants", name).stdout
    rows = [line.split() for line in sheet.splitlines()]
    for piece in game.pieces:
        (row,) = (row for row in rows if row[:1] == [piece.letter] and piece.betza in row)
        assert piece.royal or str(piece.value) in row
        assert set(piece.promotes_to) <= set(row)
    drawn = [letter for letters, _ in drawings(game) for letter in letters]
    assert sorted(drawn) == sorted(piece.letter for piece in game.pieces if "~" not in piece.letter)
    for row in board_rows(game):
        assert f"│ {row}" in sheet
    for sign, meaning in legend(game).items():
        assert f"  {sign}  {meaning}" in sheet


def test_rules_name_squares_pieces_and_ranks():
    told = [sentence for part in rules.sections(load("pandemonium-vchess")).values() for sentence in part]
    assert "K: King e1 to h1, Rook j1 to g1." in told
    assert "Pawn: not dropped on the first or last rank." in told
    assert "Pawn: promotes to Gilding; it must promote where it reaches the last rank." in told
    assert any("any or none of b and c or i and h. It belongs to the start" in text for text in told)
    assert any("along a rank or a file" in text and "moved last loses" in text for text in told)
    janggi = words(str(rules.sections(load("janggi"))))
    assert "along a file with nothing between after a move and still after the reply" in janggi
    assert "The start position goes without it" in janggi
    assert "files d to f on its ranks 1 to 3" in janggi


def test_drops_and_promotions_of_a_file_are_reported():
    text = TINY.replace('"Pawn", moves = "fmWfcF", promotes = "Q"', '"Pawn", moves = "fW", promotes = "QN"')
    text = text.replace("/RNKBQ", "/RNKBQ[]")
    text += '[drops]\npieces = "PN"\nforbidden = { P = [1, 4, 5] }\none_per_file = "P"\nreverts = true\n'
    told = words(str(rules.sections(parse(text, "tiny.toml"))))
    assert "Pawn: not dropped on ranks 1, 4 or 5." in told
    assert "Pawn: not dropped on a file where an unpromoted one of its side stands." in told
    assert "Pawn: promotes to Queen or Knight" in told
    assert "Captured for good: Rook and Bishop." in told
    assert "promoted Knight to Pawn" in told


def test_limit_of_promotion_is_reported():
    text = TINY.replace('mandatory = "P"', 'limit = "captured"').replace('"Q" }', '"QN" }')
    told = words(str(rules.sections(parse(text, "tiny.toml"))))
    assert "The most that a side may have by it: Queen 1 and Knight 1." in told


def test_sheet_shows_texts_as_they_are(tiny):
    assert "Tiny [red]chess (tiny)" in surajang("--variant-file", tiny, "variants", "tiny").stdout


@pytest.mark.parametrize("arguments", [("variants",), ("perft", "--depth", "1", "--variant")])
def test_unknown_game_is_refused_with_a_suggestion(arguments):
    run = surajang(*arguments, "jangi")
    assert run.exit_code == 2
    assert "'jangi'" in run.stderr
    assert "did you mean 'janggi'?" in run.stderr
    assert "did you mean" not in surajang(*arguments, "zzz").stderr
    assert "'surajang variants' lists all games" in " ".join(surajang(*arguments, "zzz").stderr.split())


# Drawings


def rows_of(game, letter):
    return [row.split() for row in move_rows(load(game).piece(letter))]


def drawn(moves, **keys):
    """The cells of a piece with these moves."""
    more = "".join(f", {key} = {value}" for key, value in keys.items())
    return move_cells(parse(TINY.replace(KNIGHT, f'"Knight", moves = "{moves}"{more}'), "t.toml").piece("N"))


def test_knight_leaps_to_eight_squares():
    assert move_rows(load("chess").piece("N")) == [
        ". o . o .",
        "o . . . o",
        ". . N . .",
        "o . . . o",
        ". o . o .",
    ]


def test_janggi_horse_is_marked_as_lame():
    assert move_rows(load("janggi").piece("N")) == [
        ". ? . ? .",
        "? . . . ?",
        ". . N . .",
        "? . . . ?",
        ". ? . ? .",
    ]


def test_janggi_cannon_hops_along_lines_and_palace_diagonals():
    assert move_rows(load("janggi").piece("C")) == [
        ". . . ↑ . . .",
        ". * . ^ . * .",
        ". . . . . . .",
        "← ^ . C . ^ →",
        ". . . . . . .",
        ". * . ^ . * .",
        ". . . ↓ . . .",
    ]


def test_pawn_moves_straight_captures_diagonally_and_steps_further():
    assert rows_of("pandemonium", "P")[:4] == [
        [".", ".", ".", "i", ".", ".", "."],
        [".", ".", ".", "i", ".", ".", "."],
        [".", ".", "x", "m", "x", ".", "."],
        [".", ".", ".", "P", ".", ".", "."],
    ]
    assert {cell for row in rows_of("pandemonium", "P")[4:] for cell in row} == {"."}


def test_slides_end_in_arrows_and_short_ones_do_not():
    assert drawn("fR") == {(0, 1): "o", (0, 2): "o", (0, 3): "↑"}
    assert drawn("fmR") == {(0, 1): "m", (0, 2): "m", (0, 3): "↑"}
    assert drawn("fR2") == {(0, 1): "o", (0, 2): "o"}
    assert drawn("flB") == {(-1, 1): "o", (-2, 2): "o", (-3, 3): "↖"}


def test_slide_goes_beyond_the_leaps_of_the_same_piece():
    assert drawn("fRfW4") == {(0, 1): "o", (0, 2): "o", (0, 3): "o", (0, 4): "o", (0, 5): "↑"}


def test_rides_without_an_arrow_are_drawn_to_the_end():
    assert drawn("ffNN") == {
        **{(1, 2): "o", (2, 4): "o", (3, 6): "…"},
        **{(-1, 2): "o", (-2, 4): "o", (-3, 6): "…"},
    }


def test_square_that_is_reached_in_two_manners_has_both_signs():
    """The cannon of xiangqi slides when it moves and hops when it captures."""
    assert drawn("fmRfcpR") == {(0, 1): "m", (0, 2): "mx^", (0, 3): "↑"}
    assert drawn("fmWfcW") == {(0, 1): "o"}
    assert drawn("fmnD") == {(0, 2): "m?"}


def test_kinds_that_move_alike_share_a_drawing():
    letters = [letters for letters, _ in drawings(load("pandemonium"))]
    assert ["Q", "A", "W", "G"] in letters


def test_board_shows_start_coordinates_and_palaces():
    rows = board_rows(load("janggi"))
    assert rows[0] == "10 r n e a + a e n r"
    assert rows[1] == " 9 . . . + k + . . ."
    assert rows[-1] == "   a b c d e f g h i"


# A file


def test_check_explains_a_good_file_and_perft_plays_it(own, tmp_path):
    """A user's file that extends another one; the only test here that compiles code."""
    written(own / "tiny.toml", TINY)
    path = written(tmp_path / "heir.toml", HEIR)
    run = new_process("variants", "check", path)
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    told = words(run.stdout)
    assert "Heir (tiny-heir) can be played." in told
    assert "board 5 x 5" in told
    assert "K King, R Rook, N Knight, B Bishop, Q Queen, P Pawn" in told
    assert "drops none" in told
    assert "castling none" in told
    assert "moves at the start 7" in told
    assert "call the file tiny-heir.toml" in told
    (guessed,) = (line for line in run.stdout.splitlines() if "estimated values" in line)
    assert [word for word in guessed.split() if len(word) == 1] == ["N", "B", "P"]
    for options in (("perft", "--variant-file", path), ("--variant-file", path, "perft")):
        run = new_process(*options, "--depth", "1", "--divide")
        moves = [line.split(":")[0] for line in run.stdout.splitlines()[:-1]]
        assert sorted(moves) == ["a2a3", "b1a3", "b1c3", "b2b3", "c2c3", "d2d3", "e2e3"]


@pytest.mark.parametrize(
    "name, text, reason",
    [
        ("game.toml", TINY.replace("files = 5", "files = 6"), "game.toml: start: board: rank 5"),
        ("game.toml", TINY.replace('moves = "N"', 'moves = "X"'), "game.toml: pieces.N.moves: 'X'"),
        ("game.toml", TINY.replace('name = "tiny"', 'name = "chess"'), "name of another game"),
        ("game.toml", 'extends = "nothing"', "game.toml: extends: 'nothing'"),
        ("game.txt", TINY, ".toml"),
        ("game.toml", None, "cannot be read"),
        ("game.toml", TINY.replace("rnkbq/ppppp/5/", "rnkbq/pPppp/5/"), "game.toml: start: "),
        (
            "game.toml",
            re.sub("start = .*", 'start = "k4/RR3/5/5/4K b - - 0 1"', TINY),
            "game.toml: start: the game is over there: White mates",
        ),
    ],
)
def test_check_refuses_a_file_with_its_reason_in_one_line(tmp_path, name, text, reason):
    path = tmp_path / name
    if text is not None:
        written(path, text)
    run = surajang("variants", "check", path)
    assert run.exit_code == 1
    assert run.stdout == ""
    assert reason in run.stderr
    assert run.stderr.count("\n") == 1


def test_check_tells_which_aliases_belong_to_other_games(tmp_path):
    aliases = 'aliases = ["chess", "koth", "smallest"]\ntitle'
    path = written(tmp_path / "tiny.toml", TINY.replace("title", aliases, 1))
    run = new_process("variants", "check", path)
    assert run.returncode == 0, run.stderr
    assert re.findall(r"alias (\S+) is a name of (\S+) already", words(run.stdout)) == [
        ("chess", "chess"),
        ("koth", "kingofthehill"),
    ]


# Games of one's own in commands


COMMANDS = [("perft", "--depth", "1"), ("compile",), ("show",)]
COMMANDS += [("bench", "perft"), ("bench", "nps"), ("bench", "ttd"), ("bench", "smp"), ("bench", "start")]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_takes_a_file_and_refuses_a_bad_one(command, tiny, tmp_path):
    bad = written(tmp_path / "bad.toml", TINY.replace("files = 5", "files = 0"))
    run = surajang(*command, "--variant-file", bad)
    assert (run.exit_code, run.stdout) == (2, "")
    assert "bad.toml: board.files: 0" in run.stderr
    run = surajang(*command, "--variant-file", tiny, "--variant", "chess")
    assert (run.exit_code, run.stdout) == (2, "")
    assert "'chess'" in run.stderr
    assert "'tiny'" in run.stderr


def test_name_that_agrees_with_the_file_is_accepted(tiny):
    run = surajang("bench", "perft", "--variant", "tiny", "--variant-file", tiny, "--fen", "nonsense")
    assert "tiny has 5" in run.stderr


def test_engines_that_a_command_starts_learn_of_its_file(tiny):
    assert surajang("--variant-file", tiny, "variants", "tiny").exit_code == 0
    assert os.environ[FILE_VARIABLE] == str(tiny)
    run = new_process("variants", "tiny")
    assert "(tiny)" in run.stdout
    run = new_process("bench", "perft", "--variant", "chess", "--fen", "nonsense")
    assert "chess has 8" in run.stderr


def test_name_is_no_file():
    run = surajang("perft", "--depth", "1", "--variant", catalogue.FOLDER / "chess.toml")
    assert run.exit_code == 2
    assert "--variant-file" in run.stderr


def test_gui_is_told_of_the_game_in_a_file(tiny):
    command = [sys.executable, "-m", "surajang", "--variant-file", str(tiny)]
    pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with subprocess.Popen(command, **pipes) as engine:
        engine.stdin.write("xboard\nprotover 2\n")
        engine.stdin.flush()
        features = ""
        while "done=1" not in features:
            features += engine.stdout.readline()
        engine.stdin.write("quit\n")
    assert "tiny" in features.split('variants="')[1].split('"')[0].split(",")
