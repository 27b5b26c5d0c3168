"""The command `holding` of CECP: the hands of both sides, as a chess server reports them."""

import re
from collections import Counter

from ..wire.arguments import RefusedError

_HOLDING = re.compile(r"\[([A-Za-z]*)\]\s*\[([A-Za-z]*)\](?:\s+[WwBb][A-Za-z])?", re.ASCII)


def read_holding(text: str) -> tuple[Counter[str], Counter[str]]:
    """White's and Black's hand, letter to count, from `[PPR] [q]`; the last acquisition may follow. Raises
    RefusedError."""
    match = _HOLDING.fullmatch(text)
    if not match:
        raise RefusedError("holding needs two hands in brackets")
    return Counter(match[1].upper()), Counter(match[2].upper())
