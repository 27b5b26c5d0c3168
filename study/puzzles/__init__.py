"""Puzzles from games of the engine against itself: how they are found, what they are, their files."""
