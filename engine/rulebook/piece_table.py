"""The table of a game's pieces, as headings and cells, without the content of drawings and sentences."""

from collections.abc import Callable

from ..game.description import Description, PieceDescription
from ..game.words import ranks_in_words

NUMBERS = frozenset({"value", "in hand"})  # headings of columns that are aligned to the right


def piece_columns(description: Description) -> dict[str, list[str]]:
    """Heading -> cells, one for each piece in the order of the file; empty columns are left out."""
    columns: dict[str, Callable[[PieceDescription], str]] = {
        "": lambda piece: piece.letter,
        "piece": lambda piece: piece.name,
        "also": lambda piece: piece.also,
        "Betza": lambda piece: piece.betza,
        "value": lambda piece: "" if piece.royal else str(piece.value),
    }
    if description.has_drops:
        columns["in hand"] = lambda piece: "" if piece.royal or not piece.droppable else str(piece.hand_value)
    columns["promotes to"] = lambda piece: " ".join(piece.promotes_to)
    if description.has_drops:
        columns["dropped"] = lambda piece: _where_dropped(description, piece)
    cells = {heading: [cell(piece) for piece in description.pieces] for heading, cell in columns.items()}
    return {heading: column for heading, column in cells.items() if any(column)}


def _where_dropped(description: Description, piece: PieceDescription) -> str:
    if not piece.droppable:
        return ""
    if piece.drop_squares:
        return "on some squares"
    if not piece.drop_forbidden:
        return "anywhere"
    return f"not on {ranks_in_words(piece.drop_forbidden, description)}"
