"""Suites of positions from self-play games: their collection, files and measurement."""
