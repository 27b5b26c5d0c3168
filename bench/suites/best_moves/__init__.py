"""Suites of best moves: how they are found, their files, and the share that the search finds."""
