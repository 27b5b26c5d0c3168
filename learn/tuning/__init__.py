"""Tuning by games: the parameters of the hand-written evaluation and of the search."""
