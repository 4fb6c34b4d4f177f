"""A lakehouse of the benchmark's own, and how its figures are printed."""

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil


@dataclass(frozen=True)
class BenchLakehouse:
    home: Path

    @property
    def env(self) -> dict[str, str]:
        own = {name: value for name, value in os.environ.items() if not name.startswith("BOATHOUSE_")}
        # A user's Python keeps its bytecode; without it every command would compile pyspark anew.
        own.pop("PYTHONDONTWRITEBYTECODE", None)
        return own | {"BOATHOUSE_HOME": str(self.home)}

    def cli(self, *arguments: str) -> str:
        command = [sys.executable, "-m", "boathouse.cli.main", *arguments]
        return subprocess.run(command, env=self.env, check=True, capture_output=True, text=True).stdout


@contextmanager
def bench_lakehouse() -> Generator[BenchLakehouse]:
    """Not started yet; stopped and removed at the end."""
    with tempfile.TemporaryDirectory(prefix="boathouse-bench-") as directory:
        lakehouse = BenchLakehouse(Path(directory) / "home")
        try:
            yield lakehouse
        finally:
            lakehouse.cli("down")


def machine() -> dict[str, Any]:
    memory = round(psutil.virtual_memory().total / 2**30)
    return {
        "cores": os.cpu_count(),
        "memory_gib": memory,
        "system": platform.system(),
        "python": platform.python_version(),
    }


def finish(name: str, figures: dict[str, Any]) -> None:
    """The line a program can read: everything measured, and where."""
    print(json.dumps({"benchmark": name, **figures, "machine": machine()}))
