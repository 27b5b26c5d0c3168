"""Modules that declare something for plain Python and have compiled functions beside it."""

import builtins
import subprocess
import sys
import threading

import pytest

pytestmark = pytest.mark.process

MODULE = """
from surajang.engine.kernel.deferred import deferred_imports
from surajang.engine.kernel.deferred_decorators import inner
from surajang.engine.kernel.compiler import entry_point

with deferred_imports():
    import numpy as np
    from surajang.engine.kernel.bitboard import lsb
    import nowhere_at_all as nothing

WEIGHT = 3

@inner
def tripled(number):
    return np.int64(number) * WEIGHT

@entry_point
def tripled_twice(number):
    return tripled(tripled(number))
"""


def python(code, folder):
    """The output of a Python that finds modules in `folder`."""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


@pytest.mark.quick
def test_mechanics_are_read_without_the_compiler(tmp_path):
    code = (
        "import sys, pkgutil, importlib, surajang.engine.mechanics as room\n"
        "for module in pkgutil.iter_modules(room.__path__):\n"
        "    importlib.import_module(f'{room.__name__}.{module.name}')\n"
        "print({'numba', 'llvmlite', 'numpy'} & set(sys.modules))"
    )
    assert python(code, tmp_path) == "set()"


def test_deferred_function_is_compiled_where_it_is_called(tmp_path):
    (tmp_path / "far.py").write_text(MODULE)
    assert python("from far import tripled_twice; print(tripled_twice(7))", tmp_path) == "63"


def test_change_of_a_deferred_function_is_never_missed(tmp_path):
    show = (
        "from far import tripled_twice; from surajang.engine.kernel.fingerprint import fingerprint\n"
        "print(fingerprint(tripled_twice.py_func).hex())"
    )
    texts = MODULE, MODULE, MODULE.replace("WEIGHT = 3", "WEIGHT = 4"), MODULE.replace("* WEIGHT", "+ WEIGHT")
    digests = []
    for number, text in enumerate(texts):
        folder = tmp_path / str(number)  # bytecode of a file of the same size and second is used again
        folder.mkdir()
        (folder / "far.py").write_text(text)
        digests.append(python(show, folder))
    assert digests[0] == digests[1]
    assert len(set(digests)) == 3


@pytest.mark.quick
def test_only_imports_inside_the_block_are_deferred(tmp_path):
    (tmp_path / "far.py").write_text(MODULE + "\nimport colorsys\nfrom colorsys import hsv_to_rgb\n")
    code = (
        "import far; from surajang.engine.kernel.deferred import Deferred as D\n"
        "print(type(far.np) is D, type(far.lsb) is D, type(far.colorsys), type(far.hsv_to_rgb))"
    )
    assert python(code, tmp_path) == "True True <class 'module'> <class 'function'>"


@pytest.mark.quick
def test_missing_module_is_named_when_it_is_used(tmp_path):
    (tmp_path / "far.py").write_text(MODULE)
    code = "import far\ntry: far.nothing.name\nexcept ImportError as error: print(error)"
    assert python(code, tmp_path) == "No module named 'nowhere_at_all'"


@pytest.mark.quick
def test_imports_of_other_threads_are_not_deferred():
    from surajang.engine.kernel.deferred import Deferred, deferred_imports

    found = []

    def import_elsewhere():
        scope = {"__name__": "elsewhere", "__package__": ""}
        exec("import colorsys as module", scope)
        found.append(scope["module"])

    with deferred_imports():
        thread = threading.Thread(target=import_elsewhere)
        thread.start()
        thread.join()
        import colorsys as here
    assert type(here) is Deferred and type(found[0]) is type(sys)


@pytest.mark.quick
def test_block_that_begins_within_another_thread_s_restores_imports():
    from surajang.engine.kernel import deferred

    real, begun = builtins.__import__, threading.Event()

    def defer():
        manager = deferred.deferred_imports()
        begun.set()
        with manager:
            pass

    thread = threading.Thread(target=defer)
    with deferred.deferred_imports():
        thread.start()
        begun.wait()
        thread.join(0.1)  # it waits for this block
        assert thread.is_alive()
    thread.join()
    assert builtins.__import__ is real
