"""Makes the prebuilt code of a wheel: `python -m surajang.search.prebuild FOLDER LIST` compiles games for all
processors of a level and packs their machine code into a folder (`engine/kernel/prebuilt`).

LIST is "all" for the games of `engine/variants/prebuilt.txt`, or names of games, separated by commas or
blanks. The games are compiled in their order while the folder is smaller than MOST_BYTES. `setup.py` runs it
with the level in Numba's variables."""

import sys
from pathlib import Path

from ..engine.kernel.compiler import compile_ahead
from ..engine.kernel.prebuilt import Prebuilt
from ..engine.variant import Variant
from .compile_plan import entry_points, other_points
from .engine import Engine

MOST_BYTES = 56 << 20  # of the code; a wheel of 60 MB has some room for everything else
ORDER = Path(__file__).parent.parent / "engine" / "variants" / "prebuilt.txt"
ALL = "all"


def games_of(wanted: str) -> list[Variant]:
    """The games that a LIST names. Raises VariantError for an unknown one."""
    names = ORDER.read_text().split() if wanted == ALL else wanted.replace(",", " ").split()
    return [Variant(name).check() for name in names]


def prebuild(folder: Path, games: list[Variant]) -> list[Variant]:
    """Compiles games and packs their code into `folder`. Returns those that it has taken. Raises OSError."""
    pack, taken, size = Prebuilt(folder), [], 0
    for game in games:
        if size >= MOST_BYTES:
            break
        engine = Engine(game, hash_mb=1)
        engine.compile()
        shape = engine.shape
        others = other_points(engine.rules, shape)
        compile_ahead(others)
        for each in [*entry_points(engine.rules, shape), *others]:
            each.function._cache.export(each.types, pack)
        engine.close()
        taken.append(game)
        size = sum(file.stat().st_size for file in folder.iterdir())
        print(f"{game}: {size / 1e6:.2f} MB in all", flush=True)
    pack.finish(taken)
    return taken


if __name__ == "__main__":
    prebuild(Path(sys.argv[1]), games_of(sys.argv[2]))
