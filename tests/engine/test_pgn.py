"""`surajang.pgn`: games of any variant, read in other programs' forms, and kept up to an error."""

import io
import random

import chess.pgn
import pytest
from surajang import pgn
from surajang.tests.support.pgn_texts import BARE, errors_of, moves_of, read, read_well, tree_of

pytestmark = pytest.mark.compiled


# Tokens


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1. e4$1 e5$6", "1. e4 $1 e5 $6 *"),
        ("1.e4! e5?? 2.Nf3!? Nc6?! 3.Bb5!! a6?", "1. e4 $1 e5 $4 2. Nf3 $5 Nc6 $6 3. Bb5 $3 a6 $2 *"),
        ("1. e4!$14$36 e5", "1. e4 $1 $14 $36 e5 *"),
        ("1. e4 ± e5 2. Nf3⩲ Nc6 +- 3. Bb5 =", "1. e4 $16 e5 2. Nf3 $14 Nc6 $18 3. Bb5 $10 *"),
        ("1.e4 e5 2 Nf3 Nc6 3...a6", None),
        ("1.e4e5", None),
        ("1 e4 1... e5 2 . Nf3 2. ... Nc6", "1. e4 e5 2. Nf3 Nc6 *"),
        ("1. e4 {a} {b} e5 ; c } (\n2. Nf3 {d\n  e}", "1. e4 {a b} 1... e5 {c ) (} 2. Nf3 {d e} *"),
        ("{x} 1. e4 (1. d4 {y}) ({z} 1. c4)", "{x} 1. e4 ( 1. d4 {y} ) ( {z} 1. c4 ) *"),
        (
            "1. e4 e5 (1... c5 2. Nf3 (2. c3) 2... d6) 2. d4",
            "1. e4 e5 ( 1... c5 2. Nf3 ( 2. c3 ) 2... d6 ) 2. d4 *",
        ),
        ("1. e4 d5 2. exd5 e5 3. dxe6 e.p. *", "1. e4 d5 2. exd5 e5 3. dxe6 *"),
        ("1. f3 e5 2. g4 Qh4 mate 0-1", "1. f3 e5 2. g4 Qh4# 0-1"),
        ("% not for us\n1. e4\n%(\n e5", "1. e4 e5 *"),
        ("1. e4 <reserved> e5", "1. e4 e5 *"),
        ("1. e4 -- 2. d4 Z0", "1. e4 -- 2. d4 -- *"),
        ("1.d2d4 d7d5 2.O-O-O", None),
        ("1/2-1/2", "1/2-1/2"),
        ("1. e4 1/2", "1. e4 1/2-1/2"),
        ("1. e4, e5, 2. Nf3 , Nc6 *", "1. e4 e5 2. Nf3 Nc6 *"),
        ("1. e4 e5 D 2. Nf3 *", "1. e4 e5 2. Nf3 *"),
        ("1. e4 e5 1:0", "1. e4 e5 1-0"),
        ("1. e4 e5 0:1\n", "1. e4 e5 0-1"),
        ("1. e4 e5 ½:½", "1. e4 e5 1/2-1/2"),
        ("1. e4 d5 2. ed c6 3. dxc bc *", "1. e4 d5 2. exd5 c6 3. dxc6 bxc6 *"),
        ("1. e4 d5 2. e:d Nf6 *", "1. e4 d5 2. exd5 Nf6 *"),
        (
            "1. a4 b5 2. ab a6 3. ba Bb7 4. ab Nc6 5. ba(Q) (5. bxa8(N)!? Qb8) 5... Qxa8 *",
            "1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. bxa8=Q ( 5. bxa8=N $5 Qb8 ) 5... Qxa8 *",
        ),
        ("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 0-0 0-1", "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O 0-1"),
    ],
)
def test_moves_as_others_write_them_are_read(text, written):
    game = read(text)
    if written is None:
        assert game.errors
    else:
        assert game.errors == []
        assert game.accept(BARE) == written


def test_colours_that_cute_chess_adds_in_andernach_chess_are_read():
    game = read_well(
        "1. Nf3 e5 2. Nxe5(=bN) Nd3+ 3. cxd3(=bP) dxe2(=wP) 4. Qc2 Qe7 5. Qxc7(=bQ) *", "andernach"
    )
    assert moves_of(game)[4:] == ["c2d3", "d3e2", "d1c2", "d8e7", "c2c7"]


