"""Games between PGN and the board's tree: `engine.notation` reads and writes them."""

import io
import re
from collections.abc import Sequence
from datetime import date

from ..engine.game.description import Description, VariantError
from ..engine.notation.comments import WhiteScore, without_commands
from ..engine.notation.game_tree import Game, GameNode
from ..engine.notation.glyphs import GLYPHS, NUMBERS
from ..engine.notation.reading import parse_game, scan_games
from ..engine.notation.scanning import GameText, PgnError
from ..engine.notation.variants import variant_named
from ..engine.position import Position
from ..engine.variant import CHESS, Variant
from .arrows import read_shapes, write_shapes
from .chances import with_chance
from .requests import RequestError
from .tree import ROOT, Node, Tree, advanced

MOST_TEXT = 20_000_000  # characters of a PGN that a page may send
BOOK = "book"  # the comment on moves of an opening in matches, which is not shown
_LINE = re.compile(r"\s*\((better|answer): ([^()]+)\)")  # of a review, at a mistake


def games_of(text: str, where: str) -> list[GameText]:
    """The games of a PGN text. Raises RequestError, for the part `where` of the page, without any."""
    if len(text) > MOST_TEXT:
        raise RequestError("the PGN has more than 20 million characters", where)
    games = list(scan_games(io.StringIO(text, newline=None)))
    if not games:
        raise RequestError("there is no game in that text", where)
    return games


def variant_of(text: GameText, current: Variant) -> Variant:
    """The game of a `GameText`; `current` if it does not name one. Raises PgnError."""
    name = text.headers.get("Variant")
    try:
        return current if name is None else Variant(variant_named(name))
    except VariantError as error:
        raise PgnError(text.line, str(error)) from None


def build_tree(text: GameText, variant: Variant) -> tuple[Tree, Sequence[PgnError]]:
    """The `Tree` of a `GameText`, on its last move of the main line, and the errors. A game without a Variant
    tag is read as chess if it cannot be read as `variant`. Raises PgnError if nothing can be shown."""
    game = parse_game(text, variant)
    if game.errors and "Variant" not in text.headers and variant != CHESS:
        other = parse_game(text, CHESS)
        if not other.errors or _length(other) > _length(game):
            game, variant = other, CHESS
    if game.errors and not game.variations and game.fen is None:
        raise game.errors[0]
    try:
        tree = Tree(variant, game.fen, text.headers)
    except ValueError as error:
        raise PgnError(text.line, str(error)) from None
    tree.tags["Result"] = game.headers["Result"]
    _grow(tree, game)
    tree.goto((tree.main_line() or [ROOT])[-1])
    return tree, game.errors


def errors_text(errors: Sequence[PgnError]) -> str:
    """The message about errors in a shown game: the first in full, and the number of the others."""
    more = f" ({len(errors) - 1} more)" if len(errors) > 1 else ""
    return f"{errors[0]}{more}; what could be read is on the board"


def _length(game: Game) -> int:
    return sum(1 for _ in game.mainline())


def _grow(tree: Tree, game: Game) -> None:
    """Adds the moves of a game to an empty tree."""
    description = tree.position.description
    _annotate(tree.nodes[ROOT], game, description)
    pending: list[tuple[GameNode, int, Position]] = [(game, ROOT, tree.position)]
    while pending:
        parent, number, position = pending.pop()
        grown = []
        for child in parent.variations:
            assert child.move is not None  # only the root has none
            node = tree.add(number, position, str(child.move))
            _annotate(node, child, description)
            grown.append((child, node.id, advanced(position.copy(), node.move)))
        pending += reversed(grown)


def _annotate(node: Node, source: GameNode, description: Description) -> None:
    """Copies glyphs and comments: scores and clocks become fields, the rest stays text."""
    for nag in sorted(source.nags):
        if nag in GLYPHS and not node.glyph:
            node.glyph = GLYPHS[nag]
        else:
            node.nags.append(nag)
    if (score := source.eval()) is not None:
        value = {"cp": score.centipawns} if score.mate is None else {"mate": score.mate}
        node.eval = with_chance(value | ({"depth": score.depth} if score.depth else {}), description)
    node.clock = source.clock()
    comment = f"{source.starting_comment} {source.comment}"
    node.shapes = read_shapes(comment)
    lines = dict(_LINE.findall(comment))
    node.best, node.refutation = lines.get("better", ""), lines.get("answer", "")
    node.own = bool(node.glyph and not node.best)
    words = without_commands(_LINE.sub("", comment))
    if words != BOOK:
        node.comment = f"{node.comment} {words}".strip()


def board_pgn(tree: Tree) -> str:
    """The tree as PGN: the main line with variations, glyphs, comments and scores."""
    game = Game(tree.variant, tree.start_fen)
    game.headers["Date"] = f"{date.today():%Y.%m.%d}"
    for name, value in tree.tags.items():
        if name not in ("Variant", "FEN", "SetUp"):
            game.headers[name] = value
    _name_opening(game, tree)
    game.comment = _comment(tree.nodes[ROOT])
    pending: list[tuple[int, GameNode]] = [(ROOT, game)]
    while pending:
        number, target = pending.pop()
        for child in tree.nodes[number].children:
            node = tree.nodes[child]
            written = target.add_variation(node.move, comment=_comment(node), nags=_nags(node))
            pending.append((child, written))
    return f"{game}\n\n"


def _name_opening(game: Game, tree: Tree) -> None:
    """Sets the tags ECO and Opening by the last position of the main line that has a name, unless the game
    has such a tag."""
    line = [tree.nodes[number].opening for number in (ROOT, *tree.main_line())]
    opening = next((one for one in reversed(line) if one), None)
    if opening is None or not {"ECO", "Opening"}.isdisjoint(game.headers):
        return
    if opening.code:
        game.headers["ECO"] = opening.code
    game.headers["Opening"] = opening.name


def _nags(node: Node) -> list[int]:
    return [*([NUMBERS[node.glyph]] if node.glyph in NUMBERS else []), *node.nags]


def _comment(node: Node) -> str:
    """The comment on a move as PGN, "" for none."""
    carrier = GameNode(None, None)
    if node.eval and "over" not in node.eval:
        carrier.set_eval(WhiteScore(node.eval.get("cp"), node.eval.get("mate"), node.eval.get("depth", 0)))
    carrier.set_clock(node.clock)
    lines = [
        f"({name}: {line})" for name, line in (("better", node.best), ("answer", node.refutation)) if line
    ]
    parts = (carrier.comment, write_shapes(node.shapes), *lines, node.comment)
    return " ".join(part for part in parts if part)
