"""How Numba compiles here: inner functions are lowered once, kept one by one, and linked into entry points.

An inner function gets no machine code of its own. Its LLVM code, as lowered, goes to the store; an entry
point links what it needs, optimizes it as a whole, and its machine code goes to the store as well. The passes
are those of Numba that these functions need, with two short cuts in type inference: a call that was resolved
once is not resolved again, and the return type of a recursive function is inferred once.
"""

import pickle
from functools import cache
from typing import ClassVar, NamedTuple

import llvmlite.binding as llvm
import numba
from numba import _dynfunc
from numba.core import errors, ir_utils, typeinfer, types, typing
from numba.core.caching import _Cache
from numba.core.codegen import CodeLibrary, JITCodeLibrary
from numba.core.compiler import CompilerBase, CompileResult, compile_result
from numba.core.compiler_machinery import FunctionPass, PassManager, register_pass
from numba.core.environment import Environment
from numba.core.funcdesc import PythonFunctionDescriptor
from numba.core.itanium_mangler import mangle
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.runtime.nrt import rtsys
from numba.core.sigutils import normalize_signature
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

from .fingerprint import UnknownIngredientError, digest, fingerprint
from .store import STORE

# Libraries


class InnerLibrary(JITCodeLibrary):
    """The code of an inner function, kept as it was lowered until an entry point links it in.

    Numba would link, optimize and load the code of every function together with all that it calls, over
    and over on the way up. Here that happens once for each entry point. `key` names it in the store, None
    where it is not kept.
    """

    def __init__(self, codegen, name, key):
        CodeLibrary.__init__(self, codegen, name)
        self.key = key
        self._linking_libraries = []
        self._final_module = self._shared_module = None

    def add_llvm_module(self, ll_module):
        """Takes a module with its functions simplified, each by itself: the code is some 10 % faster then."""
        ll_module.data_layout = self._codegen._data_layout
        for function in ll_module.functions:
            if not function.is_declaration:
                passes, builder = self._codegen._function_pass_manager()
                passes.run(function, builder)
        if self._final_module is None:
            self._final_module = ll_module
        else:
            self._final_module.link_in(ll_module)

    def add_linking_library(self, library):
        """Notes what this code calls. Numba's runtime comes with the entry point."""
        if library is not rtsys.library:
            super().add_linking_library(library)

    def finalize(self):
        """Takes in the few functions of Numba's own that are called; nothing is linked or loaded yet."""
        foreign = [library for library in self._linking_libraries if not isinstance(library, InnerLibrary)]
        for library in dict.fromkeys(foreign):
            module = library._get_module_for_linking()
            own = {function.name for function in self._final_module.functions if not function.is_declaration}
            self._final_module.link_in(module, preserve=True)
            for function in self._final_module.functions:  # theirs do not have the same name in every process
                if not function.is_declaration and function.name not in own:
                    function.linkage = llvm.Linkage.internal
        self._linking_libraries = [lib for lib in self._linking_libraries if isinstance(lib, InnerLibrary)]
        for function in self._final_module.functions:  # LLVM may drop it once it is inlined
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = "linkonce_odr"
        self._finalize_dynamic_globals()
        self._finalized = True

    @property
    def called(self):
        """The libraries of the inner functions that this one calls, each once."""
        return [library for library in dict.fromkeys(self._linking_libraries) if library is not self]

    @property
    def bitcode(self):
        """The function's own code, for the store."""
        return self._final_module.as_bitcode()

    @classmethod
    def of_bitcode(cls, codegen, name, key, bitcode, called):
        """The library of what the store has kept."""
        self = cls(codegen, name, key)
        self._final_module = llvm.parse_bitcode(bitcode)
        self._linking_libraries = list(called)
        self._finalized = True
        return self

    def _get_module_for_linking(self):
        """The code of this function and of all that it calls.

        Callers are linked before what they call: LLVM drops a function that nothing asks for yet.
        """
        order, seen = [], set()
        self._visit(order, seen)
        module = self._final_module.clone()
        for library in reversed(order[:-1]):
            module.link_in(library._final_module.clone())
        return module

    def _visit(self, order, seen):
        """Appends this library to `order` after all that it calls."""
        seen.add(self)
        for library in self._linking_libraries:
            if library not in seen:
                library._visit(order, seen)
        order.append(self)


@cache
def _refusal():
    """The address of compiled code that takes no argument, and raises TypeError when given any."""
    refuse = numba.njit(lambda: None)
    refuse.compile(())
    code, names = (getattr(refuse.overloads[()], part) for part in ("library", "fndesc"))
    return code.get_pointer_to_function(names.llvm_cpython_wrapper_name), refuse


def _stand_in(library, fndesc, env):
    """What Numba takes for the machine code of an inner function; Python cannot call it by mistake."""
    address, refuse = _refusal()
    name = fndesc.qualname.split(".")[-1]
    return _dynfunc.make_function(fndesc.lookup_module(), name, "inner", address, env, (library, refuse))


# Type inference


