"""Every constant of the search by name; plies are half moves, scores centipawns."""

MAX_PLY = 128  # plies below the root that a line can reach
MAX_DEPTH = 100  # plies of nominal depth
MAX_GAME = 4096  # positions of a game's history that repetition looks at
SEEN_SLOTS = 16_384  # counters that spare most scans for repetitions
GIVEN_SCORES = 64  # positions whose score may be given

MATE = 32_000  # mate at the root; mate in n plies scores MATE - n
MATE_BOUND = MATE - MAX_PLY
INFINITE = 32_001
# Perpetual check loses for the checker, but has no length that could be announced as mate.
PERPETUAL = 20_000
DECISIVE = PERPETUAL - MAX_PLY

ASPIRATION_DEPTH = 5
ASPIRATION_WINDOW = 30

# Pruning of whole nodes: off the principal variation and not in check.
RFP_DEPTH = 8  # reverse futility pruning: an evaluation so far above beta will hold
RFP_MARGIN = 90  # for each ply left, one fewer when the evaluation improves
RAZOR_DEPTH = 3  # so far below alpha only captures can help
RAZOR_MARGIN = 300  # for each ply left
NULL_DEPTH = 3
NULL_REDUCTION = 4096  # in LMR_UNIT
NULL_SLOPE = 256  # for each ply left
NULL_MARGIN = 200  # above beta for each further ply of reduction
NULL_MAX_MARGIN = 3  # such plies
IIR_DEPTH = 4  # internal iterative reduction: from here on, a ply less without a table move

# Pruning of single moves, once a move that does not lose has been found.
LMP_DEPTH = 8
LMP_UNIT = 64
LMP_BASE = 256  # so many quiet moves, in LMP_UNIT, are tried: half when not improving
LMP_SLOPE = 64  # for the square of the depth
FUTILITY_DEPTH = 8
FUTILITY_BASE = 120
FUTILITY_MARGIN = 100  # for each ply left
HISTORY_DEPTH = 4
HISTORY_FLOOR = 6_000  # below zero for each ply left
SEE_DEPTH = 8
SEE_QUIET = 30  # lost at most, times the square of the depth
SEE_TACTICAL = 120  # times the depth
SEE_CHECK = 120  # times the depth, by a quiet move that checks

# Reductions of late moves, in LMR_UNIT.
LMR_DEPTH = 2  # from this depth on
LMR_UNIT = 1024  # one ply of reduction
LMR_BASE = 410
LMR_SLOPE = 512  # for ln(depth) * ln(number of the move)
LMR_TACTICAL = 512  # the part, of LMR_UNIT, of it for captures and promotions
LMR_PV = 1024  # less on the principal variation
LMR_CUT_NODE = 1024  # more where a cut-off is expected
LMR_NOT_IMPROVING = 512  # more when the evaluation does not improve
LMR_GIVES_CHECK = 1024  # less for checks
LMR_IN_CHECK = 1024  # less for replies to check
LMR_HISTORY = 1024  # less for a history of HISTORY_LIMIT

# Singular extensions: a table move that is better than all others by a margin.
SINGULAR_DEPTH = 7
SINGULAR_DEPTH_LAG = 3  # plies that the table's entry may be shallower
SINGULAR_MARGIN = 32  # sixteenths of a centipawn for each ply
DOUBLE_EXTENSION_MARGIN = 25  # so much further below: two plies

HISTORY_LIMIT = 16_384
BONUS_FACTOR = 150  # bonus = factor * depth, up to the limit of a bonus
BONUS_LIMIT = 1_800
CAPTURE_HISTORY_DIVISOR = 8
TRIED = 48  # moves of a node that a better one can blame

DELTA_MARGIN = 180  # a capture in quiescence must come this near to alpha
QUIESCENCE_CHECKS = 1  # plies of quiescence that try drops that check
QUIESCENCE_EVASIONS = 2  # plies of quiescence that search all replies to check
POLL_NODES = 256  # nodes between looks at the stop flag

ORDER_KILLER = 40_000
ORDER_COUNTER = 20_000
ORDER_CHECK = 16_000
