"""The settings of a chain of sections, applied in the order of Fairy-Stockfish.

A game is a copy of its parent, which each section changes. The order matters for settings that add to others:
a letter that one kind of piece takes from another, pairs of promotions, sets of kinds that keep their kinds
when letters change."""

import re
from collections.abc import Sequence

from ..game.description import VariantError
from .ini import Section, templates
from .keys import MAX_SIDE, Value, error, leading_number, without_comment
from .piece_types import CUSTOM, KINDS, KING

SIDES = ("White", "Black")
ALL = "*"  # in place of a kind
# Keys that hold kinds, by letters there; with "White" or "Black" behind for one side. The default is a list.
SETS: dict[str, tuple[str, ...]] = {
    "promotionPawnTypes": ("pawn",),
    "promotionPieceTypes": (),
    "enPassantTypes": ("pawn",),
    "nMoveRuleTypes": ("pawn",),
    "castlingKingPiece": (KING,),
    "castlingRookPieces": ("rook",),
    "mustDropType": (ALL,),
    "dropNoDoubled": (),
    "extinctionPieceTypes": (),
    "flagPiece": (ALL,),
    "blastImmuneTypes": (),
    "mutuallyImmuneTypes": (),
}
SINGLE = ("castlingKingPiece", "mustDropType", "dropNoDoubled", "flagPiece")  # the last letter counts
PAWN_SETS = ("promotionPawnTypes", "enPassantTypes", "nMoveRuleTypes")  # that pawnTypes sets
# Keys that stand for the two with "White" and "Black" behind
SIDED = ("flagRegion", "wallingRegion", "enPassantRegion", "pass", "passOnStalemate")
# Old names of keys -> current names
OLD_NAMES = {
    "whiteDropRegion": "dropRegionWhite",
    "blackDropRegion": "dropRegionBlack",
    "whiteFlag": "flagRegionWhite",
    "blackFlag": "flagRegionBlack",
    "castlingRookPiece": "castlingRookPieces",
}


