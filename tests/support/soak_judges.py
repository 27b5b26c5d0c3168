"""Independent judges of whole games: python-chess, Fairy-Stockfish, slow models. A judge begins at the start
of its game and uses our notation."""

import re
from functools import partial

import chess
import pyffish
from surajang.engine.definition import catalogue
from surajang.protocol.uci.notation import UciNotation
from surajang.protocol.wire.pieces import paired_forms, turning_forms
from surajang.tests.engine.test_oracles_chess import BOARDS, end_of
from surajang.tests.support.chess_relatives import RELATIVES, ChessRelative
from surajang.tests.support.referee import Referee
from surajang.tests.support.referee_chaotic import ChaoticReferee
from surajang.tests.support.referee_rule_changes import DelayedCastlingBoard, SelfCaptureBoard
from surajang.tests.support.referee_small import GAMES as SMALL
from surajang.tests.support.referee_small import SmallGame
from surajang.tests.support.referee_vchess import VchessReferee
from surajang.tests.support.referee_xxl import XxlReferee

DRAW = "1/2-1/2"
LOST = ("0-1", "1-0")  # by White, by Black
QUIET_PLIES = 100  # the fewest that draw in any game
LEAST_REPETITIONS = 3  # the fewest that end any game
MOST_DEAD_MEN = 8  # with more pieces on the board a side can mate
JANGGI, MINISHOGI, SHOGI = "plainjanggi", "plainminishogi", "plainshogi"
XIANGQI, MAKRUK, MINIXIANGQI = "plainxiangqi", "plainmakruk", "plainminixiangqi"
EUROSHOGI, CANNON_SHOGI = "plaineuroshogi", "cannonshogi"
OTHER_BOARDS = {"nocastle10": DelayedCastlingBoard, "chess960": partial(chess.Board, chess960=True)}
OTHER_BOARDS["wildcastle"] = (
    chess.Board
)  # from the start; `test_wild_castle` has the other squares of the king
COUNTING = (
    "ai-wok",
    "asean",
    "cambodian",
    "karouk",
    "makpong",
)  # our files leave out their rules that count moves in endings
# Fairy-Stockfish lets nobody but the replies to bikjang move where the kings face each other. Without that
# rule it knows every legal move, and how such games end is counted here. In minishogi it lets White lose by a
# repetition, which is a draw in the game's file, and so it may in shogi. Our makruk does not count, and our
# xiangqi has no rule about chases.
CONFIGURATION = f"""
[{JANGGI}:janggitraditional]
bikjangRule = false
[{MINISHOGI}:minishogi]
nFoldValue = draw
[{SHOGI}:shogi]
nFoldValue = draw
[{XIANGQI}:xiangqi]
chasingRule = none
nMoveRule = 60
[{MAKRUK}:makruk]
countingRule = none
nMoveRule = 0
[{MINIXIANGQI}:minixiangqi]
chasingRule = none
nMoveRule = 0
[{EUROSHOGI}:euroshogi]
nFoldValue = draw
[{CANNON_SHOGI}:shogi]
nFoldValue = draw
dropNoDoubled = -
shogiPawnDropMateIllegal = false
shogiPawn = -
soldier = p
cannon = a
customPiece1 = u:pR
customPiece2 = c:mBcpB
customPiece3 = i:pB
customPiece4 = w:mRpRmFpB2
customPiece5 = f:mBpBmWpR2
promotedPieceType = p:g l:g n:g s:g r:d b:h u:w a:w c:f i:f
startFen = lnsgkgsnl/1rci1uab1/p1p1p1p1p/9/9/9/P1P1P1P1P/1BAU1ICR1/LNSGKGSNL[-] w 0 1
[great:shatranj]
maxFile = 10
rook = -
alfil = -
fers = -
fersAlfil = e
commoner = s
customPiece1 = g:WFDA
customPiece2 = m:WDN
customPiece3 = h:FAN
customPiece4 = w:WD
promotionPieceTypes = gmhenws
promotionLimit = g:1 m:1 h:1 e:2 n:2 w:2
stalemateValue = draw
nMoveRule = 50
startFen = wnegkmhenw/pppppppppp/10/10/10/10/PPPPPPPPPP/WNEGKMHENW w - - 0 1
[onesquare:chess]
doubleStep = false
[stalematewin:chess]
stalemateValue = loss
[semitorpedo:chess]
doubleStepRegionWhite = *2 *3
doubleStepRegionBlack = *7 *6
""" + "".join(f"[plain{name}:{name}]\ncountingRule = none\n" for name in COUNTING)
PROMOTED = {  # what a plus sign makes of a piece
    MINISHOGI: {"r": "d", "b": "h", "s": "n", "p": "t"},
    SHOGI: {"r": "d", "b": "h", "s": "m", "n": "e", "l": "a", "p": "t"},
    EUROSHOGI: {"r": "d", "b": "h", "n": "m", "p": "t"},
    CANNON_SHOGI: dict(zip("rbaucisnlp", "dhzvyjxemt", strict=True)),
}


