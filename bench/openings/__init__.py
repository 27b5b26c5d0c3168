"""Suites of balanced openings: the lines, the searches that judge them, the games that check the balance."""
