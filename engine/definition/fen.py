"""Positions as text: `board[hands] turn castling ep halfmove fullmove`.

Protocols, Python, PGN, EPD and the command line read FENs here. `fen_fields` describes the differences of
other programs."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ..game.description import REVERTING, Description, PieceDescription
from ..game.fen_error import FenError, shown
from ..game.moves import parse_square, square_name
from .castling_field import read_castling
from .fen_fields import fields_of_mechanics, split_fields
from .free_castling_field import write_x_fen

MAX_IN_HAND = 99
MOST_SHOWN = 4  # squares that an error names
MOST_DIGITS = 9  # of a counter, with zeros before it
MAX_COUNTER = 65_535

__all__ = ["MAX_IN_HAND", "FenError", "Setup", "arranged", "castling_field", "parse", "write"]


@dataclass
class Setup:
    """A position as plain data: `board` maps squares to (side, letter), `hands` letters to counts."""

    board: dict[int, tuple[int, str]] = field(default_factory=dict)
    hands: tuple[dict[str, int], dict[str, int]] = field(default_factory=lambda: ({}, {}))
    side: int = 0
    crossed: tuple[int, ...] = ()
    victim: int = 0
    walls: tuple[int, ...] = ()
    castling: str = ""  # letters of the current rights, White's in upper case
    # Of mechanics in the castling field, such as "Ss" for choices of the setup phase
    mechanic_letters: str = ""
    halfmoves: int = 0
    fullmoves: int = 1
    of_mechanics: dict[str, tuple[int, ...]] = field(default_factory=dict)  # a `FenField`'s name -> numbers
    notes: tuple[str, ...] = ()  # sentences about parts of the FEN that are impossible in the position


def parse(text: str, description: Description) -> Setup:
    """The setup of a FEN. Raises FenError, but does not test whether kings are in check."""
    fields = split_fields(text, description)
    setup = Setup(of_mechanics=fields.of_mechanics)
    setup.board, setup.walls = _parse_board(fields.rows, description)
    setup.hands = _parse_hands(fields.hands or "", description)
    if fields.turn not in ("w", "b"):
        raise FenError(f"turn: {shown(fields.turn)} should be 'w' or 'b'")
    setup.side = "wb".index(fields.turn)
    _check_kings(setup, description)
    for each in fields_of_mechanics():
        each.check(setup.of_mechanics[each.name], setup.side)
    setup.castling, setup.mechanic_letters = read_castling(
        fields.castling, setup.board, description, fields.notes
    )
    setup.halfmoves = _parse_counter("halfmove", fields.halfmoves)
    setup.fullmoves = max(1, _parse_counter("fullmove", fields.fullmoves))  # some programs begin with 0
    _parse_crossed(fields.crossed, setup, description, fields.notes)
    for each in fields_of_mechanics():
        numbers = setup.of_mechanics[each.name]
        numbers = each.settle(numbers, setup.board, setup.hands, description, fields.notes)
        setup.of_mechanics[each.name] = numbers
    setup.notes = tuple(fields.notes)
    return setup


def castling_field(setup: Setup) -> str:
    """The castling field of a setup."""
    return setup.castling + setup.mechanic_letters or "-"


def _gap(digits: str, room: int) -> int:
    """The empty squares of a run of digits: one number if it fits, else digit by digit."""
    return int(digits) if len(digits) <= 2 and int(digits) <= room else sum(map(int, digits))


def _parse_board(
    rows: list[str], description: Description
) -> tuple[dict[int, tuple[int, str]], tuple[int, ...]]:
    """The pieces on the board by square, and the squares with a wall."""
    if len(rows) != description.ranks:
        found = f"{shown('/'.join(rows))} has {len(rows)} rank{'s' * (len(rows) > 1)}"
        raise FenError(f"board: {found}, but {description.name} has {description.ranks}")
    board: dict[int, tuple[int, str]] = {}
    walls: list[int] = []
    forms = {piece.letter: piece for piece in description.pieces}
    aliases = _aliases(description)
    for number, row in enumerate(rows):
        rank, file = description.ranks - 1 - number, 0
        for token in re.findall(r"[0-9]+|\+?.~?", row, re.DOTALL):
            if token.isascii() and token.isdigit():
                file += _gap(token, description.files - file)
                continue
            if token == "*":
                if description.walls:
                    walls.append(rank * description.files + file)
                elif rank * description.files + file not in description.holes:
                    there = (
                        "not at a hole of" if description.holes else "a hole or a wall, but there are none in"
                    )
                    raise FenError(
                        f"board: '*' in rank {rank + 1}, {shown(row)}, is {there} {description.name}"
                    )
                file += 1
                continue
            marked = token[0] == "+" and len(token) > 1
            letter = _promoted(token, description) if marked else token.upper()
            letter = aliases.get(letter, letter)
            if letter.endswith(REVERTING) and letter not in forms and letter[:-1] in forms:
                letter = letter[:-1]  # the mark has no meaning if nothing reverts
            if letter not in forms or not token.isascii():
                raise FenError(f"board: {token!r} in rank {rank + 1} is not a piece of this game")
            if file < description.files:
                side = 0 if token.isupper() else 1
                board[rank * description.files + file] = (side, letter)
            file += 1
        if file != description.files:
            raise FenError(
                f"board: rank {rank + 1}, {shown(row)}, has {file} squares instead of {description.files}"
            )
    _check_board(board, description, forms)
    if len(walls) > 1 and description.walls.single:
        squares = ", ".join(square_name(square, description.files) for square in sorted(walls)[:MOST_SHOWN])
        more = ", ..." * (len(walls) > MOST_SHOWN)
        raise FenError(f"board: {len(walls)} walls, on {squares}{more}, but {description.name} has only one")
    return board, tuple(sorted(walls))


def _aliases(description: Description) -> dict[str, str]:
    """Other letters in FENs -> the game's own."""
    return {alias: piece.letter for piece in description.pieces for alias in piece.also}


