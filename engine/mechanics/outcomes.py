"""How a position may have ended the game by a rule other than mate, stalemate, repetition or counting moves.

The numbers stand in the position's field `outcome`; `score_sign` tells what each is worth.
"""

from ..kernel.deferred_decorators import inner

UNDECIDED = 0
DRAW_BY_PASSES, DRAW_BY_FACING = 1, 2
LOST_KING, LOST_BARE = 3, 4  # by the side to move
LOST_TO_GOAL, LOST_BY_CHECKS = 5, 6
WON_BY_FACING, WON_BARE = 7, 8  # by the side to move

REASONS = {
    DRAW_BY_PASSES: "Both sides passed",
    DRAW_BY_FACING: "Bikjang: the kings kept facing each other",
    LOST_KING: "{other} backstabs the king",
    LOST_BARE: "{mover} has nothing but {bare}",
    LOST_TO_GOAL: "{other} reaches the goal",
    LOST_BY_CHECKS: "{other} has given enough checks",
    WON_BARE: "{other} has nothing but its king",
    WON_BY_FACING: "{other} exposed the kings to each other",
}


@inner
def score_sign(outcome):
    """1 for an outcome that the side to move has won, -1 for one that it has lost, 0 for a draw."""
    if outcome >= WON_BY_FACING:
        return 1
    return -1 if outcome >= LOST_KING else 0
