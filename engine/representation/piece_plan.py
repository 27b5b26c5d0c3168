"""How the pieces of a game are sorted before facts are made of them: plain Python.

Pieces that move and promote alike share a *mover*: the position keeps one bitboard per mover, so a Queen and
a promoted Marshal are one set to the generator; the mailbox tells the kinds apart. A mover is

- plain: leaps and whole lines, captures as it moves (most pieces);
- split: leaps alone, captures otherwise than it moves (pawns); many are moved by one shift of the board;
- odd: anything else (cannons, lame leapers, sliders that only capture, lances).
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..game.betza import Ride
from ..game.description import REVERTING, Description, PieceDescription
from ..kernel.bitboard import Bits
from ..kernel.facts import Table
from .geometry import LINES, Geometry, SlidingLine, bits, flipped, lame_path, mirrored, turned

HOPS = ("p", "g")  # of `Ride.hop`


def bitboard_width(squares: int) -> int:
    """The narrowest bitboard, in bits, that holds so many squares."""
    return 64 if squares <= 64 else 128 if squares <= 128 else 256


def counted(**lists: Sequence[int]) -> dict[str, Any]:
    """Lists of small numbers as tables, each with its length: `members` and `member_count`. Facts have no
    empty tables."""
    found: dict[str, Any] = {}
    for name, values in lists.items():
        found[f"{name.removesuffix('s')}_count"] = len(values)
        found[name] = np.array(values if len(values) else [0], np.uint8)
    return found


class Plan:
    """The shared plan of the parts of `rules` while the rules of one game are built."""

    def __init__(self, description: Description) -> None:
        self.description = description
        self.geometry = Geometry(description.files, description.ranks, description.palace, description.holes)
        self.width = bitboard_width(self.geometry.squares)
        self.pieces = description.pieces
        self.kinds = {piece.letter: index for index, piece in enumerate(self.pieces)}
        self.hand = [piece.letter for piece in description.hand_pieces]
        self.groups = _group_movers(description)
        self.mover_index = {letter: index for index, group in enumerate(self.groups) for letter in group}
        self.has_kings = bool(description.royals)
        # Without a royal piece the first one replaces the king in tables that are not read then.
        self.king = next(iter(description.royals), self.pieces[0])
        self.king_mover = self.mover_index[self.king.letter]

    def bits(self, value: int) -> Bits:
        return Bits(value, self.width)

    def table(self, values: Sequence[Any]) -> Table:
        return Table(values, self.width)

    def leader(self, index: int) -> PieceDescription:
        """The piece that stands for mover number `index`: they all move alike."""
        return self.description.piece(self.groups[index][0])

    def movers_of(self, letters: Iterable[str]) -> list[int]:
        """The indices of the movers with these letters."""
        return sorted({self.mover_index[letter] for letter in letters})

    @cached_property
    def shields(self) -> dict[str, list[int]]:
        """Shield -> the indices of the movers under it."""
        return {
            shield: self.movers_of(p.letter for p in self.pieces if p.shielded == shield)
            for shield in ("slides", "hops")
        }

    # How a piece moves; `capturing` picks the rides that may capture, else those that may go to empty squares

    def rides(self, piece: PieceDescription, capturing: bool, palace: bool = False) -> list[Ride]:
        rides = piece.palace_moves if palace else piece.moves
        return [ride for ride in rides if (ride.capture if capturing else ride.quiet)]

    def offsets(self, piece: PieceDescription, capturing: bool) -> set[tuple[int, int]]:
        """The free leaps (files, ranks) of a piece of White."""
        rides = self.rides(piece, capturing)
        return {(r.files, r.ranks) for r in rides if r.reach == 1 and not r.lame and not r.hop}

    def leap_boards(self, piece: PieceDescription, capturing: bool, side: int) -> list[int]:
        """For each square the board of the squares that free leaps reach, in the palace as well."""
        turn = mirrored if side else set
        boards = self.geometry.leaps(turn(self.offsets(piece, capturing)))
        rides = self.rides(piece, capturing, palace=True)
        inside = self.geometry.palace_leaps(turn({(r.files, r.ranks) for r in rides if r.reach == 1}))
        boards = [a | b for a, b in zip(boards, inside, strict=True)]
        if piece.advanced:
            ranks = self.geometry.rank_board(piece.advanced.ranks, side)
            more = self.geometry.leaps(turn({(r.files, r.ranks) for r in piece.advanced.moves}))
            boards = [a | b * (ranks >> s & 1) for s, (a, b) in enumerate(zip(boards, more, strict=True))]
        if piece.restricted:
            boards = [board & self.region(piece, side) for board in boards]
        return boards

    def region(self, piece: PieceDescription, side: int) -> int:
        """The squares that a piece of that side may go to."""
        if piece.confined:
            return self.geometry.palaces[side]
        if not piece.region:
            return self.geometry.board
        board = sum(1 << square for square in piece.region)
        return flipped(self.geometry, board) if side else board

    def promotion_board(self, piece: PieceDescription, side: int) -> int:
        """The squares where a piece of that side may promote."""
        board = sum(1 << square for square in self.description.promotion_area(piece))
        if side and self.description.promotion_turned:
            return turned(self.geometry, board)
        return flipped(self.geometry, board) if side else board

    def lame_leaps(
        self, piece: PieceDescription, capturing: bool, side: int
    ) -> list[tuple[list[tuple[int, int]], tuple[int, int]]]:
        """(path offsets, target offset) of each lame leap of a piece of that side."""
        turn = -1 if side else 1
        leaps = [(turn * r.files, turn * r.ranks) for r in self.rides(piece, capturing) if r.lame]
        return [(lame_path(*leap), leap) for leap in leaps]

    def lines_of(
        self, piece: PieceDescription, capturing: bool, side: int, hop: str = ""
    ) -> list[SlidingLine]:
        """The lines along which a piece of that side slides, or hops in the way of `Ride.hop`."""
        found = {}
        for palace in (False, True):
            for ride in self.rides(piece, capturing, palace):
                if ride.hop != hop or (ride.reach == 1 and not ride.hop):
                    continue
                files, ranks = (-ride.files, -ride.ranks) if side else (ride.files, ride.ranks)
                way = 1 if ranks > 0 or (ranks == 0 and files > 0) else -1
                key = SlidingLine(files * way, ranks * way, ride.reach, 0, palace)
                found.setdefault(key, set()).add(way)
        return sorted(key._replace(way=0 if len(ways) == 2 else ways.pop()) for key, ways in found.items())

    @cached_property
    def lines(self) -> tuple[SlidingLine, ...]:
        """Every line of the game: rook's and bishop's first."""
        lines = list(LINES)
        for piece in self.pieces:
            for capturing in (True, False):
                for side in (0, 1):
                    for hop in ("", *HOPS):
                        for line in self.lines_of(piece, capturing, side, hop):
                            # attacks are looked for backwards as well
                            lines += [line, line._replace(way=-line.way)]
        return tuple(dict.fromkeys(lines))

    def line_numbers(self, lines: Iterable[SlidingLine]) -> list[int]:
        return [self.lines.index(line) for line in lines]

    # Which code moves it

    def is_split(self, piece: PieceDescription) -> bool:
        """Whether one shift of the board moves all pieces of this kind."""
        if piece.royal or piece.palace_moves or piece.restricted or piece.advanced:
            return False
        if any(ride.reach != 1 or ride.lame or ride.hop for ride in piece.moves):
            return False
        return not self.description.promotes_on_leaving(piece) and self.offsets(piece, True) != self.offsets(
            piece, False
        )

    def is_plain(self, piece: PieceDescription) -> bool:
        """Whether a piece captures as it moves, by leaps and along whole lines alone."""
        rides = (*piece.moves, *piece.palace_moves)
        if any(ride.lame or ride.hop or ride.quiet != ride.capture for ride in rides):
            return False
        lines = self.lines_of(piece, True, 0)
        if lines and (self.shields["slides"] or piece.restricted):
            return False
        return not any(line.way for line in lines)

    @property
    def mechanics_move_pieces(self) -> bool:
        """Whether moves change more of the board than their squares, or not what moves of chess change."""
        game = self.description
        rules = (game.merchants, game.bumping, game.explosion, game.rifle_captures, game.colour_change)
        more = (game.co_royal, game.last_royal, game.first_moves, game.truce, game.square_moves)
        return any(rules) or any(more) or game.cells is not None

    @property
    def goes_by_pins(self) -> bool:
        """Whether checkers and pins decide which moves are legal: rays from the king, leaps between them."""
        if self.mechanics_move_pieces:
            return False
        return all(map(self._pins_tell, self.pieces))

    def _pins_tell(self, piece: PieceDescription) -> bool:
        """Whether this piece can only be blocked, and only blocks others, on the lines of a queen."""
        if piece.palace_moves or any(ride.lame or ride.hop for ride in piece.moves):
            return False
        lines = {line for capturing in (True, False) for line in self.lines_of(piece, capturing, 0)}
        if lines and self.shields["slides"]:
            return False
        if any((line.files, line.ranks) not in [known[:2] for known in LINES] for line in lines):
            return False
        leaps = self.offsets(piece, True) | self.offsets(piece, False)
        leaps |= {(ride.files, ride.ranks) for ride in (piece.advanced.moves if piece.advanced else ())}
        return not any(_on_a_line(*leap) for leap in leaps)


def _group_movers(description: Description) -> list[list[str]]:
    """Letters grouped by everything that the generator asks of a piece."""
    groups = {}
    for piece in description.pieces:
        same = (piece.moves, piece.royal, piece.promotes_to, piece.must_promote, piece.barred)
        same += (piece.promotion_squares, piece.captures_promote, description.promotes_on(piece))
        same += (tuple(piece.steps.items()), piece.en_passant, piece.shielded)
        same += (piece.palace_moves, piece.confined, piece.region, piece.advanced)
        same += (*piece.mechanics.values(), *(piece.letter in role for role in description.roles))
        if description.promotion_limit or description.dead_positions:
            same += (piece.letter.removesuffix(REVERTING),)
        groups.setdefault(same, []).append(piece.letter)
    return list(groups.values())


def _on_a_line(files: int, ranks: int) -> bool:
    """Whether a leap passes over squares of a rank, file or diagonal."""
    return max(abs(files), abs(ranks)) > 1 and (0 in (files, ranks) or abs(files) == abs(ranks))


def origins_of(boards: Sequence[int]) -> list[int]:
    """For each square the squares from which `boards` lead to it."""
    origins = [0] * len(boards)
    for source, board in enumerate(boards):
        for target in bits(board):
            origins[target] |= 1 << source
    return origins
