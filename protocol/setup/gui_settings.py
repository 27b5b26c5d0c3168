"""The lists of engines of XBoard, Cute Chess and PyChess: their paths, and their text with and without this
engine. This module writes no file.

XBoard scans only the folders of the system (`/usr/share/games/plugins/xboard`) for plugin files; a user's
additions to its list are in `~/.xboardrc`."""

import json
import os
import re
import shlex
import shutil
import sysconfig
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...engine.definition import catalogue

NAME = "Surajang"
MODULE = ("-m", "surajang")  # the end of this engine's command, for any interpreter
PROGRAM = "surajang"  # the same as an installed program
STANDARD = {"chess": "standard", "chess960": "fischerandom"}  # Cute Chess's names of games, if they differ


class SettingsError(Exception):
    """A GUI's settings that cannot be changed safely; they stay unchanged."""


class GuiSettings(ABC):
    """The list of engines of one GUI. `title` is its usual name."""

    title: str

    @property
    @abstractmethod
    def path(self) -> Path:
        """The file with the list."""

    @property
    def trace(self) -> Path:
        """A file or folder that exists after this user has run the GUI."""
        return self.path.parent

    def _taken(self) -> SettingsError:
        reason = f"has another engine of the name {NAME}; rename or remove that one first"
        return SettingsError(f"{self.path} {reason}")

    @abstractmethod
    def with_engine(self, text: str | None, command: list[str]) -> str:
        """The file's text, None if there is no file, with this engine started by `command`, a list of words.
        The rest is unchanged. Raises SettingsError."""

    @abstractmethod
    def without_engine(self, text: str) -> str:
        """The file's text without this engine. The rest is unchanged. Raises SettingsError."""


class JsonGui(GuiSettings):
    """A GUI whose list is a JSON array of objects, indented by `indent`."""

    indent: int

    @abstractmethod
    def _entry(self, command: list[str]) -> tuple[dict[str, Any], dict[str, Any]]:
        """The required keys of this engine's entry, and further ones for a new entry."""

    @abstractmethod
    def _words(self, entry: dict[str, Any]) -> Sequence[object]:
        """The command of an entry as a list of words."""

    @property
    def path(self) -> Path:
        return _config_folder() / self.title.replace(" ", "").lower() / "engines.json"

    def with_engine(self, text: str | None, command: list[str]) -> str:
        engines = self._read(text)
        needed, first = self._entry(command)
        own = [entry for entry in engines if self._is_own(entry)]
        if own:
            own[0].update(needed)
        elif any(entry.get("name") == NAME for entry in engines):
            raise self._taken()
        else:
            engines.append(needed | first)
        return self._write(engines, text)

    def without_engine(self, text: str) -> str:
        engines = self._read(text)
        return self._write([entry for entry in engines if not self._is_own(entry)], text)

    def _is_own(self, entry: dict[str, Any]) -> bool:
        return entry.get("name") == NAME and is_own_command(self._words(entry))

    def _read(self, text: str | None) -> list[dict[str, Any]]:
        try:
            engines = json.loads(text) if text and text.strip() else []
        except ValueError as error:
            raise SettingsError(f"{self.path} is damaged and is not changed: {error}") from None
        if not isinstance(engines, list) or not all(isinstance(entry, dict) for entry in engines):
            raise SettingsError(f"{self.path} is not a list of engines and is not changed")
        return engines

    def _write(self, engines: list[dict[str, Any]], text: str | None) -> str:
        """The list as text; the very same text where nothing has changed."""
        if text is not None and engines == self._read(text):
            return text
        return json.dumps(engines, indent=self.indent, ensure_ascii=False) + "\n"


class CuteChess(JsonGui):
    """Cute Chess, which speaks UCI with the engine.

    Since version 1.3 it takes `command` for the path of a program, spaces included, and has no place for
    arguments. It ends an engine that answers no ping in 15 s times `timeoutScaleFactor`; the first game of
    its kind may have to be compiled meanwhile.
    """

    title, indent = "Cute Chess", 4
    _PATIENCE = 4  # times as long

    def _entry(self, command: list[str]) -> tuple[dict[str, Any], dict[str, Any]]:
        program = program_of(command[0])
        if program is None:
            raise SettingsError(
                f"it starts programs without arguments alone, and {command[0]} has no program {PROGRAM}"
                " beside it; install it (`pip install .`) first"
            )
        games = sorted(STANDARD.get(name, name) for name in catalogue.available())
        needed = {"name": NAME, "command": program, "protocol": "uci"}
        first = {"workingDirectory": "", "stderrFile": "", "timeoutScaleFactor": self._PATIENCE}
        return needed, first | {"variants": games}

    def _is_own(self, entry: dict[str, Any]) -> bool:
        command = entry.get("command")
        is_program = isinstance(command, str) and os.path.isabs(command) and Path(command).stem == PROGRAM
        return super()._is_own(entry) or (entry.get("name") == NAME and is_program)

    def _words(self, entry: dict[str, Any]) -> Sequence[object]:
        return _split(entry.get("command"))


