"""The description of an engine: `cmd=fairy-stockfish proto=uci tc=5+0.05 option.Hash=16 name=Fairy`."""

import difflib
import math
import os
import re
import shlex
import shutil
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .control import TimeControl, parse_clock

PROTOCOLS = ("cecp", "uci")
OURSELVES = "surajang"
# Engines whose protocol need not be named.
KNOWN = {
    **{OURSELVES: "cecp", "sjaakii": "cecp", "fairymax": "cecp", "gnuchess": "cecp", "crafty": "cecp"},
    **{"fairy-stockfish": "uci", "stockfish": "uci"},
}
GAME_FOLDERS = ("/usr/games", "/usr/local/games")  # Debian's folder of engines, which many search paths lack
KEYS = ("cmd", "arg", "name", "proto", "dir", "tc", "st", "nodes", "depth", "restart", "ponder")
OPTION = "option."
SWITCH = {"on": True, "true": True, "1": True, "off": False, "false": False, "0": False}


@dataclass(frozen=True)
class EngineSpec:
    """An engine as a match uses it, the same on every machine.

    `command` is its command line, whose first word is looked up where it is started; `options` are (name,
    value) pairs; `directory` is where it runs; `restart` asks for a new process for every game.
    """

    name: str
    command: tuple[str, ...]
    protocol: str
    control: TimeControl
    options: tuple[tuple[str, str], ...] = ()
    directory: str | None = None
    restart: bool = False
    ponder: bool = False

    def as_json(self) -> dict[str, Any]:
        """The spec as plain dicts and lists."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "EngineSpec":
        """The spec that `as_json` gave as `data`. Raises KeyError, TypeError or ValueError for other data."""
        data = dict(data)
        data["command"] = tuple(data["command"])
        data["options"] = tuple((name, value) for name, value in data["options"])
        data["control"] = TimeControl(**data["control"])
        return cls(**data)

    def resolved(self) -> list[str]:
        """The command line to start here. Raises FileNotFoundError, naming what is missing."""
        program, *arguments = self.command
        if self.directory is not None and not Path(self.directory).is_dir():
            raise FileNotFoundError(f"dir={self.directory}: there is no such folder")
        if program == OURSELVES:
            return [sys.executable, "-m", OURSELVES, *arguments]
        return [_installed(program, self.directory), *arguments]


def _installed(program: str, directory: str | None) -> str:
    """The path of a program, relative to a folder if its name has a slash. Raises FileNotFoundError."""
    if "/" in program:
        file = Path(directory or ".", Path(program).expanduser()).absolute()
        if shutil.which(file) is None:
            raise FileNotFoundError(f"{str(file)!r} is not a program")
        return str(file)
    folders = os.pathsep.join([os.environ.get("PATH", os.defpath), *GAME_FOLDERS])
    path = shutil.which(program, path=folders)
    if path is None:
        raise FileNotFoundError(f"{program!r} is not installed")
    return path


def parse_engine(text: str, each: str = "") -> EngineSpec:
    """The `EngineSpec` that `text` describes; `each` supplies the settings that it leaves out.

    Keys: `cmd` (a command line), `arg` (one more argument; may be repeated), `name`, `proto`, `dir`, `tc`
    (`40/60+0.5`), `st` (seconds a move), `nodes`, `depth`, `option.NAME`, `restart` and `ponder` (on or off).
    Raises ValueError that quotes the fault.
    """
    own, own_options = _pairs(text)
    common, common_options = _pairs(each)
    if {"tc", "st"} & own.keys():
        common = {key: value for key, value in common.items() if key not in ("tc", "st")}
    settings = {**common, **own}
    command = tuple(_split(settings["cmd"][-1])) if "cmd" in settings else ()
    if not command:
        raise ValueError(f"{text!r} names no engine: cmd=... is missing")
    command = (*command, *settings.get("arg", ()))
    last = {key: values[-1] for key, values in settings.items()}
    limits = _limits(last)
    if not limits:
        raise ValueError(f"{text!r} does not say how long to think: tc=, st=, nodes= or depth= is missing")
    return EngineSpec(
        name=last.get("name") or Path(command[0]).name,
        command=command,
        protocol=_protocol(last.get("proto"), command, last.get("dir")),
        control=TimeControl(**limits),
        options=tuple({**common_options, **own_options}.items()),
        directory=last.get("dir"),
        restart=_switch(last, "restart"),
        ponder=_switch(last, "ponder"),
    )


def check_settings(text: str) -> str:
    """The text. Raises ValueError for settings that are wrong for every engine."""
    last = {key: values[-1] for key, values in _pairs(text)[0].items()}
    if limits := _limits(last):
        TimeControl(**limits)
    if "proto" in last:
        _named_protocol(last["proto"])
    for key in ("restart", "ponder"):
        _switch(last, key)
    _split(last.get("cmd", ""))
    return text


def _pairs(text: str) -> tuple[dict[str, list[str]], dict[str, str]]:
    """(key -> its values, option -> its value) of a description."""
    settings: dict[str, list[str]] = {}
    options: dict[str, str] = {}
    for word in _split(text):
        key, equals, value = word.partition("=")
        if not equals:
            keys = f"{', '.join(KEYS)} and {OPTION}NAME"
            raise ValueError(f"{word!r} should be KEY=VALUE, such as cmd={OURSELVES}; keys are {keys}")
        if key.startswith(OPTION) and len(key) > len(OPTION):
            options[key.removeprefix(OPTION)] = value
        elif key not in KEYS:
            near = difflib.get_close_matches(key, [*KEYS, OPTION + key], 1)
            hint = f"did you mean {near[0]!r}?" if near else f"keys are {', '.join(KEYS)} and {OPTION}NAME"
            raise ValueError(f"{key!r} of {word!r} is not a key; {hint}")
        else:
            settings.setdefault(key, []).append(value)
    return settings, options


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise ValueError(f"{text!r}: {error}") from None


def _named_protocol(named: str) -> str:
    protocol = {"xboard": "cecp", "winboard": "cecp"}.get(named.lower(), named.lower())
    if protocol not in PROTOCOLS:
        raise ValueError(f"proto={named} should be one of {', '.join(PROTOCOLS)}")
    return protocol


def _protocol(named: str | None, command: tuple[str, ...], directory: str | None) -> str:
    """The protocol of an engine that runs in a folder. Raises ValueError."""
    if named is not None:
        return _named_protocol(named)
    if command[1:3] == ("-m", OURSELVES):
        return KNOWN[OURSELVES]
    program = Path(command[0]).name.lower()
    for name, protocol in KNOWN.items():
        if re.match(rf"{re.escape(name)}(?![a-z])", program):
            return protocol
    choice = f"proto=... should say whether it speaks {' or '.join(PROTOCOLS)}"
    try:
        _installed(command[0], directory)
    except FileNotFoundError as error:
        raise ValueError(f"cmd={command[0]}: {error}; if it runs elsewhere, {choice}") from None
    raise ValueError(f"cmd={command[0]}: {choice}")


def _switch(last: dict[str, str], key: str) -> bool:
    """Whether a key that is on or off is on; off where it is not set."""
    word = last.get(key, "off")
    if word.lower() not in SWITCH:
        raise ValueError(f"{key}={word} should be on or off")
    return SWITCH[word.lower()]


def _limits(last: dict[str, str]) -> dict[str, Any]:
    """The fields of a TimeControl that settings name."""
    limits: dict[str, Any] = {}
    if last.get("tc", "inf") not in ("inf", "infinite"):
        limits["moves"], limits["base"], limits["increment"] = parse_clock(last["tc"])
    for key, name, number in (("st", "movetime", float), ("nodes", "nodes", int), ("depth", "depth", int)):
        if key in last:
            try:
                limits[name] = number(last[key])
            except ValueError:
                raise ValueError(f"{key}={last[key]} is not a number") from None
    if not 0 < limits.get("movetime", 1) < math.inf:
        raise ValueError(f"st={last['st']} should be more than 0 seconds, and finite")
    return limits
