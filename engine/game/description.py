"""A game as its TOML file describes it: frozen, in plain Python, without NumPy or Numba.

`reader` makes a `Description` from a file, `catalogue` finds the file, and `rules` makes facts for compiled
code."""

import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from .betza import Ride

FILE_LETTERS = "abcdefghijklmnop"
FEWER = "fewer"
REVERTING = "~"  # follows the letter of a promoted piece that reverts when it is captured


class VariantError(ValueError):
    """A game that is unknown, or whose file is wrong; the text names file, key and reason."""


@dataclass(frozen=True)
class Advanced:
    """Additional leaps of a piece on some `ranks`, from its own side."""

    ranks: tuple[int, ...]
    moves: tuple[Ride, ...]


@dataclass(frozen=True)
class Palace:
    """The palace: files from 0, ranks from 1 from the own side."""

    files: tuple[int, ...]
    ranks: tuple[int, ...]


class _WithMechanics:
    """A class whose `mechanics` (the fields that mechanics have read) are also attributes."""

    mechanics: MappingProxyType[str, Any]

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            try:
                return self.__dict__["mechanics"][name]
            except KeyError:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}") from None


# Fields of mechanics that other modules use, only as types: mypy finds an unknown attribute.


class PieceMechanics(_WithMechanics):
    """Attributes of a piece that mechanics read."""

    both_colours: bool
    confined: bool  # to its own palace
    most_per_file: int
    must_drop: bool
    palace_moves: tuple[Ride, ...]  # along the diagonals of either palace


class GameMechanics(_WithMechanics):
    """Attributes of a game that mechanics read."""

    bare_king: str | None
    bare_reply: bool
    bumping: Any
    castling_after: int  # each side's first moves that may not be castling; 0 without the rule
    castling_dropped: bool
    castling_free: bool
    cells: Any
    check_limit: int  # checks that win; 0 without the rule
    checks_forbidden: bool
    checked_king: str  # "captures" if a king in check may only take the checking piece, else ""
    colour_change: str  # which moves change the colour: "capture", "quiet", "always" or ""
    co_royal: str  # letters
    dead_positions: Any
    drop_checks: str
    drops_promoted: bool
    explosion: Any
    first_moves: dict[str, tuple[Ride, ...]]
    first_moves_aim: str  # a letter, or empty
    extinction: Any
    facing_kings: Any
    gates: Any
    goal: Any
    kings: Any
    mates_allowed: bool
    merchants: Any
    must_capture: bool
    move_limit: int  # of each side; 0 without the rule
    palace: Palace | None
    passing: bool
    promotion_last: str  # letters
    self_capture: bool
    rifle_captures: bool
    side_promotions: tuple[str, ...]
    setup_swaps: tuple[tuple[int, int], ...]
    truce: str  # letters
    walls: Any
    promotion_turned: bool  # Black's promotion squares are White's on the turned board
    square_moves: Any
    last_royal: Any


@dataclass(frozen=True)
class PieceDescription(PieceMechanics):
    """One kind of piece. Values are in centipawns; letters are upper case, with `~` if it reverts."""

    letter: str
    name: str
    also: str  # other letters that a FEN may use for it
    betza: str
    moves: tuple[Ride, ...]
    value: int
    hand_value: int
    royal: bool
    promotes_to: tuple[str, ...]
    must_promote: tuple[int, ...]  # ranks of its zone, from its own side, that it reaches only by promoting
    barred: tuple[int, ...]  # ranks from its own side, of the whole board, that it reaches only by promoting
    promotion_squares: tuple[int, ...]  # its own zone, as White has it; empty: the game's
    captures_promote: bool  # it promotes by captures alone
    droppable: bool
    drop_forbidden: tuple[int, ...]  # ranks from the mover's own side
    drop_squares: tuple[int, ...]  # the only squares for its drops, as White has them; empty: all
    no_drop_mate: bool
    steps: MappingProxyType[int, int]  # rank from the mover's own side -> most squares forward
    en_passant: tuple[int, ...]  # ranks from the mover's own side on which it captures in passing
    shielded: str  # "slides": captured by no slide; "hops": neither jumped nor captured by hoppers; or ""
    region: tuple[int, ...]  # squares that it never leaves, as White has them; empty: the whole board
    advanced: Advanced | None  # what it can do besides on some ranks
    base: str  # the letter it reverts to when captured
    promoted: bool  # exists only through promotion
    picture: str  # the name of its picture on a graphical board, as `picture_names` has them, or ""
    mechanics: MappingProxyType[str, Any]  # what mechanics say of it, under their names

    @property
    def only_forward(self) -> bool:
        """Whether it can never move back: the mark of a pawn."""
        moves = self.moves + (self.advanced.moves if self.advanced else ())
        return all(move.ranks > 0 for move in moves)

    @property
    def chiral(self) -> bool:
        """Whether its moves to the left differ from those to the right."""
        return {replace(ride, files=-ride.files) for ride in self.moves} != set(self.moves)

    @property
    def long_steps(self) -> tuple[int, ...]:
        """The directions of its longer steps, as files on a step forward: its steps that do not capture."""
        ways = {ride.files for ride in self.moves if ride.ranks == 1 and ride.quiet and not ride.capture}
        return tuple(sorted(ways & {-1, 0, 1})) if self.steps else ()

    @property
    def restricted(self) -> bool:
        """Whether there are squares that it can never reach."""
        return self.confined or bool(self.region)


