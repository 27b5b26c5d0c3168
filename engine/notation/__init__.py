"""Moves and games as people write them: SAN, and PGN with variations, comments and glyphs; read and written."""
