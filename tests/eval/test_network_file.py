"""The file of a network: saved networks are loaded again, and every fault is refused by name."""

import json
import os
import pickle
import random
import struct
import zlib
from dataclasses import replace
from functools import cache
from hashlib import sha256

import numpy as np
import pytest
from surajang.engine.variant import Variant
from surajang.eval.network import file
from surajang.eval.network.features import FEATURE_SET, features_for
from surajang.eval.network.file import (
    BEGIN,
    MAGIC,
    OUTPUT_BUCKETS,
    PREFIX,
    VERSION,
    NetworkError,
    accumulator_bounds,
    decoded,
    encoded,
    load_network,
    random_network,
    save_network,
)

pytestmark = [pytest.mark.compiled, pytest.mark.quick]

GAME = Variant("minishogi")  # a small one
GAMES = ("crazyhouse", "pandemonium", "janggi", "xxl", GAME)
DAMAGES = int(os.environ.get("SURAJANG_NETWORK_DAMAGES", "3000"))


@cache
def network(variant=GAME, hidden=16):
    return random_network(Variant(variant), hidden, seed=5)


@cache
def data():
    return encoded(network())


def signed(begin):
    """The bytes with a checksum that is right."""
    return begin + sha256(begin).digest()


def with_header(**changes):
    """The file with another header, and all lengths and its checksum right."""
    _, header, weights = PREFIX.unpack_from(data(), len(MAGIC))
    facts = json.loads(data()[BEGIN : BEGIN + header]) | changes
    text = json.dumps(facts).encode()
    packed = data()[BEGIN + header : BEGIN + header + weights]
    version = 5 if "output_buckets" in facts else 1 + ("parts" in facts) + ("zones" in facts)
    return signed(MAGIC + PREFIX.pack(version, len(text), weights) + text + packed)


def refusal(content, variant=GAME):
    """The error for a file with that content."""
    with pytest.raises(NetworkError) as caught:
        decoded(content, "some.network", Variant(variant))
    assert str(caught.value).startswith("some.network: ")
    return str(caught.value)


@pytest.mark.parametrize("variant", GAMES)
def test_saved_network_is_loaded_again(variant, tmp_path):
    saved = replace(network(variant, 32), metadata={"positions": 7, "files": ["a", "b"]})
    save_network(tmp_path / "n.network", saved)
    loaded = load_network(tmp_path / "n.network", variant)
    assert (loaded.variant, loaded.hidden, loaded.scale) == (variant, 32, saved.scale)
    assert loaded.metadata == saved.metadata
    for got, wanted in zip(
        (*loaded.arrays(), loaded.output_bias), (*saved.arrays(), saved.output_bias), strict=True
    ):
        assert got.dtype == wanted.dtype and np.array_equal(got, wanted)
    assert [path.name for path in tmp_path.iterdir()] == ["n.network"]


def test_large_game_s_file_stays_under_two_megabytes():
    assert len(encoded(random_network(Variant("pandemonium"), 256, seed=1))) < 2_000_000


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (pickle.dumps({"weights": [1.0]}), "a pickle"),
        (b"PK\x03\x04" + bytes(60), "pickles"),
        (b"\x93NUMPY\x01\x00", "a NumPy array"),
        (b"surajang games\n" + bytes(60), "a file of games"),
        (b"", "begins with b''"),
        (b"<!DOCTYPE html>", "b'<!DOCTYPE html>'"),
    ],
)
def test_foreign_file_is_refused_with_its_first_bytes(content, kind):
    said = refusal(content)
    assert "not a network file: it begins with b'" in said and kind in said


@pytest.mark.parametrize("length", [1, len(MAGIC), BEGIN - 1, BEGIN, BEGIN + 1, -33, -32, -1])
def test_truncated_file_is_refused(length):
    assert "truncated" in refusal(data()[:length])


def test_longer_file_is_refused():
    assert "damaged" in refusal(data() + b"\n")


def test_newer_version_is_refused():
    newer = MAGIC + PREFIX.pack(VERSION + 1, 0, 0) + b"whatever it holds"
    assert f"version {VERSION + 1} of the format is newer" in refusal(newer)


def test_other_game_s_network_is_refused_by_name():
    assert "a network of 'minishogi', not of 'crazyhouse'" in refusal(data(), "crazyhouse")


