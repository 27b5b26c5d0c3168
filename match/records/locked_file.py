"""A file to which one process at a time appends."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


def open_to_add(path: str | Path, error: type[Exception], buffering: int = -1) -> IO[bytes]:
    """The file at `path`, created if missing, open for reading and appending, and locked against other
    processes until it is closed. Raises `error`, a class of exceptions, with a sentence that names the file.
    """
    try:
        file = open(path, "ab+", buffering=buffering)  # noqa: SIM115 - the caller closes it
    except OSError as failure:
        raise error(f"{path}: cannot be written: {failure.strerror}") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise error(f"{path}: another process is adding to this file") from None
    except BaseException:
        file.close()
        raise
    return file


@contextmanager
def added_to(path: str | Path, error: type[Exception]) -> Iterator[IO[bytes]]:
    """A context with the file of `open_to_add`. A file that is still empty at its end is removed."""
    with open_to_add(path, error) as file:
        try:
            yield file
        finally:
            if not os.path.getsize(path):
                os.unlink(path)
