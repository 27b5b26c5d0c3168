"""Finds the files of games, and reads them by name or path, with inheritance."""

import atexit
import hashlib
import json
import os
import re
import shutil
import tempfile
import tomllib
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

import platformdirs

from ..game.description import Description, VariantError
from ..game.text_files import decode
from .unplayed import UNPLAYED

FOLDER = Path(__file__).parent.parent / "variants"
# The folders of the games that come with the engine -> the heading of each group
FAMILIES = {
    FOLDER: "Main games",
    FOLDER / "chess": "Chess with other rules",
    FOLDER / "pieces": "Chess with other pieces",
    FOLDER / "boards": "Chess on other boards",
    FOLDER / "drops": "Chess with drops",
    FOLDER / "makruk": "Makruk, shatranj and related games",
    FOLDER / "shogi": "Shogi and related games",
    FOLDER / "xiangqi": "Xiangqi and related games",
}
SHIPPED = tuple(FAMILIES)
FREE_SUFFIX = "960"  # of a game's name: with castling from any files
FREED = {"capablanca": "caparandom"}  # such games that have another name


def folders() -> tuple[Path, ...]:
    """The folders of games: those that come with the engine, then the user's own. The user's are `variants`
    in the platform's configuration folder and the folders in the variable SURAJANG_VARIANT_PATH."""
    own = [Path(platformdirs.user_config_dir("surajang")) / "variants"]
    own += [Path(part) for part in os.environ.get("SURAJANG_VARIANT_PATH", "").split(os.pathsep) if part]
    return (*SHIPPED, *own)


_registered: dict[str, Path] = {}  # name -> path of a file from the command line


def register(path: str | Path) -> str:
    """Registers the game in the file at `path` under its name; returns the name.

    Raises VariantError for an invalid file, and if another file has a different game of that name.
    """
    name = load(str(path)).name
    other = _path_of(name)
    if other is not None and not _same_text(other, Path(path)):
        raise VariantError(f"{path}: name: {name!r} is the name of another game, {other}")
    _registered[name] = Path(path)
    return name


def _same_text(first: Path, second: Path) -> bool:
    try:
        return first.resolve() == second.resolve() or first.read_bytes() == second.read_bytes()
    except OSError:  # a file that cannot be read is no copy
        return False


def _found() -> dict[str, Path]:
    """Name -> path of every game; of two with the same name, the first counts."""
    paths: dict[str, Path] = {}
    for folder in folders():
        for path in sorted(folder.glob("*.toml")):
            paths.setdefault(path.stem, path)
    return paths | _registered


def _path_of(name: str) -> Path | None:
    """The path of the game with this name, as in `_found`, without listing the folders."""
    if name in _registered:
        return _registered[name]
    if Path(name).name != name:
        return None
    paths = (folder / f"{name}.toml" for folder in folders())
    return next((path for path in paths if os.path.exists(path)), None)


def available() -> tuple[str, ...]:
    """The names of all games that can be loaded by name, sorted."""
    return tuple(sorted(_found()))


def shipped() -> tuple[str, ...]:
    """The names of the games that come with the engine, sorted."""
    return tuple(sorted(path.stem for folder in SHIPPED for path in folder.glob("*.toml")))


def known_as(name: str) -> str | None:
    """The game with this name, title or alias, ignoring spaces, hyphens and capitals, or None."""
    plain, found = plain_name(name), _found()
    ours = {plain_name(own): own for own in found}
    return (
        ours.get(plain)
        or next((own for own, path in found.items() if plain in _other_names(path)), None)
        or _known_as_free(plain)
    )


def _known_as_free(plain: str) -> str | None:
    """The game that a name like `koth960` means, as `free_game`."""
    if not plain.endswith(FREE_SUFFIX) or not plain.removesuffix(FREE_SUFFIX):
        return None
    base = known_as(plain.removesuffix(FREE_SUFFIX))
    return base and freed(base)


def plain_name(name: str) -> str:
    """A name without spaces, hyphens and capitals."""
    return re.sub(r"[\s_-]+", "", name.casefold())


@cache
def _other_names(path: Path) -> frozenset[str]:
    """Title and aliases in a file, without spaces, hyphens and capitals; empty for an invalid file."""
    try:
        table = _parse_toml(_text(path), path)
    except VariantError:
        return frozenset()
    aliases = table.get("aliases")
    names = [table.get("title"), *(aliases if isinstance(aliases, list) else [])]
    return frozenset(plain_name(name) for name in names if isinstance(name, str))


def load(name_or_path: str | Path) -> Description:
    """The game of that name, or of the TOML file at that path.

    Raises VariantError with a sentence naming file, key and reason.
    """
    if str(name_or_path).endswith(".toml"):
        return _load(Path(name_or_path))
    path = _path_of(name_or_path) if isinstance(name_or_path, str) else None
    if path is None and isinstance(name_or_path, str) and (free := free_game(name_or_path)):
        return free
    if path is None:
        raise VariantError(f"unknown variant {name_or_path!r}{hint(name_or_path)}")
    game = _load(path)
    if game.name != name_or_path:
        raise VariantError(f"{path}: name: {game.name!r} should be {name_or_path!r}, as the file is called")
    return game


