"""The code of inner functions as LLVM code, until an entry point links it in."""

from collections.abc import Iterable
from functools import cache
from typing import Any

import llvmlite.binding as llvm
import numba
from numba import _dynfunc
from numba.core import config
from numba.core.codegen import CodeLibrary, JITCodeLibrary
from numba.core.itanium_mangler import mangle
from numba.core.runtime.nrt import rtsys

INLINING_THRESHOLD = 150  # of the cost of a call that LLVM inlines; its own is 225


class InnerLibrary(JITCodeLibrary):
    """The LLVM code of an inner function, until an entry point links it in.

    Numba would link, optimise and load the code of every function together with all that it calls, again and
    again at each level. Here that happens once per entry point. `key` is its name in the store; None if it is
    not stored."""

    def __init__(self, codegen: Any, name: str, key: bytes | None) -> None:
        CodeLibrary.__init__(self, codegen, name)
        self.key = key
        self._linking_libraries = []
        self._final_module = self._shared_module = None

    def add_llvm_module(self, ll_module: llvm.ModuleRef) -> None:
        """Adds a module. Each of its functions is simplified separately, so that entry points have less to
        optimise."""
        ll_module.data_layout = self._codegen._data_layout
        for function in ll_module.functions:
            if not function.is_declaration:
                passes = llvm.create_new_function_pass_manager()
                passes.add_sroa_pass()
                passes.add_simplify_cfg_pass()
                passes.add_instruction_combine_pass()
                passes.add_simplify_cfg_pass()
                passes.run(function, self._codegen._pass_builder())
        if self._final_module is None:
            self._final_module = ll_module
        else:
            self._final_module.link_in(ll_module)

    def add_linking_library(self, library: CodeLibrary) -> None:
        """Records a library that this code calls. Numba's runtime comes with the entry point."""
        if library is not rtsys.library:
            super().add_linking_library(library)

    def finalize(self) -> None:
        """Includes the few functions of Numba itself that are called; nothing is linked or loaded yet."""
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
    def called(self) -> "list[InnerLibrary]":
        """The libraries of the inner functions that this one calls, without duplicates."""
        return [library for library in dict.fromkeys(self._linking_libraries) if library is not self]

    @property
    def bitcode(self) -> bytes:
        """The function's own code, for the store."""
        return self._final_module.as_bitcode()

    @classmethod
    def of_bitcode(
        cls, codegen: Any, name: str, key: bytes, bitcode: bytes, called: "Iterable[InnerLibrary]"
    ) -> "InnerLibrary":
        """The library from stored bitcode."""
        self = cls(codegen, name, key)
        self._final_module = llvm.parse_bitcode(bitcode)
        self._linking_libraries = list(called)
        self._finalized = True
        return self

    def _get_module_for_linking(self) -> llvm.ModuleRef:
        """The code of this function and of all that it calls. Callers are linked before their callees,
        because LLVM drops a function that nothing has called yet."""
        order, seen = [], set()
        self._visit(order, seen)
        module = self._final_module.clone()
        for library in reversed(order[:-1]):
            module.link_in(library._final_module.clone())
        return module

    def _visit(self, order: "list[InnerLibrary]", seen: "set[InnerLibrary]") -> None:
        """Appends this library to `order` after all that it calls."""
        seen.add(self)
        for library in self._linking_libraries:
            if library not in seen:
                library._visit(order, seen)
        order.append(self)


class EntryLibrary(JITCodeLibrary):
    """The code of an entry point.

    Numba optimises a module twice, so that fewer references are counted. Here no code counts any, and its
    functions come simplified.

    Inner functions become internal: LLVM then passes no constants, and inlines a function that has a single
    caller. It inlines other calls only below a lower threshold than usual, to compile as fast as without.

    They also get other names. LLVM's loader would otherwise use such a function, from which LLVM may have
    removed arguments, in place of the whole one of the same name in code that is loaded later.
    """

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if function.linkage in (llvm.Linkage.linkonce_odr, llvm.Linkage.internal):
                function.linkage = llvm.Linkage.internal
                function.name += ".internal"
        options = llvm.create_pipeline_tuning_options(speed_level=int(config.OPT))
        options.loop_vectorization = True
        options.inlining_threshold = INLINING_THRESHOLD
        builder = llvm.create_pass_builder(self._codegen._tm, options)
        builder.getModulePassManager().run(self._final_module, builder)


@cache
def _refusal() -> tuple[int, Any]:
    """The address of compiled code that takes no argument, and raises TypeError if it gets any."""
    refuse = numba.njit(lambda: None)
    refuse.compile(())
    code, names = (getattr(refuse.overloads[()], part) for part in ("library", "fndesc"))
    return code.get_pointer_to_function(names.llvm_cpython_wrapper_name), refuse


def stand_in(library: InnerLibrary, fndesc: Any, env: Any) -> Any:
    """A placeholder for the machine code of an inner function, so that Python cannot call it by mistake."""
    address, refuse = _refusal()
    name = fndesc.qualname.split(".")[-1]
    return _dynfunc.make_function(fndesc.lookup_module(), name, "inner", address, env, (library, refuse))


def mangled(
    name: str, argument_types: Iterable[Any], *, abi_tags: Iterable[str] = (), uid: int | str | None = None
) -> str:
    """The symbol of a function. Numba's symbol has numbers of types that differ between processes; the key in
    the store, which `_Naming` makes the `uid`, replaces them."""
    if isinstance(uid, str):
        argument_types = abi_tags = ()
    return mangle(name, argument_types, abi_tags=abi_tags, uid=uid)
