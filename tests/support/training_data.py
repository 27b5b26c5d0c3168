"""Training sets of small files, and all of their positions at once."""

import numpy as np
from surajang.engine.variant import Variant
from surajang.learn.self_play.compiled_games import Settings
from surajang.learn.self_play.games_file import GamesReader
from surajang.learn.training.decoding import NOTHING_COUNTED, Choice, Decoder, Targets
from surajang.learn.training.recipe import Recipe
from surajang.learn.training.samples import samples_for
from surajang.learn.training.survey import survey
from surajang.learn.training.training_set import TrainingSet
from surajang.tests.support.self_played import write_training_games

RECIPE = Recipe(hidden=16, epochs=3, blend=0.7, decay=1.0, batch=256, seed=4)
TARGETS = Targets(RECIPE.blend, RECIPE.scale, RECIPE.decay)
SETTINGS = Settings(nodes=20, plies=6, seed=3, most_plies=60)
GAMES = 80


def training_set(paths, variant="crazyhouse", targets=TARGETS, units=None, output_buckets="board"):
    """The `TrainingSet` of some files."""
    return TrainingSet(survey(paths, Variant(variant), units), targets, output_buckets)


def file_of_games(tmp_path_factory):
    """A fixture: a file of games of crazyhouse."""
    return write_training_games(tmp_path_factory.mktemp("games") / "crazyhouse.games", GAMES, SETTINGS)


def set_of_games(games):
    """A fixture: the training set of the file that the fixture `games` returns."""
    return training_set([games])


def cut(samples, count):
    """The first samples, without the room behind them."""
    rows = samples.rows[: samples.starts[count]]
    others = (array[:count] for array in samples[2:])
    return type(samples)(rows, samples.starts[: count + 1], *others)


def to_learn(data):
    """All samples to learn from of a training set, in the order of the files."""
    room = samples_for(data.positions, data.positions * data.most)
    count = 0
    for chunk in range(len(data.survey.chunks)):
        count = data.load(chunk, room, count)
    return cut(room, count)


def decoded(path, variant="crazyhouse", targets=TARGETS, factor=1.0, output_buckets="board", choice=Choice()):  # noqa: B008
    """(all samples of a file, a row for each game: CRC-32 of its moves, number of samples)."""
    decoder, found = Decoder(Variant(variant), targets, output_buckets), []
    with GamesReader(path, Variant(variant)) as reader:
        for stretch in reader.stretches():
            room = samples_for(len(stretch.data), len(stretch.data) * 40)
            asked = choice, factor, room, 0, NOTHING_COUNTED, reader.header.starts
            count, games = decoder.survey(stretch.data, *asked)
            found.append((cut(room, count), games[: len(stretch.places)]))
    assert len(found) == 1
    return found[0]


def counted(scores, results):
    """Positions by score and result, as surveys count them."""
    from surajang.learn.training.decoding import COUNTED

    found = np.zeros((2 * COUNTED + 1, 3), np.int64)
    near = np.abs(scores) <= COUNTED
    np.add.at(found, (scores[near].astype(int) + COUNTED, results[near].astype(int) + 1), 1)
    return found
