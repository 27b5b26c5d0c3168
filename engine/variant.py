"""`Variant`, the handle of a game: its name, with its description and its rules."""

from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

from .definition import catalogue
from .game.description import Description


class Variant(str):
    """A game, by its name or the path of its file, with what follows from that, each found once.

    It is the text itself, so files, messages and comparisons have it as they have a name. Another name of the
    game, such as `fischerandom`, becomes its own. An unknown name is kept: the first use of `description` or
    `rules` raises VariantError.
    """

    def __new__(cls, name: "str | Path") -> "Variant":
        if not isinstance(name, str | PathLike):
            raise TypeError(f"{name!r} should be the name of a game, or the path of its file")
        return super().__new__(cls, name if isinstance(name, cls) else catalogue.own_name(str(name)))

    @cached_property
    def description(self) -> Description:
        """The game as its file describes it."""
        return catalogue.load(self)

    @cached_property
    def rules(self) -> Any:
        """What compiled code is specialised on, as `Facts`."""
        from .rules import rules_for  # needs NumPy, which commands that show a game do without

        return rules_for(str(self))  # `cache` tells a subclass from a text

    def check(self) -> "Variant":
        """This game. Raises VariantError if there is none."""
        assert self.description
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Variant, (str(self),)


CHESS = Variant("chess")  # what programs mean that name no game
