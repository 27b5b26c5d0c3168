"""The transposition table: stored entries are found, torn ones are not, and important ones stay."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from surajang.search.tree import table as tables
from surajang.search.tree.memory import read_word, write_word
from surajang.search.tree.parameters import INFINITE, MATE, MATE_BOUND, MAX_PLY
from surajang.search.tree.table import (
    AGES,
    BUCKET_BYTES,
    BUCKET_ENTRIES,
    EXACT,
    LOWER,
    UPPER,
    TranspositionTable,
    entry_bound,
    entry_depth,
    entry_move,
    entry_score,
)

pytestmark = [pytest.mark.compiled, pytest.mark.quick]

deterministic = settings(derandomize=True, deadline=None, max_examples=100)
ACCESS = np.dtype([("table", np.uint64), ("table_mask", np.uint64), ("age", np.int64)], align=True)
ABSENT = None
GREATEST_MOVE = (1 << 32) - 1
BIG_EVAL = 15_000


@njit(nogil=True)
def record(access, key, move, score, depth, bound, static_eval):
    tables.record(access, key, move, score, depth, bound, static_eval)


@njit(nogil=True)
def probe(access, key):
    """(found, move, score, depth, bound, static evaluation)."""
    data, static_eval = tables.probe(access, key)
    found = data != np.uint64(0)
    return found, entry_move(data), entry_score(data), entry_depth(data), entry_bound(data), static_eval


@njit
def read_words(access, words):
    for i in range(len(words)):
        words[i] = read_word(access.table + np.uint64(8 * i))


@njit
def write_words(access, words):
    for i in range(len(words)):
        write_word(access.table + np.uint64(8 * i), words[i])


@njit
def shift_scores(score, ply, other):
    return tables.node_score(tables.table_score(score, ply), other)


class Table(TranspositionTable):
    """A table with the access that a search thread has to it."""

    def __init__(self, megabytes=1):
        super().__init__(megabytes)
        self.thread = np.zeros(1, ACCESS)[0]

    def access(self):
        self.thread["table"], self.thread["table_mask"] = self.address, self.mask
        self.thread["age"] = self.age
        return self.thread

    def put(self, key, move=1, score=0, depth=1, bound=LOWER, static_eval=0):
        record(self.access(), np.uint64(key), move, score, depth, bound, static_eval)

    def get(self, key):
        found, *entry = probe(self.access(), np.uint64(key))
        return tuple(entry) if found else ABSENT

    def bucket(self):
        """The words of the first bucket."""
        words = np.zeros(BUCKET_BYTES // 8, np.uint64)
        read_words(self.access(), words)
        return words

    def set_bucket(self, words):
        write_words(self.access(), words)


def rivals(count):
    """Different keys of one bucket, the first one."""
    return [(number + 1) << 20 for number in range(count)]


keys = st.integers(0, (1 << 64) - 1)
moves = st.integers(1, GREATEST_MOVE)
scores = st.sampled_from([-INFINITE, -MATE, MATE, INFINITE]) | st.integers(-INFINITE, INFINITE)
depths = st.integers(0, 127)
bounds = st.sampled_from([UPPER, LOWER, EXACT])
evals = st.sampled_from([-BIG_EVAL, BIG_EVAL]) | st.integers(-BIG_EVAL, BIG_EVAL)
entries = st.tuples(moves, scores, depths, bounds, evals)


# Store and find


@deterministic
@given(keys, entries)
def test_what_is_stored_is_found(key, entry):
    table = Table()
    assert table.get(key) is ABSENT
    table.put(key, *entry)
    assert table.get(key) == entry


def test_every_bit_of_a_move_is_kept():
    table = Table()
    for bit in range(GREATEST_MOVE.bit_length()):
        table.put(bit << 20, move=1 << bit)
        assert table.get(bit << 20)[0] == 1 << bit
    table.put(5, move=GREATEST_MOVE, score=-1, depth=0, bound=UPPER, static_eval=-1)
    assert table.get(5) == (GREATEST_MOVE, -1, 0, UPPER, -1)


@pytest.mark.parametrize("depth, kept", [(-3, 0), (0, 0), (100, 100), (127, 127), (200, 127)])
def test_depth_is_kept_within_its_bits(depth, kept):
    table = Table()
    table.put(7, move=3, score=-5, depth=depth, bound=EXACT, static_eval=9)
    assert table.get(7) == (3, -5, kept, EXACT, 9)


def test_entry_without_a_move_is_found():
    table = Table()
    table.put(9, move=0, score=12, depth=4, bound=UPPER, static_eval=-3)
    assert table.get(9) == (0, 12, 4, UPPER, -3)


@deterministic
@given(st.lists(st.integers(0, 47), min_size=1, max_size=4, unique=True), entries)
def test_key_that_differs_in_any_high_bit_is_not_found(bits, entry):
    table = Table()
    table.put(0xABCD << 30, *entry)
    other = (0xABCD << 30) ^ sum(1 << (16 + bit) for bit in bits)
    assert table.get(other) is ABSENT


def test_keys_of_different_buckets_do_not_meet():
    table = Table()
    for key in range(table.mask + 1):
        table.put(key, move=key + 1)
    assert all(table.get(key)[0] == key + 1 for key in range(table.mask + 1))


# Mates


@deterministic
@given(st.integers(0, 40), st.integers(0, MAX_PLY - 41), st.integers(0, MAX_PLY - 41), st.booleans())
def test_mate_keeps_its_distance_from_the_node(distance, ply, other, mated):
    """A mate `distance` plies below a node, stored at one ply of the tree and read at another."""
    sign = -1 if mated else 1
    stored = sign * (MATE - ply - distance)
    assert shift_scores(stored, ply, other) == sign * (MATE - other - distance)


@deterministic
@given(st.integers(1 - MATE_BOUND, MATE_BOUND - 1), st.integers(0, MAX_PLY), st.integers(0, MAX_PLY))
def test_other_scores_do_not_depend_on_the_ply(score, ply, other):
    assert shift_scores(score, ply, other) == score


# Torn entries: the first word of one write with the second of another


def words_of(key, entry):
    """The words (check, data) of the entry that a write leaves in an empty bucket."""
    table = Table()
    table.put(key, *entry)
    check, data, *rest = table.bucket()
    assert not any(rest)
    return check, data


def torn(check, data):
    """A table whose first bucket holds these two words alone."""
    table, words = Table(), np.zeros(BUCKET_BYTES // 8, np.uint64)
    words[:2] = check, data
    table.set_bucket(words)
    return table


def test_whole_entry_put_together_is_found():
    """The checks below tear entries correctly: the two words of one write are an entry."""
    key, entry = rivals(1)[0], (5, 17, 3, EXACT, -8)
    assert torn(*words_of(key, entry)).get(key) == entry


@st.composite
def pairs(draw):
    """Two entries; some agree on all but the move."""
    one = draw(entries)
    return one, draw(entries | moves.map(lambda move: (move, *one[1:])))


@deterministic
@given(pairs())
def test_torn_entry_of_two_keys_fits_no_other_key(pair):
    first, second = rivals(2)
    one, other = pair
    for check, data in (
        (words_of(first, one)[0], words_of(second, other)[1]),
        (words_of(second, other)[0], words_of(first, one)[1]),
    ):
        table = torn(check, data)
        assert table.get(first) in (ABSENT, one)
        assert table.get(second) in (ABSENT, other)


@deterministic
@given(entries)
def test_half_an_entry_is_not_found(entry):
    key = rivals(1)[0]
    check, data = words_of(key, entry)
    assert torn(check, 0).get(key) is ABSENT
    assert torn(0, data).get(key) is ABSENT


@deterministic
@given(pairs())
def test_torn_entry_of_one_key_is_absent_or_one_of_the_two(pair):
    key = rivals(1)[0]
    for first, second in (pair, pair[::-1]):
        table = torn(words_of(key, first)[0], words_of(key, second)[1])
        assert table.get(key) in (ABSENT, first, second)


# Which entry gives way


def test_bucket_holds_all_its_entries():
    table = Table()
    for depth, key in enumerate(rivals(BUCKET_ENTRIES)):
        table.put(key, depth=depth)
    assert all(table.get(key) is not ABSENT for key in rivals(BUCKET_ENTRIES))


@pytest.mark.parametrize("shallow", range(BUCKET_ENTRIES))
def test_shallowest_entry_of_a_full_bucket_gives_way(shallow):
    table, present = Table(), rivals(BUCKET_ENTRIES)
    for number, key in enumerate(present):
        table.put(key, depth=2 if number == shallow else 5 + number)
    newcomer = rivals(BUCKET_ENTRIES + 1)[-1]
    table.put(newcomer, depth=1)
    assert table.get(newcomer) is not ABSENT
    for number, key in enumerate(present):
        assert (table.get(key) is ABSENT) == (number == shallow)


@pytest.mark.parametrize("age", [0, 5, AGES - 2])
def test_entry_of_an_old_search_gives_way_to_shallower_ones(age):
    """Also when the counter of searches wraps around."""
    table, present = Table(), rivals(BUCKET_ENTRIES)
    for _ in range(age):
        table.new_search()
    table.put(present[2], depth=12)
    for _ in range(4):
        table.new_search()
    for number in (0, 1, 3):
        table.put(present[number], depth=2)
    newcomer = rivals(BUCKET_ENTRIES + 1)[-1]
    table.put(newcomer, depth=1)
    assert [table.get(key) is ABSENT for key in present] == [False, False, True, False]
    assert table.get(newcomer) is not ABSENT


def test_deep_entry_of_the_last_search_outlives_shallow_ones_of_this():
    table, present = Table(), rivals(BUCKET_ENTRIES)
    table.put(present[0], depth=30)
    table.new_search()
    for key in present[1:]:
        table.put(key, depth=3)
    table.put(rivals(BUCKET_ENTRIES + 1)[-1], depth=3)
    assert table.get(present[0]) is not ABSENT


def test_entry_that_is_found_again_counts_as_this_searchs():
    """It outlives entries of the same depth that were not probed."""
    table, present = Table(), rivals(BUCKET_ENTRIES)
    entries = [(7, -30, 9, UPPER, 20 - number) for number in range(BUCKET_ENTRIES)]
    for key, entry in zip(present, entries, strict=True):
        table.put(key, *entry)
    for _ in range(3):
        table.new_search()
    assert table.get(present[1]) == table.get(present[1]) == entries[1]
    for newcomer in rivals(2 * BUCKET_ENTRIES - 1)[BUCKET_ENTRIES:]:
        table.put(newcomer, depth=9)
    assert [table.get(key) is ABSENT for key in present] == [True, False, True, True]


def test_same_position_is_written_over_and_not_beside():
    table, key = Table(), rivals(1)[0]
    table.put(key, move=3, score=10, depth=5, bound=LOWER, static_eval=1)
    table.put(key, move=4, score=20, depth=6, bound=UPPER, static_eval=2)
    assert table.get(key) == (4, 20, 6, UPPER, 2)
    assert np.count_nonzero(table.bucket()) == 2


def test_known_move_stays_when_none_is_given():
    table, key = Table(), rivals(1)[0]
    table.put(key, move=77, depth=5)
    table.put(key, move=0, score=-4, depth=6, bound=UPPER)
    assert table.get(key)[:3] == (77, -4, 6)


def test_much_deeper_entry_of_this_search_stays():
    table, key = Table(), rivals(1)[0]
    deep = (3, 10, 20, LOWER, 1)
    table.put(key, *deep)
    table.put(key, 4, 20, 2, UPPER, 1)
    assert table.get(key) == deep


def test_exact_or_later_result_replaces_a_deeper_one():
    key, deep, shallow = rivals(1)[0], (3, 10, 20, LOWER, 1), (4, 20, 2, UPPER, 1)
    table = Table()
    table.put(key, *deep)
    table.put(key, 4, 20, 2, EXACT, 1)
    assert table.get(key) == (4, 20, 2, EXACT, 1)
    table = Table()
    table.put(key, *deep)
    table.new_search()
    table.put(key, *shallow)
    assert table.get(key) == shallow


# Size


@pytest.mark.parametrize("megabytes", [1, 2, 3, 5, 16, 17, 33])
def test_buckets_are_the_greatest_power_of_two_that_fits(megabytes):
    table = Table(megabytes)
    buckets = table.mask + 1
    assert buckets & table.mask == 0
    assert buckets * BUCKET_BYTES <= megabytes * 2**20 < 2 * buckets * BUCKET_BYTES
    assert table.address % BUCKET_BYTES == 0


def test_last_bucket_is_inside_the_memory():
    table = Table(1)
    key = (1 << 40) | table.mask
    for number in range(BUCKET_ENTRIES):
        table.put(key + (number << 50), move=number + 1)
    begin = table._memory.ctypes.data
    assert begin <= table.address
    assert table.address + (table.mask + 1) * BUCKET_BYTES <= begin + table._memory.nbytes
    assert [table.get(key + (number << 50))[0] for number in range(BUCKET_ENTRIES)] == [1, 2, 3, 4]


@pytest.mark.parametrize("megabytes", [0, -1, 0.5])
def test_table_below_a_megabyte_is_refused(megabytes):
    with pytest.raises(ValueError, match=str(megabytes)):
        Table(megabytes)
    table = Table(1)
    table.put(3, move=5)
    with pytest.raises(ValueError, match=str(megabytes)):
        table.resize(megabytes)
    assert table.get(3)[0] == 5


def test_resized_table_is_empty_and_works():
    table = Table(1)
    table.put(3, move=5)
    for megabytes in (4, 1):
        table.resize(megabytes)
        assert table.get(3) is ABSENT
        table.put(3, move=5)
        assert table.get(3)[0] == 5


@pytest.mark.parametrize("megabytes", [10**9, 10**13])
def test_table_still_works_after_a_size_that_no_machine_has(megabytes):
    table = Table(1)
    with pytest.raises(MemoryError):
        table.resize(megabytes)
    assert table.hashfull() == 0
    table.put(3, move=5)
    assert table.get(3)[0] == 5


def test_table_shrinks_where_not_even_its_own_size_is_left(monkeypatch):
    table = TranspositionTable(8)
    take = table._take

    def poor(megabytes):
        if megabytes > 1:
            raise MemoryError
        take(megabytes)

    monkeypatch.setattr(table, "_take", poor)
    with pytest.raises(MemoryError, match="16 MB"):
        table.resize(16)
    assert table.megabytes == 1 and table.hashfull() == 0


# Clearing and filling


def test_cleared_table_finds_nothing():
    table = Table()
    table.new_search()
    for key in range(1000):
        table.put(key)
    table.clear()
    assert all(table.get(key) is ABSENT for key in range(1000))
    assert (table.age, table.hashfull()) == (0, 0)


@njit
def fill(access, buckets):
    for key in range(buckets):
        for number in range(BUCKET_ENTRIES):
            tables.record(access, np.uint64(key) | np.uint64(number + 1) << np.uint64(40), 1, 0, 1, LOWER, 0)


def test_hashfull_counts_what_this_search_wrote():
    table = Table()
    assert table.hashfull() == 0
    fill(table.access(), (table.mask + 1) // 100)
    assert 0 < table.hashfull() < 1000
    fill(table.access(), table.mask + 1)
    assert table.hashfull() == 1000
    table.new_search()
    assert table.hashfull() == 0
    table.put(1, depth=30)
    assert 0 <= table.hashfull() < 10


# Threads


@njit(nogil=True)
def mix(number):
    """A hash of 64 bits (splitmix64)."""
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


@njit(nogil=True)
def entry_of(key, variant):
    """One of four entries that threads may write for a key; they differ in every part."""
    number = mix(key + variant)
    move = np.int64(number & np.uint64(0x3FFFFF)) << 2 | np.int64(variant)
    move += 4
    score = np.int64((number >> np.uint64(22)) & np.uint64(0x3FFF)) * 4 + np.int64(variant) - 32_000
    depth = np.int64((number >> np.uint64(36)) & np.uint64(15))
    static_eval = np.int64((number >> np.uint64(40)) & np.uint64(0x3FFF)) - 8_000
    return move, score, depth, static_eval


@njit(nogil=True)
def hammer(access, seed, rounds, spread):
    """Writes and reads few keys quickly; returns (entries found, entries that nobody wrote)."""
    found, strange = 0, 0
    state = np.uint64(seed)
    for _ in range(rounds):
        state = mix(state + np.uint64(0x9E3779B97F4A7C15))
        key = mix(state % np.uint64(spread) + np.uint64(1)) & ~np.uint64(0xFFFF)
        variant = (state >> np.uint64(32)) & np.uint64(3)
        if state >> np.uint64(63):
            move, score, depth, static_eval = entry_of(key, variant)
            tables.record(access, key, move, score, depth, EXACT, static_eval)
            continue
        data, static_eval = tables.probe(access, key)
        if data == np.uint64(0):
            continue
        found += 1
        move, score, depth, expected = entry_of(key, np.uint64(entry_move(data) & 3))
        same = move == entry_move(data) and score == entry_score(data) and depth == entry_depth(data)
        if not same or static_eval != expected or entry_bound(data) != EXACT:
            strange += 1
    return found, strange


def test_threads_read_only_what_was_written_for_the_key():
    """Four threads compete for eight keys of one bucket."""
    table = Table()
    access, answers = table.access(), {}
    hammer(access, 1, 1, 8)

    def run(seed):
        answers[seed] = hammer(access, seed, 400_000, 8)

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == len(threads)
    assert all(found > 10_000 for found, _ in answers.values())
    assert [strange for _, strange in answers.values()] == [0, 0, 0, 0]
