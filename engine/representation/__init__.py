"""Board representation in compiled code: squares, lines, the record of a position, attack patterns."""
