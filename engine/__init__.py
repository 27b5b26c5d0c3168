"""The rules of the games: from a file of a game to moves on a board, in code compiled for that game alone."""
