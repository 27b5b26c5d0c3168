"""The file of a network: its quantised weights, what game and inputs they are for, and how they were trained.

All numbers are little-endian:

    17 bytes   b"surajang network\\n"
    uint16     version of the format, 1 to 5
    uint32     length of the header
    uint32     length of the weights
    JSON       {"game", "features", "digest", "count", "hidden", "scale", "certificate"}, from version 2 on
               "parts", which is 64 in version 1, from version 3 on "zones", a list by square, and from
               version 5 on "output_buckets", one of BUCKET_KINDS, "board" before; "zones" may be empty then.
               "certificate" is the training metadata, "zones" are the king buckets
    weights    zlib; two planes, all low bytes, then all high ones, of int16 arrays: inputs (king buckets x
               count x hidden), their bias (hidden), outputs (OUTPUT_BUCKETS x 2 hidden); then int32 output
               biases (OUTPUT_BUCKETS)
    32 bytes   SHA-256 of all bytes before

In version 4 the inputs of the second and all later king buckets are differences from the mean of the king
buckets before, rounded down: 0, -1, 1, -2, 2 and so on stand as 0, 1, 2, 3, 4. Both are modulo 2**16. King
buckets differ little, so the file is less than half as large.

Nothing in it is ever run. A network's sums in int16 and int32 cannot overflow in any position that a FEN can
describe: `check_bounds` verifies that when a network is saved and when it is loaded."""

import json
import os
import struct
import zlib
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ...engine.game.replaced_file import replacing
from ...engine.variant import Variant
from .features import FEATURE_SET, features_digest, features_for
from .output_buckets import BOARD, BUCKET_KINDS, HANDS, OUTPUT_BUCKETS

MAGIC = b"surajang network\n"
VERSION = 5
PREFIX = struct.Struct("<HII")  # after the magic
BEGIN = len(MAGIC) + PREFIX.size
CHECKSUM = 32  # bytes
LEVEL = 5  # of compression: 9 takes twelve seconds instead of less than one, and saves 2 % of the size
MAX_HEADER = 1 << 16
MAX_SIZE = 1 << 27  # bytes of a file
SHOWN = 16  # bytes of something wrong
SUFFIX = ".network"
KEYS = ("game", "features", "digest", "count", "hidden", "scale", "certificate")
METADATA = KEYS[-1]
PARTS = "parts"  # a key from version 2 on
KING_BUCKETS = "zones"  # a key from version 3 on
KIND = "output_buckets"  # a key from version 5 on
DIFFERENCES = 4  # the version from which on king buckets are kept as differences
KINDS = 5  # the version from which on a file says how its output is chosen
FOREIGN = (  # how files begin that may be taken for networks
    (b"PK\x03\x04", "an archive of NumPy or PyTorch arrays, which may hold pickles"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"\x80", "a pickle, which could run any program"),
    (b"surajang games\n", "a file of games"),
)

LANES = 16  # neurons: `hidden` is a multiple of it
MAX_HIDDEN = 4096
QA = 255  # of inputs and their bias: 1.0 of an accumulator, where it is clipped
QB = 64  # of output weights, the fewest
MAX_PARTS = 1 << 14
FINE = 256  # of the factor from the output to a score
MAX_OUTPUT_WEIGHT = 127  # times QA it fits int16
MAX_SCALE = 10_000
MAX_KING_BUCKETS = 64


class NetworkError(ValueError):
    """A network that cannot be used or read; the text names the file and the reason."""


def count_king_buckets(king_buckets: npt.NDArray[np.uint8] | None) -> int:
    """The number of king buckets in a table of squares, 1 without a table."""
    return 1 if king_buckets is None else int(king_buckets.max()) + 1


