"""The constants of the search by name; plies are half moves, scores centipawns.

Numbers that games decide are in `tunable`."""

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

FORCED_PLIES = 2  # plies of quiescence in which a mandatory capture leaves no standing pat
PROBCUT_PLIES = 3  # plies that a search for ProbCut is shallower

LMP_UNIT = 64  # one move, where their number is limited
LMR_UNIT = 1024  # one ply of reduction

HISTORY_LIMIT = 16_384
CONTINUATION_BYTES = 48 << 20  # at most, of a thread's continuation history
CORRECTION_BITS = 13
CORRECTION_ROWS = 1 << CORRECTION_BITS  # entries of a table of corrections
CORRECTION_TABLES = 5  # by hands, by either king, by either side's pieces
CORRECTION_LIMIT = 1024  # of an entry
CORRECTION_UNIT = 1024  # a weight of so much corrects by the whole entry
PROOF_PLIES = 31  # most plies of a mate that the proof search looks for, an odd number
PROOF_MOVES = 320  # moves of a node that it looks at
PROOF_ROWS = 1 << 16  # of its table

TRIED = 48  # moves of a node that a better one can blame

POLL_NODES = 256  # nodes between looks at the stop flag
