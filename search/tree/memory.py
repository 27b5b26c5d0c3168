"""Words of memory that several threads share, read and written without locks. An address is a uint64; its
provider keeps the memory alive."""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_WORD = ir.IntType(64)


@intrinsic
def read_word(typingctx, address):
    """The uint64 at `address`, which must be a multiple of 8; never torn."""

    def generate(context, builder, sig, args):
        place = builder.inttoptr(args[0], _WORD.as_pointer())
        return builder.load_atomic(place, "monotonic", 8)

    return types.uint64(types.uint64), generate


@intrinsic
def write_word(typingctx, address, value):
    """Writes a uint64 to `address`, which must be a multiple of 8; never torn."""

    def generate(context, builder, sig, args):
        place = builder.inttoptr(args[0], _WORD.as_pointer())
        builder.store_atomic(args[1], place, "monotonic", 8)
        return context.get_dummy_value()

    return types.void(types.uint64, types.uint64), generate


@intrinsic
def prefetch(typingctx, address):
    """Asks the processor to load the cache line at `address`."""

    def generate(context, builder, sig, args):
        byte, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, flag, flag, flag])
        name = "llvm.prefetch.p0"
        function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
        place = builder.inttoptr(args[0], byte)
        builder.call(function, [place, flag(0), flag(3), flag(1)])
        return context.get_dummy_value()

    return types.void(types.uint64), generate
