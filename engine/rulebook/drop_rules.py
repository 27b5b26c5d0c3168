"""The rules of drops in English sentences from the game's description, as in `rules`."""

from collections.abc import Callable

from ..game.description import REVERTING, Description, PieceDescription
from ..game.words import article, listed, named, names, ranks_in_words, squares_in_words


def drops(description: Description) -> list[str]:
    if not description.has_drops:
        return []
    dropped = names(description, [piece.letter for piece in description.hand_pieces])
    sentences = [
        "A captured piece goes to its captor's hand. Instead of a move a side may drop one from its hand on"
        f" an empty square: {listed(dropped, 'or')}."
    ]
    if description.gates and not description.gates.drops:
        return ["Captured pieces leave the game."]
    if not description.captures_to_hand:
        may = "Instead of a move a side may drop a piece from its hand on an empty square"
        if all(piece.must_drop for piece in description.hand_pieces):
            may = "In its turn a side drops a piece from its hand on an empty square"
        return [
            f"{may}: {listed(dropped, 'or')}. Captured pieces leave the game.",
            *_where_dropped(description),
        ]
    gone = named(description, lambda p: not p.royal and not description.piece(p.base).droppable)
    if gone:
        sentences.append(f"Captured for good: {listed(gone)}.")
    return sentences + _where_dropped(description)


def _where_dropped(description: Description) -> list[str]:
    return [
        f"{piece.name}: not dropped on {ranks_in_words(piece.drop_forbidden, description)}."
        for piece in description.pieces
        if piece.drop_forbidden
    ] + [
        f"{piece.name}: dropped on {squares_in_words(piece.drop_squares, description)} alone."
        for piece in description.pieces
        if piece.drop_squares
    ]


def no_mate_by_drop(description: Description) -> list[str]:
    pieces = named(description, lambda piece: piece.no_drop_mate)
    return [f"A drop of {article(listed(pieces, 'or'))} may check but not mate."] if pieces else []


def turning_back(description: Description) -> list[str]:
    """The sentence on captured promoted pieces that have letters of their own."""
    reversions = _reversions(description, lambda piece: not piece.letter.endswith(REVERTING))
    return [f"A promoted piece turns back when it is captured: {listed(reversions)}."] if reversions else []


def reverting(description: Description) -> list[str]:
    """The same of those that share their letter with other pieces."""
    reversions = _reversions(description, lambda piece: piece.letter.endswith(REVERTING))
    if not reversions:
        return []
    return [
        f"What promotion made turns back when it is captured: {listed(reversions)}. A FEN marks it with"
        f" '{REVERTING}' behind its letter."
    ]


def _reversions(description: Description, condition: Callable[[PieceDescription], bool]) -> list[str]:
    """What the promoted pieces that fulfil a condition turn back to: "Dragon to Rook", ..."""
    pieces = [piece for piece in description.pieces if piece.promoted and condition(piece)]
    groups: dict[str, list[str]] = {}
    for piece in pieces:
        base = description.piece(piece.base)
        if base.droppable:
            groups.setdefault(base.name, []).append(piece.name)
    return [f"{listed(made)} to {base}" for base, made in groups.items()]
