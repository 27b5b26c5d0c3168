"""Extensions of Numba: bitboards, facts as types, the compilation of functions, and the cache of compiled
code. Nothing here depends on the rules of a game."""
