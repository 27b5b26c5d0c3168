"""Self-play: games in compiled code, files of games, and the positions in them."""
