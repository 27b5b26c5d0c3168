"""Wild castle: the king may begin on the d-file. The judge is python-chess, which sees the mirror image of
the board when such a king is to move."""

import random

import chess
import pytest
from surajang import Engine, Limit, Position
from surajang.engine.definition import catalogue
from surajang.engine.definition.catalogue import parse
from surajang.engine.fairy_ini.exporting import export
from surajang.engine.game.description import VariantError
from surajang.learn.reinforcement.planes import Planes
from surajang.protocol.cecp.notation import Notation
from surajang.protocol.cecp.setting_up import Editor
from surajang.protocol.wire.spelling import resolved
from surajang.tests.support.games import texts

pytestmark = pytest.mark.compiled

ROOKS = {"K": chess.H1, "Q": chess.A1, "k": chess.H8, "q": chess.A8}
KINGS_ON_D = "r2k3r/pppppppp/8/8/8/8/PPPPPPPP/R2K3R w KQkq - 0 1"
EACH_ON_ITS_OWN = "r2k3r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
STARTS = [
    "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w KQkq - 0 1",
    "rqnbknbr/pppppppp/8/8/8/8/PPPPPPPP/RQNBKNBR w KQkq - 0 1",
    "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r2k3r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R2K3R w KQkq - 0 1",
    "r2k3r/8/4b3/8/8/4B3/8/R2K3R b KQkq - 0 1",
    KINGS_ON_D,
    EACH_ON_ITS_OWN,
]


class WildCastleBoard:
    """A position of python-chess without castling rights, and these by their letters."""

    def __init__(self, fen):
        fields = fen.split()
        self.rights = fields[2].strip("-")
        self.board = chess.Board(" ".join([*fields[:2], "-", *fields[3:]]))

    def replies(self):
        """Move -> the position after it."""
        king = chess.square_file(self.board.king(self.board.turn))
        view = self._turned(self.board) if king == 3 else self.board.copy(stack=False)
        own = [ROOKS[letter] for letter in self.rights if letter.isupper() == view.turn]
        squares = [self._over(rook) if king == 3 else rook for rook in own]
        view.castling_rights = chess.SquareSet(squares).mask
        found = {}
        for move in view.legal_moves:
            child = WildCastleBoard.__new__(WildCastleBoard)
            after = view.copy(stack=False)
            after.push(move)
            after.castling_rights = 0
            source, target = move.from_square, move.to_square
            if king == 3:
                after, source, target = self._turned(after), self._over(source), self._over(target)
            child.board = after
            child.rights = "".join(
                letter
                for letter in self.rights
                if ROOKS[letter] not in (source, target)
                and not (letter.isupper() == view.turn and source == self.board.king(view.turn))
            )
            found[chess.Move(source, target, move.promotion).uci()] = child
        return found

    def fen(self):
        fields = self.board.fen().split()
        return " ".join([*fields[:2], self.rights or "-", *fields[3:]])

    @staticmethod
    def _over(square):
        return square ^ 7

    @staticmethod
    def _turned(board):
        return board.transform(chess.flip_horizontal)


@pytest.mark.parametrize("fen", STARTS)
def test_random_games_are_those_of_python_chess_in_the_mirror(fen):
    chance, castled = random.Random(fen), set()
    for _ in range(8):
        position, judge = Position("wildcastle", fen), WildCastleBoard(fen)
        while position.result() is None and position.ply < 60:
            assert position.fen() == judge.fen()
            replies = judge.replies()
            assert texts(position) == sorted(replies), judge.fen()
            castling = [str(move) for move in position.legal_moves if move.is_castling]
            text = chance.choice(castling if castling and chance.random() < 0.5 else sorted(replies))
            castled |= {text} & {*castling}
            assert str(position.parse_san(position.san(text))) == text
            position.push(text)
            judge = replies[text]
            assert Position("wildcastle", position.fen()).key == position.key
    assert castled


def test_king_castles_by_two_squares_to_either_side_of_d1():
    position = Position("wildcastle", KINGS_ON_D)
    assert {"d1b1", "d1f1"} <= {*texts(position)}
    assert position.san("d1b1") == "O-O"
    assert position.san("d1f1") == "O-O-O"
    position.push("d1b1")
    assert position.fen() == "r2k3r/pppppppp/8/8/8/8/PPPPPPPP/1KR4R b kq - 1 1"
    position.push("d8f8")
    assert position.fen() == "r3rk2/pppppppp/8/8/8/8/PPPPPPPP/1KR4R w - - 2 2"


def test_sides_castle_from_different_files():
    position = Position("wildcastle", EACH_ON_ITS_OWN)
    assert {"e1g1", "e1c1"} <= {*texts(position)}
    position.push("e1g1")
    assert {"d8b8", "d8f8"} <= {*texts(position)}


def test_king_that_has_walked_to_the_other_file_has_no_right():
    position = Position("wildcastle", EACH_ON_ITS_OWN)
    for text in ("e1d1", "d8e8", "a2a3", "a7a6"):
        position.push(text)
    assert position.fen().split()[2] == "-"
    assert not any(move.is_castling for move in position.legal_moves)


@pytest.mark.parametrize(("text", "move"), [("O-O", "d1b1"), ("O-O-O", "d1f1"), ("d1a1", "d1b1")])
def test_other_spellings_are_read(text, move):
    position = Position("wildcastle", KINGS_ON_D)
    assert resolved(text, position) == move
    assert position.parse_san(text).text == move


def test_rights_without_pieces_are_noted():
    position = Position("wildcastle", "4k3/8/8/8/8/8/8/R3K3 w KQ - 0 1")
    assert position.fen().split()[2] == "Q"
    (note,) = position.notes
    assert note == "castling: 'K' cannot be used: king and rook do not stand on e1 and h1, d1 and h1"


def test_editor_gives_the_rights_of_kings_on_either_file():
    game = catalogue.load("wildcastle")
    editor = Editor(EACH_ON_ITS_OWN.replace("KQkq", "-"), game, Notation(game))
    assert editor.fen().split()[2] == "KQkq"


def test_search_mates_by_castling_from_d1(interpreted_search):
    with Engine("wildcastle", hash_mb=1) as engine:
        found = engine.play(Position("wildcastle", "3R4/8/8/8/8/4k1P1/6P1/3K3R w K - 0 1"), Limit(depth=3))
    assert (found.move.text, found.score.mate) == ("d1f1", 1)


def test_planes_name_the_file_of_the_king():
    assert "castling K from e" in Planes("wildcastle").names
    assert "castling k from d" in Planes("wildcastle").names


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ('by = "position"', "castling.mirrored: cannot be combined with by = 'position'"),
        ("free = true", "castling.mirrored: cannot be combined with free"),
        ("Q = false", "castling.mirrored: needs both 'K' and 'Q'"),
        ('K = { king = "d" }', "castling.mirrored: the king begins and ends on other files in the mirror"),
    ],
)
def test_files_that_contradict_the_mirror_are_refused(lines, reason):
    text = f'extends = "chess"\nname = "x"\ntitle = "X"\n[castling]\nmirrored = true\n{lines}\n'
    with pytest.raises(VariantError, match=reason):
        parse(text, "x.toml")


def test_game_has_no_form_with_free_castling_and_no_export():
    assert catalogue.freed("wildcastle") is None
    with pytest.raises(VariantError, match=r"castling\.mirrored: cannot be expressed"):
        export(catalogue.load("wildcastle"))
