"""Facts: objects whose content the compiler knows, and whose type is their content."""

import copy
import pickle

import numpy as np
import pytest
from numba import TypingError, njit, typeof
from surajang.engine.kernel.bitboard import BitboardType, Bits, popcount, store
from surajang.engine.kernel.compiler import inner
from surajang.engine.kernel.facts import Choices, Facts, Table, chained, over_rules, unrolled
from surajang.engine.kernel.store import STORE

pytestmark = [pytest.mark.compiled, pytest.mark.quick]

WIDTHS = (64, 128, 256)


def listing(function):
    """The optimised code of a jitted function that was called with one set of types."""
    (text,) = function.inspect_llvm().values()
    return text


# Facts read as constants


def test_facts_read_as_their_values():
    @njit
    def read(facts):
        return facts.yes, facts.no, facts.small, facts.negative, facts.inner.deep, popcount(facts.squares)

    inner = Facts("inner", deep=7)
    squares = Bits((1 << 99) | 1, 128)
    facts = Facts("outer", yes=True, no=False, small=0, negative=-(1 << 62), inner=inner, squares=squares)
    assert read(facts) == (True, False, 0, -(1 << 62), 7, 2)
    assert typeof(facts.inner) != typeof(facts)
    assert [type(value) for value in read(facts)] == [bool, bool, int, int, int, int]


def test_facts_read_in_python_as_well():
    table = Table([1, 2], 64)
    facts = Facts("python", count=3, table=table)
    assert (facts.count, facts.table) == (3, table)
    assert facts.facts == {"count": 3, "table": table}


def test_branch_on_an_absent_feature_is_not_compiled():
    @njit
    def count(facts, page):
        if facts.feature:
            page.marker = 111_222_333
        return facts.number

    page = np.zeros(1, np.dtype([("marker", np.int64)]))[0]
    assert count(Facts("game", feature=False, number=444_555_666), page) == 444_555_666
    assert page["marker"] == 0
    assert "444555666" in listing(count)
    assert "111222333" not in listing(count)