def _promoted(token: str, description: Description) -> str:
    """The letter of the promoted form in `+R`."""
    letter = token[1].upper()
    letter = _aliases(description).get(letter, letter)
    if description.plus is not None and letter in description.plus:
        return description.plus[letter]
    base = next((piece for piece in description.pieces if piece.letter == letter), None)
    if description.plus is not None or base is None or len(base.promotes_to) != 1:
        raise FenError(f"board: {token!r} names no promoted piece of this game")
    return base.promotes_to[0]


def _check_kings(setup: Setup, description: Description) -> None:
    """Raises FenError unless each side with a king has one, on the board or, if kings are dropped, in hand.
    If kings can explode, that of the side to move may be absent."""
    royal = next((piece.letter for piece in description.royals), None)
    if royal is None:
        return
    for side, colour in enumerate(("White", "Black")):
        wanted = 0 if description.kings == ("black", "white")[side] else 1
        kings = [square for square, man in setup.board.items() if man == (side, royal)]
        held = setup.hands[side].get(royal, 0)
        exploded = description.explosion is not None and side == setup.side
        if len(kings) + held != wanted and not (exploded and not kings):
            where = "hands" if held else "board"
            found, right = len(kings) + held, ("none", "one")[wanted]
            text = "a king" if found == 1 else f"{found or 'no'} kings"
            raise FenError(f"{where}: {colour} has {text} instead of {right}")


def _check_board(
    board: dict[int, tuple[int, str]], description: Description, forms: dict[str, PieceDescription]
) -> None:
    for square, (side, letter) in board.items():
        rank, file = divmod(square, description.files)
        own_rank = rank + 1 if side == 0 else description.ranks - rank
        if square in description.holes:
            raise FenError(f"board: {square_name(square, description.files)} is a hole of {description.name}")
        own_file = description.files - 1 - file if side and description.promotion_turned else file
        if not description.can_stand(forms[letter], own_file, own_rank):
            name = square_name(square, description.files)
            kind = forms[letter].name.lower()
            raise FenError(f"board: a{'n' * (kind[0] in 'aeiou')} {kind} cannot stand on {name}")


def _parse_hands(text: str, description: Description) -> tuple[dict[str, int], dict[str, int]]:
    """The hands; a piece that is held several times is repeated, or has a number before its letter."""
    hands: tuple[dict[str, int], dict[str, int]] = ({}, {})
    droppable = [piece.letter for piece in description.hand_pieces]
    aliases = _aliases(description)
    for count, letter in re.findall(r"([1-9][0-9]?)?(.)", "" if text == "-" else text, re.DOTALL):
        kind = aliases.get(letter.upper(), letter.upper())
        if kind not in droppable or not letter.isascii():
            raise FenError(
                f"hands: {letter!r} in {shown(text)} cannot be in a hand (only {''.join(droppable)})"
            )
        hand = hands[0 if letter.isupper() else 1]
        hand[kind] = hand.get(kind, 0) + int(count or 1)
        if hand[kind] > MAX_IN_HAND:
            raise FenError(f"hands: more than {MAX_IN_HAND} of {letter!r}")
    return hands


