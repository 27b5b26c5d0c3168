"""The compiled search: the tree, quiescence, move ordering, and histories."""
