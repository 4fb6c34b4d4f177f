"""The stream as a run of the control plane: a job that people find in a browser, and what the run says of itself."""

import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from boathouse.cli.demo_workspace import WORKSPACE, made_once
from boathouse.client.client import ControlClient
from boathouse.client.runs import ENDED
from boathouse.kit.errors import WorkFailed

JOB = "meters"
# A stop lets it finish its batch, and Spark end after it.
_STOP_SECONDS = 90.0
_SHOWN = 15


@dataclass(frozen=True)
class StreamRun:
    control: ControlClient
    run_id: str

    @classmethod
    def start(cls, control: ControlClient, spec: Path) -> "StreamRun":
        made_once(lambda: control.workspaces.create(WORKSPACE, description="What the demos made."))
        pipeline = yaml.safe_load(spec.read_text(encoding="utf-8"))
        definition = {"kind": "stream", "description": pipeline["description"], "spec": {"pipeline": pipeline}}
        control.jobs.apply(WORKSPACE, JOB, definition)
        # One that an earlier demo left at work is asked to make room.
        return cls(control, control.runs.submit(WORKSPACE, JOB, otherwise="replace").id)

    def status(self) -> dict[str, Any] | None:
        """None until it has said anything; WorkFailed once it has ended."""
        run = self.control.runs.get(WORKSPACE, self.run_id)
        if run.state in ENDED:
            told = "\n".join(f"  {line}" for line in self._last_lines())
            raise WorkFailed(
                f"The run of {JOB} has ended: {run.error or run.state}. It said last:\n{told}",
                hint=f"`boathouse run logs {self.run_id} --workspace {WORKSPACE}` shows more.",
            )
        return (run.progress or {}).get("stream")

    def said(self) -> str:
        """What it is doing, before it has any status."""
        run = self.control.runs.get(WORKSPACE, self.run_id)
        return run.waits_for or next(iter(self._last_lines(1)), run.state)

    def stop(self) -> None:
        if self.control.runs.get(WORKSPACE, self.run_id).state not in ENDED:
            self.control.runs.stop(WORKSPACE, self.run_id)
        until = time.monotonic() + _STOP_SECONDS
        while self.control.runs.get(WORKSPACE, self.run_id).state not in ENDED and time.monotonic() < until:
            time.sleep(0.2)

    def _last_lines(self, count: int = _SHOWN) -> list[str]:
        lines = deque(self.control.runs.log(WORKSPACE, self.run_id), maxlen=count)
        return [line.text.strip() for line in lines]
