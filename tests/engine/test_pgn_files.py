"""Files of many games in PGN: where games end, encodings, and games that are skipped and found again."""

import codecs
import gzip
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from surajang import pgn
from surajang.tests.support.pgn_texts import (
    moves_of,
)

pytestmark = pytest.mark.compiled


THREE = '[White "a"]\n\n1. e4 e5 1-0\n\n[White "b"]\n\n1. d4 {x\n\ny} 0-1\n\n[White "c"]\n\n1. c4 *\n'


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (THREE, [["e4", "e5"], ["d4"], ["c4"]]),
        ("1. e4 *\n1. d4 *", [["e4"], ["d4"]]),
        ("1. e4 * 1. d4 *", [["e4"], ["d4"]]),
        ("1. e4 e5\n\n1. d4 d5\n", [["e4", "e5"], ["d4", "d5"]]),
        ("1. e4\n\n1... e5\n\n2. Nf3\n", [["e4", "e5", "Nf3"]]),
        ('1. e4\n[White "b"]\n1. d4', [["e4"], ["d4"]]),
        ('[White "a"]\n\n[White "b"]\n\n1. d4', [[], ["d4"]]),
        ('[White "a"]\n\n[Black "b"]\n\n1. d4', [["d4"]]),
        ('[White "a"]\n*\n[White "b"]\n*', [[], []]),
        ('1. e4 {open\n\n[White "b"]\n\n1. d4 *', [["e4"], ["d4"]]),
        ("1. e4 (1. d4 1-0) e5 1-0 {White wins\n\n[x]} 1. d4 *", [["e4", "e5"]]),
        ("1. e4 ; 1-0 {\ne5 0-1", [["e4", "e5"]]),
        ("1. e4 (1. d4 d5 1-0\n\n1. c4", [["e4"]]),
        ("; a comment\n\n% more\n\n1. e4 *\n\n\n", [["e4"]]),
        ("\n\n", []),
        ("", []),
    ],
)
def test_games_end_with_a_result_tags_or_a_first_move(text, wanted):
    games = list(pgn.read_games(io.StringIO(text)))
    assert [[node.san() for node in game.mainline()] for game in games] == wanted
    assert len(list(pgn.scan_games(io.StringIO(text)))) == len(wanted)


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: text.encode(),
        lambda text: codecs.BOM_UTF8 + text.encode(),
        lambda text: text.encode("latin-1"),
        lambda text: text.encode("utf-16"),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.replace("\n", "\r").encode(),
        lambda text: gzip.compress(text.encode("latin-1")),
    ],
    ids=["utf-8", "with a mark", "latin-1", "utf-16", "crlf", "cr", "gzip"],
)
def test_file_of_any_encoding_is_read(tmp_path, encode):
    path = tmp_path / "games.pgn"
    path.write_bytes(encode('[White "Grünfeld"]\n\n1. d4 {é} Nf6 *\n\n[White "b"]\n\n1. e4 *\n'))
    with pgn.open(path) as file:
        first, second = pgn.read_games(file)
    assert (first.headers["White"], first.next().comment, moves_of(second)) == ("Grünfeld", "é", ["e2e4"])


def test_handle_of_bytes_is_read():
    (game,) = pgn.read_games(io.BytesIO("\ufeff1. e4 {é} *\r\n".encode() + b"\r\n{\xe9}"[:0]))
    assert game.next().comment == "é"


def test_file_with_both_encodings_loses_no_letter():
    text = '[White "é"]\n\n*\n'
    first, second = pgn.read_games(io.BytesIO(text.encode() + text.encode("latin-1")))
    assert first.headers["White"] == second.headers["White"] == "é"


def test_only_one_game_is_taken_from_the_handle_at_a_time():
    class Endless(io.StringIO):
        taken = 0

        def readline(self, *_):
            self.taken += 1
            return ('[Event "x"]\n', "\n", "1. e4 e5 *\n", "\n")[(self.taken - 1) % 4]

    handle = Endless()
    games = pgn.read_games(handle)
    for number in range(1, 30):
        assert len(moves_of(next(games))) == 2
        assert handle.taken <= 4 * number


def test_games_are_read_one_by_one_and_lines_are_counted():
    handle = io.StringIO(THREE + "\n1. e4 e4 *")
    assert [pgn.read_game(handle).headers["White"] for _ in range(3)] == ["a", "b", "c"]
    assert str(pgn.read_game(handle).errors[0]).startswith("line 15: move 'e4'")
    assert pgn.read_game(handle) is None


def test_headers_are_read_without_moves_and_games_are_found_again():
    text = THREE.replace("1-0\n", "\n").replace("0-1\n\n", "\n")  # two games without a result
    handle, places = io.StringIO(text), []
    while True:
        place = handle.tell()
        headers = pgn.read_headers(handle)
        if headers is None:
            break
        places.append((place, headers["White"], headers["Black"]))
    assert [names for _, *names in places] == [["a", "?"], ["b", "?"], ["c", "?"]]
    for place, white, _ in reversed(places):
        handle.seek(place)
        game = pgn.read_game(handle)
        assert game.headers["White"] == white and game.errors == []


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_games_in_a_file_are_found_again_by_their_places(tmp_path, newline):
    path = tmp_path / "games.pgn"
    path.write_bytes(b'[White "\xe9"]\n\n1. e4\n[White "b"]\n1. d4\n'.replace(b"\n", newline.encode()))
    with pgn.open(path) as file:
        assert pgn.read_headers(file)["White"] == "é"
        place = file.tell()
        assert pgn.read_headers(file)["White"] == "b"
        file.seek(place)
        assert pgn.read_game(file).headers["White"] == "b"


def test_handle_that_cannot_seek_loses_nothing():
    class Pipe:
        def __init__(self, text):
            self.readline = io.StringIO(text).readline

    handle = Pipe('[White "a"]\n1. e4\n[White "b"]\n1. d4\n')
    assert [pgn.read_game(handle).headers["White"] for _ in range(2)] == ["a", "b"]
    assert not pgn.skip_game(handle)


def test_skipping_finds_the_games_that_reading_finds():
    handle = io.StringIO(THREE)
    assert pgn.skip_game(handle)
    assert pgn.read_game(handle).headers["White"] == "b"
    assert pgn.skip_game(handle)
    assert not pgn.skip_game(handle)


pieces = st.lists(
    st.sampled_from(
        [
            '[White "a"]\n',
            "[x\n",
            "\n",
            " ",
            "1. e4 ",
            "e5 ",
            "1-0 ",
            "* ",
            "{",
            "}",
            "(",
            ")",
            ";",
            "%",
            "1/2",
            "$1",
        ]
    ),
    max_size=25,
).map("".join)


@settings(deadline=None, max_examples=300)
@given(pieces)
def test_scanning_and_reading_agree_on_the_games(text):
    games = list(pgn.read_games(io.StringIO(text)))
    handle, headers = io.StringIO(text), []
    while (found := pgn.read_headers(handle)) is not None:
        headers.append(found)
    assert [dict(game.headers) | {"Result": ""} for game in games] == [
        dict(h) | {"Result": ""} for h in headers
    ]
    lines = text.count("\n") + 1
    assert all(1 <= error.line <= lines for game in games for error in game.errors)


def test_path_instead_of_a_handle_is_refused_with_advice():
    with pytest.raises(TypeError, match=r"'games.pgn' is not an open file; surajang.pgn.open"):
        pgn.read_game("games.pgn")
