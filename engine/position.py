"""A game in Python: a position with its history, its legal moves and its result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .definition import catalogue
from .definition import fen as fens
from .definition.castling_field import backed_rights
from .definition.fen import FenError
from .game.description import FILE_LETTERS
from .game.moves import (
    ACTION_SHIFT,
    CHOICES,
    EN_PASSANT,
    PASSES,
    SYNTAX,
    IllegalMoveError,
    Move,
    MoveError,
    MoveSyntaxError,
    parse_square,
    square_name,
)
from .mechanics import FEN_FIELDS
from .mechanics.outcomes import reason, score_sign
from .movegen.legal_moves import check, dead, list_moves
from .movegen.make_move import advance, judge
from .notation.methods import SanMethods
from .notation.refusals import why_illegal
from .notation.san import names_of
from .representation.position_record import movelist_dtype, position_dtype, read_board, write_board
from .rules import rules_for

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

__all__ = ["FenError", "IllegalMoveError", "Move", "MoveError", "MoveSyntaxError", "Position"]

COLOURS = ("White", "Black")
LOSS_OF = ("0-1", "1-0")
DRAW = "1/2-1/2"


class Result(NamedTuple):
    """The end of a game: `score` is "1-0", "0-1" or "1/2-1/2", `reason` a short sentence."""

    score: str
    reason: str


class Position(SanMethods):
    """A position of one game together with the moves that led to it.

    `variant` is the name of a game, `fen` a position (the start by default) in the engine's notation or that
    of other programs. `notes` are sentences about what the FEN gives and the position has not, such as
    castling rights of no use.
    Raises VariantError for an unknown game and FenError for an impossible position.
    """

    def __init__(self, variant: str = "pandemonium", fen: str | None = None):
        self.variant = variant
        self.description = catalogue.load(variant)
        self.rules = rules_for(variant)
        self.start_fen = self.description.start_fen if fen is None else fen
        self._lists = np.zeros(1, movelist_dtype(self.rules))[0]
        setup = fens.parse(self.start_fen, self.description)
        self.notes = setup.notes
        self._states = [self._from_setup(setup)]
        self._codes: list[int] | None = None
        self._legal: dict[str, Move] | None = None
        self._played: list[Move] = []
        self._checks: list[bool | None] = [None]  # of the side to move, each found out when it is asked for
        self._refuse_capturable_king()
        self.start_fen = self.fen()

    def _new_state(self) -> Any:
        return np.zeros(1, position_dtype(self.rules))[0]

    def _from_setup(self, setup: fens.Setup) -> Any:
        """The record of a setup, with fresh keys."""
        rules, state = self.rules, self._new_state()
        kinds = {piece.letter: kind for kind, piece in enumerate(self.description.pieces)}
        colours, movers = [0, 0], [0] * rules.mover_count
        state["board"][:] = rules.no_kind
        for square, (side, letter) in setup.board.items():
            kind = kinds[letter]
            state["board"][square] = kind
            colours[side] |= 1 << square
            movers[rules.kind_mover[kind]] |= 1 << square
            if kind == rules.king_kind:
                state["kings"][side] = square
        for side in (0, 1):
            write_board(state, "colours", colours[side], side)
        for mover, squares in enumerate(movers):
            write_board(state, "movers", squares, mover)
        for side, hand in enumerate(setup.hands):
            for index, piece in enumerate(self.description.hand_pieces):
                state["hands"][side, index] = hand.get(piece.letter, 0)
        state["side"] = setup.side
        state["halfmoves"], state["fullmoves"] = setup.halfmoves, setup.fullmoves
        if rules.castling_rights:
            state["rights"] = sum(1 << self._wing_letters().index(letter) for letter in setup.castling)
        state["choices"] = sum(1 << "Ss".index(letter) for letter in setup.choices)
        for name, numbers in setup.of_mechanics.items():
            if numbers:
                state[name] = numbers
        if rules.can_end:
            judge(rules, state)
        self._set_crossed(state, setup)
        state["repetition_key"], state["key"] = _fresh_keys(rules, state)
        return state

    def _wing_letters(self) -> list[str]:
        """The FEN letters of the castling rights, in the order of their bits."""
        letters = [wing.letter for wing in self.description.castling]
        return letters + [letter.lower() for letter in letters]

    def _set_crossed(self, state: Any, setup: fens.Setup) -> None:
        """Keeps those crossed squares where a legal capture ends; all else of the record must be there."""
        if not setup.crossed:
            return
        write_board(state, "crossed", sum(1 << square for square in setup.crossed))
        state["victim"] = setup.victim
        count = list_moves(self.rules, self._lists, state)
        captures = [code for code in self._lists["moves"][:count] if code >> ACTION_SHIFT == EN_PASSANT]
        write_board(state, "crossed", sum(1 << square for square in {int(code) & 255 for code in captures}))
        if not captures:
            state["victim"] = 0

    def _refuse_capturable_king(self) -> None:
        state = self.state.copy()
        state["side"] = 1 - self.turn
        if check(self.rules, state):
            raise FenError(f"board: {COLOURS[1 - self.turn]} is in check, but it is not its turn")

    @property
    def state(self) -> Any:
        """The record of the position, for compiled code to read; callers must not change it."""
        return self._states[-1]

    @property
    def turn(self) -> int:
        """The side to move: 0 for White, 1 for Black."""
        return int(self.state["side"])

    @property
    def ply(self) -> int:
        """The number of moves pushed and not popped."""
        return len(self._played)

    @property
    def moves(self) -> list[Move]:
        """The moves pushed so far, oldest first."""
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
        """`key`, computed anew from the position."""
        return int(_fresh_keys(self.rules, self.state)[1])

    def fresh_repetition_key(self) -> int:
        """`repetition_key`, computed anew from the position."""
        return int(_fresh_keys(self.rules, self.state)[0])

    def legal_moves(self) -> list[Move]:
        """All legal moves; none once the position is decided by rule. Repetition does not count here."""
        return list(self._legal_by_text().values())

    def legal_codes(self) -> list[int]:
        """The numbers of all legal moves, as `Move.code` has them; callers must not change the list."""
        if self._codes is None:
            count = list_moves(self.rules, self._lists, self.state)
            self._codes = self._lists["moves"][:count].tolist()
        return self._codes

    def _legal_by_text(self) -> dict[str, Move]:
        if self._legal is None:
            moves = map(names_of(self.description).move, self.legal_codes())
            self._legal = {move.text: move for move in moves}
        return self._legal

    def parse_move(self, text: str) -> Move:
        """The legal move that `text` spells; `+` for "promoted" and `=` for "not promoted" are accepted.

        Raises MoveSyntaxError for a text that is not a move, IllegalMoveError for one that is not legal here.
        """
        legal = self._legal_by_text()
        if text in legal:
            return legal[text]
        if other := self._other_spelling(text):
            return legal[other]
        match = SYNTAX.match(text) if isinstance(text, str) else None
        if not match:
            raise MoveSyntaxError(text, "is not a move; moves look like 'e2e4', 'a9a10g' or 'P@d5'")
        squares = [match[name] for name in ("drop", "source", "target") if match[name]]
        for name in squares:
            if parse_square(name, self.description.files, self.description.ranks) is None:
                raise MoveSyntaxError(text, f"the board has no square {name!r}")
        if match["drop"]:
            normal = f"{match['piece'].upper()}@{match['drop']}"
        else:
            normal = match["source"] + match["target"] + self._promotion_letter(match)
        if normal in legal:
            return legal[normal]
        raise IllegalMoveError(text, why_illegal(self, match))

    def _other_spelling(self, text: str) -> str | None:
        """The legal pass or setup choice that `text` spells in another way, or None."""
        for move in self._legal_by_text().values():
            if move.is_pass:
                kings = [self._name(int(square)) for square in self.state["kings"]]
                onto = kings[self.turn] + kings[1 - self.turn]
                return str(move) if text in (*PASSES, onto) else None
            if not (move.is_choice and isinstance(text, str) and CHOICES.fullmatch(text)):
                continue
            if sorted(text.split(",")) == sorted(str(move).split(",")):
                return str(move)
        return None

    def _name(self, square: int) -> str:
        return square_name(square, self.description.files)

    def _promotion_letter(self, match: re.Match[str]) -> str:
        """The letter that a promotion suffix stands for in this position."""
        suffix = match["promotion"].lower()
        if suffix not in ("+", "-"):
            return "" if suffix == "=" else suffix
        letter = (self.piece_at(self._square(match["source"])) or "").upper()
        promotes_to = self.description.piece(letter).promotes_to if letter else ()
        return promotes_to[0][0].lower() if promotes_to else suffix

    def _square(self, name: str) -> int:
        """The number of a square that the board has."""
        square = parse_square(name, self.description.files, self.description.ranks)
        assert square is not None
        return square

    def push(self, move: Move | str) -> Move:
        """Plays a legal move, given as a `Move` or as text. Raises MoveError, and then changes nothing."""
        move = self.parse_move(str(move))
        self.push_legal(move)
        return move

    def push_legal(self, move: Move) -> None:
        """Plays a move that the caller knows to be legal here."""
        state = self._new_state()
        advance(self.rules, state, self.state, move.code)
        self._states.append(state)
        self._played.append(move)
        self._codes = self._legal = None
        self._checks.append(None)

    def pop(self) -> Move:
        """Takes back the last move and returns it. Raises IndexError when there is none."""
        if not self._played:
            raise IndexError("no move to take back")
        self._states.pop()
        self._checks.pop()
        self._codes = self._legal = None
        return self._played.pop()

    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        return bool(check(self.rules, self.state))

    def result(self) -> Result | None:
        """The result by rule, or None while the game goes on."""
        if self.state["outcome"]:
            return self._special_result(int(self.state["outcome"]))
        if not self._legal_by_text():
            if self.is_check():
                return Result(LOSS_OF[self.turn], f"{COLOURS[1 - self.turn]} mates")
            if self.rules.stalemate_is_draw:
                return Result(DRAW, "Stalemate")
            loser = self.turn if self.rules.stalemate_is_loss else 1 - self.turn
            return Result(LOSS_OF[loser], f"{COLOURS[self.turn]} has no move")
        limit = self.rules.quiet_limit
        if limit and self.state["halfmoves"] >= limit:
            return Result(DRAW, f"Draw: {limit // 2} moves without progress")
        most = self.description.move_limit
        if most and self.state["fullmoves"] > most:
            return Result(DRAW, f"Draw: {most} moves of each side")
        if self.rules.dead and dead(self.rules, self.state):
            return Result(DRAW, "Draw: nobody can mate any more")
        return self._repetition_result()

    def may_run_out(self, plies: int) -> bool:
        """Whether a count of moves, of quiet ones or of all, can draw the game within so many plies."""
        quiet, most = self.rules.quiet_limit, self.description.move_limit
        if quiet and self.state["halfmoves"] + plies >= quiet:
            return True
        return bool(most) and 2 * (most - int(self.state["fullmoves"])) <= plies

    def _special_result(self, outcome: int) -> Result:
        """The result by a rule of this game alone."""
        sign = score_sign.py_func(outcome)
        mover, other = COLOURS[self.turn], COLOURS[1 - self.turn]
        score = LOSS_OF[self.turn if sign < 0 else 1 - self.turn] if sign else DRAW
        return Result(score, reason(outcome, self.description, mover, other))

    def _repetition_result(self) -> Result | None:
        """What the rules make of repetition, or loss of the player who alone gave check with every move since
        the last time."""
        last = len(self._states) - 1
        keys, checks = self.history()
        earlier = [index for index in range(last) if keys[index] == keys[last]]
        if len(earlier) < self.rules.repetition_times - 1:
            return None
        if self.rules.perpetual_check_loses:
            mine = all(checks[earlier[-1] + 1 : last : 2])
            theirs = all(checks[earlier[-1] + 2 : last + 1 : 2])
            if mine != theirs:
                loser = self.turn if mine else 1 - self.turn
                return Result(LOSS_OF[loser], f"{COLOURS[loser]} checks perpetually")
        if sign := self.rules.repetition_sign:
            loser = self.turn if sign < 0 else 1 - self.turn
            return Result(LOSS_OF[loser], f"{COLOURS[loser]} loses by repetition")
        return Result(DRAW, "Draw by repetition")

    def history(self) -> tuple[list[int], list[bool]]:
        """Repetition keys and checks to the side to move, of all positions from the first to this one."""
        checks = [
            bool(check(self.rules, state)) if known is None else known
            for known, state in zip(self._checks, self._states, strict=True)
        ]
        self._checks = list(checks)
        return [int(state["repetition_key"]) for state in self._states], checks

    def piece_at(self, square: int) -> str | None:
        """The letter of the piece on a square (rank * files + file), upper case for White, or None."""
        kind = int(self.state["board"][square])
        if kind == self.rules.no_kind:
            return None
        letter = self.description.pieces[kind].letter
        return letter if read_board(self.state, "colours", 0) >> square & 1 else letter.lower()

    def hand(self, colour: int) -> dict[str, int]:
        """The pieces in hand of a colour (0 White, 1 Black): letter to count, most valuable first."""
        counts = self.state["hands"][colour]
        pairs = zip(self.description.hand_pieces, counts, strict=False)
        return {piece.letter: int(count) for piece, count in pairs if count}

    def fen(self) -> str:
        """The position in the engine's notation."""
        state = self.state
        board = {}
        for square in range(self.rules.squares):
            letter = self.piece_at(square)
            if letter:
                board[square] = (0 if letter.isupper() else 1, letter.upper())
        crossed = read_board(state, "crossed")
        setup = fens.Setup(
            board=board,
            hands=(self.hand(0), self.hand(1)),
            side=self.turn,
            crossed=tuple(s for s in range(self.rules.squares) if crossed >> s & 1),
            choices="".join("Ss"[side] for side in (0, 1) if int(state["choices"]) >> side & 1),
            halfmoves=int(state["halfmoves"]),
            fullmoves=int(state["fullmoves"]),
            of_mechanics={
                each.name: tuple(map(int, state[each.name]))
                for each in FEN_FIELDS
                if each.name in state.dtype.names
            },
        )
        field = self._castling_field(board) + setup.choices
        return fens.write(setup, field or "-", self.description)

    def _castling_field(self, board: Mapping[int, tuple[int, str]]) -> str:
        """The letters of the castling rights; without rights, of the kings and rooks on their squares."""
        if not self.description.castling_rights:
            return "".join(backed_rights(board, self.description)) if self.description.castling else ""
        rights = int(self.state["rights"])
        return "".join(letter for bit, letter in enumerate(self._wing_letters()) if rights >> bit & 1)

    def copy(self) -> Position:
        """An independent copy with the same history."""
        other = object.__new__(Position)
        other.__dict__.update(self.__dict__)
        other._lists = np.zeros(1, movelist_dtype(self.rules))[0]
        other._states, other._played = list(self._states), list(self._played)
        other._checks = list(self._checks)
        return other

    def __str__(self) -> str:
        """The board from White's side, with both hands and the side to move."""
        files, ranks = self.description.files, self.description.ranks
        lines = [self._hand_line(1)]
        for rank in reversed(range(ranks)):
            pieces = ((self.piece_at(rank * files + file) or ".")[0] for file in range(files))
            lines.append(f"{rank + 1:>2}  " + " ".join(pieces))
        lines.append("    " + " ".join(FILE_LETTERS[:files]))
        lines += [self._hand_line(0), f"{COLOURS[self.turn]} to move"]
        return "\n".join(line for line in lines if line)

    def _hand_line(self, colour: int) -> str:
        if not self.description.has_drops:
            return ""
        hand = " ".join(f"{letter}x{count}" for letter, count in self.hand(colour).items())
        return f"{COLOURS[colour]}'s hand: {hand or '-'}"

    def __repr__(self) -> str:
        return f"Position({self.variant!r}, {self.fen()!r})"


def _fresh_keys(rules: Any, state: Any) -> tuple[int, int]:
    """(repetition key, key) of a position, computed from its record alone."""
    key = 0
    white = read_board(state, "colours", 0)
    for square, kind in enumerate(state["board"]):
        if kind != rules.no_kind:
            side = 0 if white >> square & 1 else 1
            key ^= int(rules.zobrist_squares[side, kind, square])
    for side in (0, 1):
        for index in range(rules.hand_kinds):
            count = int(state["hands"][side, index])
            key ^= int(rules.zobrist_hands[side, index]) * count % (1 << 64)
    if state["side"]:
        key ^= int(rules.zobrist_turn[0])
    for each in FEN_FIELDS:
        key ^= each.key(rules, state)
    crossed = read_board(state, "crossed")
    crossing = 0
    for square in range(rules.squares):
        if crossed >> square & 1:
            crossing ^= int(rules.zobrist_crossed[square])
    rights = int(rules.zobrist_rights[state["rights"]])
    key ^= int(rules.zobrist_setup[state["choices"]])
    table = key ^ crossing ^ rights ^ int(rules.zobrist_passed[state["passed"]])
    if rules.repeats_crossed:
        key ^= crossing
    if rules.repeats_castling:
        key ^= rights
    return key, table
