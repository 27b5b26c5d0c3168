"""`surajang bench tune`: its input, its output, and its refusals."""

import random

import numpy as np
import pytest
from click.testing import CliRunner
from surajang import Engine, Position
from surajang.engine.definition import catalogue
from surajang.engine.rules import rules_for
from surajang.engine.variant import Variant
from surajang.eval.terms.weights import build_weights, tuned_parameters
from surajang.learn.self_play import generator
from surajang.learn.self_play.compiled_games import Settings
from surajang.learn.self_play.game_player import GamePlayer
from surajang.learn.self_play.games_file import GamesReader, chunk_of, encode
from surajang.learn.self_play.positions import Replay
from surajang.learn.self_play.viewing import position_after
from surajang.learn.tuning import fit as fitting
from surajang.learn.tuning import tune_command as tune
from surajang.learn.tuning.fit import FEWEST, Tuner
from surajang.learn.tuning.samples import LabelledPositions, Sample, read_games
from surajang.tests.learn.test_tuning import changed_home, drawn, every_game, fens, home, labelled

pytestmark = pytest.mark.process


@pytest.fixture
def short(monkeypatch):
    """Fits that take no time and do not converge."""
    monkeypatch.setattr(fitting, "ROUNDS", 2)
    monkeypatch.setattr(fitting, "STEPS", 60)


def samples_file(path, variant, positions=None, count=150):
    """A text file of samples in the older format."""
    source = random.Random(9)
    chosen = positions or fens(variant)[:count]
    return write_text(
        path,
        variant,
        [Sample(fen, source.randrange(-200, 200), source.choice((0.0, 0.5, 1.0))) for fen in chosen],
    )


def write_text(path, variant, samples):
    """A text file of samples, each a game of its own."""
    lines = [f"{sample}\n# end of game {number}\n" for number, sample in enumerate(samples)]
    path.write_text(f"# {variant}, 10 nodes, 6 plies, seed 1\n" + "".join(lines), encoding="utf-8")
    return path


def invoke(*arguments):
    return CliRunner(env={"COLUMNS": "200"}).invoke(tune.main, [str(argument) for argument in arguments])


def tuned(*arguments):
    """Runs the command, which has to succeed; returns what it prints."""
    done = invoke(*arguments)
    assert done.exit_code == 0, done.output
    return done.stdout


# The command


@every_game
def test_command_writes_numbers_that_are_read_again(short, tmp_path, variant):
    path, out = samples_file(tmp_path / "a.samples", variant), tmp_path / "new" / "b.toml"
    told = tuned("--variant", variant, "--data", path, "--out", out)
    rules, description = rules_for(variant), catalogue.load(variant)
    first, last = tuned_parameters(rules, description), tuned_parameters(rules, description, out)
    assert build_weights(rules, description, last) != build_weights(rules, description, first)
    rows = {
        cells[0]: cells[1:]
        for line in told.splitlines()
        if len(cells := [cell.strip() for cell in line.strip("│┃").split("│")]) == 3
    }
    for kind, piece in enumerate(description.pieces):
        assert (piece.name in rows) != piece.royal
        if not piece.royal:
            assert rows[piece.name] == [f"{p.material[kind]:.0f}" for p in (first, last)]
    assert {f"{piece.name} in hand" for piece in description.hand_pieces} <= set(rows)
    assert ("Pawn in hand" in rows) == (variant == "crazyhouse")
    before, after = map(float, rows["loss, training"])
    assert after < before
    assert f"{description.title}, 150 positions" in told
    assert told.rstrip().endswith(f"The numbers are in {out}")
    assert sorted(path.name for path in out.parent.iterdir()) == ["b.toml"]


def test_engine_plays_with_the_tuned_numbers(tmp_path):
    """They lie beside the game's file: here a copy of it."""
    game = tmp_path / "crazyhouse.toml"
    game.write_text(catalogue.load("crazyhouse").path.read_text(encoding="utf-8"), encoding="utf-8")
    before = Engine(str(game), hash_mb=1)
    path = tmp_path / "a.samples"
    write_text(path, "crazyhouse", labelled(changed_home(), drawn(400)))
    tuned("--variant", "crazyhouse", "--data", path, "--out", tmp_path / "weights" / "crazyhouse.toml")
    after = Engine(str(game), hash_mb=1)
    rules, description = rules_for(str(game)), catalogue.load(str(game))
    written = tuned_parameters(rules, description, tmp_path / "weights" / "crazyhouse.toml")
    weights = [engine.workers[0]["weights"] for engine in (before, after)]
    assert weights[1] == build_weights(rules, description, written)
    assert weights[1] != weights[0]
    position = Position(str(game), "4k3/pppppppp/8/8/8/8/PPPPPPPP/3QK3[] w - - 0 1")
    scores = [engine.play(position, depth=1).score.centipawns for engine in (before, after)]
    assert scores[0] != scores[1]


def test_tuning_combines_several_files(short, tmp_path):
    one = samples_file(tmp_path / "a", "chess", fens("chess")[:70])
    other = samples_file(tmp_path / "b", "chess", fens("chess")[70:])
    words = ("--variant", "chess", "--out", tmp_path / "c.toml")
    assert "Chess, 150 positions" in tuned(*words, "--data", one, "--data", other)
    assert invoke(*words, "--data", one).exit_code == 2


