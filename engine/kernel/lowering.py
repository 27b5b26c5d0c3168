"""From typed code to LLVM code, for inner functions: Numba's lowering, with short cuts for arrays in records.

Numba builds a structure of seven numbers for each array in a record before it reads an item, and counts
references to them. The arrays of a record never own memory, and their shape is part of their type, so here an
item is an address and a load."""

import operator
from functools import cache, partial
from typing import Any

from llvmlite import ir as llvm_ir
from numba.core import config, errors, ir, types
from numba.core.lowering import Lower

DATA = 4  # the place of the address in Numba's structure of an array


@cache
def owns_memory(models: Any, typ: types.Type) -> bool:
    """Whether values of a type can own memory and need reference counts."""
    if isinstance(typ, types.Dispatcher | types.Function | types.NestedArray):
        return False
    return models[typ].contains_nrt_meminfo()


@cache
def _operator(context: Any, op: Any, kinds: tuple[types.Type, ...]) -> tuple[Any, Any]:
    """Numba's function for an operator, and its signature for operands of these types."""
    function = context.typing_context.resolve_value_type(op)
    return function, function.get_call_type(context.typing_context, kinds, {})


def _places(typ: types.Type, rank: int) -> list[types.Type] | None:
    """The types of the indices of one item of an array of this rank; None for any other index."""
    kinds = list(typ.types) if isinstance(typ, types.BaseTuple) else [typ]
    if len(kinds) == rank and all(isinstance(kind, types.Integer) for kind in kinds):
        return kinds
    return None


class InnerLower(Lower):
    """Numba's lowering of one function, for `pipeline`."""

    def incref(self, typ: Any, val: Any) -> None:
        """Counts a reference, if the type can own memory."""
        if owns_memory(self.context.data_model_manager, typ):
            super().incref(typ, val)

    def decref(self, typ: Any, val: Any) -> None:
        """Releases a reference, if the type can own memory."""
        if owns_memory(self.context.data_model_manager, typ):
            super().decref(typ, val)

    def lower_block(self, block: Any) -> None:
        """Lowers a block; an error names its instruction."""
        self.pre_block(block)
        inst = None
        try:
            for inst in block.body:
                self.loc = inst.loc
                self.lower_inst(inst)
        except Exception:
            wrong = partial(errors.LoweringError, loc=self.loc)
            with errors.new_error_context(
                'lowering "{inst}" at {loc}', inst=inst, loc=self.loc, errcls_=wrong
            ):
                raise
        self.post_block(block)

    def lower_inst(self, inst: Any) -> Any:
        """Lowers an instruction, without formatting a text for Numba's log."""
        if isinstance(inst, ir.Assign) and not isinstance(inst.value, ir.Arg):
            self.storevar(self.lower_assign(self.typeof(inst.target.name), inst), inst.target.name)
        elif isinstance(inst, ir.SetItem | ir.StaticSetItem):
            index = inst.index if isinstance(inst, ir.SetItem) else inst.index_var
            if index is None or not self._set_item(inst.target, index, inst.value):
                super().lower_inst(inst)
        else:
            return super().lower_inst(inst)
        return None

    def lower_expr(self, resty: Any, expr: Any) -> Any:
        """Lowers an expression."""
        if expr.op in ("getitem", "static_getitem"):
            index = expr.index if expr.op == "getitem" else expr.index_var
            found = None if index is None else self._get_item(resty, expr.value, index)
            if found is not None:
                return found
        elif expr.op == "getattr" and isinstance(resty, types.NestedArray):
            record = self.typeof(expr.value.name)
            if isinstance(record, types.Record):
                return self._field(record, resty, self.loadvar(expr.value.name), expr.attr)
        return super().lower_expr(resty, expr)

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        """Lowers an operator. Numba first looks for special code for constants, which only powers have."""
        if op in (operator.pow, operator.ipow):
            return super().lower_binop(resty, expr, op)
        signature = self.fndesc.calltypes[expr]
        function, wanted = _operator(self.context, op, signature.args)
        operands = [
            self.context.cast(self.builder, self.loadvar(each.name), self.typeof(each.name), kind)
            for each, kind in zip((expr.lhs, expr.rhs), signature.args, strict=True)
        ]
        result = self.context.get_function(function, wanted)(self.builder, operands)
        return self.context.cast(self.builder, result, signature.return_type, resty)

    def _field(self, record: Any, array: Any, value: Any, attribute: str) -> Any:
        """The array in a record, as Numba's structure with everything known but the address."""
        self.context.sentry_record_alignment(record, attribute)
        number = llvm_ir.IntType(self.context.address_size)
        item = self.context.get_data_type(array.dtype).as_pointer()
        place = self.builder.gep(
            value, [llvm_ir.IntType(32)(0), llvm_ir.IntType(32)(record.offset(attribute))], True
        )
        structure = self.context.get_value_type(array)
        numbers = [
            llvm_ir.Constant(llvm_ir.ArrayType(number, array.ndim), [number(each) for each in per_dimension])
            for per_dimension in (array.shape, array.strides)
        ]
        parts = [
            *(llvm_ir.Constant(structure.elements[0], None), llvm_ir.Constant(structure.elements[1], None)),
            *(number(array.nitems), number(array.size), llvm_ir.Constant(item, llvm_ir.Undefined), *numbers),
        ]
        known = llvm_ir.Constant(structure, parts)
        return self.builder.insert_value(known, self.builder.bitcast(place, item), DATA)

    def _item(self, array: Any, value: Any, index: Any) -> Any:
        """The address of the item at `index`; None if the index does not select one item."""
        if not isinstance(array, types.NestedArray) or config.BOUNDSCHECK:
            return None
        typ = self.typeof(index.name)
        kinds = _places(typ, array.ndim)
        if kinds is None:
            return None
        given, number = self.loadvar(index.name), llvm_ir.IntType(self.context.address_size)
        several = isinstance(typ, types.BaseTuple)
        flat = None
        for place, (kind, length) in enumerate(zip(kinds, array.shape, strict=True)):
            each = self.builder.extract_value(given, place) if several else given
            each = self.context.cast(self.builder, each, kind, types.intp if kind.signed else types.uintp)
            if kind.signed and not (isinstance(kind, types.IntegerLiteral) and kind.literal_value >= 0):
                behind = self.builder.icmp_signed("<", each, number(0))
                each = self.builder.select(behind, self.builder.add(each, number(length)), each)
            flat = each if flat is None else self.builder.add(self.builder.mul(flat, number(length)), each)
        return self.builder.gep(self.builder.extract_value(value, DATA), [flat], True)

    def _get_item(self, result: Any, target: Any, index: Any) -> Any:
        """An item of an array in a record; None for any other expression."""
        array = self.typeof(target.name)
        address = self._item(array, self.loadvar(target.name), index)
        if address is None:
            return None
        found = self.context.unpack_value(self.builder, array.dtype, address, align=self._align(array))
        return self.context.cast(self.builder, found, array.dtype, result)

    def _set_item(self, target: Any, index: Any, value: Any) -> bool:
        """Sets an item of an array in a record; False for any other statement."""
        array, given = self.typeof(target.name), self.typeof(value.name)
        if isinstance(given, types.Array):
            return False
        address = self._item(array, self.loadvar(target.name), index)
        if address is None:
            return False
        item = self.context.cast(self.builder, self.loadvar(value.name), given, array.dtype)
        self.context.pack_value(self.builder, array.dtype, item, address, align=self._align(array))
        return True

    @staticmethod
    def _align(array: Any) -> int | None:
        return None if array.aligned else 1
