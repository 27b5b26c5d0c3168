"""The compiler passes: inner functions are lowered once, stored one by one, and linked into entry points.

An inner function gets no machine code of its own. Its LLVM code, as lowered, goes to the store
(`code_library`, `code_cache`); an entry point links the functions that it needs, optimises them together, and
its machine code goes to the store as well, together with entry points that were compiled at the same time
(`entry_points_together`). The passes are those of Numba that these functions need, with two
short cuts in type inference: a resolved call is not resolved again, and the return type of a recursive
function is inferred once."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from types import FunctionType
from typing import Any, ClassVar, NoReturn

from numba.core import errors, ir_utils, postproc, transforms, typeinfer, types
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import FunctionPass, PassManager, register_pass
from numba.core.registry import CPUDispatcher
from numba.core.ssa import reconstruct_ssa
from numba.core.typed_passes import IRLegalization, NativeLowering, NoPythonBackend, PreLowerStripPhis
from numba.core.untyped_passes import (
    DeadBranchPrune,
    FixupArgs,
    GenericRewrites,
    IRProcessing,
    ReconstructSSA,
    RewriteDynamicRaises,
    RewriteSemanticConstants,
    TranslateByteCode,
)

from . import shortcuts  # noqa: F401 - in place of parts of Numba
from .code_cache import key_of, load_inner, save_inner
from .code_library import EntryLibrary, InnerLibrary, mangled, stand_in
from .deferred import Deferred
from .lowering import InnerLower, owns_memory

# Before type inference


@register_pass(mutates_CFG=True, analysis_only=False)
class _Processing(IRProcessing):
    """Numba's pass over blocks and variables, without the lifetimes of variables; `_Legalization` computes
    them where they matter."""

    _name = "surajang_processing"

    def run_pass(self, state: Any) -> bool:
        func_ir = state["func_ir"]
        if func_ir.is_generator:
            return super().run_pass(state)
        func_ir.blocks = transforms.canonicalize_cfg(func_ir.blocks)
        func_ir.variable_lifetime = postproc.VariableLifetime(func_ir.blocks)
        func_ir.generator_info = None
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _StaticSingleAssignment(ReconstructSSA):
    """Numba's pass that gives each assignment its own variable, without the lifetimes of variables."""

    _name = "surajang_ssa"

    def run_pass(self, state: Any) -> bool:
        if state.func_ir.is_generator:
            return super().run_pass(state)
        state.func_ir = reconstruct_ssa(state.func_ir)
        self._patch_locals(state)
        state.func_ir._definitions = ir_utils.build_definitions(state.func_ir.blocks)
        return _Processing().run_pass(state)


# Type inference


class _Inferer(typeinfer.TypeInferer):
    """Numba's type inference with a cache."""

    _resolved: ClassVar[dict[Any, Any]] = {}  # (typing context, function type, argument types) -> signature
    _return_type = None

    def copy(self, skip_recursion: bool = False) -> "_Inferer":
        """A copy with the same inference."""
        clone = type(self)(self.context, self.func_ir, self.warnings)
        clone.arg_names = self.arg_names.copy()
        clone._skip_recursion = skip_recursion
        for name, variable in self.typevars.items():
            if not variable.locked and variable.defined:
                clone.typevars[name].add_type(variable.getone(), loc=variable.define_loc)
        return clone

    def return_types_from_partial(self) -> Any:
        """The return type of a recursive call, if it is known; the answer is cached. Numba checks at the end
        that the function really returns it."""
        if self._return_type is None:
            self._return_type = super().return_types_from_partial()
        return self._return_type

    def resolve_call(self, fnty: Any, pos_args: Any, kw_args: Any) -> Any:
        """The signature of a call. A jitted function is compiled once for all numbers of a type: Numba would
        compile it again for each that is written out in a call."""
        if isinstance(fnty, types.Dispatcher):
            pos_args = tuple(map(types.unliteral, pos_args))
        if kw_args or not isinstance(fnty, types.Function | types.Dispatcher):
            return super().resolve_call(fnty, pos_args, kw_args)
        call = self.context, fnty, pos_args
        found = self._resolved.get(call)
        if found is None:
            found = super().resolve_call(fnty, pos_args, kw_args)
            if found is not None:
                self._resolved[call] = found
        return found