@dataclass(frozen=True)
class CastlingDescription:
    """Castling to one side: files counted from 0; the FEN letter is that of White."""

    letter: str
    king: int
    rook: int
    king_to: int
    rook_to: int
    piece: str  # the letter of the rook's kind


@dataclass(frozen=True)
class Description(GameMechanics):
    """A whole game.

    Ranks count from 1, files from 0; `pieces` keeps the order of the file. The fields that mechanics have
    read are in `mechanics`, and are attributes as well: `description.goal`. They are None or empty if the
    game does not have the mechanic."""

    name: str
    title: str
    source: str
    aliases: tuple[str, ...]  # names that other programs have for the game
    shares_network: bool  # it plays with the network of the game that it extends, if it has none
    files: int
    ranks: int
    start_fen: str
    pieces: tuple[PieceDescription, ...]
    promotion_zone: tuple[int, ...]  # ranks from the mover's own side
    promotion_on: frozenset[str]  # "enter", "leave"
    promotion_ways: MappingProxyType[str, frozenset[str]]  # letter -> the same, where a piece has its own
    promotion_limit: MappingProxyType[str, int]  # letters -> how many of them together promotions may make
    plus: MappingProxyType[str, str] | None  # letter -> the form that is written `+` and it; None: not said
    captures_to_hand: bool  # what is captured can be dropped by its captor
    castling: tuple[CastlingDescription, ...]
    castling_by: str  # "position", "rights"
    castling_once: bool
    castling_rank: int  # from 1
    castling_king: str  # the letter of the piece that castles with rooks, royal or not; "" without castling
    checkmate: str  # "loss" or "win" of the mated side
    stalemate: (
        str  # "draw", "loss" or "win" of the side without a move; "fewer": the side with fewer pieces wins
    )
    repetition_times: int  # 0: no such rule
    repetition_result: str  # "draw", "loss" or "win" of the side to move, or the winner: "white", "black"
    repetition_perpetual_check: str
    repetition_compares: frozenset[str]  # "castling", "en_passant", besides board, hands and turn
    quiet_moves: int  # of each side, after which the game is drawn; 0: no such rule
    mechanics: MappingProxyType[str, Any]
    roles: tuple[
        str, ...
    ]  # letters that a mechanic distinguishes from pieces with the same moves and promotions
    path: Path = field(compare=False)
    extends: Path | None = field(default=None, compare=False)  # the file of its parent game

    @property
    def crosses_diagonally(self) -> bool:
        """Whether a longer step may be diagonal: a FEN then has the square of the pawn that made it, too."""
        return any(piece.long_steps not in ((), (0,)) for piece in self.pieces)

    @cached_property
    def holes(self) -> tuple[int, ...]:
        """The squares that do not belong to the board: `*` in the start, unless it is a wall."""
        if self.walls is not None:
            return ()
        rows = self.start_fen.split(" ")[0].split("[")[0].split("/")
        found = []
        for number, row in enumerate(reversed(rows)):
            file = 0
            for token in re.findall(r"[0-9]+|\+?[^0-9]~?", row):
                if token == "*":
                    found.append(number * self.files + file)
                file += int(token) if token.isdecimal() else 1
        return tuple(found)

    @property
    def squares(self) -> int:
        """The number of squares, with those of holes."""
        return self.files * self.ranks

    @property
    def has_drops(self) -> bool:
        """Whether any piece can be dropped."""
        return any(piece.droppable for piece in self.pieces)

    @cached_property
    def royals(self) -> tuple[PieceDescription, ...]:
        """The royal pieces, which can be in check."""
        return tuple(piece for piece in self.pieces if piece.royal)

    @cached_property
    def kinds(self) -> tuple[PieceDescription, ...]:
        """The pieces without those that revert when they are captured, which move like another one."""
        return tuple(piece for piece in self.pieces if not piece.letter.endswith(REVERTING))

    @property
    def hand_pieces(self) -> tuple[PieceDescription, ...]:
        """The droppable pieces, most valuable first, which is the order of hands in a FEN."""
        droppable = [piece for piece in self.pieces if piece.droppable]
        return tuple(sorted(droppable, key=lambda piece: -piece.hand_value))

    @property
    def castling_rook(self) -> str:
        """The letter of the piece that castles with the king; that of the first wing if they differ."""
        return self.castling[0].piece if self.castling else ""

    @property
    def castling_mirrored(self) -> bool:
        """Whether the king may castle from the mirror image of its file as well."""
        return len({wing.letter for wing in self.castling}) < len(self.castling)

    def castles_short(self, source: int, target: int) -> bool:
        """Whether a king's move between the squares is castling that is written `O-O`: to the right, or where
        the king may begin on two files to the nearer edge."""
        to_right = target % self.files > source % self.files
        return to_right == (source % self.files >= self.files // 2) if self.castling_mirrored else to_right

    @property
    def castling_rights(self) -> bool:
        """Whether castling needs a right in the FEN, besides the pieces on their squares."""
        return bool(self.castling) and (self.castling_by == "rights" or self.castling_once)

    @cached_property
    def castling_by_rook(self) -> dict[tuple[int, int], int]:
        """Files of the king before and after castling -> file of the rook, if a normal king move leads there,
        too."""
        if not self.castling or self.castling_free:
            return {}
        king = self.piece(self.castling_king)
        steps = {(ride.files, ride.reach) for ride in king.moves if ride.ranks == 0 and not ride.hop}
        found = {}
        for wing in self.castling:
            way, behind = wing.king_to - wing.king, wing.rook - wing.king
            blocked = 0 < behind / way < 1 if way else True
            for step, reach in steps if not blocked else ():
                count, rest = divmod(way, step)
                if rest == 0 and count > 0 and (count <= reach or not reach):
                    found[wing.king, wing.king_to] = wing.rook
        return found

    @cached_property
    def _made(self) -> frozenset[str]:
        """The letters of promoted pieces."""
        return frozenset(letter for piece in self.pieces for letter in piece.promotes_to)

    @cached_property
    def _first_ranks(self) -> dict[str, int]:
        """Letter -> the lowest start rank, from the own side, of pieces that only move forward."""
        rows = self.start_fen.split(" ")[0].split("[")[0].split("/")
        first: dict[str, int] = {}
        for number, row in enumerate(rows, 1):
            for letter in filter(str.isalpha, row):
                own = number if letter.islower() else len(rows) + 1 - number
                first[letter.upper()] = min(own, first.get(letter.upper(), own))
        return first

    def can_stand(self, piece: PieceDescription, file: int, own_rank: int) -> bool:
        """Whether a piece may stand on a square; the rank is counted from 1 from its own side."""
        if piece.confined and self.palace:
            return file in self.palace.files and own_rank in self.palace.ranks
        if piece.region:
            return (own_rank - 1) * self.files + file in piece.region
        if not piece.only_forward or piece.letter in self._made:
            return True
        square = (own_rank - 1) * self.files + file
        dropped = self.dropped_on(piece)
        if square in dropped:
            return True
        if piece.promotion_squares:
            beyond = own_rank in piece.must_promote and square in piece.promotion_squares
        else:
            beyond = bool(piece.must_promote) and own_rank >= min(piece.must_promote)
        first = self._first_ranks.get(piece.letter, self.ranks if dropped else 1)
        return not beyond and own_rank >= min([first, *(s // self.files + 1 for s in dropped)])

    def dropped_on(self, piece: PieceDescription) -> frozenset[int]:
        """The squares, for White, where the kind of a piece allows its drop."""
        if not piece.droppable:
            return frozenset()
        squares = piece.drop_squares or range(self.squares)
        return frozenset(s for s in squares if s // self.files + 1 not in piece.drop_forbidden)

    def promotes_on(self, piece: PieceDescription) -> frozenset[str]:
        """Whether a piece promotes as it enters its zone ("enter"), leaves it ("leave"), or by a move of its
        own ("stay")."""
        return self.promotion_ways.get(piece.letter.removesuffix(REVERTING), self.promotion_on)

    def longest_step(self, piece: PieceDescription, square: int) -> int:
        """The most squares that a piece may step forward from a square of White; 1 without longer steps
        there."""
        rule = self.square_moves.get(piece.letter)
        twice = rule is not None and rule.double_step and square in rule.squares
        return max(piece.steps.get(square // self.files + 1, 1), 2 if twice else 1)

    def crosses(self, piece: PieceDescription) -> bool:
        """Whether a piece has longer steps, which cross squares."""
        return bool(piece.steps) or (
            piece.letter in self.square_moves and self.square_moves[piece.letter].double_step
        )

    def promotion_area(self, piece: PieceDescription) -> frozenset[int]:
        """The squares, for White, where a piece may promote."""
        if piece.promotion_squares:
            return frozenset(piece.promotion_squares)
        return frozenset(s for s in range(self.squares) if s // self.files + 1 in self.promotion_zone)

    def promotion_ranks(self, piece: PieceDescription) -> tuple[int, ...]:
        """The ranks, from its own side, that the zone of a piece touches."""
        return tuple(sorted({square // self.files + 1 for square in self.promotion_area(piece)}))

    def promotes_on_leaving(self, piece: PieceDescription) -> bool:
        """Whether a piece may promote as it leaves the zone; false for pawns that must promote on the last
        rank."""
        if not piece.promotes_to or "leave" not in self.promotes_on(piece):
            return False
        last = {self.ranks}
        stuck = set(piece.must_promote) == set(self.promotion_ranks(piece)) == last
        return not (piece.only_forward and stuck and len(self.promotion_area(piece)) == self.files)

    def piece(self, letter: str) -> PieceDescription:
        """The piece with this upper-case letter. Raises KeyError."""
        for piece in self.pieces:
            if piece.letter == letter:
                return piece
        raise KeyError(letter)
