"""Checks of arguments from Python callers."""

from numbers import Integral, Real


def check_number(name: str, value: object, whole: bool = False) -> None:
    """Raises TypeError, which quotes the value of an argument, unless it is a number or a whole one."""
    if isinstance(value, bool) or not isinstance(value, Integral if whole else Real):
        raise TypeError(f"{name} {value!r} should be a {'whole ' * whole}number")