class _NoWarnings(errors.WarningsFixer):
    """Numba's collector of warnings, which lets them pass, without a note of the place of each constraint."""

    def catch_warnings(self, filename: str | None = None, lineno: int | None = None) -> Any:
        """A context without effect."""
        return nullcontext()


@register_pass(mutates_CFG=True, analysis_only=False)
class _Typing(FunctionPass):
    _name = "surajang_typing"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        warnings = _NoWarnings(errors.NumbaWarning)
        infer = _Inferer(state.typingctx, state.func_ir, warnings)
        stack = state.typingctx.callstack
        with stack.register(state.targetctx.target, infer, state.func_id, state.args), warnings:
            for index, (name, typ) in enumerate(zip(state.func_ir.arg_names, state.args, strict=True)):
                infer.seed_argument(name, index, typ)
            if state.return_type is not None:
                infer.seed_return(state.return_type)
            infer.build_constraint()
            infer.propagate()
            state.typemap, state.return_type, state.calltypes = infer.unify()
        return False


@register_pass(mutates_CFG=True, analysis_only=False)
class _NoPhis(PreLowerStripPhis):
    """Numba's pass that removes phi nodes, without computing the lifetimes of variables again."""

    _name = "surajang_no_phis"

    def run_pass(self, state: Any) -> bool:
        state.func_ir = self._strip_phi_nodes(state.func_ir)
        state.func_ir._definitions = ir_utils.build_definitions(state.func_ir.blocks)
        return True


@register_pass(mutates_CFG=False, analysis_only=True)
class _Legalization(IRLegalization):
    """Numba's pass that inserts the ends of variables' lifetimes, for functions with variables that own
    memory."""

    _name = "surajang_legalization"

    def run_pass(self, state: Any) -> bool:
        models = state.targetctx.data_model_manager
        if any(owns_memory(models, typ) for typ in state.typemap.values()):
            return super().run_pass(state)
        return False


# Lowering


@register_pass(mutates_CFG=True, analysis_only=False)
class _InnerLowering(NativeLowering):
    """Lowers a function that only compiled code uses: no machine code, no wrapper for Python."""

    _name = "surajang_inner_lowering"
    lowering_class = InnerLower

    def run_pass(self, state: Any) -> bool:
        context = state.targetctx
        context.get_executable = stand_in
        context.get_abi_sizeof = _size_in_memory(context)
        context.add_dynamic_addr = _address(context)
        context.mangler = mangled
        context.call_unresolved = _refuse_circle
        state.library = InnerLibrary(context.codegen(), state.func_id.func_qualname, state.metadata["key"])
        try:
            return super().run_pass(state)
        finally:
            del context.get_executable, context.get_abi_sizeof, context.add_dynamic_addr, context.mangler
            del context.call_unresolved


def _registered(context: Any) -> list[int]:
    """The number of entries in each registry that a context loads from."""
    contexts = [context, getattr(context, "typing_context", context)]
    loaders = [pair for each in contexts for pair in each._registries.items()]
    return [len(getattr(registry, name)) for registry, loader in loaders for name in loader.registry_items]


@cache
def _refresh(context: Any) -> Any:
    """A replacement for a context's `refresh`, which searches all of Numba: it does so only after new
    registrations."""
    seen: list[int] = []

    def refresh() -> None:
        nonlocal seen
        found = _registered(context)
        if not found or found != seen:
            seen = found
            type(context).refresh(context)

    return refresh


@contextmanager
def _seldom_refreshed(*contexts: Any) -> Iterator[None]:
    """Replaces the `refresh` of contexts by one that searches only after new registrations."""
    changed = [context for context in contexts if "refresh" not in vars(context)]
    for context in changed:
        context.refresh = _refresh(context)
    try:
        yield
    finally:
        for context in changed:
            del context.refresh


@cache
def _size_in_memory(context: Any) -> Any:
    """Numba's `get_abi_sizeof`, which is slow, with a cache."""
    return cache(type(context).get_abi_sizeof.__get__(context))


def _refuse_circle(builder: Any, name: str, signature: Any, arguments: Any) -> NoReturn:
    """Numba's `call_unresolved`, for functions that call each other: neither could be stored separately."""
    raise errors.UnsupportedError("inner functions may call themselves, but not each other in a circle")


