"""Moves and games as people write them: SAN, and PGN with variations and comments, both read and written."""
