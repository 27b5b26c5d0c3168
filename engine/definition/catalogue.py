"""Finds the files of games, and reads them by name or path, with inheritance."""

import atexit
import hashlib
import json
import os
import re
import shutil
import tempfile
import threading
import tomllib
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

import platformdirs

from ..game.description import Description, VariantError
from ..game.fen_error import shown
from ..game.replaced_file import replacing
from ..game.text_files import decode, fault_of

# Games that other programs play and this one does not, and why; names are without blanks and hyphens.
TWO_BOARDS = "games on two boards are not played"
PLACING = "games in which pieces are placed and do not move like those of chess are not played"
CHANGING = "pieces that become another kind by every move are not played"
IMPORTED = "it is not shipped; import a file of Fairy-Stockfish with a section like '[mygame:wolf]'"
UNPLAYED = {
    **dict.fromkeys(("bughouse", "supply", "tandem"), TWO_BOARDS),
    **dict.fromkeys(("ataxx", "clobber", "clobber10", "connectfour", "cfour"), PLACING),
    **dict.fromkeys(("flipello", "flipello10", "flipersi", "othello", "gomoku", "gomokufreestyle"), PLACING),
    "tictactoe": PLACING,
    **dict.fromkeys(("amazons", "isolation", "isolation7x7", "joust", "snailtrail"), IMPORTED),
    **dict.fromkeys(("gryphon", "circulargryphon", "simplifiedgryphon", "changeover"), CHANGING),
    "knightrelay": "pieces that borrow the moves of a knight are not played",
    "shatar": "mates that do not count are not played",
    **dict.fromkeys(("atomar", "koedem", "nocheckatomic", "shoshogi", "wolf"), IMPORTED),
    "petrified": "pieces that turn to stone are not played",
    "cylinder": "boards whose sides join are not played",
    "falcon": "leaps with several ways round blockers are not played",
}

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
NEAR = 3  # names at most that an error suggests
LIKE, SURE = 0.6, 0.85  # how much of a name is the same in the closest name, and in others beside it
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
    if (other := namesake(name, Path(path))) is not None:
        raise VariantError(f"{path}: name: {name!r} is the name of another game, {other}")
    _registered[name] = Path(path)
    return name


def namesake(name: str, path: Path) -> Path | None:
    """The file of another game that is already known by this name, if the one at `path` differs from it."""
    other = _path_of(name)
    return None if other is None or _same_text(other, path) else other


def registered() -> dict[str, Path]:
    """The files of the games that `register` has made known, by name."""
    return dict(_registered)


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


def own_name(name: str) -> str:
    """The name under which a game is loaded, for any of its names: its own, its title, an alias such as
    `fischerandom`, or `koth960`. Unknown names and paths of files are returned unchanged."""
    if name.endswith(".toml") or _path_of(name):
        return name
    base = name.removesuffix(FREE_SUFFIX)
    free = freed(base) if base != name and _path_of(base) else None
    return free or known_as(name) or name


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
def _other_names(path: Path) -> dict[str, str]:
    """Title and aliases in a file, without spaces, hyphens and capitals -> the alias as it is written, "" for
    the title; empty for an invalid file."""
    try:
        table = _parse_toml(_text(path), path)
    except VariantError:
        return {}
    title, aliases = table.get("title"), table.get("aliases")
    names = [name for name in (aliases if isinstance(aliases, list) else []) if isinstance(name, str)]
    own = {plain_name(title): ""} if isinstance(title, str) else {}
    return own | {plain_name(name): name for name in names}


def load(name_or_path: str | Path) -> Description:
    """The game of that name, as in `own_name`, or of the TOML file at that path.

    Raises VariantError with a sentence naming file, key and reason.
    """
    if str(name_or_path).endswith(".toml"):
        return _load(Path(name_or_path))
    if not isinstance(name_or_path, str):
        raise VariantError(f"unknown variant {shown(name_or_path)}{hint(name_or_path)}")
    name = own_name(name_or_path)
    path = _path_of(name)
    if path is None and (free := free_game(name)):
        return free
    if path is None:
        raise VariantError(f"unknown variant {shown(name)}{hint(name)}")
    game = _load(path)
    if game.name != name:
        raise VariantError(f"{path}: name: {game.name!r} should be {name!r}, as the file is called")
    return game


_making = threading.Lock()  # of the folder: one for all threads


def _texts_folder() -> Path:
    """A temporary folder for games that are given as texts; deleted when the process ends."""
    with _making:
        return _made_folder()


@cache
def _made_folder() -> Path:
    folder = tempfile.mkdtemp(prefix="surajang-games-")
    atexit.register(_delete, folder, os.getpid())
    return Path(folder)


def _delete(folder: str, maker: int) -> None:
    """Deletes the folder, unless this is a fork of the process that made it and goes on without this one."""
    if os.getpid() == maker:
        shutil.rmtree(folder, ignore_errors=True)


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
        with replacing(path) as file:  # another thread may read it
            file.write(text.encode())
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


def free_sibling(game: Description) -> Description | None:
    """The game with the same rules and castling from any files, as in `freed`; None for a game that has such
    castling itself, and for one that is not known by its name."""
    if game.castling_free or not game.castling or _path_of(game.name) != game.path:
        return None
    name = freed(game.name)
    return load(name) if name else None


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
    """The end of an error about an unknown game: why it is not played, the closest names, or where the names
    are; they are many."""
    if reason := why_unplayed(str(name)):
        return f": {reason}"
    base = str(name).removesuffix(FREE_SUFFIX)
    if base != name and (game := known_as(base)):
        return f": {game} has no castling rights, so none from any files"
    close = [repr(each) for each in close_names(str(name))]
    return f"; did you mean {' or '.join(close)}?" if close else "; 'surajang variants' lists all games"


def close_names(name: str) -> list[str]:
    """The names like an unknown one, each of another game, the closest first; a title stands as its game's
    own name."""
    plain, found = plain_name(name), _found()
    base = plain.removesuffix(FREE_SUFFIX)
    if base not in ("", plain):
        free = [known_as(each + FREE_SUFFIX) for each in close_names(base)]
        if close := [each for each in dict.fromkeys(free) if each]:
            return close
    spelled: dict[str, tuple[str, str]] = {}  # by the name without hyphens: the game, and its name to show
    for own, path in found.items():
        for other, alias in _other_names(path).items():
            spelled.setdefault(other, (own, alias or own))
    spelled |= {plain_name(own): (own, own) for own in found}
    close = get_close_matches(plain, spelled, n=NEAR, cutoff=LIKE)
    sure = get_close_matches(plain, spelled, n=NEAR, cutoff=SURE)
    games: dict[str, str] = {}
    for each in sure or close[:1]:
        games.setdefault(*spelled[each])
    return list(games.values())


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
    return description if parent is None else replace(description, extends=_path_of(own_name(parent)))


def read_table(path: Path, heirs: tuple[Path, ...] = ()) -> dict[str, Any]:
    """The TOML file at `path` as one table, with inherited keys. Raises VariantError."""
    return inherited(_parse_toml(_text(path), path), path, heirs)


def _text(path: Path) -> str:
    try:
        return decode(path.read_bytes()).replace("\r\n", "\n").replace("\r", "\n")
    except (OSError, ValueError) as error:
        raise VariantError(f"{path}: cannot be read: {fault_of(error)}") from None


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
    source = _path_of(own_name(parent)) if isinstance(parent, str) else None
    if source is None:
        raise VariantError(f"{path.name}: extends: {shown(parent)} is not a known game{hint(parent)}")
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
