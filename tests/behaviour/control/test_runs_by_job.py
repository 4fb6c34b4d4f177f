"""How the last runs of each job went."""

import pytest
from sqlalchemy import text

from boathouse.control.runs import repository
from tests.behaviour.control.control_plane import ControlPlane, Json
from tests.behaviour.control.work import RUNS, Work

MATRIX = "/workspaces/north/runs-by-job"


@pytest.fixture
async def work(control: ControlPlane) -> Work:
    await control.workspace("north")
    return Work(control)


async def test_the_newest_of_each_job_by_name_and_a_job_without_runs_too(work: Work) -> None:
    runs: dict[str, list[str]] = {}
    for name in ("beta", "alpha"):
        await work.job(name)
        runs[name] = [(await work.submit(name))["id"] for _ in range(4)]
    await work.job("idle")
    told = await work.caller.get(MATRIX, params={"runs": 3})
    assert [one["job"] for one in told["items"]] == ["alpha", "beta", "idle"]
    assert {one["job"]: [run["id"] for run in one["runs"]] for one in told["items"]} == {
        "alpha": runs["alpha"][:0:-1],
        "beta": runs["beta"][:0:-1],
        "idle": [],
    }
    [only] = (await work.caller.get(MATRIX, params={"job": "beta"}))["items"]
    assert (only["job"], len(only["runs"])) == ("beta", 4)


async def test_jobs_come_in_pages(work: Work) -> None:
    for number in range(5):
        await work.job(f"job-{number}")
        await work.submit(f"job-{number}")
    found: list[str] = []
    cursor: str | None = None
    while True:
        page: Json = await work.caller.get(MATRIX, params={"limit": 2} | ({"cursor": cursor} if cursor else {}))
        found += [one["job"] for one in page["items"]]
        if (cursor := page["next"]) is None:
            break
    assert found == [f"job-{number}" for number in range(5)]


async def test_tasks_of_flows_and_runs_of_other_workspaces_are_not_among_them(work: Work) -> None:
    await work.job("flow", kind="flow", spec={"tasks": [{"name": "one", "kind": "sql", "spec": {"sql": "SELECT 1"}}]})
    run = await work.submit("flow")
    await work.control.workspace("south")
    await work.control.admin.ask("PUT", "/workspaces/south/jobs/flow", {"kind": "sql", "spec": {"sql": "SELECT 1"}})
    await work.control.admin.post("/workspaces/south/jobs/flow/runs", {})
    [told] = (await work.caller.get(MATRIX))["items"]
    assert [one["id"] for one in told["runs"]] == [run["id"]]
    assert await work.caller.get(f"{RUNS}/{run['id']}")


async def test_it_reads_along_an_index_however_many_runs_there_are(work: Work) -> None:
    if work.database.dialect != "sqlite":
        pytest.skip("What Postgres plans depends on its statistics; the benchmark measures it.")
    query = repository._of_each_job(frozenset()).compile()
    values = {**query.params, "workspace": "w", "jobs": 50, "skipped": 29}
    async with work.database.reading() as session:
        plan = [row[-1] for row in await session.execute(text(f"EXPLAIN QUERY PLAN {query}"), values)]
    assert not [step for step in plan if step.startswith("SCAN") and "wanted" not in step], plan
    assert sum("ix_runs_of_job (workspace_id=? AND job=?" in step for step in plan) == 2, plan
