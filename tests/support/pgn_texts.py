"""Readers of one game; games with variations, comments and glyphs for tests of PGN; texts that are nearly
PGN, and checks for any text."""

import ast
import io
import random
import re

from surajang import Position, pgn
from surajang.tests.support.mutations import mutated

BARE = pgn.StringExporter(headers=False, columns=None)
WORDS = ["good", "x" * 30, "1-0", "[odd]", "; so", "% so", "(", ")", "e4", "$5", '"q"']
TOKENS = (
    *(
        "(",
        ")",
        "{",
        "}",
        ";",
        "%",
        "\n",
        "\n\n",
        " ",
        "$",
        "$6",
        "$999",
        "!",
        "??",
        "!?!",
        "1.",
        "1...",
        "12.",
        "1",
    ),
    *(
        "1-0",
        "0-1",
        "1/2-1/2",
        "1/2",
        "*",
        "½-½",
        "--",
        "Z0",
        "0000",
        "e.p.",
        "mate",
        "+",
        "=",
        "±",
        "<x>",
        "\\",
        ".",
    ),
    *(
        "e4",
        "Nf3",
        "e2e4",
        "O-O",
        "0-0-0",
        "P@e5",
        "N@c3",
        "Qxf7#",
        "a8=Q",
        "♘f3",
        "e9",
        "Zz",
        "[",
        "]",
        '"',
        "é",
    ),
    *(
        '[White "x"]\n',
        '\n[Event "?"]\n',
        '[FEN "8/8 w"]\n',
        '[Variant "Crazyhouse"]\n',
        '[Variant "x"]\n',
        "[a b]\n",
    ),
    *(
        "{[%eval 0.3]}",
        "{[%clk 0:01:02]}",
        "(1. e4)",
        "( ",
        " )",
        "{a} ",
        "; c\n",
        "\ufeff",
        "\0",
        "\r",
        "\x1b",
        "\u2028",
    ),
)
LONGEST_REASON = 1000  # characters: one reason lists all games
_QUOTED = re.compile(r"""(?:move |begins with )?('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\")""")


def grown(variant, seed, plies=24):
    """A random game with variations, comments, glyphs, scores and clocks."""
    chance, game = random.Random(seed), pgn.Game(variant)
    _grow(chance, game, Position(variant), 0, plies)
    return game


def _grow(chance, node, position, depth, plies):
    for _ in range(plies):
        if position.result() is not None:
            return
        before, move = position.copy(), chance.choice(position.legal_moves())
        node = node.add_variation(move)
        position.push(move)
        if chance.random() < 0.3:
            node.comment = " ".join(chance.choices(WORDS, k=chance.randrange(9)))
        if chance.random() < 0.2:
            node.nags.update(chance.choices(range(1, 140), k=2))
        if chance.random() < 0.2:
            node.set_eval(pgn.WhiteScore(chance.randrange(-500, 500), None, chance.randrange(3)))
            node.set_clock(chance.randrange(10_000) / 10)
        if depth < 2 and chance.random() < 0.25:
            _grow(chance, node.parent, before, depth + 1, 3)
            other = node.parent.variations[-1]
            if other is not node and chance.random() < 0.5:
                other.starting_comment = "then"


def mutated_pgn(chance, texts, edits=6):
    """One to three of the texts with some tokens inserted, removed or exchanged, and possibly letters."""
    text = "".join(chance.choice(texts) for _ in range(chance.choice((1, 1, 1, 2, 3))))
    for _ in range(chance.randint(0, edits)):
        at, length = chance.randint(0, len(text)), chance.choice((0, 0, 0, 1, 3, 8))
        text = text[:at] + chance.choice(TOKENS) + text[at + length :]
    return (
        mutated(chance, text, "()[]{};%$*!?.0123456789abcdefghNQRBKPxO-=+@ \n")
        if chance.random() < 0.3
        else text
    )


def tree_of(node, san=lambda node: node.san()):
    """What is below a node, as nested tuples; also of python-chess's nodes. Comments have single spaces, and
    no braces, which cannot be written in them."""

    def plain(comment):
        return " ".join(comment.replace("{", "(").replace("}", ")").split())

    return [
        (
            *(san(child), plain(child.comment), plain(child.starting_comment)),
            *(sorted(child.nags), tree_of(child, san)),
        )
        for child in node.variations
    ]


def check_pgn(text, variant, whole=True):
    """Every text gives games, with errors that quote it; each game is legal and is read back from its own
    PGN. A `whole` check also finds the same games with every reader."""
    games = list(pgn.read_games(io.StringIO(text), variant))
    written = [str(game) for game in games]
    for game in games:
        _check_errors(game, text)
    for game, own in zip(games, written, strict=True):
        _check_game(game, own, variant)
    if whole:
        _check_other_ways(text, variant, games)
    return games


def _check_other_ways(text, variant, games):
    one_by_one, headers = io.StringIO(text), io.StringIO(text)
    found = list(iter(lambda: pgn.read_game(one_by_one, variant), None))
    assert [dict(game.headers) for game in found] == [dict(game.headers) for game in games]
    assert [list(map(str, game.errors)) for game in found] == [list(map(str, game.errors)) for game in games]
    assert sum(1 for _ in iter(lambda: pgn.read_headers(headers), None)) == len(games)
    encoded = text.encode("utf-8", "surrogatepass")
    assert len(list(pgn.scan_games(io.BytesIO(encoded)))) == len(games)


def _check_errors(game, text):
    for error in game.errors:
        assert 1 <= error.line <= text.count("\n") + 1
        assert 0 < len(str(error)) < LONGEST_REASON and str(error).isprintable(), str(error)
        if quoted := _QUOTED.match(error.reason):
            assert ast.literal_eval(quoted[1]).removesuffix("...") in text, str(error)


def _check_game(game, own, variant):
    again = list(pgn.read_games(io.StringIO(own), variant))
    assert len(again) == 1, own
    playable = game.variations or not game.errors
    assert not playable or again[0].errors == [], own
    assert tree_of(again[0], _move) == tree_of(game, _move)
    assert str(again[0]) == own
    for node in game.mainline():
        assert node.move == pgn.NULL or node.move.code in node.parent.position().legal_codes()


def _move(node):
    return str(node.move)


def read(text, variant="chess"):
    """The only game of a text, with its errors."""
    (game,) = pgn.read_games(io.StringIO(text), variant)
    return game


def read_well(text, variant="chess"):
    """The only game of a text, which has no errors."""
    game = read(text, variant)
    assert game.errors == []
    return game


def moves_of(game):
    """The moves of the main line, as text."""
    return [str(move) for move in game.mainline_moves()]


def errors_of(text):
    """The errors of the only game of a text, as text."""
    return [str(error) for error in read(text).errors]
