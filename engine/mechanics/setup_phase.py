"""The setup phase: each side's first move chooses which pairs of pieces on its first rank are exchanged.

A choice is one move; its kind is a set of bits, one for each swap. The field `choices` of the position has
bit 0 until White has chosen, bit 1 until Black has."""

from typing import Any

from ..game.description import FILE_LETTERS, Description
from ..game.moves import SETUP, SETUP_SIDE_BIT
from ..game.state_fields import StateField
from ..game.table_reader import GameReader
from ..game.words import listed
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import inner, over_rules
from .mechanic import Mechanic, Rule

with deferred_imports():
    import numpy as np

    from ..kernel.facts import Facts
    from ..representation.move_list import put
    from ..representation.piece_plan import Plan
    from ..representation.piece_updates import toggle
    from ..representation.position_record import kind_of, make_move

MAX_SWAPS = 4
LETTERS = "Ss"


def read(game: GameReader) -> dict[str, Any]:
    return {"setup_swaps": _read_swaps(game)}


def _read_swaps(game: GameReader) -> tuple[tuple[int, int], ...]:
    table = game.table("setup", "swaps")
    if table is None:
        return ()
    swaps = []
    for text in table.get("swaps", list):
        if not isinstance(text, str) or len(text) != 2 or not set(text) <= set(FILE_LETTERS[: game.files]):
            raise table.error("swaps", f"{text!r} should be the letters of two files, like 'bc'")
        swaps.append((FILE_LETTERS.index(text[0]), FILE_LETTERS.index(text[1])))
    if not 1 <= len(swaps) <= MAX_SWAPS or len({file for swap in swaps for file in swap}) < 2 * len(swaps):
        raise table.error("swaps", f"{table.table['swaps']!r} should be 1 to {MAX_SWAPS} separate pairs")
    return tuple(swaps)


def facts(swaps: tuple[tuple[int, int], ...], plan: Plan) -> Facts:
    top = (plan.geometry.ranks - 1) * plan.geometry.files
    squares = [[[base + file for file in pair] for pair in swaps] for base in (0, top)]
    return Facts("setup", swaps=len(swaps), squares=np.array(squares, np.uint8))


def fen_letters(description: Description) -> str:
    """The letters of the choices to come in the castling field of a FEN, White's first."""
    return LETTERS if description.setup_swaps else ""


def sentences(swaps: tuple[tuple[int, int], ...], description: Description) -> list[str]:
    pairs = [" and ".join(FILE_LETTERS[file] for file in pair) for pair in swaps]
    starts = set(description.start_fen.split()[2]) & set(LETTERS)
    when = (
        "It belongs to the start position."
        if starts
        else "The start position goes without it; 'Ss' in the FEN's castling field asks for it."
    )
    return [
        "Setup: the first move of each side chooses which pairs of files on its first rank exchange their"
        f" pieces, any or none of {listed(pairs, 'or')}. {when}"
    ]


@over_rules("setup")
def setup_moves(setup, n, rules, first, sink, out, position):
    """`first` plus the number of choices if one must be made (no other move is legal then), else `n`."""
    side = np.int64(position.side)
    if not (np.int64(position.choices) >> side) & 1:
        return n
    if not sink.quiet:
        return np.int64(first)
    choices = 1 << setup.swaps
    if not sink.counts:
        king, enemy = np.int64(position.kings[side]), np.int64(position.kings[1 - side])
        for choice in range(choices):
            put(out, first + choice, make_move(king, enemy, choice | side << SETUP_SIDE_BIT, SETUP))
    return np.int64(first + choices)


@inner
def _swap(rules, position, side, first, second):
    """Exchanges the pieces on two squares of the side's first rank."""
    one, other = np.int64(position.board[first]), np.int64(position.board[second])
    for source, kind, target in ((first, one, second), (second, other, first)):
        if kind != rules.no_kind:
            toggle(rules, position, side, kind, source)
            toggle(rules, position, side, kind, target)
    position.board[first], position.board[second] = other, one


@over_rules("setup")
def arrange(setup, done, rules, child, side, action, move):
    """Applies a choice to `child`."""
    if action == SETUP:
        choice = kind_of(move)
        for swap in range(setup.swaps):
            if (choice >> swap) & 1:
                _swap(rules, child, side, setup.squares[side, swap, 0], setup.squares[side, swap, 1])
        before = np.int64(child.choices)
        after = before & ~(1 << side)
        child.choices = after
        number = rules.zobrist_setup[before] ^ rules.zobrist_setup[after]
        child.key ^= number
        child.repetition_key ^= number
    return done


MECHANIC = Mechanic(
    of="setup_swaps",
    fact="setup",
    keys=("setup",),
    read=read,
    facts=facts,
    rules=(Rule("setup phase", "Special rules", sentences),),
    state=StateField("choices", "zobrist_setup", 4, repeats=True, letters=fen_letters),
    moves=setup_moves,
    stand_still=arrange,
)