def _parse_counter(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise FenError(f"{name}: {shown(text)} should be a whole number")
    if len(text) > MOST_DIGITS or int(text) > MAX_COUNTER:
        raise FenError(f"{name}: {shown(text)} should be from 0 to {MAX_COUNTER}")
    return int(text)


def _parse_crossed(text: str, setup: Setup, description: Description, notes: list[str]) -> None:
    """The squares that a pawn of the side not to move has just crossed, from the given one to the pawn; adds
    a sentence if that is impossible."""
    if text == "-":
        return
    names = re.findall(r"[a-p]\d{1,2}", text.lower())
    found = [parse_square(name, description.files, description.ranks) for name in names]
    if text.lower() not in ("".join(names), ",".join(names)) or not names or None in found:
        raise FenError(f"ep: {shown(text)} should be squares like 'c3' or 'c3c4', or '-'")
    squares = {square for square in found if square is not None}
    if description.crosses_diagonally:
        step = _diagonal_step(squares, setup, description)
    else:
        # Fairy-Stockfish adds the square of the pawn itself if pawns can step sideways.
        squares = {square for square in squares if square not in setup.board} or squares
        step = _step_over(squares, setup, description)
    if step is None:
        notes.append(f"ep: {shown(text)} is ignored: no pawn can just have crossed there")
        return
    setup.crossed, setup.victim = step


def _step_over(
    squares: set[int], setup: Setup, description: Description
) -> tuple[tuple[int, ...], int] | None:
    """(squares crossed, square of the pawn) of a step that may have crossed all of the `squares`."""
    enemy, files = 1 - setup.side, description.files
    forward = files if enemy == 0 else -files
    first = min(squares) if forward > 0 else max(squares)
    victim = first
    while victim not in setup.board:
        victim += forward
        if not 0 <= victim < description.squares:
            return None
    crossed = range(first, victim, forward)
    side, letter = setup.board[victim]
    piece = description.piece(letter)
    if side != enemy or not description.crosses(piece) or not squares <= set(crossed):
        return None
    start = first - forward
    while 0 <= start < description.squares and start not in setup.board:
        own = start if enemy == 0 else (description.ranks - 1 - start // files) * files + start % files
        if description.longest_step(piece, own) * abs(forward) >= abs(victim - start):
            return tuple(sorted(crossed)), victim
        start -= forward
    return None


def _diagonal_step(
    squares: set[int], setup: Setup, description: Description
) -> tuple[tuple[int, ...], int] | None:
    """As `_step_over`, where steps are diagonal: the crossed square and that of the pawn are given."""
    crossed = sorted(square for square in squares if square not in setup.board)
    victims = [square for square in squares if square in setup.board]
    if len(crossed) != 1 or len(victims) != 1:
        return None
    victim, start = victims[0], 2 * crossed[0] - victims[0]
    side, letter = setup.board[victim]
    piece, files = description.piece(letter), description.files
    rank = start // files + 1 if side == 0 else description.ranks - start // files
    way = ((victim - start) // 2) * (1 if side == 0 else -1) - files
    fits = side != setup.side and start not in setup.board and piece.steps.get(rank, 1) >= 2
    return (tuple(crossed), victim) if fits and abs(way) in map(abs, piece.long_steps) else None


def arranged(
    setup: Setup, description: Description, white: Iterable[tuple[int, int]], black: Iterable[tuple[int, int]]
) -> Setup:
    """The setup with the pieces on these pairs of files exchanged on each side's first rank."""
    board = dict(setup.board)
    for first, swaps in ((0, white), (description.squares - description.files, black)):
        for one, other in swaps:
            pieces = board.pop(first + one, None), board.pop(first + other, None)
            for file, piece in zip((other, one), pieces, strict=True):
                if piece:
                    board[first + file] = piece
    return replace(setup, board=board)


def write(setup: Setup, castling: str, description: Description, shredder: bool = False) -> str:
    """The FEN of a setup; `castling` is the text of that field. Rights that are files of rooks are written as
    such with `shredder`, else as in X-FEN."""
    if description.castling_free and castling != "-" and not shredder:
        castling = write_x_fen(castling, setup.board, description)
    rows = []
    for rank in reversed(range(description.ranks)):
        row, gap = "", 0
        for file in range(description.files):
            square = rank * description.files + file
            side, letter = setup.board.get(square, (0, ""))
            if square in description.holes or square in setup.walls:
                letter = "*"
            if not letter:
                gap += 1
                continue
            row += (str(gap) if gap else "") + (letter if side == 0 else letter.lower())
            gap = 0
        rows.append(row + (str(gap) if gap else ""))
    board = "/".join(rows)
    if description.has_drops:
        order = [piece.letter for piece in description.hand_pieces]
        white, black = ("".join(letter * hand.get(letter, 0) for letter in order) for hand in setup.hands)
        board += f"[{white}{black.lower()}]"
    squares = (
        [*setup.crossed, setup.victim] if setup.crossed and description.crosses_diagonally else setup.crossed
    )
    crossed = "".join(square_name(square, description.files) for square in squares) or "-"
    turn = "wb"[setup.side]
    more = ""
    for each in fields_of_mechanics():
        found = setup.of_mechanics.get(each.name)
        if found and each.castling:
            castling = each.castling(castling, found, description)
        elif found:
            more += f"{each.write(found)} "
    return f"{board} {turn} {castling} {crossed} {more}{setup.halfmoves} {setup.fullmoves}"
