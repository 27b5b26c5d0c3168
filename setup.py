"""The parts of the build that pyproject.toml cannot express: prebuilt code in the wheel.

With the variable SURAJANG_PREBUILD ("all", or names of games) a wheel has machine code of games and is only
for this platform and this version of Python. Without it the wheel is pure Python."""

import os
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

WANTED = os.environ.get("SURAJANG_PREBUILD", "")
PROJECT = tomllib.loads((Path(__file__).parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]


class BuildWithCode(build_py):
    """Copies the sources, then compiles the games with the copy."""

    def find_package_modules(self, package, package_dir):
        """The modules of a package, without this file, which is beside those of the package `surajang`."""
        found = super().find_package_modules(package, package_dir)
        return [each for each in found if each[:2] != ("surajang", "setup")]

    def run(self):
        super().run()
        if self.editable_mode:
            return
        library = Path(self.build_lib).absolute()
        folder = library / "surajang" / "engine" / "prebuilt"
        shutil.rmtree(folder, ignore_errors=True)  # from an earlier build
        if WANTED:
            level = {"NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": "", "SURAJANG_PREBUILT": "off"}
            subprocess.run(
                [sys.executable, "-m", "surajang.search.prebuild", str(folder), WANTED],
                check=True,
                env={**os.environ, **level, "PYTHONPATH": str(library)},
                cwd=library,
            )


class DistributionWithCode(Distribution):
    """A wheel with machine code is for one platform and one version of Python, Numba and llvmlite."""

    def has_ext_modules(self):
        return bool(WANTED)

    def parse_config_files(self, *args, **options):
        super().parse_config_files(*args, **options)
        if WANTED:
            others = [each for each in self.install_requires if not each.startswith("numba")]
            exact = [f"{name}=={version(name)}" for name in ("numba", "llvmlite")]
            self.install_requires = self.metadata.install_requires = [*others, *exact]


setup(
    cmdclass={"build_py": BuildWithCode},
    distclass=DistributionWithCode,
    setup_requires=PROJECT["dependencies"] if WANTED else [],
)
