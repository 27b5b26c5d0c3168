"""Positions in a random order: all of them once per epoch, in bounded memory, and resumable anywhere."""

from collections import Counter

import numpy as np
import pytest
from surajang.learn.self_play import games_file
from surajang.learn.self_play.compiled_games import Settings
from surajang.learn.self_play.games_file import GamesError
from surajang.learn.training import pools
from surajang.learn.training import survey as survey_module
from surajang.learn.training.pools import Pools
from surajang.learn.training.samples import append, samples_for
from surajang.learn.training.training import Training, train
from surajang.tests.support.self_played import write_self_play, write_training_games
from surajang.tests.support.training_data import RECIPE, to_learn, training_set

pytestmark = pytest.mark.compiled

SETTINGS = Settings(nodes=20, plies=6, seed=3, most_plies=60)
CHUNK, POOL, BATCH = 2_000, 20_000, 64  # bytes of a chunk of games and of a pool, positions of a batch


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Two files of different games."""
    folder = tmp_path_factory.mktemp("games")
    return [
        write_training_games(folder / "one.games", 60, SETTINGS),
        write_self_play(folder / "two.games", 40, SETTINGS._replace(seed=9)),
    ]


OPEN: list[Pools] = []  # of a test


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Chunks and pools are small. The pools of a test, whose threads may still fill some, are closed."""
    monkeypatch.setattr(survey_module, "STRETCH", CHUNK)
    monkeypatch.setattr(pools, "POOL_BYTES", POOL)
    yield
    while OPEN:
        OPEN.pop().close()


def of(data, seed=1, total=1 << 40):
    OPEN.append(Pools(data, seed, BATCH, total))
    return OPEN[-1]


def named(samples, numbers):
    """The identities of some samples."""
    for number in numbers.tolist():
        rows = samples.rows[samples.starts[number] : samples.starts[number + 1]]
        facts = (samples.targets, samples.results, samples.output_buckets, samples.mirrors)
        yield (rows.tobytes(), samples.kings[number].tobytes(), *(float(each[number]) for each in facts))


def epoch_of(found, epoch, first=0):
    """The batches of an epoch, by what is in them."""
    return [
        (tuple(named(batch.samples, batch.order)), batch.salt) for batch in found.batches_of(epoch, first)
    ]


def test_every_position_comes_once_an_epoch_except_for_less_than_a_batch(files):
    data = training_set(files)
    everything = to_learn(data)
    wanted = Counter(named(everything, np.arange(len(everything.targets))))
    found = of(data)
    for epoch in range(2):
        assert len(found.plan(epoch)) > 4
        batches = epoch_of(found, epoch)
        assert all(len(positions) == BATCH for positions, _ in batches)
        came = Counter(position for positions, _ in batches for position in positions)
        assert came <= wanted and 0 <= (wanted - came).total() < BATCH
        assert len(batches) == found.batches == data.positions // BATCH


def test_order_is_that_of_the_seed_and_another_in_each_epoch(files):
    data = training_set(files)
    one, again, other = of(data), of(data), of(data, seed=2)
    assert epoch_of(one, 0) == epoch_of(again, 0)
    assert epoch_of(one, 1) == epoch_of(again, 1)
    assert len({tuple(epoch_of(each, epoch)) for each, epoch in ((one, 0), (one, 1), (other, 0))}) == 3


def test_any_place_is_found_again(files):
    data = training_set(files)
    whole = epoch_of(of(data), 1)
    for first in range(len(whole) + 1):
        assert epoch_of(of(data), 1, first) == whole[first:]


def test_batches_have_games_of_all_files(files, monkeypatch):
    monkeypatch.setattr(pools, "POOL_BYTES", 5 * POOL)
    data = training_set(files)
    ones = set(named(to_learn(training_set(files[:1])), np.arange(training_set(files[:1]).positions)))
    shares = [np.mean([position in ones for position in batch]) for batch, _ in epoch_of(of(data), 0)]
    assert np.mean(shares) == pytest.approx(len(ones) / data.positions, abs=0.05) and np.std(shares) < 0.3


def test_memory_does_not_grow_with_the_number_of_positions(files, tmp_path, monkeypatch):
    """With eight times the games, the pools stay within their bounds, as do the held-out positions."""
    monkeypatch.setattr(survey_module, "HELD_OUT", 2)
    monkeypatch.setattr(survey_module, "MOST_HELD_OUT", 1000)
    most = {}

    def note(positions, rows):
        room = samples_for(positions, rows)
        rooms.append(sum(array.nbytes for array in room))
        return room

    monkeypatch.setattr(pools, "samples_for", note)
    for times in (1, 8):
        rooms: list[int] = []
        paths = [tmp_path / f"{times}-{number}.games" for number in range(times)]
        for path in paths:
            path.write_bytes(files[0].read_bytes())
        data = training_set(paths)
        found = of(data)
        for epoch in range(2):
            assert len(epoch_of(found, epoch)) > 4
        assert 0 < len(data.held_out.targets) <= 1000
        most[times] = max(rooms)
    assert max(most.values()) < POOL + (BATCH + 64) * 2 * data.most + 20 * CHUNK
    assert most[8] < 1.3 * most[1] + CHUNK


