"""The decorators of compiled functions for modules that plain Python imports; they do not import Numba."""

from collections.abc import Callable
from typing import Any

from .deferred import Deferred


def inner(body: Callable[..., Any]) -> Any:
    """`compiler.inner`, deferred."""

    def make() -> Any:
        from . import compiler

        return compiler.inner(body)

    return Deferred(make)


def over_rules(attribute: str) -> Callable[[Callable[..., Any]], Any]:
    """`facts.over_rules`, deferred."""
    return _folding("over_rules", attribute)


def unrolled(attribute: str) -> Callable[[Callable[..., Any]], Any]:
    """`facts.unrolled`, deferred."""
    return _folding("unrolled", attribute)


def chained(*folds: Any) -> Any:
    """`facts.chained`, deferred, of deferred folds."""

    def make() -> Any:
        from . import facts

        return facts.chained(*(fold.resolve() for fold in folds))

    return Deferred(make)


def _folding(decorator: str, attribute: str) -> Callable[[Callable[..., Any]], Any]:
    def decorate(body: Callable[..., Any]) -> Any:
        def make() -> Any:
            from . import facts

            return getattr(facts, decorator)(attribute)(body)

        return Deferred(make)

    return decorate
