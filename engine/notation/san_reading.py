"""Moves read as people and programs write them: SAN, and what differs from it without being another move.

Accepted besides SAN: long algebraic (`Ng1-f3`), the engine's notation (`g1f3`), a missing `x`, `=` or mark of
a check, marks that are too many, a pawn's capture by its files alone (`ed`, `exd`), `e8(Q)`, `e8/Q`, `e.p.`,
figurines, `0-0`, the king's step onto its own rook, small letters for pieces that are no files, letters that
the game's file gives besides, promotions by a `+` and their refusal by a `=` as in shogi, promoted pieces as
`+R`, drops with `*`, and passes as `pass`, `null`, `Z0`, `0000`, `@@@@` or the king's move to its own square.
"""

import re
from collections.abc import Callable, Iterable

from ..game.description import FILE_LETTERS, Description
from ..game.moves import (
    ACTION_SHIFT,
    ACTIONS,
    CASTLING,
    DROP,
    KIND_SHIFT,
    PASS,
    PROMOTION,
    ROOK_GATE,
    SETUP,
    WALL_SHIFT,
    IllegalMoveError,
    Move,
    MoveError,
    MoveSyntaxError,
    entry_of,
    entry_square,
)
from .position_like import PositionLike
from .refusals import misfit
from .san import COLOURS, PAWN, STEPS, Names, label, names_of

PASSES = ("--", "z0", "pass", "null", "0000", "@@@@")  # in small letters
FIGURINES = dict(zip(map(ord, "♔♕♖♗♘♙♚♛♜♝♞♟"), "KQRBNP" * 2, strict=True)) | {0xFE0E: "", 0xFE0F: ""}
OTHER_SIGNS = FIGURINES | {dash: "-" for dash in (0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2212)}
EXAMPLES = "moves look like 'Nf3', 'exd6', 'e8=Q', 'O-O', 'P@d5' or 'e2e4'"
WALL_EXAMPLES = "moves look like 'Nf3,g1', 'exd6,e5' or 'e2e4,e4e5'"  # where moves put walls

_STEP = re.compile(
    r"(?P<piece>\+?[A-Z])?(?P<file>[a-p])?(?P<rank>\d{1,2})?[-x:X\u00d7~]?(?P<target>[a-p]\d{1,2})(?P<rest>.*)",
    re.ASCII,
)
_USUAL = re.compile(r"([A-Z])?([a-p])?(\d{1,2})?x?([a-p]\d{1,2})[+#]?", re.ASCII)
_REST = re.compile(
    r"(?:[=/]?\(?(?P<letter>\+?[A-Za-z])\)?|(?P<refusal>=))?(?:e\.?p\.?)?(?P<marks>[+#†‡]*)(?:ch|mate)?",
    re.ASCII,
)
_DROP = re.compile(r"(?P<piece>\+?[A-Za-z])?[@*](?P<target>[a-p]\d{1,2})[+#†‡]*", re.ASCII)
_PAWN_CAPTURE = re.compile(r"(?P<file>[a-p])[x:]?(?P<target>[a-p])(?P<rest>\D*)", re.ASCII)
_WALL = re.compile(r"(?P<move>.+?)[+#]*,(?P<again>[a-p]\d{1,2})?(?P<wall>[a-p]\d{1,2})[+#]*", re.ASCII)
_COORDINATES = re.compile(r"[A-P]\d{1,2}-?[A-P]\d{1,2}", re.ASCII)
_COLOUR_CHANGE = re.compile(
    r"\(=[bw][A-Z]\)", re.ASCII
)  # what Cute Chess adds to captures in Andernach chess
_CASTLING = re.compile(
    r"[O0o]-?[O0o](?P<long>-?[O0o])?(?:/(?P<entry>[A-Za-z])(?P<square>[a-p](?:\d{1,2})?)?)?[+#†‡]*", re.ASCII
)


