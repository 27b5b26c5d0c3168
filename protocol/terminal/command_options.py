"""Options of commands, declared in the annotation of the parameter.

`games: Annotated[int, Option("Maximum number of games.", least=1)] = 100` declares an option --games."""

import inspect
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args

import click

from ...engine.definition.catalogue import registered
from ...engine.game.arguments import check_number
from .outputs import OutputFile, OutputFolder

Function = TypeVar("Function", bound=Callable[..., Any])


class FiniteRange(click.FloatRange):
    """A number within bounds, if any. `nan` and `inf`, which Python reads as numbers, are refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number. Fails with a sentence that quotes it."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a number such as 0.5", param, ctx)
        return number


FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
NEW_FILE = OutputFile()
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
NEW_FOLDER = OutputFolder()


class RenamedOption(click.Option):
    """An option with older spellings, which still work but are not in the help text."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The spelling and the text in help."""
        spellings, self.opts = self.opts, self.opts[:1]
        try:
            return super().get_help_record(ctx)
        finally:
            self.opts = spellings


def _parsed(parse: Callable[[Any], Any]) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """A click callback that parses what was given, if anything."""

    def callback(context: click.Context, parameter: click.Parameter, given: Any) -> Any:
        try:
            return None if given is None else parse(given)
        except ValueError as error:
            raise click.BadParameter(str(error)) from None

    return callback


class Option:
    """The option for a parameter.

    The parameter's name makes the flag, its type the option's type, its default the option's default. A
    parameter without a default is required, and a default that is not false is shown. `least` and `most`
    bound a number. `parse` makes the value of what was given; its ValueError becomes an error that names the
    option. `settings` are those of `click.option`; a type other than a number, a text or a flag needs its
    `type`."""

    def __init__(
        self,
        help: str | None = None,
        *flags: str,
        least: float | None = None,
        most: float | None = None,
        parse: Callable[[Any], Any] | None = None,
        **settings: Any,
    ) -> None:
        self._flags, self._least, self._most = flags, least, most
        self._settings = {"help": help, **({"callback": _parsed(parse)} if parse else {}), **settings}

    def decorator(self, name: str, kind: Any, default: Any) -> Callable[[Any], Any]:
        """The click decorator for the parameter `name` of type `kind`, possibly `X | None`."""
        kind = _not_none(kind)
        settings: dict[str, Any] = {}
        if kind is bool:
            settings["is_flag"] = True
        elif kind in (int, float):
            settings["type"] = self._numbers(kind)
        if default is inspect.Parameter.empty:
            settings["required"] = True
        elif default not in (None, ()) and default is not False:
            settings |= {"default": default, "show_default": bool(default)}
        flags = self._flags or (f"--{name.replace('_', '-')}",)
        return click.option(*flags, name, **settings | self._settings)

    def check(self, name: str, kind: Any, value: object) -> None:
        """Checks the `value` that a Python caller gives for the parameter `name` of type `kind`: a number, or
        a text, also one that `parse` reads. Raises TypeError, and ValueError for a number out of range."""
        if value is None and kind is not _not_none(kind):
            return
        kind = _not_none(kind)
        if kind in (int, float):
            check_number(name, value, whole=kind is int)
            try:
                self._settings.get("type", self._numbers(kind)).convert(value, None, None)
            except click.BadParameter as error:
                raise ValueError(f"{name} {error.message.rstrip('.')}") from None
        elif (kind is str or "callback" in self._settings) and not isinstance(value, str):
            raise TypeError(f"{name} {value!r} should be a text")

    def _numbers(self, kind: type) -> Any:
        """The type of click for numbers within the bounds."""
        numbers: Any = click.IntRange if kind is int else FiniteRange
        bounded = self._least is not None or self._most is not None or kind is float
        return numbers(self._least, self._most) if bounded else click.INT


def _not_none(kind: Any) -> Any:
    """The type X of `X | None`, else the type itself."""
    return next((part for part in get_args(kind) if part is not type(None)), kind)


def _declared(owner: Any) -> Iterator[tuple[str, Any, Callable[[Any], Any]]]:
    """Yields (parameter, group, decorator) for each option of a function or a dataclass, in their order;
    `group` is the dataclass of a parameter whose fields are options, otherwise None."""
    for name, parameter in inspect.signature(owner).parameters.items():
        kind = parameter.annotation
        if is_dataclass(kind):
            yield from ((name, kind, decorator) for _, _, decorator in _declared(kind))
        for option in getattr(kind, "__metadata__", ()):
            if isinstance(option, Option):
                yield name, None, option.decorator(name, get_args(kind)[0], parameter.default)


def _inputs(context: click.Context) -> Iterator[tuple[str, Path]]:
    """The files that a command reads, and whose they are."""
    for name, path in registered().items():
        yield f"the file of the game {name!r}", path
    for source in context.command.params:
        if isinstance(source.type, click.Path) and source.type.exists:
            found = context.params.get(source.name or "")
            for each in found if isinstance(found, tuple) else (found,):
                if each is not None:
                    yield f"that of {source.opts[0]}", each


def _refuse_outputs_over_inputs(context: click.Context) -> None:
    """Raises BadParameter if an option names a file to write that another one reads."""
    for output in context.command.params:
        path = context.params.get(output.name or "")
        if isinstance(output.type, OutputFile) and path is not None and path.exists():
            for whose, source in _inputs(context):
                if source.exists() and path.samefile(source):
                    raise click.BadParameter(f"'{path}' is {whose}, which would be lost", context, output)


def with_options(function: Function) -> Function:
    """Adds the options of a command's parameters. A parameter whose type is a dataclass gets an instance made
    from the options of its fields."""
    declared = list(_declared(function))
    groups = {name: group for name, group, _ in declared if group is not None}

    @wraps(function)
    def command(*arguments: Any, **values: Any) -> Any:
        _refuse_outputs_over_inputs(click.get_current_context())
        for name, group in groups.items():
            values[name] = group(**{field.name: values.pop(field.name) for field in fields(group)})
        return function(*arguments, **values)

    decorated: Any = command
    for _, _, decorator in reversed(declared):
        decorated = decorator(decorated)
    return decorated  # type: ignore[no-any-return]


def check_argument(name: str, kind: Any, value: object) -> None:
    """Checks an argument of a Python caller as the option is checked that the annotation `kind` declares.
    Raises TypeError for a value of another type, ValueError for a number that is out of range; both quote the
    value."""
    for option in getattr(kind, "__metadata__", ()):
        if isinstance(option, Option):
            option.check(name, get_args(kind)[0], value)


def check_arguments(owner: type, **values: object) -> None:
    """Checks arguments as `check_argument` does, by the annotations of the fields of a dataclass."""
    for name, parameter in inspect.signature(owner).parameters.items():
        if name in values:
            check_argument(name, parameter.annotation, values[name])


Cluster = Annotated[str | None, Option("Play on the Dask cluster of this scheduler.", metavar="ADDRESS")]


def sentence(error: Exception) -> str:
    """The text of an error; that of the system has its file first, and no number."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
    return str(error)


@contextmanager
def told_errors(
    *usage: type[Exception], failures: tuple[type[Exception], ...] = (OSError,)
) -> Iterator[None]:
    """Converts errors to those of the command line: `usage` to usage errors, `failures` to others."""
    try:
        yield
    except usage as error:
        raise click.UsageError(sentence(error)) from None
    except failures as error:
        raise click.ClickException(sentence(error)) from None
