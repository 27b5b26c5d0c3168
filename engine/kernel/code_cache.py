"""The cache of compiled code on disk: LLVM code of inner functions, machine code of entry points.

Machine code may also come with the wheel (`prebuilt`); native code in the store takes precedence. The key is
a digest of all code that the function reaches and of the types of its arguments."""

import pickle
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from types import FunctionType
from typing import Any, NamedTuple

import llvmlite.binding as llvm
from numba.core import types, typing
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult, compile_result
from numba.core.environment import Environment
from numba.core.funcdesc import PythonFunctionDescriptor
from numba.core.registry import cpu_target
from numba.core.runtime import _nrt_python as runtime
from numba.core.sigutils import normalize_signature

from .code_library import InnerLibrary, mangled, stand_in
from .fingerprint import DIGEST_BYTES, UnknownIngredientError, digest, fingerprint
from .prebuilt import PREBUILT
from .store import STORE


def key_of(function: FunctionType, argument_types: Iterable[types.Type], kind: str) -> bytes | None:
    """The name in the store of a function for arguments of these types; None if no key can be computed."""
    try:
        made_of = fingerprint(function)
    except UnknownIngredientError:
        return None
    return digest(kind, made_of, *(_type_digest(typ) for typ in argument_types))


@cache
def _type_digest(typ: types.Type) -> bytes:
    return digest(type(typ).__name__, typ.name)


# Inner functions


class _Inner(NamedTuple):
    """The stored form of an inner function; `called` has names and keys of the functions that it calls."""

    return_type: types.Type
    bitcode: bytes
    called: tuple[tuple[str, bytes], ...]


def _unpacked(data: bytes | None) -> Any:
    """The unpickled value; None for no data, or if it needs facts that this process has not built."""
    try:
        return pickle.loads(data) if data else None
    except Exception:
        return None


_libraries: dict[bytes, InnerLibrary] = {}  # by key, of what this process has loaded or compiled
_return_types: dict[bytes, types.Type] = {}


def _load_library(codegen: Any, name: str, key: bytes) -> InnerLibrary | None:
    """Loads the library with this key and all that it calls; None if a part is missing."""
    if key in _libraries:
        return _libraries[key]
    kept = _unpacked(STORE.load(name, key))
    if kept is None:
        return None
    kept = _Inner(*kept)
    called = [_load_library(codegen, *each) for each in kept.called]
    if None in called:
        return None
    library = InnerLibrary.of_bitcode(codegen, name, key, kept.bitcode, called)
    _libraries[key], _return_types[key] = library, kept.return_type
    return library


def load_inner(state: Any, func: FunctionType, key: bytes) -> CompileResult | None:
    """The compile result of a stored inner function, or None."""
    context = state.targetctx
    library = _load_library(context.codegen(), func.__qualname__, key)
    if library is None:
        return None
    names = PythonFunctionDescriptor(
        native=True,
        modname=func.__module__ or "<dynamic>",
        qualname=func.__qualname__,
        unique_name=f"{func.__qualname__}${key.hex()}",
        doc="",
        typemap=None,
        restype=_return_types[key],
        calltypes=None,
        args=func.__code__.co_varnames[: len(state.args)],
        kws=(),
        mangler=mangled,
        argtypes=tuple(state.args),
        inline=state.flags.forceinline,
        noalias=state.flags.noalias,
        global_dict=func.__globals__ if func.__module__ is None else None,
        abi_tags=[state.flags.get_mangle_string()],
        uid=key.hex(),
    )
    environment = Environment.from_fndesc(names)
    entry = stand_in(library, names, environment)
    context.insert_user_function(entry, names, [library])
    return compile_result(
        typing_context=state.typingctx,
        target_context=context,
        entry_point=entry,
        library=library,
        signature=typing.signature(_return_types[key], *state.args),
        objectmode=False,
        lifted=(),
        fndesc=names,
        environment=environment,
        metadata={},
        reload_init=[],
    )


def has_inner(function: FunctionType, argument_types: Iterable[types.Type]) -> bool:
    """Whether the store has an inner function for arguments of these types."""
    key = key_of(function, argument_types, "inner")
    return key is not None and STORE.has(function.__qualname__, key)


def save_inner(result: CompileResult, func: FunctionType, key: bytes) -> None:
    """Stores an inner function, if all functions that it calls are stored and it does not depend on addresses
    of this process."""
    library = result.library
    library._ensure_finalized()
    called = library.called
    _libraries[key], _return_types[key] = library, result.signature.return_type
    lonely = result.environment.consts or library.has_dynamic_globals or result.reload_init
    if lonely or any(each.key is None for each in called):
        return
    kept = _Inner(
        result.signature.return_type, library.bitcode, tuple((each.name, each.key) for each in called)
    )
    STORE.save(func.__qualname__, key, pickle.dumps(tuple(kept), protocol=pickle.HIGHEST_PROTOCOL))


# Entry points

CODE = "machine_code"  # the name in the store of libraries of entry points
_entry_libraries: dict[bytes, Any] = {}  # by key, of what this process has loaded


def _entry_library(codegen: Any, name: str, key: bytes, data: bytes | None) -> Any:
    """The library of machine code with this key; None if the data are missing or damaged."""
    if key not in _entry_libraries:
        kept = _unpacked(data)
        if kept is None:
            return None
        code, symbols = kept
        library = codegen.create_library(name)
        library.enable_object_caching()
        library._set_compiled_object(code)
        library._finalize_final_module()
        codegen._engine._defined_symbols.update(symbols)
        _entry_libraries[key] = library
    return _entry_libraries[key]


