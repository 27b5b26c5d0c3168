"""A game in plain Python: its description, its pieces, moves as text, and a reader of tables."""
