"""Games that are chess with another rule of moving, on python-chess: its pieces and counters, and the rule on
top. Every move is made on a copy of the board and then tested, castling included."""

from dataclasses import dataclass

import chess
from surajang.tests.support.referee_base import FIFTY_MOVES

TWO_KINGS = "rnbqkknr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKKNR w KQkq - 0 1"


@dataclass(frozen=True)
class Relative:
    """What differs from chess."""

    rifle: bool = False  # captors stay on their squares
    changes: tuple = ()  # whether moves that (capture, do not) change the colour of the piece
    cells: tuple | None = None  # (files, ranks) by which cells of 2 x 2 squares are moved
    mates_only: bool = False  # a move may check only if it mates
    duty: bool = False  # captures are mandatory
    berolina: bool = False  # pawns move diagonally and capture straight ahead
    kings: str = ""  # the leftmost of several kings is royal; on one file the lowest for "white" or "own"
    start: str = chess.STARTING_FEN


RELATIVES = {
    "rifle": Relative(rifle=True),
    "shoot": Relative(rifle=True, duty=True),
    "andernach": Relative(changes=(True, False)),
    "antiandernach": Relative(changes=(False, True)),
    "superandernach": Relative(changes=(True, True)),
    "grid": Relative(cells=(0, 0)),
    "displacedgrid": Relative(cells=(1, 1)),
    "slippedgrid": Relative(cells=(1, 0)),
    "checkless": Relative(mates_only=True),
    "berolina": Relative(berolina=True),
    "gridolina": Relative(berolina=True, cells=(0, 0)),
    "twokings": Relative(kings="white", start=TWO_KINGS),
    "twokingssymmetric": Relative(kings="own", start=TWO_KINGS),
}


