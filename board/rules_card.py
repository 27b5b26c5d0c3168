"""A card with the rules of one game, for a page beside its board: plain data that becomes JSON."""

import re

from ..engine.game.description import REVERTING, Description, PieceDescription
from ..engine.pictures.piece_set import picture_set
from ..engine.rulebook.rules import RULES, sections
from . import move_diagram, move_words

IN_MOVES = ("blocked leaps", "hops")  # rules that the sentences about moves contain already


def rules_card(description: Description, style: str = "") -> dict[str, object]:
    """The card: everything in it is made from the description.

    - `title`, `name`, `source`, `start` (a FEN), `files`, `ranks`
    - `paragraphs`: a list of {"heading", "sentences"}
    - `pieces`: for each kind a dict of `letter`, `name`, `key` (of its picture in White's colour), `betza`,
      `moves` and `notes` (sentences: how it moves, and which rules name it), `promotes` (letters), `royal`,
      `promoted`, `droppable`, `diagram` (an <svg> element)
    - `legend`: a list of {"sign" (an <svg> element), "meaning"}

    `style` is a style of pictures, as `picture_set` knows them. Raises ValueError for another one.
    """
    pictures = picture_set(description, style)
    rules, signs = sections(description), move_diagram.legend(description.kinds)
    return {
        "title": description.title,
        "name": description.name,
        "source": description.source,
        "start": description.start_fen,
        "files": description.files,
        "ranks": description.ranks,
        "paragraphs": [{"heading": heading, "sentences": rules[heading]} for heading in rules],
        "pieces": [_piece(description, piece, pictures["w" + piece.letter]) for piece in description.kinds],
        "legend": [{"sign": sign, "meaning": meaning} for sign, meaning in signs.items()],
    }


def _piece(description: Description, piece: PieceDescription, picture: str) -> dict[str, object]:
    moves = move_words.sentences(piece)
    words = f"{piece.name}: {' '.join(moves)}"
    return {
        "letter": piece.letter,
        "name": piece.name,
        "key": "w" + piece.letter,
        "betza": piece.betza,
        "moves": moves,
        "notes": _notes(description, piece),
        "promotes": [letter.removesuffix(REVERTING) for letter in piece.promotes_to],
        "royal": piece.royal,
        "promoted": piece.promoted,
        "droppable": piece.droppable,
        "diagram": move_diagram.diagram(piece, picture, words),
    }


def _notes(description: Description, piece: PieceDescription) -> list[str]:
    """The sentences about this piece besides its moves: those that begin with its name."""
    notes = []
    for rule in RULES:
        if rule.heading == "Castling" or rule.name in IN_MOVES:
            continue
        for sentence in rule.sentences(description):
            head, colon, tail = sentence.partition(": ")
            if colon and piece.name in re.split(", | and | or ", head):
                notes.append(tail[0].upper() + tail[1:])
    return notes
