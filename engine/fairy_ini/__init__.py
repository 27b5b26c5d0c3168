"""Fairy-Stockfish's `variants.ini`: conversion to and from TOML files of games."""

SUFFIX = ".ini"
