"""A game in progress: position, clocks, the search under way. No protocol is known here."""
