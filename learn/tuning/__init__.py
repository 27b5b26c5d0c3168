"""Tuning by games: the numbers of the hand-written evaluation and of the search."""
