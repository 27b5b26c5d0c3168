"""The family of a game, by the names and pictures of its pieces: it determines board, pieces and names of
sides."""

from ..game.description import Description

CHESS, SHOGI, XIANGQI, JANGGI, MAKRUK = "chess", "shogi", "xiangqi", "janggi", "makruk"
SIDES = {  # family -> names of the side that begins and of the other one
    SHOGI: ("Sente", "Gote"),
    XIANGQI: ("Red", "Black"),
    JANGGI: ("Cho", "Han"),
}
# Words in piece names that identify a family, and the least number of them.
WORDS = {
    XIANGQI: ({"general", "advisor", "elephant", "horse", "chariot", "cannon", "soldier"}, 4),
    MAKRUK: ({"khun", "met", "khon", "ma", "ruea", "bia"}, 3),
    SHOGI: (
        {"gold", "silver", "lance", "tokin"}
        | {"quail", "pheasant", "swallow", "goose", "crane"}  # of Tori shogi
        | {"giraffe", "chick", "hen"},  # of Dobutsu shogi
        2,
    ),
}


def family(description: Description) -> str:
    """The family of a game; chess if no other fits."""
    if any(piece.picture.startswith("octagon ") for piece in description.pieces):
        return JANGGI
    words = {word for piece in description.pieces for word in piece.name.lower().split()}
    return next((name for name, (known, least) in WORDS.items() if len(known & words) >= least), CHESS)


def sides(description: Description) -> tuple[str, str]:
    """The names of the side that begins and of the other one."""
    return SIDES.get(family(description), ("White", "Black"))
