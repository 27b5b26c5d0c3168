"""The transposition table: what earlier searches found out, shared by all threads without locks.

A bucket is one cache line of four entries, an entry two words: `data`, and `check`, the key with the static
evaluation in its low 16 bits, xor a hash of `data`. An entry torn between two writers fails its check
(after R. Hyatt and T. Mann, "A lock-less transposition table implementation", 2002; they xor `data` itself,
which would let through entries that differ in the evaluation's bits alone).
"""

from contextlib import suppress

import numpy as np

from ...engine.kernel.compiler import inner
from .memory import read_word, write_word
from .parameters import MATE_BOUND

UPPER, LOWER, EXACT = 1, 2, 3
ENTRY_BYTES, BUCKET_ENTRIES = 16, 4
BUCKET_BYTES = ENTRY_BYTES * BUCKET_ENTRIES
SCORE_SHIFT, DEPTH_SHIFT, BOUND_SHIFT, AGE_SHIFT = 32, 48, 55, 57
SCORE_OFFSET = 32_768
AGES = 64
LOW_16 = 0xFFFF
SPREAD = 0x9E3779B97F4A7C15  # odd; a product with it carries every bit of `data` into the high ones
NO_ANSWER = -1_000_000  # no score is as low
SAMPLE_WORDS = 4000  # how much of the table `hashfull` looks at
STALE_PLIES = 8  # depth that one search of age outweighs