class PyChess(JsonGui):
    """PyChess, which speaks UCI with the engine. It asks an engine for its options if its entry says so."""

    title, indent = "PyChess", 1

    def _entry(self, command: list[str]) -> tuple[dict[str, Any], dict[str, Any]]:
        program, *arguments = command
        needed = {"name": NAME, "command": program, "args": arguments, "protocol": "uci"}
        return needed, {"analyze": True, "comment": "", "country": "unknown", "level": 20, "recheck": True}

    def _words(self, entry: dict[str, Any]) -> Sequence[object]:
        arguments = entry.get("args")
        return [entry.get("command"), *(arguments if isinstance(arguments, list) else [])]


class XBoard(GuiSettings):
    """XBoard: lines like `"Name" -fcp "command"` in the value of one option of its settings."""

    title = "XBoard"
    _OPTION = "-firstChessProgramNames"
    _LIST = re.compile(rf"^{_OPTION}[ \t=]+\{{([^}}]*)\}}", re.M)

    @property
    def path(self) -> Path:
        return _home_of_the_user() / ".xboardrc"

    @property
    def trace(self) -> Path:
        return self.path

    def with_engine(self, text: str | None, command: list[str]) -> str:
        line, text = self._line(command), text or ""
        if not re.search(rf"^({self._OPTION}|-saveDate)\b", text, re.M):
            # XBoard has saved nothing yet; it adds these engines to its default list.
            return self._without_install(text) + f"-installEngine {{{line}}}\n"
        lines = self._engines(text)
        own = [index for index, old in enumerate(lines) if self._is_own(old)]
        if own:
            lines[own[0]] = line
        elif any(old.startswith(f'"{NAME}"') for old in lines):
            raise self._taken()
        else:
            lines.append(line)
        return self._with_lines(self._without_install(text), lines)

    def without_engine(self, text: str) -> str:
        text = self._without_install(text or "")
        if not re.search(rf"^{self._OPTION}\b", text, re.M):
            return text
        return self._with_lines(text, [line for line in self._engines(text) if not self._is_own(line)])

    def _line(self, command: list[str]) -> str:
        words = " ".join(map(_quoted, command))
        quote = "'" if '"' in words else '"'
        if quote in words or re.search(r"[{}\n]", words):
            raise SettingsError(f"XBoard cannot start a program of the name {command[0]!r}")
        return f'"{NAME}" -fcp {quote}{words}{quote}'

    def _is_own(self, line: str) -> bool:
        words = _split(line)
        return words[:2] == [NAME, "-fcp"] and len(words) > 2 and is_own_command(_split(words[2]))

    def _engines(self, text: str) -> list[str]:
        found = self._LIST.search(text)
        if not found:
            raise SettingsError(f"{self.path}: the list {self._OPTION} cannot be read and is not changed")
        return found[1].splitlines()

    def _with_lines(self, text: str, lines: list[str]) -> str:
        if lines == self._engines(text):
            return text
        value = "".join(f"{line}\n" for line in lines)
        return self._LIST.sub(lambda found: f"{self._OPTION} {{{value}}}", text, count=1)

    def _without_install(self, text: str) -> str:
        """The text without a line of this engine that XBoard has not added to its list yet."""
        pattern = re.compile(r"^-installEngine \{(.*)\}\n", re.M)
        return pattern.sub(lambda found: "" if self._is_own(found[1]) else found[0], text)


GUIS = {"xboard": XBoard(), "cutechess": CuteChess(), "pychess": PyChess()}


def is_own_command(words: Sequence[object]) -> bool:
    """Whether a command, as a list of words, starts this engine, from this interpreter or another."""
    return len(words) > 2 and tuple(words[-2:]) == MODULE


def program_of(interpreter: str) -> str | None:
    """The path of the installed program beside its interpreter, or in this interpreter's scripts folder; None
    if there is none."""
    schemes = sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user")
    folders = [os.path.dirname(interpreter), *(sysconfig.get_path("scripts", scheme) for scheme in schemes)]
    return shutil.which(PROGRAM, path=os.pathsep.join(map(os.path.abspath, folders)))


def _config_folder() -> Path:
    """The configuration folder of programs, as the GUIs look for it."""
    folder = os.environ.get("XDG_CONFIG_HOME", "")
    return Path(folder) if os.path.isabs(folder) else Path.home() / ".config"


def _home_of_the_user() -> Path:
    """The home directory as XBoard finds it: from the user database, not from HOME."""
    try:
        import pwd

        return Path(pwd.getpwuid(os.getuid()).pw_dir)
    except (ImportError, KeyError):  # on Windows, and for a user whom the system does not know
        return Path.home()


def _quoted(word: str) -> str:
    return f'"{word}"' if " " in word else word


def _split(text: object) -> list[str]:
    """The words of a command line; empty if it is invalid."""
    try:
        return shlex.split(text) if isinstance(text, str) else []
    except ValueError:
        return []
