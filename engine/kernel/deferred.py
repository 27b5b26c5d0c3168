"""Compiled code in modules that plain Python imports: Numba is imported when it is needed.

A module that declares something for plain Python and has compiled functions beside it imports the modules of
these functions in a `with deferred_imports():` block, and decorates the functions with `deferred_decorators`.
The names then are placeholders that are resolved or compiled at their first use, as with `lazy` import
statements from Python 3.15 on."""

import builtins
import importlib
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

_lock = threading.Lock()  # one module at a time defers imports


class Deferred:
    """A placeholder for the result of `make()`; Numba types it as that result."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._made: list[Any] = []
        self._type: Any = None

    def resolve(self) -> Any:
        """The object itself."""
        if not self._made:
            self._made.append(self._make())
        return self._made[0]

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self.resolve()(*arguments, **options)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.resolve(), name)

    @property
    def _numba_type_(self) -> Any:
        if self._type is None:
            from numba.core.registry import cpu_target

            value, context = self.resolve(), cpu_target.typing_context
            context.refresh()  # the definitions of `resolve` are not registered yet
            self._type = context.resolve_value_type(value)
        return self._type


class _LaterModule:
    """A module whose names are deferred."""

    def __init__(self, name: str, package: str) -> None:
        self._name, self._package = name, package

    def __getattr__(self, name: str) -> Deferred:
        return Deferred(lambda: getattr(importlib.import_module(self._name, self._package), name))


@contextmanager
def deferred_imports() -> Iterator[None]:
    """A context in which `import a as b` and `from a import b` of the calling module are deferred. `b` must
    be a function, a class or a module: numbers must be available when code is compiled."""
    caller = sys._getframe(2).f_globals

    def later(
        name: str,
        scope: Mapping[str, Any] | None = None,
        local: Mapping[str, Any] | None = None,
        names: Sequence[str] | None = (),
        level: int = 0,
    ) -> Any:
        if scope is not caller:  # an import of another thread
            return real(name, scope, local, names or (), level)
        if not names:
            return Deferred(lambda: importlib.import_module(name))
        return _LaterModule("." * level + name, caller["__package__"])

    with _lock:
        real = builtins.__import__  # not that of another thread, which may be deferring
        builtins.__import__ = later
        try:
            yield
        finally:
            builtins.__import__ = real
