"""A lakehouse in a directory of its own, as a test uses it."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pytest

from boathouse.kit.access import LakeAccess
from boathouse.kit.settings import Settings, load_settings
from boathouse.stack.lifecycle import Lakehouse
from boathouse.stack.status import StackStatus

_PATIENCE = 300


@dataclass(frozen=True)
class LakehouseUnderTest:
    home: Path
    overrides: dict[str, str] = field(default_factory=dict[str, str])
    """Further variables, such as BOATHOUSE_SPARK__PORT."""

    @property
    def env(self) -> dict[str, str]:
        """For a command line in a process of its own: nothing of the owner's settings but where the jars are cached."""
        foreign = {name: value for name, value in os.environ.items() if not name.startswith("BOATHOUSE_")}
        cache = os.environ.get("BOATHOUSE_CACHE")
        own = {"BOATHOUSE_HOME": str(self.home)} | ({"BOATHOUSE_CACHE": cache} if cache else {})
        return foreign | own | self.overrides

    @cached_property
    def settings(self) -> Settings:
        with pytest.MonkeyPatch.context() as patch:
            for name in os.environ.keys() - self.env.keys():
                patch.delenv(name)
            for name, value in self.env.items():
                patch.setenv(name, value)
            return load_settings()

    @cached_property
    def access(self) -> LakeAccess:
        return LakeAccess.load(self.home)

    def cli(self, *arguments: str, timeout: float = _PATIENCE) -> subprocess.CompletedProcess[str]:
        """Run `boathouse` as a user does."""
        command = [sys.executable, "-m", "boathouse.cli.main", *arguments]
        return subprocess.run(command, env=self.env, capture_output=True, text=True, timeout=timeout, check=False)

    def up(self) -> None:
        started = self.cli("up")
        assert started.returncode == 0, started.stderr

    def status(self) -> StackStatus | None:
        return Lakehouse(self.settings).status()

    def stop(self) -> None:
        Lakehouse(self.settings).stop()


def eventually(condition: Callable[[], bool], *, within: float = 300) -> None:
    """Wait until it holds; how long is a limit, not an expectation."""
    deadline = time.monotonic() + within
    while not condition():
        assert time.monotonic() < deadline, f"still not so after {within} s"
        time.sleep(0.02)
