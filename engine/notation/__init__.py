"""Moves and games in human notations: SAN, and PGN with variations and comments, both read and written."""
