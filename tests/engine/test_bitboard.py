"""Bitboards of every width against Python ints."""

import operator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import TypingError, njit
from surajang.engine.kernel.bitboard import (
    Bits,
    bit,
    from_words,
    has,
    highest_or_first,
    load,
    load_one,
    lsb,
    popcount,
    shifted,
    store,
    store_one,
    to_words,
    without_lsb,
)
from surajang.engine.kernel.facts import Facts
from surajang.engine.representation.position_record import read_board, write_board

pytestmark = pytest.mark.compiled

deterministic = settings(derandomize=True, deadline=None, max_examples=200)
WIDTHS = (64, 128, 256)
RULES = {width: Facts("board", empty=Bits(0, width)) for width in WIDTHS}
ROWS = 12
AND, OR, XOR, SUB, INVERT, LEFT, RIGHT, WITHOUT_LSB, HIGHEST, BIT = range(ROWS - 2)
X, Y = ROWS - 2, ROWS - 1


def page(width):
    """A record with bitboard fields: an operand or result in each row of `rows`, and `one` by itself."""
    words = width // 64
    fields = [("before", np.uint8, (8,)), ("rows", np.uint64, (ROWS, words)), ("one", np.uint64, (words,))]
    return np.zeros(1, np.dtype([*fields, ("after", np.uint64)], align=True))[0]


@njit
def calculate(rules, page, n):
    """Writes each operator's board to its row; returns the answers that are no boards."""
    x, y = load(page, "rows", X), load(page, "rows", Y)
    store(page, "rows", AND, x & y)
    store(page, "rows", OR, x | y)
    store(page, "rows", XOR, x ^ y)
    store(page, "rows", SUB, x - y)
    store(page, "rows", INVERT, ~x)
    store(page, "rows", LEFT, x << n)
    store(page, "rows", RIGHT, x >> n)
    store(page, "rows", WITHOUT_LSB, without_lsb(x))
    store(page, "rows", HIGHEST, highest_or_first(x))
    store(page, "rows", BIT, bit(rules, n))
    lowest = -1 if not x else lsb(x)
    return x == y, x != y, bool(x), not x, popcount(x), lowest, has(x, n)


def boards(width):
    """Ints below 2**width: any, sparse, nearly full, and runs of bits across the words."""
    edges = sorted({0, 1, 62, 63, 64, 65, 127, 128, 191, 192, width - 2, width - 1})
    edges = [edge for edge in edges if edge < width]
    sparse = st.sets(st.sampled_from(edges) | st.integers(0, width - 1), max_size=4)
    sparse = sparse.map(lambda squares: sum(1 << square for square in squares))
    full = (1 << width) - 1
    run = st.tuples(st.integers(0, width), st.integers(0, width)).map(
        lambda ends: (1 << max(ends)) - (1 << min(ends))
    )
    return st.integers(0, full) | sparse | sparse.map(lambda board: full ^ board) | run


@st.composite
def operands(draw):
    """A width, two boards of it, equal ones among them, and a number below the width."""
    width = draw(st.sampled_from(WIDTHS))
    x = draw(boards(width))
    y = draw(st.just(x) | boards(width))
    return width, x, y, draw(st.integers(0, width - 1))


def calculated(width, x, y, n):
    """(rows as ints, answers) of `calculate`."""
    sheet = page(width)
    write_board(sheet, "rows", x, X)
    write_board(sheet, "rows", y, Y)
    answers = calculate(RULES[width], sheet, n)
    return [read_board(sheet, "rows", row) for row in range(ROWS)], answers


def squares(board):
    """The numbers of the set bits, lowest first."""
    return [square for square, digit in enumerate(reversed(f"{board:b}")) if digit == "1"]


@deterministic
@given(operands())
def test_set_operators_are_those_of_ints(case):
    width, x, y, _ = case
    rows, _ = calculated(*case)
    assert rows[AND] == x & y
    assert rows[OR] == x | y
    assert rows[XOR] == x ^ y
    assert rows[INVERT] == (1 << width) - 1 - x


@deterministic
@given(operands())
def test_subtraction_borrows_across_words_and_wraps_at_the_width(case):
    width, x, y, _ = case
    rows, _ = calculated(*case)
    assert rows[SUB] == (x - y) % (1 << width)


@deterministic
@given(operands())
def test_shifts_lose_what_leaves_the_width_and_fill_with_zeros(case):
    width, x, _, n = case
    rows, _ = calculated(*case)
    assert rows[LEFT] == (x << n) % (1 << width)
    assert rows[RIGHT] == x >> n


@deterministic
@given(operands())
def test_equal_boards_are_equal_and_only_the_empty_one_is_false(case):
    _, x, y, _ = case
    equal, different, true, false, *_ = calculated(*case)[1]
    assert (equal, different) == (x == y, x != y)
    assert (true, false) == (x != 0, x == 0)


@deterministic
@given(operands())
def test_bits_are_counted_and_found(case):
    _, x, _, n = case
    rows, answers = calculated(*case)
    *_, count, lowest, held = answers
    found = squares(x)
    assert count == len(found)
    assert lowest == (found[0] if found else -1)
    assert held == (n in found)
    assert rows[BIT] == 2**n


