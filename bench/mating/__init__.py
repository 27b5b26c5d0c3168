"""Forced mates: the solver that proves them, the files that keep them, the games that they come from."""
