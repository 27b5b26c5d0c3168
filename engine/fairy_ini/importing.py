"""A game of Fairy-Stockfish's files as a file of ours: what each key means here, and which cannot be said."""

import re
from dataclasses import dataclass
from typing import Any

from ..definition.catalogue import parse
from ..game import betza
from ..game.description import VariantError
from ..game.moves import square_name
from . import betza_dialect, toml_writer
from .draft import ImportedGame, Piece, letters_of, stuck_ranks
from .ini import Section, read, resolved
from .keys import Keys
from .other_keys import DRAW_ODDS, LEFT_OUT, REFUSED, WITHOUT_EFFECT
from .piece_types import CUSTOM, PIECE_TYPES, UNSAID
from .sections import (
    read_bare_king,
    read_castling,
    read_check_limit,
    read_drops,
    read_end,
    read_facing_kings,
    read_goal,
)

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
OUR_KEYS = {  # tables of our files -> the key there that they come from
    "board": "maxRank",
    "pieces": "king",
    "promotion": "promotedPieceType",
    "drops": "pieceDrops",
    "castling": "castlingRank",
    "facing_kings": "flyingGeneral",
    "goal": "flagPiece",
    "bare_king": "extinctionPieceTypes",
    "check_limit": "checkCounting",
    "checked_king": "makpongRule",
    "end": "stalemateValue",
}
FORM_LETTERS = "tmaexuvwzyjiqocdhfgbklnprs"  # for promoted forms that need one, in this order


@dataclass
class Imported:
    """A game that can be played: its `name` here, the text of its file, and keys with their values that were
    passed over: `without_effect` on the rules, or `left_out`, which tell only when a game is drawn."""

    name: str
    toml: str
    without_effect: list[str]
    left_out: list[str]


def import_game(name: str, sections: dict[str, Section], file: str) -> Imported:
    """The game of that name in the sections of a file, or among the templates, as `Imported`.

    Raises VariantError that names file, section, key and value.
    """
    game = ImportedGame(Keys(name, resolved(name, sections, file), file))
    _read_pieces(game)
    _read_start(game)
    _read_steps(game)
    _read_regions(game)
    parts = {
        "promotion": _promotion(game),
        "drops": read_drops(game),
        "castling": read_castling(game),
        "facing_kings": read_facing_kings(game),
        "goal": read_goal(game),
        "bare_king": read_bare_king(game),
        "end": read_end(game),
    }
    our_name = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "game"
    table: dict[str, Any] = {"name": our_name, "title": re.sub("[-_]+", " ", name).title(), "source": file}
    table["start"] = " ".join([_with_forms(game), *game.start[1:]])
    if limit := read_check_limit(game):
        table["check_limit"] = limit
    if game.keys.flag("makpongRule"):
        table["checked_king"] = "captures"
    table["board"] = {"files": game.keys.files, "ranks": game.keys.ranks}
    table["pieces"] = {
        piece.ours: _entry(piece) for piece in game.pieces.values() if piece.letter in game.used
    }
    text = toml_writer.write(table | {key: part for key, part in parts.items() if part})
    _refuse_stuck(game)
    without_effect, left_out = _passed_over(game.keys)
    try:
        parse(text, f"{our_name}.toml")
    except VariantError as error:
        reason = str(error).removeprefix(f"{our_name}.toml: ")
        raise game.keys.error(_their_key(game, reason), f"cannot be said here: {reason}") from None
    return Imported(our_name, text, without_effect, left_out)


def _their_key(game: ImportedGame, reason: str) -> str:
    """The key of Fairy-Stockfish's file that brings about what a refusal of our file complains of."""
    if (match := re.match(r"pieces\.([A-Z])", reason)) and match[1].lower() in game.pieces:
        return game.pieces[match[1].lower()].kind
    return OUR_KEYS.get(re.split(r"[.:]", reason)[0], "startFen")


def import_text(text: str, file: str) -> dict[str, Imported | VariantError]:
    """The games of a text: name -> `Imported`, or the VariantError that tells why not. Raises
    VariantError for a text that is not such a file."""
    sections = read(text, file)
    found: dict[str, Imported | VariantError] = {}
    for name in sections:
        try:
            found[name] = import_game(name, sections, file)
        except VariantError as error:
            found[name] = error
    return found


