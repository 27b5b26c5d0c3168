"""Names of a package that are imported with their first use, so that importing the package is cheap."""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any

Homes = Mapping[str, Iterable[str]]  # module, relative to the package -> names


def homes_by_name(homes: Homes) -> dict[str, str]:
    """Name -> its module."""
    return {name: module for module, names in homes.items() for name in names}


def lazy_names(package: str, homes: Homes, modules: Iterable[str] = ()) -> Callable[[str], Any]:
    """The `__getattr__` of a package: names of its `homes`, and `modules` of its own."""
    known, modules = homes_by_name(homes), frozenset(modules)

    def find(name: str) -> Any:
        if name in modules:
            return import_module(f".{name}", package)
        if name not in known:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f".{known[name]}", package), name)

    return find
