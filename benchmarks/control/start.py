"""How soon a run speaks: from asking for it to the first line of its log, and to its end."""

import statistics
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.lakehouse import bench_lakehouse
from boathouse.client.client import ControlClient
from boathouse.client.runs import LogLine
from boathouse.kit.access import LakeAccess

COLD = 3
WARM = 9
WORKSPACE = "bench"
JOB = "bench-start"


@dataclass(frozen=True)
class Spoken:
    first_line: float
    end: float


def measure() -> dict[str, Any]:
    cold: list[Spoken] = []
    warm: list[Spoken] = []
    with bench_lakehouse() as lakehouse:
        lakehouse.cli("up")  # fetches what is not cached
        lakehouse.cli("workspace", "create", WORKSPACE)
        for _ in range(COLD):
            lakehouse.cli("down")
            lakehouse.cli("up")
            with _control(lakehouse.home) as control:
                control.jobs.apply(WORKSPACE, JOB, {"kind": "sql", "spec": {"sql": "select 1"}})
                cold.append(_spoken(control))
                warm += [_spoken(control) for _ in range(WARM)]
    return {"cold": _told("just started", cold, aim=12), "warm": _told("warm", warm, aim=1)}


def _control(home: Path) -> ControlClient:
    access = LakeAccess.load(home).control
    assert access is not None
    return ControlClient(access.uri, access.token)


def _spoken(control: ControlClient) -> Spoken:
    began = time.perf_counter()
    run = control.runs.submit(WORKSPACE, JOB)
    first_line = None
    for said in control.runs.watch(WORKSPACE, run.id):
        if isinstance(said, LogLine) and first_line is None:
            first_line = time.perf_counter() - began
    seconds = time.perf_counter() - began
    ended = control.runs.get(WORKSPACE, run.id)
    assert ended.state == "succeeded", ended.error
    assert first_line is not None
    return Spoken(first_line, seconds)


def _told(what: str, spoken: list[Spoken], aim: int) -> dict[str, float]:
    line, end = (statistics.median(getattr(one, part) for one in spoken) for part in ("first_line", "end"))
    print(
        f"{what:14} first line of the log after {line:5.2f} s (aim: under {aim}), its end after {end:5.2f} s",
        flush=True,
    )
    return {"first_line_seconds": round(line, 2), "end_seconds": round(end, 2)}
