"""Move generation in compiled code: attacks, legal moves, making a move, perft."""