class Judge:
    """The rules of one game: `moves` are the legal ones now, `result` the score, None while it is in
    progress."""

    def __init__(self):
        self._look()

    def _look(self):
        self.moves = self._legal()
        self.result = self._end()

    def push(self, text):
        """Makes one of the moves."""
        self._make(text)
        self._look()


class PythonChess(Judge):
    """Chess or crazyhouse."""

    def __init__(self, game):
        self._board = BOARDS[game]() if game in BOARDS else OTHER_BOARDS[game]()
        super().__init__()

    def _legal(self):
        return {move.uci() for move in self._board.legal_moves}

    def _make(self, text):
        self._board.push_uci(text)

    def _end(self):
        end = end_of(self._board)
        return end and end[0]


class Relative(Judge):
    """A game that is chess with another rule, or a small one."""

    def __init__(self, game):
        self._game = ChessRelative(game) if game in RELATIVES else SmallGame(game)
        super().__init__()

    def _legal(self):
        return set(self._game.replies() if isinstance(self._game, ChessRelative) else self._game.moves())

    def _make(self, text):
        self._game.push(text)

    def _end(self):
        return self._game.result()


class OwnCaptures(Judge):
    """Chess in which a side may capture its own pieces; its ends are those of chess."""

    def __init__(self, game):
        self._game, self._stood = SelfCaptureBoard(), []
        super().__init__()

    def _legal(self):
        self._children = self._game.replies()
        return set(self._children)

    def _make(self, text):
        self._game = self._children[text]

    def _end(self):
        board = self._game.board
        self._stood.append((board.board_fen(), board.turn, board.clean_castling_rights(), board.ep_square))
        if not self.moves:
            return LOST[not board.turn] if board.is_check() else DRAW
        drawn = self._stood.count(self._stood[-1]) >= LEAST_REPETITIONS or board.halfmove_clock >= QUIET_PLIES
        return DRAW if drawn or board.is_insufficient_material() else None


class Model(Judge):
    """A game that a slow model in pure Python knows."""

    def __init__(self, game):
        self._referee = MODELS[game]()
        self._stood = []
        super().__init__()

    def _legal(self):
        self._children = self._referee.replies(self._referee.state)
        return set(self._children)

    def _make(self, text):
        self._referee.states.append(self._children[text])

    def _end(self):
        """The model's result; it is not asked if it could only report that there are moves."""
        state = self._referee.state
        stood = state.board, state.turn
        self._stood.append(stood)
        if self._children and self._stood.count(stood) == 1 and state.halfmove < QUIET_PLIES:
            return None
        result = self._referee.result()
        return result[0] if isinstance(result, tuple) else result