def test_other_features_are_refused():
    assert "feature set is 'pieces-2'" in refusal(with_header(features="pieces-2"))
    assert "other pieces or another board" in refusal(with_header(digest="0" * 16))
    assert "other pieces or another board" in refusal(with_header(count=network().input_weights.shape[0] - 1))


def test_game_s_values_may_change_but_not_its_pieces(tmp_path):
    path = tmp_path / "minishogi.toml"
    same = 'extends = "minishogi"\nname = "minishogi"\ntitle = "Minishogi"\n'
    path.write_text(same + "[pieces]\nG = { value = 432 }\n")
    loaded = decoded(data(), path, Variant(path))
    assert loaded.hidden == 16
    other = tmp_path / "other" / "minishogi.toml"
    other.parent.mkdir()
    other.write_text(same + '[pieces]\nG = { moves = "F" }\n')
    assert "other pieces or another board" in refusal(data(), str(other))


@pytest.mark.parametrize(
    "changes",
    [
        {"hidden": 17},
        {"hidden": 0},
        {"hidden": 10**9},
        {"hidden": True},
        {"hidden": 32},
        {"scale": 0},
        {"scale": -1},
        {"scale": 250.5},
        {"certificate": []},
        {"more": 1},
        {"parts": 63},
        {"parts": 1 << 20},
        {"parts": 64.0},
        {"parts": True},
    ],
)
def test_header_that_cannot_be_is_refused(changes):
    assert decoded(with_header(), "some.network", GAME).scale == network().scale
    refusal(with_header(**changes))


def test_finer_output_weights_are_kept_with_their_parts():
    """Version 2 of the format; a file of version 1 still loads, and is written if 64 parts suffice."""
    fine = replace(network(), parts=640)
    assert PREFIX.unpack_from(encoded(fine), len(MAGIC))[0] == 2
    assert PREFIX.unpack_from(data(), len(MAGIC))[0] == 1
    loaded = decoded(encoded(fine), "some.network", GAME)
    assert loaded.parts == 640 and np.array_equal(loaded.output_weights, fine.output_weights)
    assert decoded(with_header(parts=640), "some.network", GAME).output_scale == fine.output_scale
    assert fine.output_scale == round(network().output_scale / 10)


def test_king_buckets_are_kept():
    bucketed = random_network(GAME, 16, seed=5, king_buckets=4)
    loaded = decoded(encoded(bucketed), "some.network", GAME)
    assert bucketed.king_bucket_count == 4 and np.array_equal(loaded.king_buckets, bucketed.king_buckets)
    assert len(loaded.input_weights) == 4 * features_for(GAME).count
    assert np.array_equal(loaded.input_weights, bucketed.input_weights) and loaded.parts == bucketed.parts


def words_of(content):
    """(version, the weights of a file as a list of signed numbers, the packed bytes) by its description."""
    version, header, length = PREFIX.unpack_from(content, len(MAGIC))
    packed = content[BEGIN + header : BEGIN + header + length]
    plain = zlib.decompress(packed)[: -4 * OUTPUT_BUCKETS]
    half = len(plain) // 2
    words = [low | high << 8 for low, high in zip(plain[:half], plain[half:], strict=True)]
    return version, [word - (word >> 15 << 16) for word in words], packed


