"""A game as a person wrote it: its file, its pieces, and positions and moves as text."""
