"""The conditions of measured figures: the machine, the versions, and the sources of this program."""

import hashlib
import os
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from ... import __version__

PACKAGE = Path(__file__).parent.parent.parent
PLAYING = ("engine", "eval", "search")  # the packages that affect its play
ALL = (*PLAYING, "protocol", "bench")
SOURCES = (".py", ".toml", ".network")  # code, games with their tuned numbers, networks


def facts(runs: int) -> dict[str, Any]:
    """The conditions of the figures: the machine, the versions, the time, and the number of runs."""
    import numba
    import numpy as np

    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "surajang": __version__,
        "sources": sources(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "runs": runs,
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


@cache
def sources(floors: tuple[str, ...] = PLAYING) -> str:
    """The fingerprint of the sources of these packages, computed once per process: the first 12 hexadecimal
    digits of a SHA-256. Another fingerprint means another program."""
    digest = hashlib.sha256()
    for floor in floors:
        for path in sorted((PACKAGE / floor).rglob("*")):
            if path.suffix in SOURCES:
                name = path.relative_to(PACKAGE).as_posix()
                digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def machine_line(facts: Mapping[str, Any]) -> str:
    """One line on the machine and the versions."""
    return (
        f"{facts['processor']}, {facts['cores']} cores, Python {facts['python']}, Numba {facts['numba']}, "
        f"NumPy {facts['numpy']}, Surajang {facts['surajang']} (sources {facts['sources']})"
    )
