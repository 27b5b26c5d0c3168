"""Every constant of the search by name; plies are half moves, scores centipawns."""

MAX_PLY = 128  # plies below the root that a line can reach
MAX_DEPTH = 100  # plies of nominal depth
MAX_GAME = 4096  # positions of a game's history that repetition looks at
SEEN_SLOTS = 16_384  # counters that spare most scans for repetitions

MATE = 32_000  # mate at the root; mate in n plies scores MATE - n
MATE_BOUND = MATE - MAX_PLY
INFINITE = 32_001
# Perpetual check loses for the checker, but has no length that could be announced as mate.
PERPETUAL = 20_000
DECISIVE = PERPETUAL - MAX_PLY

ASPIRATION_DEPTH = 5
ASPIRATION_WINDOW = 30
NULL_DEPTH = 3
NULL_REDUCTION = 3
NULL_DEPTH_DIVISOR = 5
REDUCTION_DEPTH = 3  # late moves are reduced from this depth on
REDUCTION_MOVES = 3  # after so many moves
REDUCTION_DIVISOR = 1.9  # plies = ln(depth) * ln(number of the move) / divisor
HISTORY_LIMIT = 16_384
HISTORY_REDUCTION = 8_192  # history that changes a reduction by one ply
DELTA_MARGIN = 180  # a capture in quiescence must come this near to alpha
QUIESCENCE_EVASIONS = 2  # plies of quiescence that search all replies to check
POLL_NODES = 256  # nodes between looks at the stop flag

ORDER_TABLE = 1 << 30
ORDER_CAPTURE = 1 << 24
ORDER_KILLER = 1 << 22
