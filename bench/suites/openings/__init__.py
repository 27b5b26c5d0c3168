"""Suites of balanced openings: lines, the searches that judge them, and games that check the balance."""
