"""The TD target: a position's target from the rest of its game.

The score of a search is what the network already knows, a few plies deeper. The result is exact, but it is
one noisy number for a whole game. The scores of the following moves are in between. The TD target of a
position is their average, in which each later ply has `decay` times the weight of the one before it; the
result has the remaining weight at the end. This is the target of TD(lambda) (R. Sutton, "Learning to predict
by the methods of temporal differences", 1988)."""

from ...engine.kernel.compiler import inner


@inner
def td_target_before(td_target, chance, decay):
    """The TD target of a ply, where `chance` (0 to 1) is that of its score, and `td_target` is that of the
    next ply, or the result. With a decay of 1 it is always the result."""
    return decay * td_target + (1.0 - decay) * chance
