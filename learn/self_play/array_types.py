"""Types of NumPy arrays for annotations, and bitboards as arrays."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Indices = npt.NDArray[np.uint32]
Shorts = npt.NDArray[np.int16]


def unpacked(words: npt.NDArray[np.uint64], squares: int) -> npt.NDArray[np.bool_]:
    """Bitboards, as rows of 64-bit words, as rows of bools by square."""
    octets = np.ascontiguousarray(words, "<u8").view(np.uint8)
    return np.unpackbits(octets, axis=1, bitorder="little")[:, :squares].astype(bool)
