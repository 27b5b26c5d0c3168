"""A digest of a compiled function's sources: its bytecode and that of all code that it can reach.

Numba compiles bytecode, so only bytecode counts; comments, blank lines, docstrings and line numbers do not. A
function reaches the objects that its globals and closure name: other compiled functions, constants, facts.
Code that runs during compilation (intrinsics, overloads, types) counts by its whole module; such a module may
use only itself and the kernel, and the kernel's modules are part of every key (`store`)."""

import dis
import hashlib
import importlib
import sys
import types
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from .deferred import Deferred

DIGEST_BYTES = 16
FOREIGN = frozenset(sys.stdlib_module_names) | {"llvmlite", "numba", "numpy"}
_CONSTANT_LOADS = frozenset(dis.hasconst)
_STORE_NAME = dis.opmap["STORE_NAME"]
_OPTIMIZED = 1  # the flag of functions' code
_HAS_DOCSTRING = 0x400_0000  # the flag of functions that have one, from Python 3.13 on
_IGNORED_NAMES = ("__doc__", "__firstlineno__")  # what a module or a class says of its text
_VALUES = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis))


class UnknownIngredientError(TypeError):
    """A function refers to an object whose changes cannot be detected."""


def digest(*parts: str | bytes) -> bytes:
    """The digest of a sequence of texts or bytes, with separators."""
    found = hashlib.blake2b(digest_size=DIGEST_BYTES)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        found.update(len(data).to_bytes(8, "little") + data)
    return found.digest()


@cache
def fingerprint(function: types.FunctionType) -> bytes:
    """The digest of a Python function that Numba compiles, and of all code that it reaches in any module.
    Raises UnknownIngredientError."""
    return digest(_own(function), *sorted(_own(node) for node in reached(function)))


@cache
def reached(function: types.FunctionType) -> frozenset[types.FunctionType | str]:
    """All functions and modules that a Python function reaches, including itself."""
    found: set[types.FunctionType | str] = set()
    waiting: list[types.FunctionType | str] = [function]
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting.extend(_ingredients(node)[1])
    return frozenset(found)


def module_fingerprint(name: str) -> bytes:
    """The digest of all code in the module called `name`."""
    return digest(name, _code_text(_module_code(name)))


@cache
def _ingredients(node: types.FunctionType | str) -> tuple[str, tuple[types.FunctionType | str, ...]]:
    """The text that represents a function or a module (a name), and the objects that it refers to."""
    if isinstance(node, str):
        return _code_text(_module_code(node)), ()
    described = [(name, *_described(value)) for name, value in _named(node)]
    text = "\n".join(
        [
            f"{node.__module__}.{node.__qualname__}",
            _code_text(node.__code__),
            repr([_described(value)[0] for value in (node.__defaults__ or ())]),
            *(f"{name} = {text}" for name, text, _ in described),
        ]
    )
    return text, tuple(found for _, _, nodes in described for found in nodes)


@cache
def _own(node: types.FunctionType | str) -> bytes:
    return digest(_ingredients(node)[0])


