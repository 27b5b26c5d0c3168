"""`install-gui`: the lists of engines of XBoard, Cute Chess and PyChess in a separate home directory."""

import json
import os
import stat
import sys
from functools import partial

import pytest
from click.testing import CliRunner
from surajang.engine.definition.catalogue import available, load
from surajang.engine.game.description import VariantError
from surajang.protocol.setup import gui_settings, install_gui_command
from surajang.protocol.setup.install_gui_command import main
from surajang.search import native_code
from surajang.tests.support.games import SEARCHED_GAMES

pytestmark = pytest.mark.process

COMMAND = [sys.executable, "-m", "surajang"]
STARTS = install_gui_command._starts
PROGRAM = "/opt/my games/bin/surajang"  # what an installation has put beside its interpreter
OTHERS = [
    {"name": "Zappa", "command": "zappa", "protocol": "uci", "level": 3, "unknown": {"a": [1, None, "ü"]}},
    {"name": "Arasan", "command": "/usr/games/arasan", "protocol": "xboard", "options": []},
]
RC = """\
; XBoard's own words
-movesPerSession 0
-firstChessProgramNames {fairymax
"Crafty" -fcp crafty
"GNU Chess" -fcp "gnuchess -x" -fd "/tmp"
}
-niceEngines 0
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home directory of a user who has run the three GUIs."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setattr(gui_settings, "_home_of_the_user", lambda: tmp_path)
    monkeypatch.setattr(install_gui_command, "_starts", lambda command: True)
    monkeypatch.setattr(gui_settings, "program_of", lambda interpreter: PROGRAM)
    monkeypatch.setattr(install_gui_command, "compiling", lambda variant: lambda progress: None)
    monkeypatch.setattr(native_code, "prefer_native_code", lambda: None)
    for name in ("cutechess", "pychess"):
        (tmp_path / ".config" / name).mkdir(parents=True)
        (tmp_path / ".config" / name / "engines.json").write_text(json.dumps(OTHERS), encoding="utf-8")
    (tmp_path / ".xboardrc").write_text(RC)
    return tmp_path


def run(*arguments, code=0):
    """The output of the command, including standard error."""
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == code, result.output
    return result.output


def files(home):
    """All files below a folder, with what is in them."""
    return {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}


def engines(home, name):
    return json.loads((home / ".config" / name / "engines.json").read_text(encoding="utf-8"))


def test_every_gui_that_was_run_is_configured(home):
    run()
    cutechess, pychess = engines(home, "cutechess")[-1], engines(home, "pychess")[-1]
    assert (cutechess["name"], cutechess["protocol"]) == ("Surajang", "uci")
    assert {"standard", "crazyhouse", "janggi"} <= set(cutechess["variants"])
    assert (pychess["name"], pychess["protocol"]) == ("Surajang", "uci")
    assert [pychess["command"], *pychess["args"]] == COMMAND
    assert f'"Surajang" -fcp "{" ".join(COMMAND)}"\n}}' in (home / ".xboardrc").read_text()


@pytest.fixture
def compiled(home, monkeypatch):
    """The games that were compiled, in their order."""
    games = []
    monkeypatch.setattr(
        install_gui_command, "compiling", lambda variant: lambda progress: games.append(variant)
    )
    return games


def test_gui_is_told_of_every_game_and_those_with_a_network_are_compiled(home, compiled):
    run()
    ours = {"standard": "chess", "fischerandom": "chess960"}
    told = {ours.get(name, name) for name in engines(home, "cutechess")[-1]["variants"]}
    assert told == set(available())
    shared_networks = [name for name in available() if load(name).shares_network]
    assert len(shared_networks) > 5
    assert sorted(compiled) == sorted((*SEARCHED_GAMES, "chess960", *shared_networks))


@pytest.mark.parametrize("option", ["--no-compile", "--remove", "--print"])
def test_nothing_is_compiled_where_that_is_not_wanted(home, compiled, option):
    run(option)
    assert compiled == []


def test_game_that_cannot_be_compiled_does_not_stop_the_others(home, monkeypatch):
    tried = []

    def fail(variant, progress):
        tried.append(variant)
        raise VariantError(f"{variant} is broken")

    monkeypatch.setattr(install_gui_command, "compiling", lambda variant: partial(fail, variant))
    assert "Warning: chess is not compiled: chess is broken" in run()
    assert len(tried) > 1


def test_cute_chess_is_told_a_program_and_to_be_patient(home):
    """It takes the whole command as the name of a program, and waits 15 s for an answer, while a game may
    have to be compiled first."""
    run("--gui", "cutechess")
    entry = engines(home, "cutechess")[-1]
    assert entry["command"] == PROGRAM
    assert entry["timeoutScaleFactor"] * 15 >= 60


def test_command_with_arguments_of_an_earlier_version_is_replaced_in_cute_chess(home):
    path = home / ".config" / "cutechess" / "engines.json"
    old = {"name": "Surajang", "command": '"/my games/python" -m surajang', "protocol": "uci", "ponder": True}
    path.write_text(json.dumps([old, *OTHERS]))
    run("--gui", "cutechess")
    assert engines(home, "cutechess") == [old | {"command": PROGRAM}, *OTHERS]


def test_cute_chess_is_not_configured_without_a_program(home, monkeypatch):
    monkeypatch.setattr(gui_settings, "program_of", lambda interpreter: None)
    assert "Error: Cute Chess: it starts programs without arguments alone" in run(code=1)
    assert engines(home, "cutechess") == OTHERS
    assert engines(home, "pychess")[-1]["name"] == "Surajang"


def test_program_is_found_beside_its_interpreter(tmp_path):
    program = tmp_path / "surajang"
    program.write_text("")
    program.chmod(0o755)
    assert gui_settings.program_of(str(tmp_path / "python")) == str(program)


def test_everything_else_is_unchanged(home):
    run()
    for name in ("cutechess", "pychess"):
        assert engines(home, name)[:-1] == OTHERS
        assert [list(entry) for entry in engines(home, name)[:-1]] == [list(entry) for entry in OTHERS]
    lines = (home / ".xboardrc").read_text().splitlines()
    assert [line for line in lines if "Surajang" not in line] == RC.splitlines()


def test_lists_are_written_as_the_guis_write_them(home):
    run()
    for name, indent in (("cutechess", 4), ("pychess", 1)):
        text = (home / ".config" / name / "engines.json").read_text(encoding="utf-8")
        assert f'[\n{" " * indent}{{\n{" " * 2 * indent}"name": "Zappa"' in text
        assert "ü" in text


def test_second_time_changes_nothing(home):
    run()
    before = files(home)
    times = {path: path.stat().st_mtime_ns for path in before}
    assert run().count("is not changed") == 3
    assert files(home) == before
    assert {path: path.stat().st_mtime_ns for path in before} == times


def test_remove_takes_out_what_was_entered_and_nothing_else(home):
    run()
    run("--remove")
    assert engines(home, "cutechess") == engines(home, "pychess") == OTHERS
    assert (home / ".xboardrc").read_text() == RC
    before = files(home)
    assert run("--remove").count("is not changed") == 3
    assert files(home) == before


def test_command_of_another_environment_is_replaced_and_settings_of_the_gui_stay(home):
    path = home / ".config" / "pychess" / "engines.json"
    old = {"name": "Surajang", "command": "/old/bin/python", "args": ["-m", "surajang"], "protocol": "uci"}
    path.write_text(json.dumps([old | {"level": 7, "recheck": False}, *OTHERS]))
    (home / ".xboardrc").write_text(
        RC.replace("fairymax\n", '"Surajang" -fcp "/old/python -m surajang"\n', 1)
    )
    run()
    own, *others = engines(home, "pychess")
    assert own == old | {"command": sys.executable, "level": 7, "recheck": False}
    assert others == OTHERS
    assert "/old" not in (home / ".xboardrc").read_text()
    assert (home / ".xboardrc").read_text().count("Surajang") == 1


@pytest.mark.parametrize(
    "damaged", ['[{"name": "Zappa"', '{"name": "Zappa"}', "{}", "7", "[1]", "\x00", '[{"name": "Zappa"}]]']
)
def test_damaged_list_is_refused_by_name_and_left(home, damaged):
    path = home / ".config" / "cutechess" / "engines.json"
    path.write_text(damaged)
    output = run(code=1)
    assert f"Error: Cute Chess: {path}" in output
    assert path.read_text() == damaged
    assert engines(home, "pychess")[-1]["name"] == "Surajang"  # the others are served all the same
    assert str(path) in run("--remove", code=1)
    assert path.read_text() == damaged


@pytest.mark.parametrize("text", ["-firstChessProgramNames {fairymax\n", '-firstChessProgramNames "a\\nb"\n'])
def test_xboard_settings_in_another_form_are_refused_and_left(home, text):
    (home / ".xboardrc").write_text(text)
    assert str(home / ".xboardrc") in run("--gui", "xboard", code=1)
    assert (home / ".xboardrc").read_text() == text


@pytest.mark.parametrize("command", ["nice surajang", "surajang", "/opt/surajang.sh/engine", 7, None])
def test_engine_of_the_same_name_that_the_user_has_entered_is_left(home, command):
    path = home / ".config" / "cutechess" / "engines.json"
    path.write_text(json.dumps([{"name": "Surajang", "command": command, "protocol": "uci"}]))
    before = path.read_text()
    assert "another engine of the name Surajang" in run("--gui", "cutechess", code=1)
    run("--gui", "cutechess", "--remove")
    assert path.read_text() == before


def test_engine_of_the_same_name_in_xboard_is_left(home):
    text = RC.replace('"Crafty" -fcp crafty', '"Surajang" -fcp nonesuch')
    (home / ".xboardrc").write_text(text)
    assert "another engine of the name Surajang" in run("--gui", "xboard", code=1)
    run("--gui", "xboard", "--remove")
    assert (home / ".xboardrc").read_text() == text


def test_entry_that_the_user_has_made_of_this_engine_under_another_name_is_left(home):
    line = f'"Mine" -fcp "{" ".join(COMMAND)}" -fd "/tmp"'
    (home / ".xboardrc").write_text(RC.replace('"Crafty" -fcp crafty', line))
    mine = {"name": "Mine", "command": COMMAND[0], "args": COMMAND[1:], "protocol": "uci"}
    (home / ".config" / "pychess" / "engines.json").write_text(json.dumps([mine]))
    before = files(home)
    run()
    assert line in (home / ".xboardrc").read_text()
    assert [entry["name"] for entry in engines(home, "pychess")] == ["Mine", "Surajang"]
    run("--remove")
    assert (home / ".xboardrc").read_bytes() == before[home / ".xboardrc"]
    assert engines(home, "pychess") == [mine]


@pytest.mark.parametrize(
    "entry", [{"args": None}, {"args": 7}, {"command": "it's"}, {"command": "-m surajang"}, {}]
)
def test_odd_entries_of_the_same_name_are_left(home, entry):
    for name in ("cutechess", "pychess"):
        path = home / ".config" / name / "engines.json"
        path.write_text(json.dumps([{"name": "Surajang"} | entry]))
    (home / ".xboardrc").write_text(RC.replace("fairymax", '"Surajang" -fcp "it\'s'))
    before = files(home)
    assert run(code=1).count("another engine of the name Surajang") == 3
    run("--remove")
    assert files(home) == before


def test_command_needs_a_program(home):
    assert gui_settings.is_own_command(COMMAND)
    assert not gui_settings.is_own_command(COMMAND[1:])


def test_xboards_settings_without_the_engine_stay_as_they_were_written(home):
    """Even if XBoard itself would write them in another way."""
    text = RC.replace("Names {fairymax", "Names = {fairymax") + "-installEngine {other}\n"
    (home / ".xboardrc").write_text(text)
    assert "is not changed" in run("--gui", "xboard", "--remove")
    assert (home / ".xboardrc").read_text() == text


@pytest.mark.parametrize("folder", ["/opt/{a}", "/opt/a\nb", '/opt/it\'s "it"'])
def test_program_that_xboard_cannot_start_is_refused(home, monkeypatch, folder):
    monkeypatch.setattr(sys, "executable", f"{folder}/python")
    assert f"XBoard cannot start a program of the name {folder + '/python'!r}" in run(
        "--gui", "xboard", code=1
    )
    assert (home / ".xboardrc").read_text() == RC


def test_print_writes_nothing_and_shows_what_would_be_written_where(home):
    before = files(home)
    output = run("--print")
    assert files(home) == before
    for path in before:
        assert str(path) in output
    run()
    for content in files(home).values():
        assert content.decode() in output


def test_guis_never_run_are_skipped_unless_they_are_named(home):
    for path in list(files(home)):
        path.unlink()
    for name in ("cutechess", "pychess"):
        (home / ".config" / name).rmdir()
    output = run(code=1)
    for gui in ("xboard", "cutechess", "pychess"):
        assert f"--gui {gui}" in output
    assert not files(home)
    run("--gui", "cutechess", "--gui", "xboard")
    assert sorted(path.name for path in files(home)) == [".xboardrc", "engines.json"]
    assert [entry["name"] for entry in engines(home, "cutechess")] == ["Surajang"]


def test_without_settings_xboard_is_asked_to_add_the_engine_to_its_own_list(home):
    (home / ".xboardrc").unlink()
    run("--gui", "xboard")
    line = f'-installEngine {{"Surajang" -fcp "{" ".join(COMMAND)}"}}\n'
    assert (home / ".xboardrc").read_text() == line
    run("--gui", "xboard")
    assert (home / ".xboardrc").read_text() == line
    run("--gui", "xboard", "--remove")
    assert (home / ".xboardrc").read_text() == ""


def test_interpreter_in_a_folder_with_spaces_is_quoted(home, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/opt/my games/bin/python")
    run()
    line = '"Surajang" -fcp \'"/opt/my games/bin/python" -m surajang\'\n'
    assert line in (home / ".xboardrc").read_text()
    run("--remove")
    assert (home / ".xboardrc").read_text() == RC


def test_settings_are_found_where_xdg_config_home_says(home, monkeypatch):
    (home / "elsewhere" / "pychess").mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "elsewhere"))
    assert "Cute Chess: skipped" in run()
    assert (home / "elsewhere" / "pychess" / "engines.json").exists()


def test_a_relative_folder_of_settings_is_none(home, monkeypatch):
    """Required by the specification of such folders."""
    monkeypatch.setenv("XDG_CONFIG_HOME", "elsewhere")
    run("--gui", "pychess")
    assert engines(home, "pychess")[-1]["name"] == "Surajang"


def test_xboards_home_is_that_of_the_list_of_users(tmp_path, monkeypatch):
    pwd = pytest.importorskip("pwd")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert str(gui_settings.GUIS["xboard"].path.parent) == pwd.getpwuid(os.getuid()).pw_dir != str(tmp_path)


def test_links_and_rights_of_a_file_stay(home):
    path, target = home / ".xboardrc", home / "dotfiles"
    path.rename(target)
    target.chmod(0o600)
    path.symlink_to(target)
    run("--gui", "xboard")
    assert path.is_symlink()
    assert "Surajang" in target.read_text()
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_failed_write_leaves_the_old_file_and_nothing_beside_it(home, monkeypatch):
    before = files(home)

    def full(new, old):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert run(code=1).count("No space left on device") == 3
    assert files(home) == before


def test_bytes_that_are_no_utf_8_survive(home):
    (home / ".xboardrc").write_bytes(b'-userName "Andr\xe9"\n' + RC.encode())
    run("--gui", "xboard")
    assert (home / ".xboardrc").read_bytes().startswith(b'-userName "Andr\xe9"\n')


def test_engine_that_no_gui_will_find_is_warned_of(home, monkeypatch):
    monkeypatch.setattr(install_gui_command, "_starts", STARTS)
    monkeypatch.setattr(gui_settings, "program_of", lambda interpreter: str(home / "no-program"))
    monkeypatch.setattr(sys, "executable", str(home / "no-python"))
    assert "Warning: a GUI will not find the engine" in run("--gui", "cutechess")
