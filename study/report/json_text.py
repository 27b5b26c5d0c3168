"""Plain data for JSON."""

import math
from typing import Any

DIGITS = 5


def without_nan(value: Any) -> Any:
    """A structure of plain data with None in place of NaN, which JSON does not have, and numbers with DIGITS
    behind the point."""
    if isinstance(value, dict):
        return {key: without_nan(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_nan(each) for each in value]
    if isinstance(value, float):
        return None if math.isnan(value) else round(value, DIGITS)
    return value
