"""Which move to play: the tree, its tables, its threads and its time."""
