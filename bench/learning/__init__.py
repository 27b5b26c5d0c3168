"""Games of the engine against itself and the positions in them, for training; the games themselves are played
in `search.selfplay`."""