def test_null_move_passes_the_turn_also_before_a_variation():
    game = read_well("1. e4 -- (1... e5) 2. d4 *")
    null = game.end().parent
    assert null.move == pgn.NULL and null.san() == "--"
    assert null.position().fen() == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2"
    assert [node.san() for node in null.parent.variations] == ["--", "e5"]
    assert game.next().add_variation("--").position().turn == 0


def test_null_move_in_check_is_refused():
    assert errors_of("1. e4 f6 2. Qh5+ -- 3. Qxe8") == [
        "line 1: move '--': the turn cannot be passed in a check"
    ]


def test_pass_of_janggi_is_no_null_move():
    game = read_well('[Variant "Janggi"]\n\n1. -- -- *')
    assert moves_of(game) == ["e2e2", "e9e9"]
    assert game.end().position().result().score == "1/2-1/2"


# Errors


@pytest.mark.parametrize(
    ("text", "error", "kept"),
    [
        ("1. e4 e5\n2. Ke3 Nc6 *", "line 2: move 'Ke3': the King on e1 cannot go to e3", "1. e4 e5 *"),
        ("1. e4 d5 2. ef *", "line 1: move 'ef': is not a move", "1. e4 d5 *"),
        ("1. e4 what?", "line 1: move 'what': is not a move; moves look like", "1. e4 *"),
        ("1. f3 e5 2. g4 Qh4 3. a3", "line 1: move 'a3': the game is over", "1. f3 e5 2. g4 Qh4# *"),
        (
            "1. e4 {never\nclosed",
            "line 1: the comment that begins with '{never' never ends",
            "1. e4 {never closed} *",
        ),
        ("1. e4 (1. d4\n e5 *", "line 1: '(' begins a variation that never ends", "1. e4 ( 1. d4 e5 ) *"),
        ("1. e4) e5", "line 1: ')' ends a variation that was never begun", "1. e4 e5 *"),
        ("1. e4 } e5", "line 1: '}' ends a comment that was never begun", "1. e4 e5 *"),
        ("(1. d4) 1. e4", "line 1: '(' begins a variation before any move", "1. e4 *"),
        (
            "1. e4 ((1. d4) 1. c4) e5",
            "line 1: '(' begins a variation before any move",
            "1. e4 ( 1. c4 ) 1... e5 *",
        ),
        ("[Event x]\n\n1. e4 *", "line 1: '[Event x]' is not a tag; tags look like", "1. e4 *"),
        ("1. e4\n[what is this]\ne5", "line 2: '[what is this]' is not a tag", "1. e4 e5 *"),
        ('\n[FEN "8/8 w"]\n\n1. e4 *', "line 2: board: '8/8' has 2 ranks", None),
        (
            '[Variant "Zertz"]\n\n1. e4 *',
            "line 1: the variant 'Zertz' is not known; 'surajang variants'",
            None,
        ),
        ('[Variant "crazyhose"]\n\n1. e4', "did you mean 'crazyhouse'?", None),
        (f'[Variant "{"p" * 3000}"]\n\n1. e4', f"the variant '{'p' * 37}...' is not known", None),
        ("1. " + "e" * 200, "line 1: move 'eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee...': is not", "*"),
    ],
)
def test_game_is_kept_up_to_an_error_that_is_reported_with_its_line(text, error, kept):
    game = read(text)
    assert len(game.errors) == 1
    assert error in str(game.errors[0])
    assert isinstance(game.errors[0], ValueError)
    if kept is not None:
        assert game.accept(BARE) == kept


def test_tags_of_a_game_that_cannot_be_set_up_are_kept():
    game = read('[White "Ann"]\n[Variant "Gess"]\n[Result "1-0"]\n\n1. e4 1-0')
    assert (game.headers["White"], game.headers["Result"]) == ("Ann", "1-0")
    with pytest.raises(ValueError, match="Gess"):
        game.position()


def test_illegal_move_in_a_variation_ends_only_that_variation():
    text = "1. e4 e5 (1... c5 2. Ke4 Nf6 (2... e6) 3. d4) 2. Nf3 Nc6 *"
    game = read(text)
    assert game.accept(BARE) == "1. e4 e5 ( 1... c5 ) 2. Nf3 Nc6 *"
    assert len(game.errors) == 1


