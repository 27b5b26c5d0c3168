"""Kills engines that would outlive the program that started them, even after `kill -9`.

The kernel's own signal for this (PR_SET_PDEATHSIG) is sent when the *thread* that started the engine ends,
and does not reach the engine's children. So a small separate process waits for the end of a pipe whose other
end only this program holds, and then kills the registered process groups. Most engines end by themselves,
because their input ends at the same moment; the guard is for those that hang."""

import contextlib
import os
import subprocess
import sys
import threading

# Only the end of the pipe may end it, so it runs in its own session, which gets no signals from terminals.
_CODE = """
import os, signal, sys
groups = set()
for line in sys.stdin:
    (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
for group in groups:
    try:
        os.killpg(group, signal.SIGKILL)
    except OSError:
        pass
"""


class _Guard:
    """The guard of this process, started when the first engine is."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._groups: set[int] = set()
        # A child that inherits the pipe would keep it open, and its engines are not this program's.
        os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        process, self._process = self._process, None
        self._lock, self._groups = threading.Lock(), set()
        if process is not None:
            assert process.stdin is not None
            with contextlib.suppress(OSError):
                os.close(process.stdin.fileno())

    def watch(self, group: int) -> None:
        """Registers a process group to be killed when this program ends."""
        with self._lock:
            self._groups.add(group)
            self._tell(f"+{group}")

    def release(self, group: int) -> None:
        """Unregisters a process group that has ended."""
        with self._lock:
            self._groups.discard(group)
            self._tell(f"-{group}")

    def _tell(self, text: str) -> None:
        try:
            if self._process is not None:
                self._write(text)
                return
        except OSError:  # the guard was killed
            assert self._process is not None
            self._process.wait()
        command = [sys.executable, "-I", "-S", "-c", _CODE]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True, bufsize=0,
        )  # fmt: skip
        for group in self._groups:
            self._write(f"+{group}")

    def _write(self, text: str) -> None:
        assert self._process is not None and self._process.stdin is not None
        self._process.stdin.write(f"{text}\n".encode())


_GUARD = _Guard()
watch, release = _GUARD.watch, _GUARD.release