def _named(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """The names and values that a function uses from its module and its closure."""
    names: set[str] = set()
    for code in _all_code(function.__code__):
        names.update(code.co_names)
    scope = function.__globals__
    yield from ((name, scope[name]) for name in sorted(names) if name in scope)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield name, cell.cell_contents


def _all_code(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _all_code(constant)


def _described(value: Any) -> tuple[str, tuple[types.FunctionType | str, ...]]:
    """A text for a value that a compiled function refers to, and the functions and modules that the value
    refers to."""
    if isinstance(value, Deferred):
        value = value.resolve()
    if isinstance(value, _VALUES):
        return repr(value), ()
    if isinstance(value, tuple | list | frozenset | set):
        parts = [_described(item) for item in value]
        texts = [text for text, _ in parts]
        if isinstance(value, frozenset | set):
            texts.sort()
        return f"{type(value).__name__}({','.join(texts)})", tuple(n for _, nodes in parts for n in nodes)
    if isinstance(value, np.generic | np.dtype):
        return f"{type(value).__name__} {value!r}", ()
    if isinstance(value, np.ndarray):
        return f"array {value.dtype} {value.shape} {digest(value.tobytes()).hex()}", ()
    if hasattr(value, "py_func"):  # a jitted function
        return _name_of(value.py_func), (value.py_func,)
    if hasattr(value, "_numba_type_"):  # facts, whose name is their content, and choices
        return f"{value._numba_type_.name} {getattr(value, 'number', '')}", ()
    if isinstance(value, types.ModuleType):
        return value.__name__, () if _is_foreign(value.__name__) else (value.__name__,)
    if hasattr(value, "mangling_args"):  # a type of Numba's, whose name tells it from all others
        return f"{type(value).__name__} {value.name}", ()
    home = getattr(value, "_defn", value)  # that of an intrinsic
    module, name = (getattr(home, attribute, None) for attribute in ("__module__", "__qualname__"))
    if module is None or name is None:
        raise UnknownIngredientError(f"{value!r} cannot be told apart from what it will be after a change")
    if _is_foreign(module):
        return f"{module}.{name}", ()
    sources = [_described(source)[1] for source in getattr(value, "compiled_from", ())]
    return _name_of(home), (module, *(node for nodes in sources for node in nodes))


def _name_of(home: Any) -> str:
    return f"{home.__module__}.{home.__qualname__}"


def _is_foreign(module: str) -> bool:
    return module.partition(".")[0] in FOREIGN


def _module_code(name: str) -> types.CodeType:
    """The code of a module, as it was compiled from its file."""
    module = sys.modules.get(name) or importlib.import_module(name)
    loader = getattr(module.__spec__, "loader", None) if module.__spec__ else None
    code = loader.get_code(name) if hasattr(loader, "get_code") else None
    if code is None:
        raise UnknownIngredientError(f"the module {name} has no file, so that nobody sees when it changes")
    return code


def _code_text(code: types.CodeType) -> str:
    """All of a code object that affects its behaviour, without docstrings and line numbers. The text of a
    constant replaces its number, which changes with docstrings."""
    operations, arguments = bytearray(code.co_code[::2]), bytearray(code.co_code[1::2])
    if not code.co_flags & _OPTIMIZED:  # a module or a class
        _blank_ignored(operations, arguments, code.co_names)
    constants = []
    for place in [place for place, operation in enumerate(operations) if operation in _CONSTANT_LOADS]:
        constant = code.co_consts[_blanked(operations, arguments, place)]
        if isinstance(constant, types.CodeType):
            constants.append(f"<{_code_text(constant)}>")
        else:
            constants.append(f"{type(constant).__name__} {_constant_text(constant)}")
    flags = code.co_flags & ~_HAS_DOCSTRING
    return " ".join(
        [
            *(code.co_qualname, str(code.co_argcount), str(code.co_kwonlyargcount), str(flags)),
            *(repr(names) for names in (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)),
            *(operations.hex(), arguments.hex(), *constants),
        ]
    )


def _blanked(operations: bytearray, arguments: bytearray, place: int) -> int:
    """The argument of the operation at `place`, which becomes 0."""
    argument, arguments[place] = arguments[place], 0
    for before in range(place - 1, max(place - 4, -1), -1):
        if operations[before] != dis.EXTENDED_ARG:
            break
        argument |= arguments[before] << 8 * (place - before)
        operations[before] = arguments[before] = 0
    return argument


def _blank_ignored(operations: bytearray, arguments: bytearray, names: tuple[str, ...]) -> None:
    """Blanks the operations that load what is stored as one of the ignored names."""
    for place in range(1, len(operations)):
        if operations[place] != _STORE_NAME or operations[place - 1] == dis.EXTENDED_ARG:
            continue  # an extended argument is another name
        if names[arguments[place]] in _IGNORED_NAMES:
            _blanked(operations, arguments, place - 1)
            operations[place - 1] = 0


def _constant_text(constant: object) -> str:
    """A constant as text; sets are sorted."""
    if isinstance(constant, frozenset):
        return repr(sorted(map(repr, constant)))
    return repr(constant)