def _refuse_stuck(game: ImportedGame) -> None:
    """Raises VariantError for pieces that may not go where they are stuck, but do not promote."""
    for piece in game.pieces.values():
        stays = piece.letter in game.used and "promotes" not in piece.extra
        if stays and game.keys.flag("immobilityIllegal") and stuck_ranks(game, piece):
            reason = f"{piece.letter!r} does not promote, but could get stuck: cannot be said here"
            raise game.keys.error("immobilityIllegal", reason)


def _passed_over(keys: Keys) -> tuple[list[str], list[str]]:
    """(keys without effect, keys left out) of those that no part has asked for.

    Raises VariantError for those that change the game.
    """
    without_effect: list[str] = []
    left_out: list[str] = []
    for key, value in keys.values.items():
        if key in keys.seen:
            continue
        if key in WITHOUT_EFFECT or key.startswith(("pieceValue", "mobilityRegion")):
            without_effect.append(f"{key} = {value.text}")
        elif key in LEFT_OUT or (key == "materialCounting" and value.text in DRAW_ODDS):
            if value.text != LEFT_OUT.get(key):
                left_out.append(f"{key} = {value.text}")
        elif key not in REFUSED:
            raise keys.error(key, "is not a known key")
        elif value.text not in (REFUSED[key], "-", ""):
            raise keys.error(key, f"cannot be said here, unless it is {REFUSED[key]!r}")
    return without_effect, left_out


# Pieces


def _entry(piece: Piece) -> dict[str, Any]:
    return {
        "name": piece.name,
        "moves": piece.moves,
        **({"royal": True} if piece.royal else {}),
        **piece.extra,
    }


def _read_pieces(game: ImportedGame) -> None:
    keys = game.keys
    for kind in (*PIECE_TYPES, *UNSAID, *CUSTOM):
        text = keys.text(kind)
        if text is None or text in ("-", ""):
            continue
        letter, _, moves = (part.strip() for part in text.partition(":"))
        if not re.fullmatch("[A-Za-z]{1,2}", letter):
            raise keys.error(kind, "should be a letter, or a letter and moves like 'a:NB'")
        letter = letter[0].lower()
        if kind in UNSAID:
            raise keys.error(kind, f"cannot be said here: it {UNSAID[kind]}")
        if letter in game.pieces:
            raise keys.error(kind, f"{letter!r} is the letter of {game.pieces[letter].kind} as well")
        if kind in CUSTOM and not moves:
            raise keys.error(kind, "has no moves; it should be like 'a:NB'")
        known, name = PIECE_TYPES.get(kind, ("", f"Piece {letter.upper()}"))
        game.pieces[letter] = Piece(letter, kind, betza_dialect.read(moves) or known, name)
    if not any(piece.royal for piece in game.pieces.values()):
        raise keys.error("king", "is missing, and a game without a king cannot be said here")


def _pawn_letters(game: ImportedGame) -> str:
    return "".join(piece.letter for piece in game.pieces.values() if piece.kind == "pawn")


def _read_steps(game: ImportedGame) -> None:
    """Makes keys of first steps and en passant, which the file may give in Betza notation."""
    keys = game.keys
    doubles = keys.flag("doubleStep", True)
    region = keys.both_regions("doubleStepRegion", keys.rank_squares([2]))
    takers = letters_of(game, "enPassantTypes", _pawn_letters(game))
    if keys.text("enPassantRegion", "**") not in ("**", "*"):
        raise keys.error("enPassantRegion", "cannot be said here")
    for piece in game.pieces.values():
        try:
            rides = betza.parse(piece.moves)
        except betza.BetzaError as error:
            raise keys.error(piece.kind, f"cannot be said here: {error}") from None
        ways = {(ride.files, ride.ranks, ride.reach, ride.quiet, ride.capture) for ride in rides}
        if ways != {(-files, *rest) for files, *rest in ways}:
            raise keys.error(piece.kind, "moves that differ to the left and to the right cannot be said here")
        first = [ride for ride in rides if ride.initial]
        if any(
            (ride.files, ride.ranks * max(ride.reach, 1), ride.capture) != (0, 2, False) for ride in first
        ):
            raise keys.error(piece.kind, "first moves other than two squares straight on cannot be said here")
        passing = [ride for ride in rides if ride.en_passant]
        piece.moves = _without_modes(game, piece)
        steps = piece.kind == "pawn" or first
        if steps and doubles and region:
            ranks = keys.rank_numbers("doubleStepRegionWhite", region)
            piece.extra["steps"] = {rank: 2 for rank in ranks if rank + 2 <= keys.ranks}
        if (piece.kind == "pawn" or passing) and piece.letter in takers and doubles:
            piece.extra["en_passant"] = True


