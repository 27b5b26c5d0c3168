"""Facts: Python objects that Numba sees as types without a value.

What a `Facts` object holds is, inside a jitted function, a literal or a table frozen into the code, and a
function that takes one is compiled once per object. `rules` says what the facts are.
"""

import hashlib
import inspect
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import config
from numba.core.imputils import lower_constant, lower_getattr_generic
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    infer_getattr,
    infer_global,
    signature,
)
from numba.extending import (
    NativeValue,
    intrinsic,
    lower_builtin,
    models,
    overload,
    register_model,
    typeof_impl,
    unbox,
)

from .bitboard import BitboardType, Bits
from .compiler import INNER_OPTIONS, inner

_registry = {}


class Table:
    """A constant table of bitboards: nested lists of ints of equal lengths, `width` bits each."""

    def __init__(self, values: Sequence[Any], width: int) -> None:
        self.values = np.array(values, dtype=object)
        self.width = width


class Facts:
    """A frozen bundle of compile-time facts.

    `facts` may be bools, ints, `Bits`, `Table`s, integer NumPy arrays, other `Facts` and tuples of them.
    Two bundles with equal label and content are one and the same type to Numba.
    """

    def __init__(self, label: str, **facts: Any) -> None:
        self.__dict__.update(facts)
        self.facts = facts
        digest = hashlib.sha256()
        for key in sorted(facts):
            digest.update(f"{key}={_fingerprint(facts[key])};".encode())
        self.name = f"{label}-{digest.hexdigest()[:16]}"
        _registry[self.name] = self
        self._numba_type_ = FactsType(self)

    def __repr__(self) -> str:
        return f"Facts[{self.name}]"


def _fingerprint(value: Any) -> str:
    if isinstance(value, Facts):
        return value.name
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, Table):
        return f"{value.width}{value.values.tolist()}"
    if isinstance(value, tuple) and not isinstance(value, Bits):
        return "(" + ",".join(_fingerprint(item) for item in value) + ")"
    return repr(value)


