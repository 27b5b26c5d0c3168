"""Processes that keep compiled code in a test's own folder, and report the functions that they compiled."""

import json
import os
import subprocess
import sys
import time

SECONDS = 300

# `tell` prints the results of a script as JSON, with the functions that its process has compiled, not loaded.
PRELUDE = """
import json, os, sys, time
from surajang.engine.kernel import code_cache, entry_points_together, parallel_compile, pipeline, store

compiled = []
_save_inner, _save_entries = pipeline.save_inner, code_cache.save_entries

def _noted_inner(result, function, key):
    compiled.append(function.__qualname__)
    _save_inner(result, function, key)

def _noted_entries(entries):
    compiled.extend(cache._function.__qualname__ for cache, *_ in entries)
    _save_entries(entries)

pipeline.save_inner = _noted_inner
code_cache.save_entries = entry_points_together.save_entries = _noted_entries

def tell(**facts):
    print(json.dumps(facts | {"compiled": compiled, "folder": str(store.STORE.folder)}))

"""


def start(script, cache, *arguments, **variables):
    """A process that runs the script and keeps its compiled code in `cache`; its output and errors are piped.

    It compiles alone if `variables` do not say otherwise."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    environment |= {"SURAJANG_CACHE_DIR": str(cache), "SURAJANG_COMPILERS": "1"}
    return subprocess.Popen(
        [sys.executable, "-c", PRELUDE + script, *map(str, arguments)],
        env=environment | variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def heard(process, warnings=0):
    """The report of the process, which must succeed with that many warnings of the store."""
    output, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, errors
    assert errors.count("compiled code cannot be kept in") == warnings, errors
    return json.loads(output)


def run(script, cache, *arguments, warnings=0, **variables):
    """The report of a new process."""
    return heard(start(script, cache, *arguments, **variables), warnings)


def pieces(cache):
    """The files of compiled code."""
    return sorted(cache.rglob("*.code"))


def versions(cache):
    """The files of compiled code, each with what changes when it is replaced."""
    return {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in pieces(cache)}


def until(holds, seconds=60):
    """Waits until `holds()`."""
    limit = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < limit
        time.sleep(0.02)
