"""Records of games: their model, PGN, and files that survive a crash."""
