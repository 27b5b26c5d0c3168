"""Code that comes with a wheel: used if everything matches, otherwise not, with one warning."""

import json
import shutil
import warnings

import llvmlite.binding
import pytest
from surajang.bench.speed.start_command import SEEDS
from surajang.engine.definition.catalogue import SHIPPED
from surajang.engine.game.description import VariantError
from surajang.engine.kernel import prebuilt
from surajang.engine.kernel.prebuilt import FEATURES, LEVEL, MANIFEST, Prebuilt, missing_features
from surajang.search.prebuild import ORDER, games_of

pytestmark = pytest.mark.pure

KEY, OTHER = b"k" * 16, b"o" * 16
DATA = bytes(range(256)) * 20
ALL_FEATURES = dict.fromkeys(FEATURES, True)
# x86-64-v3 in the ABI for AMD64, by LLVM's names; `crc32` is a part of SSE 4.2, `xsave` is needed by AVX.
ABI = {"cx16", "sahf", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3", "crc32"}
ABI |= {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"}


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """A folder with prebuilt code of one entry point."""
    made = Prebuilt(tmp_path_factory.mktemp("packed") / "prebuilt")
    made.save("entry", KEY, DATA)
    made.finish(["chess"])
    return made.folder


@pytest.fixture
def pack(packed, tmp_path, monkeypatch):
    """That code in a folder of its own, on a processor that can run it."""
    monkeypatch.setattr(llvmlite.binding, "get_host_cpu_features", lambda: ALL_FEATURES)
    prebuilt._warn.cache_clear()
    return Prebuilt(shutil.copytree(packed, tmp_path / "prebuilt"))


def test_code_is_loaded_by_its_name_and_key(pack):
    assert pack.has("entry", KEY) and pack.load("entry", KEY) == DATA
    assert pack.load("entry", OTHER) is None and pack.load("other", KEY) is None


def test_folder_without_a_manifest_has_no_code_and_no_warning(tmp_path):
    for folder in (None, tmp_path, tmp_path / "none"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert Prebuilt(folder).load("entry", KEY) is None


VERSIONS = ("Python", "Numba", "llvmlite", "system", "compiler", "level")


@pytest.mark.parametrize("name", VERSIONS)
def test_code_of_another_version_is_not_used_and_the_version_is_named_once(pack, name):
    path = pack.folder / MANIFEST
    path.write_text(json.dumps(json.loads(path.read_text()) | {name: "0.1"}))
    with pytest.warns(RuntimeWarning, match=LEVEL if name == "level" else f"{name} 0.1") as told:
        assert pack.load("entry", KEY) is None
        assert Prebuilt(pack.folder).load("entry", KEY) is None
    assert len(told) == 1


@pytest.mark.parametrize("lacking", FEATURES)
def test_processor_that_lacks_a_feature_of_the_level_runs_no_prebuilt_code(pack, monkeypatch, lacking):
    features = ALL_FEATURES | {lacking: False}
    monkeypatch.setattr(llvmlite.binding, "get_host_cpu_features", lambda: features)
    with pytest.warns(RuntimeWarning, match=f"this processor has no {lacking}"):
        assert not pack.has("entry", KEY)


def test_level_has_all_features_of_its_definition():
    assert LEVEL == "x86-64-v3" and set(FEATURES) == ABI


def test_features_that_the_processor_does_not_name_are_missing():
    assert missing_features({}) == list(FEATURES)
    assert missing_features(ALL_FEATURES) == []


@pytest.mark.parametrize(
    "setting, value", [("BOUNDSCHECK", 1), ("CPU_NAME", "generic"), ("CPU_FEATURES", "+sse2")]
)
def test_code_is_not_used_where_numba_is_configured_for_other_code(pack, monkeypatch, setting, value):
    monkeypatch.setattr(prebuilt.numba.config, setting, value)
    with pytest.warns(RuntimeWarning, match="configured for other code"):
        assert not pack.has("entry", KEY)


DAMAGES = {
    "empty": lambda sealed: b"",
    "torn": lambda sealed: sealed[: len(sealed) // 2],
    "zeros": lambda sealed: bytes(len(sealed)),
    "one bit": lambda sealed: sealed[:-40] + bytes([sealed[-40] ^ 8]) + sealed[-39:],
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_file_is_not_used(pack, damage):
    path = pack.path("entry", KEY)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.warns(RuntimeWarning, match="entry") as told:
        assert not pack.has("entry", KEY)
        assert pack.load("entry", KEY) is None
    assert len(told) == 1


def test_code_that_was_found_is_read_from_the_disk_once(pack):
    assert pack.has("entry", KEY) and pack.has("entry", KEY)
    pack.path("entry", KEY).unlink()
    assert pack.load("entry", KEY) == DATA and not pack.has("entry", KEY)


def test_native_code_only_after_it_is_turned_off(pack, monkeypatch):
    monkeypatch.setenv(prebuilt.VARIABLE, "")
    assert pack.has("entry", KEY)
    pack.turn_off()
    assert not pack.has("entry", KEY) and pack.load("entry", KEY) is None
    assert prebuilt.os.environ[prebuilt.VARIABLE] == prebuilt.OFF


def test_code_of_another_key_in_a_file_s_place_is_not_used(pack):
    pack.save("entry", OTHER, b"other")
    pack.path("entry", OTHER).replace(pack.path("entry", KEY))
    with pytest.warns(RuntimeWarning, match="damaged"):
        assert pack.load("entry", KEY) is None


@pytest.mark.parametrize("text", ["", "[]", "{}", "not json"])
def test_damaged_manifest_is_not_believed(pack, text):
    (pack.folder / MANIFEST).write_text(text)
    with pytest.warns(RuntimeWarning, match=MANIFEST):
        assert not pack.has("entry", KEY)


def test_variable_turns_prebuilt_code_off_or_names_another_folder(tmp_path, monkeypatch):
    assert prebuilt._chosen() == prebuilt.FOLDER
    monkeypatch.setenv(prebuilt.VARIABLE, "off")
    assert prebuilt._chosen() is None
    monkeypatch.setenv(prebuilt.VARIABLE, str(tmp_path))
    assert prebuilt._chosen() == tmp_path


def test_list_for_the_wheel_has_every_shipped_game_once_and_the_seeds_first():
    listed = ORDER.read_text().split()
    shipped = {path.stem for folder in SHIPPED for path in folder.glob("*.toml")}
    assert set(listed) == shipped and len(listed) == len(shipped)
    assert set(listed[: len(SEEDS)]) == set(SEEDS)


def test_games_of_the_wheel_are_those_of_the_list_or_those_that_are_named():
    assert games_of("all") == ORDER.read_text().split()
    for text in ("chess,shogi", "chess shogi", "chess, shogi"):
        assert games_of(text) == ["chess", "shogi"]
    with pytest.raises(VariantError, match="chezz"):
        games_of("chezz")
