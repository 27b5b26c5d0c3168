"""Games as PGN text. Moves are in the engine's own notation, since PGN has none for these games."""

import textwrap
from datetime import date


def write_pgn(position, result, white, black, comments, **tags):
    """A finished game as PGN: `position` holds its moves, `comments` one text a move."""
    tags = {
        "Event": "Surajang",
        "Site": "?",
        "Date": date.today().strftime("%Y.%m.%d"),
        "Round": "-",
        "White": white,
        "Black": black,
        "Result": result.score,
        "Variant": position.variant,
        **tags,
    }
    if position.start_fen != position.description.start_fen:
        tags |= {"SetUp": "1", "FEN": position.start_fen}
    lines = [f'[{name} "{value}"]' for name, value in tags.items()]
    words = []
    first = 0 if position.start_fen.split()[1] == "w" else 1
    for ply, (move, comment) in enumerate(zip(position.moves, comments, strict=True), first):
        if ply % 2 == 0 or ply == first:
            words.append(f"{ply // 2 + 1}{'.' if ply % 2 == 0 else '...'}")
        words += [str(move), f"{{{comment}}}"]
    words += [f"{{{result.reason}}}", result.score]
    return "\n".join([*lines, "", *textwrap.wrap(" ".join(words), 80), "", ""])
