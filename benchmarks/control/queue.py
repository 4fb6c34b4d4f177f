"""A queue of runs drained by two workers, with a long history behind it and runs in it that are held back: none lost, none
done twice."""

import os
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.control.databases import DATABASES, control_on
from benchmarks.lakehouse import BenchLakehouse, bench_lakehouse
from tests.integration.worker_process import Workspace, workers
from tests.long_history import lengthen

RUNS = int(os.environ.get("BENCH_QUEUE", "1000"))
HISTORY = int(os.environ.get("BENCH_RUNS", "100000"))
# As many wait for a run of their job that does not end, and stand before all others.
HELD_BACK = RUNS
# Each writes down that it was, in a way that two at once cannot spoil.
PROGRAM = """
import os, sys
with open(sys.argv[1], "ab", buffering=0) as done:
    done.write(os.environ["BOATHOUSE_RUN_ID"].encode() + b"\\n")
"""
WITHOUT_END = "import time; time.sleep(86_400)"
Json = dict[str, Any]


def measure() -> Json:
    with bench_lakehouse() as lakehouse:
        lakehouse.cli("up")
        return {database: _drained(database, lakehouse) for database in DATABASES}


def _drained(database: str, lakehouse: BenchLakehouse) -> Json:
    with tempfile.TemporaryDirectory(prefix="boathouse-bench-") as directory, control_on(database) as control:
        done = Path(directory) / "done"
        workspace = Workspace(control)
        quotas = {"quotas": {"runs": 1000}}
        workspace.http.patch(f"{control.url}/api/v1/workspaces/north", json=quotas).raise_for_status()
        workspace.job("narrow", kind="spark", spec={"code": WITHOUT_END}, concurrency={"most": 1})
        for _ in range(1 + HELD_BACK):
            workspace.submit("narrow")
        # Nothing is measured of who shows the history, so few logs are enough.
        lengthen(control.database, HISTORY, log_every=100)
        spec = {"code": PROGRAM, "arguments": [str(done)]}
        workspace.job("one", kind="spark", spec=spec, concurrency={"most": 1000})
        ids = [workspace.submit("one") for _ in range(RUNS)]
        with workers(control, lakehouse.home) as start:
            began = time.perf_counter()
            for name in ("first", "second"):
                start(name)
            states = Counter(workspace.ended(run_id)["state"] for run_id in ids)
            seconds = time.perf_counter() - began
        return _told(database, states, Counter(done.read_text().split()), ids, seconds)


def _told(database: str, states: Counter[str], done: Counter[str], ids: list[str], seconds: float) -> Json:
    lost = len(set(ids) - done.keys())
    doubled = sum(times > 1 for times in done.values())
    assert states == {"succeeded": len(ids)}, states
    print(
        f"{database:9} {len(ids):,} runs drained by two workers in {seconds:6.1f} s ({len(ids) / seconds:.1f}/s): "
        f"{lost} lost, {doubled} doubled, past {HELD_BACK:,} held back and {HISTORY:,} that are over",
        flush=True,
    )
    return {
        "runs": len(ids),
        "held_back": HELD_BACK,
        "history": HISTORY,
        "seconds": round(seconds, 1),
        "lost": lost,
        "doubled": doubled,
    }