class Fairy(Judge):
    """A game that Fairy-Stockfish knows."""

    def __init__(self, game, stalemate_draws=True):
        self._game, self._stalemate_draws = game, stalemate_draws
        self._start, self._made, self._stood = pyffish.start_fen(game), [], []
        super().__init__()

    def _look(self):
        self._fen = pyffish.get_fen(self._game, self._start, self._made)
        super()._look()

    def _legal(self):
        return set(pyffish.legal_moves(self._game, self._fen, []))

    def _make(self, text):
        self._made.append(text)

    def _end(self):
        if self.moves:
            return self._drawn_or_repeated()
        is_draw = self._stalemate_draws and not pyffish.gives_check(self._game, self._fen, [])
        return DRAW if is_draw else self._loss

    @property
    def _loss(self):
        """The score when the side to move loses."""
        return LOST[len(self._made) % 2]

    def _drawn_or_repeated(self):
        """Fairy-Stockfish's result; it is slow, and not asked if it has none."""
        board, turn, *_, halfmove, _ = self._fen.split()
        self._stood.append((board, turn))
        if self._stood.count((board, turn)) >= LEAST_REPETITIONS or int(halfmove) >= QUIET_PLIES:
            is_over, value = pyffish.is_optional_game_end(self._game, self._start, self._made)
            if is_over:
                return DRAW if value == 0 else self._loss if value < 0 else LOST[1 - len(self._made) % 2]
        is_bare = "[" not in board.removesuffix("[]") and sum(map(str.isalpha, board)) <= MOST_DEAD_MEN
        is_dead = is_bare and all(pyffish.has_insufficient_material(self._game, self._fen, []))
        return DRAW if is_dead else None


def configure():
    """Configures Fairy-Stockfish, once, for our versions of its games."""
    if JANGGI not in pyffish.variants():
        pyffish.load_variant_config(CONFIGURATION)


class Shogi(Fairy):
    """Shogi and its relatives: Fairy-Stockfish writes a plus sign for every promotion, and lets a pawn's drop
    mate."""

    def __init__(self, game):
        configure()
        names = {"minishogi": MINISHOGI, "shogi": SHOGI, "euroshogi": EUROSHOGI, "cannonshogi": CANNON_SHOGI}
        super().__init__(names[game], stalemate_draws=False)

    def _legal(self):
        return {self._ours(text) for text in super()._legal() if not self._mates_by_pawn(text)}

    def _ours(self, text):
        """The same move with the letter of the promoted piece."""
        if not text.endswith("+"):
            return text
        rows = self._fen.split("[")[0].replace("+", "").split("/")
        file, row = "abcdefghi".index(text[0]), rows[-int(text[1])]
        men = re.sub(r"\d", lambda gap: " " * int(gap[0]), row)
        return text[:-1] + PROMOTED[self._game][men[file].lower()]

    def _mates_by_pawn(self, text):
        if (
            self._game == CANNON_SHOGI
            or not text.startswith("P@")
            or not pyffish.gives_check(self._game, self._fen, [text])
        ):
            return False
        return not pyffish.legal_moves(self._game, self._fen, [text])

    def _make(self, text):
        super()._make(re.sub("[a-z]$", "+", text))


class WithoutDeadPositions(Fairy):
    """Games whose files know no dead positions."""

    def __init__(self, game):
        configure()
        names = {"makruk": MAKRUK, "xiangqi": XIANGQI, "minixiangqi": MINIXIANGQI}
        super().__init__(names.get(game, game), stalemate_draws="xiangqi" not in game)

    def _drawn_or_repeated(self):
        is_over, value = pyffish.is_optional_game_end(self._game, self._start, self._made)
        if not is_over:
            return None
        return DRAW if value == 0 else self._loss if value < 0 else LOST[1 - len(self._made) % 2]


class Hill(WithoutDeadPositions):
    """King of the hill, where a king in the middle has won."""

    def _end(self):
        is_over, _ = pyffish.is_immediate_game_end(self._game, self._start, self._made)
        return self._loss if is_over else super()._end()


