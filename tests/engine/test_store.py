"""The folder of compiled code: pieces are read back whole or not at all, and no lock stops others for
long."""

import builtins
import os
import shutil
import threading
import time
import warnings
from pathlib import Path

import filelock
import pytest
from surajang.engine.kernel import store
from surajang.engine.kernel.store import Store, one_at_a_time, toolchain

pytestmark = pytest.mark.pure

KEY, OTHER = b"k" * 16, b"o" * 16
DATA = bytes(range(256)) * 20


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """A store with one piece, in use by this process."""
    chosen = Store(tmp_path / "compiled")
    chosen.save("piece", KEY, DATA)
    monkeypatch.setattr(store, "STORE", chosen)
    return chosen


def files(kept):
    return sorted(path.name for path in kept.folder.iterdir())


def test_what_was_saved_is_loaded_by_its_name_and_key(kept):
    assert kept.has("piece", KEY)
    assert kept.load("piece", KEY) == DATA
    assert Store(kept.base).load("piece", KEY) == DATA
    for name, key in (("piece", OTHER), ("other", KEY)):
        assert not kept.has(name, key)
        assert kept.load(name, key) is None


def test_last_piece_of_a_key_is_the_one_that_counts(kept):
    kept.save("piece", KEY, b"more")
    assert kept.load("piece", KEY) == b"more"
    assert len(files(kept)) == 1


