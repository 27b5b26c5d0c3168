"""The board to compiled code: squares, lines, the record of a position, and where pieces reach."""