@cache
def _texts_folder() -> Path:
    """A temporary folder for games that are given as texts; deleted when the process ends."""
    folder = tempfile.mkdtemp(prefix="surajang-games-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def keep_text(text: str) -> str:
    """The path of a temporary file with the text of a game. Raises VariantError if the text is not a valid
    game."""
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is not the text of a game")
    game = parse(text, "text of a game")
    folder = _texts_folder() / hashlib.sha256(text.encode()).hexdigest()[:16]
    folder.mkdir(exist_ok=True)
    path = folder / f"{game.name}.toml"
    if not path.exists():
        path.write_text(text, encoding="utf-8")
    return str(path)


def kept_text(variant: str | Path) -> str | None:
    """The text of a game that `keep_text` has stored at this path, else None."""
    path = Path(variant)
    if not str(variant).endswith(".toml") or path.parent.parent != _texts_folder():
        return None
    return path.read_text(encoding="utf-8")


def freed(name: str) -> str | None:
    """The name of the game that is the named one with castling from any files, as in Chess960; None for a
    game that has no castling or cannot have it so."""
    game = load(name)
    if game.castling_free:
        return name
    other = FREED.get(name, f"{name}{FREE_SUFFIX}")
    return other if _path_of(other) or free_game(other) else None


def free_game(name: str) -> Description | None:
    """The game that a name like `crazyhouse960` means: `crazyhouse` with castling from any files. None for
    other names, and for a game without such castling."""
    base = name.removesuffix(FREE_SUFFIX)
    path = _path_of(base) if base != name else None
    return None if path is None else _free_game(path)


@cache
def _free_game(path: Path) -> Description | None:
    try:
        game = _load(path)
        if not game.castling or game.castling_free:
            return None
        return load(keep_text(_free_text(game, game.name + FREE_SUFFIX)))
    except VariantError:
        return None


def _free_text(game: Description, name: str) -> str:
    return (
        f"extends = {json.dumps(game.name)}\nname = {json.dumps(name)}\n"
        f"title = {json.dumps(game.title + ' 960', ensure_ascii=False)}\n[castling]\nfree = true\n"
    )


def why_unplayed(name: str) -> str | None:
    """Why a game that other programs play is not played; None for other names."""
    return UNPLAYED.get(plain_name(name))


def hint(name: object) -> str:
    """The end of an error about an unknown game: why it is not played, the closest name, or where the names
    are; they are many."""
    if reason := why_unplayed(str(name)):
        return f": {reason}"
    close = get_close_matches(str(name).casefold(), available(), n=1)
    return f"; did you mean {close[0]!r}?" if close else "; 'surajang variants' lists all games"


@cache
def _load(path: Path) -> Description:
    return parse(_text(path), path)


def parse(text: str, path: str | Path) -> Description:
    """The game described by TOML `text`; `path` is for messages. Raises VariantError."""
    from .reader import parse_table  # imported late, so that protocols answer their first line at once

    path = Path(path)
    table = _parse_toml(text, path)
    parent = table.get("extends")
    description = parse_table(inherited(table, path), path)
    return description if parent is None else replace(description, extends=_found()[parent])


def read_table(path: Path, heirs: tuple[Path, ...] = ()) -> dict[str, Any]:
    """The TOML file at `path` as one table, with inherited keys. Raises VariantError."""
    return inherited(_parse_toml(_text(path), path), path, heirs)


def _text(path: Path) -> str:
    try:
        return decode(path.read_bytes()).replace("\r\n", "\n").replace("\r", "\n")
    except (OSError, ValueError) as error:
        raise VariantError(f"{path}: cannot be read: {error}") from None


def _parse_toml(text: str, path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except ValueError as error:  # a number may have more digits than Python reads
        raise VariantError(f"{path.name}: not TOML: {error}") from None
    except RecursionError:
        raise VariantError(
            f"{path.name}: not TOML that can be read: tables or lists in too many others"
        ) from None


def inherited(table: dict[str, Any], path: Path, heirs: tuple[Path, ...] = ()) -> dict[str, Any]:
    """`table` merged into the game that its key `extends` names: tables merge, `false` removes a key."""
    if "extends" not in table:
        return table
    parent = table.pop("extends")
    source = _found().get(parent) if isinstance(parent, str) else None
    if source is None:
        raise VariantError(f"{path.name}: extends: {parent!r} is not a known game{hint(parent)}")
    if source in (path, *heirs):
        raise VariantError(f"{path.name}: extends: {parent!r} inherits from itself")
    below = read_table(source, (path, *heirs))
    for key in ("aliases", "shares_network"):  # names of the parent alone; its network may be of a third game
        below.pop(key, None)
    return _merged(below, table)


def _merged(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    merged = dict(below)
    for key, value in above.items():
        if value is False and key in below and below[key] is not True:
            del merged[key]
        elif isinstance(value, dict) and isinstance(below.get(key), dict):
            merged[key] = _merged(below[key], value)
        else:
            merged[key] = value
    return merged
