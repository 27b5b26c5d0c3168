"""Converts a game of Fairy-Stockfish's files to a file of ours."""

import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from ..definition.catalogue import parse
from ..game.description import VariantError
from . import toml_writer
from .castling import read_castling
from .draft import BOTH, ImportedGame, Piece
from .drops import read_drops, read_gates
from .ini import IniFile, chain, read
from .keys import Keys
from .other_keys import CONNECTED, DRAW_ODDS, HANDLED, LEFT_OUT, POINTS, REFUSED, WITHOUT_EFFECT
from .piece_types import KINDS
from .pieces import make_pieces, read_moves
from .promotion import find_promoted, read_promotion
from .sections import (
    letters_in,
    read_check_limit,
    read_co_royal,
    read_end,
    read_explosion,
    read_extinction,
    read_facing_kings,
    read_goal,
    read_kings,
    read_last_royal,
    read_palace,
    read_passing,
    read_walls,
)
from .settings import SETS, GameSettings, settled
from .start import read_start, written_start

SIZES = ("maxFile", "maxRank")
OUR_KEYS = {  # tables of our files -> the key of Fairy-Stockfish's file that causes them
    "board": "maxRank",
    "pieces": "king",
    "promotion": "promotedPieceType",
    "drops": "pieceDrops",
    "gates": "seirawanGating",
    "castling": "castling",
    "facing_kings": "flyingGeneral",
    "palace": "diagonalLines",
    "passing": "passWhite",
    "goal": "flagPiece",
    "truce": "mutuallyImmuneTypes",
    "bare_king": "extinctionPieceTypes",
    "extinction": "extinctionPieceTypes",
    "must_capture": "mustCapture",
    "co_royal": "extinctionPseudoRoyal",
    "checks": "checking",
    "explosion": "blastOnCapture",
    "last_royal": "extinctionPseudoRoyal",
    "square_moves": "doubleStepRegionWhite",
    "kings": "startFen",
    "check_limit": "checkCounting",
    "checked_king": "makpongRule",
    "end": "stalemateValue",
    "walls": "wallingRule",
}


@dataclass
class Imported:
    """A game that can be played: its `name` here, the text of its file, and the ignored keys.

    `without_effect` are keys with values that do not affect the rules. `left_out` are those that only decide
    when a game is drawn or how repetition ends it. `warnings` describe lines whose meaning is surprising."""

    name: str
    toml: str
    without_effect: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def import_game(name: str, file: IniFile) -> Imported:
    """Imports the game of that name in a file, or among the templates. Raises VariantError that names file,
    game, key and value."""
    sections = chain(name, file)
    settings = settled(name, sections, file.name)
    game = ImportedGame(settings, Keys(name, file.name, settings.values))
    make_pieces(game)
    read_start(game)
    find_promoted(game)
    read_moves(game)
    our_name = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "game"
    table = {
        "name": our_name,
        "title": re.sub("[-_]+", " ", name).strip().title() or name,
        "source": file.name,
    }
    text = toml_writer.write(table | _rules(game))
    without_effect, left_out = _passed_over(game.keys, settings)
    without_effect = [*_unused(game, file), *without_effect]
    try:
        parse(text, f"{our_name}.toml")
    except VariantError as error:
        reason = str(error).removeprefix(f"{our_name}.toml: ")
        raise _refusal(game, reason) from None
    own = file.sections.get(name)
    heirs = [
        section for section in sections if section is not own and file.sections.get(section.name) is section
    ]
    warnings = [f"[{section.name}] {warning}" for section in heirs for warning in section.warnings]
    return Imported(our_name, text, without_effect, left_out, [*(own.warnings if own else []), *warnings])


def _rules(game: ImportedGame) -> dict[str, Any]:
    """All tables of our file except names."""
    promotion, drops = read_promotion(game), read_drops(game)
    castling, field = read_castling(game)
    first_moves = read_first_moves(game)
    field = game.fields[1] if game.gates or first_moves else field
    if game.keys.flag("twoBoards") and game.king:
        reason = "is supported only without a king: pieces from the other board could end a check"
        raise game.keys.error("twoBoards", reason)
    table: dict[str, Any] = {
        "start": written_start(game, field),
        "board": {"files": game.keys.files, "ranks": game.keys.ranks},
        "pieces": {piece.ours: _entry(piece) for piece in game.pieces.values() if piece.owners},
    }
    parts = {
        "check_limit": read_check_limit(game),
        "co_royal": read_co_royal(game),
        "checked_king": "captures" if game.keys.flag("makpongRule") else "",
        "kings": read_kings(game),
        "must_capture": game.keys.flag("mustCapture"),
        "truce": letters_in(game, "mutuallyImmuneTypes"),
        "checks": "" if game.keys.flag("checking", True) else "illegal",
        "promotion": promotion,
        "drops": drops,
        "gates": read_gates(game, drops),
        "first_moves": first_moves,
        "square_moves": _square_moves(game),
        "castling": castling,
        "palace": read_palace(game),
        "passing": read_passing(game),
        "facing_kings": read_facing_kings(game),
        "goal": read_goal(game),
        "last_royal": read_last_royal(game),
        "walls": read_walls(game),
        **read_extinction(game),
        "end": read_end(game, bool(castling)),
        "explosion": read_explosion(game),
    }
    return table | {key: part for key, part in parts.items() if part}


