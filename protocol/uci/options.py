"""The options of UCI: their names and their announcements."""

from collections.abc import Callable

from ...engine.definition import catalogue
from ...engine.variant import CHESS
from ...search.levels import FULL_SKILL
from ..session.resources import HASH_MB, THREADS
from ..session.session import Session
from ..session.settings import Button, Check, Combo, OptionTable, Spin, Text, offer_common
from ..wire.arguments import RefusedError

CHESS960 = "UCI_Chess960"  # whether king and rooks castle from any files, in all games that can have it so
MAX_HASH_MB = 1 << 20
MAX_THREADS = 1024

# Bots set these for any engine, and python-chess refuses to set options that an engine does not announce.
WITHOUT_EFFECT = (
    Spin("SyzygyProbeDepth", 1, 1, 100),
    Check("Syzygy50MoveRule", True),
    Spin("SyzygyProbeLimit", 7, 0, 7),
)

Setter = Callable[..., None]


def offer(
    settings: OptionTable, session: Session, setters: dict[str, Setter], at_rest: Callable[[Setter], Setter]
) -> None:
    """Adds all options in the order in which a GUI shows them. `setters` are the dialect's own ones, by the
    options' names; `at_rest` wraps a setter so that it is refused during a search."""
    settings.add(Spin("Hash", HASH_MB, 1, MAX_HASH_MB), at_rest(session.set_hash))
    settings.add(Spin("Threads", THREADS, 1, MAX_THREADS), at_rest(session.set_threads))
    offer_common(settings, session)
    skill = Spin("Skill Level", FULL_SKILL, 0, FULL_SKILL)
    settings.add(skill, lambda value: setattr(session.search_control, "skill", value))
    for option in (
        Check("Ponder", False),
        Check("UCI_AnalyseMode", False),
        Check("UCI_ShowWDL", False),
        Text("VariantPath"),
        games(),
        Check(CHESS960, False),
        Text("Debug Log File"),
        Text("SyzygyPath"),
    ):
        settings.add(option, setters[option.name])
    for ignored in WITHOUT_EFFECT:
        settings.add(ignored, lambda value: None)


def games() -> Combo:
    """The option for the game, with all games that are known now."""
    names = sorted(catalogue.available(), key=lambda name: (name != CHESS, name))
    return Combo("UCI_Variant", CHESS, tuple(names), _game_named)


def _game_named(name: str) -> str:
    """The game that has another name. Raises RefusedError for an unknown one, with the names like it or the
    reason why it is not played."""
    found = catalogue.known_as(name)
    if found is None:
        raise RefusedError(f"unknown variant{catalogue.hint(name)}")
    return found


def option_line(option: Check | Spin | Combo | Button | Text) -> str:
    """The announcement of an option in UCI."""
    match option:
        case Check(_, default):
            kind = f"check default {str(default).lower()}"
        case Spin(_, default, least, most):
            kind = f"spin default {default} min {least} max {most}"
        case Combo(_, default, choices):
            kind = f"combo default {default} " + " ".join(f"var {choice}" for choice in choices)
        case Button():
            kind = "button"
        case Text(_, default):
            kind = f"string default {default or '<empty>'}"
        case _:
            raise TypeError(f"UCI does not know options like {option}")
    return f"option name {option.name} type {kind}"
