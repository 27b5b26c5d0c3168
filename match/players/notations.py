"""Other programs' spelling of our games: names, moves and positions, in both directions.

Ours is the notation of `Position.parse_move` and `Position.fen`, which also reads some other spellings.
`protocol` has the spellings of the protocols; this module has the client's side."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from ...engine.definition import catalogue
from ...protocol.cecp.notation import Notation
from ...protocol.cecp.start import NAMES as XBOARD_NAMES
from ...protocol.uci.notation import NAMES as UCI_NAMES
from ...protocol.uci.notation import UciNotation
from ...protocol.wire.spelling import write_board

if TYPE_CHECKING:
    from ...engine.game.description import Description


class CecpSpelling(Notation):
    """A game as XBoard describes it to engines; `name` is its name there."""

    def __init__(self, description: "Description") -> None:
        super().__init__(description)
        self.name = XBOARD_NAMES.get(description.name, description.name)

    def write_fen(self, fen: str) -> str:
        """A position as the engine reads it, promoted pieces as `+R`."""
        return write_board(fen, self._paired)


class UciSpelling(UciNotation):
    """A game as UCI engines know it; `offered` are the names of games that the engine lists, and `chess960`
    says whether it has the option UCI_Chess960. With `castles_freely` that option is wanted.

    Raises ValueError when our game is not among them.
    """

    def __init__(self, description: "Description", offered: Collection[str], chess960: bool = False) -> None:
        base = description
        if chess960 and description.castling_free and description.extends:
            base = catalogue.load(description.extends)
        self.castles_freely = base is not description
        names = UCI_NAMES.get(base.name, (base.name,))
        name = next((name for name in names if name in offered), None)
        if name is None:
            raise ValueError(f"it plays {', '.join(sorted(offered))}")
        super().__init__(description)
        self.name = name
