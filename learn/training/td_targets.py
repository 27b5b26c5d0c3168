"""The TD target: a position's target from the rest of its game.

A search's own score is what the network knows already, a few plies deeper. The result knows all, but it is
one noisy number for a whole game. Between them lie the scores of the moves that follow. The TD target of a
position is their average, where each ply further on counts `decay` times as much as the one before it, and
the result takes what is left at the end. This is the target of TD(lambda) (R. Sutton, "Learning to predict
by the methods of temporal differences", 1988)."""

from ...engine.kernel.compiler import inner


@inner
def td_target_before(td_target, chance, decay):
    """The TD target of a ply whose score means that `chance`, 0 to 1, where `td_target` is that of the next
    ply, or the result. With a decay of 1 it is always the result."""
    return decay * td_target + (1.0 - decay) * chance
