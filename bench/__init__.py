"""Benchmarks: speed, start-up, and suites of mates, best moves and openings."""
