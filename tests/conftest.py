"""Each test module has a marker for what it needs; a module that needs more, or has no marker, fails.

`pure`: only Python. `compiled`: code of a game, in the process of the test. `process`: other processes,
usually engines. `gui`: XBoard, Cute Chess, PyChess or a browser.

With `--quick`, as in `make quick`, only tests run that are `pure` or have the marker `quick`, and do not have
the marker `slow`."""

import gc
import multiprocessing.process
import os
import re
import subprocess
import tempfile
from pathlib import Path

import pytest
from numba.core.dispatcher import Dispatcher
from surajang import Engine, Position
from surajang.engine.definition import catalogue
from surajang.engine.kernel import compiler
from surajang.tests.support.browsing import chromium, serve, visit  # noqa: F401 - fixtures
from surajang.tests.support.interpreting import (  # noqa: F401 - fixtures
    interpreted,
    interpreted_positions,
    seldom_compiled,
)
from surajang.tests.support.interpreting_search import interpreted_search  # noqa: F401 - a fixture

os.environ.setdefault("SURAJANG_COMPILERS", "1")  # the tests run in parallel instead
compiler.MOST_GARBAGE *= 4  # collecting it looks at all tests as well
os.environ["SURAJANG_DATA_DIR"] = os.path.join(tempfile.gettempdir(), "no-networks-of-surajang-s-user")
TESTS = Path(__file__).resolve().parent
NEEDS = ("pure", "compiled", "process", "gui")
COMPILED_CODE = [(Dispatcher, "compile"), (Engine, "__init__"), (Position, "__init__")]
PROCESSES = [(subprocess.Popen, "__init__"), (multiprocessing.process.BaseProcess, "start")]
DOORS = {  # what a test of a module must not use without the marker
    "pure": {"compiled": COMPILED_CODE, "process": PROCESSES},
    "compiled": {"process": PROCESSES},
}


def pytest_addoption(parser):
    parser.addoption("--quick", action="store_true", help="the tests for after every edit")


def pytest_configure(config):
    """Lets each worker begin to collect tests at another folder: in a new checkout, it later finds the
    bytecode that the others wrote. `pytest_collection_modifyitems` gives all of them the same order again."""
    worker = getattr(config, "workerinput", None)
    if worker and [Path(argument).resolve() for argument in config.args] == [TESTS]:
        folders = sorted({str(path.parent) for path in TESTS.glob("*/test_*.py")})
        first = int(worker["workerid"].removeprefix("gw")) * len(folders) // worker["workercount"]
        config.args = folders[first:] + folders[:first]


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Turns Python's garbage collector off while tests are collected: it would visit all of them again and
    again, for a third of the time. Later, it visits none of them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_ignore_collect(collection_path, config):
    """Skips the import of modules without quick tests in the quick lane."""
    if config.getoption("quick") and collection_path.name.startswith("test_"):
        text = collection_path.read_text(encoding="utf-8")
        is_slow = re.search(r"^pytestmark = .*\bmark\.slow\b", text, re.MULTILINE)
        return bool(is_slow) or not re.search(r"\bmark\.(pure|quick)\b", text) or None
    return None


def is_quick(item):
    """Whether a test is in the quick lane."""
    markers = {mark.name for mark in item.iter_markers()}
    return bool(markers & {"pure", "quick"}) and "slow" not in markers


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """Two workers more than cores, because many tests wait for a clock or a window. Those of the quick lane
    do not, and every worker collects all tests."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores if config.getoption("quick") else cores + 2


def pytest_collection_modifyitems(config, items):
    """Deselects tests that are not in the quick lane, and sorts the modules. `make` turns off the order of
    pytest-xdist, by the number of tests."""
    if config.getoption("quick"):
        chosen = [item for item in items if is_quick(item)]
        config.hook.pytest_deselected(items=list(set(items).difference(chosen)))
        items[:] = chosen
    modules = sorted({item.module for item in items}, key=lambda module: module.__file__)
    turns = {module: turn for turn, module in enumerate(_in_order(modules))}
    items.sort(key=lambda item: turns[item.module])


def _in_order(modules):
    """Slow modules come first, so that no worker is alone with one at the end; then those with other needs in
    turns, so that some wait while others compile; then pure ones, which are short."""
    slow = [module for module in modules if "slow" in _marks_of(module)]
    groups = {need: [] for need in reversed(NEEDS)}
    for module in modules:
        if module not in slow:
            groups[needs_of(module)[0]].append(module)
    pure = groups.pop("pure")
    places = {module: place / len(group) for group in groups.values() for place, module in enumerate(group)}
    slow.sort(key=lambda module: -NEEDS.index(needs_of(module)[0]))
    return [*slow, *sorted(places, key=places.__getitem__), *pure]


def _marks_of(module):
    marks = getattr(module, "pytestmark", [])
    return [mark.name for mark in (marks if isinstance(marks, list) else [marks])]


def needs_of(module):
    """The markers of a module's needs."""
    return [name for name in _marks_of(module) if name in NEEDS]


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Refuses a module without a marker for its needs."""
    report = yield
    if isinstance(collector, pytest.Module) and report.passed and len(needs_of(collector.obj)) != 1:
        report.outcome, report.result = "failed", []
        report.longrepr = f"{collector.path}: needs a pytestmark, one of {', '.join(NEEDS)}"
    return report


def _closed(marker):
    def refuse(*arguments, **options):
        pytest.fail(f"the module of this test needs the marker {marker}")

    return refuse


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Fails a test that needs more than its module's marker."""
    (need,) = needs_of(item.module)
    with pytest.MonkeyPatch.context() as doors:
        for marker, places in DOORS.get(need, {}).items():
            for owner, name in places:
                doors.setattr(owner, name, _closed(marker))
        return (yield)


@pytest.fixture(autouse=True)
def _same_games():
    """Forgets the games that a command registered: the file in `--variant-file`, and the folder of the user's
    game that a match adds to a variable."""
    before = {name: os.environ.get(name) for name in ("SURAJANG_VARIANT_FILE", "SURAJANG_VARIANT_PATH")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalogue, "_registered", dict(catalogue._registered))
        yield
    os.environ.update({name: value for name, value in before.items() if value is not None})
    for name in [name for name, value in before.items() if value is None]:
        os.environ.pop(name, None)
