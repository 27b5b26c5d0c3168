"""The digest of a compiled function: it includes all code that the function reaches, and nothing without an
effect on its code. The modules are small, and only one of their functions is compiled."""

import importlib
import itertools
import os
import subprocess
import sys

import numba
import numpy as np
import pytest
from surajang.engine.kernel import code_cache, store
from surajang.engine.kernel import fingerprint as fingerprints
from surajang.engine.kernel.compiler import entry_point, inner
from surajang.engine.kernel.fingerprint import UnknownIngredientError, fingerprint
from surajang.engine.rules import rules_for

pytestmark = pytest.mark.process

SOURCES = {
    "ingredient_main": '''"""A module."""
import numba
import numpy as np
from numba import types
import ingredient_taught
from ingredient_near import CHOICE, FACTS, Point, chain, deferred, fold, stub, twice, word

SIZE = 3
SHAPE = 1, 2
TABLE = np.arange(5)
KIND = types.int64

class Thing:
    """A class."""

    size = 1

def factory(step):
    @numba.njit
    def made(x):
        return x + step
    return made

steps = factory(7)

@numba.njit
def f(x, more=4):
    "What f returns."
    if x in {"a", "b"}:
        return 0
    near = twice(x) * SIZE + SHAPE[1] + TABLE[x] + more + steps(x)
    near = chain(FACTS, deferred(near))
    near += CHOICE.fast
    return near + word() + stub(FACTS) + KIND(x) + fold(FACTS, x)

@numba.njit
def itself(x):
    return itself(x - 1) + 1 if x else 0

@numba.njit
def even(x):
    return odd(x - 1) if x else True

@numba.njit
def odd(x):
    return even(x - 1) if x else False
''',
    "ingredient_near": """
import numba
from surajang.engine.kernel.deferred import deferred_imports
from surajang.engine.kernel.deferred_decorators import inner
from surajang.engine.kernel.facts import Choices, Facts, chained, over_rules, unrolled
from ingredient_far import thrice
from ingredient_taught import Point, stub, word

FACTS = Facts("facts", here=1, items=())
CHOICE = Choices(FACTS, fast=True)

@unrolled("items")
def fold(item, value):
    return value + item.one

@over_rules("firsts")
def first(item, value, rules):
    return value + item.first

@over_rules("seconds")
def second(item, value, rules):
    return value + item.second

chain = chained(first, second)

with deferred_imports():
    import numpy as later

@inner
def deferred(x):
    return later.int64(x) - 1

@numba.njit
def twice(x):
    return thrice(x) * 2

@numba.njit
def beside(x):
    return x
""",
    "ingredient_far": """
import numba

FACTOR = 3

@numba.njit
def thrice(x):
    return x * FACTOR
""",
    "ingredient_taught": '''"""Code that runs while other code is compiled."""
from numba import types
from numba.extending import intrinsic, overload

class Point:
    """A class."""

    number = 11

def helper(builder):
    """What helps."""
    return 12

@intrinsic
def word(typingctx):
    return types.int64(), lambda context, builder, sig, args: helper(builder)

def stub(facts):
    raise TypeError

@overload(stub)
def _stub(facts):
    return lambda facts: 13
''',
}


