"""The engines of a run: those that the command line named and no others, started when they are needed."""

from dataclasses import replace

from ..players.control import TimeControl
from ..players.spec import OURSELVES, EngineSpec, parse_engine
from .engine import UciEngine

OWN = EngineSpec("Surajang", (OURSELVES,), "uci", TimeControl(movetime=1.0))


def read_engine(text):
    """The `EngineSpec` of `--engine "cmd=... proto=uci"`; limits may be left out, and our own engine speaks
    UCI. Raises ValueError."""
    spec = parse_engine(text, each="st=1")
    if spec.command[0] == OURSELVES and "proto=" not in text:
        return replace(spec, protocol="uci")
    return spec


class Engines:
    """Processes by purpose ("analysis", "play") and number of the engine; our own engine is always there."""

    def __init__(self, specs):
        own = [spec for spec in specs if spec.command == OWN.command and spec.protocol == "uci"]
        self.specs = [*specs] if own else [*specs, OWN]
        self._description = None
        self._running = {}

    def names(self):
        """Name and protocol of each, in the order of their numbers."""
        return [{"name": spec.name, "protocol": spec.protocol} for spec in self.specs]

    def choose(self, description):
        """Sets the game; engines that play another one end."""
        if description is not self._description:
            self.close()
            self._description = description

    def first_uci(self, number):
        """The number of that engine if it speaks UCI, else of the first that does."""
        if self.specs[number].protocol == "uci":
            return number
        return next(index for index, spec in enumerate(self.specs) if spec.protocol == "uci")

    async def get(self, purpose, number):
        """The engine of that number, running, for one purpose. Raises PlayerError, IndexError."""
        key = (purpose, number)
        engine = self._running.get(key)
        if engine is None or not engine.running:
            engine = self._running[key] = UciEngine(self.specs[number], self._description)
            await engine.start()
        return engine

    def drop(self, purpose, number):
        """Ends an engine, if it runs."""
        if engine := self._running.pop((purpose, number), None):
            engine.close()

    def close(self):
        """Ends all of them."""
        for engine in self._running.values():
            if engine.running:
                engine.close()
        self._running = {}