def _without_modes(game: ImportedGame, piece: Piece) -> str:
    """The moves of a piece without its first steps, and its captures in passing as captures."""
    kept = []
    for prefix, atom in re.findall(r"([a-z]*)([A-Z]{1,2}\d*)", piece.moves):
        if "i" in prefix:
            continue
        if "e" in prefix and "c" not in prefix:
            raise game.keys.error(
                piece.kind, f"{prefix + atom!r} captures in passing alone: cannot be said here"
            )
        kept.append(prefix.replace("e", "") + atom)
    return "".join(kept)


def _read_regions(game: ImportedGame) -> None:
    """Squares that pieces keep to, and the moves of soldiers behind the river."""
    keys = game.keys
    for piece in game.pieces.values():
        for key in (
            f"mobilityRegion{side}{piece.kind[0].upper()}{piece.kind[1:]}" for side in ("White", "Black")
        ):
            keys.text(key)
        white = keys.region(f"mobilityRegionWhite{piece.kind[0].upper()}{piece.kind[1:]}")
        black = keys.region(f"mobilityRegionBlack{piece.kind[0].upper()}{piece.kind[1:]}")
        everywhere = keys.rank_squares(range(1, keys.ranks + 1))
        white, black = white or everywhere, black or everywhere
        if white != keys.mirrored(black):
            key = f"mobilityRegionWhite{piece.kind[0].upper()}{piece.kind[1:]}"
            raise keys.error(key, "is not the mirror image of Black's, which cannot be said here")
        if white != everywhere:
            piece.extra["region"] = [square_name(square, keys.files) for square in sorted(white)]
    first = keys.number("soldierPromotionRank", 1, 1, keys.ranks)
    for piece in game.pieces.values():
        if piece.kind == "soldier" and first > 1:
            piece.moves = "fW"
            piece.extra["advanced"] = {"ranks": list(range(first, keys.ranks + 1)), "moves": "sW"}


# The start


def _read_start(game: ImportedGame) -> None:
    keys = game.keys
    fields = keys.text("startFen", START).split()
    if not fields or "*" in fields[0]:
        raise keys.error("startFen", "a board with holes cannot be said here")
    fields += ["w"] if len(fields) == 1 else []
    if len(fields) > 2 and fields[2].isdecimal():
        fields[2:2] = ["-", "-"]
    fields += ["-", "-", "0", "1"][max(0, len(fields) - 2) :]
    game.checks = next((text for text in fields[4:] if "+" in text), None)
    fields = [text for text in fields if text is not game.checks][:6]
    board, _, hands = fields[0].partition("[")
    letters = {letter.lower() for letter in board + hands if letter.isalpha()}
    for letter in sorted(letters - set(game.pieces)):
        raise keys.error("startFen", f"{letter!r} is not a piece of this game ({''.join(game.pieces)})")
    game.used = letters | {game.king.letter}
    if keys.flag("pieceDrops"):
        board += f"[{hands.strip('-]')}]"
    castles = keys.flag("castling", True) and fields[2] != "-"
    if castles and not re.fullmatch("[KQkq]+", fields[2]):
        raise keys.error(
            "startFen", f"castling rights {fields[2]!r} should be like 'KQkq'; no others can be said here"
        )
    game.start = [board, fields[1], fields[2] if castles else "-", "-", *fields[4:]]


def _with_forms(game: ImportedGame) -> str:
    """The board of the start with the letters that promoted pieces have here, for those like `+R`."""

    def form(match: re.Match[str]) -> str:
        found = game.forms.get(match[1].lower())
        if not found:
            raise game.keys.error("startFen", f"{match[0]!r} is a piece that has no promoted form")
        return found[0].upper() if match[1].isupper() else found[0]

    return re.sub(r"\+([A-Za-z]?)", form, game.start[0])


# Promotion


