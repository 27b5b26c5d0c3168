"""The help of commands and options: all have one, in sentences with valid references."""

from importlib import import_module
from pathlib import Path

import click
import pytest
import surajang

pytestmark = pytest.mark.pure

ROOT = Path(surajang.__file__).parent
SELF_EXPLANATORY = {"--epochs"}


def modules():
    """The modules of the package that define commands."""
    folders = [path.parent for path in ROOT.glob("*/__init__.py")]
    for path in sorted([*ROOT.glob("*.py"), *(path for each in folders for path in each.rglob("*.py"))]):
        parts = path.relative_to(ROOT).with_suffix("").parts
        text = path.read_text(encoding="utf-8")
        if "@click.command" in text or "@click.group" in text:
            yield ".".join(("surajang", *parts))


def commands(command):
    """A command, and those below it that its module defines."""
    yield command
    for below in getattr(command, "commands", {}).values():
        yield from commands(below)


@pytest.mark.parametrize("module", list(modules()))
def test_commands_and_options_have_help_in_sentences(module):
    found = [each for each in vars(import_module(module)).values() if isinstance(each, click.Command)]
    assert found or module.endswith(".options")
    for command in (below for each in found for below in commands(each)):
        for option in (each for each in command.params if isinstance(each, click.Option)):
            name, text = f"{module} {command.name} {option.opts[-1]}", (option.help or "").strip()
            assert text or option.opts[-1] in SELF_EXPLANATORY, name
            assert not text or text.endswith((".", "]")), name
        assert command.help and command.help.strip()[0].isupper(), f"{module} {command.name}"
        assert "README" not in command.help, f"{module} {command.name}: its help names another text"