def test_positions_that_have_room_in_memory_are_decoded_once(files, monkeypatch):
    monkeypatch.setattr(pools, "POOL_BYTES", 1 << 20)
    data = training_set(files)
    loads, load = [], data.load
    monkeypatch.setattr(data, "load", lambda *words: loads.append(words) or load(*words))
    found = of(data)
    assert epoch_of(found, 0) != epoch_of(found, 1)
    assert len(found.plan(0)) == 1 and len(loads) == len(data.survey.chunks)


def test_nothing_is_decoded_for_steps_that_are_not_made(files, monkeypatch):
    data = training_set(files)
    fillings = of(data).plan(0)
    needed = sum(filling.positions for filling in fillings[:2]) // BATCH
    loads, load = [], data.load
    monkeypatch.setattr(data, "load", lambda *words: loads.append(words) or load(*words))
    found = of(data, total=needed)
    for number, _ in enumerate(found.batches_of(0), 1):
        if number == needed:
            break
    found.close()
    assert {chunk for chunk, *_ in loads} == {chunk for each in fillings[:2] for chunk in each.chunks}


def test_samples_are_appended_whole(files):
    everything = to_learn(training_set(files))
    room = samples_for(10, 10 * 200)
    append(room, 0, everything, np.array([7, 3], np.uint32))
    append(room, 2, everything, np.array([11], np.uint32))
    assert list(named(room, np.arange(3))) == list(named(everything, np.array([7, 3, 11])))


# Faults


def changed(path, place):
    """Flips a bit of a file."""
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("damage", ["flipped", "cut", "gone"])
def test_changed_file_stops_training_which_can_be_resumed(files, tmp_path, damage):
    paths = [tmp_path / path.name for path in files]
    for path, source in zip(paths, files, strict=True):
        path.write_bytes(source.read_bytes())
    recipe = RECIPE._replace(batch=BATCH, epochs=2)
    whole = Training(training_set(paths), recipe)
    train(whole, tmp_path / "whole")
    training = Training(training_set(paths), recipe)
    steps = training.steps()
    next(steps)
    if damage == "flipped":
        changed(paths[0], paths[0].stat().st_size // 2)
    elif damage == "cut":
        paths[0].write_bytes(paths[0].read_bytes()[: paths[0].stat().st_size // 2])
    else:
        paths[0].unlink()
    with pytest.raises(GamesError, match=r"one\.games: (bytes \d+ to \d+ have changed|cannot be read)"):
        train(training, tmp_path / "cut")
    paths[0].write_bytes(files[0].read_bytes())
    again = Training(training_set(paths), recipe)
    again.load(tmp_path / "cut")
    assert 0 < again.step < whole.step
    train(again, tmp_path / "cut")
    assert np.array_equal(again.best, whole.best)


def test_games_added_during_training_change_nothing(files, tmp_path):
    path = tmp_path / "growing.games"
    path.write_bytes(files[0].read_bytes())
    data = training_set([path])
    before = epoch_of(of(data), 0)
    path.write_bytes(path.read_bytes() + b"half a game")
    assert epoch_of(of(data), 0) == before and training_set([path]).positions == data.positions
    path.write_bytes(files[0].read_bytes())
    write_self_play(tmp_path / "more.games", 120, SETTINGS)
    grown = (tmp_path / "more.games").read_bytes()
    assert grown.startswith(path.read_bytes())
    path.write_bytes(grown)
    assert epoch_of(of(data), 0) == before and training_set([path]).positions > data.positions


def test_first_damage_is_reported_with_what_can_be_saved(files, tmp_path):
    path = tmp_path / "damaged.games"
    path.write_bytes(files[0].read_bytes())
    changed(path, path.stat().st_size - 10)
    with pytest.raises(
        GamesError, match=r"damaged\.games: game \d+, .* a file cut to \d+ bytes has the games"
    ):
        training_set([path])


def test_stretches_are_of_the_size_that_is_asked_for(files):
    with games_file.GamesReader(files[0]) as reader:
        found = list(reader.stretches(CHUNK))
        whole = list(reader.stretches())
    assert b"".join(each.data for each in found) == whole[0].data and len(whole) == 1 < len(found)
    assert all(CHUNK <= len(each.data) < CHUNK + 500 for each in found[:-1])
    assert [each.first for each in found] == list(np.cumsum([0, *(len(each.places) for each in found[:-1])]))
