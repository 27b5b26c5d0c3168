"""Pieces that no shipped game has, in games written here: against Fairy-Stockfish and a plain referee.

The referee knows leaps, slides, hops and lame leaps, and that a king must not be left where an enemy
piece captures; it knows no pawns, promotions or drops.
"""

import random
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property

import pyffish
import pytest
from surajang.engine.definition.catalogue import load
from surajang.engine.game import betza
from surajang.engine.position import FenError, Position

pytestmark = [pytest.mark.compiled, pytest.mark.usefixtures("interpreted_positions")]
interpreted = pytest.mark.usefixtures("interpreted")


FILES = "abcdefghijklmnop"

COMPOSED = 300  # positions of each game

PLAYED = 90  # more, from games at random

REFEREED = 120  # positions of each game whose only referee is the slow one

SEED = 20


class Board:
    """Men by (file, rank): letters, upper case for White."""

    def __init__(self, game, men):
        self.game, self.men = game, men

    @classmethod
    def of(cls, game, position):
        squares = game.files * game.ranks
        letters = {square: position.letter_at(square) for square in range(squares)}
        return cls(game, {(s % game.files, s // game.files): man for s, man in letters.items() if man})

    def moved(self, source, target):
        men = {square: man for square, man in self.men.items() if square != source}
        return Board(self.game, men | {target: self.men[source]})

    def path(self, source, move, forward):
        """The squares of one elementary move in order, each with whether the move may end there."""
        step = (move.files, move.ranks * forward)
        square, met, steps = source, 0, 0
        while True:
            if move.lame and not self.free_way(square, step):
                return
            square = (square[0] + step[0], square[1] + step[1])
            if not (0 <= square[0] < self.game.files and 0 <= square[1] < self.game.ranks):
                return
            steps += 1
            if met == bool(move.hop):
                yield square
            if met and move.hop == "g":
                return
            met += square in self.men
            if met > bool(move.hop) or steps == move.reach:
                return

    def free_way(self, square, step):
        """Whether all squares that a lame leaper passes are empty: straight steps first, then diagonal
        ones."""
        files, ranks = step
        while max(abs(files), abs(ranks)) > 1:
            across = (files > 0) - (files < 0) if abs(files) >= abs(ranks) else 0
            along = (ranks > 0) - (ranks < 0) if abs(ranks) >= abs(files) else 0
            square = (square[0] + across, square[1] + along)
            files, ranks = files - across, ranks - along
            if square in self.men:
                return False
        return True

    def attacks(self, source, target):
        """Whether the piece on `source` could take an enemy on `target`."""
        man = self.men[source]
        forward = 1 if man.isupper() else -1
        files, ranks = target[0] - source[0], (target[1] - source[1]) * forward
        return any(
            target in self.path(source, move, forward)
            for move in self.game.moves[man.upper()]
            if move.capture
            and files * move.ranks == ranks * move.files
            and files * move.files + ranks * move.ranks > 0  # in the direction of the move
        )

    def moves(self, white):
        """(source, target) of all moves of a colour, without testing checks."""
        for source, man in self.men.items():
            if man.isupper() != white:
                continue
            for move in self.game.moves[man.upper()]:
                for target in self.path(source, move, 1 if white else -1):
                    victim = self.men.get(target)
                    if move.quiet if victim is None else move.capture and victim.isupper() != white:
                        yield source, target

    def checkers(self, white):
        """The squares of the enemies that could take the king of a colour."""
        king = next(square for square, man in self.men.items() if man == ("K" if white else "k"))
        enemies = [square for square, man in self.men.items() if man.isupper() != white]
        return {square for square in enemies if self.attacks(square, king)}

    def legal(self, white):
        """The legal moves as text, and the letters of enemies that forbid others by a pin."""
        legal, pinners, checked = set(), set(), self.checkers(white)
        for source, target in self.moves(white):
            checkers = self.moved(source, target).checkers(white)
            if not checkers:
                legal.add(self.name(source) + self.name(target))
            elif not checked and self.men[source] not in "Kk":
                pinners |= {self.men[checker].upper() for checker in checkers}
        return legal, pinners

    def name(self, square):
        return f"{FILES[square[0]]}{square[1] + 1}"


@dataclass(frozen=True)
class Game:
    """A game of kings and `pieces` (letter -> Betza notation), and what the two formats say besides."""

    name: str
    files: int
    ranks: int
    pieces: dict
    start: str
    pawns: bool = False
    drops: str = ""
    toml: str = ""
    promotes: dict = field(default_factory=dict)
    ini: str = ""
    parent: str = "chess"

    @cached_property
    def moves(self):
        return {letter: betza.parse(text) for letter, text in self.pieces.items()}

    @property
    def odd(self):
        return "".join(letter for letter in self.pieces if letter not in "KP")

    @property
    def pinners(self):
        """The letters of pieces that pin a piece in between."""
        return [
            letter
            for letter, moves in self.moves.items()
            if letter != "K" and any(m.capture and (m.reach != 1 or m.lame or m.hop) for m in moves)
        ]

    def as_toml(self):
        pieces = []
        for letter, text in self.pieces.items():
            more = ", royal = true" if letter == "K" else ""
            if letter in self.promotes:
                more = f', promotes = "{self.promotes[letter]}"'
            if self.pawns and letter == "P":
                more = f', promotes = "{self.odd}", steps = {{ 2 = 2 }}, en_passant = true'
            pieces.append(f'{letter} = {{ name = "Piece {letter}", moves = "{text}"{more} }}')
        zone = f'[promotion]\nzone = [{self.ranks}]\nmandatory = "P"\n' if self.pawns else ""
        return "\n".join(
            [
                *(f'name = "{self.name}"', 'title = "Odd"', f'start = "{self.start} w - - 0 1"'),
                *("[board]", f"files = {self.files}", f"ranks = {self.ranks}", "[pieces]", *pieces),
                *("[end]", 'checkmate = "loss"', 'stalemate = "draw"', zone, self.toml),
            ]
        )

    def as_ini(self):
        lines = [f"[{self.name}:{self.parent}]", f"maxFile = {self.files}", f"maxRank = {self.ranks}"]
        lines += ["pieceToCharTable = -", "castling = false", f"startFen = {self.start} w - - 0 1"]
        builtin = "queen rook bishop knight pawn lance shogiKnight silver gold dragonHorse bers shogiPawn"
        lines += [f"{piece} = -" for piece in builtin.split()]
        if self.pawns:
            lines += ["pawn = p", f"promotionPieceTypes = {self.odd.lower()}"]
            lines += [f"promotionRegionWhite = *{self.ranks}", "promotionRegionBlack = *1"]
            lines.append(f"doubleStepRegionBlack = *{self.ranks - 1}")
        if self.pieces["K"] != "K":
            lines.append(f"king = k:{self.pieces['K']}")
        letters = [x for x in self.pieces if x != "K" and not (self.pawns and x == "P")]
        for number, letter in enumerate(letters, 1):
            lines.append(f"customPiece{number} = {letter.lower()}:{self.pieces[letter]}")
        return "\n".join([*lines, self.ini, ""])


PAWN = "fmWfcF"

RIDERS = Game(
    "odd-riders",
    8,
    8,
    {"K": "K", "P": PAWN, "S": "R4", "B": "B2", "N": "NN", "L": "fRbW", "V": "vRsW", "Q": "fBbR3"},
    "snvqkbls/pppppppp/8/8/8/8/PPPPPPPP/SNVQKBLS",
    pawns=True,
)

DIVERGENT = Game(
    "odd-divergent",
    8,
    8,
    {"K": "K", "P": PAWN, "R": "mRcB", "B": "mBcR", "N": "mNcB", "C": "mBcN", "F": "mWcF", "M": "mQcN"},
    "rnbmkcnr/pppppppp/8/8/8/8/PPPPPPPP/RNBMKCNR",
    pawns=True,
)

LAME = Game(
    "odd-lame",
    9,
    8,
    {"K": "K", "P": PAWN, "N": "nN", "A": "FnA", "D": "WnD", "Z": "nZ", "R": "R", "X": "mNcnN"},
    "rnadkzxnr/ppppppppp/9/9/9/9/PPPPPPPPP/RNADKZXNR",
    pawns=True,
)

CANNONS = Game(
    "odd-cannons",
    9,
    9,
    {
        "K": "K",
        "P": PAWN,
        "C": "mRcpR",
        "J": "pR",
        "B": "mBcpB",
        "D": "pB",
        "X": "mRcpB",
        "R": "R",
        "Y": "pQ",
    },
    "rcbjkdxyr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RCBJKDXYR",
    pawns=True,
)

LEAPERS = Game(
    "odd-leapers",
    8,
    8,
    {"K": "K", "P": PAWN, "A": "A", "D": "D", "H": "H", "G": "G", "E": "FA", "W": "WD", "R": "R", "B": "B"},
    "radhkgwb/pppppppp/8/8/8/8/PPPPPPPP/REAHKGWB",
    pawns=True,
)

CAMELS = Game(
    "odd-camels",
    9,
    9,
    {"K": "KN", "P": PAWN, "C": "C", "Z": "Z", "U": "NC", "R": "R", "B": "BW", "S": "FfN"},
    "rczukbscr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RCZUKBSCR",
    pawns=True,
)

LANCES = Game(
    "odd-lances",
    9,
    9,
    {
        **{"K": "K", "P": "fW", "L": "fR", "N": "fN", "X": "mWcF", "C": "mRcpR", "G": "WfF"},
        **{"T": "WfF", "U": "bRfF", "M": "K", "Y": "WA", "D": "RF"},
    },
    "lnxgkgcnl/9/ppppppppp/9/9/9/PPPPPPPPP/9/LNXGKGCNL[]",
    drops="PLNXCG",
    promotes={"P": "T", "L": "U", "N": "M", "X": "Y", "C": "D"},
    toml="""
[promotion]
zone = [7, 8, 9]
on = ["enter", "leave"]
mandatory = { P = [9], L = [9], N = [8, 9] }
[drops]
pieces = "PLNXCG"
forbidden = { P = [9], L = [9], N = [8, 9] }
one_per_file = "P"
""",
    parent="shogi",
    ini="""
promotionRegionWhite = *7 *8 *9
promotionRegionBlack = *3 *2 *1
promotedPieceType = p:t l:u n:m x:y c:d
shogiPawnDropMateIllegal = false
dropNoDoubled = p
""",
)

SHORT_HOPPERS = Game(
    "odd-short-hoppers",
    9,
    8,
    {
        **{"K": "K", "P": PAWN, "V": "mRpRmFpB2", "Y": "mBpBmWpR2", "S": "mBpR3"},
        **{"B": "mBcpB2", "F": "fpR4bsW", "R": "R"},
    },
    "rvybksfbr/ppppppppp/9/9/9/9/PPPPPPPPP/RVYBKSFBR",
    pawns=True,
)

GRASSHOPPERS = Game(
    "odd-grasshoppers",
    9,
    8,
    {
        **{"K": "K", "P": PAWN, "G": "gQ", "H": "mRcgR", "B": "mgBcpB", "D": "gBpR", "F": "fgRbW"},
        **{"S": "gRB", "R": "R"},
    },
    "rgshkdbfr/ppppppppp/9/9/9/9/PPPPPPPPP/RGSHKDBFR",
    pawns=True,
)

GAMES = [RIDERS, DIVERGENT, LAME, CANNONS, LEAPERS, CAMELS, LANCES, SHORT_HOPPERS, GRASSHOPPERS]


@pytest.fixture(scope="module")
def path_of(tmp_path_factory):
    """Writes a game to a file and returns its path."""
    folder = tmp_path_factory.mktemp("games")

    def write(game):
        path = folder / f"{game.name}.toml"
        path.write_text(game.as_toml())
        return str(path)

    return write


def composed(game, description, generator, hunter):
    """A random position as a FEN: `hunter` gives check, if possible, and often a piece is in between."""
    squares = [(file, rank) for file in range(game.files) for rank in range(game.ranks)]
    generator.shuffle(squares)
    white, board = generator.random() < 0.5, Board(game, {})

    def put(square, letter, white):
        own_rank = square[1] + 1 if white else game.ranks - square[1]
        if description.can_stand(description.piece(letter), square[0], own_rank):
            board.men[square] = letter if white else letter.lower()

    kings, *others = squares[:2], *squares[2 : generator.randint(4, min(40, len(squares) * 2 // 5))]
    for square, side in zip(kings, (white, not white), strict=True):
        put(square, "K", side)
    for square in others:
        put(square, generator.choice(list(game.pieces)[1:]), generator.random() < 0.5)
    for square in squares[2 + len(others) :]:
        put(square, hunter, not white)
        if square in board.men and board.attacks(square, kings[0]):
            break
        board.men.pop(square, None)
    for checker in board.checkers(white) if generator.random() < 0.6 else ():
        files, ranks = (sorted(pair) for pair in zip(kings[0], checker, strict=True))
        between = [s for s in squares if files[0] <= s[0] <= files[1] and ranks[0] <= s[1] <= ranks[1]]
        for square in [square for square in between if square not in board.men]:
            put(square, generator.choice(list(game.pieces)[1:]), white)
            if not board.attacks(checker, kings[0]):
                break
            board.men.pop(square, None)
    hands = "".join(generator.choice(["", letter]) for letter in game.drops + game.drops.lower())
    return fen_of(game, board.men, "w" if white else "b", hands)


def fen_of(game, men, turn, hands=""):
    rows = []
    for rank in reversed(range(game.ranks)):
        row = "".join(men.get((file, rank), " ") for file in range(game.files))
        rows.append(re.sub(" +", lambda gap: str(len(gap[0])), row))
    return f"{'/'.join(rows)}{f'[{hands}]' if game.drops else ''} {turn} - - 0 1"


def kind_of(position, move):
    if move.is_drop:
        return "drop"
    if move.is_promotion:
        return "promotion"
    if position.letter_at(move.to_square) is not None:
        return "capture"
    files = position.description.files
    if position.letter_at(move.from_square) not in "Pp":
        return "quiet"
    if (move.to_square - move.from_square) % files:
        return "en passant"
    return "long step" if abs(move.to_square - move.from_square) > files else "quiet"


def positions(game, path, composed_count=COMPOSED):
    """Composed positions, then those of games at random."""
    generator, description = random.Random(SEED), load(path)
    found = 0
    while found < composed_count:
        try:
            hunter = game.odd[found % len(game.odd)]
            position = Position(path, composed(game, description, generator, hunter))
        except FenError:
            continue  # a king that could be taken, or a piece where none can stand
        found += 1
        yield position
    position = Position(path)
    for _ in range(PLAYED):
        yield position
        kinds = {}
        for move in sorted(position.legal_moves(), key=str):
            kinds.setdefault(kind_of(position, move), []).append(move)
        if not kinds or position.result():
            position = Position(path)
            continue
        position.push(generator.choice(kinds[generator.choice(sorted(kinds))]))
        assert position.key == position.fresh_key(), position.fen()


def fairy_fen(game, fen):
    board, _, rest = fen.partition(" ")
    board, bracket, hands = board.partition("[")
    bases = {promoted: base for base, promoted in game.promotes.items()}
    board = re.sub("[A-Za-z]", lambda man: _as_promoted(man[0], bases), board)
    return f"{board}{bracket}{hands} {rest}"


def _as_promoted(man, bases):
    base = bases.get(man.upper())
    if base is None:
        return man
    return "+" + (base if man.isupper() else base.lower())


def fairy_move(game, move):
    return re.sub("[a-z]$", "+", str(move)) if game.promotes and move.is_promotion else str(move)


# Games


@interpreted
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_engine_and_fairy_stockfish_agree_on_odd_pieces(game, path_of):
    pyffish.load_variant_config(game.as_ini())
    assert game.name in pyffish.variants()
    met, path = Counter(), path_of(game)
    for position in positions(game, path):
        moves, fen = position.legal_moves(), fairy_fen(game, position.fen())
        ours = {fairy_move(game, move) for move in moves}
        assert len(ours) == len(moves)
        assert ours == set(pyffish.legal_moves(game.name, fen, [])), position.fen()
        board, white = Board.of(game, position), position.turn == 0
        checkers = [board.men[square].upper() for square in board.checkers(white)]
        assert position.is_check() == bool(checkers), fen
        met.update(f"check by {checker}" for checker in checkers)
        met["double check"] += len(checkers) > 1
        if not checkers:
            met.update(f"pin by {letter}" for letter in board.legal(white)[1])
        met.update(kind_of(position, move) for move in moves)
    hunters = [*game.odd, *"P" * game.pawns]
    assert not [letter for letter in hunters if not met[f"check by {letter}"]], met
    assert not [letter for letter in game.pinners if not met[f"pin by {letter}"]], met
    wanted = [
        "double check",
        "capture",
        "promotion",
        *["long step"] * game.pawns,
        *["drop"] * bool(game.drops),
    ]
    assert not [kind for kind in wanted if met[kind] < 3], met


STRIDES = Game(
    "odd-strides",
    12,
    12,
    {
        **{"K": "KA", "A": "AA", "D": "DD", "N": "N2", "C": "CC", "H": "nHnG", "Z": "nCnZ", "P": "pNN"},
        **{"M": "mAAcpAA", "X": "mDDcfnN", "G": "gNN", "R": "R", "J": "pR", "B": "mB9cpB"},
    },
    "nczkhpmxrjgb/12/12/12/12/12/12/12/12/12/12/NCZKHPMXRJGB",
)

GIANT = Game(
    "odd-giant",
    16,
    16,
    {"K": "K", "R": "R", "B": "B", "Q": "Q", "N": "N", "C": "C"},
    "rnbcqk10/16/16/16/16/16/16/16/16/16/16/16/16/16/16/10KQCBNR",
)

SLIDING_KING = Game(
    "odd-sliding-king",
    8,
    8,
    {"K": "WB", "R": "R", "B": "BW", "N": "N", "Q": "Q"},
    "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR",
)


# Pieces and boards that Fairy-Stockfish does not know; the largest board compiled


def test_engine_and_referee_agree_on_the_largest_board(path_of):
    compare_with_referee(GIANT, path_of)


@interpreted
@pytest.mark.parametrize("game", [STRIDES, SLIDING_KING], ids=lambda game: game.name)
def test_engine_and_referee_agree_on_pieces_that_fairy_stockfish_does_not_know(game, path_of):
    compare_with_referee(game, path_of)


def compare_with_referee(game, path_of):
    met = Counter()
    for position in positions(game, path_of(game), REFEREED):
        board, white = Board.of(game, position), position.turn == 0
        moves, pinners = board.legal(white)
        ours = [str(move) for move in position.legal_moves()]
        assert sorted(ours) == sorted(moves), position.fen()
        checkers = [board.men[square].upper() for square in board.checkers(white)]
        assert position.is_check() == bool(checkers), position.fen()
        met.update(f"check by {checker}" for checker in checkers)
        met.update(f"pin by {letter}" for letter in pinners)
        met["double check"] += len(checkers) > 1
    assert not [letter for letter in game.odd if not met[f"check by {letter}"]], met
    assert not [letter for letter in game.pinners if not met[f"pin by {letter}"]], met
    assert met["double check"] >= 5


@pytest.mark.parametrize(
    "men, source, count",
    [
        ("Ra1", "a1", 30),
        ("Rh8", "h8", 30),
        ("Rp16", "p16", 30),
        ("Ba1", "a1", 15),
        ("Bi9", "i9", 15 + 14),
        ("Qi8", "i8", 30 + 14 + 15),
        ("Ra1 ra16", "a1", 15 + 15),
        ("Rp1 Np14", "p1", 12 + 15),
        ("Bb2 bo15", "b2", 14 + 2),
    ],
)
def test_sliders_cross_all_of_a_board_of_sixteen_ranks(men, source, count, path_of):
    where = {(FILES.index(man[1]), int(man[2:]) - 1): man[0] for man in f"{men} Kf3 kk14".split()}
    moves = Position(path_of(GIANT), fen_of(GIANT, where, "w")).legal_moves()
    assert sum(re.match(f"{source}[a-p]", str(move)) is not None for move in moves) == count
