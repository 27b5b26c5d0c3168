"""The journal of a match: no game is lost or counted twice, after any interruption."""

import json
import os
import random
import signal
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from surajang.match.records.journal import CONFIGURATION, GAMES, PGN, Journal, JournalError
from surajang.match.records.model import (
    FAULTS,
    GameResult,
    MatchGame,
    MoveRecord,
    Opening,
    Record,
    Termination,
)

pytestmark = pytest.mark.process

CONFIGURED = {"variant": "crazyhouse", "engines": [{"name": "Ä"}, {"name": "B"}], "rounds": 4}
WORKER = """
import sys
from surajang.match.records.journal import Journal
from surajang.match.records.model import MatchGame, Opening, MoveRecord, Record

def pgn(record):
    return f"game {record.game.number}\\n\\n"

with Journal.resume(sys.argv[1], pgn=pgn) as journal:
    played = {record.game.number for record in journal.records}
    print("ready", flush=True)
    for number in range(int(sys.argv[2])):
        if number not in played:
            plies = [MoveRecord("e2e4", 0.5, 10, None, 7)] * (number % 50)
            game = MatchGame(number, number // 2, number % 2, 1 - number % 2, Opening("fen"))
            journal.append(Record(game, "1-0", "White mates", "normal", plies))
            print(number, flush=True)
    print("done", flush=True)
    sys.stdin.read()
"""