@deterministic
@given(operands())
def test_lowest_is_cleared_and_highest_is_kept(case):
    _, x, *_ = case
    rows, _ = calculated(*case)
    found = squares(x)
    assert squares(rows[WITHOUT_LSB]) == found[1:]
    assert squares(rows[HIGHEST]) == (found[-1:] or [0])


@pytest.mark.parametrize("width", WIDTHS)
def test_every_single_square_is_found(width):
    for square in range(width):
        rows, answers = calculated(width, 1 << square, 0, square)
        *_, count, lowest, held = answers
        assert (count, lowest, held) == (1, square, True)
        assert rows[HIGHEST] == rows[BIT] == 1 << square
        assert rows[WITHOUT_LSB] == 0


def test_answers_have_the_types_of_counts_and_truths():
    *truths, count, lowest, held = calculated(256, (1 << 256) - 1, 0, 255)[1]
    assert all(isinstance(truth, bool) for truth in [*truths, held])
    assert (type(count), count) == (int, 256)
    assert type(lowest) is int


# Shifts of a whole board by facts


@njit
def shift_row(shift, page, side):
    store(page, "rows", Y, shifted(load(page, "rows", X), shift, side))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("white, black", [(1, -1), (-1, 1), (9, -11), (-11, 9), (63, -62)])
def test_shifted_moves_each_side_by_its_delta_and_only_from_its_sources(width, white, black):
    """The sources of a shift are such that nothing leaves the board."""
    sources = [
        sum(1 << square for square in range(start, width, 3) if 0 <= square + delta < width)
        for start, delta in ((0, white), (1, black))
    ]
    shift = Facts(
        "shift",
        white_delta=white,
        white_sources=Bits(sources[0], width),
        black_delta=black,
        black_sources=Bits(sources[1], width),
    )
    for board in (0, 1, (1 << width) - 1, 1 << (width - 1), 0x8123_4567_89AB_CDEF << (width - 64)):
        for side, delta in enumerate((white, black)):
            sheet = page(width)
            write_board(sheet, "rows", board, X)
            shift_row(shift, sheet, side)
            moved = [square + delta for square in squares(board & sources[side])]
            assert squares(read_board(sheet, "rows", Y)) == moved


# Fields of records


@njit
def copy_row(page, source, target):
    store(page, "rows", target, load(page, "rows", source))


@njit
def row_to_one_and_on(page, source, target):
    store_one(page, "one", load(page, "rows", source))
    store(page, "rows", target, load_one(page, "one"))


@pytest.mark.parametrize("width", WIDTHS)
def test_store_and_load_touch_their_own_row_alone(width):
    for copy in (copy_row, row_to_one_and_on):
        sheet = page(width)
        contents = [(0x9E37_79B9_7F4A_7C15 * (row + 1) ** 5) % (1 << width) for row in range(ROWS)]
        for row, content in enumerate(contents):
            write_board(sheet, "rows", content, row)
        sheet["before"], sheet["after"] = 0xAA, 0xBB
        for source, target in ((0, 1), (ROWS - 1, 0), (3, ROWS - 1), (5, 5)):
            copy(sheet, source, target)
            contents[target] = contents[source]
            assert [read_board(sheet, "rows", row) for row in range(ROWS)] == contents
        assert set(sheet["before"].tolist()) == {0xAA}
        assert sheet["after"] == 0xBB
        assert read_board(sheet, "one") == (contents[5] if copy is row_to_one_and_on else 0)


@deterministic
@given(operands())
def test_words_are_the_int_lowest_first(case):
    width, x, *_ = case
    words = to_words(x, width)
    assert len(words) == width // 64
    assert words[0] == x % 2**64
    assert words[-1] == x >> (width - 64)
    assert from_words(words) == x


# A bitboard mixes with nothing but its like


@njit
def and_with_int(rules, n):
    return bool(rules.empty & n)


@njit
def and_with_other(rules, others):
    return bool(rules.empty & others.empty)


@njit
def equals_int(rules, n):
    return rules.empty == n


@njit
def count_of_int(n):
    return popcount(n)


def test_boards_of_one_width_mix():
    assert and_with_other(RULES[128], Facts("other", empty=Bits(1, 128))) is False


@pytest.mark.parametrize(
    "function, arguments",
    [
        (and_with_int, (RULES[64], 1)),
        (and_with_other, (RULES[64], RULES[128])),
        (equals_int, (RULES[64], 0)),
        (count_of_int, (7,)),
    ],
)
def test_boards_mix_with_no_number_and_no_other_width(function, arguments):
    with pytest.raises(TypingError):
        function(*arguments)


def test_operators_of_ints_are_unchanged():
    """The operators are added to a type, not replaced."""

    @njit
    def of_ints(x, y):
        return x & y, x | y, x ^ y, x - y, ~x, x << y, x >> y, x == y, bool(x)

    names = (operator.and_, operator.or_, operator.xor, operator.sub)
    assert of_ints(-12, 5)[:4] == tuple(op(-12, 5) for op in names)
    assert of_ints(-12, 5)[4:] == (11, -384, -1, False, True)
