"""Openings: generated ones, files, and errors about wrong files."""

import gzip
import random
from functools import partial

import chess
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from surajang import Engine, Position, VariantError
from surajang.engine.definition import catalogue
from surajang.engine.variant import Variant
from surajang.match.match_options import MatchOptions
from surajang.match.match_setup import Preparation, find_or_make_openings
from surajang.match.openings import opening_suites
from surajang.match.openings import openings as openings_module
from surajang.match.openings.opening_files import epd_line, load_openings, save_openings, save_suite
from surajang.match.openings.openings import BookError, _Walk, ends_at_once, generate, pick
from surajang.match.records.model import Opening
from surajang.protocol.terminal.console import note

pytestmark = pytest.mark.compiled

COMPILES_NOTHING = Preparation(note, lambda *_: None)

GAMES = ["chess", "crazyhouse", "pandemonium", "pandemonium-vchess", "janggi", "chaotic", "minishogi"]
CHESS_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
BLACK_TO_MOVE = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 9"
few = partial(generate, count=3, seed=5, nodes=300)


def played(opening, variant):
    position = Position(variant, opening.fen)
    for move in opening.moves:
        position.push(move)
    return position


def book(tmp_path, text, name="book.epd"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.fixture
def level(interpreted_search, monkeypatch):
    """Every position that is not over is level, without a search: for what openings are whatever it finds."""
    monkeypatch.setattr(_Walk, "_score", lambda walk, nodes: 0 if walk.position.result() is None else None)


@pytest.mark.parametrize("variant", [game for game in GAMES if game != "chaotic"])  # its moves take long
def test_openings_are_legal_different_and_not_over(variant, request):
    if variant != "crazyhouse":
        request.getfixturevalue("level")
    openings = few(variant)
    positions = [played(opening, variant) for opening in openings]
    assert len({position.key for position in positions}) == len(openings) == 3
    assert all(position.result() is None for position in positions)
    assert all(opening.fen == Position(variant).description.start_fen for opening in openings)
    assert len({opening.name for opening in openings}) == 3
    for position in positions:
        assert sum(not move.is_choice for move in position.moves) == 8


def final_scores(variant, openings, nodes):
    """The scores of the openings, by an engine that sees only their positions."""
    engine = Engine(variant, hash_mb=1)
    for opening in openings:
        engine.clear()
        score = engine.play(played(opening, variant), nodes=nodes).score
        assert score.mate is None
        yield abs(score.centipawns)


def test_openings_are_as_balanced_as_was_asked_for():
    openings = generate("crazyhouse", 4, 1, max_score=40, nodes=300)
    assert max(final_scores("crazyhouse", openings, 300)) <= 40


def wild(variant, count):
    """Openings of unchecked random moves."""
    chance = random.Random(1)
    while count:
        position = Position(variant)
        for _ in range(8):
            position.push(chance.choice(position.legal_moves()))
        if position.result() is None:
            yield Opening(position.description.start_fen, tuple(str(move) for move in position.moves))
            count -= 1


def test_less_is_given_away_on_the_way_than_by_random_moves():
    openings = generate(Variant("crazyhouse"), 24, 1, max_score=100_000, nodes=300)
    ours = list(final_scores("crazyhouse", openings, 1_000))
    random_ones = list(final_scores("crazyhouse", wild("crazyhouse", 24), 1_000))
    assert sum(ours) < 0.7 * sum(random_ones)
    assert max(ours) < max(random_ones)


def test_the_same_seed_gives_the_same_openings_and_another_seed_others():
    openings = few(Variant("crazyhouse"))
    assert few(Variant("crazyhouse")) == openings
    assert few(Variant("crazyhouse"), count=5)[:3] == openings
    other = {opening.moves for opening in few(Variant("crazyhouse"), seed=6)}
    assert not other & {opening.moves for opening in openings}


def test_the_length_of_openings_can_be_chosen():
    assert {len(opening.moves) for opening in few(Variant("crazyhouse"), plies=3)} == {3}


def test_a_game_with_a_setup_phase_begins_with_a_choice_of_each_side(level):
    openings = few(Variant("pandemonium-vchess"), count=8, plies=1)
    for opening in openings:
        kinds = [move.is_choice for move in played(opening, "pandemonium-vchess").moves]
        assert kinds == [True, True, False]
    assert len({opening.moves[:2] for opening in openings}) > 1
    for opening in few(Variant("pandemonium-vchess"), plies=0):
        assert [move.is_choice for move in played(opening, "pandemonium-vchess").moves] == [True, True]


def test_nobody_passes_in_an_opening(level):
    for opening in generate(Variant("janggi"), 10, 2, plies=12, nodes=100):
        assert not any(move.is_pass for move in played(opening, "janggi").moves)


def test_failures_between_openings_are_no_reason_to_give_up(monkeypatch):
    monkeypatch.setattr("surajang.match.openings.openings.PATIENCE", 25)
    attempts = []
    attempt = _Walk.attempt
    monkeypatch.setattr(_Walk, "attempt", lambda walk: attempts.append(1) or attempt(walk))
    assert len(generate(Variant("crazyhouse"), 10, 3, max_score=50, nodes=300)) == 10
    assert len(attempts) >= 10 + 25


@pytest.mark.parametrize("plies", [0, 1])
def test_too_few_openings_are_reported(plies, monkeypatch):
    monkeypatch.setattr("surajang.match.openings.openings.PATIENCE", 60)
    with pytest.raises(BookError, match=rf"crazyhouse gives \d+ .* {plies} plies .* 30 were asked for"):
        generate("crazyhouse", 30, 0, plies=plies, nodes=10)


def test_progress_counts_the_openings():
    calls = []
    few(Variant("crazyhouse"), progress=lambda done, total: calls.append((done, total)))
    assert calls == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("wrong", [{"count": 0}, {"plies": -1}, {"nodes": 0}])
def test_numbers_that_make_no_sense_are_refused(wrong):
    (name,) = wrong
    with pytest.raises(ValueError, match=name):
        few(Variant("crazyhouse"), **wrong)


def test_an_unknown_game_has_no_openings():
    with pytest.raises(VariantError, match="draughts"):
        few(Variant("draughts"))


@pytest.mark.usefixtures("interpreted_positions")
@pytest.mark.parametrize("variant", GAMES)
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 999), plies=st.integers(0, 9), data=st.data())
def test_openings_come_back_from_epd(tmp_path_factory, variant, seed, plies, data):
    name = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp", "Zs"]), min_size=1, max_size=30)
    position, dice = Position(variant), random.Random(seed)
    while position.ply < plies and position.result() is None:
        position.push(dice.choice(position.legal_moves()))
        if position.result() is not None:
            position.pop()
            break
    moves = tuple(str(move) for move in position.moves)
    half = len(moves) // 2
    for _ in moves[half:]:
        position.pop()
    openings = [
        Opening(position.start_fen, moves, data.draw(name)),
        Opening(position.fen(), moves[half:], data.draw(name)),
        Opening(position.fen(), (), data.draw(name)),
    ]
    path = tmp_path_factory.mktemp("openings") / "book.epd"
    save_openings(path, openings, Variant(variant))
    assert load_openings(path, Variant(variant)) == openings