class TranspositionTable:
    """Memory for entries. `megabytes` is rounded down to a power of two of buckets."""

    def __init__(self, megabytes: int) -> None:
        self.megabytes = 0
        self.resize(megabytes)

    def resize(self, megabytes: int) -> None:
        """Allocates new, empty memory. Raises ValueError below 1 MB, and MemoryError if there is not enough.
        After a MemoryError the table is empty and has its old size, or 1 MB if even that fails."""
        if not megabytes >= 1:
            raise ValueError(f"a table of {megabytes} MB is not possible; it needs at least 1")
        before = self.megabytes
        try:
            self._take(megabytes)
        except (MemoryError, ValueError, OverflowError):
            for size in (before, 1) if before else ():
                with suppress(MemoryError):
                    self._take(size)
                    break
            raise MemoryError(f"there is no memory for a table of {megabytes} MB") from None

    def _take(self, megabytes: int) -> None:
        buckets = 1 << (int(megabytes * 2**20 // BUCKET_BYTES).bit_length() - 1)
        self._memory = None  # frees the old memory before allocating the new
        self._memory = np.zeros(buckets * BUCKET_BYTES // 8 + 8, np.uint64)
        start = self._memory.ctypes.data
        self.address = (start + BUCKET_BYTES - 1) // BUCKET_BYTES * BUCKET_BYTES
        self.mask = buckets - 1
        self.megabytes = megabytes
        self.age = 0

    def clear(self) -> None:
        """Clears the table."""
        self._memory[:] = 0
        self.age = 0

    def new_search(self) -> None:
        """Makes everything stored so far one search older."""
        self.age = (self.age + 1) % AGES

    def hashfull(self) -> int:
        """Permille of a sample of entries that the current search wrote."""
        first = (self.address - self._memory.ctypes.data) // 8 + 1
        data = self._memory[first : first + SAMPLE_WORDS : 2][: (self.mask + 1) * BUCKET_ENTRIES]
        fresh = (data >> np.uint64(AGE_SHIFT)) % np.uint64(AGES) == np.uint64(self.age)
        return int(1000 * np.count_nonzero(fresh & (data != 0)) / len(data))


@inner
def table_score(score, ply):
    """A score from `ply` plies below the root in the form of the table: mates counted from the node."""
    if score >= MATE_BOUND:
        return score + ply
    if score <= -MATE_BOUND:
        return score - ply
    return score


@inner
def node_score(score, ply):
    """A score from the table, `ply` plies below the root."""
    if score >= MATE_BOUND:
        return score - ply
    if score <= -MATE_BOUND:
        return score + ply
    return score


@inner
def entry_move(data):
    """The best move of an entry, or NO_MOVE."""
    return np.int64(data & np.uint64((1 << SCORE_SHIFT) - 1))


@inner
def entry_score(data):
    """The score of an entry, mates counted from its node."""
    return np.int64((data >> np.uint64(SCORE_SHIFT)) & np.uint64(LOW_16)) - SCORE_OFFSET


@inner
def entry_depth(data):
    """The plies an entry was searched to."""
    return np.int64((data >> np.uint64(DEPTH_SHIFT)) & np.uint64(127))


@inner
def entry_bound(data):
    """UPPER, LOWER or EXACT; 0 for no entry."""
    return np.int64((data >> np.uint64(BOUND_SHIFT)) & np.uint64(3))


@inner
def answer(data, alpha, beta, ply):
    """The score of an entry at `ply` if its bound settles a search of (alpha, beta), else NO_ANSWER."""
    score, bound = node_score(entry_score(data), ply), entry_bound(data)
    if bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha):
        return score
    return np.int64(NO_ANSWER)


@inner
def _entry_age(data):
    return np.int64((data >> np.uint64(AGE_SHIFT)) & np.uint64(AGES - 1))


@inner
def bucket(worker, key):
    """The address of the entries where `key` may be."""
    return worker.table + (key & worker.table_mask) * np.uint64(BUCKET_BYTES)


@inner
def _opened(check, data):
    """The key with the evaluation in its low bits, from the two words of an entry."""
    return check ^ (data * np.uint64(SPREAD))


@inner
def probe(worker, key):
    """(data, static evaluation) of the entry for `key`; data is 0 when there is none. What an earlier search
    stored counts as this search's from now on."""
    place = bucket(worker, key)
    for _ in range(BUCKET_ENTRIES):
        check, data = read_word(place), read_word(place + np.uint64(8))
        found = _opened(check, data)
        if (found ^ key) >> np.uint64(16) == np.uint64(0) and data != np.uint64(0):
            if _entry_age(data) != worker.age:
                data = (data & ~np.uint64((AGES - 1) << AGE_SHIFT)) | (
                    np.uint64(worker.age) << np.uint64(AGE_SHIFT)
                )
                write_word(place, _opened(found, data))
                write_word(place + np.uint64(8), data)
            low = np.int64(found & np.uint64(LOW_16))
            return data, low - SCORE_OFFSET
        place += np.uint64(ENTRY_BYTES)
    return np.uint64(0), np.int64(0)


@inner
def record(worker, key, move, score, depth, bound, static_eval):
    """Stores an entry, over the one of the same position or the least valuable one of its bucket.

    `score` is as `table_score` gives it; a known move stays when none is given.
    """
    place = bucket(worker, key)
    chosen, lowest = place, np.int64(1 << 40)
    for _ in range(BUCKET_ENTRIES):
        check, data = read_word(place), read_word(place + np.uint64(8))
        if data == np.uint64(0):
            chosen = place
            break
        if (_opened(check, data) ^ key) >> np.uint64(16) == np.uint64(0):
            if move == 0:
                move = entry_move(data)
            if bound != EXACT and _entry_age(data) == worker.age and depth < entry_depth(data) - 3:
                return
            chosen = place
            break
        staleness = (worker.age - _entry_age(data)) & (AGES - 1)
        value = entry_depth(data) - STALE_PLIES * staleness
        if value < lowest:
            chosen, lowest = place, value
        place += np.uint64(ENTRY_BYTES)
    data = (
        np.uint64(move)
        | np.uint64(score + SCORE_OFFSET) << np.uint64(SCORE_SHIFT)
        | np.uint64(max(0, min(depth, 127))) << np.uint64(DEPTH_SHIFT)
        | np.uint64(bound) << np.uint64(BOUND_SHIFT)
        | np.uint64(worker.age) << np.uint64(AGE_SHIFT)
    )
    found = (key & ~np.uint64(LOW_16)) | np.uint64(static_eval + SCORE_OFFSET)
    write_word(chosen, _opened(found, data))
    write_word(chosen + np.uint64(8), data)
