"""Fairy-Stockfish's `variants.ini`: read into TOML files of games, and written from them."""