class FactsType(types.Type):
    """The Numba type of one `Facts` object; `facts` is that object."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        super().__init__(name=f"Facts[{facts.name}]")

    def __reduce__(self) -> tuple[Callable[[str], Any], tuple[str]]:
        return _revive, (self.facts.name,)


def _revive(name: str) -> FactsType:
    """The type of the facts called `name`. Raises LookupError when this process has not built them."""
    return _registry[name]._numba_type_


class TableType(types.Type):
    """The Numba type of the table `attribute` of `facts`."""

    def __init__(self, facts: Facts, attribute: str) -> None:
        self.facts, self.attribute = facts, attribute
        digest = hashlib.sha256(_fingerprint(self.content).encode()).hexdigest()
        self.symbol = f"table.{digest[:24]}"
        super().__init__(name=f"Table[{facts.name}.{attribute}]")

    @property
    def content(self) -> Any:
        return getattr(self.facts, self.attribute)

    @property
    def element(self) -> Any:
        """What an element reads as: a bitboard, uint64, or int64 for every other integer."""
        content = self.content
        if isinstance(content, Table):
            return BitboardType(content.width)
        return types.uint64 if content.dtype == np.uint64 else types.int64


register_model(FactsType)(models.OpaqueModel)
register_model(TableType)(models.OpaqueModel)


@typeof_impl.register(Facts)
def _typeof_facts(value, context):
    return value._numba_type_


@unbox(FactsType)
def _unbox_facts(typ, obj, c):
    return NativeValue(c.context.get_dummy_value())


@lower_constant(FactsType)
def _lower_constant_facts(context, builder, typ, value):
    return context.get_dummy_value()


@infer_getattr
class _FactsAttributes(AttributeTemplate):
    key = FactsType

    def generic_resolve(self, typ, attribute):
        if attribute not in typ.facts.facts:
            return None
        value = typ.facts.facts[attribute]
        if isinstance(value, bool):
            return types.boolean
        if isinstance(value, int):
            return types.int64
        if isinstance(value, Bits):
            return BitboardType(value.width)
        if isinstance(value, Facts):
            return value._numba_type_
        return TableType(typ.facts, attribute)


@lower_getattr_generic(FactsType)
def _lower_fact(context, builder, typ, value, attribute):
    fact = typ.facts.facts[attribute]
    if isinstance(fact, bool):
        return context.get_constant(types.boolean, fact)
    if isinstance(fact, int):
        return context.get_constant(types.int64, fact)
    if isinstance(fact, Bits):
        return ir.IntType(fact.width)(fact.value)
    return context.get_dummy_value()


def _global_table(builder, typ):
    """The table as a constant of the module; equal tables of linked modules become one."""
    name = typ.symbol
    if name in builder.module.globals:
        return builder.module.globals[name]
    content = typ.content
    if isinstance(content, Table):
        element, values = ir.IntType(content.width), content.values.ravel().tolist()
    else:
        element = ir.IntType(content.dtype.itemsize * 8)
        values = content.ravel().tolist()
    array = ir.ArrayType(element, len(values))
    table = ir.GlobalVariable(builder.module, array, name)
    table.global_constant = True
    table.linkage = "linkonce_odr"
    table.align = min(64, max(8, element.width // 8))
    table.initializer = ir.Constant(array, values)
    return table


@infer_global(operator.getitem)
class _TableGetitem(AbstractTemplate):
    def generic(self, args, kws):
        table, index = args
        if not isinstance(table, TableType):
            return None
        rank = len(getattr(table.content, "values", table.content).shape)
        if isinstance(index, types.Integer) and rank == 1:
            return signature(table.element, table, types.int64)
        if isinstance(index, types.BaseTuple) and len(index) == rank:
            return signature(table.element, table, types.UniTuple(types.int64, rank))
        return None


@lower_builtin(operator.getitem, TableType, types.Any)
def _lower_table_getitem(context, builder, sig, args):
    typ = sig.args[0]
    content = typ.content
    shape = getattr(content, "values", content).shape
    if isinstance(sig.args[1], types.Integer):
        indices = [args[1]]
    else:
        indices = [builder.extract_value(args[1], i) for i in range(len(shape))]
    flat = None
    for index, length in zip(indices, shape, strict=True):
        if config.BOUNDSCHECK:
            outside = builder.icmp_unsigned(">=", index, index.type(length))
            with builder.if_then(outside, likely=False):
                message = f"index out of range in table {typ.attribute}"
                context.call_conv.return_user_exc(builder, IndexError, (message,))
        flat = index if flat is None else builder.add(builder.mul(flat, index.type(length)), index)
    table = _global_table(builder, typ)
    value = builder.load(builder.gep(table, [flat.type(0), flat]))
    if isinstance(typ.element, BitboardType) or value.type.width == 64:
        return value
    signed = content.dtype.kind == "i"
    extend = builder.sext if signed else builder.zext
    return extend(value, ir.IntType(64))


@intrinsic(prefer_literal=True)
def member(typingctx, bundle, attribute, index):
    """Facts number `index` (a literal) of the tuple `attribute` (a literal) of `bundle`."""
    facts = getattr(bundle.facts, attribute.literal_value)[index.literal_value]

    def generate(context, builder, sig, args):
        return context.get_dummy_value()

    return facts._numba_type_(bundle, attribute, index), generate


def facts_of_type(record: Any, label: str) -> Facts:
    """The facts that a record type carries: a field of it has their name."""
    return _registry[next(name for name in record.fields if name.startswith(f"{label}-"))]


@intrinsic(prefer_literal=True)
def facts_of(typingctx, record, label):
    """The facts with that label (a literal) that the type of a record carries."""
    facts = facts_of_type(record, label.literal_value)

    def generate(context, builder, sig, args):
        return context.get_dummy_value()

    return facts._numba_type_(record, label), generate


def chosen_by_field(name: str, having: Any, lacking: Any) -> Any:
    """A function for jitted code, `choice(rules, record, *args)`: it calls the jitted function `having` where
    the record has the field `name`, else `lacking`. The one that is not called is not compiled either."""

    def choice(rules, record, *args):
        raise TypeError("only jitted code may call this")

    @overload(choice, strict=False, jit_options=INNER_OPTIONS)
    def _choice(rules, record, *args):
        taken = having if name in record.fields else lacking
        source = "def choice(rules, record, *args):\n    return taken(rules, record, *args)"
        scope = {"taken": taken}
        exec(source, scope)
        return scope["choice"]

    choice.compiled_from = (having, lacking)
    choice.__qualname__ = f"{having.__name__} or {lacking.__name__}"
    return choice


def unrolled(attribute: str) -> Callable[[Callable[..., Any]], Any]:
    """Decorates `body(item, value, *args)` into a fold over facts, compiled for each item alone.

    The result is called `fold(bundle, value, *args)` from jitted code; it calls `value = body(item, value,
    *args)` for each item of the tuple that `bundle` holds under the name `attribute`, and returns the last
    value. The loop is unrolled at compile time, so that every fact of every item is a constant.
    """
    return _folding(attribute, "value")


def over_rules(attribute: str) -> Callable[[Callable[..., Any]], Any]:
    """Decorates `body(item, value, rules, *args)` into a fold over a tuple of the rules, as `unrolled` does.

    The result is called `fold(rules, value, *args)`; the body gets the rules as well.
    """
    return _folding(attribute, "value, bundle")


def _folding(attribute: str, given: str) -> Callable[[Callable[..., Any]], Any]:
    """The decorator of a body that takes the arguments `given` between its item and the others."""

    def decorate(body: Callable[..., Any]) -> Any:
        def fold(bundle, value, *args):
            raise TypeError("only jitted code may call this")

        @overload(fold, strict=False, jit_options=INNER_OPTIONS)
        def _fold(bundle, value, *args):
            lines = [
                f"    value = body(member(bundle, {attribute!r}, {i}), {given}, *args)"
                for i in range(len(getattr(bundle.facts, attribute)))
            ]
            source = "\n".join(["def fold(bundle, value, *args):", *lines, "    return value"])
            scope = {"member": member, "body": jitted}
            exec(source, scope)
            return scope["fold"]

        jitted = inner(body)
        fold.compiled_from = (jitted,)
        fold.attribute = attribute
        fold.takes = inspect.getfullargspec(body).args[1 + len(given.split(",")) :]
        fold.__qualname__ = f"{body.__qualname__}, unrolled over {attribute}"
        return fold

    return decorate


def chained(*folds: Any) -> Any:
    """A function for jitted code, `chain(rules, value, *args)`: it calls `value = fold(rules, value, ...)`
    for each of the `folds` that `over_rules` made, and returns the last value.

    A fold gets as many of `args`, from the first on, as its body takes. One over facts that the game lacks is
    left out.
    """

    def chain(bundle, value, *args):
        raise TypeError("only jitted code may call this")

    @overload(chain, strict=False, jit_options=INNER_OPTIONS)
    def _chain(bundle, value, *args):
        lines, scope = [], {}
        for number, fold in enumerate(folds):
            if getattr(bundle.facts, fold.attribute):
                scope[f"fold_{number}"] = fold
                given = "".join(f", args[{i}]" for i in range(len(fold.takes)))
                lines.append(f"    value = fold_{number}(bundle, value{given})")
        source = "\n".join(["def chain(bundle, value, *args):", *lines, "    return value"])
        exec(source, scope)
        return scope["chain"]

    chain.compiled_from = folds
    chain.__qualname__ = f"chain of {'; '.join(fold.__qualname__ for fold in folds)}"
    return chain
