"""A position in the form for the page: pieces, hands, legal moves with their effects, marks, result. The page
does not know the rules, so everything that it shows or offers is computed here."""

import numpy as np

from ..engine.game.moves import entry_square, square_name
from ..engine.notation.san import label
from ..engine.position import Move, Position

PASS_LABEL, NO_SWAP = "pass", "(no swap)"


def view(position: Position) -> dict[str, object]:
    """The data of a `Position` for the page. Squares are numbers: rank * files + file."""
    result = position.result()
    moves = position.legal_moves() if result is None else []
    state: dict[str, object] = {
        "fen": position.fen(),
        "turn": position.turn,
        "ply": position.ply,
        "pieces": pieces_of(position),
        "walls": sorted(position.walls()),
        "hands": [position.hand(0), position.hand(1)],
        "check": int(position.state["kings"][position.turn]) if position.is_check() else None,
        "frozen": frozen(position),
        "moves": _moves(position, [move for move in moves if not move.is_choice]),
        "choices": [_choice(position, move) for move in moves if move.is_choice],
        "result": None if result is None else {"score": result.score, "reason": result.reason},
    }
    if position.moves:
        before = position.copy()
        move = before.pop()
        state["last"] = _move(before, move) | {"side": before.turn}
    return state


def pieces_of(position: Position) -> dict[int, str]:
    """Square -> letter, upper case for White."""
    squares = range(position.description.squares)
    return {square: letter for square in squares if (letter := position.letter_at(square))}


def _moves(position: Position, moves: list[Move]) -> list[dict[str, object]]:
    """The data of moves. Those that differ only by a wall are one, with the squares of the `walls` and, as
    `before`, the text of a move up to the name of its wall."""
    walls = position.description.walls
    if walls is None or not walls.chosen:
        return [_move(position, move) for move in moves]
    steps: dict[str, dict[str, object]] = {}
    squares: dict[str, list[int]] = {}
    for move in moves:
        before = str(move).removesuffix(move.wall or "")
        if before not in steps:
            steps[before] = _move(position, move) | {
                "before": before,
                "walls": squares.setdefault(before, []),
            }
            del steps[before]["wall"]
        squares[before].append(position.parse_square(move.wall or ""))
    return list(steps.values())


def _move(position: Position, move: Move) -> dict[str, object]:
    """A move: text, label, squares, and its effects on others. `from` is None for a drop, whose piece is
    `drop`; `enters` is the piece that enters at a gate, `on` its square; `gone` are squares where a piece
    disappears that is not on the target; `pushed` are pairs of squares, from and to, of pieces that others
    move; `wall` is the square of the move's wall."""
    origin, target = move.from_square, move.to_square
    data: dict[str, object] = {"text": str(move), "from": origin, "to": target}
    if move.is_drop:
        data["drop"] = str(move)[0]
    elif move.is_pass:
        data["pass"] = True
    elif move.is_choice:
        data["choice"] = True
    elif move.is_castling:
        data["castles"] = True
    elif move.is_promotion:
        data["becomes"] = move.promotion
    if move.wall:
        data["wall"] = position.parse_square(move.wall)
    if move.entry:
        data |= {"enters": move.entry, "on": entry_square(move.code, position.description)}
    if not (move.is_drop or move.is_pass or move.is_choice):
        gone, pushed = effects(position, move)
        takes = bool(position.letter_at(target)) and origin != target and not move.is_castling
        found = {"gone": gone, "pushed": pushed, "takes": takes}
        data |= {name: value for name, value in found.items() if value}
    return data


def effects(position: Position, move: Move) -> tuple[list[int], list[list[int]]]:
    """(squares where others vanish, pairs (from, to) of others that are moved) by a legal move."""
    following = position.copy(stack=False)
    following.push_legal(move)
    after = following.state
    changed = np.nonzero(after["board"] != position.state["board"])[0]
    others = [int(square) for square in changed if square not in (move.from_square, move.to_square)]
    none = position.rules.no_kind
    arrived = {square: int(after["board"][square]) for square in others if after["board"][square] != none}
    gone: list[int] = []
    pushed: list[list[int]] = []
    for square in [square for square in others if square not in arrived]:
        kind = int(position.state["board"][square])
        target = next((place for place, other in arrived.items() if other == kind), None)
        if target is None:
            gone.append(square)
        else:
            pushed.append([square, target])
            del arrived[target]
    return gone, pushed


def _choice(position: Position, move: Move) -> dict[str, object]:
    """A setup choice: its text, and the resulting letters of the first rank."""
    after = position.copy()
    after.push(move)
    files, ranks = position.description.files, position.description.ranks
    first = 0 if position.turn == 0 else (ranks - 1) * files
    return {"text": str(move), "row": [after.letter_at(first + file) or "" for file in range(files)]}


def frozen(position: Position) -> list[int]:
    """The squares of pieces that an enemy merchant immobilises."""
    merchants = position.description.merchants
    if merchants is None:
        return []
    files, board = position.description.files, pieces_of(position)
    letter = merchants.letter

    def beside(square: int, piece: str) -> bool:
        near = [square - files, square + files]
        near += [square - 1] * (square % files > 0) + [square + 1] * (square % files < files - 1)
        return any(board.get(other) == piece for other in near)

    found = []
    for square, piece in board.items():
        own, enemy = (letter, letter.lower()) if piece.isupper() else (letter.lower(), letter)
        if piece.upper() not in merchants.immune and beside(square, enemy) and not beside(square, own):
            found.append(square)
    return found


def label_of(position: Position, move: Move) -> str:
    """The move in the form for the page: SAN without the mark of a check, `pass`, and `(b1c1)` or `(no swap)`
    for a setup choice."""
    if move.is_pass:
        return PASS_LABEL
    if not move.is_choice:
        return label(position, move)
    files = position.description.files
    origin = move.from_square
    assert origin is not None  # no drop
    kings = square_name(origin, files) + square_name(move.to_square, files)
    return NO_SWAP if str(move) == kings else f"({move})"


def read_label(position: Position, text: str) -> Move:
    """The legal move of a person's text, in SAN, in our notation or as `label_of` shows it. Raises MoveError,
    which quotes the text and gives the reason."""
    plain = text.strip()
    for move in position.legal_moves() if plain[:1] == "(" else ():
        if label_of(position, move) == plain:
            return move
    return position.parse_san(text)
