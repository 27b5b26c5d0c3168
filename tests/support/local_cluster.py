"""A Dask cluster of processes of their own on this machine, for tests."""

import os
import re
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import psutil

WALKER = Path(__file__).with_name("walking_engine.py")


class LocalCluster:
    """A scheduler that gives up a task with the first worker it loses, and workers of one thread."""

    def __init__(self):
        self.processes = []
        environment = os.environ | {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
        self.environment = environment
        scheduler = self._start(
            "dask_scheduler", "--host", "127.0.0.1", "--port", "0", stderr=subprocess.PIPE
        )
        self.address = next(
            match[1] for line in scheduler.stderr if (match := re.search(r"Scheduler at:\s+(\S+)", line))
        )
        threading.Thread(target=scheduler.stderr.read, daemon=True).start()
        self.workers = []

    def _start(self, program, *arguments, stderr=subprocess.DEVNULL):
        command = [sys.executable, "-m", f"distributed.cli.{program}", *arguments, "--no-dashboard"]
        process = subprocess.Popen(command, stderr=stderr, env=self.environment, text=True)
        self.processes.append(process)
        return process

    def add_workers(self, count):
        for _ in range(count):
            self.workers.append(self._start("dask_worker", self.address, "--nthreads", "1", "--no-nanny"))

    def engines(self, worker):
        """The engines that run on a worker; one that ends meanwhile is none."""
        engines = []
        for child in psutil.Process(worker.pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                if str(WALKER) in " ".join(child.cmdline()):
                    engines.append(child)
        return engines

    def close(self):
        for process in self.processes:
            process.kill()
            process.wait()
