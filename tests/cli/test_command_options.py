"""Options that commands declare in the annotations of their parameters."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import click
import pytest
from click.testing import CliRunner
from surajang.engine.definition import catalogue
from surajang.protocol.terminal.command_options import (
    FILE,
    NEW_FILE,
    Option,
    sentence,
    told_errors,
    with_options,
)

pytestmark = pytest.mark.pure


@dataclass(frozen=True)
class Limits:
    nodes: Annotated[int | None, Option("Nodes.", least=1)] = None
    seconds: Annotated[float, Option("Seconds.", least=0, most=9)] = 1.5


@dataclass(frozen=True)
class FewLimits(Limits):
    seconds: Annotated[float, Option("Seconds.", least=0, most=9)] = 0.0


@click.command()
@with_options
def command(
    *,
    all_games: Annotated[bool, Option("All of them.")] = False,
    kind: Annotated[str, Option("Which.", "--type")],
    limits: Limits,
    few: Annotated[tuple[str, ...], Option("Some.", "--one", multiple=True)] = (),
    source: Annotated[Path | None, Option("From here.", type=FILE)] = None,
):
    click.echo([all_games, kind, limits, few, source])


def run(*words, of=command):
    return CliRunner().invoke(of, words)


def test_options_have_the_names_and_defaults_of_the_parameters():
    assert run("--type", "a").output == f"{[False, 'a', Limits(), (), None]}\n"


def test_options_take_values_of_the_annotated_types():
    words = ("--all-games", "--type", "b", "--nodes", "7", "--seconds", "2", "--one", "x", "--one", "y")
    assert run(*words).output == f"{[True, 'b', Limits(7, 2.0), ('x', 'y'), None]}\n"


@pytest.mark.parametrize(
    "words, complaint",
    [
        ((), "Missing option '--type'"),
        (("--type", "a", "--nodes", "0"), "0 is not in the range x>=1"),
        (("--type", "a", "--nodes", "1.5"), "'1.5' is not a valid integer range"),
        (("--type", "a", "--seconds", "10"), "10.0 is not in the range 0<=x<=9"),
        (("--type", "a", "--seconds", "nan"), "'nan' is not a number such as 0.5"),
        (("--type", "a", "--seconds", "inf"), "inf is not in the range 0<=x<=9"),
        (("--type", "a", "--source", "nowhere"), "File 'nowhere' does not exist"),
    ],
)
def test_bad_values_are_refused(words, complaint):
    done = run(*words)
    assert done.exit_code == 2 and complaint in done.output


@pytest.mark.parametrize("word", ["nan", "inf", "-inf"])
def test_numbers_without_bounds_are_finite(word):
    @click.command()
    @with_options
    def other(share: Annotated[float, Option("Share.")] = 0.0):
        click.echo(share)

    done = run("--share", word, of=other)
    assert done.exit_code == 2 and f"{word!r} is not a number such as 0.5" in done.output


def test_file_to_write_is_not_one_to_read(tmp_path):
    @click.command()
    @with_options
    def other(
        data: Annotated[tuple[Path, ...], Option("Read.", multiple=True, type=FILE)],
        out: Annotated[Path, Option("Written.", type=NEW_FILE)],
    ):
        click.echo("done")

    first, second, link = tmp_path / "a", tmp_path / "b", tmp_path / "link"
    for path in (first, second):
        path.write_text("text")
    link.symlink_to(second)
    words = ("--data", str(first), "--data", str(second), "--out")
    assert run(*words, str(tmp_path / "c"), of=other).output == "done\n"
    for path in (second, link):
        refused = run(*words, str(path), of=other)
        assert refused.exit_code == 2
        assert f"Invalid value for '--out': '{path}' is that of --data, which would be lost" in refused.output


def test_file_to_write_is_not_that_of_the_game(tmp_path):
    @click.command()
    @with_options
    def other(out: Annotated[Path, Option("Written.", type=NEW_FILE)]):
        click.echo("done")

    path = tmp_path / "own.toml"
    path.write_text('extends = "chess"\nname = "own"\ntitle = "Own"\n')
    assert run("--out", str(path), of=other).output == "done\n"
    catalogue.register(path)
    refused = run("--out", str(path), of=other)
    assert f"'--out': '{path}' is the file of the game 'own', which would be lost" in refused.output


def test_help_lists_the_options_in_their_order_and_shows_defaults_that_are_not_empty():
    lines = [line.strip() for line in run("--help").output.splitlines()]
    shown = [line.split()[0] for line in lines if line.startswith("--")]
    assert shown == ["--all-games", "--type", "--nodes", "--seconds", "--one", "--source", "--help"]
    assert [line.split("default: ")[1].split(";")[0] for line in lines if "default: " in line] == ["1.5"]


def test_group_may_change_the_default_of_the_one_it_extends():
    @click.command()
    @with_options
    def other(limits: FewLimits):
        click.echo(limits)

    assert run(of=other).output == f"{FewLimits(None, 0.0)}\n"


@pytest.mark.parametrize(
    "error, kind", [(KeyError("a"), click.UsageError), (OSError("b"), click.ClickException)]
)
def test_errors_become_those_of_the_command_line(error, kind):
    with pytest.raises(click.ClickException) as caught, told_errors(KeyError):
        raise error
    assert type(caught.value) is kind and caught.value.message == str(error)


def test_error_of_the_system_has_its_file_and_no_number():
    with pytest.raises(click.ClickException) as caught, told_errors():
        raise FileNotFoundError(2, "No such file or directory", "a.games")
    assert caught.value.message == "a.games: No such file or directory"
    assert sentence(OSError(28, "No space left on device")) == "No space left on device"


def test_other_errors_pass():
    with pytest.raises(ZeroDivisionError), told_errors(KeyError):
        raise ZeroDivisionError
