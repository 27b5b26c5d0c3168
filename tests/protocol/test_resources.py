"""Missing memory: sizes of the table and numbers of threads that are not available are refused with a
sentence, before a game is loaded and after it, and the engine plays on."""

import re
import resource
import sys

import pytest
from surajang.protocol.session import resources
from surajang.protocol.session.resources import Resources
from surajang.tests.support.gui import READY, Gui, UciGui

pytestmark = pytest.mark.process

ADDRESSES_MB = 2_500  # that a limited process may use: the engine needs some hundred
TOO_MUCH_MB = 4_096
TOO_MANY = 1_024  # threads; each needs some MB


class Greedy:
    """An engine on a machine that gives a table of at most 100 MB and memory for 4 threads."""

    def __init__(self):
        self.hash_mb, self.threads = 1, 1

    def set_hash(self, megabytes):
        if megabytes > 100:
            raise MemoryError(f"no {megabytes}")
        self.hash_mb = megabytes

    def set_threads(self, threads):
        self.threads = min(threads, 4)
        if threads > 4:
            raise MemoryError


@pytest.fixture
def plenty(monkeypatch):
    monkeypatch.setattr(resources, "memory_left", lambda: 1_000)


def test_more_than_the_machine_has_left_is_refused_before_it_is_tried(plenty):
    wanted, engine = Resources(), Greedy()
    for game in (None, engine):
        with pytest.raises(ValueError, match="this machine does not have so much memory"):
            wanted.set_hash(game, 1_001)
    assert wanted.give(engine) == []
    assert engine.hash_mb == 64


def test_memory_of_the_table_that_is_given_back_counts_as_left(monkeypatch):
    left = iter([100, 40, 40, 40])
    monkeypatch.setattr(resources, "memory_left", lambda: next(left))
    wanted, engine = Resources(), Greedy()
    wanted.set_hash(engine, 60)
    wanted.set_hash(engine, 100)
    with pytest.raises(ValueError, match="not have so much memory"):
        wanted.set_hash(engine, 141)
    assert engine.hash_mb == 100


def test_what_the_system_refuses_changes_nothing(plenty):
    wanted, engine = Resources(), Greedy()
    wanted.set_hash(engine, 80)
    wanted.set_threads(engine, 3)
    with pytest.raises(ValueError, match="no 200"):
        wanted.set_hash(engine, 200)
    with pytest.raises(ValueError, match="no memory for 5 threads"):
        wanted.set_threads(engine, 5)
    assert (engine.hash_mb, engine.threads) == (80, 3)
    later = Greedy()
    assert wanted.give(later) == []
    assert (later.hash_mb, later.threads) == (80, 3)


def test_new_engine_gets_defaults_if_resources_are_missing(plenty):
    wanted, engine = Resources(), Greedy()
    wanted.set_hash(None, 200)
    wanted.set_threads(None, 5)
    assert wanted.give(engine) == ["no 200", "there is no memory for 5 threads"]
    assert (engine.hash_mb, engine.threads) == (64, 1)
    assert wanted.give(Greedy()) == []


@pytest.mark.parametrize(
    "files, expected",
    [
        ({"meminfo": "MemTotal: 9 kB\nMemAvailable:  2097152 kB\n", "limit": "max"}, 2_048),
        ({"meminfo": "MemAvailable: 2097152 kB\n", "limit": "1073741824\n"}, 1_024),
        ({"meminfo": "MemAvailable: 2097152 kB\n"}, 2_048),
        ({"meminfo": "nonsense"}, 3_000),
        ({}, 3_000),
    ],
)
def test_memory_left_is_what_is_available_in_the_machine_and_its_container(
    monkeypatch, tmp_path, files, expected
):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(resources, "MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(resources, "CONTAINER", [tmp_path / "limit"])
    pages = {"SC_PAGE_SIZE": 1 << 20, "SC_PHYS_PAGES": 3_000}
    monkeypatch.setattr(resources.os, "sysconf", pages.__getitem__)
    assert resources.memory_left() == expected


def test_system_without_memory_information_sets_no_limit(monkeypatch, tmp_path):
    monkeypatch.setattr(resources, "MEMINFO", tmp_path / "none")
    monkeypatch.setattr(resources, "CONTAINER", [tmp_path / "none"])
    monkeypatch.delattr(resources.os, "sysconf")
    assert resources.memory_left() == float("inf")


# The engine itself, in a process that gets few addresses


def limit_addresses():
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES_MB << 20, ADDRESSES_MB << 20))


@pytest.fixture
def limited():
    """Starts an engine with a GUI of that class."""
    if sys.platform != "linux":
        pytest.skip("only Linux limits addresses")
    guis = []

    def start(gui_class):
        guis.append(gui_class(preexec_fn=limit_addresses))
        guis[0].start()
        return guis[0]

    yield start
    guis[0].close()


@pytest.mark.parametrize("is_loaded", [False, True], ids=["before a game", "in a game"])
@pytest.mark.parametrize(
    "gui_class, load, hungry",
    [
        (UciGui, "setoption name UCI_Variant value chess", f"setoption name Hash value {TOO_MUCH_MB}"),
        (UciGui, "setoption name UCI_Variant value chess", f"setoption name Threads value {TOO_MANY}"),
        (Gui, "new", f"memory {TOO_MUCH_MB}"),
    ],
    ids=["uci-hash", "uci-threads", "xboard-hash"],
)
def test_engine_reports_missing_resources_and_plays(limited, gui_class, load, hungry, is_loaded):
    gui = limited(gui_class)
    if is_loaded:
        gui.ask(load, within=READY)
    (complaint,) = [line for line in gui.ask(hungry, load, within=READY) if "memory" in line.lower()]
    assert complaint.startswith(("info string ", "Error (", "tellusererror "))
    gui.send(*["go depth 3"] if gui_class is UciGui else ["sd 3", "go"])
    assert re.fullmatch("(best)?move [a-h][1-8].*", gui.expect("(best)?move .*")[-1])