def test_opening_of_a_game_that_counts_checks_comes_back(tmp_path, interpreted_positions):
    file = tmp_path / "twochecks.toml"
    file.write_text('extends = "chess"\nname = "twochecks"\ntitle = "Two checks"\ncheck_limit = 2\n')
    variant, path = catalogue.register(file), tmp_path / "book.epd"
    opening = Opening(Position(variant).start_fen, ("e2e4", "f7f6", "d1h5"), "a check")
    placed = Opening(played(opening, variant).fen(), (), "the same")
    save_openings(path, [opening, placed], Variant(variant))
    assert " 1+2 hmvc 1; " in path.read_text()
    assert load_openings(path, Variant(variant)) == [opening, placed]


def test_saved_openings_are_epd_for_others(tmp_path):
    opening = Opening(CHESS_START, ("e2e4", "e7e5", "g1f3"), 'King\'s "knight"')
    path = tmp_path / "book.epd"
    save_openings(path, [opening], Variant("chess"))
    (line,) = path.read_text().splitlines()
    board = chess.Board()
    operations = board.set_epd(line)
    assert board.fen() == played(opening, "chess").fen()
    assert operations["id"] == opening.name
    assert operations["c0"] == "moves e2e4 e7e5 g1f3"


def test_square_for_en_passant_is_not_taken_for_the_operation_with_that_name(tmp_path):
    """EPD calls its comments c0 to c9, and c6 and c3 are squares that a pawn crosses."""
    opening = Opening(CHESS_START, ("b2b4", "a7a6", "b4b5", "c7c5"))
    path = tmp_path / "a.epd"
    save_openings(path, [opening], Variant("chess"))
    assert " KQkq c6 hmvc 0;" in path.read_text()
    assert load_openings(path, Variant("chess"))[0].moves == opening.moves
    commented = book(tmp_path, f'{CHESS_START.split()[0]} w c6 "no square";', "b.epd")
    assert load_openings(commented, Variant("chess"))[0].fen.split()[3] == "-"


