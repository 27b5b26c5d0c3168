"""A game in Python: a position with its history, its legal moves and its result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from .board_methods import BoardMethods
from .definition import catalogue
from .definition import fen as fens
from .definition.fen import FenError
from .definition.shuffled_starts import numbered_start, shuffled_start
from .game.arguments import check_number
from .game.moves import (
    CHOICES,
    EXAMPLES,
    PASSES,
    SYNTAX,
    WALL_EXAMPLES,
    IllegalMoveError,
    Move,
    MoveError,
    MoveSyntaxError,
    parse_square,
)
from .game_end import COLOURS, Result, earlier_times, result_of
from .legal_moves import LegalMoves
from .mechanics import has_mirror_images
from .movegen.entry_points import entry_points_of
from .movegen.perft import LegalMoveTree
from .notation.methods import SanMethods, legal_move
from .notation.refusals import why_illegal
from .notation.san import names_of
from .representation.position_record import movelist_dtype, position_dtype
from .setup_record import fill, fresh_keys, mirrored, setup_of
from .variant import Variant

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

    import chess

    from .kernel.compile_progress import Progress

__all__ = ["FenError", "IllegalMoveError", "Move", "MoveError", "MoveSyntaxError", "Position", "Result"]

ROOM = 16  # positions that a new array has room for
REPLAYED = {  # attributes that follow from the game, the first FEN and the moves
    *("variant", "description", "rules", "compiled", "_states", "_top", "_played", "_codes", "_legal_texts"),
    *("_checks", "_lists"),
}


class Position(BoardMethods, SanMethods):
    """A position of one game together with the moves that led to it.

    `variant` is the name of a game, or the path of its file, `fen` a position (the start by default) in the
    engine's notation or that of other programs, or the number of a start, also as text: 0 to 959 in
    Chess960. `notes` are sentences about what the FEN gives and the position cannot have, such as castling
    rights without a rook. Two positions are equal when their games and their FENs are; the moves before do
    not count.

    The first position of a game compiles what its moves need. `progress(done, total, what)` is called while
    that runs, in units of about one function; without it a terminal shows the progress on stderr.

    Raises VariantError for an unknown game, FenError for an impossible position, and ValueError for a start
    that the game has not.
    """

    def __init__(
        self, variant: str = "pandemonium", fen: str | int | None = None, *, progress: Progress | None = None
    ):
        if fen is not None and (not isinstance(fen, (str, int)) or isinstance(fen, bool)):
            raise TypeError(f"{fen!r} is not a FEN, which is a text, nor the number of a start")
        self.variant = variant = Variant(variant)
        self.description = variant.description
        if isinstance(fen, int):
            fen = shuffled_start(self.description, fen)
        elif fen is not None:
            fen = numbered_start(self.description, fen)
        self.rules = variant.rules
        self.compiled = entry_points_of(self.rules)
        setup = fens.parse(self.description.start_fen if fen is None else fen, self.description)
        self.notes = setup.notes
        self.compiled.prepare(variant, progress)
        self._states = np.zeros(ROOM, position_dtype(self.rules))
        fill(self._states, setup, self.description, self.rules, self.compiled)
        self._forget_moves()
        self._refuse_capturable_king()

    @classmethod
    def from_toml(cls, text: str, fen: str | None = None) -> Position:
        """A position of the game that a TOML text describes, as a file of a game does. Its `variant` is the
        path of a file with that text. Raises VariantError and FenError."""
        return cls(catalogue.keep_text(text), fen)

    @classmethod
    def from_chess(cls, board: chess.Board) -> Position:
        """The position of a board of python-chess, with its moves. Raises ValueError for a variant that is
        not a game here."""
        from .chess_boards import from_chess

        variant, fen, moves = from_chess(board)
        position = cls(variant, fen)
        for text in moves:
            position.push(text)
        return position

    def to_chess(self) -> chess.Board:
        """A board of python-chess with this position and its moves. Raises ValueError for a game that
        python-chess does not know."""
        from .chess_boards import to_chess

        return to_chess(self.variant, self.start_fen, self._played)

    def _forget_moves(self) -> None:
        """Makes the first of the states the start of the game."""
        self._top = 0  # the index of the present state
        self._played: list[Move] = []
        # by ply, each found out when it is asked for: legal moves and whether the side to move is in check
        self._codes: list[list[int] | None] = [None]
        self._legal_texts: list[dict[str, Move] | None] = [None]
        self._checks: list[bool | None] = [None]
        self._lists: list[tuple[Any, Any]] = []  # (record, its moves) that no thread is filling

    def _refuse_capturable_king(self) -> None:
        self._states[1] = self._states[0]
        self._states["side"][1] = 1 - self.turn
        if self.compiled.check(self._states, 1):
            raise FenError(f"board: {COLOURS[1 - self.turn]} is in check, but it is not its turn")

    # What it is

    @property
    def state(self) -> Any:
        """The record of the position, for compiled code to read at once: pushing and popping may write over
        it. Callers must not change it."""
        return self._states[self._top]

    @property
    def turn(self) -> int:
        """The side to move: 0 for White, 1 for Black."""
        return int(self.state["side"])

    @property
    def ply(self) -> int:
        """The number of moves pushed and not popped."""
        return self._top

    @property
    def fullmove_number(self) -> int:
        """The number of the move, counted from 1 or from the number in the FEN."""
        return int(self.state["fullmoves"])

    @property
    def halfmove_clock(self) -> int:
        """The number of moves of both sides since the last capture or other progress."""
        return int(self.state["halfmoves"])

    @property
    def moves(self) -> list[Move]:
        """The moves pushed so far, oldest first."""
        return list(self._played)

    @property
    def move_stack(self) -> list[Move]:
        """`moves` by the name of python-chess."""
        return list(self._played)

    @property
    def key(self) -> int:
        """The 64-bit hash of all that changes the tree below, kept from move to move."""
        return int(self.state["key"])

    @property
    def repetition_key(self) -> int:
        """The 64-bit hash of what the repetition rule compares, kept from move to move."""
        return int(self.state["repetition_key"])

    def fresh_key(self) -> int:
        """`key`, computed from the position."""
        return int(fresh_keys(self.rules, self.state)[1])

    def fresh_repetition_key(self) -> int:
        """`repetition_key`, computed from the position."""
        return int(fresh_keys(self.rules, self.state)[0])

    def fen(self, shredder: bool = False) -> str:
        """The position in the engine's notation. With `shredder` the castling rights of Chess960 are the
        files of rooks (`HAha`)."""
        return self._fen_of(self.state, shredder)

    @property
    def start_fen(self) -> str:
        """The FEN of the position before the first move."""
        return self._fen_of(self._states[0])

    def setup(self) -> fens.Setup:
        """The position as plain data."""
        return setup_of(self.state, self.description)[0]

    def _fen_of(self, state: Any, shredder: bool = False) -> str:
        setup, castling = setup_of(state, self.description)
        return fens.write(setup, castling + setup.mechanic_letters or "-", self.description, shredder)

    # Moves

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves: a collection of `Move`, in which `in` takes texts as well."""
        return LegalMoves(self)

    def legal_codes(self) -> list[int]:
        """The numbers of all legal moves, as `Move.code` has them; callers must not change the list."""
        codes = self._codes[-1]
        if codes is None:
            try:
                record, moves = pair = self._lists.pop()
            except IndexError:
                record = np.empty(1, movelist_dtype(self.rules))
                pair = record, (moves := record["moves"][0])
            count = self.compiled.list_moves(record, self._states, self._top)
            codes = self._codes[-1] = moves[:count].tolist()
            self._lists.append(pair)
        return codes

    def legal_by_text(self) -> dict[str, Move]:
        """The legal moves by their texts; callers must not change the dictionary."""
        legal = self._legal_texts[-1]
        if legal is None:
            moves = map(names_of(self.description).moves.__getitem__, self.legal_codes())
            legal = self._legal_texts[-1] = {move.text: move for move in moves}
        return legal

    def parse_move(self, move: Move | str) -> Move:
        """The legal move that a text spells, or that has the text of a move; `+` for "promoted" and `=` for
        "not promoted" are accepted.

        Raises MoveSyntaxError for a text that is not a move, IllegalMoveError for one that is not legal here,
        TypeError for something else."""
        if not isinstance(move, (Move, str)):
            raise TypeError(f"{move!r} is not a move: a Move, or a text such as 'e2e4'")
        text, legal = str(move), self.legal_by_text()
        if text in legal:
            return legal[text]
        if other := self._other_spelling(text):
            return legal[other]
        match = SYNTAX.fullmatch(text)
        if not match:
            examples = EXAMPLES if self.description.walls is None else WALL_EXAMPLES
            raise MoveSyntaxError(text, f"is not a move; moves look like {examples}")
        squares = [match[name] for name in ("drop", "source", "target", "again", "wall") if match[name]]
        for name in squares:
            if parse_square(name, self.description.files, self.description.ranks) is None:
                raise MoveSyntaxError(text, f"the board has no square {name!r}")
        if match["drop"]:
            normal = f"{match['piece'].upper()}@{match['drop']}"
        else:
            normal = match["source"] + match["target"] + self._promotion_letter(match) + self._wall(match)
        if normal in legal:
            return legal[normal]
        raise IllegalMoveError(text, why_illegal(self, match))

    def _other_spelling(self, text: str) -> str | None:
        """The legal pass or setup choice that `text` spells in another way, or None."""
        for move in self.legal_by_text().values():
            if move.is_pass:
                kings = [self.square_name(square) for square in self.state["kings"].tolist()]
                onto = kings[self.turn] + kings[1 - self.turn]
                return str(move) if text in (*PASSES, onto) else None
            if not (move.is_choice and CHOICES.fullmatch(text)):
                continue
            if sorted(text.split(",")) == sorted(str(move).split(",")):
                return str(move)
        return None

    def _promotion_letter(self, match: re.Match[str]) -> str:
        """The letter that a promotion suffix stands for in this position."""
        suffix = match["promotion"].lower()
        if suffix not in ("+", "-"):
            return "" if suffix == "=" else suffix
        letter = (self.letter_at(self.parse_square(match["source"])) or "").upper()
        promotes_to = self.description.piece(letter).promotes_to if letter else ()
        if suffix == "+" and self.description.plus is not None:
            promotes_to = (self.description.plus.get(letter, suffix),)
        return promotes_to[0][0].lower() if promotes_to else suffix

    def _wall(self, match: re.Match[str]) -> str:
        """The part of a move that names its wall, where the text has one or the move has no choice."""
        walls = self.description.walls
        if match["wall"] or walls is None or walls.chosen:
            return f",{match['again']}{match['wall']}" if match["wall"] else ""
        return f",{match['target']}{match['source']}"

    def is_legal(self, move: Move | str) -> bool:
        """Whether a move is legal. Raises MoveSyntaxError for a text that is not a move."""
        return move in self.legal_moves

    def push(self, move: Move | str) -> Move:
        """Plays a legal move, given as a `Move` or as text. Raises MoveError without a change."""
        found = self.legal_by_text().get(move.text) if type(move) is Move else None
        if found is None:
            found = self.parse_move(move)
        self.push_legal(found)
        return found

    def push_legal(self, move: Move) -> None:
        """Plays a move that the caller knows to be legal here."""
        top = self._top
        if top + 1 == len(self._states):
            states = np.zeros(2 * len(self._states), self._states.dtype)  # NumPy copies no padding
            states[: top + 1] = self._states
            self._states = states
        self.compiled.advance(self._states, top, move.code)
        self._top = top + 1
        self._played.append(move)
        self._codes.append(None)
        self._legal_texts.append(None)
        self._checks.append(None)

    def pop(self) -> Move:
        """Takes back the last move and returns it. Raises IndexError when there is none."""
        if not self._top:
            raise IndexError("no move to take back")
        self._top -= 1
        self._codes.pop()
        self._legal_texts.pop()
        self._checks.pop()
        return self._played.pop()

    def peek(self) -> Move:
        """The last move. Raises IndexError when there is none."""
        if not self._top:
            raise IndexError("no move has been pushed")
        return self._played[-1]

    @overload
    def perft(self, depth: int, divide: Literal[False] = False) -> int: ...

    @overload
    def perft(self, depth: int, divide: Literal[True]) -> dict[Move, int]: ...

    def perft(self, depth: int, divide: bool = False) -> int | dict[Move, int]:
        """The number of leaves of the tree of legal moves `depth` plies below, counted in compiled code; with
        `divide` those below each move. Raises ValueError for a depth out of range, TypeError for one
        that is not a whole number."""
        check_number("depth", depth, whole=True)
        tree = LegalMoveTree(self, depth)
        return dict(tree.divide()) if divide else tree.leaves()

    # Checks and results

    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        known = self._checks[-1]
        if known is None:
            known = self._checks[-1] = bool(self.compiled.check(self._states, self._top))
        return known

    def gives_check(self, move: Move | str) -> bool:
        """Whether a legal move gives check. Raises MoveError."""
        after = self.copy(stack=False)
        after.push_legal(legal_move(self, move))
        return after.is_check()

    def is_checkmate(self) -> bool:
        """Whether the side to move is in check and has no legal move."""
        return not self.state["outcome"] and self.is_check() and not self.legal_codes()

    def is_stalemate(self) -> bool:
        """Whether the side to move has no legal move and is not in check; what that means is in `result`."""
        return not self.state["outcome"] and not self.is_check() and not self.legal_codes()

    def is_dead(self) -> bool:
        """Whether neither side can mate, in games that end then."""
        return bool(self.rules.dead) and bool(self.compiled.dead(self._states, self._top))

    def result(self) -> Result | None:
        """The result by rule, or None while the game is in progress."""
        return result_of(self)

    def outcome(self) -> Result | None:
        """`result()` by the name of python-chess."""
        return result_of(self)

    def is_game_over(self) -> bool:
        """Whether the game has a result by rule."""
        return result_of(self) is not None

    def may_run_out(self, plies: int) -> bool:
        """Whether a count of moves, of quiet ones or of all, can draw the game within so many plies."""
        quiet, most = self.rules.quiet_limit, self.description.move_limit
        if quiet and self.state["halfmoves"] + plies >= quiet:
            return True
        return bool(most) and 2 * (most - int(self.state["fullmoves"])) <= plies

    def repetitions(self) -> int:
        """How often the repetition rule has seen this position in the game, at least once."""
        return 1 + len(earlier_times(self.repetition_keys()))

    def is_repetition(self, count: int = 3) -> bool:
        """Whether the repetition rule has seen this position at least `count` times. Raises TypeError for a
        count that is not a whole number."""
        check_number("count", count, whole=True)
        return self.repetitions() >= count

    def repetition_keys(self) -> list[int]:
        """The repetition keys of all positions from the first to this one."""
        keys: list[int] = self._states["repetition_key"][: self._top + 1].tolist()
        return keys

    def history(self) -> tuple[list[int], list[bool]]:
        """Repetition keys and checks to the side to move, of all positions from the first to this one."""
        checks = [
            bool(self.compiled.check(self._states, index)) if known is None else known
            for index, known in enumerate(self._checks)
        ]
        self._checks = list(checks)
        return self.repetition_keys(), checks

    # Copies

    def copy(self, stack: bool = True) -> Position:
        """An independent copy, with the moves that led to it or, with `stack=False`, without."""
        other: Position = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        first = 0 if stack else self._top
        other._states = np.zeros(self._top + 1 - first + ROOM, self._states.dtype)
        other._states[: self._top + 1 - first] = self._states[first : self._top + 1]
        if not stack:
            other._forget_moves()
            other._codes, other._legal_texts = self._codes[-1:], self._legal_texts[-1:]
            other._checks = self._checks[-1:]
            return other
        other._lists = []
        other._played, other._checks = list(self._played), list(self._checks)
        other._codes, other._legal_texts = list(self._codes), list(self._legal_texts)
        return other

    def root(self) -> Position:
        """A copy of the position before the first move."""
        other = self.copy()
        other._forget_moves()
        return other

    def mirror(self) -> Position:
        """The position with the colours exchanged and the board turned over, without the moves before.

        Raises ValueError where White and Black have different rules, as in horde, or rights that only one of
        them can have on these squares."""
        game = self.description
        if not has_mirror_images(game):
            raise ValueError(f"{game.title} has no mirror images: the rules differ for White and Black")
        setup, castling = mirrored(*setup_of(self.state, game), game)
        image = Position(self.variant, fens.write(setup, castling + setup.mechanic_letters or "-", game))
        if image.notes:
            raise ValueError(f"{self.fen()} has no mirror image: {image.notes[0]}")
        return image

    def __copy__(self) -> Position:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        text = catalogue.kept_text(self.variant)
        game = (self.variant, text) if text is None else (None, text)
        others = {name: value for name, value in self.__dict__.items() if name not in REPLAYED}
        moves = [move.text for move in self._played]
        return _restored, (type(self), *game, self.start_fen, moves), others

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        same = self.description is other.description or self.description == other.description
        return same and self.fen() == other.fen()

    def __hash__(self) -> int:
        """By the position: it changes when a move is pushed, so copy a position that is a key."""
        return hash((self.description.name, self.fen()))

    def _repr_svg_(self) -> str:
        """The picture that notebooks show, with the last move and a check."""
        from .pictures.board_svg import draw

        last = self._played[-1] if self._top else None
        check = self.king(self.turn) if self.is_check() else None
        return draw(self.setup(), self.description, lastmove=last, check=check, size=400, text=str(self))

    def __repr__(self) -> str:
        return f"Position({self.variant!r}, {self.fen()!r})"


def played(variant: str, moves: Iterable[Move | str], fen: str | None = None) -> Position:
    """The position after moves from the start of a game, or from a FEN. Raises VariantError, FenError, and
    MoveError."""
    position = Position(variant, fen)
    for move in moves:
        position.push(move)
    return position


def _restored(
    kind: type[Position], variant: str | None, text: str | None, fen: str, moves: list[str]
) -> Position:
    """The position that was pickled, as an object of its class, whose constructor may differ."""
    played_on = played(variant or catalogue.keep_text(text or ""), moves, fen)
    position = object.__new__(kind)
    position.__dict__.update(played_on.__dict__)
    return position