class GameSettings:
    """A game after all its sections.

    `letters` are those of its kinds of pieces, `synonyms` further letters for a FEN, `moves` the Betza
    notation of kinds with moves in the file. `sets` hold kinds, for White and for Black. `promoted` maps
    kinds to their promoted forms, `limits` to the most that promotions can make. `pawns` are the kinds to
    which a promoted piece reverts, by side. `values` are the texts of all other keys; `given` are those of
    kinds and of keys that hold kinds."""

    def __init__(self, name: str, file: str) -> None:
        self.name, self.file = name, file
        self.letters: dict[str, str] = {}
        self.synonyms: dict[str, str] = {}
        self.moves: dict[str, Value] = {}
        self.given: dict[str, Value] = {}  # by kind, and by key for sets and pairs
        self.sets: dict[str, tuple[list[str], list[str]]] = {
            key: (list(kinds), list(kinds)) for key, kinds in SETS.items()
        }
        self.pawns: list[str | None] = ["pawn", "pawn"]
        self.promoted: dict[str, str] = {}
        self.limits: dict[str, int] = {}
        self.values: dict[str, Value] = {}

    def error(self, key: str, reason: str) -> VariantError:
        """A VariantError for a kind, or a key that holds kinds."""
        return error(self.file, self.name, self.given.get(key), key, reason)

    def apply(self, section: Section) -> None:
        """Applies the keys of a section. Raises VariantError."""
        keys = {
            OLD_NAMES.get(key, key): Value(text, section.name, key)
            for key, text in sorted(section.keys.items(), key=lambda item: item[0] not in OLD_NAMES)
        }
        for kind in KINDS:
            if kind in keys:
                self._set_piece(kind, keys.pop(kind))
        if templates().get(section.name) is section:
            self._set_synonyms(keys)
        self._set_kinds(keys)
        if "promotionLimit" in keys:
            self._set_limits(keys.pop("promotionLimit"))
        if "promotedPieceType" in keys:
            self._set_promoted(keys.pop("promotedPieceType"))
        self._set_ranks(keys)
        for key in SIDED:
            if key in keys:
                value = keys.pop(key)
                keys = {f"{key}{side}": value for side in SIDES} | keys
        self.values |= keys
        # The result has no double step, even if a child sets `doubleStep` only
        if "doubleStep" in self.values and without_comment(self.values["doubleStep"].text) == "false":
            off = Value("-", section.name, "doubleStep")
            self.values |= {f"doubleStepRegion{side}": off for side in SIDES}

    # Pieces

    def _set_piece(self, kind: str, value: Value) -> None:
        self.given[kind] = value
        letter = value.text[0]
        if not (letter.isascii() and letter.isalpha()):
            if letter != "-":
                raise self.error(kind, "should be a letter, a letter and moves like 'a:NB', or '-' for none")
            self._remove(kind)
            return
        letter = letter.lower()
        for other in [kind for kind, owned in self.letters.items() if owned == letter]:
            self._remove(other)
        self.synonyms.pop(kind, None)
        self.letters[kind] = letter
        if kind in CUSTOM or kind == KING:
            moves = value.text[2:].strip()  # whatever the second character is
            if len(value.text) > 1:
                self.moves[kind] = Value(moves, value.section, value.key)
            elif kind == KING:
                self.moves.pop(kind, None)
            if "e" in moves and kind in CUSTOM:
                for kinds in self.sets["enPassantTypes"]:
                    kinds.extend([kind] if kind not in kinds else [])

    def _remove(self, kind: str) -> None:
        self.letters.pop(kind, None)
        self.synonyms.pop(kind, None)
        for kinds in self.sets["promotionPieceTypes"]:
            if kind in kinds:
                kinds.remove(kind)

    def _set_synonyms(self, keys: dict[str, Value]) -> None:
        """A key that only our templates have."""
        if "synonyms" in keys:
            pairs = [pair.split(":") for pair in keys.pop("synonyms").text.split()]
            self.synonyms |= {kind: letter for kind, letter in pairs}

    # Keys that hold kinds

    def _kind(self, key: str, letter: str) -> str:
        for kind, owned in self.letters.items():
            if owned == letter.lower():
                return kind
        known = "".join(self.letters.values())
        raise self.error(key, f"{letter!r} is not a piece of this game ({known})")

    def _kinds(self, key: str, value: Value) -> list[str]:
        """The kinds in a text of letters; `*` means all, `-` none."""
        self.given[key] = value
        found: list[str] = []
        for letter in "".join(without_comment(value.text).split()):
            if letter == "-":
                break
            found.append(ALL if letter == ALL else self._kind(key, letter))
        return list(dict.fromkeys(found))

    def _set_kinds(self, keys: dict[str, Value]) -> None:
        if "pawnTypes" in keys:
            value = keys.pop("pawnTypes")
            found = self._kinds("pawnTypes", value)
            for key in PAWN_SETS:
                self._put(key, found, (0, 1))
                self.given[key] = value
        for key in SETS:
            for name, sides in ((key, (0, 1)), *((f"{key}{side}", (i,)) for i, side in enumerate(SIDES))):
                if name in keys:
                    value = keys.pop(name)
                    self._put(key, self._kinds(name, value), sides)
                    self.given[key] = value

    def _put(self, key: str, found: list[str], sides: Sequence[int]) -> None:
        for side in sides:
            self.sets[key][side][:] = found[-1:] if key in SINGLE else found
            if key == "promotionPawnTypes":
                self.pawns[side] = found[-1] if found else None

    # Pairs

    def _pairs(self, key: str, value: Value, pattern: str) -> list[tuple[str, str]]:
        """(kind, text) of each pair of a text like `p:g r:d`."""
        self.given[key] = value
        text = without_comment(value.text).strip()
        if text in ("", "-"):
            return []
        parts = re.sub(r"\s*:\s*", ":", text).split()
        pairs = [re.fullmatch(f"([A-Za-z]):({pattern})", part) for part in parts]
        example = "q:1 r:2" if key == "promotionLimit" else "p:g r:d"
        if None in pairs:
            raise self.error(key, f"should be pairs like '{example}'")
        return [(self._kind(key, pair[1]), pair[2]) for pair in pairs if pair]

    def _set_limits(self, value: Value) -> None:
        found = self._pairs("promotionLimit", value, "[0-9]{1,3}")
        self.limits |= {kind: int(number) for kind, number in found}

    def _set_promoted(self, value: Value) -> None:
        for kind, letter in self._pairs("promotedPieceType", value, "[A-Za-z-]"):
            self.promoted.pop(kind, None)
            if letter != "-":
                self.promoted[kind] = self._kind("promotedPieceType", letter)

    # Ranks, in older files

    def _set_ranks(self, keys: dict[str, Value]) -> None:
        """Regions by numbers of ranks; squares in the same section take precedence."""
        board = keys.get("maxRank", self.values.get("maxRank", Value("8", "", "")))
        ranks = leading_number(board.text) or 8
        promotion = self._rank(keys, "promotionRank")
        if promotion:
            value, first = promotion
            self._add_region(keys, "promotionRegion", value, range(first, ranks + 1), ranks)
        most, least = self._rank(keys, "doubleStepRank"), self._rank(keys, "doubleStepRankMin")
        if most:  # Fairy-Stockfish ignores the other key then
            self._add_region(keys, "doubleStepRegion", most[0], range(2, most[1] + 1), ranks)
        elif least:
            self._add_region(keys, "doubleStepRegion", least[0], range(least[1], 3), ranks)

    def _rank(self, keys: dict[str, Value], key: str) -> tuple[Value, int] | None:
        if key not in keys:
            return None
        value = keys.pop(key)
        rank = leading_number(value.text)
        if rank is None or not 1 <= rank <= MAX_SIDE:
            raise error(self.file, self.name, value, key, "should be the number of a rank")
        return value, rank

    def _add_region(self, keys: dict[str, Value], key: str, value: Value, own: range, ranks: int) -> None:
        for side, numbers in zip(SIDES, (own, [ranks + 1 - rank for rank in own]), strict=True):
            text = " ".join(f"*{number}" for number in numbers if number > 0) or "-"
            keys.setdefault(f"{key}{side}", Value(text, value.section, value.key))


def settled(name: str, sections: Sequence[Section], file: str) -> GameSettings:
    """The settings of a chain of sections, the most distant parent first. Raises VariantError."""
    settings = GameSettings(name, file)
    for section in sections:
        settings.apply(section)
    return settings