def test_king_buckets_are_kept_as_differences_from_the_mean_of_those_before():
    """Version 4 of the format, read by its description, one number after the other."""
    bucketed = random_network(GAME, 16, seed=5, king_buckets=3)
    version, words, _ = words_of(encoded(bucketed))
    size = features_for(GAME).count * 16
    assert version == 4
    for place in range(0, size, 7):
        king_buckets = [words[place]]
        for number in (1, 2):
            word = words[number * size + place] & 0xFFFF
            difference = -(word + 1) // 2 if word % 2 else word // 2
            king_buckets.append(sum(king_buckets) // number + difference)
        assert king_buckets == [int(each) for each in bucketed.input_weights.ravel()[place::size]]
    assert words[3 * size : 3 * size + 16] == bucketed.input_bias.tolist()


def test_king_buckets_of_version_3_are_read_as_they_are():
    bucketed = random_network(GAME, 16, seed=5, king_buckets=4)
    content = encoded(bucketed)
    _, header, _ = PREFIX.unpack_from(content, len(MAGIC))
    words = np.concatenate([array.ravel() for array in bucketed.arrays()]).astype("<i2")
    planes = [bytes(words.view(np.uint8)[place::2]) for place in (0, 1)]
    packed = zlib.compress(b"".join(planes) + bucketed.output_bias.astype("<i4").tobytes())
    begin = MAGIC + PREFIX.pack(3, header, len(packed)) + content[BEGIN : BEGIN + header] + packed
    loaded = decoded(signed(begin), "some.network", GAME)
    assert np.array_equal(loaded.input_weights, bucketed.input_weights)
    assert np.array_equal(loaded.output_weights, bucketed.output_weights)


@pytest.mark.parametrize("king_buckets", [1, 4])
def test_buckets_that_count_hands_are_kept(king_buckets):
    """Version 5 of the format; networks that count the board are written as before."""
    by_hands = replace(random_network(GAME, 16, seed=5, king_buckets=king_buckets), output_buckets="hands")
    loaded = decoded(encoded(by_hands), "some.network", GAME)
    assert PREFIX.unpack_from(encoded(by_hands), len(MAGIC))[0] == 5
    assert (loaded.output_buckets, loaded.king_bucket_count) == ("hands", king_buckets)
    assert (loaded.king_buckets is None) == (king_buckets == 1)
    assert np.array_equal(loaded.input_weights, by_hands.input_weights)
    assert decoded(data(), "some.network", GAME).output_buckets == "board"


@pytest.mark.parametrize("output_buckets", ["feet", "", 7, None])
def test_buckets_of_no_kind_are_refused(output_buckets):
    assert "header" in refusal(with_header(parts=64, zones=[], output_buckets=output_buckets))


def test_buckets_that_count_hands_need_a_game_with_hands(tmp_path):
    chess = replace(random_network(Variant("chess"), 16, seed=5), output_buckets="hands")
    with pytest.raises(NetworkError, match="chosen by the hands, but 'chess' has none"):
        save_network(tmp_path / "chess.network", chess)


def test_king_buckets_that_differ_little_take_little_room():
    bucketed = random_network(GAME, 16, seed=5, king_buckets=4)
    first = bucketed.input_weights[: features_for(GAME).count].astype(np.int16)
    noise = np.random.default_rng(1).integers(-1, 2, bucketed.input_weights.shape, np.int16)
    alike = replace(bucketed, input_weights=np.tile(first // 2, (4, 1)) + noise)
    assert len(encoded(alike)) < 0.6 * len(encoded(bucketed))
    assert np.array_equal(decoded(encoded(alike), "x", GAME).input_weights, alike.input_weights)


def test_differences_of_any_weights_come_back():
    """Including those beyond int16, which are stored modulo 2**16."""
    numbers = np.random.default_rng(2).integers(-(2**15), 2**15, (5, 40, 16), np.int16)
    numbers[:, 0] = np.array([-(2**15), 2**15 - 1, -(2**15), 0, -1])[:, None]
    found = file._differences(numbers.reshape(-1, 16), 5)
    assert not np.array_equal(found.reshape(numbers.shape), numbers)
    file._put_together(found, 5)
    assert np.array_equal(found.reshape(numbers.shape), numbers)


@pytest.mark.parametrize(
    "king_buckets",
    [
        [],
        [0] * 25,
        [0, 1] * 12,
        [0, 2] * 12 + [1] * 2,
        [1] * 25,
        [0, 64] + [1] * 23,
        [-1] * 25,
        ["0"] * 25,
        7,
    ],
)
def test_king_buckets_that_cannot_be_are_refused(king_buckets):
    told = refusal(with_header(parts=64, zones=king_buckets))
    assert "king buckets" in told or "header" in told


def test_bounds_hold_in_the_worst_of_the_king_buckets():
    bucketed = random_network(GAME, 16, seed=5, king_buckets=3)
    count = features_for(GAME).count
    alone = [
        accumulator_bounds(
            features_for(GAME), bucketed.input_weights[i * count : (i + 1) * count], bucketed.input_bias
        )
        for i in range(3)
    ]
    least, most = accumulator_bounds(features_for(GAME), bucketed.input_weights, bucketed.input_bias)
    assert np.array_equal(least, np.min([each[0] for each in alone], axis=0))
    assert np.array_equal(most, np.max([each[1] for each in alone], axis=0))
    assert not np.array_equal(most, alone[0][1])


def test_weights_that_are_no_zlib_or_too_many_are_refused():
    _, header, _ = PREFIX.unpack_from(data(), len(MAGIC))
    text = data()[BEGIN : BEGIN + header]
    bomb = file.zlib.compress(bytes(50_000_000))
    for packed in (b"nonsense", bomb, b""):
        begin = MAGIC + PREFIX.pack(1, header, len(packed)) + text + packed
        assert "weights" in refusal(signed(begin))


def test_missing_file_is_refused_by_name(tmp_path):
    with pytest.raises(NetworkError, match=r"none\.network: cannot be read: No such file"):
        load_network(tmp_path / "none.network", GAME)


def test_network_whose_sums_may_overflow_is_neither_saved_nor_loaded(tmp_path):
    inputs = np.full_like(network().input_weights, 32_000)
    outputs = np.full_like(network().output_weights, 128)
    biases = np.full_like(network().output_bias, 2**31 - 1)
    for changes in ({"input_weights": inputs}, {"output_weights": outputs}, {"output_bias": biases}):
        broken = replace(network(), **changes)
        with pytest.raises(NetworkError, match=r"n\.network"):
            save_network(tmp_path / "n.network", broken)
        refusal(encoded(broken))
    assert not list(tmp_path.iterdir())


def test_bounds_are_reached_by_some_position_and_not_passed():
    """All squares with the most valuable piece, hands with the most valuable count, all state that adds."""
    features, rng = features_for(Variant("crazyhouse")), np.random.default_rng(3)
    inputs = rng.integers(-90, 91, (features.count, 4), np.int16)
    bias = rng.integers(-90, 91, 4, np.int16)
    least, most = accumulator_bounds(features, inputs, bias)
    for unit in range(4):
        column = inputs[:, unit].astype(int)
        for bound, best in ((least, min), (most, max)):
            total = int(bias[unit])
            for square in range(64):
                total += best(0, *column[square : features.hands : 64])
            for owner in range(2):
                for first, limit in zip(features.firsts, features.limits, strict=True):
                    start = features.hands + owner * features.hand_features + int(first)
                    total += best(int(column[start : start + n].sum()) for n in range(int(limit) + 1))
            total += sum(best(0, value) for value in column[features.state :])
            assert bound[unit] == total


def damaged(rng, content):
    """The bytes with one fault: bits, bytes, a cut, an insertion, or exchanged parts."""
    found = bytearray(content)
    place = rng.randrange(len(found))
    match rng.randrange(5):
        case 0:
            found[place] ^= 1 << rng.randrange(8)
        case 1:
            end = min(len(found), place + rng.randrange(1, 9))
            found[place:end] = rng.randbytes(end - place)
        case 2:
            del found[place:]
        case 3:
            found[place:place] = rng.randbytes(rng.randrange(1, 9))
        case 4:
            other = rng.randrange(len(found))
            found[place], found[other] = found[other], found[place]
    return bytes(found)


def test_damaged_file_is_refused():
    """SURAJANG_NETWORK_DAMAGES=100000 makes that many."""
    rng, refused = random.Random(1), 0
    for _ in range(DAMAGES):
        content = damaged(rng, data())
        if content == data():
            continue
        if rng.random() < 0.5:  # as if the one who damaged it had also made the checksum right
            content = signed(content[:-32])
            try:
                decoded(content, "some.network", GAME)
            except NetworkError as error:
                assert str(error).startswith("some.network: ")
                refused += 1
        else:
            refusal(content)
            refused += 1
    assert refused > 0.9 * DAMAGES / 2


def test_prefix_that_lies_about_lengths_is_refused():
    for header, weights in ((2**32 - 1, 2**32 - 1), (0, 0), (1, 2**31)):
        begin = MAGIC + struct.pack("<HII", VERSION, header, weights)
        refusal(begin + data()[BEGIN:])
        refusal(signed(begin))


def test_feature_set_is_named_in_the_file():
    assert f'"features": "{FEATURE_SET}"'.encode() in data()