class _Inferer(typeinfer.TypeInferer):
    """Numba's type inference with a memory."""

    _resolved: ClassVar[dict] = {}  # (typing context, function type, argument types) -> signature
    _return_type = None

    def copy(self, skip_recursion=False):
        """A copy that infers as this one does."""
        clone = type(self)(self.context, self.func_ir, self.warnings)
        clone.arg_names = self.arg_names.copy()
        clone._skip_recursion = skip_recursion
        for name, variable in self.typevars.items():
            if not variable.locked and variable.defined:
                clone.typevars[name].add_type(variable.getone(), loc=variable.define_loc)
        return clone

    def return_types_from_partial(self):
        """What a recursive call returns, as far as that is known: once it is, the answer stays.

        Numba checks in the end that the function really returns it."""
        if self._return_type is None:
            self._return_type = super().return_types_from_partial()
        return self._return_type

    def resolve_call(self, fnty, pos_args, kw_args):
        """The signature of a call."""
        if kw_args or not isinstance(fnty, types.Function | types.Dispatcher):
            return super().resolve_call(fnty, pos_args, kw_args)
        call = self.context, fnty, pos_args
        found = self._resolved.get(call)
        if found is None:
            found = super().resolve_call(fnty, pos_args, kw_args)
            if found is not None:
                self._resolved[call] = found
        return found


@register_pass(mutates_CFG=True, analysis_only=False)
class _Typing(FunctionPass):
    """Type inference by `_Inferer`."""

    _name = "surajang_typing"

    def __init__(self):
        super().__init__()

    def run_pass(self, state):
        warnings = errors.WarningsFixer(errors.NumbaWarning)
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
    """Numba's pass that removes phi nodes, without another look at how long variables live."""

    _name = "surajang_no_phis"

    def run_pass(self, state):
        state.func_ir = self._strip_phi_nodes(state.func_ir)
        state.func_ir._definitions = ir_utils.build_definitions(state.func_ir.blocks)
        return True


@register_pass(mutates_CFG=False, analysis_only=True)
class _Legalization(IRLegalization):
    """Numba's pass that says where variables die, for functions that have any which own memory."""

    _name = "surajang_legalization"

    def run_pass(self, state):
        models = state.targetctx.data_model_manager
        if any(_owns_memory(models, typ) for typ in state.typemap.values()):
            return super().run_pass(state)
        return False


@cache
def _owns_memory(models, typ):
    return not isinstance(typ, types.Dispatcher | types.Function) and models[typ].contains_nrt_meminfo()


# Lowering


@register_pass(mutates_CFG=True, analysis_only=False)
class _InnerLowering(NativeLowering):
    """Lowers a function for use by other compiled code alone: no machine code, no wrapper for Python."""

    _name = "surajang_inner_lowering"

    def run_pass(self, state):
        context = state.targetctx
        context.get_executable = _stand_in
        context.get_abi_sizeof = _size_in_memory(context)
        context.add_dynamic_addr = _address(context)
        context.mangler = _mangled
        context.call_unresolved = _refuse_circle
        state.library = InnerLibrary(context.codegen(), state.func_id.func_qualname, state.metadata["key"])
        try:
            return super().run_pass(state)
        finally:
            del context.get_executable, context.get_abi_sizeof, context.add_dynamic_addr, context.mangler
            del context.call_unresolved


@cache
def _size_in_memory(context):
    """Numba's `get_abi_sizeof`, which asks LLVM at length, with a memory."""
    return cache(type(context).get_abi_sizeof.__get__(context))


def _mangled(name, argument_types, *, abi_tags=(), uid=None):
    """The symbol of a function. Numba's has numbers of types that another process would choose otherwise; the
    key in the store, which `_Naming` makes the `uid`, stands for them."""
    if isinstance(uid, str):
        argument_types = abi_tags = ()
    return mangle(name, argument_types, abi_tags=abi_tags, uid=uid)


def _refuse_circle(builder, name, signature, arguments):
    """Numba's `call_unresolved`, for functions that call each other: neither could be kept by itself."""
    raise errors.UnsupportedError("inner functions may call themselves, but not each other in a circle")


@cache
def _address(context):
    """Numba's `add_dynamic_addr`, which writes an address of this process into code; but that of a jitted
    function, which no code looks at, is null."""

    def add_dynamic_addr(builder, intaddr, info):
        if info == CPUDispatcher.__name__:
            return context.get_constant_null(types.voidptr)
        return type(context).add_dynamic_addr(context, builder, intaddr, info)

    return add_dynamic_addr


@register_pass(mutates_CFG=False, analysis_only=True)
class _Naming(FunctionPass):
    """Gives a function's code the name that it has in every process, so that kept code can be linked."""

    _name = "surajang_naming"

    def __init__(self):
        super().__init__()

    def run_pass(self, state):
        key = state.metadata["key"]
        if key is not None:
            state.func_id.unique_id = key.hex()
            state.func_id.unique_name = f"{state.func_id.func_qualname}${key.hex()}"
        return False