def _promotion(game: ImportedGame) -> dict[str, Any]:
    keys = game.keys
    zone = keys.both_regions("promotionRegion", keys.rank_squares([keys.ranks]))
    kinds, pairs = _pawn_promotion(game), keys.pairs("promotedPieceType")
    limited = _is_limited(game)
    mandatory = keys.flag("mandatoryPawnPromotion", True)
    stuck = stuck_ranks if keys.flag("immobilityIllegal") else lambda game, piece: []
    forced, captures = keys.flag("mandatoryPiecePromotion"), keys.flag("piecePromotionOnCapture")
    game.demotes = keys.flag("pieceDemotion")
    if not zone:
        return {}
    for letter in kinds:
        if letter in pairs:
            raise keys.error(
                "promotedPieceType", f"{letter!r} promotes like a pawn as well: cannot be said here"
            )
    _read_forms(game, pairs)
    if not (kinds or game.forms):
        return {}
    ranks = sorted({square // keys.files + 1 for square in zone})
    turned = dict(game.forms)
    if game.demotes:
        turned |= {forms[0]: [letter] for letter, forms in game.forms.items()}
    if captures and any(stuck(game, game.pieces[letter]) for letter in turned):
        reason = "does not go with piecePromotionOnCapture here: pieces could get stuck without a capture"
        raise keys.error("immobilityIllegal", reason)
    must = {}
    for letter, targets in {**kinds, **turned}.items():
        game.pieces[letter].extra["promotes"] = "".join(targets).upper()
        wanted = ranks if (mandatory if letter in kinds else forced) else stuck(game, game.pieces[letter])
        must[letter.upper()] = [rank for rank in wanted if rank in ranks]
    part: dict[str, Any] = {"zone": ranks, "on": ["enter", "leave"] if turned else ["enter"]}
    if kinds and turned:
        part["on"] = {letter.upper(): ["enter", "leave"] for letter in turned}
    if len(zone) != len(ranks) * keys.files:
        names = [square_name(square, keys.files) for square in sorted(zone)]
        del part["zone"]
        part["squares"] = {letter.upper(): names for letter in (*kinds, *turned)}
    if captures:
        part["captures"] = "".join(turned).upper()
    if any(must.values()):
        part["mandatory"] = {letter: found for letter, found in must.items() if found}
    return part | ({"limit": "captured"} if limited else {})


def _pawn_promotion(game: ImportedGame) -> dict[str, list[str]]:
    """Letter of a piece that promotes like a pawn of chess -> letters that it promotes to."""
    keys = game.keys
    targets = letters_of(game, "promotionPieceTypes", "".join(x for x in "nbrq" if x in game.pieces) or "-")
    sides = [
        letters_of(game, f"promotionPieceTypes{side}", "".join(targets) or "-") for side in ("White", "Black")
    ]
    if set(sides[0]) != set(sides[1]):
        raise keys.error("promotionPieceTypesWhite", "differs from Black's, which cannot be said here")
    pawns = letters_of(game, "promotionPawnTypes", _pawn_letters(game) or "-")
    for side in ("White", "Black"):
        if set(letters_of(game, f"promotionPawnTypes{side}", "".join(pawns) or "-")) != set(pawns):
            raise keys.error(
                f"promotionPawnTypes{side}", "differs between the sides, which cannot be said here"
            )
    kinds = {letter: sides[0] for letter in pawns if letter in game.used and sides[0]}
    game.used |= {target for targets in kinds.values() for target in targets}
    return kinds


def _read_forms(game: ImportedGame, pairs: dict[str, str]) -> None:
    """Notes the promoted form of each piece; forms that share a kind, or are in use, get new letters."""
    keys = game.keys
    wanted = {base: form.lower() for base, form in pairs.items() if base in game.used and form != "-"}
    for base, form in wanted.items():
        if form not in game.pieces:
            known = "".join(game.pieces)
            raise keys.error("promotedPieceType", f"{form!r} is not a piece of this game ({known})")
        model, letter = game.pieces[form], form
        if form in game.used or list(wanted.values()).count(form) > 1:
            free = next((x for x in FORM_LETTERS if x not in game.pieces), None)
            if free is None:
                raise keys.error("promotedPieceType", "needs more than the 26 letters that there are")
            letter = free
        game.pieces[letter] = Piece(letter, model.kind, model.moves, f"Promoted {game.pieces[base].name}")
        game.pieces[letter].extra |= {"region": model.extra["region"]} if "region" in model.extra else {}
        game.forms[base] = [letter]
    game.used |= {letter for forms in game.forms.values() for letter in forms}


def _is_limited(game: ImportedGame) -> bool:
    """Whether promotions bring back only what was lost. Raises VariantError for limits of another kind."""
    limits = game.keys.pairs("promotionLimit")
    for letter, count in limits.items():
        if count != str(game.board.count(letter.upper())) and letter in game.used:
            raise game.keys.error(
                "promotionLimit", "limits other than the numbers at the start cannot be said here"
            )
    return bool(limits)