@dataclass(frozen=True, eq=False, repr=False)  # arrays have no truth, and are long
class Network:
    """A quantised network of the game called `variant`.

    `input_weights` (int16, features x hidden) and `input_bias` (int16, hidden) are in parts of QA,
    `output_weights` (int16, OUTPUT_BUCKETS x 2 hidden) in `parts` of 1.0, QB or more, `output_bias` (int32,
    OUTPUT_BUCKETS)
    in parts of QA * `parts`. `scale` is what a logit of 1 is worth, in the units that the search counts in.
    The `metadata` tells how it was trained.

    With `king_buckets` (uint8, by square as its side sees it) the input weights depend on the square of the
    own king: those of the first king bucket come first, then those of the second. No king on the board is
    king bucket 0. `output_buckets` says what selects the output, BOARD or HANDS."""

    variant: Variant
    hidden: int
    scale: int
    input_weights: npt.NDArray[np.int16]
    input_bias: npt.NDArray[np.int16]
    output_weights: npt.NDArray[np.int16]
    output_bias: npt.NDArray[np.int32]
    metadata: dict[str, Any] = field(default_factory=dict)
    parts: int = QB
    king_buckets: npt.NDArray[np.uint8] | None = None
    output_buckets: str = BOARD

    def __repr__(self) -> str:
        return f"<Network of {self.variant!r} with {self.hidden} hidden neurons>"

    @property
    def king_bucket_count(self) -> int:
        """The number of king buckets, 1 without `king_buckets`."""
        return count_king_buckets(self.king_buckets)

    @property
    def output_scale(self) -> int:
        """The value of an output of 1 / (QA * QA * QB), in units of the search divided by FINE."""
        return (2 * FINE * self.scale * QB + self.parts) // (2 * self.parts)

    def arrays(self) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16], npt.NDArray[np.int16]]:
        """The int16 arrays in the order of the file."""
        return self.input_weights, self.input_bias, self.output_weights