class Janggi(Fairy):
    """Repetition, two passes and kings that face each other longer than a move draw, by a count of its
    own."""

    def __init__(self, game):
        configure()
        self._faced = []
        super().__init__(JANGGI)

    def _end(self):
        board, turn = self._fen.split()[:2]
        self._faced.append(kings_face(board))
        self._stood.append((board, turn))
        return super()._end()

    def _drawn_or_repeated(self):
        repeated = self._stood.count(self._stood[-1]) >= LEAST_REPETITIONS
        passes = [text[: len(text) // 2] == text[len(text) // 2 :] for text in self._made[-2:]]
        return DRAW if repeated or passes == [True, True] or self._faced[-2:] == [True, True] else None


class Shipped(Fairy):
    """Any other shipped game, under its name there and in our notation. Where no dead position ends the
    game, none is looked for."""

    def __init__(self, game):
        description = catalogue.load(game)
        self._notation, self._may_die = UciNotation(description), description.dead_positions is not None
        self._no_drop_mate = {piece.letter for piece in description.pieces if piece.no_drop_mate}
        forms = paired_forms(description) | turning_forms(description)
        self._forms = {base.lower(): form.lower() for form, base in forms.items()}
        configure()
        super().__init__(f"plain{game}" if game in COUNTING else game)

    def _legal(self):
        self._theirs = {self._ours(text): text for text in super()._legal()}
        return {own for own, text in self._theirs.items() if not self._mates_by_drop(text)}

    def _ours(self, text):
        """A move with the letter of the form that a piece takes, for its plus or minus sign."""
        if text[-1] not in "+-":
            return self._notation.read_move(text)
        file, rank = re.match(r"([a-p])(\d+)", text).groups()
        row = self._fen.split("[")[0].split("/")[-int(rank)]
        men = [man for cell in re.findall(r"\d+|\+?[A-Za-z]", row) for man in _men(cell)]
        base = men["abcdefghijklmnop".index(file)][-1].lower()
        return text[:-1] + (self._forms[base] if text[-1] == "+" else base)

    def _mates_by_drop(self, text):
        """Fairy-Stockfish lets such a move lose."""
        if text[1:2] != "@" or text[0] not in self._no_drop_mate:
            return False
        after = self._game, self._fen, [text]
        if not pyffish.gives_check(*after) or pyffish.is_immediate_game_end(*after)[0]:
            return False
        return not pyffish.legal_moves(*after)

    def _make(self, text):
        super()._make(self._theirs[text])

    def _end(self):
        is_over, value = pyffish.is_immediate_game_end(self._game, self._start, self._made)
        if not is_over and not self.moves:
            is_over, value = True, pyffish.game_result(self._game, self._start, self._made)
        if not is_over:
            is_over, value = pyffish.is_optional_game_end(self._game, self._start, self._made)
        if is_over:
            return DRAW if value == 0 else self._loss if value < 0 else LOST[1 - len(self._made) % 2]
        is_dead = self._may_die and all(pyffish.has_insufficient_material(self._game, self._fen, []))
        return DRAW if is_dead else None


def _men(cell):
    """The squares of a cell of a FEN's row."""
    return [" "] * int(cell) if cell.isdecimal() else [cell]


def kings_face(board):
    """Whether the kings of a FEN's board stand on one file with nothing between them."""
    rows = [re.sub(r"\d", lambda gap: "." * int(gap[0]), row) for row in board.split("/")]
    files = ("".join(column) for column in zip(*rows, strict=True))
    return any(re.search(r"k\.*K|K\.*k", file) for file in files)


MODELS = {
    "pandemonium": Referee,
    "pandemonium-vchess": VchessReferee,
    "chaotic": ChaoticReferee,
    "xxl": XxlReferee,
}
# Games that Fairy-Stockfish does not play, or not by these rules
MODELLED = (*MODELS, *RELATIVES, *SMALL, "selfcapture", "nocastle10", "wildcastle")
JUDGES = {
    **dict.fromkeys(BOARDS, PythonChess),
    **dict.fromkeys(MODELS, Model),
    **dict.fromkeys(("capablanca", "capahouse", "grand", "placement", "shako"), Fairy),
    **dict.fromkeys(("shogi", "minishogi", "euroshogi", "cannonshogi"), Shogi),
    **dict.fromkeys(("makruk", "xiangqi", "minixiangqi", "knightmate"), WithoutDeadPositions),
    **{"janggi": Janggi, "kingofthehill": Hill},
}
JUDGES |= dict.fromkeys([*RELATIVES, *SMALL], Relative) | dict.fromkeys(OTHER_BOARDS, PythonChess)
JUDGES["selfcapture"] = OwnCaptures
JUDGES |= dict.fromkeys(set(catalogue.shipped()) - set(JUDGES), Shipped)


def judge_of(game):
    """A judge for one game from its start on."""
    return JUDGES[game](game)
