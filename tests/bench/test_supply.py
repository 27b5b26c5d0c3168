"""Every shipped game has bench positions and a suite of openings, and `bench supply` makes them."""

import gzip
import re

import pytest
from click.testing import CliRunner
from surajang import Position
from surajang.bench.suites.openings.opening_suite import identity
from surajang.bench.suites.supply import quick_openings, quick_positions, supply_command
from surajang.bench.suites.supply.supply_command import files_of
from surajang.engine import bench_positions
from surajang.engine.definition import catalogue
from surajang.engine.variant import Variant
from surajang.match.match_options import MatchOptions
from surajang.match.match_setup import Preparation, find_or_make_openings
from surajang.match.openings import opening_suites
from surajang.match.openings.opening_files import load_openings
from surajang.match.openings.opening_suites import suffices

pytestmark = pytest.mark.compiled
interpreted = pytest.mark.usefixtures("interpreted")

LATER = {"manchu", "superandernach"}  # games with fewer than 30 level openings; a new game may not be added
GAMES = [game for game in sorted(set(catalogue.shipped()) - LATER) if not suffices(game)]
PLAYED = 4  # openings of each game that are played out
HEADING = r"# (.+): (\d+) openings, below (\d+) at (\d+) nodes, (\d+) plies, seed 1"
KINDS = {"start", "opening", *(name for name, *_ in quick_positions.KINDS)}
COMMON = {"start", "opening", "middle game", "sharp attack", "end game", "quiet end"}


def test_every_game_has_bench_positions_and_openings():
    files = {game: files_of(game) for game in sorted(set(catalogue.shipped()) - LATER)}
    missing = {game: [path.name for path in paths if not path.exists()] for game, paths in files.items()}
    told = [
        f"run `surajang bench supply {game}`, which makes {names}" for game, names in missing.items() if names
    ]
    assert not told


@interpreted
@pytest.mark.parametrize("game", GAMES)
def test_openings_are_different_level_and_quiet(game):
    """All by their lines, and some are played."""
    path, variant = files_of(game)[0], Variant(game)
    with gzip.open(path, "rt", encoding="utf-8") as file:
        heading, *lines = file.read().splitlines()
    title, count, limit, nodes, plies = re.fullmatch(HEADING, heading).groups()
    assert title == variant.description.title and int(nodes) == quick_openings.NODES
    assert quick_openings.LEAST <= int(count) == len(lines) <= quick_openings.SIZE
    assert len({line.partition(" hmvc ")[0] for line in lines}) == len(lines)
    scores = [int(re.search(r" ce (-?\d+);", line)[1]) for line in lines]
    assert max(map(abs, scores)) < int(limit)
    openings = load_openings(path, variant, lambda found: found[:: -(-len(found) // PLAYED)])
    known = set()
    for opening in openings:
        position = Position(variant, opening.fen)
        for move in opening.moves:
            position.push(move)
        moves = [move for move in position.moves if not move.is_choice]
        assert len(moves) - int(plies) in ({0} if quick_openings.draws_start(variant) else {0, 1})
        assert position.result() is None and not position.is_check()
        known.add(identity(position))
    assert len(known) == len(openings) >= PLAYED - 1


@interpreted
@pytest.mark.parametrize("game", GAMES)
def test_bench_positions_are_what_they_say(game):
    variant = Variant(game)
    items = bench_positions.read_items(files_of(game)[1], variant)
    names = {item.name for item in items}
    assert items == bench_positions.items_of(variant) and items[0].name == "start"
    assert COMMON <= names <= KINDS
    assert len(names) == len({item.fen for item in items}) == len(items)
    for item in items:
        position = item.position
        assert position.fen() == item.fen
        assert position.result() is None
        assert len(position.legal_moves()) >= quick_positions.FEW
        assert position.is_check() == (item.name == "in check")
        assert position.halfmove_clock <= quick_positions.MOST_CLOCK
        assert 1 <= item.search <= quick_positions.MOST_DEPTH and item.perft >= 1
        if item.name == "middle game, full hands":
            assert min(sum(hand.values()) for hand in position.hands) >= quick_positions.FULL_HAND


# The command


@pytest.fixture
def quick(tmp_path, monkeypatch):
    """An empty folder for the files, and little to do."""
    for module in (opening_suites, bench_positions):
        monkeypatch.setattr(module, "FOLDER", tmp_path)
    small = {"SIZE": 6, "LEAST": 2, "NODES": 300, "STEPS": ((1, 30), (4, 60)), "PATIENCE": 12}
    for name, number in small.items():
        monkeypatch.setattr(quick_openings, name, number)
    for name, number in (("GAMES", 3), ("GAME_NODES", 30), ("SEARCH_NODES", 900), ("LEAVES", 900)):
        monkeypatch.setattr(quick_positions, name, number)
    return tmp_path


def supply(*words):
    return CliRunner().invoke(supply_command.main, words)


def test_command_makes_what_is_missing_and_keeps_what_is_there(quick):
    done = supply("minishogi")
    assert done.exit_code == 0, done.output
    suite, positions = files_of("minishogi")
    assert len(load_openings(suite, Variant("minishogi"))) == 6
    assert len(bench_positions.read_items(positions, Variant("minishogi"))) > 4
    made = suite.read_bytes(), positions.read_bytes()
    positions.write_text("kept")
    suite.unlink()
    assert supply("minishogi").exit_code == 0
    assert (suite.read_bytes(), positions.read_text()) == (made[0], "kept")
    positions.unlink()
    assert supply("minishogi").exit_code == 0
    assert positions.read_bytes() == made[1]
    assert supply("minishogi").output == ""


def test_settings_that_give_too_few_openings_are_left_for_the_next(quick, monkeypatch):
    """One ply of minishogi gives fewer than six."""
    openings, settings = quick_openings.lines_in_balance(Variant("minishogi"))
    assert (settings.plies, settings.limit, len(openings)) == (4, 60, 6)
    monkeypatch.setattr(quick_openings, "STEPS", ((1, 30), (1, 20)))
    openings, settings = quick_openings.lines_in_balance(Variant("minishogi"))
    assert (settings.plies, settings.limit) == (1, 30) and 2 <= len(openings) < 6
    monkeypatch.setattr(quick_openings, "LEAST", 6)
    done = supply("minishogi")
    assert done.exit_code == 1
    assert re.search(r"minishogi gives \d openings; 6 are wanted", done.output)


def test_unknown_game_is_quoted(quick):
    done = supply("draughts")
    assert done.exit_code == 2 and "'draughts' is not a shipped game" in done.output
    assert not list(quick.iterdir())


def test_match_draws_any_start_in_spite_of_the_suite():
    """Chess960 has a suite of starts in balance, which a match plays only if it is asked to."""
    options = MatchOptions(games=200, seed=3)
    found = find_or_make_openings(Variant("chess960"), options, (), Preparation(print, print))
    assert len({opening.fen for opening in found}) == 100
