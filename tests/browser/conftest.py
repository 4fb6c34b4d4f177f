"""A control plane with a worker and some history, and visitors of its web application."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.visitor import Theme, Visitor, chromium
from tests.integration.control_process import ControlProcess
from tests.integration.worker_process import Workspace, workers
from tests.lakehouse_under_test import LakehouseUnderTest

WELL = """
import sys, time
print("Reading", sys.argv[1])
for number in range(int(sys.argv[2])):
    print(f"row group {number} of {sys.argv[2]} written")
print("a warning of no weight", file=sys.stderr)
time.sleep(float(sys.argv[3]))
print("Done")
"""
BADLY = """
print("Connecting to the warehouse")
raise SystemExit("KeyError: column 'amount' is not in the file orders_2026_07.csv")
"""
PARAMETERS = [
    {"name": "source", "default": "s3://lake/orders", "description": "Where the files are."},
    {"name": "groups", "type": "integer", "default": 40},
    {"name": "seconds", "type": "number", "default": 0.2},
]
ARGUMENTS = ["{{source}}", "{{groups}}", "{{seconds}}"]


@dataclass(frozen=True)
class Office:
    control: ControlProcess
    north: Workspace

    def user(self, name: str, role: str | None = None) -> dict[str, str]:
        """What they log in with."""
        login = {"name": name, "password": "a lantern by the pier"}
        self.north.http.post(f"{self.control.url}/api/v1/users", json=login).raise_for_status()
        if role:
            self.north.http.put(f"/members/{name}", json={"role": role}).raise_for_status()
        return login


@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    """Not for the session: as long as it is there its loop runs, and whatever test came next could run none of its own."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="session")
def control(tmp_path_factory: pytest.TempPathFactory, stack: LakehouseUnderTest) -> Generator[ControlProcess]:
    """Of the lakehouse, as `boathouse up` starts one."""
    with ControlProcess(tmp_path_factory.mktemp("control"), None, "--lake", str(stack.home)) as control:
        yield control


@pytest.fixture(scope="session")
def workspace(control: ControlProcess, stack: LakehouseUnderTest) -> Generator[Workspace]:
    """`north`, with a worker, jobs of each sort, and a run of each that has ended."""
    workspace = Workspace(control)
    with workers(control, stack.home) as start:
        start("worker-1")
        _jobs(workspace)
        ended = [workspace.submit(name) for name in ("daily-orders", "broken-load", "nightly", "squares")]
        for run in ended:
            workspace.ended(run)
        yield workspace
    workspace.http.close()


def _jobs(workspace: Workspace) -> None:
    program = {"code": WELL, "arguments": ARGUMENTS}
    workspace.job("daily-orders", kind="spark", spec=program, parameters=PARAMETERS, concurrency={"most": 20})
    broken = {"pipeline": {"pipeline": "orders", "source": {"path": "nowhere.csv", "format": "csv"}}}
    workspace.job("broken-load", kind="pipeline", spec=broken, retries={"count": 1, "delay_seconds": 0})
    tasks = [
        {"name": "extract", "kind": "spark", "spec": program},
        {"name": "check", "kind": "spark", "spec": program, "after": ["extract"]},
        {"name": "load", "kind": "spark", "spec": {"code": BADLY}, "after": ["extract"]},
        {"name": "report", "kind": "spark", "spec": program, "after": ["check", "load"]},
    ]
    workspace.job("nightly", kind="flow", spec={"tasks": tasks}, parameters=PARAMETERS)
    squares = "SELECT id, id * id AS square, concat('number ', id) AS name FROM range(1000) ORDER BY id"
    workspace.job("squares", kind="sql", spec={"sql": squares})
    for limit in (10, 20):
        sql = f"SELECT customer, sum(amount) AS total\nFROM sales.orders\nWHERE day = :day\nGROUP BY customer\nLIMIT {limit}\n"
        workspace.job("top-customers", description="Who bought most.", **_report(sql))


def _report(sql: str) -> dict[str, Any]:
    return {
        "kind": "sql",
        "spec": {"sql": sql},
        "parameters": [{"name": "day", "type": "date", "default": "2026-01-31"}],
        "schedule": {"cron": "0 6 * * 1-5", "timezone": "Europe/Zurich"},
        "retries": {"count": 2, "delay_seconds": 30},
        "timeout_seconds": 3600,
    }


@pytest.fixture
def visit(browser: Browser, request: pytest.FixtureRequest) -> Generator[Callable[..., Visitor]]:
    """Visitors with a browser of their own; in the end none of them may have heard a complaint."""
    visitors: list[Visitor] = []

    def come(theme: Theme = "light", at: ControlProcess | None = None) -> Visitor:
        visitors.append(Visitor.of(browser, at or request.getfixturevalue("control"), theme))
        return visitors[-1]

    yield come
    for visitor in visitors:
        visitor.page.context.close()
        assert not visitor.complaints


@pytest.fixture
def admin(visit: Callable[..., Visitor], workspace: Workspace) -> Visitor:
    """Logged in."""
    visitor = visit()
    visitor.log_in()
    return visitor


@pytest.fixture(scope="session")
def office(tmp_path_factory: pytest.TempPathFactory) -> Generator[Office]:
    """A control plane where nothing runs and nobody else changes anything: for what is administered."""
    with ControlProcess(tmp_path_factory.mktemp("office")) as control:
        workspace = Workspace(control)
        yield Office(control, workspace)
        workspace.http.close()


@pytest.fixture
def clerk(visit: Callable[..., Visitor], office: Office) -> Visitor:
    """Its platform admin, logged in."""
    visitor = visit(at=office.control)
    visitor.log_in()
    return visitor
