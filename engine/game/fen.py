"""Positions as text: `board[hands] turn castling ep halfmove fullmove`."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from .description import REVERTING, Description, PieceDescription
from .moves import parse_square, square_name

MAX_IN_HAND = 99
MAX_COUNTER = 65_535


class FenError(ValueError):
    """A FEN that cannot be set up; the text names the field and what is wrong with it."""


@dataclass
class Setup:
    """A position as plain data: `board` maps squares to (side, letter), `hands` letters to counts."""

    board: dict[int, tuple[int, str]] = field(default_factory=dict)
    hands: tuple[dict[str, int], dict[str, int]] = field(default_factory=lambda: ({}, {}))
    side: int = 0
    crossed: tuple[int, ...] = ()
    victim: int = 0
    castling: str = ""  # letters of the rights that stand, White's in upper case
    choices: str = ""  # "S", "s" for setup choices that are still to come
    halfmoves: int = 0
    fullmoves: int = 1
    checks: tuple[int, ...] = ()  # that each side still needs, in games that count them


def parse(text: str, description: Description) -> Setup:
    """The setup that a FEN describes. Raises FenError, but does not ask whether kings stand in check."""
    if not isinstance(text, str) or not text.split():
        raise FenError(f"FEN: {_shown(text)} is empty; it should begin with the board's ranks")
    fields = text.split()
    checks = _take_checks(fields, description)
    if len(fields) > 6:
        raise FenError(f"FEN: {len(fields)} fields, but there are at most 6; {_shown(fields[6])} is too much")
    fields += ["w", "-", "-", "0", "1"][len(fields) - 1 :]
    board, turn, castling, crossed, halfmoves, fullmoves = fields
    setup = Setup()
    rows, hands = _split_hands(board, description)
    setup.board = _parse_board(rows, description)
    setup.hands = _parse_hands(hands, description)
    _check_kings(setup, description)
    if turn not in ("w", "b"):
        raise FenError(f"turn: {_shown(turn)} should be 'w' or 'b'")
    setup.side = "wb".index(turn)
    setup.checks = checks
    _parse_castling(castling, setup, description)
    setup.halfmoves = _parse_counter("halfmove", halfmoves, 0)
    setup.fullmoves = _parse_counter("fullmove", fullmoves, 1)
    _parse_crossed(crossed, setup, description)
    return setup


def _take_checks(fields: list[str], description: Description) -> tuple[int, ...]:
    """Takes the field that tells how many checks each side still needs, like "3+3", out of the others."""
    limit = description.check_limit
    if not limit:
        return ()
    found = [field for field in fields[4:5] if "+" in field]
    if not found:
        return (limit, limit)
    match = re.fullmatch(r"([1-9])\+([1-9])", fields.pop(4))
    if not match or not all(int(count) <= limit for count in match.groups()):
        raise FenError(
            f"checks: {_shown(found[0])} should tell how many each side needs, like '{limit}+{limit}'"
        )
    return (int(match[1]), int(match[2]))


def _parse_castling(text: str, setup: Setup, description: Description) -> None:
    """Rights and setup choices; where both follow from the position alone, the field is ignored."""
    if not re.fullmatch(r"-|[A-Za-z]{1,20}", text):
        raise FenError(f"castling: {_shown(text)} should be letters like 'KQkq', or '-'")
    rights = "".join(wing.letter + wing.letter.lower() for wing in description.castling)
    known = rights + "Ss" * bool(description.setup_swaps)
    if not description.castling_rights and not description.setup_swaps:
        return
    for letter in text.strip("-"):
        if letter not in known:
            raise FenError(f"castling: {letter!r} in {_shown(text)} is not one of {known}")
    setup.castling = "".join(letter for letter in rights if letter in text)
    setup.choices = "".join(letter for letter in "Ss" if letter in text and letter in known)


def _shown(text: object) -> str:
    """The offending text in quotes, shortened where it is long."""
    return repr(text if len(str(text)) <= 60 else str(text)[:57] + "...")


def _split_hands(board: str, description: Description) -> tuple[list[str], str]:
    """Splits the first field into the board's rows and the text of the hands."""
    match = re.fullmatch(r"([^\[\]]*)(?:\[([^\[\]]*)\])?", board)
    if not match:
        raise FenError(f"hands: {_shown(board)} has a bracket without its partner")
    rows, hands = match[1].split("/"), match[2]
    if hands is None and description.has_drops and len(rows) == description.ranks + 1:
        hands = rows.pop()
    if hands not in (None, "", "-") and not description.has_drops:
        raise FenError(f"hands: {_shown(board)} has hands, but {description.name} has no drops")
    return rows, "" if hands in (None, "-") else hands


def _gap(digits: str, room: int) -> int:
    """The empty squares that a run of digits stands for: one number if it fits, else digit by digit."""
    return int(digits) if len(digits) <= 2 and int(digits) <= room else sum(map(int, digits))


def _parse_board(rows: list[str], description: Description) -> dict[int, tuple[int, str]]:
    if len(rows) != description.ranks:
        found = f"{len(rows)} rank{'s' * (len(rows) > 1)}"
        raise FenError(f"board: {found}, but {description.name} has {description.ranks}")
    board: dict[int, tuple[int, str]] = {}
    forms = {piece.letter: piece for piece in description.pieces}
    aliases = {alias: piece.letter for piece in description.pieces for alias in piece.also}
    for number, row in enumerate(rows):
        rank, file = description.ranks - 1 - number, 0
        for token in re.findall(r"[0-9]+|\+?.~?", row, re.DOTALL):
            if token.isascii() and token.isdigit():
                file += _gap(token, description.files - file)
                continue
            letter = _promoted(token, forms) if token[0] == "+" and len(token) > 1 else token.upper()
            letter = aliases.get(letter, letter)
            if letter.endswith(REVERTING) and letter not in forms and letter[:-1] in forms:
                letter = letter[:-1]  # where nothing reverts, the mark has no meaning
            if letter not in forms or not token.isascii():
                raise FenError(f"board: {token!r} in rank {rank + 1} is not a piece of this game")
            if file < description.files:
                side = 0 if token.isupper() else 1
                board[rank * description.files + file] = (side, letter)
            file += 1
        if file != description.files:
            raise FenError(
                f"board: rank {rank + 1}, {_shown(row)}, has {file} squares instead of {description.files}"
            )
    _check_board(board, description, forms)
    return board


