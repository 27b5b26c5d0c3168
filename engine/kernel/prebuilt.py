"""Machine code that comes with a wheel, for all processors of one level.

`make wheel` writes it into the folder `engine/prebuilt`: a compressed file for each entry point, and a
manifest with the processor level and the versions of the tools that made the code. It is used if the store
has no native code and the whole manifest matches this process; otherwise code is compiled."""

import json
import lzma
import os
import platform
import warnings
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba

from .fingerprint import DIGEST_BYTES, digest, module_fingerprint
from .store import KERNEL

LEVEL = "x86-64-v3"
FEATURES = (  # of the level, by LLVM's names
    *("cx16", "sahf", "popcnt", "crc32", "sse3", "ssse3", "sse4.1", "sse4.2"),
    *("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"),
)
VARIABLE = "SURAJANG_PREBUILT"  # a folder to use instead, or "off"
OFF = "off"
MANIFEST = "manifest.json"
SUFFIX = ".code.xz"
FOLDER = Path(__file__).parent.parent / "prebuilt"


def versions() -> dict[str, str]:
    """The versions of the tools; they must be the same for making and for using code."""
    return {
        "Python": f"{platform.python_implementation()} {'.'.join(platform.python_version_tuple()[:2])}",
        "Numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "system": f"{platform.system()} {platform.machine()}",
        "compiler": digest(*(module_fingerprint(f"{__package__}.{name}") for name in KERNEL)).hex(),
    }


def missing_features(features: Mapping[str, bool]) -> list[str]:
    """The features of the level that a processor lacks, by LLVM's names."""
    return [name for name in FEATURES if not features.get(name)]


@cache
def _warn(folder: Path, reason: str) -> None:
    warnings.warn(f"prebuilt code in {folder} is not used: {reason}", RuntimeWarning, stacklevel=2)


class Prebuilt:
    """The code in a folder; None for a folder that must not be used."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._read: dict[bytes, bytes] = {}  # by key: found by `has` and not loaded yet

    @cached_property
    def usable(self) -> bool:
        """Whether this process can run the code. Warns once if there is code that it cannot run."""
        if self.folder is None or not (self.folder / MANIFEST).is_file():
            return False
        if reason := self._mismatch():
            _warn(self.folder, reason)
            return False
        return True

    def turn_off(self) -> None:
        """Makes this process, and those that it starts, run native code only."""
        os.environ[VARIABLE] = OFF
        self.folder, self.usable = None, False
        self._read.clear()

    def _mismatch(self) -> str:
        """The reason why the code does not match this process; empty if it does."""
        try:
            manifest = json.loads((self.folder / MANIFEST).read_text())
        except (OSError, ValueError) as error:
            return f"{MANIFEST} cannot be read ({error})"
        if not isinstance(manifest, dict) or manifest.get("level") != LEVEL:
            return f"{MANIFEST} does not say that it is for {LEVEL}"
        for name, here in versions().items():
            if manifest.get(name) != here:
                return f"it was made by {name} {manifest.get(name)}, this is {name} {here}"
        if (
            numba.config.BOUNDSCHECK
            or numba.config.CPU_NAME not in (None, LEVEL)
            or numba.config.CPU_FEATURES
        ):
            return "Numba is configured for other code"
        if missing := missing_features(llvm.get_host_cpu_features()):
            return f"this processor has no {', '.join(missing)}"
        return ""

    def target(self, codegen: Any) -> str:
        """The target that replaces the processor in the keys of the code."""
        return repr((codegen.magic_tuple()[0], LEVEL, ""))

    def path(self, name: str, key: bytes) -> Path:
        """The file of an entry point."""
        return self.folder / f"{name[:60]}-{key.hex()}{SUFFIX}"

    def has(self, name: str, key: bytes | None) -> bool:
        """Whether there is usable code with this key. Warns once about a damaged file."""
        if key is not None and key not in self._read and (data := self._data(name, key)):
            self._read[key] = data
        return key in self._read

    def load(self, name: str, key: bytes | None) -> bytes | None:
        """The code with this key; None if there is none. Warns once about a damaged file."""
        return None if key is None else self._read.pop(key, None) or self._data(name, key)

    def _data(self, name: str, key: bytes) -> bytes | None:
        if not self.usable or not self.path(name, key).is_file():
            return None
        try:
            sealed = lzma.decompress(self.path(name, key).read_bytes())
        except (OSError, EOFError, lzma.LZMAError) as error:
            _warn(self.folder, f"{name} cannot be read ({error})")
            return None
        if digest(key, sealed[DIGEST_BYTES:]) != sealed[:DIGEST_BYTES]:
            _warn(self.folder, f"{name} is damaged")
            return None
        return sealed[DIGEST_BYTES:]

    def save(self, name: str, key: bytes, data: bytes) -> None:
        """Writes the code with this key. Raises OSError."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.path(name, key).write_bytes(lzma.compress(digest(key, data) + data, preset=9))

    def finish(self, games: Iterable[str]) -> None:
        """Writes the manifest of the code that was saved for `games`. Raises OSError."""
        manifest = {"level": LEVEL, **versions(), "games": list(games)}
        (self.folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n")


def _chosen() -> Path | None:
    chosen = os.environ.get(VARIABLE)
    return None if chosen == OFF else Path(chosen) if chosen else FOLDER


PREBUILT = Prebuilt(_chosen())