class _Passes(PassManager):
    """Runs passes without Numba's records and checks of each."""

    def _runPass(self, index, pss, internal_state):  # noqa: N802 - Numba's name
        pss.analysis = self._analysis
        pss.run_pass(internal_state)


class InnerCompiler(CompilerBase):
    """Loads an inner function from the store, or compiles it and keeps it there."""

    PASSES = (
        _Naming,
        TranslateByteCode,
        FixupArgs,
        IRProcessing,
        RewriteSemanticConstants,
        DeadBranchPrune,
        GenericRewrites,
        RewriteDynamicRaises,
        ReconstructSSA,
        _Typing,
        _NoPhis,
        _Legalization,
        _InnerLowering,
        NoPythonBackend,
    )

    def define_pipelines(self):
        """The one list of passes."""
        passes = _Passes("surajang inner")
        for each in self.PASSES:
            passes.add_pass(each, each.__name__)
        passes.finalize()
        return [passes]

    def compile_extra(self, func):
        """The result of compiling `func`, from the store where it is there."""
        key = key_of(func, self.state.args, "inner")
        kept = key and _load_inner(self.state, func, key)
        if kept:
            return kept
        self.state.metadata["key"] = key
        self.state.type_annotation = None
        result = super().compile_extra(func)
        if key:
            _save_inner(result, func, key)
        return result


# The store


def key_of(function, argument_types, kind):
    """The name in the store of a function for arguments of these types; None where that cannot be told."""
    try:
        made_of = fingerprint(function)
    except UnknownIngredientError:
        return None
    return digest(kind, made_of, *(_type_digest(typ) for typ in argument_types))


@cache
def _type_digest(typ):
    return digest(type(typ).__name__, typ.name)


class _Inner(NamedTuple):
    """What the store has of an inner function; `called` are names and keys of those that it calls."""

    return_type: types.Type
    bitcode: bytes
    called: tuple


def _unpacked(data):
    """What was packed; None where that is nothing, or facts that this process has not built."""
    try:
        return pickle.loads(data) if data else None
    except Exception:
        return None


_libraries = {}  # key -> InnerLibrary, of what this process has loaded or compiled
_return_types = {}


def _load_library(codegen, name, key):
    """The library of this key with all that it calls; None where a part is missing."""
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


def _load_inner(state, func, key):
    """The compile result of an inner function that the store has; else None."""
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
        mangler=_mangled,
        argtypes=tuple(state.args),
        inline=state.flags.forceinline,
        noalias=state.flags.noalias,
        global_dict=func.__globals__ if func.__module__ is None else None,
        abi_tags=[state.flags.get_mangle_string()],
        uid=key.hex(),
    )
    environment = Environment.from_fndesc(names)
    entry = _stand_in(library, names, environment)
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


def has_inner(function, argument_types):
    """Whether the store has an inner function for arguments of these types."""
    key = key_of(function, argument_types, "inner")
    return key is not None and STORE.has(function.__qualname__, key)


def _save_inner(result, func, key):
    """Keeps an inner function, if all that it calls is kept and nothing of it lies in this process alone."""
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


class EntryCache(_Cache):
    """The machine code of an entry point, in the store; what Numba asks for it."""

    def __init__(self, py_func):
        self._function = py_func

    @property
    def cache_path(self):
        """The folder of the store."""
        return str(STORE.folder)

    def enable(self):
        """It is always in use."""

    def disable(self):
        """It is always in use."""

    def flush(self):
        """There is nothing to write behind."""

    def _key(self, sig, target_context):
        arguments, _ = normalize_signature(sig)
        return key_of(self._function, arguments, repr(target_context.codegen().magic_tuple()))

    def has(self, argument_types):
        """Whether the store has the code for arguments of these types."""
        key = self._key(argument_types, cpu_target.target_context)
        return key is not None and STORE.has(self._function.__qualname__, key)

    def load_overload(self, sig, target_context):
        """The kept code for a signature; None where there is none that could be loaded."""
        key = self._key(sig, target_context)
        kept = key and _unpacked(STORE.load(self._function.__qualname__, key))
        if not kept:
            return None
        code, symbols, names, environment, signature, environments = kept
        rtsys.initialize(target_context)
        codegen = target_context.codegen()
        library = codegen.create_library(names.qualname)
        library.enable_object_caching()
        library._set_compiled_object(code)
        library._finalize_final_module()
        codegen._engine._defined_symbols.update(symbols)
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

    def save_overload(self, sig, data):
        """Keeps code if that is possible."""
        key = self._key(sig, data.target_context)
        if key is None or data.reload_init or data.library.has_dynamic_globals:
            return
        names = data.fndesc
        names.typemap = names.calltypes = None
        symbols = [function.name for function in data.library.get_defined_functions()]
        code = data.library._get_compiled_object()
        environments = tuple(each for each in data._find_referenced_environments() if each.consts)
        kept = code, symbols, names, data.environment, data.signature, environments
        STORE.save(self._function.__qualname__, key, pickle.dumps(kept, protocol=pickle.HIGHEST_PROTOCOL))