def _promoted(token: str, forms: dict[str, PieceDescription]) -> str:
    """The letter of the promoted form that `+R` stands for."""
    base = forms.get(token[1].upper())
    if base is None or len(base.promotes_to) != 1:
        raise FenError(f"board: {token!r} names no promoted piece of this game")
    return base.promotes_to[0]


def _check_kings(setup: Setup, description: Description) -> None:
    """Raises FenError unless each side has one king, on the board or, where kings are dropped, in hand."""
    royal = next(piece.letter for piece in description.pieces if piece.royal)
    for side, colour in enumerate(("White", "Black")):
        kings = [square for square, man in setup.board.items() if man == (side, royal)]
        held = setup.hands[side].get(royal, 0)
        if len(kings) + held != 1:
            where = "hands" if held else "board"
            raise FenError(f"{where}: {colour} has {len(kings) + held or 'no'} kings instead of one")


def _check_board(
    board: dict[int, tuple[int, str]], description: Description, forms: dict[str, PieceDescription]
) -> None:
    for square, (side, letter) in board.items():
        rank, file = divmod(square, description.files)
        own_rank = rank + 1 if side == 0 else description.ranks - rank
        if not description.can_stand(forms[letter], file, own_rank):
            name = square_name(square, description.files)
            kind = forms[letter].name.lower()
            raise FenError(f"board: a{'n' * (kind[0] in 'aeiou')} {kind} cannot stand on {name}")


def _parse_hands(text: str, description: Description) -> tuple[dict[str, int], dict[str, int]]:
    hands: tuple[dict[str, int], dict[str, int]] = ({}, {})
    droppable = [piece.letter for piece in description.hand_pieces]
    for letter in text:
        if letter.upper() not in droppable or not letter.isascii():
            raise FenError(
                f"hands: {letter!r} in {_shown(text)} cannot be in a hand (only {''.join(droppable)})"
            )
        hand = hands[0 if letter.isupper() else 1]
        hand[letter.upper()] = hand.get(letter.upper(), 0) + 1
        if hand[letter.upper()] > MAX_IN_HAND:
            raise FenError(f"hands: more than {MAX_IN_HAND} of {letter!r}")
    return hands


def _parse_counter(name: str, text: str, lowest: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 5):
        raise FenError(f"{name}: {_shown(text)} should be a whole number")
    if not lowest <= int(text) <= MAX_COUNTER:
        raise FenError(f"{name}: {_shown(text)} should be from {lowest} to {MAX_COUNTER}")
    return int(text)


def _parse_crossed(text: str, setup: Setup, description: Description) -> None:
    """The squares that a pawn of the side not to move has just crossed, checked against the board."""
    if text == "-":
        return
    names = re.findall(r"[a-p]\d{1,2}", text)
    files = description.files
    found = [parse_square(name, files, description.ranks) for name in names]
    if text not in ("".join(names), ",".join(names)) or not names or None in found:
        raise FenError(f"ep: {_shown(text)} should be squares like 'c3' or 'c3c4', or '-'")
    squares = sorted(square for square in found if square is not None)
    forward = files if setup.side == 1 else -files
    first, last = (squares[0], squares[-1]) if forward > 0 else (squares[-1], squares[0])
    start, victim = first - forward, last + forward
    enemy = 1 - setup.side
    piece = dict((p.letter, p) for p in description.pieces).get(setup.board.get(victim, (2, ""))[1])
    rank = start // files + 1 if enemy == 0 else description.ranks - start // files
    if (
        squares != list(range(squares[0], squares[-1] + 1, files))
        or piece is None
        or setup.board[victim][0] != enemy
        or piece.steps.get(rank, 1) < len(squares) + 1
        or any(square in setup.board for square in (start, *squares))
    ):
        raise FenError(f"ep: {_shown(text)} does not fit: no pawn can just have crossed there")
    setup.crossed, setup.victim = tuple(squares), victim


def arranged(
    setup: Setup,
    description: Description,
    white: Iterable[tuple[int, int]],
    black: Iterable[tuple[int, int]],
) -> Setup:
    """The setup with the pieces of these pairs of files exchanged on each side's first rank."""
    board = dict(setup.board)
    for first, swaps in ((0, white), (description.squares - description.files, black)):
        for one, other in swaps:
            pieces = board.pop(first + one, None), board.pop(first + other, None)
            for file, piece in zip((other, one), pieces, strict=True):
                if piece:
                    board[first + file] = piece
    return replace(setup, board=board)


def write(setup: Setup, castling: str, description: Description) -> str:
    """The FEN of a setup; `castling` is the text of that field."""
    rows = []
    for rank in reversed(range(description.ranks)):
        row, gap = "", 0
        for file in range(description.files):
            side, letter = setup.board.get(rank * description.files + file, (0, ""))
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
    crossed = "".join(square_name(square, description.files) for square in setup.crossed) or "-"
    turn = "wb"[setup.side]
    checks = f"{setup.checks[0]}+{setup.checks[1]} " if setup.checks else ""
    return f"{board} {turn} {castling} {crossed} {checks}{setup.halfmoves} {setup.fullmoves}"
