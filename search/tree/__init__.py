"""The compiled search: the tree, quiescence, the order of moves, and what they remember."""
