"""What teaches Numba: bitboards, facts as types, how functions are compiled, and where compiled code is kept.

Nothing here knows a rule of any game."""
