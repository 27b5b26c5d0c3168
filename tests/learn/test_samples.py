"""Positions as text for the tuner: wrong lines are refused with their place."""

import pytest
from surajang.engine.variant import Variant
from surajang.learn.tuning.samples import Sample, SampleError, read_samples

pytestmark = pytest.mark.pure


def test_samples_are_read_with_their_places(tmp_path):
    path = tmp_path / "a"
    path.write_text(
        "# chess, 60 nodes, 4 plies, seed 7\n8/8 w - - ; -5 ; 0.5\n# end of game 0\n8/8 b - - ; 7 ; 1\n"
    )
    found = read_samples(path, Variant("chess"))
    assert found == [Sample("8/8 w - -", -5, 0.5), Sample("8/8 b - -", 7, 1.0)]
    assert [sample.where for sample in found] == [f"{path}, line 2", f"{path}, line 4"]
    assert [str(sample) for sample in found] == ["8/8 w - - ; -5 ; 0.5", "8/8 b - - ; 7 ; 1"]


@pytest.mark.parametrize(
    "line, quoted",
    [
        ("8/8 w - - ; 5", "is not 'FEN ; score ; points'"),
        ("8/8 w - - ; five ; 1", "is not 'FEN ; score ; points'"),
        ("8/8 w - - ; 5 ; won", "is not 'FEN ; score ; points'"),
        ("", "is not 'FEN ; score ; points'"),
        ("8/8 w - - ; 5 ; 2", "not between 0 and 1"),
        ("8/8 w - - ; 5 ; nan", "not between 0 and 1"),
    ],
)
def test_corrupt_line_is_refused_with_its_file_and_number(tmp_path, line, quoted):
    path = tmp_path / "a.samples"
    path.write_text(f"# a remark\n8/8 w - - ; 5 ; 1\n{line}\n8/8 w - - ; 5 ; 1\n")
    with pytest.raises(SampleError) as error:
        read_samples(path, Variant("chess"))
    assert str(error.value).startswith(f"{path}, line 3: {line!r}")
    assert quoted in str(error.value)


def test_line_that_was_broken_off_is_refused(tmp_path):
    """Half of it may look like a whole one: a draw that is cut to 0 points."""
    path = tmp_path / "a"
    path.write_text("8/8 w - - ; 5 ; 0")
    with pytest.raises(SampleError, match=r"a, line 1: '8/8 w - - ; 5 ; 0' is incomplete"):
        read_samples(path, Variant("chess"))


@pytest.mark.parametrize("content", ["", "# chess, 60 nodes, 4 plies, seed 7\n# end of game 0\n"])
def test_file_without_positions_is_named(tmp_path, content):
    path = tmp_path / "empty"
    path.write_text(content)
    with pytest.raises(SampleError, match="empty: there are no positions in it"):
        read_samples(path, Variant("chess"))
    with pytest.raises(SampleError, match="none: cannot be read: No such file"):
        read_samples(tmp_path / "none", Variant("chess"))


def test_positions_of_another_game_are_refused(tmp_path):
    path = tmp_path / "a"
    path.write_text("# crazyhouse, 60 nodes, 4 plies, seed 7\n8/8 w - - ; 5 ; 0\n")
    with pytest.raises(SampleError, match=r"a: the positions are of 'crazyhouse', not of 'chess'"):
        read_samples(path, Variant("chess"))