def test_tuning_combines_games_and_texts(short, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ("--variant", "crazyhouse", "--nodes", 20, "--seed", 6, "--out", tmp_path / "b.toml")
    tuned(*words, "--games", 8)
    games = tmp_path / "crazyhouse-6.games"
    count = len(read_games(games, Variant("crazyhouse")).points)
    text = samples_file(tmp_path / "a", "crazyhouse")
    assert f"{count + 150:,} positions" in tuned(*words, "--data", games, "--data", text)
    done = invoke("--variant", "chess", "--data", games, "--out", tmp_path / "b.toml")
    assert done.exit_code == 2
    assert f"{games}: the games are of 'crazyhouse', not of 'chess'" in done.output


def test_games_train_like_their_positions_as_text():
    """The evaluation is the same for a position from a game and for one that was set up."""
    played = GamePlayer(Variant("crazyhouse"), Settings(nodes=30))
    data = b"".join(encode(played.play(number)) for number in range(8))
    batch = Replay(Variant("crazyhouse")).batch(chunk_of(data)[0])
    games = LabelledPositions(batch.positions, batch.scores.astype(float), (batch.results + 1) / 2)
    samples = []
    for game, ply, score, points in zip(batch.games, batch.plies, games.scores, games.points, strict=True):
        fen = position_after(Variant("crazyhouse"), played.play(int(game)).moves[:ply]).fen()
        samples.append(Sample(fen, int(score), float(points)))
    one, other = Tuner(Variant("crazyhouse"), [], [games]), Tuner(Variant("crazyhouse"), samples)
    assert len(one.points) > FEWEST
    for name in ("scores", "points"):
        assert np.array_equal(getattr(one, name), getattr(other, name))
    first = home("crazyhouse")
    assert np.array_equal(one.evaluations(first), other.evaluations(first))
    assert np.array_equal(one.counts.values(first), other.counts.values(first))


def test_pull_reaches_the_fit(short, tmp_path):
    path, texts = samples_file(tmp_path / "a", "chess"), []
    for pull in ("0", "1"):
        tuned("--variant", "chess", "--data", path, "--pull", pull, "--out", tmp_path / "b.toml")
        texts.append((tmp_path / "b.toml").read_text())
    assert texts[0] != texts[1]


def test_without_data_games_are_played_and_kept(short, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ("--variant", "crazyhouse", "--nodes", 20, "--seed", 5, "--out", tmp_path / "b.toml")
    told = tuned(*words, "--games", 12)
    kept = tmp_path / "crazyhouse-5.games"
    before = kept.read_bytes()
    assert f"{len(read_games(kept, Variant('crazyhouse')).points):,} positions" in told
    with GamesReader(kept, Variant("crazyhouse")) as reader:
        games = list(reader.games())
    player = GamePlayer(Variant("crazyhouse"), Settings(nodes=20, seed=5))
    assert [game.moves.tolist() for game in games] == [player.play(n).moves.tolist() for n in range(12)]
    first = (tmp_path / "b.toml").read_bytes()
    monkeypatch.setattr(generator, "compiled_with_bar", lambda *_: pytest.fail("all are played"))
    tuned(*words, "--games", 12)
    assert kept.read_bytes() == before
    assert (tmp_path / "b.toml").read_bytes() == first


def test_wrong_samples_are_reported_with_file_and_line(short, tmp_path):
    path = samples_file(tmp_path / "a.samples", "chess")
    whole = path.read_text()
    lines = whole.splitlines(keepends=True)

    def told(text, *arguments):
        path.write_text(text)
        done = invoke("--variant", "chess", "--data", path, "--out", tmp_path / "b.toml", *arguments)
        assert done.exit_code == 2
        assert "Traceback" not in done.output
        assert not (tmp_path / "b.toml").exists()
        return done.output

    assert f"{path}: there are no positions in it" in told("")
    corrupt = "".join([*lines[:3], "nonsense\n", *lines[3:]])
    assert f"{path}, line 4: 'nonsense' is not 'FEN ; score ; points'" in told(corrupt)
    fen = lines[1].split(" ; ")[0]
    broken = whole.replace(fen, fen.replace("k", "x"), 1)
    assert f"{path}, line 2: '{fen.replace('k', 'x')}': board: 'x' in rank" in told(broken)
    assert "is incomplete" in told(whole.removesuffix("\n").rpartition("\n")[0])
    few = "".join(lines[:21])
    assert "10 positions are too few to learn from; 100 are the least" in told(few)
    other = whole.replace("# chess,", "# crazyhouse,")
    assert f"{path}: the positions are of 'crazyhouse', not of 'chess'" in told(other)


def test_place_that_cannot_be_written_is_reported_before_the_fit(tmp_path, monkeypatch):
    monkeypatch.setattr(tune, "read_samples", lambda *_: pytest.fail("too late"))
    path = samples_file(tmp_path / "a.samples", "chess")
    out = path / "b.toml"
    done = invoke("--variant", "chess", "--data", path, "--out", out)
    assert done.exit_code == 2
    assert f"{str(out)!r} cannot be written" in done.output


def test_numbers_in_use_stay_when_writing_fails(tmp_path, monkeypatch):
    out = tmp_path / "b.toml"
    out.write_text("before")
    monkeypatch.setattr(tune.Path, "replace", lambda *_: (_ for _ in ()).throw(OSError("the disk is full")))
    monkeypatch.setattr(fitting, "ROUNDS", 1)
    monkeypatch.setattr(fitting, "STEPS", 1)
    path = samples_file(tmp_path / "a.samples", "chess")
    done = invoke("--variant", "chess", "--data", path, "--out", out)
    assert done.exit_code == 1
    assert "the disk is full" in done.output
    assert out.read_text() == "before"
