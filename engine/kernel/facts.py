"""Facts: Python objects that Numba sees as types without a value.

Inside a jitted function, the content of a `Facts` object is a literal or a table frozen into the code. A
function that takes one is compiled once per object. `rules` defines the facts of games."""

import hashlib
import inspect
import operator
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

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
from numba.extending import NativeValue, intrinsic, lower_builtin, models, register_model, typeof_impl, unbox

from .bitboard import BitboardType, Bits
from .compiler import inner

_registry = {}


class Table:
    """A constant table of bitboards: nested lists of ints of equal lengths, `width` bits each."""

    def __init__(self, values: Sequence[Any], width: int) -> None:
        self.values = np.array(values, dtype=object)
        self.width = width


class Facts:
    """A frozen bundle of compile-time facts. `facts` may be bools, ints, `Bits`, `Table`s, integer NumPy
    arrays, other `Facts` and tuples of them. Two bundles with equal label and content are the same type to
    Numba."""

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
    """The type of the facts called `name`. Raises LookupError if this process has not built them."""
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
        """The type of an element: a bitboard, uint64, or int64 for every other integer."""
        content = self.content
        if isinstance(content, Table):
            return BitboardType(content.width)
        return types.uint64 if content.dtype == np.uint64 else types.int64


class Choices:
    """Facts with booleans that are known only at run time: code is compiled once for all their values.

    Compiled code reads `choices.name` as it reads a fact. `facts` are those that are constants.
    """

    def __init__(self, facts: Facts, **booleans: bool) -> None:
        self.__dict__.update(facts.facts, **booleans)
        self.number = sum(value << place for place, value in enumerate(booleans.values()))
        self._numba_type_ = ChoicesType(facts, tuple(booleans))


class ChoicesType(types.Type):
    """The Numba type of `Choices` with these facts and names: a number with a bit for each name."""

    def __init__(self, facts: Facts, names: tuple[str, ...]) -> None:
        self.facts, self.names = facts, names
        super().__init__(name=f"Choices[{facts.name}; {' '.join(names)}]")


register_model(FactsType)(models.OpaqueModel)
register_model(TableType)(models.OpaqueModel)


@register_model(ChoicesType)
class _ChoicesModel(models.PrimitiveModel):
    def __init__(self, manager, typ):
        super().__init__(manager, typ, ir.IntType(8))


@typeof_impl.register(Facts)
@typeof_impl.register(Choices)
def _typeof_facts(value, context):
    return value._numba_type_


@unbox(FactsType)
def _unbox_facts(typ, obj, c):
    return NativeValue(c.context.get_dummy_value())


@lower_constant(FactsType)
def _lower_constant_facts(context, builder, typ, value):
    return context.get_dummy_value()


@lower_constant(ChoicesType)
def _lower_constant_choices(context, builder, typ, value):
    return ir.IntType(8)(value.number)


@infer_getattr
class _ChoicesAttributes(AttributeTemplate):
    key = ChoicesType

    def generic_resolve(self, typ, attribute):
        if attribute in typ.names:
            return types.boolean
        return self.context.resolve_getattr(typ.facts._numba_type_, attribute)


@lower_getattr_generic(ChoicesType)
def _lower_choice(context, builder, typ, value, attribute):
    if attribute in typ.names:
        return builder.trunc(builder.lshr(value, value.type(typ.names.index(attribute))), ir.IntType(1))
    return _lower_fact(context, builder, typ.facts._numba_type_, context.get_dummy_value(), attribute)


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
    """The table as a constant of the module; equal tables of linked modules are merged."""
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


class _Call(NamedTuple):
    """A call of a jitted function in `_calling`: `function(item, value, *others)`, with the bundle before the
    others if `with_bundle`; without an item, `function(bundle, value, *others)`."""

    function: Any
    item: Facts | None = None
    with_bundle: bool = False
    takes: int | None = None  # how many of the others, from the first on; None for all

    def arguments(self, bundle: Any, value: Any, others: Sequence[Any], item: Any) -> tuple[Any, ...]:
        """The arguments, given those of the caller as types or as values."""
        leading = (bundle, value) if self.item is None else (item, value, *([bundle] * self.with_bundle))
        return *leading, *others[: self.takes]


