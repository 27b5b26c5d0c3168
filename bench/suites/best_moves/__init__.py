"""Suites of best moves: finding, files, and the share that the search finds."""
