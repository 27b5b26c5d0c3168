"""The family of a game, by the names and pictures of its pieces: how board, pieces and sides look."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..game.description import Description

CHESS, SHOGI, XIANGQI, JANGGI, MAKRUK = "chess", "shogi", "xiangqi", "janggi", "makruk"
SIDES = {  # family -> what the side that begins and the other one are called
    SHOGI: ("Sente", "Gote"),
    XIANGQI: ("Red", "Black"),
    JANGGI: ("Cho", "Han"),
}
# The words of piece names that make a family, and how many of them a game has at least.
WORDS = {
    XIANGQI: ({"general", "advisor", "elephant", "horse", "chariot", "cannon", "soldier"}, 4),
    MAKRUK: ({"khun", "met", "khon", "ma", "ruea", "bia"}, 3),
    SHOGI: ({"gold", "silver", "lance", "tokin"}, 2),
}


def family(description: "Description") -> str:
    """The family of a game; chess for all that is none of the others."""
    if any(piece.picture.startswith("octagon ") for piece in description.pieces):
        return JANGGI
    words = {word for piece in description.pieces for word in piece.name.lower().split()}
    return next((name for name, (known, least) in WORDS.items() if len(known & words) >= least), CHESS)


def sides(description: "Description") -> tuple[str, str]:
    """What the side that begins and the other one are called."""
    return SIDES.get(family(description), ("White", "Black"))