@pytest.fixture
def digests(tmp_path, monkeypatch):
    """Returns the digests of functions of the module, written and imported again; `edits` maps the name of a
    module to the pairs (old text, new text) that differ from SOURCES."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def of(*names, **edits):
        for name in SOURCES:
            sys.modules.pop(name, None)
        for name, source in SOURCES.items():
            for old, new in edits.get(name.removeprefix("ingredient_"), ()):
                assert old in source
                source = source.replace(old, new)
            (tmp_path / f"{name}.py").write_text(source)
        importlib.invalidate_caches()
        for each in (fingerprint, fingerprints.reached, fingerprints._ingredients, fingerprints._own):
            each.cache_clear()
        module = importlib.import_module("ingredient_main")
        found = [fingerprint(getattr(module, name).py_func) for name in names]
        return found[0] if len(found) == 1 else found

    yield of
    for name in SOURCES:
        sys.modules.pop(name, None)


def test_same_sources_have_the_same_digest(digests):
    assert digests("f") == digests("f")
    assert len(digests("f")) == fingerprints.DIGEST_BYTES


WITHOUT_EFFECT = {
    "comment": {"main": [("    if x in", "    # why\n    if x in"), ("SIZE = 3\n", "SIZE = 3  # why\n")]},
    "blank lines": {
        "main": [("@numba.njit\ndef f", "\n\n\n\n@numba.njit\ndef f"), ("    return 0\n", "    return 0\n\n")]
    },
    "line shift": {"far": [("import numba\n", "import numba\n" * 300)]},
    "docstring edited": {"main": [("What f returns", "What comes out, at length")]},
    "docstring removed": {"main": [('    "What f returns."\n', "")]},
    "docstring added": {"far": [("(x):\n", '(x):\n    "More."\n')]},
    "module's docstring": {"main": [("A module", "The module")]},
    "format": {
        "main": [("twice(x) * SIZE", "(\n        twice(\n            x\n        )\n        * SIZE\n    )")]
    },
    "docstrings where code runs while compiling": {
        "taught": [("What helps", "Help"), ('"""A class."""', '"""One."""'), ('"""Code that', '"""What')]
    },
    "docstring of a helper removed": {"taught": [('    """What helps."""\n', "")]},
    "function that nobody calls": {"near": [("return x\n", "return x + 1\n")]},
    "value that nobody reads": {"main": [("size = 1", "size = 2")]},
}


@pytest.mark.parametrize("edits", WITHOUT_EFFECT.values(), ids=WITHOUT_EFFECT)
def test_edit_without_effect_costs_nothing(digests, edits):
    assert digests("f", **edits) == digests("f")


WITH_EFFECT = {
    "constant": {"main": [("return 0", "return 1")]},
    "type of a constant": {"main": [("return 0", "return 0.0")]},
    "bool for a number": {"main": [("return 0", "return False")]},
    "constant among others": {"main": [('{"a", "b"}', '{"a", "c"}')]},
    "operator": {"main": [("* SIZE", "- SIZE")]},
    "comparison": {"main": [("x in", "x not in")]},
    "default": {"main": [("more=4", "more=5")]},
    "global number": {"main": [("SIZE = 3", "SIZE = 4")]},
    "type of a global": {"main": [("SIZE = 3", "SIZE = 3.0")]},
    "global tuple": {"main": [("SHAPE = 1, 2", "SHAPE = 1, 3")]},
    "global array's content": {"main": [("np.arange(5)", "np.arange(1, 6)")]},
    "global array's element": {"main": [("np.arange(5)", "np.arange(5, dtype=np.uint64)")]},
    "global array's shape": {"main": [("np.arange(5)", "np.arange(5)[None]")]},
    "global type": {"main": [("types.int64", "types.int32")]},
    "value of a closure": {"main": [("factory(7)", "factory(8)")]},
    "callee": {"near": [("* 2", "* 4")]},
    "other callee": {"near": [("def twice", "def once"), ("def beside", "def twice")]},
    "callee of a callee in another module": {"far": [("x * FACTOR", "x / FACTOR")]},
    "global of a callee": {"far": [("FACTOR = 3", "FACTOR = 4")]},
    "intrinsic": {"taught": [("types.int64()", "types.int32()")]},
    "helper of an intrinsic": {"taught": [("return 12", "return 21")]},
    "class in the module of an intrinsic": {"taught": [("number = 11", "number = 12")]},
    "overload": {"taught": [("13", "14")]},
    "facts": {"near": [("here=1", "here=2")]},
    "choice": {"near": [("fast=True", "fast=False")]},
    "body of a fold": {"near": [("item.one", "item.two")]},
    "body of a hook in a chain": {"near": [("item.second", "item.third")]},
    "what a hook in a chain goes over": {"near": [('@over_rules("seconds")', '@over_rules("thirds")')]},
    "order of a chain": {"near": [("chained(first, second)", "chained(second, first)")]},
    "length of a chain": {"near": [("chained(first, second)", "chained(first)")]},
    "deferred function": {"near": [("later.int64(x) - 1", "later.int64(x) - 2")]},
    "deferred module": {"near": [("import numpy as later", "import math as later")]},
    "what a fold goes over": {"near": [('@unrolled("items")', '@unrolled("others")')]},
}


@pytest.mark.parametrize("edits", WITH_EFFECT.values(), ids=WITH_EFFECT)
def test_edit_with_an_effect_is_never_missed(digests, edits):
    assert digests("f", **edits) != digests("f")


def test_digest_is_that_of_one_function(digests):
    """Mutually recursive functions reach the same code, but are different."""
    names = ["f", "itself", "even", "odd", "steps"]
    assert len(set(digests(*names))) == len(names)


def test_recursive_functions_include_all_reached_code(digests):
    before = digests("itself", "even", "odd")
    assert digests("itself", "even", "odd") == before
    after = digests("itself", "even", "odd", main=[("else False", "else True")])
    assert [one == other for one, other in zip(before, after, strict=True)] == [True, False, False]
    assert digests("itself", main=[("+ 1 if", "+ 2 if")]) != before[0]


def test_module_is_an_ingredient_as_a_whole(digests):
    """A module that is read by its name contributes all of its code, but not the code that it calls."""
    reads = [("return 0", "return ingredient_taught.Point.number")]
    before = digests("itself", "f", main=reads)
    after = digests("itself", "f", main=reads, taught=[("number = 11", "number = 12")])
    assert [one == other for one, other in zip(before, after, strict=True)] == [True, False]


SETS = """
import importlib, sys
sys.path.insert(0, sys.argv[1])
from surajang.engine.kernel.fingerprint import fingerprint
print(fingerprint(importlib.import_module("ingredient_sets").f).hex())
"""


def test_sets_have_the_same_digest_in_every_process(tmp_path):
    """Their order depends on the seed of Python's hashes."""
    words = ", ".join(f'"{number}"' for number in range(20))
    (tmp_path / "ingredient_sets.py").write_text(
        f"KNOWN = frozenset([{words}])\nOTHER = {{{words}}}\n"
        f"def f(x):\n    return x in {{{words}}} or x in KNOWN or x in OTHER\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", SETS, tmp_path],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in "12"
    }
    assert len(told) == 1


