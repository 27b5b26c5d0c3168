"""Plain data for JSON."""

import math
from typing import Any


def without_nan(value: Any) -> Any:
    """A structure of plain data with None in place of NaN, which JSON does not have."""
    if isinstance(value, dict):
        return {key: without_nan(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_nan(each) for each in value]
    return None if isinstance(value, float) and math.isnan(value) else value
