"""Jobs: versions that never change, parameters that are checked, schedules, and what is refused."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tests.behaviour.control.control_plane import ControlPlane
from tests.behaviour.control.work import Work

SQL: dict[str, Any] = {"kind": "sql", "spec": {"sql": "SELECT 1"}}
JOBS = "/workspaces/north/jobs"


@pytest.fixture
async def control(control: ControlPlane) -> ControlPlane:
    await control.workspace("north")
    return control


async def put(control: ControlPlane, definition: dict[str, Any], name: str = "daily", status: int = 200) -> Any:
    return await control.admin.ask("PUT", f"{JOBS}/{name}", definition, status=status)


async def test_a_new_definition_is_a_new_version_and_the_same_is_none(control: ControlPlane) -> None:
    first = await control.admin.post(JOBS, {"name": "daily", **SQL})
    assert (first["version"], first["definition"]["spec"]) == (1, {"sql": "SELECT 1", "rows": 10_000})
    assert not (await put(control, SQL))["changed"]
    changed = await put(control, {**SQL, "spec": {"sql": "SELECT 2"}})
    assert (changed["changed"], changed["job"]["version"]) == (True, 2)
    versions = (await control.admin.get(f"{JOBS}/daily/versions"))["items"]
    assert [version["number"] for version in versions] == [2, 1]
    assert {version["made_by"] for version in versions} == {"admin"}
    assert (await control.admin.get(f"{JOBS}/daily/versions/1"))["definition"]["spec"]["sql"] == "SELECT 1"


async def test_two_versions_can_be_compared_and_an_old_one_comes_back(control: ControlPlane) -> None:
    await put(control, {**SQL, "timeout_seconds": 5})
    await put(control, {**SQL, "spec": {"sql": "SELECT 2"}, "description": "twice"})
    differences = await control.admin.get(f"{JOBS}/daily/diff", params={"before": 1, "after": 2})
    assert {one["path"]: (one["before"], one["after"]) for one in differences} == {
        "description": ("", "twice"),
        "spec.sql": ("SELECT 1", "SELECT 2"),
        "timeout_seconds": (5, None),
    }
    back = await control.admin.post(f"{JOBS}/daily/roll-back", {"version": 1}, status=200)
    assert (back["job"]["version"], back["job"]["definition"]["timeout_seconds"]) == (3, 5)
    assert (await control.admin.get(f"{JOBS}/daily/diff", params={"before": 1, "after": 3})) == []
    assert (await control.admin.post(f"{JOBS}/daily/roll-back", {"version": 9}, status=404))["hint"] == "It has 1 to 3."


@pytest.mark.parametrize(
    ("definition", "said"),
    [
        ({"kind": "dance", "spec": {}}, "'dance' is not a kind of job"),
        ({"kind": "sql", "spec": {}}, "sql: is missing"),
        ({"kind": "sql", "spec": {"sql": "SELECT 1", "colour": "blue"}}, "colour"),
        ({"kind": "spark", "spec": {}}, "give one of code, file and module"),
        ({"kind": "spark", "spec": {"code": "1", "arguments": ["{{day}}"]}}, "asks for the parameter 'day'"),
        ({"kind": "flow", "spec": {"tasks": []}}, "must not be empty"),
        ({"kind": "flow", "spec": {"tasks": [{"name": "a", "after": ["b"], **SQL}]}}, "which is not a task"),
        ({"kind": "flow", "spec": {"tasks": [{"name": "a", **SQL}, {"name": "a", **SQL}]}}, "two tasks are called a"),
        (
            {
                "kind": "flow",
                "spec": {"tasks": [{"name": "a", "after": ["b"], **SQL}, {"name": "b", "after": ["a"], **SQL}]},
            },
            "tasks wait for each other",
        ),
        ({"kind": "flow", "spec": {"tasks": [{"name": "a", "kind": "sql", "spec": {}}]}}, "sql: is missing"),
        ({"kind": "flow", "spec": {"tasks": [{"name": "a", **SQL}]}, "retries": {"count": 1}}, "no retries of its own"),
        ({**SQL, "schedule": {"cron": "61 * * * *"}}, "is not a schedule"),
        ({**SQL, "schedule": {"cron": "0 6 30 2 *"}}, "is not a schedule that ever comes"),
        ({**SQL, "schedule": {"cron": "0 6 * * *", "timezone": "Mars/Olympus"}}, "is not a time zone"),
        ({**SQL, "schedule": {"cron": "0 6 * * *"}, "parameters": [{"name": "day"}]}, "needs a default"),
        ({**SQL, "parameters": [{"name": "day", "type": "date", "default": "soon"}]}, "the parameter day"),
        ({**SQL, "parameters": [{"name": "a"}, {"name": "a"}]}, "the same name"),
    ],
)
async def test_what_cannot_work_is_refused_with_its_reason(
    control: ControlPlane, definition: dict[str, Any], said: str
) -> None:
    response = await control.admin.http.put(f"/api/v1{JOBS}/daily", json=definition)
    assert response.status_code in {400, 422}, response.text
    assert said in response.text
    await control.admin.get(f"{JOBS}/daily", status=404)


async def test_a_schedule_says_when_it_is_due_and_can_rest(control: ControlPlane) -> None:
    definition = {**SQL, "schedule": {"cron": "0 6 * * *", "timezone": "Europe/Zurich"}}
    job = (await put(control, definition))["job"]
    assert job["due_at"][14:16] == "00"
    assert (await control.admin.post(f"{JOBS}/daily/pause", status=200))["due_at"] is None
    # A new version does not wake it.
    assert (await put(control, {**definition, "description": "x"}))["job"]["due_at"] is None
    assert (await control.admin.post(f"{JOBS}/daily/resume", status=200))["due_at"] == job["due_at"]
    assert (await put(control, SQL))["job"]["due_at"] is None


async def test_what_has_no_schedule_cannot_rest(control: ControlPlane) -> None:
    await put(control, SQL)
    refused = await control.admin.post(f"{JOBS}/daily/pause", status=400)
    assert refused["message"] == "daily has no schedule that could rest."
    assert not (await control.admin.get(f"{JOBS}/daily"))["paused"]
    await control.admin.post(f"{JOBS}/daily/resume", status=200)


async def test_who_may_do_what(control: ControlPlane) -> None:
    await put(control, SQL)
    viewer = await control.user("vera", north="viewer")
    runner = await control.user("rolf", north="runner")
    editor = await control.user("edda", north="editor")
    await viewer.get(f"{JOBS}/daily")
    assert "takes the role runner" in (await viewer.post(f"{JOBS}/daily/runs", {}, status=403))["message"]
    assert "takes the role editor" in (await runner.ask("PUT", f"{JOBS}/daily", SQL, status=403))["message"]
    await runner.post(f"{JOBS}/daily/runs", {})
    await editor.ask("PUT", f"{JOBS}/daily", {**SQL, "description": "mine"})


async def test_jobs_are_listed_by_pages_and_go_with_their_history(control: ControlPlane) -> None:
    for name in ("alpha", "beta", "gamma"):
        await put(control, SQL, name)
    page = await control.admin.get(JOBS, params={"limit": 2})
    assert ([job["name"] for job in page["items"]], page["next"]) == (["alpha", "beta"], "beta")
    rest = await control.admin.get(JOBS, params={"cursor": page["next"]})
    assert ([job["name"] for job in rest["items"]], rest["next"]) == (["gamma"], None)
    run = await control.admin.post(f"{JOBS}/beta/runs", {})
    await control.admin.ask("DELETE", f"{JOBS}/beta", status=204)
    await control.admin.get(f"/workspaces/north/runs/{run['id']}", status=404)
    await control.admin.get(f"{JOBS}/beta", status=404)


async def test_what_each_kind_takes_is_told(control: ControlPlane) -> None:
    kinds = {kind["name"]: kind for kind in await control.admin.get("/job-kinds")}
    assert set(kinds) == {"sql", "spark", "pipeline", "stream", "flow"}
    assert "sql" in kinds["sql"]["spec"]["properties"]


async def test_when_a_schedule_would_start_runs_is_told_before_a_job_has_it(control: ControlPlane) -> None:
    times = await control.admin.get("/schedule-times", params={"cron": "30 6 * * *", "timezone": "Europe/Zurich"})
    assert len(times) == 5
    assert [datetime.fromisoformat(time).astimezone(ZoneInfo("Europe/Zurich")).hour for time in times] == [6] * 5
    error = await control.admin.get("/schedule-times", params={"cron": "30 6 * *"}, status=422)
    assert "not a schedule" in error["message"]
    await control.caller().get("/schedule-times", params={"cron": "* * * * *"}, status=401)


async def test_a_job_of_a_later_release_is_told_with_what_is_wrong_and_can_be_mended(control: ControlPlane) -> None:
    work = Work(control)
    for name in ("alpha", "beta"):
        await put(control, SQL, name)
    await work.spoil("alpha")
    told = {job["name"]: job for job in (await control.admin.get(JOBS))["items"]}
    assert told["beta"]["definition"]["spec"]["sql"] == "SELECT 1"
    wrong = told["alpha"]["definition"]
    assert (wrong["kind"], wrong["spec"]) == ("sql", {})
    assert "alpha (version 1) is not one that this version of Boathouse understands" in wrong["description"]
    assert "tide" in wrong["description"]
    assert "tide" in (await control.admin.get(f"{JOBS}/alpha"))["definition"]["description"]
    assert "tide" in (await control.admin.get(f"{JOBS}/alpha/versions"))["items"][0]["definition"]["description"]
    for path, body in (("runs", {}), ("pause", None), ("roll-back", {"version": 1})):
        error = await control.admin.post(f"{JOBS}/alpha/{path}", body, status=400)
        assert "understands" in error["message"]
    differences = await control.admin.post(f"{JOBS}/alpha/compare", SQL, status=200)
    assert [one["path"] for one in differences] == ["tide"]
    assert (await put(control, SQL, "alpha"))["changed"]
    await control.admin.post(f"{JOBS}/alpha/runs", {})


async def test_a_pipeline_of_a_later_release_is_in_the_list(control: ControlPlane) -> None:
    files = {"pipeline": "orders", "source": {"path": "s3://lake/x"}, "target": {"table": "sales.orders"}}
    await put(control, {"kind": "pipeline", "spec": {"pipeline": files}})
    await Work(control).spoil("daily")
    (told,) = (await control.admin.get("/workspaces/north/pipelines"))["items"]
    assert (told["job"], "understands" in told["description"]) == ("daily", True)


async def test_a_flow_of_a_later_release_is_named_to_who_would_remove_a_job(control: ControlPlane) -> None:
    work = Work(control)
    await put(control, SQL, "alpha")
    task = {"name": "one", "job": "alpha"}
    await put(control, {"kind": "flow", "spec": {"tasks": [task]}}, "flow")
    await work.spoil("flow", spec={"tasks": [{**task, "tide": "high"}]})
    error = await control.admin.ask("DELETE", f"{JOBS}/alpha", status=400)
    assert "The spec of flow is not one" in error["message"]
    assert "understands" in (await control.admin.post(f"{JOBS}/flow/runs", {}, status=400))["message"]
    await control.admin.ask("DELETE", f"{JOBS}/flow", status=204)
    await control.admin.ask("DELETE", f"{JOBS}/alpha", status=204)
