"""The journal of a suite in progress: whole games in order, after any interruption."""

import errno
import io
import os

import pytest
from surajang.bench.suites.collecting import SuiteJournal, SuiteJournalError
from surajang.match.records import task_journal

pytestmark = pytest.mark.pure


HEADING = "crazyhouse, about 60 nodes, 4 plies, seed 7"


def some(game, count):
    return [f"mate {game} {n}" for n in range(count)]


SMALL = [some(game, game % 3) for game in range(12)]


def written(path, games, heading=HEADING):
    with SuiteJournal(path, heading) as file:
        for number, found in enumerate(games):
            file.add(number, found)
    return path.read_bytes()


def test_file_holds_settings_and_lines_game_by_game(tmp_path):
    assert written(tmp_path / "a", [some(0, 2), [], some(2, 1)]).decode().splitlines() == [
        "# crazyhouse, about 60 nodes, 4 plies, seed 7",
        "mate 0 0",
        "mate 0 1",
        "# end of game 0",
        "# end of game 1",
        "mate 2 0",
        "# end of game 2",
    ]


def test_games_that_end_out_of_order_are_kept_in_order(tmp_path):
    with SuiteJournal(tmp_path / "b", HEADING) as file:
        for number in (3, 1, 0, 2, 11, 10, 9, 4, 5, 8, 7, 6):
            file.add(number, SMALL[number])
        assert file.tasks == 12
    assert (tmp_path / "b").read_bytes() == written(tmp_path / "a", SMALL)


def test_game_is_on_disk_as_soon_as_those_before_it_are(tmp_path):
    with SuiteJournal(tmp_path / "a", HEADING) as file:
        file.add(1, SMALL[1])
        assert (tmp_path / "a").read_text().count("end of game") == 0
        file.add(0, SMALL[0])
        assert (tmp_path / "a").read_text().count("end of game") == 2


def test_file_that_was_cut_anywhere_is_continued(tmp_path):
    whole = written(tmp_path / "whole", SMALL)
    path = tmp_path / "cut"
    for end in range(0, len(whole) + 1, 3):
        path.write_bytes(whole[:end])
        with SuiteJournal(path, HEADING) as file:
            assert file.tasks == whole[:end].count(b"# end of game") - (
                whole[:end].rpartition(b"\n")[2].startswith(b"# end of game")
            )
            first = file.tasks
            for number in range(first, 12):
                file.add(number, SMALL[number])
        assert path.read_bytes() == whole, end


def test_file_of_other_settings_is_refused_and_left_unchanged(tmp_path):
    path = tmp_path / "a"
    before = written(path, SMALL)
    for heading in ("chess, about 60 nodes, 4 plies, seed 7", "crazyhouse, depth 6, 4 plies, seed 7"):
        with pytest.raises(SuiteJournalError) as error:
            SuiteJournal(path, heading)
        assert str(error.value) == f"{path}: the file is of {HEADING!r}, not of {heading!r}"
        assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"hello\n", b"\xff\xfe\x00" * 400, b"x" * 500])
def test_file_that_is_something_else_is_refused_and_left_unchanged(tmp_path, content):
    path = tmp_path / "a"
    path.write_bytes(content)
    with pytest.raises(SuiteJournalError, match="the file is of ") as error:
        SuiteJournal(path, HEADING)
    assert len(str(error.value)) < 400
    assert path.read_bytes() == content


def test_file_with_a_gap_is_refused_and_left_unchanged(tmp_path):
    path = tmp_path / "a"
    gap = written(path, SMALL).replace(b"# end of game 4\n", b"")
    path.write_bytes(gap)
    with pytest.raises(
        SuiteJournalError, match=r"a, line \d+: 'end of game 5' where 'end of game 4' should be"
    ):
        SuiteJournal(path, HEADING)
    assert path.read_bytes() == gap


def test_two_cannot_write_to_a_file_at_once(tmp_path):
    path = tmp_path / "a"
    with (
        SuiteJournal(path, HEADING),
        pytest.raises(SuiteJournalError, match="another process is adding to this file"),
    ):
        SuiteJournal(path, HEADING)
    SuiteJournal(path, HEADING).__exit__()


class FullDisk(io.BytesIO):
    """A file that holds as many bytes as `room`; what is left over fails again when it is closed."""

    room = 0

    def write(self, data):
        if self.tell() + len(data) > self.room:
            self.close = self.fail
            self.fail()
        return super().write(data)

    def fail(self):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("room", [0, 60])
def test_full_disk_is_told_of_with_the_file(tmp_path, monkeypatch, room):
    monkeypatch.setattr(FullDisk, "room", room)
    monkeypatch.setattr(task_journal, "open_to_add", lambda path, error: FullDisk())
    with pytest.raises(OSError, match="No space left on device") as caught:
        written(tmp_path / "a", SMALL)
    assert caught.value.filename == str(tmp_path / "a")