def read_first_moves(game: ImportedGame) -> dict[str, str]:
    """The first moves of king and met in Cambodian chess. Raises VariantError."""
    if not game.keys.flag("cambodianMoves"):
        return {}
    if not game.keys.flag("gating"):
        raise game.keys.error("cambodianMoves", "is supported only together with gating = true")
    mets = [piece.ours for piece in game.used if piece.kind == "fers" and piece.owners == BOTH]
    if not game.king or not mets:
        raise game.keys.error("cambodianMoves", "needs a king and a fers of each side")
    rooks = [piece.ours for piece in game.used if piece.kind == "rook" and piece.owners == BOTH]
    return {game.king.ours: "fsmN", mets[0]: "fmD"} | ({"aimed_by": rooks[0]} if rooks else {})


def _square_moves(game: ImportedGame) -> dict[str, Any]:
    """Moves that pieces have on some squares alone."""
    return {
        letter.upper(): {"squares": game.named(squares), "moves": moves}
        for letter, (squares, moves) in game.square_moves.items()
    }


def _entry(piece: Piece) -> dict[str, Any]:
    royal = {"royal": True} if piece.royal else {}
    return {"name": piece.name, "moves": piece.moves} | royal | piece.extra


def _refusal(game: ImportedGame, reason: str) -> VariantError:
    """The reason why our file cannot express the game, with the key that causes it."""
    if (match := re.match(r"pieces\.([A-Z])", reason)) and match[1].lower() in game.pieces:
        return game.settings.error(game.pieces[match[1].lower()].kind, f"is not supported: {reason}")
    key = OUR_KEYS.get(re.split(r"[.:]", reason)[0], "startFen")
    error = game.settings.error if key in game.settings.given else game.keys.error
    return error(key, f"is not supported: {reason}")


def _passed_over(keys: Keys, settings: GameSettings) -> tuple[list[str], list[str]]:
    """(keys without effect, keys left out) among the keys that no part has read. Raises VariantError for
    those that change the game."""
    without_effect: list[str] = []
    left_out = [
        f"{value.key} = {value.text}" for key, value in settings.given.items() if key == "nMoveRuleTypes"
    ]
    for key, value in keys.values.items():
        if key in keys.seen or key in HANDLED:
            continue
        text = value.text.rstrip()
        if key in (*WITHOUT_EFFECT, *CONNECTED) or key.startswith(("pieceValue", "mobilityRegion")):
            without_effect.append(f"{value.key} = {text}")
        elif key in LEFT_OUT or (key == "materialCounting" and _decides_draws(keys, text)):
            if text != LEFT_OUT.get(key):
                left_out.append(f"{value.key} = {text}")
        elif key not in REFUSED:
            known = (*SIZES, *HANDLED, *SETS, *KINDS, *REFUSED, *LEFT_OUT, *WITHOUT_EFFECT)
            spellings = {name.lower(): name for name in known}
            close = get_close_matches(key.lower(), spellings, n=1)
            hint = f"; did you mean {spellings[close[0]]!r}?" if close else ""
            raise keys.error(key, f"is not a known key{hint}")
        elif text not in (REFUSED[key], "-"):
            raise keys.error(key, f"is not supported, unless it is {REFUSED[key]!r}")
    return without_effect, left_out


def _unused(game: ImportedGame, file: IniFile) -> list[str]:
    """The pieces that the file gives the game, but that can never come to the board."""
    used = {piece.kind for piece in game.pieces.values() if piece.owners}
    return [
        f"{value.key} = {value.text.rstrip()}"
        for kind, value in game.settings.given.items()
        if kind in game.settings.letters and kind not in used and value.section in file.sections
    ]


def _decides_draws(keys: Keys, counting: str) -> bool:
    """Whether a way of counting material only decides games that would be drawn."""
    return counting in DRAW_ODDS or (counting == POINTS and keys.flag("passWhite"))


def import_text(text: str, name: str) -> dict[str, Imported | VariantError]:
    """The games of a text: name -> `Imported`, or the VariantError with the reason. Raises VariantError if
    the text is not such a file."""
    file = read(text, name)
    found: dict[str, Imported | VariantError] = {}
    for game in file.sections:
        try:
            found[game] = import_game(game, file)
        except VariantError as error:
            found[game] = error
    return found
