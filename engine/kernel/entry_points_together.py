"""Several entry points compiled into one library: LLVM optimises once what they have in common, and the
machine code is stored once."""

from collections.abc import Sequence
from typing import Any

from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from .code_cache import save_entries
from .parallel_compile import Part
from .pipeline import entry_library, shared


def compile_together(parts: Sequence[Part]) -> None:
    """Compiles entry points that this process has not compiled yet, and stores them."""
    context = cpu_target.target_context
    with global_compiler_lock:
        library = entry_library(context.codegen(), parts[0].function.py_func.__qualname__)
        with shared(library):
            unfinished = list(map(_compiled, parts))
        entries = []
        for part, each in zip(parts, unfinished, strict=True):
            executable = context.get_executable(library, each.fndesc, each.environment)
            result = each._replace(entry_point=executable)
            context.insert_user_function(executable, result.fndesc, [library])
            part.function.add_overload(result)
            entries.append((part.function._cache, part.types, result))
        save_entries(entries)


def _compiled(part: Part) -> Any:
    """The result of Numba's compiler for an entry point, which may call itself."""
    with part.function._compiling_counter:
        return part.function._compiler.compile(part.types, None)
