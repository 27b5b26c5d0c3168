"""Adam (D. P. Kingma and J. Ba, "Adam: a method for stochastic optimization", 2015), with a falling rate."""

import numpy as np
import numpy.typing as npt

BETA_1, BETA_2, TINY = 0.9, 0.999, 1e-8  # as in the paper
LAST_RATE = 0.1  # ratio of the last rate to the first one


class Adam:
    """Adam's steps for `size` numbers, `steps` in all. Each step moves a number by about `rate` at most,
    whatever its slope is."""

    def __init__(self, size: int, rate: float, steps: int) -> None:
        self._rate, self._steps = rate, steps
        self._step = 0
        self._mean, self._square = np.zeros(size), np.zeros(size)

    def move(self, slope: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """The next change of the numbers, for this gradient of the error."""
        self._step += 1
        self._mean = BETA_1 * self._mean + (1 - BETA_1) * slope
        self._square = BETA_2 * self._square + (1 - BETA_2) * slope**2
        mean = self._mean / (1 - BETA_1**self._step)
        size = np.sqrt(self._square / (1 - BETA_2**self._step))
        rate = self._rate * (1 - (1 - LAST_RATE) * self._step / self._steps)
        return -rate * mean / (size + TINY)