def broken_text(seed):
    """The moves of a random game with variations, in which a move of the main line may be illegal. After an
    illegal move in a variation python-chess continues in the wrong position."""
    chance = random.Random(seed)

    def line(board, depth, plies):
        words = []
        for _ in range(plies):
            moves = list(board.legal_moves)
            if not moves:
                break
            move = chance.choice(moves)
            broken = depth == 0 and chance.random() < 0.05
            words.append("Ke5" if broken else board.san(move))
            words += ["$3"] * (chance.random() < 0.1) + ["{said}"] * (chance.random() < 0.2)
            if depth < 3 and chance.random() < 0.3:
                words += ["(", *["{first}"] * (chance.random() < 0.3), *line(board.copy(), depth + 1, 4), ")"]
            board.push(move)
        return words

    return " ".join(line(chess.Board(), 0, 20)) + " *"


@pytest.mark.parametrize("seed", range(40))
def test_broken_game_is_the_tree_that_python_chess_reads(seed):
    text = broken_text(seed)
    ours, theirs = read(text), chess.pgn.read_game(io.StringIO(text))
    assert tree_of(ours) == tree_of(theirs)
    assert (ours.comment, bool(ours.errors)) == (theirs.comment, bool(theirs.errors))


# Tags and variants


@pytest.mark.parametrize(
    ("name", "variant"),
    [
        *[("Standard", "chess"), ("From Position", "chess"), ("normal", "chess"), ("chess", "chess")],
        *[("Crazyhouse", "crazyhouse"), ("crazyhouse", "crazyhouse"), ("8x8+5_crazyhouse", "crazyhouse")],
        *[
            ("King of the Hill", "kingofthehill"),
            ("kingofthehill", "kingofthehill"),
            ("koth", "kingofthehill"),
        ],
        *[
            ("Janggi", "janggi"),
            ("janggitraditional", "janggi"),
            ("Xiangqi", "xiangqi"),
            ("Makruk", "makruk"),
        ],
        *[("Minishogi", "minishogi"), ("mini", "minishogi"), ("Cannon Shogi", "cannonshogi")],
        *[("Capablanca", "capablanca"), ("Capablanca chess", "capablanca"), ("Placement chess", "placement")],
        *[("Pandemonium (vchess)", "pandemonium-vchess"), ("PANDEMONIUM", "pandemonium"), ("Shogi", "shogi")],
    ],
)
def test_variant_tag_of_another_program_names_our_game(name, variant):
    assert read_well(f'[Variant "{name}"]\n\n*').variant == variant


def test_game_without_the_tag_is_the_default_of_the_caller():
    assert moves_of(read_well("1. e4 d5 2. exd5 *", "crazyhouse")) == ["e2e4", "d7d5", "e4d5"]
    assert read_well("*", "crazyhouse").variant == "crazyhouse"
    assert read_well('[Variant "Standard"]\n\n*', "crazyhouse").variant == "chess"


def test_text_of_a_game_is_parsed_without_a_file():
    text = '[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 *\n\n[Event "next"]\n\n1. d4 *\n'
    game = pgn.parse_game(text)
    assert game.variant == "crazyhouse" and moves_of(game) == ["e2e4", "d7d5", "e4d5"]
    assert moves_of(pgn.parse_game("")) == []
    for thing in (None, b"1. e4", 3):
        with pytest.raises(TypeError, match="is not a game's text: a GameText, or a text in PGN"):
            pgn.parse_game(thing)


def test_game_of_an_unknown_variant_cannot_be_made():
    with pytest.raises(ValueError, match="did you mean 'janggi'"):
        pgn.Game("jangi")
    with pytest.raises(ValueError, match="'jangi'"):
        list(pgn.read_games(io.StringIO("*"), "jangi"))


def test_game_of_a_file_is_written_and_read_by_its_name(tmp_path):
    path = tmp_path / "queens.toml"
    path.write_text('extends = "chess"\nname = "queens"\ntitle = "Queens"\n')
    game = pgn.Game(str(path))
    game.add_line(["e4", "e5"])
    assert '[Variant "queens"]' in str(game)
    assert moves_of(read_well(str(game), str(path))) == ["e2e4", "e7e5"]
    assert read(str(game)).errors


def test_position_of_the_fen_tag_is_the_first_one():
    fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 7"
    game = read_well(f'[SetUp "1"]\n[FEN "{fen}"]\n\n7... Kd7 8. e4 *')
    assert game.position().fen() == fen
    assert (game.ply(), game.turn(), game.end().ply(), game.end().turn()) == (13, 1, 15, 1)
    assert game.accept(BARE) == "7... Kd7 8. e4 *"


