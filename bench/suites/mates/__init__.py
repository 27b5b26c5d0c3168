"""Suites of forced mates: the solver that proves them, their files, and the share that the search finds."""