def record(number, **changes):
    game = MatchGame(number, number // 2, number % 2, 1 - number % 2, Opening("fen", ("e2e4",), 'a "name"'))
    plies = [MoveRecord("g1f3", 0.25, 31, None, 9, 5_000, 0.2), MoveRecord("P@d5", 0.125, None, -3)]
    return replace(
        Record(game, "1-0", "White mates", Termination.NORMAL, plies, None, "2026-01-01", 1.5, 0.1), **changes
    )


def short_pgn(record):
    return f"game {record.game.number}.{record.game.replay} {record.score}\n\n"


def filled(folder, numbers, pgn=None):
    """A closed journal in the folder with these games."""
    with Journal.create(folder, CONFIGURED, pgn) as journal:
        for number in numbers:
            journal.append(record(number))
    return folder


def numbers(journal):
    return [record.game.number for record in journal.records]


def test_what_was_appended_is_there_after_resuming(tmp_path):
    filled(tmp_path / "new" / "match", range(3))
    with Journal.resume(tmp_path / "new" / "match") as journal:
        assert journal.records == [record(number) for number in range(3)]
        assert journal.warnings == []


texts = st.text(max_size=20)
seconds = st.floats(0, 1e6)
plies = st.builds(
    MoveRecord,
    texts,
    seconds,
    st.none() | st.integers(),
    st.none() | st.integers(),
    st.integers(),
    st.integers(),
)
games = st.builds(
    MatchGame,
    st.integers(0, 10_000),
    st.integers(0),
    st.integers(0, 9),
    st.integers(0, 9),
    st.builds(Opening, texts, st.lists(texts, max_size=3).map(tuple), texts),
    st.integers(0, 9),
)
any_records = st.builds(
    Record,
    games,
    st.sampled_from(GameResult),
    texts,
    st.sampled_from([Termination.NORMAL, *FAULTS]),
    st.lists(plies, max_size=4),
    st.none() | st.integers(0, 9),
    texts,
    seconds,
    seconds,
)


@settings(max_examples=30, deadline=None)
@given(records=st.lists(any_records, max_size=5, unique_by=lambda one: (one.game.number, one.game.replay)))
def test_any_record_is_read_back_as_it_was(tmp_path_factory, records):
    folder = tmp_path_factory.mktemp("match")
    with Journal.create(folder, {}) as journal:
        assert all(journal.append(one) for one in records)
    with Journal.resume(folder) as journal:
        assert journal.records == records


def test_a_game_is_on_disk_when_append_returns(tmp_path):
    with Journal.create(tmp_path, CONFIGURED, short_pgn) as journal:
        for number in range(3):
            journal.append(record(number))
            lines = (tmp_path / GAMES).read_text().splitlines()
            assert [json.loads(line)["game"]["number"] for line in lines] == list(range(number + 1))
            assert (tmp_path / PGN).read_text() == "".join(f"game {n}.0 1-0\n\n" for n in range(number + 1))


def test_a_game_is_synced_after_it_is_written_whole(tmp_path, monkeypatch):
    sync = os.fsync
    sizes = []

    def note(handle):
        sizes.append(os.fstat(handle).st_size)
        sync(handle)

    with Journal.create(tmp_path, CONFIGURED) as journal:
        monkeypatch.setattr(os, "fsync", note)
        journal.append(record(0))
    assert sizes == [(tmp_path / GAMES).stat().st_size]


def run_worker(folder, count):
    command = [sys.executable, "-c", WORKER, str(folder), str(count)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def hear(process, most):
    """Waits until the process is ready and has reported that many games, or has finished; its output
    lines."""
    lines = [process.stdout.readline()]
    while len(lines) <= most and lines[-1] != "done\n":
        lines.append(process.stdout.readline())
    return lines


def told(lines):
    """The numbers of games in the output of the process."""
    assert lines[0] == "ready\n"
    return [int(line) for line in lines[1:] if line != "done\n"]


def test_killed_again_and_again_a_match_loses_no_game_and_plays_none_twice(tmp_path):
    filled(tmp_path, [])
    dice, count, heard = random.Random(4), 80, []
    for _ in range(12):
        process = run_worker(tmp_path, count)
        lines = hear(process, dice.randrange(6))
        process.kill()
        with process:
            heard += told(lines + process.stdout.readlines())
        with Journal.resume(tmp_path) as journal:
            kept = numbers(journal)
        assert kept == list(range(len(kept)))
        assert set(heard) <= set(kept)
    process = run_worker(tmp_path, count)
    output, _ = process.communicate("")
    assert output.endswith("done\n")
    heard += told(output.splitlines(keepends=True))
    assert len(heard) == len(set(heard))
    with Journal.resume(tmp_path) as journal:
        assert numbers(journal) == list(range(count))
    assert (tmp_path / PGN).read_text() == "".join(f"game {number}\n\n" for number in range(count))


def test_a_line_torn_at_any_byte_is_cut_off_and_its_game_can_be_played_again(tmp_path):
    with Journal.create(tmp_path, CONFIGURED) as journal:
        for number in range(3):
            journal.append(record(number, plies=[]))
    whole = (tmp_path / GAMES).read_bytes()
    begin = whole.rindex(b"\n", 0, -1) + 1
    for size in range(begin, len(whole)):
        (tmp_path / GAMES).write_bytes(whole[:size])
        with Journal.resume(tmp_path) as journal:
            assert numbers(journal) == [0, 1]
            assert (tmp_path / GAMES).read_bytes() == whole[:begin]
            assert [GAMES + " line 3" in warning for warning in journal.warnings] == [True] * (size > begin)
            assert journal.append(record(2, plies=[]))
        assert (tmp_path / GAMES).read_bytes() == whole


def test_only_the_first_line_torn_leaves_an_empty_match(tmp_path):
    filled(tmp_path, [0])
    (tmp_path / GAMES).write_bytes(b'{"game":{"num')
    with Journal.resume(tmp_path) as journal:
        assert journal.records == []
    assert (tmp_path / GAMES).read_bytes() == b""


def test_a_match_killed_before_its_first_game_is_resumed(tmp_path):
    filled(tmp_path, [])
    (tmp_path / GAMES).unlink()
    with Journal.resume(tmp_path) as journal:
        assert journal.append(record(0))


def test_match_killed_before_its_first_file_begins_again(tmp_path):
    (tmp_path / (CONFIGURATION + ".new")).write_text('{"varia')
    (tmp_path / "match.lock").touch()
    with pytest.raises(JournalError, match="holds no match"):
        Journal.resume(tmp_path)
    filled(tmp_path, [0])


@pytest.mark.parametrize("damage", [b"{", b"", b"[]", b"7", b'{"game": 3}', b"\xff\xfe", b"null"])
def test_a_finished_line_that_cannot_be_read_is_named_and_quoted(tmp_path, damage):
    path = filled(tmp_path, range(3)) / GAMES
    lines = path.read_bytes().split(b"\n")
    lines[1] = damage
    path.write_bytes(b"\n".join(lines))
    before = path.read_bytes()
    with pytest.raises(JournalError) as caught:
        Journal.resume(tmp_path)
    assert f"{path} line 2" in str(caught.value)
    assert damage.decode(errors="replace") in str(caught.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.update(score="2-0"),
        lambda data: data.pop("plies"),
        lambda data: data.update(colour="green"),
        lambda data: data["game"].update(number="one"),
    ],
)
def test_a_line_that_is_no_game_is_refused(tmp_path, change):
    path = filled(tmp_path, [0]) / GAMES
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data) + "\n")
    with pytest.raises(JournalError, match="line 1"):
        Journal.resume(tmp_path)


def test_a_game_that_comes_twice_counts_once_and_is_reported(tmp_path):
    with Journal.create(tmp_path, CONFIGURED, short_pgn) as journal:
        assert journal.append(record(4))
        assert not journal.append(record(4, score="0-1"))
        assert journal.records == [record(4)]
        assert ["game 5" in warning for warning in journal.warnings] == [True]
    assert len((tmp_path / GAMES).read_text().splitlines()) == 1
    assert (tmp_path / PGN).read_text() == short_pgn(record(4))


def test_a_game_that_stands_in_the_file_twice_counts_once_and_is_reported(tmp_path):
    path = filled(tmp_path, [0, 1]) / GAMES
    again = json.loads(path.read_text().splitlines()[0]) | {"score": "0-1"}
    path.write_text(path.read_text() + json.dumps(again) + "\n")
    with Journal.resume(tmp_path, short_pgn) as journal:
        assert journal.records == [record(0), record(1)]
        assert any("line 3" in warning and "game 1 " in warning for warning in journal.warnings)
    assert (tmp_path / PGN).read_text() == short_pgn(record(0)) + short_pgn(record(1))


