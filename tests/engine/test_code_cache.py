"""Where the machine code of an entry point comes from: the store, then the wheel, then the compiler."""

import pytest
from numba.core.registry import cpu_target
from surajang.engine.kernel import code_cache
from surajang.engine.kernel.compiler import entry_point
from surajang.engine.kernel.prebuilt import Prebuilt
from surajang.engine.kernel.store import Store

pytestmark = pytest.mark.compiled


@entry_point
def doubled(number):
    return number + number


NAME, TYPES = "doubled", (code_cache.types.int64,)


class Recorder(Prebuilt):
    """Prebuilt code that any processor can run; `loaded` has the names of what was loaded."""

    usable = True

    def __init__(self, folder):
        super().__init__(folder)
        self.loaded = []

    def load(self, name, key):
        self.loaded.append(name)
        return super().load(name, key)


@pytest.fixture
def store(tmp_path, monkeypatch):
    """A store with the native code of `doubled`."""
    found = Store(tmp_path / "store")
    monkeypatch.setattr(code_cache, "STORE", found)
    monkeypatch.setattr(code_cache, "PREBUILT", Prebuilt(None))
    doubled.overloads.clear()
    doubled.compile(TYPES)
    return found


@pytest.fixture
def pack(tmp_path, store, monkeypatch):
    """Prebuilt code of `doubled`."""
    found = Recorder(tmp_path / "prebuilt")
    doubled._cache.export(TYPES, found)
    monkeypatch.setattr(code_cache, "PREBUILT", found)
    return found


def forget(store):
    for path in store.folder.iterdir():
        path.unlink()


def loaded():
    """The code that a process finds at its start; None if it has to compile."""
    code_cache._entry_libraries.clear()
    return doubled._cache.load_overload(TYPES, cpu_target.target_context)


def test_native_code_comes_before_prebuilt_code(store, pack):
    assert doubled._cache.has_native(TYPES) and loaded()
    assert pack.loaded == []


def test_prebuilt_code_is_used_where_there_is_no_native_code(store, pack):
    forget(store)
    assert doubled._cache.has(TYPES) and not doubled._cache.has_native(TYPES)
    assert loaded() and NAME in pack.loaded


def test_nothing_is_found_where_neither_has_the_code(store, pack):
    forget(store)
    for path in pack.folder.iterdir():
        path.unlink()
    assert not doubled._cache.has(TYPES) and loaded() is None


def test_entry_point_without_its_library_is_missing(store):
    for path in store.folder.glob(f"{code_cache.CODE}-*"):
        path.unlink()
    assert not doubled._cache.has(TYPES) and loaded() is None


def test_code_that_is_not_stored_cannot_be_packed(store, tmp_path):
    forget(store)
    with pytest.raises(LookupError, match=NAME):
        doubled._cache.export(TYPES, Prebuilt(tmp_path / "prebuilt"))