def parse_san(position: PositionLike, text: str) -> Move:
    """The legal move of `text`. Raises MoveSyntaxError for a text that is not a move and IllegalMoveError for
    one that is not legal here or ambiguous; both quote the text and give the reason."""
    if not isinstance(text, str):
        raise MoveSyntaxError(text, f"is not a text; {EXAMPLES}")
    if position.description.walls is None and (move := _read_usual(position, text)) is not None:
        return move
    word = _COLOUR_CHANGE.sub("", text.strip().rstrip("!?").rstrip())
    reader = _Reader(position, text)
    if position.description.walls is not None:
        word = reader.take_wall(word)
    move = reader.read(word)
    if move is None and not word.isascii():
        move = reader.read(word.translate(OTHER_SIGNS))
    if move is None:
        move = reader.read_otherwise(word)
    if move is None:
        raise reader.refusal(word)
    return move


def _read_usual(position: PositionLike, text: str) -> Move | None:
    """The move of a text in plain SAN without a promotion, as for nearly all moves in files."""
    match = _USUAL.fullmatch(text)
    if match is None:
        return None
    names = names_of(position.description)
    letter, file, rank, name = match.groups()
    target, kinds = names.numbers.get(name), position.state["board"]
    found = -1
    for code in [code for code in position.legal_codes() if code & 255 == target]:
        origin = code >> 8 & 255
        kind = kinds[origin] if code >> ACTION_SHIFT & ACTIONS in STEPS else -1
        if kind < 0 or (kind != names.pawn if letter is None else names.letters[kind] != letter):
            continue
        square = names.squares[origin]
        wanted = file or (name[0] if letter is None else square[0])
        if wanted == square[0] and (rank is None or rank == square[1:]) and entry_of(code) < 0:
            if found >= 0 or code >> ACTION_SHIFT & ACTIONS == PROMOTION:
                return None
            found = code
    return names.move(found) if found >= 0 else None


