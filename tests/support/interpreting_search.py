"""Searches without compiled code: Python runs the few hundred nodes of a short win in a tenth of the time
that the search of a game takes to compile."""

import ctypes
from contextlib import suppress
from functools import cache

import numpy as np
import pytest
from surajang.engine.kernel.deferred import Deferred
from surajang.engine.kernel.interpreter import Interpreter, plain
from surajang.engine.movegen import entry_points
from surajang.eval.network.features import features_for
from surajang.eval.network.output import SharedNetwork
from surajang.eval.terms.evaluate import evaluate
from surajang.search import aspiration
from surajang.search.compiled_search import CompiledSearch
from surajang.search.iterative_deepening import Search
from surajang.search.tree import correction, evaluation, memory, picker, ranking, table, tunable
from surajang.search.tree.parameters import CORRECTION_BITS
from surajang.search.tree.search import search_root
from surajang.tests.support import network_reference

WORD = (1 << 64) - 1


def _word_at(address):
    return ctypes.c_uint64.from_address(address)


def _write_word(address, value):
    _word_at(address).value = value


def _best_index(moves, start, end):
    return start + int(np.argmax(moves.record["scores"][start:end]))


class SearchInterpreter(Interpreter):
    """Interprets what the tree calls. Stand-ins count also for functions that choose by a record's fields."""

    def __init__(self):
        self.networks = {}  # by the address that workers have
        tuned = cache(lambda rules: plain(tunable.tuned_facts(rules.facts)))
        super().__init__(
            {
                **entry_points.INTERPRETER._stand_ins,
                memory.read_word: lambda address: _word_at(address).value,
                memory.write_word: _write_word,
                memory.prefetch: lambda address: None,
                picker.expect: lambda rules, worker, ply, move: None,
                picker.fetch_ahead: lambda rules, worker, ply, move: None,
                ranking.best_index: _best_index,
                tunable.tuned_numbers: lambda rules, worker: tuned(rules),
                evaluation.position_changed: lambda rules, worker, ply: None,
                evaluation.static_evaluation: self._evaluation,
                # Products of 64 bits, which Python would not cut
                table._opened: lambda check, data: check ^ (data * table.SPREAD & WORD),
                correction._row: lambda key: (key * int(correction._MIX) & WORD) >> 64 - CORRECTION_BITS,
            }
        )

    def _evaluation(self, rules, worker, ply):
        position = worker.positions[ply]
        if "sums" not in worker.record.dtype.names:
            return self.function(evaluate)(rules, worker.weights, position)
        network = self.networks[worker.network]
        return network_reference.score(network, features_for(network.variant), position.record)

    def _replaced(self, value):
        if isinstance(value, Deferred):
            value = value.resolve()
        with suppress(TypeError):  # it has no hash
            if value in self._stand_ins:
                return self._stand_ins[value]
        return super()._replaced(value)


INTERPRETER = SearchInterpreter()


class KnownNetwork(SharedNetwork):
    """A network that interpreted searches know by its address."""

    def __init__(self, network):
        super().__init__(network)
        INTERPRETER.networks[self.address] = network


def interpreted_root(rules, worker, depth, alpha, beta):
    """`search_root`, by Python."""
    return INTERPRETER.function(search_root)(plain(rules), plain(worker), depth, alpha, beta)


def _compile_nothing(engine, progress=None):
    engine.is_ready = True


@pytest.fixture
def interpreted_search(interpreted_positions, monkeypatch):
    """Searches are interpreted, and none looks for mates by checks alone."""
    monkeypatch.setattr(CompiledSearch, "compile", _compile_nothing)
    monkeypatch.setattr("surajang.search.engine.SharedNetwork", KnownNetwork)
    monkeypatch.setattr(Search, "may_prove", lambda search, excluded: False)
    monkeypatch.setattr(aspiration, "search_root", interpreted_root)
    yield
    INTERPRETER.networks.clear()