@pytest.mark.parametrize("width", WIDTHS)
def test_bits_read_as_a_board_of_their_width(width):
    @njit
    def keep(facts, page):
        store(page, "row", 0, facts.board)

    value = (1 << width) - 2
    page = np.zeros(1, np.dtype([("row", np.uint64, (1, width // 64))]))[0]
    keep(Facts("board", board=Bits(value, width)), page)
    assert sum(int(word) << (64 * i) for i, word in enumerate(page["row"][0])) == value


def test_unknown_attribute_is_a_typing_error_that_names_it():
    @njit
    def read(facts):
        return facts.missing

    with pytest.raises(TypingError, match="missing"):
        read(Facts("bundle", present=1))


def test_attributes_of_the_object_itself_are_no_facts():
    @njit
    def read(facts):
        return facts.name

    with pytest.raises(TypingError):
        read(Facts("bundle", present=1))


# Content is type


def contents():
    """Bundles that differ in one thing each."""
    return [
        Facts("game", number=1),
        Facts("game", number=2),
        Facts("game", number=True),
        Facts("game", count=1),
        Facts("other", number=1),
        Facts("game", number=Bits(1, 64)),
        Facts("game", number=Bits(1, 128)),
        Facts("game", number=Table([1, 2], 64)),
        Facts("game", number=Table([1, 3], 64)),
        Facts("game", number=Table([1, 2], 128)),
        Facts("game", number=Table([[1, 2]], 64)),
        Facts("game", number=np.array([1, 2], np.uint8)),
        Facts("game", number=np.array([1, 3], np.uint8)),
        Facts("game", number=np.array([1, 2], np.int8)),
        Facts("game", number=np.array([1, 2], np.uint16)),
        Facts("game", number=np.array([[1, 2]], np.uint8)),
        Facts("game", number=Facts("inner", number=1)),
        Facts("game", number=Facts("inner", number=2)),
        Facts("game", number=(Facts("inner", number=1),)),
        Facts("game", number=(Facts("inner", number=1), Facts("inner", number=2))),
        Facts("game", number=(Facts("inner", number=2), Facts("inner", number=1))),
        Facts("game", number=1, more=1),
    ]


def test_equal_content_is_one_type():
    for one, other in zip(contents(), contents(), strict=True):
        assert one is not other
        assert typeof(one) == typeof(other)
        assert hash(typeof(one)) == hash(typeof(other))


def test_other_content_is_another_type():
    kinds = [typeof(facts) for facts in contents()]
    for i, one in enumerate(kinds):
        for other in kinds[i + 1 :]:
            assert one != other


def test_order_of_writing_does_not_matter():
    assert typeof(Facts("game", a=1, b=2)) == typeof(Facts("game", b=2, a=1))


def test_edited_content_is_compiled_again():
    @njit
    def read(facts):
        return facts.values[0]

    assert read(Facts("game", values=np.array([5]))) == 5
    assert read(Facts("game", values=np.array([5]))) == 5
    assert len(read.signatures) == 1
    assert read(Facts("game", values=np.array([6]))) == 6
    assert len(read.signatures) == 2


def test_large_table_differs_by_one_element_in_its_middle():
    """A printed array omits its middle; the type must not."""
    values = np.zeros(5000, np.int64)
    other = values.copy()
    other[2500] = 1
    assert typeof(Facts("game", values=values)) != typeof(Facts("game", values=other))
    boards = [[0] * 50 for _ in range(100)]
    one = Facts("game", boards=Table(boards, 128))
    boards[50][25] = 1
    assert typeof(one) != typeof(Facts("game", boards=Table(boards, 128)))


# Tables

SHAPES = [(7,), (3, 5), (2, 3, 4)]
ELEMENTS = [np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.uint64, np.int64]


def looked_up(facts, shape):
    """Every element of `facts.table`, read by compiled code, in the order of its indices."""

    @njit
    def one(facts, i):
        return facts.table[i]

    @njit
    def two(facts, i, j):
        return facts.table[i, j]

    @njit
    def three(facts, i, j, k):
        return facts.table[i, j, k]

    read = (one, two, three)[len(shape) - 1]
    return [read(facts, *index) for index in np.ndindex(*shape)]


@pytest.mark.parametrize("element", ELEMENTS)
def test_integers_of_every_type_keep_their_sign(element):
    limits = np.iinfo(element)
    values = np.array([limits.min, limits.max, limits.max // 2, 1, 0], element)
    assert looked_up(Facts("table", table=values), values.shape) == values.tolist()


@pytest.mark.parametrize("shape", SHAPES)
def test_tables_of_integers_are_indexed_by_row_first(shape):
    values = np.arange(np.prod(shape), dtype=np.int16).reshape(shape) - 4
    assert looked_up(Facts("table", table=values), shape) == values.ravel().tolist()


def test_table_may_be_a_view_that_is_not_in_order():
    values = np.arange(12, dtype=np.int32).reshape(3, 4).T
    assert looked_up(Facts("table", table=values), values.shape) == values.ravel().tolist()
    ordered = np.ascontiguousarray(values)
    assert looked_up(Facts("table", table=ordered), values.shape) == values.ravel().tolist()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("width", WIDTHS)
def test_tables_of_bitboards_are_indexed_by_row_first(shape, width):
    @njit
    def one(facts, page, i, j, k):
        store(page, "row", 0, facts.table[i])

    @njit
    def two(facts, page, i, j, k):
        store(page, "row", 0, facts.table[i, j])

    @njit
    def three(facts, page, i, j, k):
        store(page, "row", 0, facts.table[i, j, k])

    read = (one, two, three)[len(shape) - 1]
    page = np.zeros(1, np.dtype([("row", np.uint64, (1, width // 64))]))[0]
    values = np.empty(shape, object)
    for number, index in enumerate(np.ndindex(*shape)):
        values[index] = (0x9E37_79B9_7F4A_7C15 ** (number + 1)) % (1 << width)
    facts = Facts("table", table=Table(values.tolist(), width))
    for index in np.ndindex(*shape):
        read(facts, page, *index, *[0] * (3 - len(shape)))
        assert sum(int(word) << (64 * i) for i, word in enumerate(page["row"][0])) == values[index]


def test_index_may_be_of_any_integer_type():
    @njit
    def read(facts, page):
        return facts.table[page.small, page.large]

    page = np.zeros(1, np.dtype([("small", np.uint8), ("large", np.int64)]))[0]
    page["small"], page["large"] = 200, 1
    values = np.arange(512, dtype=np.int32).reshape(256, 2)
    assert read(Facts("table", table=values), page) == 401


@pytest.mark.parametrize("shape", SHAPES)
def test_wrong_number_of_indices_is_a_typing_error(shape):
    @njit
    def one(facts):
        return facts.table[0]

    @njit
    def two(facts):
        return facts.table[0, 0]

    wrong = one if len(shape) == 2 else two
    with pytest.raises(TypingError):
        wrong(Facts("table", table=np.zeros(shape, np.int64)))


def test_equal_tables_of_different_facts_do_not_collide():
    """Tables are named by content: two functions of one library may share one, but not mix two."""

    @njit
    def first(facts, i):
        return facts.table[i]

    @njit
    def both(one, same, other, i):
        return first(one, i), first(same, i), first(other, i)

    one, same = (Facts(label, table=np.array([1, 2, 3], np.uint8)) for label in ("one", "same"))
    other = Facts("other", table=np.array([4, 5, 6], np.uint8))
    assert [both(one, same, other, i) for i in range(3)] == [(1, 1, 4), (2, 2, 5), (3, 3, 6)]


def test_tables_of_one_content_and_different_shape_or_sign_do_not_collide():
    @njit
    def read(flat, square, signed, i, j):
        return flat.table[2 * i + j], square.table[i, j], signed.table[2 * i + j]

    values = np.array([1, 2, 3, 255], np.uint8)
    flat = Facts("flat", table=values)
    square = Facts("square", table=values.reshape(2, 2))
    signed = Facts("signed", table=values.astype(np.int8))
    assert read(flat, square, signed, 1, 1) == (255, 255, -1)
    assert read(flat, square, signed, 1, 0) == (3, 3, 3)


# Folds over tuples of facts


@unrolled("items")
def _write(item, digits, base):
    return digits * base + item.digit


@unrolled("items")
def _only_where_told(item, page):
    if item.speaks:
        page.marker = item.digit
    return page


def test_unrolled_folds_in_the_order_of_the_tuple():
    @njit
    def write(bundle, base):
        return _write(bundle, 0, base)

    def bundle(*digits):
        return Facts("bundle", items=tuple(Facts("item", digit=digit) for digit in digits))

    assert write(bundle(1, 2, 3, 4), 10) == 1234
    assert write(bundle(4, 3, 2, 1), 16) == 0x4321
    assert write(bundle(5, 5), 10) == 55


def test_unrolled_over_nothing_is_the_value_given():
    @njit
    def write(bundle, value):
        return _write(bundle, value, 10)

    assert write(Facts("bundle", items=()), 17) == 17


def test_unrolled_compiles_each_item_for_itself():
    @njit
    def mark(bundle, page):
        _only_where_told(bundle, page)

    page = np.zeros(1, np.dtype([("marker", np.int64)]))[0]
    speaking = Facts("item", speaks=True, digit=777_888_999)
    silent = Facts("item", speaks=False, digit=123_321_123)
    mark(Facts("bundle", items=(silent, speaking, silent)), page)
    assert page["marker"] == 777_888_999
    assert "777888999" in listing(mark)
    assert "123321123" not in listing(mark)


def test_items_of_a_tuple_may_differ_in_what_they_know():
    @unrolled("items")
    def sum_entries(item, value, i):
        return value + item.table[i]

    @njit
    def run(bundle, i):
        return sum_entries(bundle, 0, i)

    items = (
        Facts("item", digit=1, table=np.array([1, 2, 3], np.int8)),
        Facts("item", table=np.array([[8, 9]])[0]),
    )
    assert run(Facts("bundle", items=items), 1) == 11
    assert run(Facts("bundle", items=items[1:]), 1) == 9


def test_unrolled_is_only_for_compiled_code():
    with pytest.raises(TypeError):
        _write(Facts("bundle", items=()), 0, 10)


# Choices: facts and booleans that are known at run time

BOTH = Choices(Facts("choices", size=5), left=True, right=True)
LEFT = Choices(Facts("choices", size=5), left=True, right=False)
RIGHT = Choices(Facts("choices", size=5), left=False, right=True)


@inner
def chosen(choices):
    return 100 * choices.size + 10 * choices.left + choices.right


@njit
def chosen_by_constants():
    return chosen(BOTH), chosen(LEFT), chosen(RIGHT)


def test_choices_of_every_value_run_the_same_code():
    assert chosen_by_constants() == (511, 510, 501)
    assert len(chosen.signatures) == 1


def test_choices_read_in_python_as_well():
    assert (LEFT.size, LEFT.left, LEFT.right) == (5, True, False)


def test_choices_with_other_facts_are_another_type():
    assert typeof(LEFT) == typeof(RIGHT)
    assert typeof(Choices(Facts("choices", size=6), left=True, right=False)) != typeof(LEFT)


# Numbers that a call writes out


@inner
def scaled(bundle, number, way):
    return number * (3 if way else 2)


@inner
def scaled_by_constants():
    return scaled(BOTH, 1, True), scaled(BOTH, 2, False), scaled(BOTH, 3, True)


@njit
def scaled_numbers():
    return scaled_by_constants()


def test_function_is_compiled_once_for_all_numbers_of_a_type(tmp_path, monkeypatch):
    monkeypatch.setattr(STORE, "folder", tmp_path)  # nothing is kept there
    assert scaled_numbers() == (3, 4, 9)
    assert len(scaled.signatures) == 1


# Pickling: types are kept together with compiled code


def test_pickled_type_comes_back_as_itself():
    kind = typeof(Facts("pickled", number=12, table=Table([1, 2], 128)))
    again = pickle.loads(pickle.dumps(kind))
    assert again == kind
    assert again.facts.number == 12
    assert copy.copy(kind) == kind


def test_type_of_facts_that_this_process_has_not_built_is_not_unpickled():
    """Code that refers to it is compiled again."""
    known = typeof(Facts("pickled", number=13))
    foreign = pickle.dumps(known).replace(known.facts.name.encode(), b"x" * len(known.facts.name))
    with pytest.raises(LookupError):
        pickle.loads(foreign)


def test_pickled_bitboard_type_comes_back_as_itself():
    for width in WIDTHS:
        again = pickle.loads(pickle.dumps(BitboardType(width)))
        assert (again, again.width) == (BitboardType(width), width)


# Chains of hooks


@over_rules("doublers")
def doubled(item, value, rules):
    return value * 2 * item.times


@over_rules("adders")
def added(item, value, rules, first, second):
    return value + first * 10 + second


@over_rules("lost")
def not_even_typed(item, value, rules):
    return value.nonsense


chain = chained(doubled, added, not_even_typed)


@njit
def follow(rules, value, first, second, third):
    return chain(rules, value, first, second, third)


def rules_with(doublers, adders):
    return Facts(
        "rules", doublers=(Facts("by", times=1),) * doublers, adders=(Facts("by"),) * adders, lost=()
    )


@pytest.mark.parametrize(
    "doublers, adders, value", [(0, 0, 7), (1, 0, 14), (2, 0, 28), (0, 1, 7 + 23), (1, 1, 14 + 23)]
)
def test_chain_calls_each_hook_in_turn_with_as_many_arguments_as_it_takes(doublers, adders, value):
    assert follow(rules_with(doublers, adders), 7, 2, 3, 99) == value


def test_chain_cannot_be_called_from_python():
    with pytest.raises(TypeError, match="only jitted code"):
        chain(rules_with(0, 0), 7)