def test_score_of_an_opening_is_the_operation_that_epd_has_for_it():
    line = epd_line(Opening(CHESS_START, ("e2e4",)), Variant("chess"), -31)
    assert chess.Board().set_epd(line)["ce"] == -31
    assert " ce " not in epd_line(Opening(CHESS_START, ("e2e4",)), Variant("chess"))


@pytest.mark.parametrize("name, text", [("a.epd.gz", BLACK_TO_MOVE), ("a.pgn.gz", "1. e4 e5 *")])
def test_compressed_files_are_read(tmp_path, name, text):
    plain = book(tmp_path, text, name.removesuffix(".gz"))
    packed = book(tmp_path, gzip.compress(text.encode()), name)
    assert load_openings(packed, Variant("chess")) == load_openings(plain, Variant("chess")) != []


def test_damaged_compressed_file_is_named(tmp_path):
    data = gzip.compress(BLACK_TO_MOVE.encode())
    for damaged in (data[:-9], data[:20] + b"x" + data[21:]):
        path = book(tmp_path, damaged, "a.epd.gz")
        with pytest.raises(BookError, match=f"{path}: the compressed file is damaged: "):
            load_openings(path, Variant("chess"))


MOVES = ("d2d4", "e2e4", "g1f3", "b1c3", "c2c4", "g2g3")


@pytest.fixture
def shipped(tmp_path, monkeypatch, level):
    """A folder with a suite of chess, one opening for each of MOVES."""
    monkeypatch.setattr(opening_suites, "FOLDER", tmp_path)
    scored = [(Opening(CHESS_START, (move,)), 0) for move in MOVES]
    save_suite(tmp_path / "chess.epd.gz", scored, Variant("chess"), "six openings")
    return tmp_path


def opened(variant="chess", count=6, openings=None, order=None, seed=1, plies=None):
    """The lines that a match with these options plays."""
    options = MatchOptions(games=2 * count, openings=openings, opening_order=order, seed=seed, plies=plies)
    return [
        opening.moves for opening in find_or_make_openings(Variant(variant), options, (), COMPILES_NOTHING)
    ]


def test_suite_is_the_default_in_an_order_by_the_seed(shipped):
    assert sorted(opened()) == sorted((move,) for move in MOVES)
    assert opened() == opened(openings="suite") == opened(openings="chess")
    assert opened() != opened(seed=2)
    assert opened(order="sequential") == [(move,) for move in MOVES]


def test_plies_ask_for_random_openings_in_spite_of_the_suite(shipped):
    assert {len(moves) for moves in opened(count=2, plies=2)} == {2}


def test_game_without_a_suite_gets_random_openings(shipped):
    assert {len(moves) for moves in opened("minishogi", 2)} == {8}


def test_file_keeps_its_order_beside_a_suite(shipped, tmp_path):
    path = book(tmp_path, f'{CHESS_START}; id "one";\n{BLACK_TO_MOVE}; id "two";\n')
    options = MatchOptions(games=4, openings=str(path), seed=1)
    found = find_or_make_openings(Variant("chess"), options, (), COMPILES_NOTHING)
    assert [opening.name for opening in found] == ["one", "two"]


def test_small_suite_is_no_default_for_a_longer_match(shipped, monkeypatch):
    assert {len(moves) for moves in opened(count=7)} == {8}
    monkeypatch.setattr(opening_suites, "LARGE", 6)
    assert sorted(set(opened(count=7))) == sorted((move,) for move in MOVES)


def test_suite_that_is_too_small_is_reported(shipped, capsys):
    assert len(opened(count=8, openings="suite")) == 8
    assert "chess.epd.gz has 6 openings for 8 pairs of games" in capsys.readouterr().err


def test_lines_may_be_fen_or_epd_with_comments_between(tmp_path):
    board = BLACK_TO_MOVE.split()[0]
    text = (
        f'# a comment\n\n{BLACK_TO_MOVE}\r\n  {board} b - - hmvc 3; fmvn 9; id "one; two";\n{board}\n'
        f"{board} b\n{BLACK_TO_MOVE}; id plain words; ce -31;\n{board} b - - bm e7 f7; ce 5\n"
    )
    openings = load_openings(book(tmp_path, text), Variant("chess"))
    default = f"{board} w - - 0 1"
    assert [(opening.fen, opening.name) for opening in openings] == [
        (BLACK_TO_MOVE, "book 3"),
        (BLACK_TO_MOVE, "one; two"),
        (default, "book 5"),
        (default.replace(" w ", " b "), "book 6"),
        (BLACK_TO_MOVE, "plain words"),
        (default.replace(" w ", " b "), "book 8"),
    ]
    assert all(opening.moves == () for opening in openings)


