"""Types of NumPy arrays for annotations."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Indices = npt.NDArray[np.uint32]
Shorts = npt.NDArray[np.int16]