@cache
def _address(context: Any) -> Any:
    """Numba's `add_dynamic_addr`, which writes an address of this process into code. The address of a jitted
    function, deferred or not, becomes null, because no code reads it."""

    def add_dynamic_addr(builder: Any, intaddr: int, info: str) -> Any:
        if info in (CPUDispatcher.__name__, Deferred.__name__):
            return context.get_constant_null(types.voidptr)
        return type(context).add_dynamic_addr(context, builder, intaddr, info)

    return add_dynamic_addr


@register_pass(mutates_CFG=False, analysis_only=True)
class _Naming(FunctionPass):
    """Gives a function's code the same name in every process, so that stored code can be linked."""

    _name = "surajang_naming"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        key = state.metadata["key"]
        if key is not None:
            state.func_id.unique_id = key.hex()
            state.func_id.unique_name = f"{state.func_id.func_qualname}${key.hex()}"
        return False


@register_pass(mutates_CFG=True, analysis_only=False)
class _EntryLowering(NativeLowering):
    """Numba's lowering of an entry point, without machine code if its library is shared."""

    _name = "surajang_entry_lowering"

    def run_pass(self, state: Any) -> bool:
        if _shared is None:
            return super().run_pass(state)
        state.targetctx.get_executable = lambda library, names, environment: object()
        try:
            return super().run_pass(state)
        finally:
            del state.targetctx.get_executable


_TYPING = (  # the passes from bytecode to typed code
    TranslateByteCode,
    FixupArgs,
    _Processing,
    RewriteSemanticConstants,
    DeadBranchPrune,
    GenericRewrites,
    RewriteDynamicRaises,
    _StaticSingleAssignment,
    _Typing,
    _NoPhis,
    _Legalization,
)


class _Passes(PassManager):
    """Runs passes without Numba's records and checks of each pass."""

    def _runPass(self, index: int, pss: Any, internal_state: Any) -> None:  # noqa: N802 - Numba's name
        pss.analysis = self._analysis
        pss.run_pass(internal_state)


class _Compiler(CompilerBase):
    """Runs one list of passes."""

    PASSES: ClassVar[tuple[Any, ...]]

    def __init__(self, typingctx: Any, targetctx: Any, *others: Any) -> None:
        with _seldom_refreshed(typingctx, targetctx):
            super().__init__(typingctx, targetctx, *others)

    def define_pipelines(self) -> list[PassManager]:
        """The only list of passes."""
        passes = _Passes(f"surajang {type(self).__name__}")
        for each in self.PASSES:
            passes.add_pass(each, each.__name__)
        passes.finalize()
        return [passes]

    def compile_extra(self, func: FunctionType) -> Any:
        """The result of compiling `func`."""
        self.state.type_annotation = None
        with _seldom_refreshed(self.state.typingctx, self.state.targetctx):
            return super().compile_extra(func)


class InnerCompiler(_Compiler):
    """Loads an inner function from the store, or compiles and stores it."""

    PASSES = (_Naming, *_TYPING, _InnerLowering, NoPythonBackend)

    def compile_extra(self, func: FunctionType) -> Any:
        """The result of compiling `func`, from the store if it is there."""
        key = key_of(func, self.state.args, "inner")
        kept = key and load_inner(self.state, func, key)
        if kept:
            return kept
        self.state.metadata["key"] = key
        result = super().compile_extra(func)
        if key:
            save_inner(result, func, key)
        return result


class EntryCompiler(_Compiler):
    """Compiles an entry point; within `shared`, its code becomes part of a library."""

    PASSES = (*_TYPING, _EntryLowering, NoPythonBackend)

    def compile_extra(self, func: FunctionType) -> Any:
        """The result of compiling `func`."""
        self.state.library = _shared or entry_library(self.state.targetctx.codegen(), func.__qualname__)
        return super().compile_extra(func)


def entry_library(codegen: Any, name: str) -> EntryLibrary:
    """An empty library for entry points."""
    library = EntryLibrary(codegen, name)
    library.enable_object_caching()
    return library


_shared: EntryLibrary | None = None  # the library of the entry points that are being compiled


@contextmanager
def shared(library: EntryLibrary) -> Iterator[None]:
    """Compiles all entry points within into one library. They have no machine code until it is finished. The
    caller holds Numba's lock."""
    global _shared
    _shared = library
    try:
        yield
    finally:
        _shared = None