def test_hands_and_two_digit_ranks_are_read(tmp_path, interpreted_positions):
    fen = "k9/10/10/10/10/10/10/10/10/K9[QPnp] w - - 0 1"
    (opening,) = load_openings(book(tmp_path, fen), Variant("pandemonium"))
    assert opening.fen == fen
    fen = "4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1"
    (opening,) = load_openings(book(tmp_path, '4k3/8/8/8/8/8/8/4K3/Q w - - id "x";'), Variant("crazyhouse"))
    assert (opening.fen, opening.name) == (fen, "x")


def test_pgn_openings_keep_their_moves(tmp_path):
    text = (
        '[Event "?"]\n[Opening "Ruy Lopez"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n'
        f'[FEN "{BLACK_TO_MOVE}"]\n\n9... Kd7 10. e2e4 1/2-1/2\n'
    )
    ruy, other = load_openings(book(tmp_path, text, "book.pgn"), Variant("chess"))
    assert ruy == Opening(CHESS_START, ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5"), "Ruy Lopez")
    assert other == Opening(BLACK_TO_MOVE, ("e8d7", "e2e4"), "book 6")


FOOLS_MATE = "1. f3 e5 2. g4 Qh4# 0-1"
LONG_GAME = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nc3 Nc6 4. Nb1 Nb8 5. Nf3 Nc6 6. d4 d5 7. e3 e6 8. Bd3 Bd6 9. O-O"


@pytest.mark.parametrize(
    "text, plies, kept",
    [
        (f"{LONG_GAME} *", None, 17),  # an unchanged opening
        (f"{LONG_GAME} 1-0", None, 16),  # a won game
        (f"{LONG_GAME} 1-0", 5, 5),
        (f"{LONG_GAME} *", 5, 5),
        (f"{LONG_GAME} *", 100, 17),
        (f"{LONG_GAME} *", 0, 0),
        (FOOLS_MATE, None, 2),  # after 2. g4 a move would mate
        (FOOLS_MATE, 3, 2),
        ("1. f3 e5 2. g4 Qh4# *", None, 2),
    ],
)
def test_complete_games_are_cut_to_openings(tmp_path, text, plies, kept):
    (opening,) = load_openings(book(tmp_path, f'[Event "x"]\n\n{text}\n'), Variant("chess"), plies=plies)
    assert len(opening.moves) == kept


def test_moves_behind_the_cut_need_not_be_legal(tmp_path):
    (opening,) = load_openings(
        book(tmp_path, '[Event "x"]\n\n1. e4 e5 2. Ke5 1-0'), Variant("chess"), plies=2
    )
    assert opening.moves == ("e2e4", "e7e5")


FACING = "4k4/9/9/9/9/9/9/9/9/R3K3R w - - 0 1"  # kings that nothing parts: Janggi's bikjang


def test_position_from_which_a_move_ends_the_game_leaves_no_game(interpreted_positions):
    assert ends_at_once(Position("janggi", FACING))
    assert not ends_at_once(Position("janggi"))
    assert ends_at_once(Position("chess", MATED))


def test_generated_openings_leave_a_game_to_play(level, monkeypatch):
    walk = _Walk(Variant("janggi"), 1, 2, 10_000, 100)
    monkeypatch.setattr(openings_module, "ends_at_once", lambda position: position.ply == 2)
    assert walk.attempt() == (None, None)


def test_pgn_is_known_by_its_tags_or_by_its_name(tmp_path, interpreted_positions):
    tagged = book(tmp_path, '\n[Variant "pandemonium"]\n1. e2e5 *', "openings.txt")
    named = book(tmp_path, "1. e2e5 *", "openings.PGN")
    for path in (tagged, named):
        (opening,) = load_openings(path, Variant("pandemonium"))
        assert opening.moves == ("e2e5",)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_old_encodings_are_read(tmp_path, encoding):
    (opening,) = load_openings(
        book(tmp_path, f'{BLACK_TO_MOVE} id "Grünfeld";'.encode(encoding)), Variant("chess")
    )
    assert opening.name == "Grünfeld"


MATED = "4R1k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"


@pytest.mark.parametrize(
    "text, line, quoted",
    [
        (f"{BLACK_TO_MOVE}\n\n4k3/8 w - - 0 1", 3, "2 ranks"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", 1, "'x'"),
        ('4k3/8/8/8/8/8/8/4K3 id "x";', 1, "turn: 'id' should be 'w' or 'b'"),
        (f"{BLACK_TO_MOVE} ; ; what", 1, "'; what'"),
        (f'{BLACK_TO_MOVE} id "open', 1, "'id \"open'"),
        (f'{CHESS_START} c0 "moves e2e4";', 1, "c0"),
        (f'{CHESS_START} c0 "moves e2e5";', 1, "'e2e5'"),
        (f'{CHESS_START} c0 "moves e2e4"; c1 "from 8/8 w";', 1, "2 ranks"),
        ("4k3/8/8/8/8/8/8/4K3 w - - hmvc x;", 1, "'x'"),
        (MATED, 1, "White mates"),
        ('[FEN "8/8 w"]\n\n1. e4 *', 1, "2 ranks"),
        ('[Variant "Gess"]\n\n1. e4 *', 1, "'Gess' is not known"),
        ("8/8/8/8/8/8/8/K1k5 w - - 0 1", 1, "the game is over there"),
        ("8/8/8/8/8/2k5/1q6/K7 w - - 0 1", 1, "the game is over there"),
        ("8/8/8/8/8/8/1q6/K6k w - - 0 1", 1, "the game cannot last from there"),
        ('[Event "x"]\n[Variant "crazyhouse"]\n\n1. e4 *', 1, "'crazyhouse'"),
    ],
)
def test_what_is_wrong_in_a_file_is_named_with_its_line(tmp_path, text, line, quoted):
    path = book(tmp_path, text)
    with pytest.raises(BookError) as caught:
        load_openings(path, Variant("chess"))
    assert str(caught.value).startswith(f"{path} line {line}: ")
    assert quoted in str(caught.value)


def test_opening_ends_before_a_move_that_cannot_be_read_and_the_user_is_warned_once(tmp_path):
    text = "1. e4 e5\n2. Ke3 Nc6 *\n\n1. d4 d5 2. c4 (2. Ke5) *\n\n1. e4 -- 2. d4 *\n"
    path, warnings = book(tmp_path, f'[Event "x"]\n\n{text}'), []
    openings = load_openings(path, Variant("chess"), choose=lambda found: found * 2, warn=warnings.append)
    moves = ["e2e4 e7e5", "d2d4 d7d5 c2c4", "e2e4"]
    assert [" ".join(opening.moves) for opening in openings] == moves * 2
    assert warnings == [
        f"{path} line 4: move 'Ke3': the King on e1 cannot go to e3",
        f"{path} line 8: the opening ends before a null move",
    ]


def test_errors_after_the_cut_are_ignored(tmp_path):
    path, warnings = book(tmp_path, '[Event "x"]\n\n1. e4 e5 2. Ke3 Nc6 *\n'), []
    (opening,) = load_openings(path, Variant("chess"), plies=2, warn=warnings.append)
    assert opening.moves == ("e2e4", "e7e5")
    assert not warnings


@pytest.mark.parametrize("text", ["", "\n# only a comment\n"])
def test_a_file_without_openings_is_refused(tmp_path, text):
    path = book(tmp_path, text)
    with pytest.raises(BookError, match=str(path)):
        load_openings(path, Variant("chess"))


def test_a_missing_file_is_an_error_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        load_openings(tmp_path / "none.epd", Variant("chess"))


def test_only_chosen_lines_are_read(tmp_path):
    path = book(tmp_path, f"{BLACK_TO_MOVE}\nnonsense\n{CHESS_START}\n")
    openings = load_openings(path, Variant("chess"), choose=lambda found: found[::2])
    assert [opening.name for opening in openings] == ["book 1", "book 3"]
    with pytest.raises(BookError, match="line 2"):
        load_openings(path, Variant("chess"))


def test_openings_are_picked_in_their_order_and_over_again():
    assert pick("abc", 7) == list("abcabca")
    assert pick("abc", 0) == []


def test_openings_are_picked_at_random_by_seed_and_each_before_any_comes_again():
    openings = list(range(20))
    picked = pick(openings, 45, "random", 3)
    assert picked == pick(openings, 45, "random", 3) != pick(openings, 45, "random", 4)
    assert sorted(picked[:20]) == sorted(picked[20:40]) == openings
    assert picked[:20] != picked[20:40]
    assert pick(openings, 10, "random", 3) == picked[:10]


def test_wrong_ways_to_pick_are_refused():
    with pytest.raises(ValueError, match="'backwards'"):
        pick("abc", 1, "backwards")
    with pytest.raises(ValueError, match="no openings"):
        pick([], 1)