DAMAGES = {
    "empty": lambda sealed: b"",
    "digest alone": lambda sealed: sealed[: store.DIGEST_BYTES],
    "torn": lambda sealed: sealed[: len(sealed) // 2],
    "zeros": lambda sealed: bytes(len(sealed)),
    "zeros at the end": lambda sealed: sealed[:-9] + bytes(9),
    "one bit of the data": lambda sealed: sealed[:-100] + bytes([sealed[-100] ^ 8]) + sealed[-99:],
    "one bit of the digest": lambda sealed: bytes([sealed[0] ^ 1]) + sealed[1:],
    "more at the end": lambda sealed: sealed + b"\0",
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_piece_is_not_loaded_and_can_be_replaced(kept, damage):
    path = kept.path("piece", KEY)
    path.write_bytes(damage(path.read_bytes()))
    assert kept.load("piece", KEY) is None
    kept.save("piece", KEY, DATA)
    assert kept.load("piece", KEY) == DATA


def test_piece_of_another_key_in_a_piece_s_place_is_not_loaded(kept):
    kept.save("piece", OTHER, b"other")
    shutil.copy(kept.path("piece", OTHER), kept.path("piece", KEY))
    assert kept.load("piece", KEY) is None


# Writing that fails


def full_after(count):
    """`open`, for a disk with room for that many bytes."""

    def opened(path, mode="r", *rest, real=builtins.open, **options):
        file = real(path, mode, *rest, **options)
        if "x" in mode:
            write = file.write

            class Full:
                __enter__, __exit__ = lambda self: self, lambda self, *error: file.close()

                def write(self, data):
                    write(data[:count])
                    raise OSError(28, "No space left on device")

            return Full()
        return file

    return opened


@pytest.mark.parametrize("count", [0, 100, len(DATA)])
def test_full_disk_leaves_what_was_there_and_nothing_half_written(kept, monkeypatch, count):
    monkeypatch.setattr(builtins, "open", full_after(count))
    before = files(kept)
    with pytest.warns(RuntimeWarning, match="No space left"):
        kept.save("piece", KEY, b"n" * 5000)
    monkeypatch.undo()
    assert files(kept) == before
    assert kept.load("piece", KEY) == DATA


def test_interrupt_while_writing_leaves_nothing_half_written(kept, monkeypatch):
    def interrupted(*paths):
        raise KeyboardInterrupt

    before = files(kept)
    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        kept.save("piece", OTHER, DATA)
    assert files(kept) == before


def test_folder_that_was_removed_meanwhile_is_reported_once_and_stops_nothing(kept):
    shutil.rmtree(kept.folder)
    with pytest.warns(RuntimeWarning) as told:
        kept.save("piece", KEY, DATA)
        kept.save("piece", OTHER, DATA)
    assert len(told) == 1
    assert kept.load("piece", KEY) is None


def test_folder_below_a_plain_file_is_reported_once_and_stops_nothing(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    broken = Store(tmp_path / "file" / "compiled")
    monkeypatch.setattr(store, "STORE", broken)
    with pytest.warns(RuntimeWarning) as told:
        assert broken.folder is None
        broken.save("piece", KEY, DATA)
        assert broken.load("piece", KEY) is None
        assert not broken.has("piece", KEY)
        with one_at_a_time(KEY):
            pass
    assert len(told) == 1


# What nobody uses


def age(path, days):
    then = time.time() - days * 24 * 3600
    os.utime(path, (then, then))


def days_since(path):
    return (time.time() - path.stat().st_mtime) / (24 * 3600)


def test_pieces_that_nobody_used_for_a_month_are_removed_when_one_is_saved(kept):
    for name, days in (("forgotten", 31), ("recent", 29)):
        kept.save(name, KEY, DATA)
        age(kept.path(name, KEY), days)
    next_process = Store(kept.base)
    next_process.save("new", KEY, DATA)
    assert [next_process.has(name, KEY) for name in ("forgotten", "recent", "piece", "new")] == [
        *(False, True, True, True),
    ]


def test_other_toolchains_that_nobody_used_for_a_month_are_removed(kept):
    for name, days in (("forgotten", 31), ("recent", 29)):
        folder = kept.base / name
        folder.mkdir()
        (folder / "piece.code").write_bytes(DATA)
        age(folder, days)
    age(kept.folder, 40)
    Store(kept.base).save("new", KEY, DATA)
    assert {path.name for path in kept.base.iterdir()} == {"recent", kept.folder.name}
    assert (kept.base / "recent" / "piece.code").read_bytes() == DATA
    assert kept.load("piece", KEY) == DATA


def test_use_keeps_a_piece_and_its_toolchain(kept):
    """A process that finds everything saves nothing, but the pieces that it loads are in use."""
    age(kept.path("piece", KEY), 29)
    age(kept.folder, 29)
    assert Store(kept.base).load("piece", KEY) == DATA
    assert days_since(kept.path("piece", KEY)) < 1
    assert days_since(kept.folder) < 1


def test_use_is_noted_once_a_day_at_most(kept):
    age(kept.path("piece", KEY), 0.5)
    kept.load("piece", KEY)
    assert days_since(kept.path("piece", KEY)) == pytest.approx(0.5, abs=0.01)


def test_old_piece_in_a_folder_of_somebody_else_is_loaded(kept, monkeypatch):
    """The time of its use cannot be updated."""

    def refuse(*_):
        raise PermissionError

    age(kept.path("piece", KEY), 20)
    monkeypatch.setattr(os, "utime", refuse)
    assert kept.load("piece", KEY) == DATA


# Toolchains


@pytest.mark.parametrize(
    "attribute, value",
    [
        ("numba.__version__", "0.0.1"),
        ("numpy.__version__", "0.0.1"),
        ("llvmlite.__version__", "0.0.1"),
        ("numba.config.BOUNDSCHECK", 1),
        ("numba.config.OPT", 0),
        ("platform.machine", lambda: "z80"),
        ("platform.python_version_tuple", lambda: ("3", "99", "0")),
        (f"{store.__name__}.module_fingerprint", lambda name: b"edited" + name.encode()),
    ],
)
def test_each_toolchain_has_a_folder_of_its_own(kept, monkeypatch, attribute, value):
    before = toolchain()
    monkeypatch.setattr(attribute, value)
    assert toolchain() != before
    other = Store(kept.base)
    assert other.load("piece", KEY) is None
    assert other.folder != kept.folder


def test_kernel_that_makes_code_is_part_of_the_toolchain():
    modules = {path.stem for path in Path(store.__file__).parent.glob("*.py")}
    others = {"__init__", "fingerprint", "store", "parallel_compile", "compile_progress", "prebuilt"}
    others |= {"interpreter", "interruptible"}
    assert modules - others == set(store.KERNEL)


# The lock


class Holder:
    """A thread that holds the lock of KEY until it is released."""

    def __init__(self, kept):
        self._path = kept.folder / f"compiling-{KEY.hex()}.lock"
        self._has, self._go = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._hold, daemon=True)
        self._thread.start()
        assert self._has.wait(20)

    def _hold(self):
        with filelock.FileLock(self._path):
            self._has.set()
            self._go.wait(20)

    def give_sign(self):
        self._path.with_suffix(".alive").touch()

    def leave(self):
        self._go.set()
        self._thread.join(20)


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(store, "SIGN_SECONDS", 0.02)
    monkeypatch.setattr(store, "LOCK_PATIENCE", 0.4)


def entering():
    """A thread that enters `one_at_a_time` and leaves it at once; `entered` is set when it has."""

    def enter():
        with one_at_a_time(KEY):
            thread.entered.set()

    thread = threading.Thread(target=enter, daemon=True)
    thread.entered = threading.Event()
    thread.start()
    return thread


def test_second_waits_for_the_first_however_long_that_takes(kept, quick):
    with one_at_a_time(KEY):
        second = entering()
        assert not second.entered.wait(3 * store.LOCK_PATIENCE)
    assert second.entered.wait(20)


def test_who_compiles_something_else_does_not_wait(kept, quick):
    with one_at_a_time(OTHER):
        assert entering().entered.wait(20)


def test_holder_without_signs_of_life_halts_others_for_a_while_only(kept, quick):
    holder = Holder(kept)
    waiting = entering()
    assert not waiting.entered.wait(store.LOCK_PATIENCE / 2)
    assert waiting.entered.wait(20)
    holder.leave()


def test_old_signs_of_another_holder_do_not_count_against_a_new_one(kept, quick):
    """The new holder may not have given its first sign yet."""
    holder = Holder(kept)
    holder.give_sign()
    age(kept.folder / f"compiling-{KEY.hex()}.alive", 1)
    waiting = entering()
    assert not waiting.entered.wait(store.LOCK_PATIENCE / 2)
    holder.leave()
    assert waiting.entered.wait(20)


def test_lock_is_free_after_an_error(kept, monkeypatch):
    monkeypatch.setattr(store, "LOCK_PATIENCE", 1000)
    with pytest.raises(ZeroDivisionError), one_at_a_time(KEY):
        raise ZeroDivisionError
    assert entering().entered.wait(20)


@pytest.mark.parametrize("error", [OSError(38, "Function not implemented"), NotImplementedError()], ids=repr)
def test_file_system_without_locks_stops_nothing(kept, monkeypatch, error):
    def refuse(*_, **options):
        raise error

    monkeypatch.setattr(filelock.FileLock, "acquire", refuse)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with one_at_a_time(KEY):
            kept.save("other", OTHER, DATA)
    assert kept.load("other", OTHER) == DATA
