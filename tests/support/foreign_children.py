"""Games that inherit from each of Fairy-Stockfish's own and change something: input for tests of the import.

    python -m surajang.tests.support.foreign_children --write children.ini
    surajang bench coverage children.ini        # plays them all, compiled: hours

Every child is made by chance from its name, so that the same names make the same games.
"""

import random
from pathlib import Path

import click
from surajang.engine.fairy_ini.ini import IniFile, Section, chain, templates
from surajang.engine.fairy_ini.settings import GameSettings, settled
from surajang.engine.game.description import FILE_LETTERS

KINDS = ("start", "drops", "zones", "board", "pieces")
PAWNS = ("pawn", "shogiPawn", "soldier", "customPiece1")
NEW_PIECES = (
    "customPiece9 = {}:WA",
    "customPiece9 = {}:fNbW",
    "customPiece9 = {}:mRcpR",
    "silver = {}",
    "bers = {}",
)


def children(parent: str, kinds: tuple[str, ...] = KINDS) -> dict[str, str]:
    """Name -> section of children of a template, one of each kind."""
    return {f"{parent}-{kind}": _Child(parent, kind).section() for kind in kinds}


class _Child:
    """A child while it is made."""

    def __init__(self, parent: str, kind: str) -> None:
        self.parent, self.kind = parent, kind
        self.chance = random.Random(f"{parent}-{kind}")
        self.keys: dict[str, str] = {}

    def section(self) -> str:
        """The text of the section."""
        getattr(self, f"_{self.kind}")()
        lines = [f"{key} = {value}\n" for key, value in self.keys.items()]
        return f"[{self.parent}-{self.kind}:{self.parent}]\n{''.join(lines)}"

    @property
    def settings(self) -> GameSettings:
        """The settings of the parent after the keys so far."""
        own = Section("own", self.parent, dict(self.keys))
        return settled("own", [*chain(self.parent, IniFile("x")), own], "x")

    def _value(self, key: str, default: str) -> str:
        values = self.settings.values
        return values[key].text if key in values else default

    @property
    def _size(self) -> tuple[int, int]:
        return int(self._value("maxFile", "8")), int(self._value("maxRank", "8"))

    # Kinds of children

    def _start(self) -> None:
        self.keys["startFen"] = self._fen(self._value("pieceDrops", "false") == "true")

    def _drops(self) -> None:
        calm = self.chance.random() < 0.2
        self.keys |= {"pieceDrops": "true", "capturesToHand": "true"} | (
            {"dropChecks": "false"} if calm else {}
        )
        for key in ("firstRankPawnDrops", "promotionZonePawnDrops", "immobilityIllegal"):
            if self.chance.random() < 0.5:
                self.keys[key] = self.chance.choice(("true", "false"))
        self.keys["startFen"] = self._fen(True)

    def _zones(self) -> None:
        _, ranks = self._size
        first = self.chance.randint(max(2, ranks - 3), ranks)
        own = range(first, min(ranks, first + self.chance.randint(1, 3)) + 1)
        self.keys["promotionRegionWhite"] = " ".join(f"*{rank}" for rank in own)
        self.keys["promotionRegionBlack"] = " ".join(f"*{ranks + 1 - rank}" for rank in own)
        for key in ("mandatoryPawnPromotion", "mandatoryPiecePromotion", "immobilityIllegal"):
            if self.chance.random() < 0.4:
                self.keys[key] = self.chance.choice(("true", "false"))
        if letters := [letter for kind, letter in self.settings.letters.items() if kind != "king"]:
            self.keys["promotionLimit"] = f"{self.chance.choice(letters)}:1"
        self._start()

    def _board(self) -> None:
        files, ranks = (min(12, self._size[0] + 1), min(10, self._size[1] + 1))
        self.keys |= {"maxFile": str(files), "maxRank": str(ranks)}
        self.keys["promotionRegionWhite"] = f"*{ranks - 1} *{ranks}"
        self.keys["promotionRegionBlack"] = "*1 *2"
        self.keys |= {"doubleStepRegionWhite": "*2", "doubleStepRegionBlack": f"*{ranks - 1}"}
        self._start()

    def _pieces(self) -> None:
        letters = [letter for kind, letter in self.settings.letters.items() if kind not in ("king", *PAWNS)]
        free = [letter for letter in "xyzuvw" if letter not in letters]
        for place, letter in enumerate([self.chance.choice(letters or free), free[0]]):
            key, _, text = self.chance.choice(NEW_PIECES).partition(" = ")
            self.keys[f"customPiece{9 - place}" if key == "customPiece9" else key] = text.format(letter)
        self._start()

    # Starts

    def _fen(self, drops: bool) -> str:
        """A start with kings far from each other, some pieces scattered, including promoted ones."""
        files, ranks = self._size
        settings = self.settings
        others = [letter for kind, letter in settings.letters.items() if kind != "king"]
        men = {**self._army(settings, files, 0, 0), **self._army(settings, files, ranks - 1, 1)}
        free = [s for s in range(files, files * (ranks - 1)) if s not in men]
        fixed = [settings.letters.get(kind) for kind in ("king", "rook", *PAWNS)]
        for square in [s for s in men if men[s].lower() not in fixed]:
            if free and self.chance.random() < 0.3:
                target = free.pop(self.chance.randrange(len(free)))
                men[target] = men.pop(square)
        board = "/".join(_row(men, files, rank) for rank in reversed(range(ranks)))
        hands = "".join(
            self.chance.choice((x, x.upper())) for x in self.chance.choices(others, k=4) if others
        )
        castling = self.chance.choice(("KQkq", "KQkq", "KQ", "kq", "-"))
        return f"{board}{f'[{hands}]' if drops else ''} w {castling} - 2+2 0 1"

    def _army(self, settings: GameSettings, files: int, rank: int, side: int) -> dict[int, str]:
        """Square -> letter of a side's first two ranks."""
        letters = settings.letters
        bound = {
            kind for kind in letters if f"mobilityRegionWhite{kind[0].upper()}{kind[1:]}" in settings.values
        }
        others = [x for kind, x in letters.items() if kind not in ("king", "rook", *PAWNS, *bound)]
        others = others or [next(iter(letters.values()))]
        row = [self.chance.choice(others) for _ in range(files)]
        if "rook" in letters:
            row[0] = row[-1] = letters["rook"]
        row[files // 2] = letters.get("king", row[0])
        promoted = {letters[kind] for kind in settings.promoted if kind in letters}
        row = ["+" * (x in promoted and self.chance.random() < 0.3) + x for x in row]
        men = {rank * files + file: letter for file, letter in enumerate(row)}
        pawns = [letters[kind] for kind in PAWNS if kind in letters]
        second = rank + (-1 if side else 1)
        for file in range(files) if pawns else ():
            if self.chance.random() < 0.8:
                men[second * files + file] = pawns[0]
        return {square: letter if side else letter.upper() for square, letter in men.items()}


def _row(men: dict[int, str], files: int, rank: int) -> str:
    row, gap = "", 0
    for file in range(files):
        man = men.get(rank * files + file)
        gap += man is None
        if man is not None:
            row, gap = row + (str(gap) if gap else "") + man, 0
    return row + (str(gap) if gap else "")


@click.command()
@click.option("--write", "path", type=click.Path(path_type=Path), required=True, help="Where the file goes.")
@click.argument("kinds", nargs=-1, type=click.Choice(KINDS))
def main(path: Path, kinds: tuple[str, ...]) -> None:
    """Write a file with children of every template."""
    assert len(FILE_LETTERS) >= 12
    texts = [text for name in templates() for text in children(name, kinds or KINDS).values()]
    path.write_text("\n".join(texts), encoding="utf-8")


if __name__ == "__main__":
    main()
