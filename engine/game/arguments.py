"""Checks of arguments from Python callers."""

from numbers import Integral, Real

LARGE = 10**9  # more than any count of moves, plies, seconds or pixels


def check_number(name: str, value: object, whole: bool = False) -> None:
    """Raises TypeError, which quotes the value of an argument, unless it is a number or a whole one."""
    if isinstance(value, bool) or not isinstance(value, Integral if whole else Real):
        raise TypeError(f"{name} {value!r} should be a {'whole ' * whole}number")


def check_range(name: str, value: object, least: int) -> None:
    """Raises TypeError unless the value of an argument is a whole number, ValueError if it is less than
    `least`; both quote it."""
    check_number(name, value, whole=True)
    if value < least:  # type: ignore[operator]  # it is a number
        raise ValueError(f"{name} {value!r} should be at least {least}")


def check_magnitude(name: str, value: object, whole: bool = False, below: int = LARGE) -> None:
    """Raises TypeError unless the value of an argument is a number or a whole one, ValueError unless it lies
    between -`below` and `below`; both quote it."""
    check_number(name, value, whole)
    if not -below < value < below:  # type: ignore[operator]  # it is a number
        raise ValueError(f"{name} {value!r} should be a number between -{below} and {below}")
