"""Polyglot books as openings: their games, their weights, and refusals."""

from collections import Counter

import chess
import chess.polyglot
import pytest
from surajang import Position
from surajang.engine.variant import Variant
from surajang.match.openings.openings import BookError
from surajang.match.openings.polyglot import is_polyglot, walk_book

pytestmark = pytest.mark.compiled

ENTRY = chess.polyglot.ENTRY_STRUCT


def entry(board, san, weight):
    """A line of a book: `san` may be played from `board` with that weight."""
    move = board.parse_san(san)
    to = move.to_square
    if board.is_castling(move):  # the format has the king take its rook
        to = chess.square(7 if board.is_kingside_castling(move) else 0, chess.square_rank(to))
    raw = to | move.from_square << 6
    return ENTRY.pack(chess.polyglot.zobrist_hash(board), raw, weight, 0)


def book(path, *lines):
    """A book of lines like ("e4 e5", 3), whose last move has that weight."""
    entries = []
    for line, weight in lines:
        board = chess.Board()
        *before, last = line.split()
        for san in before:
            board.push_san(san)
        entries.append(entry(board, last, weight))
    path.write_bytes(b"".join(sorted(entries)))
    return path


def test_book_is_known_by_its_name():
    assert is_polyglot("a/b.bin") and is_polyglot("B.BIN")
    assert not is_polyglot("bin.epd")


def test_openings_are_lines_of_the_book(tmp_path):
    path = book(tmp_path / "b.bin", ("e4", 1), ("e4 e5", 1), ("e4 e5 Nf3", 1), ("d4", 1))
    found = walk_book(path, Variant("chess"), 5, 1, 8)
    assert {opening.moves for opening in found} == {("e2e4", "e7e5", "g1f3"), ("d2d4",)}
    assert {opening.fen for opening in found} == {Position("chess").start_fen}
    assert {opening.moves for opening in walk_book(path, Variant("chess"), 5, 1, 2)} == {
        ("e2e4", "e7e5"),
        ("d2d4",),
    }


def test_castling_is_read(tmp_path):
    words = ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "O-O"]
    path = book(tmp_path / "b.bin", *((" ".join(words[: n + 1]), 1) for n in range(len(words))))
    (opening,) = walk_book(path, Variant("chess"), 1, 1, 20)
    assert opening.moves[-1] == "e1g1"


def test_weights_are_respected(tmp_path):
    path = book(tmp_path / "b.bin", ("e4", 3), ("d4", 1), ("c4", 0))
    first = Counter(walk_book(path, Variant("chess"), 1, seed, 1)[0].moves[0] for seed in range(200))
    assert set(first) == {"e2e4", "d2d4"}
    assert first["e2e4"] == pytest.approx(150, abs=25)


def test_seed_decides(tmp_path):
    path = book(tmp_path / "b.bin", *((san, 1) for san in ("e4", "d4", "c4", "Nf3", "g3", "b3")))
    lines = [walk_book(path, Variant("chess"), 6, seed, 4) for seed in (1, 1, 2)]
    assert lines[0] == lines[1] != lines[2]
    assert len({opening.moves for opening in lines[2]}) == 6


@pytest.mark.parametrize("variant", ["crazyhouse", "janggi"])
def test_other_games_have_no_such_books(tmp_path, variant):
    with pytest.raises(BookError, match=f"not of '{variant}'"):
        walk_book(book(tmp_path / "b.bin", ("e4", 1)), Variant(variant), 1, 1, 8)


def test_file_that_is_not_a_book_is_refused(tmp_path):
    path = tmp_path / "b.bin"
    path.write_bytes(b"rnbqkbnr/pppp")
    with pytest.raises(BookError, match="not a Polyglot book"):
        walk_book(path, Variant("chess"), 1, 1, 8)
    for content in (b"", bytes(32)):
        path.write_bytes(content)
        with pytest.raises(BookError, match="no line that begins at the start"):
            walk_book(path, Variant("chess"), 1, 1, 8)
