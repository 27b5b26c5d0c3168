"""The tag `Variant`: which game other programs mean by a name, and the name that they know."""

import re
from functools import cache

from ..definition import catalogue
from ..game.description import VariantError
from .headers import SHOWN, shown

# Names in lichess, PyChess, Cute Chess and XBoard that are not ours; without spaces, hyphens and capitals
OTHER_NAMES = {
    **dict.fromkeys(("standard", "normal", "fromposition", "regular", "orthodox"), "chess"),
    **dict.fromkeys(("zh", "house"), "crazyhouse"),
    **dict.fromkeys(("janggitraditional", "koreanchess"), "janggi"),
    **{"koth": "kingofthehill", "chinesechess": "xiangqi"},
    **{"mini": "minishogi", "thai": "makruk", "thaichess": "makruk", "japanesechess": "shogi"},
    **{"capablancachess": "capablanca", "grandchess": "grand", "placementchess": "placement"},
}
WRITTEN = {"chess": None, "crazyhouse": "Crazyhouse", "kingofthehill": "King of the Hill"}  # others: our name
_SIZE = re.compile(r"\d+x\d+\+\d+_")  # of a board and its hands, as XBoard writes it before a name


@cache
def tag_of(variant: str) -> str | None:
    """The value of the tag for a game, by its name or its TOML file; None for chess, which needs none. Raises
    VariantError for an unknown game."""
    name = catalogue.load(variant).name
    return WRITTEN.get(name, name)


def variant_named(name: str) -> str:
    """The game that a tag names. Raises VariantError, with a suggestion if one is close."""
    known = catalogue.available()
    if name in known:
        return name
    plain = _plain(_SIZE.sub("", name.strip()))
    ours = {_plain(own): own for own in known}
    found = ours.get(plain) or OTHER_NAMES.get(plain) or _by_title(plain, known)
    if found is None or found not in known:
        raise VariantError(f"the variant {shown(name)} is not known{catalogue.hint(name[:SHOWN])}")
    return found


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", "", name.casefold())


def _by_title(plain: str, known: tuple[str, ...]) -> str | None:
    """The game with that title."""
    for name in known:
        try:
            if _plain(catalogue.load(name).title) == plain:
                return name
        except VariantError:  # a file of the user's that is wrong
            continue
    return None
