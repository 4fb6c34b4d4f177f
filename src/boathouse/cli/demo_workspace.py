"""What the demo leaves in the control plane: a workspace in which every page has something to look at."""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from boathouse.cli.demo_sales import SPEC
from boathouse.client.client import ControlClient
from boathouse.client.runs import LogLine, Run
from boathouse.kit.access import LakeAccess
from boathouse.kit.errors import Conflict, Unavailable

WORKSPACE = "demo"
LOAD, MONTHLY, BEST, TYPO, MORNING = "load-orders", "monthly-revenue", "best-sellers", "report-with-a-typo", "morning"
# Long enough to read what the demo printed before it. `boathouse ui` makes one that lives for a minute.
LINK_SECONDS = 600
REGIONS = """\
SELECT region, count(*) AS orders, sum(amount) AS revenue
FROM sales.orders GROUP BY region ORDER BY revenue DESC
"""
_DATASETS: dict[str, dict[str, Any]] = {
    "sales.orders": {
        "owner": "Sales",
        "description": f"Every order of the boat shop, one row each. Rows that broke a rule are the rejects of the pipeline {LOAD}.",
        "tags": ["demo", "orders"],
    },
    "sales.monthly": {
        "owner": "Finance",
        "description": f"Revenue by month and region, made anew by the job {MONTHLY}.",
        "tags": ["demo", "report"],
    },
}


@dataclass(frozen=True)
class DemoWorkspace:
    control: ControlClient
    folder: Path

    def fill(self, lake: LakeAccess) -> None:
        """Make what can be made at once. Where the demo ran before, it is there already."""
        made_once(lambda: self.control.workspaces.create(WORKSPACE, description="What `boathouse demo` made."))
        made_once(lambda: self._connection(lake))
        for name, definition in _jobs(self.folder).items():
            self.control.jobs.apply(WORKSPACE, name, definition)
        self.control.jobs.pause(WORKSPACE, MORNING)
        self.control.queries.save(WORKSPACE, "revenue-by-region", REGIONS, description="Which region sells most.")

    def load(self) -> Iterator[str]:
        """The pipeline as a run of its job: its log, line by line."""
        run = self.control.runs.submit(WORKSPACE, LOAD)
        for said in self.control.runs.watch(WORKSPACE, run.id):
            if isinstance(said, LogLine) and said.stream == "out":
                yield said.text
        ended = self.control.runs.get(WORKSPACE, run.id)
        if ended.state != "succeeded":
            raise Unavailable(
                f"The job {LOAD} did not succeed: {ended.error}",
                hint=f"`boathouse run logs {run.id} --workspace {WORKSPACE}` shows what it said.",
            )

    def start_all(self) -> list[Run]:
        """Runs that end one way and another, to be looked at."""
        self.control.queries.ask(WORKSPACE, REGIONS)
        wanted: list[tuple[str, dict[str, Any]]] = [(MORNING, {}), (BEST, {"since": "2026-06-01"}), (TYPO, {})]
        return [self.control.runs.submit(WORKSPACE, job, values) for job, values in wanted]

    def await_all(self, runs: list[Run]) -> Iterator[Run]:
        """Each when it is over."""
        for run in runs:
            # The stream ends with the run.
            deque(self.control.runs.watch(WORKSPACE, run.id), maxlen=0)
            yield self.control.runs.get(WORKSPACE, run.id)

    def describe(self) -> int:
        """Find the tables and say what they are; how many there are."""
        found = self.control.datasets.sync(WORKSPACE).found
        for name, told in _DATASETS.items():
            self.control.datasets.change(WORKSPACE, name, **told)
        return found

    def link(self) -> str:
        return self.control.url.rstrip("/") + self.control.sessions.make_link(seconds=LINK_SECONDS).path

    def _connection(self, lake: LakeAccess) -> None:
        store = lake.object_store
        self.control.connections.create(
            WORKSPACE,
            "lake-files",
            "s3",
            description="The lakehouse's own object store, as others would reach it.",
            config={
                "endpoint": store.endpoint,
                "bucket": store.bucket,
                "region": store.region,
                "access_key": store.access_key.get_secret_value(),
                "writable": False,
            },
            secrets={"secret_key": store.secret_key},
        )


def made_once(make: Callable[[], object]) -> None:
    """Unless it is there already."""
    with suppress(Conflict):
        make()


def _jobs(folder: Path) -> dict[str, dict[str, Any]]:
    """Jobs before the flow that is made of them."""
    pipeline = yaml.safe_load(SPEC)
    pipeline["source"]["path"] = str(folder / pipeline["source"]["path"])
    return {
        LOAD: {
            "kind": "pipeline",
            "description": "Loads the files that are new, and keeps the rows that broke a rule beside the table.",
            "spec": {"pipeline": pipeline},
            "retries": {"count": 2, "delay_seconds": 10},
        },
        MONTHLY: {
            "kind": "sql",
            "description": "Makes the table sales.monthly anew.",
            "spec": {"sql": _MONTHLY},
        },
        BEST: {
            "kind": "sql",
            "description": "What sold best since a day. Start it with another day.",
            "spec": {"sql": _BEST},
            "parameters": [{"name": "since", "type": "date", "default": "2026-01-01", "description": "The first day."}],
        },
        TYPO: {
            "kind": "sql",
            "description": "Fails on purpose: see how a run says what went wrong, and where.",
            "spec": {"sql": _TYPO},
            "retries": {"count": 1, "delay_seconds": 0},
        },
        MORNING: {
            "kind": "flow",
            "description": "New files, then the report, on weekdays. Its schedule rests until you resume it.",
            "spec": {
                "tasks": [
                    {"name": "load", "job": LOAD},
                    {"name": "report", "job": MONTHLY, "after": ["load"]},
                    {"name": "best", "job": BEST, "after": ["load"], "values": {"since": "2026-07-01"}},
                ]
            },
            "schedule": {"cron": "0 6 * * 1-5", "timezone": "UTC"},
        },
    }


_MONTHLY = """\
CREATE OR REPLACE TABLE sales.monthly AS
SELECT date_trunc('MONTH', ordered_at) AS month, region, count(*) AS orders, sum(amount) AS revenue
FROM sales.orders GROUP BY ALL;

SELECT * FROM sales.monthly ORDER BY month, region
"""
_BEST = """\
SELECT product, sum(quantity) AS pieces, sum(amount) AS revenue
FROM sales.orders WHERE ordered_at >= :since
GROUP BY product ORDER BY revenue DESC
"""
_TYPO = """\
SELECT regoin, sum(amount) AS revenue
FROM sales.orders GROUP BY regoin
"""