@cache
def _register_runtime() -> None:
    """Makes the C functions of Numba's runtime known to LLVM's loader. `rtsys.initialize` also compiles some,
    which takes a fortieth of a second; stored code contains those."""
    for name, address in runtime.c_helpers.items():
        llvm.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)


class EntryCache(_Cache):
    """The machine code of an entry point, in the store; the methods are those that Numba calls.

    A piece for each entry point starts with the key of its library, which is a piece that several can
    share."""

    def __init__(self, py_func: FunctionType) -> None:
        self._function = py_func

    @property
    def cache_path(self) -> str:
        """The folder of the store."""
        return str(STORE.folder)

    def enable(self) -> None:
        """Does nothing; the cache is always enabled."""

    def disable(self) -> None:
        """Does nothing; the cache is always enabled."""

    def flush(self) -> None:
        """Does nothing; writes are immediate."""

    def _key(self, sig: Any, target: str) -> bytes | None:
        arguments, _ = normalize_signature(sig)
        return key_of(self._function, arguments, target)

    def _native_key(self, sig: Any, target_context: Any) -> bytes | None:
        return self._key(sig, repr(target_context.codegen().magic_tuple()))

    def _prebuilt_key(self, sig: Any, target_context: Any) -> bytes | None:
        return self._key(sig, PREBUILT.target(target_context.codegen())) if PREBUILT.usable else None

    def _sources(self, sig: Any, target_context: Any) -> Iterator[tuple[Any, bytes]]:
        """The places where the code may be, native code first, with its key there."""
        for place, key in (
            (STORE, self._native_key(sig, target_context)),
            (PREBUILT, self._prebuilt_key(sig, target_context)),
        ):
            if key is not None:
                yield place, key

    def has_native(self, argument_types: tuple[types.Type, ...]) -> bool:
        """Whether the store has code for this exact processor and arguments of these types."""
        key = self._native_key(argument_types, cpu_target.target_context)
        return key is not None and self._is_in(STORE, key)

    def has(self, argument_types: tuple[types.Type, ...]) -> bool:
        """Whether there is code for arguments of these types, in the store or prebuilt."""
        sources = self._sources(argument_types, cpu_target.target_context)
        return any(self._is_in(place, key) for place, key in sources)

    def _is_in(self, place: Any, key: bytes) -> bool:
        data = place.load(self._function.__qualname__, key)
        return data is not None and place.has(CODE, data[:DIGEST_BYTES])

    def export(self, argument_types: tuple[types.Type, ...], into: Any) -> None:
        """Copies the code for arguments of these types from the store to `into`, a `Prebuilt`. Raises
        OSError, and LookupError for missing code."""
        name, context = self._function.__qualname__, cpu_target.target_context
        key = self._native_key(argument_types, context)
        data = key and STORE.load(name, key)
        code = data and STORE.load(CODE, data[:DIGEST_BYTES])
        if not data or not code:
            raise LookupError(f"no code of {name}")
        into.save(name, self._key(argument_types, into.target(context.codegen())), data)
        if not into.path(CODE, data[:DIGEST_BYTES]).is_file():
            into.save(CODE, data[:DIGEST_BYTES], code)

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """The cached code for a signature; None if there is none or it cannot be loaded."""
        _register_runtime()
        for place, key in self._sources(sig, target_context):
            if (found := self._load(place, key, target_context)) is not None:
                return found
        return None

    def _load(self, place: Any, key: bytes, target_context: Any) -> CompileResult | None:
        data = place.load(self._function.__qualname__, key)
        kept = data and _unpacked(data[DIGEST_BYTES:])
        if not kept:
            return None
        names, environment, signature, environments = kept
        codegen, code_key = target_context.codegen(), data[:DIGEST_BYTES]
        code = None if code_key in _entry_libraries else place.load(CODE, code_key)
        library = _entry_library(codegen, names.qualname, code_key, code)
        if library is None:
            return None
        for each in environments:
            codegen.set_env(each.env_name, each)
        return CompileResult(
            typing_context=target_context.typing_context,
            target_context=target_context,
            entry_point=target_context.get_executable(library, names, environment),
            typing_error=None,
            type_annotation="",
            signature=signature,
            objectmode=False,
            lifted=(),
            fndesc=names,
            library=library,
            call_helper=None,
            environment=environment,
            metadata=None,
            reload_init=[],
            referenced_envs=environments,
        )

    def save_overload(self, sig: Any, data: CompileResult) -> None:
        """Stores code, if possible."""
        save_entries([(self, sig, data)])


def save_entries(entries: Sequence[tuple[EntryCache, Any, CompileResult]]) -> None:
    """Stores entry points of one library, by their signatures, if possible."""
    library = entries[0][2].library
    keys = [entry._native_key(sig, data.target_context) for entry, sig, data in entries]
    unstorable = library.has_dynamic_globals or any(data.reload_init for _, _, data in entries)
    if None in keys or unstorable:
        return
    code_key = digest(CODE, *keys)
    symbols = [function.name for function in library.get_defined_functions()]
    code = library._get_compiled_object(), symbols
    STORE.save(CODE, code_key, pickle.dumps(code, protocol=pickle.HIGHEST_PROTOCOL))
    if not STORE.has(CODE, code_key):
        return
    for key, (entry, _, data) in zip(keys, entries, strict=True):
        names = data.fndesc
        names.typemap = names.calltypes = None
        environments = tuple(each for each in data._find_referenced_environments() if each.consts)
        kept = names, data.environment, data.signature, environments
        piece = code_key + pickle.dumps(kept, protocol=pickle.HIGHEST_PROTOCOL)
        STORE.save(entry._function.__qualname__, key, piece)