def random_network(variant: Variant, hidden: int, seed: int, king_buckets: int = 1) -> Network:
    """A network of random weights, for tests and speed, with random king buckets if there are more than one.
    Raises VariantError, NetworkError."""
    rng = np.random.default_rng(seed)
    features = features_for(variant)
    room = np.iinfo(np.int16).max - QA
    most = min(QA, room // features.most)
    limits = np.array([most, QA, MAX_OUTPUT_WEIGHT])
    shapes = _shapes(features.count, hidden, king_buckets)
    inputs, bias, outputs = (
        rng.integers(-limit, limit + 1, shape, np.int16) for limit, shape in zip(limits, shapes, strict=True)
    )
    outputs = (outputs.astype(np.int32) * min(hidden, LANES) // hidden).astype(np.int16)
    output_bias = rng.integers(-QA * QB, QA * QB + 1, OUTPUT_BUCKETS, np.int32)
    network = Network(variant, hidden, 250, inputs, bias, outputs, output_bias, {"seed": seed})
    if king_buckets > 1:
        network = replace(
            network, king_buckets=rng.permutation(np.arange(features.squares) % king_buckets).astype(np.uint8)
        )
    check_network(network, "random network")
    return network


def accumulator_bounds(
    features: Any, inputs: npt.NDArray[np.int16], bias: npt.NDArray[np.int16]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """(least, largest) possible value of each accumulator in any position, as int64. A square holds at most
    one piece or a wall, and "at least i in hand" implies all lower i. The bounds hold in all king buckets."""
    bounds = [
        _bounds_of_king_bucket(features, each, bias) for each in inputs.reshape(-1, features.count, len(bias))
    ]
    least, most = zip(*bounds, strict=True)
    return np.min(least, axis=0), np.max(most, axis=0)


def _bounds_of_king_bucket(
    features: Any, inputs: npt.NDArray[np.int16], bias: npt.NDArray[np.int16]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    board = inputs[: features.hands].reshape(-1, features.squares, len(bias))
    hands = inputs[features.hands : features.state].reshape(2, features.hand_features, len(bias))
    state = inputs[features.state :].astype(np.int64)
    found = []
    for extreme in (np.minimum, np.maximum):
        total = bias + extreme(extreme.reduce(board), 0).sum(0, dtype=np.int64)
        for first, limit in _hands(features):
            sums = np.cumsum(hands[:, first : first + limit], axis=1, dtype=np.int64)
            total += extreme(extreme.reduce(sums, axis=1), 0).sum(0)
        found.append(total + extreme(state, 0).sum(0))
    least, most = found
    return least, most


def _hands(features: Any) -> list[tuple[int, int]]:
    """(place of "at least 1", limit) of each hand piece."""
    firsts, limits = features.firsts.tolist(), features.limits.tolist()
    return list(zip(firsts, limits, strict=True))[: features.hand_kinds]


def check_network(network: Network, path: str | os.PathLike[str]) -> None:
    """Raises NetworkError, naming `path`, for weights that do not fit the game or whose sums may overflow."""
    features, hidden = features_for(network.variant), network.hidden
    if not (0 < hidden <= MAX_HIDDEN and hidden % LANES == 0):
        raise NetworkError(f"{path}: {hidden} hidden neurons, but they come in multiples of {LANES}")
    if not 0 < network.scale <= MAX_SCALE:
        raise NetworkError(f"{path}: a scale of {network.scale}, not from 1 to {MAX_SCALE}")
    if not QB <= network.parts <= MAX_PARTS:
        raise NetworkError(f"{path}: output weights in {network.parts} parts, not {QB} to {MAX_PARTS}")
    if network.king_buckets is not None:
        _check_king_buckets(network.king_buckets, features, path)
    _check_kind(network.output_buckets, features, network.variant, path)
    shapes = (*_shapes(features.count, hidden, network.king_bucket_count), (OUTPUT_BUCKETS,))
    arrays: tuple[npt.NDArray[Any], ...] = (*network.arrays(), network.output_bias)
    for array, shape, dtype in zip(arrays, shapes, [np.int16] * 3 + [np.int32], strict=True):
        if array.shape != shape or array.dtype != dtype:
            raise NetworkError(f"{path}: weights {array.dtype} {array.shape} where {shape} should be")
    check_bounds(network, features, path)


def _check_king_buckets(
    king_buckets: npt.NDArray[np.uint8], features: Any, path: str | os.PathLike[str]
) -> None:
    """Raises NetworkError for king buckets that are not those of a board."""
    if king_buckets.shape != (features.squares,) or king_buckets.dtype != np.uint8:
        raise NetworkError(
            f"{path}: the king buckets of {king_buckets.size} squares, but the board has {features.squares}"
        )
    if (
        set(king_buckets.tolist()) != set(range(king_buckets.max() + 1))
        or not 0 < king_buckets.max() < MAX_KING_BUCKETS
    ):
        raise NetworkError(
            f"{path}: the king buckets are not numbered from 0 to at most {MAX_KING_BUCKETS - 1}"
        )


def _check_kind(kind: str, features: Any, variant: Variant, path: str | os.PathLike[str]) -> None:
    """Raises NetworkError for a kind of buckets that the game cannot have."""
    if kind not in BUCKET_KINDS:
        raise NetworkError(f"{path}: its output is chosen by {kind!r}, not by {' or '.join(BUCKET_KINDS)}")
    if kind == HANDS and not features.hand_kinds:
        raise NetworkError(f"{path}: its output is chosen by the hands, but {variant!r} has none")


def check_bounds(network: Network, features: Any, path: str | os.PathLike[str]) -> None:
    """Raises NetworkError where a sum of the network may overflow."""
    least, most = accumulator_bounds(features, network.input_weights, network.input_bias)
    limits = np.iinfo(np.int16)
    if least.min() < limits.min or most.max() > limits.max:
        raise NetworkError(
            f"{path}: accumulators may reach {least.min()} to {most.max()}, which int16 does not hold"
        )
    outputs = network.output_weights.astype(np.int64)
    if np.abs(outputs).max() > MAX_OUTPUT_WEIGHT:
        raise NetworkError(f"{path}: an output weight is {np.abs(outputs).max()} > {MAX_OUTPUT_WEIGHT}")
    one_way = np.maximum(outputs.clip(0).sum(1), -outputs.clip(None, 0).sum(1)).max() * QA * QA
    bias = np.abs(network.output_bias.astype(np.int64)).max()
    if max(one_way, one_way // QA + bias) > np.iinfo(np.int32).max:
        raise NetworkError(f"{path}: an output may reach {one_way} and {bias}, which int32 does not hold")


def _shapes(
    count: int, hidden: int, king_buckets: int
) -> tuple[tuple[int, int], tuple[int], tuple[int, int]]:
    """The shapes of the int16 arrays."""
    return (king_buckets * count, hidden), (hidden,), (OUTPUT_BUCKETS, 2 * hidden)


def save_network(path: str | os.PathLike[str], network: Network) -> None:
    """Writes a network to a file atomically. Raises NetworkError, VariantError, OSError."""
    path = Path(path)
    check_network(network, path)
    with replacing(path) as file:
        file.write(encoded(network))


def encoded(network: Network) -> bytes:
    """The bytes of a network's file."""
    features = features_for(network.variant)
    values = (
        network.variant,
        *(FEATURE_SET, features_digest(network.variant), features.count),
        *(network.hidden, int(network.scale), network.metadata),
    )
    facts: dict[str, Any] = dict(zip(KEYS, values, strict=True))
    version = 1
    if network.parts != QB:
        version, facts[PARTS] = 2, int(network.parts)
    if network.king_buckets is not None:
        version = DIFFERENCES
        facts[PARTS] = int(network.parts)
        facts[KING_BUCKETS] = network.king_buckets.tolist()
    if network.output_buckets != BOARD:
        king_buckets = [] if network.king_buckets is None else network.king_buckets.tolist()
        version, facts[PARTS], facts[KING_BUCKETS] = KINDS, int(network.parts), king_buckets
        facts[KIND] = network.output_buckets
    header = json.dumps(facts).encode()
    if len(header) > MAX_HEADER:
        raise NetworkError(f"{network.variant}: training metadata too long: {len(header)} bytes")
    arrays = [_differences(network.input_weights, network.king_bucket_count), *network.arrays()[1:]]
    words = np.concatenate([array.ravel() for array in arrays]).astype("<i2")
    planes = np.ascontiguousarray(words.view(np.uint8).reshape(-1, 2).T)
    weights = zlib.compress(planes.tobytes() + network.output_bias.astype("<i4").tobytes(), LEVEL)
    data = MAGIC + PREFIX.pack(version, len(header), len(weights)) + header + weights
    return data + sha256(data).digest()


def _differences(inputs: npt.NDArray[np.int16], king_buckets: int) -> npt.NDArray[np.int16]:
    """The input weights of that many king buckets in the form of version 4."""
    found = inputs.reshape(king_buckets, -1).copy()
    total = np.zeros(found.shape[1], np.int32)
    for bucket in range(1, king_buckets):
        total += inputs.reshape(king_buckets, -1)[bucket - 1]
        differences = found[bucket] - (total // bucket).astype(np.int16)
        found[bucket] = differences << 1 ^ differences >> 15
    return found


def _put_together(found: npt.NDArray[np.int16], king_buckets: int) -> None:
    """Restores the input weights from the result of `_differences`, in place."""
    rows = found.reshape(king_buckets, -1)
    total = np.zeros(rows.shape[1], np.int32)
    for bucket in range(1, king_buckets):
        total += rows[bucket - 1]
        folded = rows[bucket].view(np.uint16)
        differences = (folded >> 1).astype(np.int16) ^ -(folded & 1).astype(np.int16)
        rows[bucket] = differences + (total // bucket).astype(np.int16)


def lender_of(variant: Variant) -> Variant | None:
    """The game whose networks another can use: the one that it extends, with the same pieces and board, if
    its file says so (`shares_network`) or if only castling is free. None for other games."""
    game = variant.description
    if game.extends is None or not (game.shares_network or game.castling_free):
        return None
    parent = Variant(game.extends)
    same = features_digest(parent) == features_digest(variant)
    return parent if same and (game.shares_network or not parent.description.castling_free) else None


def _names_of_lenders(variant: Variant) -> set[str]:
    """The names of a game and of those whose networks it can use."""
    names, lender = {variant.description.name}, lender_of(variant)
    return names if lender is None else names | _names_of_lenders(lender)


def load_network(path: str | os.PathLike[str], variant: str) -> Network:
    """The network of a game in a file. Raises NetworkError, VariantError."""
    return decoded(_bytes_of(path), path, Variant(variant))


def game_of(path: str | os.PathLike[str]) -> Variant:
    """The name of the game in a network's file. Raises NetworkError."""
    _, facts, _ = _parts(_bytes_of(path), path)
    return Variant(facts["game"])


def _bytes_of(path: str | os.PathLike[str]) -> bytes:
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"{path!r} should be the path of a network")
    try:
        if os.path.getsize(path) > MAX_SIZE:
            raise NetworkError(f"{path}: not a network file: it is longer than {MAX_SIZE} bytes")
        return Path(path).read_bytes()
    except OSError as error:
        raise NetworkError(f"{path}: cannot be read: {error.strerror}") from None


def decoded(data: bytes, path: str | os.PathLike[str], variant: Variant) -> Network:
    """The network of a game in the bytes of a file; `path` is for messages. Raises NetworkError."""
    version, facts, weights = _parts(data, path)
    _refuse_other(facts, path, variant)
    places = facts.get(KING_BUCKETS)
    single = places is None or (version >= KINDS and places == [])
    king_buckets = None if single else np.array(places, np.uint8)
    if king_buckets is not None:
        _check_king_buckets(king_buckets, features_for(variant), path)
    arrays = _weights(weights, facts, path, count_king_buckets(king_buckets))
    if version >= DIFFERENCES:
        _put_together(arrays[0], count_king_buckets(king_buckets))
    network = Network(
        *(variant, facts["hidden"], facts["scale"], *arrays, facts[METADATA]),
        *(facts.get(PARTS, QB), king_buckets, facts.get(KIND, BOARD)),
    )
    check_network(network, path)
    return network


def _parts(data: bytes, path: str | os.PathLike[str]) -> tuple[int, dict[str, Any], bytes]:
    """(version, header as a dictionary, compressed weights) of a file whose checksum is right."""
    if not data.startswith(MAGIC):
        begin = data[:SHOWN]
        if data and MAGIC.startswith(data):
            raise NetworkError(f"{path}: truncated: the file ends at byte {len(data)}, within its beginning")
        kind = next((f": it looks like {name}" for start, name in FOREIGN if begin.startswith(start)), "")
        raise NetworkError(f"{path}: not a network file: it begins with {begin!r}{kind}")
    if len(data) < BEGIN:
        raise NetworkError(f"{path}: truncated: the file ends at byte {len(data)}, within its beginning")
    version, header, weights = PREFIX.unpack_from(data, len(MAGIC))
    if version > VERSION:
        raise NetworkError(
            f"{path}: version {version} of the format is newer than this program, which reads {VERSION}"
        )
    size = BEGIN + header + weights + CHECKSUM
    if len(data) < size:
        raise NetworkError(f"{path}: truncated: {len(data)} bytes of {size}")
    if len(data) > size or sha256(data[:-CHECKSUM]).digest() != data[-CHECKSUM:]:
        raise NetworkError(f"{path}: damaged: its checksum differs")
    text = data[BEGIN : BEGIN + header]
    try:
        facts = json.loads(text)
        later = ((2, PARTS), (3, KING_BUCKETS), (KINDS, KIND))
        keys = (*KEYS, *(key for since, key in later if version >= since))
        if not isinstance(facts, dict) or set(facts) != set(keys):
            raise ValueError
        numbers = [facts[key] for key in ("count", "hidden", "scale", PARTS) if key in keys]
        if any(type(number) is not int for number in numbers) or type(facts[METADATA]) is not dict:
            raise ValueError
        if KING_BUCKETS in keys and not _are_king_buckets(facts[KING_BUCKETS]):
            raise ValueError
        if KIND in keys and facts[KIND] not in BUCKET_KINDS:
            raise ValueError
    except (ValueError, RecursionError):
        raise NetworkError(f"{path}: damaged: its header begins with {text[:SHOWN]!r}") from None
    return version, facts, data[BEGIN + header : -CHECKSUM]


def _are_king_buckets(found: object) -> bool:
    """Whether this is a list of numbers of king buckets."""
    return isinstance(found, list) and all(
        type(each) is int and 0 <= each < MAX_KING_BUCKETS for each in found
    )


def _refuse_other(facts: dict[str, Any], path: str | os.PathLike[str], variant: Variant) -> None:
    """Raises NetworkError for a network of another game or of other inputs."""
    if facts["game"] not in _names_of_lenders(variant):
        raise NetworkError(f"{path}: a network of {facts['game']!r}, not of {variant!r}")
    if facts["features"] != FEATURE_SET:
        raise NetworkError(f"{path}: its feature set is {facts['features']!r}, not {FEATURE_SET!r}")
    digest, count = features_digest(variant), features_for(variant).count
    if (facts["digest"], facts["count"]) != (digest, count):
        raise NetworkError(
            f"{path}: it is for other pieces or another board than {variant!r} has, or from a version with"
            " other inputs"
            f" ({facts['count']} inputs, digest {facts['digest']}; here {count}, {digest})"
        )
    if not 0 < facts["hidden"] <= MAX_HIDDEN:
        raise NetworkError(f"{path}: {facts['hidden']} hidden neurons, not from {LANES} to {MAX_HIDDEN}")


def _weights(
    data: bytes, facts: dict[str, Any], path: str | os.PathLike[str], king_buckets: int
) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16], npt.NDArray[np.int16], npt.NDArray[np.int32]]:
    """The arrays of a file, in the order of `Network`."""
    shapes = _shapes(facts["count"], facts["hidden"], king_buckets)
    sizes = [int(np.prod(shape)) for shape in shapes]
    words = sum(sizes)
    size = 2 * words + 4 * OUTPUT_BUCKETS
    unpacker = zlib.decompressobj()
    try:
        plain = unpacker.decompress(data, size + 1)
    except zlib.error as error:
        raise NetworkError(f"{path}: damaged: its weights cannot be unpacked ({error})") from None
    if len(plain) != size or not unpacker.eof or unpacker.unused_data:
        raise NetworkError(f"{path}: damaged: {len(plain)} bytes of weights where {size} should be")
    planes = np.frombuffer(plain, np.uint8, 2 * words).reshape(2, words)
    joined = np.empty((words, 2), np.uint8)
    joined[:, 0], joined[:, 1] = planes
    values = np.split(joined.reshape(-1).view("<i2").astype(np.int16, copy=False), np.cumsum(sizes)[:-1])
    inputs, bias, outputs = (part.reshape(shape) for part, shape in zip(values, shapes, strict=True))
    return inputs, bias, outputs, np.frombuffer(plain, "<i4", OUTPUT_BUCKETS, 2 * words).astype(np.int32)
