"""The pipeline as a process of its own, so that what it takes can be told from what others take."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boathouse.cli.meters.work import Work


@dataclass(frozen=True)
class Pipeline:
    """The stream at work, and what it says of itself."""

    work: Work
    status_file: Path

    @classmethod
    def start(cls, spec: Path) -> "Pipeline":
        status = spec.with_name("status.json")
        status.unlink(missing_ok=True)
        arguments = ("pipeline", "run", str(spec), "--status", str(status))
        work = Work.start("pipeline", "boathouse.cli.main", *arguments, log=spec.with_name("pipeline.log"))
        return cls(work, status)

    def status(self) -> dict[str, Any] | None:
        """None until it has said anything."""
        self.work.require()
        return json.loads(self.status_file.read_bytes()) if self.status_file.exists() else None

    def stop(self) -> None:
        self.work.stop()
