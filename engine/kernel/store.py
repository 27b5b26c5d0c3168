"""The store of compiled code on disk: a file for each piece, named by a digest of everything that it depends
on.

Stale code is never loaded, because changed code has another name. If the folder is missing, read-only, full
or damaged, everything still runs: pieces that cannot be loaded are compiled, and pieces that cannot be stored
are compiled again in each process. Files are replaced atomically and checked when they are read, so processes
share the folder without further locks."""

import os
import platform
import shutil
import threading
import time
import uuid
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import llvmlite
import numba
import numpy
import platformdirs

from .fingerprint import DIGEST_BYTES, digest, module_fingerprint

if TYPE_CHECKING:
    from filelock import BaseFileLock

KEEP_SECONDS = 30 * 24 * 3600
TOUCH_SECONDS = 24 * 3600  # minimum interval between updates of a file's time of use
KERNEL = (  # these modules make code; `prebuilt` only stores it
    *("bitboard", "code_cache", "compiler", "facts", "code_library", "lowering", "pipeline"),
    *("shortcuts", "deferred", "deferred_decorators", "entry_points_together"),
)
SUFFIX = ".code"
SIGN_SECONDS = 0.5  # between signs of life of a process that compiles
LOCK_PATIENCE = 5.0  # seconds without one


@cache
def _warn(folder: Path, reason: str | None) -> None:
    """Warns once, with the reason, that each process will compile, which is slow."""
    warnings.warn(f"compiled code cannot be kept in {folder}: {reason}", RuntimeWarning, stacklevel=2)


def toolchain() -> bytes:
    """The digest of the tools that compile functions: Python, Numba, LLVM, NumPy and this kernel."""
    config = numba.config
    return digest(
        platform.python_implementation(),
        ".".join(platform.python_version_tuple()[:2]),
        *(module.__version__ for module in (numba, llvmlite, numpy)),
        f"{platform.system()} {platform.machine()} {config.BOUNDSCHECK} {int(config.OPT)}",
        *(module_fingerprint(f"{__package__}.{name}") for name in KERNEL),
    )


class Store:
    """The pieces of one toolchain, in a folder below `base`."""

    def __init__(self, base: str | Path) -> None:
        self.base = Path(base)
        self._tidied = False

    @cached_property
    def folder(self) -> Path | None:
        """The folder of this toolchain's pieces; None if there can be no such folder."""
        folder = self.base / toolchain().hex()[:20]
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            _warn(folder, error.strerror)
            return None
        return folder

    def path(self, name: str, key: bytes) -> Path:
        """The file of a piece: `name` is for people, `key` is the digest."""
        return self.folder / f"{name[:60]}-{key.hex()}{SUFFIX}"

    def has(self, name: str, key: bytes) -> bool:
        """Whether there is a file with this key."""
        return self.folder is not None and self.path(name, key).exists()

    def load(self, name: str, key: bytes) -> bytes | None:
        """The data with this key; None if there are none, or if they are damaged."""
        if self.folder is None:
            return None
        path = self.path(name, key)
        with suppress(OSError):
            sealed = path.read_bytes()
            data = sealed[DIGEST_BYTES:]
            if digest(key, data) == sealed[:DIGEST_BYTES]:
                self._note_use(path)
                return data
        return None

    def save(self, name: str, key: bytes, data: bytes) -> None:
        """Stores `data`, if possible."""
        if self.folder is None:
            return
        try:
            _replace(self.path(name, key), digest(key, data) + data)
        except OSError as error:
            _warn(self.folder, error.strerror)
            return
        if not self._tidied:
            self._tidied = True
            self._forget_old()

    def _note_use(self, path: Path) -> None:
        with suppress(OSError):
            if path.stat().st_mtime < time.time() - TOUCH_SECONDS:
                os.utime(path)
                os.utime(self.folder)

    def _forget_old(self) -> None:
        """Removes pieces that no process has used for a month, of this toolchain and of others."""
        limit = time.time() - KEEP_SECONDS
        with suppress(OSError):
            for other in self.base.iterdir():
                if other != self.folder and other.stat().st_mtime < limit:
                    shutil.rmtree(other, ignore_errors=True)
        with suppress(OSError), os.scandir(self.folder) as entries:
            for entry in entries:
                with suppress(OSError):
                    if entry.stat().st_mtime < limit:
                        os.unlink(entry.path)


def _replace(path: Path, data: bytes) -> None:
    """Replaces a file with `data`, or keeps the old one. Raises OSError."""
    temporary = path.with_name(f".tmp-{uuid.uuid4().hex}")
    try:
        with open(temporary, "xb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


@contextmanager
def one_at_a_time(key: bytes) -> Iterator[None]:
    """Lets one process at a time do the work of `key`; the next ones find it done. If no lock is available,
    or its holder has given no sign of life for LOCK_PATIENCE seconds, the work starts anyway: processes that
    compile the same lose only time."""
    lock = STORE.folder and _waited_for(STORE.folder / f"compiling-{key.hex()}.lock")
    if not lock:
        yield
        return
    ended = threading.Event()
    threading.Thread(target=_give_signs, args=(_signs(lock.lock_file), ended), daemon=True).start()
    try:
        yield
    finally:
        ended.set()
        lock.release()


def _waited_for(path: Path) -> "BaseFileLock | None":
    """The lock, after its holders have released it; None if none is available, or if a holder seems dead."""
    import filelock  # imported late: code from the store needs no lock

    lock, waiting_since = filelock.FileLock(path), time.time()
    while True:
        try:
            lock.acquire(timeout=SIGN_SECONDS)
            return lock
        except filelock.Timeout:
            silent_since = waiting_since
            with suppress(OSError):
                silent_since = max(silent_since, _signs(path).stat().st_mtime)
            if time.time() - silent_since >= LOCK_PATIENCE:
                return None
        except (OSError, NotImplementedError):  # some file systems have no locks
            return None


def _signs(path: str | Path) -> Path:
    """The file whose time shows that the holder of the lock at `path` is alive. The lock's own file is not
    suitable, because a waiting process may touch it."""
    return Path(path).with_suffix(".alive")


def _give_signs(signs: Path, ended: threading.Event) -> None:
    while True:
        with suppress(OSError):
            signs.touch()
        if ended.wait(SIGN_SECONDS):
            return


def _base() -> Path:
    chosen = os.environ.get("SURAJANG_CACHE_DIR")
    return (Path(chosen) if chosen else Path(platformdirs.user_cache_dir("surajang"))) / "compiled"


STORE = Store(_base())
