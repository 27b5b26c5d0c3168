"""A slow, plain model of any game with a file: legal moves directly from a `Description`.

Every move is made on a dictionary and then tested. Nothing is compiled, and only the reading and writing of
files, FENs and moves is shared with the engine. Tests can check hundreds of games in this way, which would
take hours to compile: this model compares descriptions with other programs, other tests compare the engine
with descriptions. It supports what Fairy-Stockfish's files can express: not the mechanics of Chaotic Chess,
nor Janggi's setup phase."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from surajang.engine.definition import fen as fens
from surajang.engine.game.betza import Ride
from surajang.engine.game.description import REVERTING, Description, PieceDescription
from surajang.engine.game.moves import (
    ACTION_SHIFT,
    CASTLING,
    DROP,
    EN_PASSANT,
    NORMAL,
    PASS,
    PROMOTION,
    Move,
    spell,
    square_name,
)
from surajang.engine.representation.geometry import lame_path

Man = tuple[int, str]  # side and letter


def _leads(ride: Ride, side: int, files: int, ranks: int) -> bool:
    """Whether a number of steps goes so many files and ranks."""
    step = (-ride.files, -ride.ranks) if side else (ride.files, ride.ranks)
    count = max(abs(files), abs(ranks)) // max(map(abs, step))
    return (step[0] * count, step[1] * count) == (files, ranks)


@dataclass
class State:
    """One position; `rights` are letters of castling rights, `over` says that the game has ended."""

    board: dict[int, Man]
    hands: tuple[dict[str, int], dict[str, int]]
    side: int
    crossed: tuple[int, ...] = ()
    victim: int = 0
    rights: frozenset[str] = frozenset()
    checks: tuple[int, ...] = ()
    passed: bool = False
    over: bool = False


class SlowRules:
    """The rules of one game."""

    def __init__(self, description: Description) -> None:
        self.game = description
        self.files, self.ranks = description.files, description.ranks
        self.pieces = {piece.letter: piece for piece in description.pieces}
        self.king = next(piece.letter for piece in description.pieces if piece.royal)
        self._captures = {}  # (letter, side, whether it is advanced, files, ranks) -> rides that go so far

    # Positions as text

    def start(self) -> State:
        """The position that a game begins with."""
        return self.read(self.game.start_fen)

    def read(self, text: str) -> State:
        """The position of a FEN in the engine's notation."""
        setup = fens.parse(text, self.game)
        rights = frozenset(letter for letter in setup.castling if self._is_backed(setup.board, letter))
        checks = setup.of_mechanics["checks"]
        state = State(dict(setup.board), setup.hands, setup.side, setup.crossed, setup.victim, rights, checks)
        state.over = self._is_over(state)
        return state

    def write(self, state: State) -> str:
        """The FEN of a position, in the engine's notation."""
        letters = [wing.letter for wing in self.game.castling]
        field = "".join(x for x in letters + [x.lower() for x in letters] if x in state.rights)
        crossed = state.crossed if any(True for _ in self._en_passant(state)) else ()
        hands = tuple({x: n for x, n in hand.items() if n} for hand in state.hands)
        setup = fens.Setup(
            board=state.board,
            hands=hands,
            side=state.side,
            crossed=crossed,
            of_mechanics={"checks": state.checks},
        )
        return fens.write(setup, field or "-", self.game)

    # Geometry

    def _own_rank(self, square: int, side: int) -> int:
        rank = square // self.files + 1
        return rank if side == 0 else self.ranks + 1 - rank

    def _seen(self, square: int, side: int) -> int:
        """A square as White has it."""
        return (self._own_rank(square, side) - 1) * self.files + square % self.files

    def _shifted(self, square: int, files: int, ranks: int) -> int | None:
        file, rank = square % self.files + files, square // self.files + ranks
        if not (0 <= file < self.files and 0 <= rank < self.ranks):
            return None
        target = rank * self.files + file
        return None if target in self.game.holes else target

    def _in_palace(self, square: int) -> tuple[int, int, int] | None:
        """(whose palace a square is in, its file and rank there from 0), or None."""
        palace = self.game.palace
        for side in (0, 1) if palace else ():
            file, rank = square % self.files, self._own_rank(square, side)
            if file in palace.files and rank in palace.ranks:
                return side, file - palace.files[0], rank - palace.ranks[0]
        return None

    def _joined(self, first: int, second: int) -> bool:
        """Whether a diagonal of a palace holds both squares."""
        places = self._in_palace(first), self._in_palace(second)
        if None in places or places[0][0] != places[1][0]:
            return False
        lines = ((lambda x, y: x == y), (lambda x, y: x + y == 2))
        return any(all(line(x, y) for _, x, y in places) for line in lines)

    # Where pieces go, whatever becomes of the king

    def _targets(self, state: State, square: int, capturing: bool) -> Iterator[int]:
        """Squares that the piece on a square captures on, or moves to without capturing. For captures the
        piece there does not matter, unless hoppers may not take it."""
        side, letter = state.board[square]
        piece = self.pieces[letter]
        found = set()
        for ride, palace in self._rides(square, side, piece):
            if ride.capture if capturing else ride.quiet:
                found.update(self._ride(state, square, side, ride, palace))
        return (target for target in found if self._may_go(piece, target, side))

    def _rides(self, square: int, side: int, piece: PieceDescription) -> list[tuple[Ride, bool]]:
        """The moves of a piece on a square, and which of them are bound to the lines of a palace."""
        rides = [(ride, False) for ride in piece.moves] + [(ride, True) for ride in piece.palace_moves]
        if piece.advanced and self._own_rank(square, side) in piece.advanced.ranks:
            rides += [(ride, False) for ride in piece.advanced.moves]
        return rides

    def _may_go(self, piece: PieceDescription, target: int, side: int) -> bool:
        if piece.region and self._seen(target, side) not in piece.region:
            return False
        return not piece.confined or (self._in_palace(target) or (2,))[0] == side

    def _ride(self, state: State, square: int, side: int, ride: Ride, palace: bool) -> Iterator[int]:
        step = (-ride.files, -ride.ranks) if side else (ride.files, ride.ranks)
        if ride.lame:
            places = [self._shifted(square, *place) for place in lame_path(*step)]
            target = self._shifted(square, *step)
            if target is not None and not any(place in state.board for place in places):
                yield target
            return
        hurdle, place, count = False, square, 0
        while True:
            before, place = place, self._shifted(place, *step)
            if place is None or (
                palace and not (self._joined(square, place) and self._joined(before, place))
            ):
                return
            count += 1
            if ride.reach and count > ride.reach:
                return
            man = state.board.get(place)
            shielded = man is not None and self.pieces[man[1]].shielded
            if not ride.hop:
                yield place
                if man:
                    return
            elif hurdle:
                if shielded != "hops":
                    yield place
                if man or ride.hop == "g":
                    return
            elif man:
                if shielded == "hops":
                    return
                hurdle = True

    def attacked(self, state: State, square: int, by: int) -> bool:
        """Whether a side attacks a square, where a king of the other may stand."""
        for place, (side, letter) in state.board.items():
            if side == by and self._reaches(state, place, square, self.pieces[letter]):
                return True
        facing = self.game.facing_kings
        return bool(facing and facing.result == "illegal" and self._faces(state, square, by))

    def _reaches(self, state: State, place: int, square: int, piece: PieceDescription) -> bool:
        """Whether the piece on a place attacks a square."""
        side = state.board[place][0]
        files, ranks = square % self.files - place % self.files, square // self.files - place // self.files
        is_advanced = piece.advanced and self._own_rank(place, side) in piece.advanced.ranks
        way = piece.letter, side, bool(is_advanced), files, ranks
        if way not in self._captures:
            self._captures[way] = [
                (ride, palace)
                for ride, palace in self._rides(place, side, piece)
                if ride.capture and _leads(ride, side, files, ranks)
            ]
        for ride, palace in self._captures[way]:
            if square in self._ride(state, place, side, ride, palace):
                return self._may_go(piece, square, side)
        return False

    def _faces(self, state: State, square: int, by: int) -> bool:
        steps = {"file": ((0, 1), (0, -1)), "rank": ((1, 0), (-1, 0))}
        for line in self.game.facing_kings.lines:
            for step in steps[line]:
                place = self._shifted(square, *step)
                while place is not None and place not in state.board:
                    place = self._shifted(place, *step)
                if place is not None and state.board[place] == (by, self.king):
                    return True
        return False

    def checked(self, state: State, side: int) -> bool:
        """Whether the king of a side is in check; in the hand it is in none."""
        king = next((square for square, man in state.board.items() if man == (side, self.king)), None)
        return king is not None and self.attacked(state, king, 1 - side)

    # Moves

    def legal(self, state: State) -> dict[str, tuple[Move, State]]:
        """Legal moves by their text, each with the position that it leads to."""
        if state.over:
            return {}
        side = state.side
        found = {}
        owed = self._owed(state)
        for move, child in self._all(state):
            if self.checked(child, side) or (move.is_drop and not self._drop_is_legal(state, child, move)):
                continue
            found[str(move)] = (move, child)
        if owed:
            drops = {text: found[text] for text in found if found[text][0].is_drop}
            found = drops or found
        if self.game.passing and not self.checked(state, side):
            king = next(square for square, man in state.board.items() if man == (side, self.king))
            child = self._turned(state)
            child.passed, child.over = True, state.passed
            found["0000"] = (self._move(king, king, "", PASS), child)
        return found

    def _move(self, source: int, target: int, letter: str, action: int) -> Move:
        if action == CASTLING:
            return spell(target | source << 8 | action << ACTION_SHIFT, self.game)
        names = square_name(source, self.files), square_name(target, self.files)
        text = f"{letter}@{names[1]}" if action == DROP else "".join(names)
        text += letter[0].lower() if action == PROMOTION else ""
        return Move(target | source << 8 | action << ACTION_SHIFT, text)

    def _turned(self, state: State) -> State:
        """A copy with the other side to move."""
        hands = (dict(state.hands[0]), dict(state.hands[1]))
        return replace(
            state, board=dict(state.board), hands=hands, side=1 - state.side, crossed=(), passed=False
        )

    def _all(self, state: State) -> Iterator[tuple[Move, State]]:
        for square, (side, letter) in list(state.board.items()):
            if side == state.side:
                yield from self._of_piece(state, square, self.pieces[letter])
        yield from self._en_passant(state)
        yield from self._castlings(state)
        yield from self._drops(state)

    def _of_piece(self, state: State, square: int, piece: PieceDescription) -> Iterator[tuple[Move, State]]:
        side = state.side
        for target in self._targets(state, square, True):
            if state.board.get(target, (side,))[0] != side:
                yield from self._arrivals(state, square, target, piece)
        for target in self._targets(state, square, False):
            if target not in state.board:
                yield from self._arrivals(state, square, target, piece)
        for files in piece.long_steps:
            place = square
            for step in range(1, piece.steps.get(self._own_rank(square, side), 1) + 1):
                place = self._shifted(place, *((-files, -1) if side else (files, 1)))
                if place is None or place in state.board:
                    break
                if step > 1:
                    yield from self._arrivals(state, square, place, piece)

    def _arrivals(
        self, state: State, square: int, target: int, piece: PieceDescription
    ) -> Iterator[tuple[Move, State]]:
        """The move to a square, as it is and promoted."""
        side, captures = state.side, target in state.board
        if piece.royal and self.game.checked_king and self.checked(state, side):
            attackers = [
                place
                for place, (owner, _) in state.board.items()
                if owner != side and square in self._targets(state, place, True)
            ]
            if attackers != [target]:
                return
        area, ways = self.game.promotion_area(piece), self.game.promotes_on(piece)
        own = self._seen(target, side), self._seen(square, side)
        may = bool(piece.promotes_to) and (
            ("enter" in ways and own[0] in area) or ("leave" in ways and own[1] in area)
        )
        if piece.captures_promote and not captures:
            may = False
        if may:
            for letter in piece.promotes_to:
                if self._is_allowed(state, side, letter):
                    yield (
                        self._move(square, target, letter, PROMOTION),
                        self._moved(state, square, target, letter),
                    )
        rank = self._own_rank(target, side)
        whole = set(piece.must_promote) == set(self.game.promotion_ranks(piece)) and "leave" in ways
        must = rank in piece.barred or (
            may and bool(piece.must_promote) and (whole or (rank in piece.must_promote and own[0] in area))
        )
        if not must:
            yield (
                self._move(square, target, "", NORMAL),
                self._moved(state, square, target, piece.letter),
            )

    def _is_allowed(self, state: State, side: int, letter: str) -> bool:
        """Whether a promotion may bring one more of a kind to the board."""
        if (
            self.game.side_promotions
            and letter.removesuffix(REVERTING) not in self.game.side_promotions[side]
        ):
            return False
        for letters, most in self.game.promotion_limit.items():
            if letter.removesuffix(REVERTING) in letters:
                men = [x.removesuffix(REVERTING) for owner, x in state.board.values() if owner == side]
                return sum(x in letters for x in men) < most
        return True

    def _moved(self, state: State, square: int, target: int, letter: str) -> State:
        child = self._turned(state)
        side = state.side
        piece = self.pieces[child.board.pop(square)[1]]
        self._take(child, target, side)
        child.board[target] = (side, letter)
        low, high = sorted((square, target))
        ranks, step = high // self.files - low // self.files, 0
        if piece.steps and ranks >= 2 and (high - low) % ranks == 0:
            step = (high - low) // ranks
        if step - self.files in piece.long_steps:
            child.crossed, child.victim = tuple(range(low + step, high, step)), target
        child.rights = frozenset(x for x in child.rights if self._is_backed(child.board, x))
        return self._ended(child, side)

    def _take(self, child: State, square: int, side: int) -> None:
        man = child.board.pop(square, None)
        if man and self.game.has_drops and self.game.captures_to_hand:
            base = self.pieces[man[1]].base
            if self.pieces[base].droppable:
                child.hands[side][base] = child.hands[side].get(base, 0) + 1

    def _en_passant(self, state: State) -> Iterator[tuple[Move, State]]:
        for target in state.crossed:
            for square, (side, letter) in list(state.board.items()):
                piece = self.pieces[letter]
                if side != state.side or not piece.en_passant:
                    continue
                if target in self._targets(state, square, True):
                    child = self._turned(state)
                    self._take(child, state.victim, side)
                    child.board[target] = child.board.pop(square)
                    yield self._move(square, target, "", EN_PASSANT), self._ended(child, side)

    # Castling

    def _wing(self, letter: str) -> tuple[int, int, int, int, str]:
        """Squares of king and rook before and after, and the rook's kind, of a right."""
        side = int(letter.islower())
        wing = next(wing for wing in self.game.castling if wing.letter == letter.upper())
        rank = self.game.castling_rank
        first = ((rank if side == 0 else self.ranks + 1 - rank) - 1) * self.files
        squares = (first + file for file in (wing.king, wing.rook, wing.king_to, wing.rook_to))
        return (*squares, wing.piece)

    def _is_backed(self, board: dict[int, Man], letter: str) -> bool:
        side = int(letter.islower())
        king, rook, _, _, piece = self._wing(letter)
        return board.get(king) == (side, self.king) and board.get(rook) == (side, piece)

    def _castlings(self, state: State) -> Iterator[tuple[Move, State]]:
        side = state.side
        for letter in sorted(state.rights):
            if letter.islower() != bool(side) or self.checked(state, side):
                continue
            king, rook, king_to, rook_to, piece = self._wing(letter)
            ways = [range(min(pair), max(pair) + 1) for pair in ((king, king_to), (rook, rook_to))]
            if any(square in state.board for way in ways for square in way if square not in (king, rook)):
                continue
            step = 1 if king_to > king else -1
            if any(self.attacked(state, s, 1 - side) for s in range(king + step, king_to + step, step)):
                continue
            child = self._turned(state)
            del child.board[king], child.board[rook]
            child.board |= {king_to: (side, self.king), rook_to: (side, piece)}
            child.rights = frozenset(x for x in child.rights if self._is_backed(child.board, x))
            yield self._move(king, king_to, "", CASTLING), self._ended(child, side)

    # Drops

    def _owed(self, state: State) -> bool:
        return any(n and self.pieces[x].must_drop for x, n in state.hands[state.side].items())

    def _drops(self, state: State) -> Iterator[tuple[Move, State]]:
        side = state.side
        for letter, count in state.hands[side].items():
            piece = self.pieces[letter]
            if not count or (self._owed(state) and not piece.must_drop):
                continue
            forms = [letter, *(piece.promotes_to if self.game.drops_promoted else ())]
            for square in range(self.files * self.ranks):
                own = self._seen(square, side)
                if square in state.board or own not in self.game.dropped_on(piece):
                    continue
                if piece.region and own not in piece.region:
                    continue
                for form in forms:
                    child = self._turned(state)
                    child.board[square] = (side, form)
                    child.hands[side][letter] -= 1
                    if self.game.castling_dropped:
                        child.rights |= self._gained(child, side, square)
                    yield self._move(square, square, form, DROP), self._ended(child, side)

    def _gained(self, child: State, side: int, square: int) -> frozenset[str]:
        letters = [wing.letter if side == 0 else wing.letter.lower() for wing in self.game.castling]
        return frozenset(
            x for x in letters if square in self._wing(x)[:2] and self._is_backed(child.board, x)
        )

    def _drop_is_legal(self, state: State, child: State, move: Move) -> bool:
        side, square = state.side, move.to_square
        letter = child.board[square][1]
        base = letter if self.pieces[letter].droppable else self.pieces[letter].base
        piece = self.pieces[base]
        if piece.most_per_file:
            file = [man for place, man in state.board.items() if place % self.files == square % self.files]
            if file.count((side, base)) >= piece.most_per_file:
                return False
        for other in self.pieces.values():
            if other.both_colours and not self._leaves_colours(state, square, other, piece):
                return False
        check = self.checked(child, 1 - side)
        if self.game.drop_checks and check == (self.game.drop_checks == "never"):
            return False
        return not (piece.no_drop_mate and check and not self.legal(child))

    def _leaves_colours(
        self, state: State, square: int, bound: PieceDescription, dropped: PieceDescription
    ) -> bool:
        side = state.side
        own = [place for place, man in state.board.items() if man == (side, bound.letter)]
        held = state.hands[side].get(bound.letter, 0)
        total = len(own) + held

        def colour(place: int) -> int:
            return (place % self.files + place // self.files) % 2

        if bound is dropped:
            return sum(colour(place) == colour(square) for place in own) + 1 <= (total + 1) // 2
        room = {place for place in range(self.files * self.ranks) if place not in state.board}
        room = {p for p in room if self._seen(p, side) in self.game.dropped_on(bound)} - {square} | set(own)
        return all(sum(colour(place) == which for place in room) >= total // 2 for which in (0, 1))

    # The end

    def _ended(self, child: State, mover: int) -> State:
        """The position after a move, with what the move has ended."""
        if self.game.check_limit and self.checked(child, 1 - mover):
            checks = list(child.checks)
            checks[mover] -= 1
            child.checks = tuple(checks)
        child.over = self._is_over(child)
        return child

    def _is_over(self, state: State) -> bool:
        goal, mover = self.game.goal, 1 - state.side
        if goal:
            for square, (side, letter) in state.board.items():
                where = square if mover and goal.black else self._seen(square, mover)
                squares = goal.black if mover and goal.black else goal.squares
                if side == mover and letter.removesuffix(REVERTING) in goal.pieces and where in squares:
                    return True
        if state.checks and state.checks[mover] == 0:
            return True
        return self._is_bare(state)

    def _is_bare(self, state: State) -> bool:
        if self.game.bare_king is None:
            return False
        spared = {self.king, *self.game.bare_king}
        own, enemy = (
            sum(owner == side and letter not in spared for owner, letter in state.board.values())
            for side in (state.side, 1 - state.side)
        )
        reply = self.game.bare_reply
        return (own == 0 and enemy > reply) or (reply and enemy == 0 and own > 0)