@pytest.mark.parametrize(
    "value",
    [object(), {"a": 1}, np.random.default_rng(1), [(object(),)]],
    ids=lambda value: type(value).__name__,
)
def test_value_without_a_digest_is_refused(value):
    def f():
        return value

    with pytest.raises(UnknownIngredientError):
        fingerprint(f)


def test_module_without_a_file_is_refused():
    scope = {"__name__": "ingredient_of_nowhere"}
    exec("def stub(): pass\ndef f(): return stub()", scope)
    sys.modules["ingredient_of_nowhere"] = type(sys)("ingredient_of_nowhere")
    try:
        with pytest.raises(UnknownIngredientError):
            fingerprint(scope["f"])
    finally:
        del sys.modules["ingredient_of_nowhere"]


real = object()  # a name that `x.real` brings into question


def test_function_of_unknown_ingredients_runs_and_is_not_kept(tmp_path, monkeypatch):
    kept = store.Store(tmp_path)
    monkeypatch.setattr(code_cache, "STORE", kept)

    @inner
    def part_of(x):
        return x.real + 1

    @entry_point
    def whole(x):
        return part_of(x) * 2

    with pytest.raises(UnknownIngredientError):
        fingerprint(whole.py_func)
    assert whole(20) == 42
    assert not list(kept.folder.iterdir())


def test_digests_of_texts_do_not_run_into_each_other():
    joined = ["ab", "c"], ["a", "bc"], ["abc"], ["", "abc"]
    assert len({fingerprints.digest(*parts) for parts in joined}) == len(joined)
    assert fingerprints.digest("a") == fingerprints.digest(b"a")


def test_types_of_arguments_and_the_kind_of_code_are_part_of_the_key():
    def f(x):
        return x

    facts = [rules_for(name)._numba_type_ for name in ("chess", "crazyhouse")]
    arguments = [numba.int64, numba.int32, numba.uint64, numba.float64, numba.types.literal(1), *facts]
    keys = {
        code_cache.key_of(f, (each,), kind) for each, kind in itertools.product(arguments, ("inner", "entry"))
    }
    assert len(keys) == 2 * len(arguments)


def test_names_after_the_first_256_are_told_apart():
    body = "\n".join(['"""A module."""', *(f"n{i} = 0" for i in range(600))])
    codes = [compile(f"{body}\nn{last} = 1", "many", "exec") for last in (255, 511)]
    places = [
        [code.co_names.index(name) % 256 for name in ("__doc__", f"n{last}")]
        for code, last in zip(codes, (255, 511), strict=True)
    ]
    assert places == [[0, 0], [0, 0]]  # else the case is another one
    assert len({fingerprints._code_text(code) for code in codes}) == 2