@pytest.mark.parametrize(
    ("fields", "first"), [("", "1. e4"), ("w", "1. e4"), ("w - - 0", "1. e4"), ("w - - 3 12", "12. e4")]
)
def test_moves_are_numbered_from_the_first_position(fields, first):
    game = read_well(f'[FEN "4k3/8/8/8/8/8/4P3/4K3 {fields}"]\n\ne4 *')
    assert game.accept(BARE) == f"{first} *"


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ('[White "A \\"b\\" \\\\ c"]', 'A "b" \\ c'),
        ('[White "A "b" c"]', 'A "b" c'),
        ('[White "unclosed]', "unclosed"),
        ('  [ White   "spaces" ]  ', "spaces"),
        ('[Event "x"] [White "second"]', "second"),
        ('[White ""]', ""),
    ],
)
def test_tag_is_read_however_it_is_written(line, value):
    assert read_well(f"{line}\n\n1. e4 *").headers["White"] == value


def test_tags_come_in_the_order_of_the_standard_and_unknown_ones_as_they_were_set():
    game = pgn.Game(headers={"Opening": "x", "Result": "1-0", "White": "A"})
    game.headers["Annotator"] = "B"
    assert list(game.headers) == [
        *("Event", "Site", "Date", "Round", "White", "Black", "Result", "Opening", "Annotator")
    ]
    with pytest.raises(ValueError, match="'a b'"):
        game.headers["a b"] = "x"


def test_result_at_the_end_counts_where_the_tag_knows_none():
    assert read_well("1. e4 1-0").headers["Result"] == "1-0"
    assert read_well('[Result "*"]\n\n1. e4 0-1').headers["Result"] == "0-1"
    assert read_well('[Result "1/2-1/2"]\n\n1. e4 1-0').headers["Result"] == "1/2-1/2"


# More that others write


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1. e2\u2013e4 e7\u2014e5 2. O\u2013O\u2013O", None),
        ("1. e2\u2013e4 e7\u2014e5 1\u20130", "1. e4 e5 1-0"),
        ("1. e4 e5 ½\u2013½", "1. e4 e5 1/2-1/2"),
        ("1. e4\u00a0e5 1… *", "1. e4 e5 *"),
        ("1. E2E4 E7-E5 *", "1. e4 e5 *"),
        ("1. e4 e5 *\n\x1a", "1. e4 e5 *"),
        ("{for the file}\n\n; more\n\n1. e4 *", "{for the file more} 1. e4 *"),
        ("1. e4 e5 2. Nf3 Nc6 N 3. Bb5N *", "1. e4 e5 2. Nf3 Nc6 $146 3. Bb5 $146 *"),
    ],
)
def test_signs_that_others_use_are_read(text, written):
    games = list(pgn.read_games(io.StringIO(text)))
    assert len(games) == 1
    assert bool(games[0].errors) == (written is None)
    assert written is None or games[0].accept(BARE) == written


def test_comment_before_the_tags_is_no_game():
    games = list(pgn.read_games(io.StringIO('{games of 1900}\n\n[White "a"]\n\n1. e4 *\n')))
    assert [game.headers["White"] for game in games] == ["a"]


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ('[X-Annotator "A"]', "X-Annotator", "A"),
        ('[FEN ""]', "FEN", ""),
        ('[Variant "?"]', "Variant", "?"),
        ('[Result "1\u20130"]', "Result", "1-0"),
        ('[Result " 1/2 "]', "Result", "1/2-1/2"),
        ('[White "A"] 1. e4', "White", "A"),
    ],
)
def test_odd_tag_leaves_the_game_readable(line, name, value):
    game = read_well(f"{line}\n\ne4 e5 *" if "e4" not in line else f"{line} e5 *")
    assert game.headers[name] == value
    assert moves_of(game) == ["e2e4", "e7e5"]


def test_king_of_a_pass_is_read_as_other_programs_write_it():
    game = read_well('[Variant "Janggi"]\n\n1. Ke2 Pa6 2. -- *')
    assert moves_of(game) == ["e2e2", "a7a6", "e2e2"]


@pytest.mark.parametrize("line", ['[Result"1-0"]', '[ Result  "1-0" ]', '[Result "1-0"]  '])
def test_tags_may_have_any_blanks(line):
    game = read(f"{line}\n\n1. e4 1-0")
    assert game.headers["Result"] == "1-0" and game.errors == []
