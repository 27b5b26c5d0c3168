"""How often commands look for garbage."""

import subprocess
import sys

import pytest
from surajang.engine.garbage import YOUNG_OBJECTS

pytestmark = pytest.mark.process

SCRIPT = """
import atexit, gc, sys

# This runs after all that is registered later.
atexit.register(lambda: print(gc.get_threshold()[0], gc.get_freeze_count() > 0))
from surajang.__main__ import main

sys.argv = ["surajang", *sys.argv[1:]]
main()
"""


def test_commands_collect_seldom_and_not_at_their_end():
    command = [sys.executable, "-c", SCRIPT, "--version"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[-1] == f"{YOUNG_OBJECTS} True"
