"""The log of a conversation: `--log` in both protocols, and the option of UCI."""

import re
import subprocess

import pytest
from surajang.tests.support.gui import COMMAND, SOON, Gui, UciGui

pytestmark = pytest.mark.process

LINE = re.compile(r" *(\d+\.\d{3}) ([<>#]) (.*)")
FULL = "/dev/full"  # every write to it fails


def talk(arguments, text):
    """Output and errors of an engine that gets `text` and then the end of input."""
    done = subprocess.run([*COMMAND, *arguments], input=text, capture_output=True, timeout=SOON)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode().splitlines(), done.stderr.decode()


def read(path):
    """The lines of a log: (seconds, mark, text)."""
    matches = [LINE.fullmatch(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert all(matches)
    return [(float(match[1]), match[2], match[3]) for match in matches]


@pytest.mark.parametrize("words", [["uci", "debug on", "nonsense"], ["xboard", "protover 2", "nonsense"]])
def test_log_has_both_directions_in_order_and_nothing_is_missing(tmp_path, words):
    path = tmp_path / "log"
    said, errors = talk(["--log", str(path)], "".join(f"{word}\n" for word in words).encode())
    log = read(path)
    assert [text for _, mark, text in log if mark == ">"] == words
    assert [text for _, mark, text in log if mark == "<"] == said
    assert log.index(next(entry for entry in log if entry[2] == words[0])) < log.index(
        next(entry for entry in log if entry[1] == "<")
    )
    times = [seconds for seconds, _, _ in log]
    assert times == sorted(times) and 0 <= times[0] < SOON
    assert errors == ""


def test_every_line_is_on_disk_at_once(tmp_path):
    gui = UciGui(command=[*COMMAND, "--log", str(tmp_path / "log")])
    gui.start()
    before = read(tmp_path / "log")
    gui.process.kill()
    gui.close()
    assert before[-1][1:] == ("<", "uciok")


def test_bytes_that_are_no_text_and_control_characters_are_escaped(tmp_path):
    path = tmp_path / "log"
    talk(["--log", str(path)], b"uci\na\xffb\x1b\r\n")
    assert [text for _, mark, text in read(path) if mark == ">"] == ["uci", r"a\xffb\x1b"]


def test_log_is_added_to(tmp_path):
    path = tmp_path / "log"
    for _ in range(2):
        talk(["--log", str(path)], b"uci\nquit\n")
    assert [text for _, mark, text in read(path) if mark == ">"] == ["uci", "quit"] * 2
    assert len([text for _, mark, text in read(path) if text.startswith("process ")]) == 2


@pytest.mark.parametrize("name", [".", "no/such/folder"])
@pytest.mark.parametrize(
    ("first", "answer", "told"), [("uci", "uciok", "info string "), ("xboard", "", "tellusererror ")]
)
def test_log_that_cannot_be_written_is_reported_and_the_engine_continues(tmp_path, name, first, answer, told):
    path = str(tmp_path / name)
    said, errors = talk(["--log", path], f"{first}\nprotover 2\n".encode())
    (complaint,) = [line for line in said if path in line]
    assert complaint.startswith(f"{told}The log {path} cannot be written: ")
    assert complaint.removeprefix(told) in errors
    assert any("option" in line or answer in line for line in said)


def test_log_on_a_full_disk_ends_and_the_engine_continues():
    said, errors = talk(["--log", FULL], b"uci\n")
    assert said[-1] == "uciok"
    assert errors.startswith("The log ends here: ") and errors.count("\n") == 1


def test_engine_without_standard_error_writes_only_its_protocol(tmp_path):
    command = ["sh", "-c", '"$@" 2>&-', "sh", *COMMAND, "--log", str(tmp_path)]
    said = subprocess.run(command, input=b"uci\nquit\n", capture_output=True, timeout=SOON).stdout.decode()
    assert [line for line in said.splitlines() if not re.match("id |option ", line)] == [
        "uciok",
        f"info string The log {tmp_path} cannot be written: Is a directory",
    ]


def test_uci_option_opens_and_closes_the_log(tmp_path):
    path = tmp_path / "log"
    gui = UciGui()
    words = gui.start()
    assert "option name Debug Log File type string default <empty>" in words
    for line in (
        f"setoption name Debug Log File value {path}\ndebug a",
        "debug b",
        "setoption name Debug Log File value <empty>\ndebug c",
        "debug d",
    ):
        gui.send(line)
        gui.expect("info string debug is .*")
    gui.close()
    log = [entry[1:] for entry in read(path)]
    assert (">", "debug b") in log and ("<", "info string debug is on or off: debug b") in log
    assert not any("debug d" in text for _, text in log)


def test_uci_option_with_a_file_that_cannot_be_written_changes_nothing(tmp_path):
    path = tmp_path / "log"
    gui = UciGui(command=[*COMMAND, "--log", str(path)])
    gui.start()
    gui.send(f"setoption name Debug Log File value {tmp_path}")
    gui.expect("info string the log cannot be written: Is a directory: .*")
    gui.close()
    assert read(path)[-1][2].startswith("info string the log cannot be written")


def test_end_of_input_is_noted(tmp_path):
    gui = Gui(command=[*COMMAND, "--log", str(tmp_path / "log")])
    gui.start()
    gui.process.stdin.close()
    assert gui.end() == 0
    assert read(tmp_path / "log")[-1][1:] == ("#", "end of input")


def test_log_of_a_command_that_talks_to_no_gui_is_refused(tmp_path):
    command = [*COMMAND, "--log", str(tmp_path / "log"), "variants"]
    done = subprocess.run(command, capture_output=True, timeout=SOON)
    assert done.returncode == 2 and b"--log" in done.stderr
    assert not (tmp_path / "log").exists()
