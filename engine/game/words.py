"""Words for the rules of a game: lists, ranks and names of pieces."""

from collections.abc import Callable, Iterable, Sequence

from .description import Description, PieceDescription
from .moves import square_name


def listed(words: Iterable[str], last: str = "and") -> str:
    """`words` as an English list: "a, b and c"."""
    *rest, end = words
    return f"{', '.join(rest)} {last} {end}" if rest else end


def article(word: str) -> str:
    """A word with "a" or "an"."""
    return f"a{'n' * (word[0] in 'AEIOU')} {word}"


def ranks_in_words(ranks: Sequence[int], description: Description) -> str:
    """Ranks as "the first or last rank" or "ranks 8 to 10"."""
    ranks = sorted(set(ranks))
    names = {1: "first", description.ranks: "last"}
    if set(ranks) <= set(names):
        return f"the {listed([names[rank] for rank in ranks], 'or')} rank"
    if len(ranks) > 2 and ranks[-1] - ranks[0] == len(ranks) - 1:
        return f"ranks {ranks[0]} to {ranks[-1]}"
    return f"rank{'s' * (len(ranks) > 1)} {listed([str(rank) for rank in ranks], 'or')}"


def squares_in_words(squares: Sequence[int], description: Description) -> str:
    """Squares by name, or the corners if they fill a rectangle."""
    files, ranks = zip(
        *((square % description.files, square // description.files) for square in squares), strict=True
    )
    corners = [square_name(squares[index], description.files) for index in (0, -1)]
    if len(squares) > 2 and (max(files) - min(files) + 1) * (max(ranks) - min(ranks) + 1) == len(squares):
        return f"the squares from {corners[0]} to {corners[1]}"
    return listed([square_name(square, description.files) for square in squares], "or")


ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def names(description: Description, letters: Iterable[str]) -> list[str]:
    """The names of the pieces with these letters."""
    return [description.piece(letter).name for letter in letters]


def named(description: Description, condition: Callable[[PieceDescription], object]) -> list[str]:
    """The names of the pieces that fulfil a condition, without duplicates."""
    return list(dict.fromkeys(piece.name for piece in description.pieces if condition(piece)))


def king_name(description: Description) -> str:
    """The name of the royal piece."""
    return next((piece.name for piece in description.royals), "King")
