"""Engines in the process of a test: what a session asks of one besides searching."""


class Indifferent:
    """An engine that takes all that it is given."""

    def set_hash(self, megabytes):
        pass

    def set_threads(self, threads):
        pass

    def clear(self):
        pass

    def give_score(self, position, score, depth):
        pass

    def close(self):
        pass
