"""The definition of a game by its file: finding, reading and checking files; positions as text."""
