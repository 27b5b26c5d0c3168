"""Perft on demand of a GUI: the leaves below each move, counted in a thread that can be stopped."""

import threading


class Count:
    """Counts the leaves `depth` plies below a position; `write` takes each line as Stockfish writes it.

    `spell` turns a `Move` into text. What was counted so far is summed up when it is stopped.
    """

    def __init__(self, position, depth, spell, write):
        self._position, self._depth, self._spell, self._write = position, depth, spell, write
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="perft", daemon=True)
        self._thread.start()

    @property
    def done(self):
        """Whether it has ended."""
        return not self._thread.is_alive()

    def stop(self):
        """Ends it after the move that is being counted."""
        self._stopped = True

    def _run(self):
        from ...engine.moving.perft import divide

        total = 0
        try:
            for move, count in divide(self._position, self._depth):
                self._write(f"{self._spell(move)}: {count}")
                total += count
                if self._stopped:
                    break
        except Exception as error:
            self._write(f"info string perft failed: {error}")
        self._write("")
        self._write(f"Nodes searched: {total}")
