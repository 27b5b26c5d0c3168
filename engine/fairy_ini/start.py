"""The start of a game of Fairy-Stockfish's files: its FEN, read as Fairy-Stockfish reads it."""

import re

from .draft import BLACK, BOTH, WHITE, ImportedGame

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
INHERITING = "'[name:chess]'"
TOKENS = re.compile(r"\d+|/|\+?[A-Za-z]~?|.")


def read_start(game: ImportedGame) -> None:
    """Reads the fields of the start, and records which side has which pieces. Raises VariantError."""
    keys = game.keys
    if "startFen" not in keys.values and (keys.files, keys.ranks) != (8, 8):
        key = "maxFile" if keys.files != 8 else "maxRank"
        raise keys.error(key, "needs a startFen of that size: without one, the start is that of chess")
    fields = keys.text("startFen", START).split()
    if not fields:
        raise keys.error("startFen", "is empty")
    board, _, hands = fields.pop(0).partition("[")
    game.gates = keys.flag("seirawanGating")
    game.drops = keys.flag("pieceDrops") or game.gates
    game.returns = keys.flag("capturesToHand") and game.drops
    game.board = "".join(_token(game, token) for token in TOKENS.findall(board))
    if game.drops:
        game.hands = "".join(_letter(game, letter) for letter in hands.strip("-]"))
    for letter in filter(str.isalpha, game.board + game.hands):
        game.pieces[letter.lower()].owners.add(WHITE if letter.isupper() else BLACK)
    if game.king:
        game.king.owners |= BOTH
    _read_fields(game, fields)


def _token(game: ImportedGame, token: str) -> str:
    """A part of the board with our letters of pieces."""
    if token[0].isdigit() or token in "/*":
        return token
    promoted, letter = token.startswith("+"), token.strip("+~")
    ours = _letter(game, letter)
    if promoted and game.pieces[ours.lower()].kind not in game.settings.promoted:
        raise game.keys.error("startFen", f"has {token!r}, but that piece has no promoted form")
    return "+" * promoted + ours + "~" * token.endswith("~")


def _letter(game: ImportedGame, letter: str) -> str:
    """The letter of a piece, which a FEN may write in another way."""
    found = letter.lower()
    if found not in game.pieces:
        others = {other: kind for kind, other in game.settings.synonyms.items()}
        if found not in others:
            if not game.pieces:
                raise game.keys.error(
                    "king", f"is missing: a game has pieces, or inherits them: {INHERITING}"
                )
            known = "".join(game.pieces)
            raise game.keys.error("startFen", f"{letter!r} is not a piece of this game ({known})")
        found = game.settings.letters[others[found]]
    return found.upper() if letter.isupper() else found


def _read_fields(game: ImportedGame, fields: list[str]) -> None:
    """Reads the side to move, castling, check counts and counters; all but the first may be absent."""
    turn = fields.pop(0) if fields else "w"
    castling = crossed = "-"
    if fields and not fields[0][0].isdigit():
        castling, crossed = fields.pop(0), fields.pop(0) if fields else "-"
    game.checks = next((text for text in fields if "+" in text), None)
    counters = [text for text in fields if text.isascii() and text.isdigit()]
    halfmoves, fullmoves = [*counters, *("0", "1")[len(counters) :]][:2]
    crossed = crossed if re.fullmatch("([a-p][0-9]{1,2})+", crossed) else "-"
    game.fields = ["b" if turn == "b" else "w", castling, crossed, halfmoves, str(max(1, int(fullmoves)))]


def written_start(game: ImportedGame, castling: str) -> str:
    """The FEN of the start with our letters and our castling field."""

    def form(match: re.Match[str]) -> str:
        letter = game.forms[match[1].lower()]
        return letter.upper() if match[1].isupper() else letter

    board = re.sub(r"\+([A-Za-z])", form, game.board)
    if game.drops:
        board += f"[{game.hands}]"
    needed = [game.checks] if game.checks and game.keys.flag("checkCounting") else []
    return " ".join([board, game.fields[0], castling, *game.fields[2:], *needed])
