"""The demo on a lakehouse that was running before, and the examples of the documents on the tables it leaves."""

import re
import shlex
import subprocess
from pathlib import Path

import httpx
import pytest

from boathouse.cli.demo_sales import PRODUCTS, QUESTIONS
from boathouse.cli.demo_workspace import BEST, LOAD, MORNING, TYPO, WORKSPACE
from boathouse.client.client import ControlClient
from tests.lakehouse_under_test import LakehouseUnderTest

pytestmark = pytest.mark.stack

ROOT = Path(__file__).parents[2]
EXAMPLE = re.compile(
    r"^\$ boathouse ((?:sql|table) .+?)(?: +#.*)?$|^\| `boathouse ((?:sql|table) [^`]+)` \|", re.MULTILINE
)
# What only the reader has: a snapshot of theirs, a file, the table of the README's own example.
THE_READERS_OWN = ("SNAPSHOT", "report.sql", "mine.people")


@pytest.fixture(scope="module")
def demo(stack: LakehouseUnderTest) -> subprocess.CompletedProcess[str]:
    return stack.cli("demo", "--once")


def test_the_demo_does_not_stop_what_it_did_not_start(
    stack: LakehouseUnderTest, demo: subprocess.CompletedProcess[str]
) -> None:
    assert demo.returncode == 0, demo.stderr
    status = stack.status()
    assert status is not None
    assert status.healthy


def test_its_statements_are_shown_in_full_where_there_is_no_terminal(demo: subprocess.CompletedProcess[str]) -> None:
    for _, _, statement in QUESTIONS:
        assert statement in demo.stdout


def test_what_it_made_is_in_the_control_plane_to_click_through(
    stack: LakehouseUnderTest, demo: subprocess.CompletedProcess[str]
) -> None:
    assert demo.returncode == 0, demo.stderr
    access = stack.access.control
    assert access is not None
    with ControlClient(access.uri, access.token) as control:
        jobs = {job.name: job for job in control.jobs.all(WORKSPACE)}
        assert {job.definition["kind"] for job in jobs.values()} == {"pipeline", "sql", "flow"}
        assert jobs[MORNING].paused
        runs = {run.job: run for run in control.runs.all(WORKSPACE)}
        assert {name: run.state for name, run in runs.items()} == {
            LOAD: "succeeded",
            MORNING: "succeeded",
            BEST: "succeeded",
            TYPO: "failed",
        }
        assert "regoin" in (runs[TYPO].error or "")
        assert control.runs.rows(WORKSPACE, runs[BEST].id).total == len(PRODUCTS)
        assert control.datasets.get(WORKSPACE, "sales.orders").tags == ["demo", "orders"]
        assert [saved.name for saved in control.queries.saved(WORKSPACE)] == ["revenue-by-region"]
        assert control.connections.test(WORKSPACE, "lake-files").ok


def test_it_ends_with_a_link_that_logs_a_browser_in_once(
    stack: LakehouseUnderTest, demo: subprocess.CompletedProcess[str]
) -> None:
    access = stack.access.control
    assert access is not None
    page, _, code = demo.stdout.split()[-1].partition("#")
    assert page == f"{access.uri}/login/once"
    answers = [
        httpx.post(f"{access.uri}/api/v1/login/once", json={"code": code}, trust_env=False).status_code for _ in "12"
    ]
    assert answers == [200, 401]


def examples() -> list[str]:
    pages = ((ROOT / page).read_text(encoding="utf-8") for page in ("README.md", "docs/cli.md"))
    found = (command or row for page in pages for command, row in EXAMPLE.findall(page))
    return [example for example in found if not any(name in example for name in THE_READERS_OWN)]


@pytest.mark.parametrize("example", examples())
def test_an_example_of_the_documents_answers_on_its_tables(
    stack: LakehouseUnderTest, demo: subprocess.CompletedProcess[str], example: str
) -> None:
    arguments = shlex.split(example)
    answered = stack.cli(*arguments)
    mistaken = "regoin" in example or example.endswith("sales.order")
    assert (answered.returncode == 0) is not mistaken, answered.stderr