def _calling(name: str, calls: Callable[[Any, Any], list[_Call]], compiled_from: Sequence[Any]) -> Any:
    """A function for jitted code, `caller(bundle, value, *others)`. It makes the calls that `calls` returns
    for the types of the bundle and the value, passes the result of each as the value of the next, and returns
    the last one. The calls become part of the calling function; a function around them would take longer to
    compile than many of them."""

    def caller(bundle, value, *others):
        raise TypeError("only jitted code may call this")

    planned: dict[Any, list[tuple[_Call, Any]]] = {}  # by types of the arguments: calls and their signatures

    class _Caller(AbstractTemplate):
        key = caller

        def generic(self, args, kws):
            bundle, value, *others = args
            plan = []
            for call in calls(bundle, value):
                item = call.item and call.item._numba_type_
                given = tuple(map(types.unliteral, call.arguments(bundle, value, others, item)))
                found = self.context.resolve_function_type(types.Dispatcher(call.function), given, {})
                plan.append((call, found))
                value = found.return_type
            planned[args] = plan
            return signature(value, *args)

    @lower_builtin(caller, types.VarArg(types.Any))
    def _lower_calls(context, builder, sig, args):
        bundle, value, *others = args
        value_type = sig.args[1]
        for call, found in planned[sig.args]:
            given = call.arguments(bundle, value, others, context.get_dummy_value())
            kinds = call.arguments(
                sig.args[0], value_type, sig.args[2:], call.item and call.item._numba_type_
            )
            casted = [
                context.cast(builder, each, kind, wanted)
                for each, kind, wanted in zip(given, kinds, found.args, strict=True)
            ]
            function = context.get_function(types.Dispatcher(call.function), found)
            value, value_type = function(builder, casted), found.return_type
        return value

    infer_global(caller, types.Function(_Caller))
    caller.compiled_from, caller.calls = tuple(compiled_from), calls
    caller.__qualname__ = name
    return caller


def chosen_by_field(name: str, having: Any, lacking: Any) -> Any:
    """A function for jitted code, `choice(rules, record, *args)`: it calls the jitted function `having` if
    the record has the field `name`, otherwise `lacking`. Only the chosen one is compiled."""

    def calls(rules: Any, record: Any) -> list[_Call]:
        return [_Call(having if name in record.fields else lacking)]

    return _calling(f"{having.__name__} or {lacking.__name__}", calls, (having, lacking))


def unrolled(attribute: str) -> Callable[[Callable[..., Any]], Any]:
    """Decorates `body(item, value, *args)` into a fold over facts, compiled for each item alone.

    The result is called `fold(bundle, value, *args)` from jitted code; it calls `value = body(item, value,
    *args)` for each item of the tuple that `bundle` holds under the name `attribute`, and returns the last
    value. The loop is unrolled at compile time, so that every fact of every item is a constant.
    """
    return _folding(attribute, with_bundle=False)


def over_rules(attribute: str) -> Callable[[Callable[..., Any]], Any]:
    """Decorates `body(item, value, rules, *args)` into a fold over a tuple of the rules, as `unrolled` does.

    The result is called `fold(rules, value, *args)`; the body gets the rules as well.
    """
    return _folding(attribute, with_bundle=True)


def _folding(attribute: str, with_bundle: bool) -> Callable[[Callable[..., Any]], Any]:
    """The decorator of a body that takes, after the value, the bundle of its item or not."""

    def decorate(body: Callable[..., Any]) -> Any:
        jitted, takes = inner(body), inspect.getfullargspec(body).args[2 + with_bundle :]

        def calls(bundle: Any, value: Any = None) -> list[_Call]:
            items = getattr(bundle.facts, attribute)
            return [_Call(jitted, item, with_bundle, len(takes)) for item in items]

        fold = _calling(f"{body.__qualname__}, unrolled over {attribute}", calls, (jitted,))
        fold.attribute, fold.takes = attribute, takes
        return fold

    return decorate


def chained(*folds: Any) -> Any:
    """A function for jitted code, `chain(rules, value, *args)`: it calls `value = fold(rules, value, ...)`
    for each of the `folds` that `over_rules` made, and returns the last value. A fold gets the first of
    `args`, as many as its body takes. Folds over facts that the game lacks are skipped."""

    def calls(bundle: Any, value: Any) -> list[_Call]:
        return [call for fold in folds for call in fold.calls(bundle)]

    return _calling(f"chain of {'; '.join(fold.__qualname__ for fold in folds)}", calls, folds)
