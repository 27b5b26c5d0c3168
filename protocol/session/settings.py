"""The engine's options in both protocols: their kinds, their values, and their effects."""

from collections.abc import Callable
from difflib import get_close_matches
from typing import NamedTuple

from ...search import levels
from ..wire.arguments import RefusedError, whole
from .session import Session

SWITCH = {"true": True, "1": True, "on": True, "false": False, "0": False, "off": False}
MOST_LINES = 500
MOST_OVERHEAD = 5000  # milliseconds


class Check(NamedTuple):
    """On or off."""

    name: str
    default: bool

    def read(self, text: str) -> bool:
        """The value of `text`. Raises RefusedError."""
        if text.lower() not in SWITCH:
            raise RefusedError("the value is neither true nor false, 1 nor 0")
        return SWITCH[text.lower()]


class Spin(NamedTuple):
    """A whole number."""

    name: str
    default: int
    least: int
    most: int

    def read(self, text: str) -> int:
        """The value of `text`. Raises RefusedError."""
        return whole(text, self.least, self.most)


class Combo(NamedTuple):
    """One of several words; `meant` finds the value for another word, or None. It may raise RefusedError."""

    name: str
    default: str
    choices: tuple[str, ...]
    meant: Callable[[str], str | None] = lambda text: None

    def read(self, text: str) -> str:
        """The value of `text`. Raises RefusedError."""
        for choice in self.choices:
            if text.lower() == choice.lower():
                return choice
        if found := self.meant(text):
            return found
        close = get_close_matches(text.lower(), self.choices, 1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        raise RefusedError(f"{hint}the value is not one of: {', '.join(self.choices)}")


class Button(NamedTuple):
    """An action without a value."""

    name: str

    def read(self, text: str) -> None:
        """None; a button has no value."""
        return None


class Text(NamedTuple):
    """Any text; with the `kind` "file" or "path" a GUI can offer a file chooser."""

    name: str
    default: str = ""
    kind: str = "string"

    def read(self, text: str) -> str:
        """The text itself; `<empty>` means none."""
        return "" if text == "<empty>" else text


Option = Check | Spin | Combo | Button | Text


class OptionTable:
    """The options of a dialect, and their effects."""

    def __init__(self) -> None:
        self._entries: dict[str, tuple[Option, Callable[..., None]]] = {}

    def add(self, option: Option, setter: Callable[..., None]) -> None:
        """Adds an option. `setter` takes its value and raises RefusedError or ValueError if it cannot be
        set."""
        self._entries[option.name.lower()] = option, setter

    def options(self) -> list[Option]:
        """All options, in the order in which they were added."""
        return [option for option, _ in self._entries.values()]

    def rename(self, renamed: Callable[[str], str]) -> None:
        """Gives each option another name."""
        self._entries = {
            renamed(option.name).lower(): (option._replace(name=renamed(option.name)), setter)
            for option, setter in self._entries.values()
        }

    def set(self, name: str, text: str) -> None:
        """Sets an option to a value from a GUI. Raises RefusedError and changes nothing if the name or the
        value is wrong."""
        if name.lower() not in self._entries:
            names = {option.name.lower(): option.name for option in self.options()}
            close = get_close_matches(name.lower(), names, 1)
            raise RefusedError("unknown option" + (f"; did you mean {names[close[0]]!r}?" if close else ""))
        option, setter = self._entries[name.lower()]
        value = option.read(text)
        try:
            setter(value)
        except ValueError as error:
            raise RefusedError(str(error)) from None


def offer_common(settings: OptionTable, session: Session) -> None:
    """Adds the options of both dialects to the `OptionTable` of a dialect."""
    settings.add(
        Spin("MultiPV", 1, 1, MOST_LINES), lambda value: setattr(session.search_control, "multipv", value)
    )
    settings.add(
        Spin("Move Overhead", round(1000 * session.clock.overhead), 0, MOST_OVERHEAD),
        lambda value: setattr(session.clock, "overhead", value / 1000),
    )
    settings.add(Button("Clear Hash"), lambda value: session.search_control.clear())
    settings.add(Check("Use NNUE", True), session.evaluation.use_network)
    settings.add(Text("EvalFile", kind="file"), session.evaluation.use_file)
    settings.add(Check("Native Code", True), session.native_code.use)
    limit = Check("UCI_LimitStrength", False)
    settings.add(limit, lambda value: setattr(session.search_control, "limit_strength", value))
    elo = Spin("UCI_Elo", levels.DEFAULT_ELO, levels.LEAST_ELO, levels.MOST_ELO)
    settings.add(elo, lambda value: setattr(session.search_control, "elo", value))