class ChessRelative:
    """A game of one of the `RELATIVES`, from its start or a FEN."""

    def __init__(self, name, fen=None):
        self._rule = RELATIVES[name]
        self.board = chess.Board(fen or self._rule.start)
        self.board.passed = None  # for Berolina pawns: (the square crossed, that of the pawn)
        self._known = None  # (a board, its replies)
        self._stood = [self._repeats()]

    def replies(self):
        """The legal moves as text, with the boards after them."""
        if self._known is None or self._known[0] is not self.board:
            self._known = self.board, self.replies_of(self.board)
        return self._known[1]

    def replies_of(self, board):
        """The same for any board."""
        found = {}
        for move in self._candidates(board):
            child = self._made(board, move)
            if self._attackers(child, child.turn, self._royal(child, board.turn)):
                continue
            if self._rule.mates_only and self._checks(child) and self.replies_of(child):
                continue
            stays = self._rule.rifle and board.is_capture(move)
            found[move.uci()[:4] if stays else move.uci()] = child
        if self._rule.duty:
            men = board.occupied
            captures = {
                text: child for text, child in found.items() if child.occupied.bit_count() < men.bit_count()
            }
            return captures or found
        return found

    def push(self, text):
        """Makes a legal move."""
        self.board = self.replies()[text]
        self._stood.append(self._repeats())

    def result(self):
        """The score, None while the game is in progress."""
        if not self.replies():
            if not self._checks(self.board):
                return "1/2-1/2"
            return "0-1" if self.board.turn == chess.WHITE else "1-0"
        repeated = self._stood.count(self._stood[-1]) >= 3
        dead = not self._rule.kings and self.board.is_insufficient_material()
        drawn = repeated or self.board.halfmove_clock >= FIFTY_MOVES or dead
        return "1/2-1/2" if drawn else None

    def _repeats(self):
        """What the repetition rule compares; a right to capture in passing counts if a capture is legal."""
        crossed = self.board.passed[0] if self.board.passed else self.board.ep_square
        passing = crossed is not None and any(
            self.board.piece_type_at(chess.parse_square(text[:2])) == chess.PAWN
            and text[2:4] == chess.square_name(crossed)
            and (text[0] == text[2]) == self._rule.berolina
            for text in self.replies()
        )
        rights = self.board.clean_castling_rights()
        return self.board.board_fen(), self.board.turn, rights, crossed if passing else None

    def _candidates(self, board):
        """The moves without regard to the own king, except castling, which is tested here."""
        for move in board.generate_pseudo_legal_moves():
            pawn = self._rule.berolina and board.piece_type_at(move.from_square) == chess.PAWN
            if not board.is_castling(move) and not pawn and self._leaves_cell(move):
                yield move
        if self._rule.berolina:
            yield from filter(self._leaves_cell, self._berolina_moves(board))
        yield from self._castlings(board)

    def _berolina_moves(self, board):
        """The moves of the pawns."""
        up = 1 if board.turn == chess.WHITE else -1
        for source in board.pieces(chess.PAWN, board.turn):
            file, rank = chess.square_file(source), chess.square_rank(source)
            ahead = source + 8 * up
            takes = board.color_at(ahead) == (not board.turn)
            targets = [ahead] if takes or (board.passed and ahead == board.passed[0]) else []
            for side in (-1, 1):
                if 0 <= file + side <= 7 and not board.piece_at(ahead + side):
                    targets.append(ahead + side)
                    far = ahead + side + 8 * up + side
                    if (
                        rank == (1 if up == 1 else 6)
                        and 0 <= file + 2 * side <= 7
                        and not board.piece_at(far)
                    ):
                        targets.append(far)
            for target in targets:
                promotes = chess.square_rank(target) in (0, 7)
                for kind in (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT) if promotes else (None,):
                    yield chess.Move(source, target, kind)

    def _castlings(self, board):
        king = self._home(board.turn) if self._rule.kings else board.king(board.turn)
        for rook in chess.scan_forward(board.clean_castling_rights() & board.occupied_co[board.turn]):
            target = king + (2 if rook > king else -2)
            if chess.between(king, rook) & board.occupied or self._checks(board):
                continue
            without = board.copy(stack=False)
            without.remove_piece_at(king)
            way = [(king + target) // 2, *[king] * bool(self._rule.kings)]
            if not any(self._attackers(without, not board.turn, square) for square in way):
                yield chess.Move(king, target)

    @staticmethod
    def _home(colour):
        """The square from which a king castles."""
        return chess.E1 if colour == chess.WHITE else chess.E8

    def _royal(self, board, colour):
        """The square of the king that may not be attacked."""
        if not self._rule.kings:
            return board.king(colour)
        up = -1 if self._rule.kings == "own" and colour == chess.BLACK else 1
        kings = board.pieces(chess.KING, colour)
        return min(kings, key=lambda square: (chess.square_file(square), up * chess.square_rank(square)))

    def _cell(self, square):
        files, ranks = self._rule.cells
        return (chess.square_file(square) + files) // 2, (chess.square_rank(square) + ranks) // 2

    def _leaves_cell(self, move):
        return not self._rule.cells or self._cell(move.from_square) != self._cell(move.to_square)

    def _attackers(self, board, colour, square):
        """The squares from which pieces of a colour attack a square."""
        found = board.attackers(colour, square)
        if self._rule.berolina:
            ahead = square - 8 if colour == chess.WHITE else square + 8
            pawns = board.pieces(chess.PAWN, colour)
            found = (found - pawns) | (pawns & chess.SquareSet([ahead] if 0 <= ahead < 64 else []))
        if self._rule.cells:
            found = [source for source in found if self._cell(source) != self._cell(square)]
        return list(found)

    def _checks(self, board):
        """Whether the side to move is in check."""
        return bool(self._attackers(board, not board.turn, self._royal(board, board.turn)))

    def _made(self, board, move):
        """The board after a move."""
        child, captures, piece = (
            board.copy(stack=False),
            board.is_capture(move),
            board.piece_at(move.from_square),
        )
        child.push(move)
        child.passed = None
        if self._rule.kings:
            lost = chess.BB_SQUARES[move.from_square] | chess.BB_SQUARES[move.to_square]
            if piece.piece_type == chess.KING:
                lost |= chess.BB_RANK_1 if board.turn == chess.WHITE else chess.BB_RANK_8
            child.castling_rights = board.castling_rights & ~lost
        if self._rule.berolina and piece.piece_type == chess.PAWN:
            if (
                board.passed
                and move.to_square == board.passed[0]
                and move.to_square - move.from_square in (8, -8)
            ):
                child.remove_piece_at(board.passed[1])
            if abs(chess.square_rank(move.to_square) - chess.square_rank(move.from_square)) == 2:
                child.passed = ((move.from_square + move.to_square) // 2, move.to_square)
        if self._rule.rifle and captures:
            child.remove_piece_at(move.to_square)
            child.set_piece_at(move.from_square, piece)
        if self._rule.changes and self._rule.changes[not captures] and piece.piece_type != chess.KING:
            after = child.piece_type_at(move.to_square)
            child.set_piece_at(move.to_square, chess.Piece(after, not board.turn))
            child.ep_square = None
        return child