def test_a_replay_is_a_game_of_its_own(tmp_path):
    drawn = record(0, score="1/2-1/2")
    again = replace(drawn, game=replace(drawn.game, replay=1))
    with Journal.create(tmp_path, CONFIGURED) as journal:
        assert journal.append(drawn)
        assert journal.append(again)
        assert not journal.append(again)
    with Journal.resume(tmp_path) as journal:
        assert journal.records == [drawn, again]


def test_an_interrupted_game_is_not_kept(tmp_path):
    with Journal.create(tmp_path, CONFIGURED) as journal, pytest.raises(ValueError, match="game 7"):
        journal.append(record(6, score="*", termination=Termination.UNTERMINATED))
    assert (tmp_path / GAMES).read_bytes() == b""


def test_a_configuration_is_read_back_as_json_has_it(tmp_path):
    Journal.create(tmp_path, {"control": ("5+0.05", 2)}).close()
    assert json.loads((tmp_path / CONFIGURATION).read_bytes()) == {"control": ["5+0.05", 2]}


@pytest.mark.parametrize("left", [CONFIGURATION, GAMES])
def test_a_match_is_not_written_over_another(tmp_path, left):
    filled(tmp_path, [0])
    for name in {CONFIGURATION, GAMES} - {left}:
        (tmp_path / name).unlink()
    before = (tmp_path / left).read_bytes()
    with pytest.raises(JournalError, match=left):
        Journal.create(tmp_path, CONFIGURED)
    assert (tmp_path / left).read_bytes() == before


def test_a_match_without_a_game_is_replaced(tmp_path):
    filled(tmp_path, [])
    Journal.create(tmp_path, {"other": 1}).close()
    assert json.loads((tmp_path / CONFIGURATION).read_bytes()) == {"other": 1}


def test_there_is_no_match_in_a_folder_that_does_not_exist(tmp_path):
    with pytest.raises(JournalError, match="nowhere"):
        Journal.resume(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: "",
        lambda text: text[:-3],
        lambda text: text + "game 9.0 1-0\n\n",
        lambda text: text.replace("game 1", "game 7"),
        None,
    ],
)
def test_the_pgn_is_written_again_when_it_does_not_agree(tmp_path, damage):
    path = filled(tmp_path, range(3), short_pgn) / PGN
    text = path.read_text()
    if damage is None:
        path.unlink()
    else:
        path.write_text(damage(text))
    with Journal.resume(tmp_path, short_pgn) as journal:
        assert [PGN in warning for warning in journal.warnings] == [True]
        assert path.read_text() == text
        journal.append(record(3))
    assert path.read_text() == text + short_pgn(record(3))


def test_consistent_pgn_is_unchanged(tmp_path):
    path = filled(tmp_path, range(3), lambda one: f"ä {one.game.number}\r\n") / PGN
    before = path.stat()
    with Journal.resume(tmp_path, lambda one: f"ä {one.game.number}\r\n") as journal:
        assert journal.warnings == []
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize("part", [0, 1, 100])
def test_a_full_disk_leaves_the_journal_as_it_was(tmp_path, monkeypatch, part):
    write = os.write
    with Journal.create(tmp_path, CONFIGURED, short_pgn) as journal:
        journal.append(record(0))
        before = (tmp_path / GAMES).read_bytes()
        monkeypatch.setattr(os, "write", lambda handle, data: write(handle, data[:part]))
        with pytest.raises(OSError, match=GAMES):
            journal.append(record(1))
        monkeypatch.setattr(os, "write", write)
        assert (tmp_path / GAMES).read_bytes() == before
        assert numbers(journal) == [0]
        assert journal.append(record(1))
    with Journal.resume(tmp_path, short_pgn) as journal:
        assert numbers(journal) == [0, 1]
        assert journal.warnings == []


def test_a_folder_in_use_is_refused_and_a_killed_process_gives_it_free(tmp_path):
    filled(tmp_path, [])
    process = run_worker(tmp_path, 0)
    try:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGSTOP)  # holds on to the folder, whatever it was about to do
        for use in (lambda: Journal.resume(tmp_path), lambda: Journal.create(tmp_path, CONFIGURED)):
            with pytest.raises(JournalError, match="in use"):
                use()
    finally:
        process.kill()
        process.communicate()
    Journal.resume(tmp_path).close()


def test_a_journal_that_could_not_be_opened_does_not_keep_the_folder(tmp_path):
    filled(tmp_path, [0])
    games = (tmp_path / GAMES).read_bytes()
    (tmp_path / GAMES).write_bytes(b"no game\n")
    with pytest.raises(JournalError, match="is not a game"):
        Journal.resume(tmp_path)
    with pytest.raises(JournalError, match="exists"):
        Journal.create(tmp_path, CONFIGURED)
    (tmp_path / GAMES).write_bytes(games)
    Journal.resume(tmp_path).close()


def test_a_closed_journal_takes_no_game(tmp_path):
    journal = Journal.create(tmp_path, CONFIGURED)
    journal.close()
    journal.close()
    with pytest.raises(RuntimeError, match="closed"):
        journal.append(record(0))