class _Reader:
    """Reads one word in one position. Methods return None for words that they cannot read."""

    def __init__(self, position: PositionLike, text: str) -> None:
        self.position, self.text = position, text
        self.game: Description = position.description
        self.names: Names = names_of(self.game)
        self.codes = position.legal_codes()
        self.wall = ""  # the name of its square, where the text has one

    def _wall_after(self, target: str) -> str:
        """The wall of the text as the engine writes it behind a move to `target`."""
        return f",{target}{self.wall}" if self.wall else ""

    def take_wall(self, word: str) -> str:
        """`word` without the square of a wall at its end; from now on only moves with that wall are found."""
        match = _WALL.fullmatch(word)
        if match is None or (square := self._square(match["wall"])) is None:
            return word
        if self.game.walls.chosen:
            self.codes = [code for code in self.codes if code >> WALL_SHIFT == square]
        else:
            self.codes = [code for code in self.codes if code >> 8 & 255 == square]
        self.wall = match["wall"]
        return match["move"]

    def read(self, word: str) -> Move | None:
        """The move of a word in SAN or a similar spelling."""
        if match := _STEP.fullmatch(word):
            return self._read_step(match)
        if match := _DROP.fullmatch(word):
            return self._read_drop(match)
        if match := _CASTLING.fullmatch(word):
            return self._castling(bool(match["long"]), match["entry"], match["square"])
        if word.lower() in PASSES:
            return self._only(code for code in self.codes if code >> ACTION_SHIFT & ACTIONS == PASS)
        if match := _PAWN_CAPTURE.fullmatch(word):
            return self._read_pawn_capture(match)
        return None

    def read_otherwise(self, word: str) -> Move | None:
        """The move of a word in the engine's notation, or with a small letter for a piece."""
        try:
            text = word.rstrip("#") if word[-2:] != "+#" else word[:-2]
            names = re.findall(r"[a-p]\d{1,2}", text)
            return self.position.parse_move(text + self._wall_after(names[-1] if names else ""))
        except MoveError:
            pass
        if word.isupper() and _COORDINATES.fullmatch(word):
            return self.read(word.lower())
        if word[:1].islower() and word[0] not in FILE_LETTERS[: self.game.files]:
            match = _STEP.fullmatch(word[0].upper() + word[1:])
            return self._read_step(match) if match else None
        return None

    # Steps

    def _read_step(self, match: re.Match[str]) -> Move | None:
        target = self._square(match["target"])
        rest = _REST.fullmatch(match["rest"])
        if target is None or rest is None:
            return None
        codes = self._steps(match, target)
        if not codes and match["file"] and match["rank"]:
            return self._king_onto_rook(match, target)
        return self._promoted(codes, rest)

    def _read_pawn_capture(self, match: re.Match[str]) -> Move | None:
        """The capture of a pawn that is given only by its files."""
        rest = _REST.fullmatch(match["rest"])
        if rest is None or match["file"] == match["target"]:
            return None
        squares = [FILE_LETTERS.index(match[name]) for name in ("file", "target")]
        files, kinds, fits = self.game.files, self.position.state["board"], self._is_pawn()
        found = [
            code
            for code in self.codes
            if code >> ACTION_SHIFT & ACTIONS in STEPS
            and [(code >> 8 & 255) % files, (code & 255) % files] == squares
            and fits(int(kinds[code >> 8 & 255]))
        ]
        return self._promoted(found, rest)

    def _steps(self, match: re.Match[str], target: int) -> list[int]:
        """The codes of the moves to a square by a piece of that letter, from that file and that rank."""
        kinds, files = self.position.state["board"], self.game.files
        file = FILE_LETTERS.index(match["file"]) if match["file"] else None
        rank = int(match["rank"]) - 1 if match["rank"] else None
        found = [
            code
            for code in self.codes
            if code & 255 == target
            and code >> ACTION_SHIFT & ACTIONS in (*STEPS, CASTLING, PASS)
            and (file is None or (code >> 8 & 255) % files == file)
            and (rank is None or (code >> 8 & 255) // files == rank)
        ]
        if not found or (match["piece"] is None and file is not None and rank is not None):
            return found  # both squares name the piece
        if match["piece"] is None:
            fits = self._is_pawn()
            if file is None:
                found = [code for code in found if (code >> 8 & 255) % files == target % files]
        else:
            fits = self._named(match["piece"])
        found = [code for code in found if fits(int(kinds[code >> 8 & 255]))]
        steps = [code for code in found if code >> ACTION_SHIFT & ACTIONS in STEPS]
        return steps or found

    def _is_pawn(self) -> Callable[[int], bool]:
        """Whether a kind is that of pawns, whose letter SAN omits."""
        pawn = self.names.pawn
        return (lambda kind: kind == pawn) if pawn >= 0 else self._named(PAWN)

    def _named(self, name: str) -> Callable[[int], bool]:
        """Whether a kind is called so: by its letter, another letter of its file, or as `+R`."""
        kinds = self._kinds(name)
        return lambda kind: kind in kinds

    def _kinds(self, name: str) -> set[int]:
        """The kinds of pieces with a name in capitals, `+R` for the promoted forms of R."""
        pieces = self.game.pieces
        if name.startswith("+"):
            base = [piece for piece in pieces if piece.letter == name[1:]]
            forms = {form for piece in base for form in piece.promotes_to}
            return {kind for kind, piece in enumerate(pieces) if piece.letter in forms}
        own = {kind for kind, letter in enumerate(self.names.letters) if letter == name}
        return own or {kind for kind, piece in enumerate(pieces) if name in piece.also}

    def _promoted(self, codes: list[int], rest: re.Match[str]) -> Move | None:
        """The move that promotes, or does not, by the word's end, among moves with the same squares."""
        plain = [code for code in codes if code >> ACTION_SHIFT & ACTIONS != PROMOTION and entry_of(code) < 0]
        promotions = [code for code in codes if code >> ACTION_SHIFT & ACTIONS == PROMOTION]
        if rest["letter"]:
            forms = self._kinds(rest["letter"].upper())
            named = [code for code in promotions if code >> KIND_SHIFT & 63 in forms]
            named += [
                code
                for code in codes
                if self._enters(code, rest["letter"]) and not code >> KIND_SHIFT & ROOK_GATE
            ]
            # Other programs name a piece's only promotion differently: a promoted pawn of shogi is a gold
            return self._only(named or (promotions if forms and len(promotions) == 1 else []))
        if rest["refusal"]:
            return self._only(plain)
        if "+" in rest["marks"] and promotions and self._means_promotion(plain, rest["marks"]):
            return self._only(promotions)
        return self._only(plain or promotions)

    def _means_promotion(self, plain: list[int], marks: str) -> bool:
        """Whether a `+` means the promotion and not a check by the plain move."""
        if len(plain) != 1:
            return not plain
        after = self.position.copy()
        after.push_legal(self._move(plain[0]))
        return marks.startswith("++") or not after.is_check()

    def _king_onto_rook(self, match: re.Match[str], target: int) -> Move | None:
        """The castling move for the king's step onto its own rook in other programs."""
        source = self._square(match["file"] + match["rank"])
        if source is None or not self.game.castling or match["rest"]:
            return None
        rooks = {wing.piece for wing in self.game.castling}
        own = {(rook, rook.lower())[self.position.turn] for rook in rooks}
        kings = int(self.position.state["kings"][self.position.turn])
        if source != kings or self.position.letter_at(target) not in own:
            return None
        return self._castling(not self.game.castles_short(source, target))

    # Other moves

    def _read_drop(self, match: re.Match[str]) -> Move | None:
        target = self._square(match["target"])
        kinds = self._kinds((match["piece"] or PAWN).upper())
        return self._only(
            code
            for code in self.codes
            if code >> ACTION_SHIFT & ACTIONS == DROP
            and code & 255 == target
            and code >> KIND_SHIFT & 63 in kinds
        )

    def _castling(self, long: bool, entry: str | None = None, square: str | None = None) -> Move | None:
        """Castling, `long` if it is written `O-O-O`. At a gate a piece with the letter
        `entry` enters on a `square`, given by its name or its file; on that of the king without one."""
        codes = [
            code
            for code in self.codes
            if code >> ACTION_SHIFT & ACTIONS == CASTLING
            and self.game.castles_short(code >> 8 & 255, code & 255) != long
        ]
        if entry is None:
            return self._only(code for code in codes if entry_of(code) < 0)
        return self._only(
            code
            for code in codes
            if self._enters(code, entry)
            and self.names.squares[entry_square(code, self.game)].startswith(
                square or self.names.squares[code >> 8 & 255]
            )
        )

    def _enters(self, code: int, letter: str) -> bool:
        """Whether a piece with that letter enters at a gate with a move, in castling as well."""
        hand = entry_of(code)
        return hand >= 0 and self.game.hand_pieces[hand].letter == letter.upper()

    def _square(self, name: str) -> int | None:
        return self.names.numbers.get(name)

    def _move(self, code: int) -> Move:
        return self.names.move(code)

    def _only(self, codes: Iterable[int]) -> Move | None:
        """The only move among codes, or None. Raises IllegalMoveError for several."""
        found = [self._move(code) for code in codes]
        if len(found) > 1 and len({move.code & (1 << WALL_SHIFT) - 1 for move in found}) == 1:
            example = label(self.position, found[0])
            raise IllegalMoveError(self.text, f"names no square for the wall, as in {example!r}")
        if len(found) > 1:
            raise IllegalMoveError(self.text, f"fits several moves: {self._listed(found)}")
        return found[0] if found else None

    def _listed(self, moves: Iterable[Move]) -> str:
        return ", ".join(label(self.position, move) for move in moves)

    # Refusals

    def refusal(self, word: str) -> MoveError:
        """The error for a word that is not a legal move here."""
        plain = word.translate(OTHER_SIGNS)
        match = _STEP.fullmatch(plain)
        if match and _REST.fullmatch(match["rest"]):
            return IllegalMoveError(self.text, self._why_no_step(match))
        if _DROP.fullmatch(plain) or _CASTLING.fullmatch(plain) or plain.lower() in PASSES:
            return IllegalMoveError(self.text, self._why_nothing_else(plain))
        if any(code >> ACTION_SHIFT & ACTIONS == SETUP for code in self.codes):
            return IllegalMoveError(self.text, f"possible now: {self._listed(self.position.legal_moves)}")
        examples = EXAMPLES if self.game.walls is None else WALL_EXAMPLES
        return MoveSyntaxError(self.text, f"is not a move; {examples}")

    def _why_no_step(self, match: re.Match[str]) -> str:
        target = self._square(match["target"])
        if target is None:
            return f"the board has no square {match['target']!r}"
        if not self.position.legal_codes():
            return "the game is over"
        if codes := self._steps(match, target):
            moves = [self._move(code) for code in codes]
            return f"{misfit(self.position, moves)}; possible: {self._listed(moves)}"
        if self.wall and self._unwalled(match, target):
            return f"no wall can be put on {self.wall} then"
        name = match["piece"] or (None if match["file"] and match["rank"] else PAWN)
        kinds = self._kinds(name) if name else set(range(self.names.no_kind))
        if not kinds:
            return f"the game has no piece {name!r}"
        origins = self._own(kinds, match)
        return self._why_not(name, kinds, origins, match)

    def _unwalled(self, match: re.Match[str], target: int) -> bool:
        """Whether the step is legal with another wall."""
        self.codes = self.position.legal_codes()
        return bool(self._steps(match, target))

    def _own(self, kinds: set[int], match: re.Match[str]) -> list[int]:
        """The squares of the mover's pieces of those kinds on the file and rank in a word."""
        found = []
        for square, name in enumerate(self.names.squares):
            piece = self.position.letter_at(square)
            own = piece is not None and piece.isupper() == (self.position.turn == 0)
            if own and int(self.position.state["board"][square]) in kinds:
                fits = match["file"] in (None, name[0]) and match["rank"] in (None, name[1:])
                if fits:
                    found.append(square)
        return found

    def _why_not(self, name: str | None, kinds: set[int], origins: list[int], match: re.Match[str]) -> str:
        """The reason why no piece on the `origins` can move to the target."""
        if name is None or len(origins) == 1:
            source = self.names.squares[origins[0]] if origins else match["file"] + match["rank"]
            try:
                self.position.parse_move(source + match["target"] + self._wall_after(match["target"]))
            except MoveError as error:
                return error.reason
        piece = self.game.pieces[min(kinds)].name.lower()
        if not origins:
            where = (
                f" on {match['file'] or ''}{match['rank'] or ''}" if match["file"] or match["rank"] else ""
            )
            return f"{COLOURS[self.position.turn]} has no {piece}{where}"
        check = f"; {COLOURS[self.position.turn]} is in check" if self.position.is_check() else ""
        return f"no {piece} can go to {match['target']}{check}"

    def _why_nothing_else(self, word: str) -> str:
        """The reason why a drop, castling or a pass is not legal."""
        if not self.position.legal_codes():
            return "the game is over"
        if drop := _DROP.fullmatch(word):
            try:
                self.position.parse_move(f"{(drop['piece'] or PAWN)[-1]}@{drop['target']}")
            except MoveError as error:
                return error.reason
            return "the piece cannot be dropped there"
        mover = COLOURS[self.position.turn]
        check = " in check" if self.position.is_check() else ""
        return f"{mover} cannot {'castle' if _CASTLING.fullmatch(word) else 'pass'}{check or ' now'}"
