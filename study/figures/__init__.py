"""From games to figures: pure functions, each figure with its 95 % interval."""
