"""Checks of what Python callers give an engine."""

import math

from .time_management import Limit


def check_position(position: object) -> None:
    """Raises TypeError, which names the type, for something that is not a `Position`."""
    if not hasattr(position, "variant"):
        kind = f"{type(position).__module__}.{type(position).__qualname__}".removeprefix("builtins.")
        other = "; Position.from_chess takes boards of python-chess" if kind.startswith("chess.") else ""
        raise TypeError(f"an engine searches a surajang.Position, not a {kind}{other}")


def checked_limit(limit: Limit | None) -> Limit:
    """The limit, or none. Raises TypeError for something else, such as a limit of python-chess."""
    if limit is not None and not isinstance(limit, Limit):
        raise TypeError(f"{limit!r} is not a surajang.Limit, such as Limit(time=1.0)")
    return limit or Limit()


def is_endless(limit: Limit | None) -> bool:
    """Whether a limit never ends a search, because it has no part that is finite."""
    if limit is None:
        return True
    if not isinstance(limit, Limit):
        return False  # `checked_limit` refuses it
    time = getattr(limit.clock, "remaining", limit.clock)
    return all(part in (None, math.inf) for part in (limit.time, limit.depth, limit.nodes, limit.mate, time))
