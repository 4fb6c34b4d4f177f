"""docs/control-plane.md as somebody follows it: its curl commands as they stand there, and its jobs, in their order."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest
import yaml

from tests.integration.control_process import ControlProcess
from tests.integration.worker_process import Workspace

PAGE = Path(__file__).parents[2] / "docs" / "control-plane.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SERVER = "http://localhost:8090"


@pytest.fixture(scope="module")
def control(tmp_path_factory: pytest.TempPathFactory) -> Generator[ControlProcess]:
    with ControlProcess(tmp_path_factory.mktemp("control")) as control:
        yield control


@pytest.fixture(scope="module")
def workspace(control: ControlProcess) -> Generator[Workspace]:
    """Called north, as on the page."""
    workspace = Workspace(control)
    yield workspace
    workspace.http.close()


def blocks() -> list[tuple[str, str]]:
    return BLOCK.findall(PAGE.read_text())


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
def test_every_call_is_answered_as_it_stands_there_and_then_every_job_is_taken(
    control: ControlProcess, workspace: Workspace
) -> None:
    calls = [text.removeprefix("$ ") for _, text in blocks() if text.startswith("$ curl")]
    assert len(calls) == 3
    environment = {**os.environ, "TOKEN": workspace.http.headers["Authorization"].removeprefix("Bearer ")}
    for call in calls:
        assert SERVER in call
        command = ["bash", "-c", call.replace(SERVER, control.url)]
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True)
        assert "error" not in json.loads(ran.stdout), ran.stdout
    jobs = [yaml.safe_load(text) for kind, text in blocks() if kind == "yaml" and text.startswith("job:")]
    assert len(jobs) == 5
    for job in jobs:
        workspace.job(job.pop("job"), **job)
