"""Simultaneous perturbation stochastic approximation (SPSA): tunes several settings of the search together by
games.

J. Spall, "Implementation of the simultaneous perturbation algorithm for stochastic optimization" (1998). The
gains derive from the last iteration, as in fishtest: there a number is perturbed by its step, and moves by
RATE times the step for each point that one side is ahead."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...search.tree.tunable import TUNABLES

ALPHA, GAMMA = 0.602, 0.101  # exponents with which the gain and the perturbation fall
STABILITY = 0.1  # share of all iterations that is added to an iteration's number in its gain
RATE = 0.002


class SpsaError(ValueError):
    """A journal that does not fit, or a setting that cannot be tuned."""


@dataclass(frozen=True)
class TuningPlan:
    """The settings of a run: the `start` value of each number by name, and the `iterations` of `pairs` of
    games each; `seed` is that of the perturbations."""

    start: tuple[tuple[str, float], ...]
    iterations: int
    pairs: int
    seed: int

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the numbers, in order."""
        return tuple(name for name, _ in self.start)


class Spsa:
    """The state of a run: the current `values`, and the finished iterations."""

    def __init__(self, plan: TuningPlan) -> None:
        self.plan = plan
        tunables = [TUNABLES[name] for name in plan.names]
        self.values = np.array([value for _, value in plan.start], float)
        self.low = np.array([each.low for each in tunables], float)
        self.high = np.array([each.high for each in tunables], float)
        self._step = np.array([each.step for each in tunables], float)
        self.done: set[int] = set()
        self.course = [self.values.copy()]  # the values after each finished iteration

    def gains(self, iteration: int) -> tuple[np.ndarray, np.ndarray]:
        """(perturbation, gain per point) of all numbers in an iteration, from 0."""
        total, count = self.plan.iterations, iteration + 1
        change = self._step * (total / count) ** GAMMA
        last = RATE * self._step**2
        stability = STABILITY * total
        gain = last * ((stability + total) / (stability + count)) ** ALPHA
        return change, gain / change

    def _flips(self, iteration: int) -> tuple[np.ndarray, np.random.Generator]:
        random = np.random.default_rng([self.plan.seed, iteration])
        return random.choice((-1.0, 1.0), len(self.values)), random

    def proposal(self, iteration: int) -> tuple[dict[str, int], dict[str, int]]:
        """The numbers of both players: perturbed in opposite directions and randomly rounded to whole numbers
        within their range."""
        flips, random = self._flips(iteration)
        change, _ = self.gains(iteration)
        offset = random.random(len(self.values))
        players = []
        for sign in (1, -1):
            values = np.clip(self.values + sign * flips * change, self.low, self.high)
            values = np.clip(np.floor(values + offset), self.low, self.high)
            players.append({name: int(value) for name, value in zip(self.plan.names, values, strict=True)})
        return players[0], players[1]

    def learn(self, iteration: int, points: float) -> None:
        """Updates the values with an iteration: `points` of the first player minus those of the second."""
        flips, _ = self._flips(iteration)
        _, gain = self.gains(iteration)
        self.values = np.clip(self.values + gain * points * flips, self.low, self.high)
        self.done.add(iteration)
        self.course.append(self.values.copy())

    def found(self) -> dict[str, int]:
        """The current values, rounded."""
        return {name: round(value) for name, value in zip(self.plan.names, self.values, strict=True)}


class SpsaJournal:
    """The file of a run: one line with its settings, and one for each iteration in the order in which they
    finished. A context manager.

    An existing file is continued; a last line that is incomplete after a kill is cut off. Raises SpsaError
    for a file of another run, OSError."""

    def __init__(self, path: Path, spsa: Spsa, conditions: dict[str, Any]) -> None:
        self._path, self._spsa = path, spsa
        head = {
            "spsa": 1,
            "start": [list(each) for each in spsa.plan.start],
            "iterations": spsa.plan.iterations,
            "pairs": spsa.plan.pairs,
            "seed": spsa.plan.seed,
            **conditions,
        }
        if path.exists() and path.stat().st_size:
            self._resume(head)
        else:
            path.write_text(json.dumps(head) + "\n", encoding="utf-8")
        self._file = path.open("a", encoding="utf-8")

    def _resume(self, head: dict[str, Any]) -> None:
        data = self._path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        try:
            first, *rest = [json.loads(line) for line in whole.splitlines()] or [None]
            entries = [(int(number), float(points)) for number, points in rest]
        except (ValueError, TypeError):
            raise SpsaError(f"{self._path}: it is not a journal of `bench spsa`") from None
        if first != json.loads(json.dumps(head)):
            known = first if isinstance(first, dict) else {}
            what = [name for name in head if known.get(name) != json.loads(json.dumps(head[name]))]
            raise SpsaError(
                f"{self._path}: it belongs to another run ({', '.join(what) or 'other entries'} differ); "
                "choose another --out"
            )
        for number, points in entries:
            self._spsa.learn(number, points)
        if len(whole) < len(data):
            with self._path.open("r+b") as file:
                file.truncate(len(whole))

    def add(self, iteration: int, points: float) -> None:
        """Updates the values with the result of an iteration and writes it to the file."""
        self._spsa.learn(iteration, points)
        self._file.write(json.dumps([iteration, points]) + "\n")
        self._file.flush()

    def __enter__(self) -> "SpsaJournal":
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()
