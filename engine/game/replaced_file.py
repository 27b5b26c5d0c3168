"""Files that are replaced as a whole: a reader finds the old content or the new one, also after a crash."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


@contextmanager
def replacing(path: Path, synced: bool = False) -> Iterator[IO[bytes]]:
    """A context with a file, open for bytes, whose content is that of the file at `path` when the context
    ends; `synced` waits until it is on the disk. After an error or an interrupt nothing has changed. Raises
    OSError."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        with open(draft, "wb") as file:
            yield file
            if synced:
                file.flush()
                os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
