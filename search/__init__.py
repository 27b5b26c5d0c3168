"""The search: the tree, its tables, its threads and its time management."""
