"""How moves are found, made and counted in compiled code."""
