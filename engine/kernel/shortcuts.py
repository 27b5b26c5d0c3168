"""Parts of Numba that take a large share of the time of compiling, written for speed: they do the same.

Importing this module puts them in place of Numba's."""

import inspect
from functools import cache, lru_cache
from types import FunctionType
from typing import Any

from numba.core import base, byteflow, errors, interpreter, ir, ssa, typeinfer, utils
from numba.core.typing import context as typing_context

_PLAIN = frozenset((str, int, float, bool, type(None), ir.Loc))


def _variables_in(self: ir.Inst, value: Any) -> list[ir.Var]:
    """Numba's `_rec_list_vars` with the frequent kinds of values first."""
    kind = type(value)
    if kind is ir.Var:
        return [value]
    if kind in _PLAIN:
        return []
    if kind is dict:
        value = value.values()
    elif kind is not list and kind is not tuple:
        return value.list_vars() if isinstance(value, ir.Inst) else []
    found = []
    for each in value:
        found += _variables_in(self, each)
    return found


# Static single assignment


def _names_in(block: ir.Block) -> set[str]:
    """The names of the variables in a block. Those that are new in a rewritten block need not be known."""
    names = getattr(block, "names", None)
    if names is None:
        names = block.names = {each.name for stmt in block.body for each in stmt.list_vars()}
    return names


def _run_block_rewrite(blocks: dict[int, ir.Block], states: dict[str, Any], handler: Any) -> Any:
    """Numba's function, without a look at the blocks that do not mention the variable."""
    found = {}
    for label, block in blocks.items():
        names = _names_in(block)
        if states["varname"] not in names:
            found[label] = block
            continue
        states["label"], states["block"] = label, block
        rewritten = ir.Block(scope=block.scope, loc=block.loc)
        rewritten.names = names
        rewritten.body = [
            (handler.on_assign if isinstance(each, ir.Assign) else handler.on_other)(states, each)
            for each in block.body
        ]
        found[label] = rewritten
    return found


# Bytecode

_REWRITTEN = {  # operations that Numba looks for again when a function is read
    *("BEFORE_WITH", "BUILD_CONST_KEY_MAP", "BUILD_MAP", "CALL_FUNCTION_EX", "CALL_INTRINSIC_1"),
    *("DICT_MERGE", "DICT_UPDATE", "LIST_EXTEND", "LIST_TO_TUPLE", "LOAD_SPECIAL", "SETUP_WITH"),
}
_post_process = interpreter.Interpreter.post_process
_run_handle_exception = byteflow.Flow._run_handle_exception


def _can_raise(bytecode: Any) -> bool:
    """Whether a function handles exceptions, or this version of Numba does not say."""
    return bool(getattr(bytecode, "exception_entries", True))


def _advance(self: Any, runner: Any, state: Any) -> Any:
    """Numba's method, with nothing to look for in a function that handles no exception."""
    if _can_raise(self._bytecode):
        return _run_handle_exception(self, runner, state)
    state.advance_pc()
    return None


def _only_needed(self: Any, peepholes: Any, func_ir: Any) -> Any:
    """Numba's method, without a search for operations that the function does not have."""
    operations = {each.opname for each in self.bytecode.table.values()}
    if _can_raise(self.bytecode) or operations & _REWRITTEN:
        return _post_process(self, peepholes, func_ir)
    return func_ir


# Type inference


class _ErrorContext:
    """Numba's `new_error_context`, which adds a text to an error within."""

    def __init__(self, text: str, *args: Any, **kwargs: Any) -> None:
        self._text, self._args, self._kwargs = text, args, kwargs
        loc = kwargs.get("loc")
        if loc is not None and not loc.filename.startswith(errors._numba_path):
            errors.loc_info.update(kwargs)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, _traceback: Any) -> None:
        if isinstance(error, errors.NumbaError):
            error.add_context(errors._format_msg(self._text, self._args, self._kwargs))


_orders: dict[Any, list[Any]] = {}
_order_by_target_specificity = utils.order_by_target_specificity


def _in_order(target: Any, templates: Any, fnkey: Any = "") -> list[Any]:
    """Numba's `order_by_target_specificity` with a cache."""
    key = target, tuple(templates)
    if key not in _orders:
        _orders[key] = _order_by_target_specificity(target, list(templates), fnkey)
    return _orders[key]


# Functions

_MANY = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS


@lru_cache(256)
def _signature(function: Any) -> inspect.Signature:
    """Python's function, which Numba calls twice for each jitted function: shorter for functions whose
    arguments are names with defaults."""
    if type(function) is not FunctionType or function.__annotations__ or function.__dict__:
        return inspect.signature(function)
    code, defaults = function.__code__, function.__defaults__ or ()
    if code.co_flags & _MANY or code.co_kwonlyargcount or code.co_posonlyargcount:
        return inspect.signature(function)
    names = code.co_varnames[: code.co_argcount]
    missing = (inspect.Parameter.empty,) * (len(names) - len(defaults))
    return inspect.Signature(
        [
            inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)
            for name, default in zip(names, missing + defaults, strict=True)
        ],
        __validate_parameters__=False,
    )


ir.Inst._rec_list_vars = _variables_in
ssa._run_block_rewrite = _run_block_rewrite
byteflow.Flow._run_handle_exception = _advance
interpreter.Interpreter.post_process = _only_needed
typeinfer.new_error_context = _ErrorContext
utils.order_by_target_specificity = typing_context.order_by_target_specificity = _in_order
base._has_loc = cache(base._has_loc)  # whether a function takes a place, asked again for each use
utils.pysignature = _signature
