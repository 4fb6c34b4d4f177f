"""The demo of streams, from nothing to its end, and cut short."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.lakehouse_under_test import LakehouseUnderTest, eventually

# It starts ten services and a Spark of its own, which takes minutes on a busy machine.
pytestmark = pytest.mark.timeout(1800)
_PATIENCE = 1500


def test_changes_arrive_and_the_three_are_the_same_row_for_row(own_lakehouse: LakehouseUnderTest) -> None:
    demo = own_lakehouse.cli("demo-stream", "--once", "--seconds", "5", "--rate", "50", timeout=_PATIENCE)
    assert demo.returncode == 0, demo.stderr + demo.stdout
    verdicts = [line.split() for line in demo.stdout.splitlines() if line.endswith("the same")]
    assert [verdict[0] for verdict in verdicts] == ["customers", "meters", "readings"]
    assert all(verdict[2] == verdict[3] == verdict[4] for verdict in verdicts)
    # A change that was followed, and one to a column that came meanwhile.
    assert demo.stdout.count("in ClickHouse after") == 2
    assert demo.stdout.count("in the lake   after") == 2
    assert own_lakehouse.status() is None
    assert not working_for(own_lakehouse.home)


def test_an_interrupt_stops_all_that_it_started(own_lakehouse: LakehouseUnderTest, tmp_path: Path) -> None:
    said = tmp_path / "said"
    command = [sys.executable, "-m", "boathouse.cli.main", "demo-stream", "--rate", "50"]
    with said.open("wb") as out:
        demo = subprocess.Popen(command, env=own_lakehouse.env, stdout=out, stderr=subprocess.STDOUT)
    eventually(lambda: "Following it" in said.read_text() or demo.poll() is not None, within=_PATIENCE)
    assert demo.poll() is None, said.read_text()
    os.kill(demo.pid, signal.SIGINT)
    assert demo.wait(timeout=_PATIENCE) == 130
    assert "interrupted" in said.read_text()
    assert own_lakehouse.status() is None
    assert not working_for(own_lakehouse.home)


def working_for(home: Path) -> list[str]:
    """Processes of this lakehouse that are still there."""
    found: list[str] = []
    for process in psutil.process_iter(["cmdline"]):
        line = " ".join(process.info["cmdline"] or ())
        if str(home) in line or ("cli.meters.generate" in line and _home_of(process) == str(home)):
            found.append(line)
    return found


def _home_of(process: psutil.Process) -> str | None:
    try:
        return process.environ().get("BOATHOUSE_HOME")
    except psutil.Error:
        return None
