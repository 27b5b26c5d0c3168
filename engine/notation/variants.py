"""The tag `Variant`: the game for a name in other programs, and the name for a game."""

import re
from functools import cache

from ..definition import catalogue
from ..game.description import VariantError
from ..variant import Variant
from .headers import SHOWN, shown

# Names that lichess writes; other games are written by our name, chess not at all
WRITTEN = {
    **{"chess": None, "crazyhouse": "Crazyhouse", "kingofthehill": "King of the Hill"},
    **{"3check": "Three-check", "antichess": "Antichess", "atomic": "Atomic", "horde": "Horde"},
    "racingkings": "Racing Kings",
    "chess960": "Chess960",
}
_SIZE = re.compile(r"\d+x\d+\+\d+_")  # of a board and its hands, which XBoard writes before a name


@cache
def tag_of(variant: str) -> str | None:
    """The value of the tag for a game, by its name or its TOML file; None for chess, which needs none. Raises
    VariantError for an unknown game."""
    name = Variant(variant).description.name
    return WRITTEN.get(name, name)


@cache
def variant_named(name: str) -> str:
    """The game of a tag, looked for once for each tag. Raises VariantError, with a suggestion if one is
    close."""
    if name in catalogue.available():
        return name
    found = catalogue.known_as(_SIZE.sub("", name.strip()))
    if found is None:
        raise VariantError(f"the variant {shown(name)} is not known{catalogue.hint(name[:SHOWN])}")
    return found
