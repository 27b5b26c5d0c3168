"""Effects of a move on other pieces, as moves that XBoard understands.

XBoard moves one piece at a time. It can capture another piece on the way if a move has two legs, the first of
which ends on the victim. But it cannot push a piece. So a push becomes a separate move: the side of the
pushed piece makes it, and the other side passes, so that the turn is right again. Such a ply is not a move of
the game and does not change the engine's position. Its side makes it: an engine at once, a user with the
mouse."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from ...engine.definition.fen_fields import split_fields
from ...engine.game.fen_error import FenError
from ...engine.game.moves import IllegalMoveError
from ..session.game import BLACK, WHITE
from ..session.session import Session
from .gui import Gui
from .highlight import ARRIVAL, CAPTURE, LEG, MOVE, VICTIM, consequences, marks
from .notation import PASS, Spelled

if TYPE_CHECKING:
    from ...engine.game.description import Description
    from ...engine.game.moves import Move
    from ...engine.position import Position


ADVICE = (  # with the escapes that XBoard expects after two backslashes
    r"\\A pawn that pushes a piece takes three moves here: the pawn's; then\nwhose piece it was moves it to"
    r" the marked square, and the other side\npasses (two clicks on your king). XBoard makes yours by"
    r" itself with the\noptions -oneClickMove true -testLegality false.\nTo capture between merchants, click"
    r" the victim before the target."
)
_LEGS = re.compile(r"(?P<origin>[a-p]\d+)(?P<victim>[a-p]\d+),(?P<start>[a-p]\d+)(?P<target>[a-p]\d+)")


class Ply(NamedTuple):
    """A step of a pushed piece between two squares, or a pass without squares."""

    side: int
    origin: int | None = None
    target: int | None = None


def others_move(description: "Description") -> bool:
    """Whether moves of this game have effects that XBoard does not know."""
    return bool(description.merchants or description.bumping)


def victims(position: "Position", move: "Move") -> list[int]:
    """The squares where a move captures a piece, other than its target."""
    found = _effects(position, move)
    return [] if ARRIVAL in found.values() else list(found)


def plies(position: "Position", move: "Move") -> tuple["Ply", ...]:
    """The plies to show XBoard after a move; none unless it pushes a piece."""
    found = {colour: square for square, colour in _effects(position, move).items()}
    if ARRIVAL not in found:
        return ()
    pushed, mover = position.letter_at(found[VICTIM]), position.turn
    assert pushed is not None
    owner = WHITE if pushed.isupper() else BLACK
    royal = position.description.piece(pushed.upper()).royal
    return tuple(
        Ply(side, *step) if side == owner else Ply(side)
        for step in _steps(found[VICTIM], found[ARRIVAL], position.description.files, royal)
        for side in (1 - mover, mover)
    )


def _effects(position: "Position", move: "Move") -> dict[int, str]:
    if not others_move(position.description):
        return {}
    return consequences(position, move.from_square, move.to_square)


def _steps(origin: int, target: int, files: int, royal: bool) -> list[tuple[int, int]]:
    """The way of a pushed piece: one step, but square by square for a king on its rank, which XBoard would
    take for castling."""
    if not royal or origin // files != target // files:
        return [(origin, target)]
    step = 1 if target > origin else -1
    return [(square, square + step) for square in range(origin, target, step)]


class MoveEffects(Spelled):
    """The plies that XBoard still has to see in the game of a `Session`. `write_line` takes the lines for it.
    Only a GUI that is known to be XBoard gets them; others get only the moves."""

    def __init__(self, session: Session, gui: Gui, write_line: Callable[[str], None]) -> None:
        self._session, self._gui = session, gui
        self._write = write_line
        self._by_mouse = True  # the engine plays against a user, as far as is known
        self._touched = False  # a user has picked up a piece
        self._advised = False
        self._position: Position | None = None  # the one that `_made` is about
        # For each move the plies after it, and how many of them were made.
        self._made: list[tuple[tuple[Ply, ...], int]] = []

    def computer(self, argument: str) -> None:
        """Whether the other side is an engine, which makes its plies itself."""
        self._by_mouse = False

    def touch(self) -> None:
        """Records that a user picks up a piece."""
        self._touched = True

    def forget(self) -> None:
        """Resets for another game, against a user as far as is known."""
        self._by_mouse, self._touched = True, False

    def advise(self) -> None:
        """Explains once to a user who moves how to move in a game with pushes. It does so only then, because
        at the start the other side may be an engine, or the game may come from a file, and a dialog would
        cover the board for no reason."""
        moves = self._touched or self._session.game.engine_side is not None
        if not (self._gui.is_xboard and self._by_mouse and moves) or self._advised:
            return
        if others_move(self._session.position.description):
            self._write(f"telluser {ADVICE}")
            self._advised = True

    @property
    def pending(self) -> Ply | None:
        """The next ply to be made, or None."""
        if self._position is not self._session.position or not self._made:
            return None
        shown, done = self._made[-1]
        return shown[done] if done < len(shown) else None

    @property
    def turn(self) -> int:
        """The side to move, as XBoard sees it."""
        return self.pending.side if self.pending else self._session.position.turn

    def moved(self) -> None:
        """Records the last move of the game."""
        position = self._session.position
        known = self._made if self._position is position else []
        untold: list[tuple[tuple[Ply, ...], int]] = [((), 0)] * (position.ply - 1 - len(known))
        self._position, self._made = position, [*known, *untold][: position.ply - 1]
        shown: tuple[Ply, ...] = ()
        if self._gui.is_xboard and others_move(position.description):
            before = position.copy()
            move = before.pop()
            shown = plies(before, move)
        self._made.append((shown, 0))

    def makes(self, text: str) -> bool:
        """Whether `text`, a move in XBoard's spelling, is the pending ply; if so, it is made. Raises
        IllegalMoveError if the engine plays and another ply is required. A loaded game may come from a
        program without such plies."""
        ply = self.pending
        if ply is None:
            return False
        wanted = self._spellings(ply)
        if text in wanted:
            self._count_ply()
        elif self._session.game.engine_side is not None:
            raise IllegalMoveError(text, f"the push wants {self._notation.read_move(wanted[-1])} first")
        return text in wanted

    def passes(self, fen: str) -> bool:
        """Whether a position is the one after the pending pass: XBoard reports an engine's pass in this
        way."""
        ply = self.pending
        if ply is None or ply.target is not None:
            return False
        try:
            fields = split_fields(fen, self._session.position.description)
        except FenError:
            return False
        return ("/".join(fields.rows), fields.turn) == (self._board(), "wb"[1 - ply.side])

    def carry_on(self) -> bool:
        """Makes the engine's own plies, and shows the user the next one. Returns whether all are made."""
        side = self._session.game.engine_side
        while self.pending and self.pending.side == side:
            self._write(f"move {self._spellings(self.pending)[0]}")
            self._count_ply()
        if self.pending and side is not None and self._by_mouse:
            self._click(self.pending)
        return self.pending is None

    def take_back(self, count: int) -> None:
        """Takes back that many half moves of XBoard: plies, and moves of the game. Raises ValueError, and
        changes nothing then."""
        known = self._made if self._position is self._session.position else []
        made, moves = list(known), 0
        for _ in range(count):
            if made and made[-1][1]:
                shown, done = made.pop()
                made.append((shown, done - 1))
            else:
                made, moves = made[:-1], moves + 1
        keeps, side = moves, self._session.game.engine_side
        self._session.take_back(keeps)
        self._made = made
        self._session.game.engine_side = None if self.turn == side else side

    def lines(self, move: "Move") -> list[str]:
        """The lines for XBoard about the engine's last move: in two legs if it captures on the way."""
        notation, before = self._notation, self._session.position.copy()
        before.pop()
        killed = victims(before, move) if self._gui.is_xboard else []
        if not killed:
            return [f"move {notation.write_move(move)}"]
        assert move.from_square is not None  # a drop captures no piece
        origin, victim, target = map(notation.write_square, (move.from_square, killed[0], move.to_square))
        return [f"move {origin}{victim},", f"move {victim}{target}"]

    def whole(self, text: str) -> str:
        """A move in XBoard's spelling, without its first leg if that ends on the victim of the second."""
        legs = _LEGS.fullmatch(text)
        if not legs or legs["victim"] != legs["start"]:
            return text
        notation, position = self._notation, self._session.position
        origin, victim, target = map(notation.read_square, legs.group("origin", "victim", "target"))
        kills = any(
            (move.from_square, move.to_square) == (origin, target) and victim in victims(position, move)
            for move in position.legal_moves()
        )
        return legs["origin"] + legs["target"] if kills else text

    def marks(self, lifted: int | str | None, victim: int | None = None) -> dict[int, str]:
        """Square -> colour for a piece that the user has picked up, as in `highlight.marks`; after its first
        leg if a `victim` is given. A target where the piece captures on the way is reached through the
        victim."""
        if self.pending:
            origin, target = self._way(self.pending)
            return {target: MOVE} if lifted == origin else {}
        position = self._session.position
        found = marks(position, lifted)
        if not (self._gui.is_xboard and others_move(position.description)):
            return found
        for move in position.legal_moves():
            if move.from_square == lifted and (killed := victims(position, move)):
                if victim is None:
                    found |= dict.fromkeys(killed, LEG) | {move.to_square: CAPTURE.lower()}
                elif victim not in killed:
                    found.pop(move.to_square)
            elif move.from_square == lifted and victim is not None:
                found.pop(move.to_square)
        return found

    def _board(self) -> str:
        """The board, as a FEN, that XBoard has while a ply is pending."""
        position, (shown, done) = self._session.position, self._made[-1]
        there = {square: position.letter_at(square) for square in range(position.description.squares)}
        steps = [ply for ply in shown if ply.target is not None]
        stands = next((ply.target for ply in reversed(shown[:done]) if ply in steps), steps[0].origin)
        end = steps[-1].target
        assert stands is not None and end is not None
        there[stands] = there.pop(end)
        return self._notation.write_squares({square: piece for square, piece in there.items() if piece})

    def _count_ply(self) -> None:
        shown, done = self._made[-1]
        self._made[-1] = shown, done + 1

    def _spellings(self, ply: Ply) -> list[str]:
        """The possible spellings of a ply, the engine's first. A user passes with two clicks on the king."""
        clicked = "".join(map(self._notation.write_square, self._way(ply)))
        return [clicked] if ply.target is not None else [PASS, clicked]

    def _way(self, ply: Ply) -> tuple[int, int]:
        """The squares that the user has to click."""
        if ply.target is not None:
            assert ply.origin is not None
            return ply.origin, ply.target
        king = int(self._session.position.state["kings"][ply.side])
        return king, king

    def _click(self, ply: Ply) -> None:
        """Makes a ply of the user by clicks, if the GUI lets engines click; otherwise shows it."""
        origin, target = self._way(ply)
        notation = self._notation
        self._write(f"click {notation.write_square(origin)}")
        self._write(f"highlight {notation.write_squares({target: MOVE})}")
        self._write(f"click {notation.write_square(target)}")
