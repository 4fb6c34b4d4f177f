"""Notifications: who may say what of them, and which events are written down, once and with the change itself."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from boathouse.control.database.base import now
from boathouse.control.jobs.models import Job, JobVersion
from boathouse.control.notifications.models import Delivery
from boathouse.control.runs import changes
from boathouse.control.runs.changes import MOST_TAKEOVERS
from boathouse.control.runs.deadlines import tell_missed
from boathouse.control.runs.flows import move_on
from boathouse.control.runs.models import Run
from boathouse.control.runs.schedule import start_due
from boathouse.control.runs.states import State
from tests.behaviour.control.control_plane import ControlPlane, Json
from tests.behaviour.control.test_runs import FLOW, claimed, finish
from tests.behaviour.control.work import SQL, Work
from tests.receivers import SECRET

NOTIFICATIONS = "/workspaces/north/notifications"
CONNECTIONS = "/workspaces/north/connections"


async def hook(control: ControlPlane, url: str = "https://hooks.example.org/x") -> None:
    given = {"name": "hook", "kind": "webhook", "config": {"url": url}, "secrets": {"secret": SECRET}}
    await control.admin.post(CONNECTIONS, given)


async def mail(control: ControlPlane, **config: Any) -> None:
    config = {"host": "mail.example.org", "sender": "boathouse@harbour.org", **config}
    await control.admin.post(CONNECTIONS, {"name": "mail", "kind": "smtp", "config": config})


@pytest.fixture
async def work(control: ControlPlane) -> Work:
    await control.workspace("north")
    await hook(control)
    return Work(control)


async def rule(work: Work, name: str = "all", **more: Json) -> Json:
    return await work.caller.post(NOTIFICATIONS, {"name": name, "connection": "hook", **more})


async def told(work: Work, name: str = "all") -> list[str]:
    """The events of the rule, the oldest first."""
    page = await work.caller.get(f"{NOTIFICATIONS}/{name}/deliveries")
    return [one["event"] for one in page["items"]][::-1]


async def run_once(work: Work, job: str = "daily", error: str | None = None, state: State = State.FAILED) -> Json:
    run = await work.submit(job)
    worker = work.worker()
    claim = await claimed(worker)
    await worker.begin(claim)
    await (worker.fail(claim, error, state) if error else worker.succeed(claim, None))
    return run


class TestRules:
    async def test_they_are_made_changed_and_removed(self, work: Work) -> None:
        made = await rule(work, events=["run-failed"], jobs=["daily-*"])
        assert (made["connection"], made["kind"], made["enabled"]) == ("hook", "webhook", True)
        changed = await work.caller.ask("PATCH", f"{NOTIFICATIONS}/all", {"jobs": [], "enabled": False})
        assert (changed["jobs"], changed["enabled"], changed["events"]) == ([], False, ["run-failed"])
        assert await work.caller.get(f"{NOTIFICATIONS}/all") == changed
        assert (await work.caller.get(NOTIFICATIONS))["items"] == [changed]
        await work.caller.ask("DELETE", f"{NOTIFICATIONS}/all", status=204)
        assert "no notification 'all'" in (await work.caller.get(f"{NOTIFICATIONS}/all", status=404))["message"]
        audit = (await work.caller.get("/audit"))["items"]
        done = [entry["action"] for entry in audit if entry["target"] == "notification all"]
        assert done == ["notification.remove", "notification.change", "notification.create"]

    @pytest.mark.parametrize(
        ("change", "status", "said"),
        [
            ({"connection": "nowhere"}, 400, "no connection 'nowhere'"),
            ({"connection": "lake"}, 400, "kind postgres"),
            ({"connection": "mail"}, 400, "Who gets the mail"),
            ({"connection": "unsigned"}, 400, "no secret to sign with"),
            ({"recipients": ["ann@harbour.org"]}, 400, "Only a mail has recipients"),
            ({"connection": "mail", "recipients": ["ann@harbour.org\nBcc: x@y.org"]}, 422, "email"),
            ({"connection": "mail", "recipients": ["Ann <ann@harbour.org>, x@y.org"]}, 422, "email"),
            ({"events": []}, 422, "events"),
            ({"events": ["sunset"]}, 422, "run-failed"),
            ({"jobs": ["Daily Sales"]}, 422, "a job's name, in which *"),
            ({"name": "a"}, 422, "2 to 60 lower-case letters"),
        ],
    )
    async def test_what_makes_no_sense_is_refused(self, work: Work, change: Json, status: int, said: str) -> None:
        await mail(work.control)
        lake = {"host": "db", "database": "d", "user": "u"}
        await work.caller.post(CONNECTIONS, {"name": "lake", "kind": "postgres", "config": lake})
        unsigned = {"name": "unsigned", "kind": "webhook", "config": {"url": "https://hooks.example.org"}}
        await work.caller.post(CONNECTIONS, unsigned)
        given = {"name": "all", "connection": "hook", **change}
        assert said in (await work.caller.post(NOTIFICATIONS, given, status=status))["message"]
        assert (await work.caller.get(NOTIFICATIONS))["items"] == []

    async def test_viewers_see_and_editors_change(self, work: Work) -> None:
        viewer, editor = await work.control.user("ann", north="viewer"), await work.control.user("bob", north="editor")
        await viewer.post(NOTIFICATIONS, {"name": "all", "connection": "hook"}, status=403)
        await editor.post(NOTIFICATIONS, {"name": "all", "connection": "hook"})
        assert (await viewer.get(f"{NOTIFICATIONS}/all"))["name"] == "all"
        assert (await viewer.get(f"{NOTIFICATIONS}/all/deliveries"))["items"] == []
        for method, path in (("PATCH", "/all"), ("DELETE", "/all"), ("POST", "/all/test")):
            await viewer.ask(method, NOTIFICATIONS + path, {}, status=403)
        await editor.post(NOTIFICATIONS, {"name": "all", "connection": "hook"}, status=409)

    async def test_a_connection_that_is_used_stays(self, work: Work) -> None:
        await rule(work)
        error = await work.caller.ask("DELETE", f"{CONNECTIONS}/hook", status=409)
        assert error["message"] == "The notification all is sent by the connection hook."
        await work.caller.ask("DELETE", f"{NOTIFICATIONS}/all", status=204)
        await work.caller.ask("DELETE", f"{CONNECTIONS}/hook", status=204)

    async def test_a_workspace_is_removed_with_them(self, work: Work) -> None:
        await rule(work)
        await work.job()
        await run_once(work, error="no oars")
        await work.caller.ask("DELETE", "/workspaces/north", status=204)

    async def test_deliveries_come_in_pages_the_newest_first(self, work: Work) -> None:
        await rule(work)
        await work.job()
        runs = [await run_once(work, error="no oars") for _ in range(3)]
        page = await work.caller.get(f"{NOTIFICATIONS}/all/deliveries", params={"limit": 2})
        rest = await work.caller.get(f"{NOTIFICATIONS}/all/deliveries", params={"cursor": page["next"]})
        await work.caller.get(f"{NOTIFICATIONS}/all/deliveries", params={"cursor": "not an id"}, status=422)
        ids = [one["run_id"] for one in (*page["items"], *rest["items"])]
        assert (ids, rest["next"]) == ([run["id"] for run in reversed(runs)], None)


class TestRuns:
    async def test_a_failure_is_told_with_what_went_wrong(self, work: Work) -> None:
        await rule(work)
        await work.job()
        run = await run_once(work, error="no oars")
        (delivery,) = (await work.caller.get(f"{NOTIFICATIONS}/all/deliveries"))["items"]
        body = delivery["body"]
        assert (delivery["state"], delivery["tries"], body["type"]) == ("waiting", 0, "run-failed")
        data = body["data"]
        assert (data["workspace"], data["notification"], data["job"]) == ("north", "all", "daily")
        failed = {"id": run["id"], "state": "failed", "error": "no oars", "attempt": 1, "trigger": "request"}
        assert data["run"].items() >= failed.items()
        assert data["run"]["started_at"] <= data["run"]["ended_at"]

    async def test_one_that_takes_too_long_is_a_failure(self, work: Work) -> None:
        await rule(work)
        await work.job()
        await run_once(work, error="too long", state=State.TIMED_OUT)
        assert await told(work) == ["run-failed"]

    async def test_a_success_is_told_after_a_failure_only(self, work: Work) -> None:
        await rule(work)
        await work.job()
        await run_once(work)
        await run_once(work, error="no oars")
        await run_once(work, error="no boat")
        await work.stop(await work.submit())
        await run_once(work)
        await run_once(work)
        assert await told(work) == ["run-failed", "run-failed", "run-recovered"]

    async def test_a_run_that_is_repaired_has_recovered(self, work: Work) -> None:
        await rule(work)
        await work.job()
        run = await run_once(work, error="no oars")
        await work.again(run)
        assert await finish(work.worker()) == ["SELECT 1"]
        assert await told(work) == ["run-failed", "run-recovered"]

    async def test_a_failure_that_is_tried_again_is_none(self, work: Work) -> None:
        await rule(work)
        await work.job(retries={"count": 1, "delay_seconds": 0})
        await run_once(work, error="no oars")
        assert await told(work) == []
        await work.let_delays_end()
        worker = work.worker()
        claim = await claimed(worker)
        await worker.begin(claim)
        await worker.fail(claim, "no boat")
        assert await told(work) == ["run-failed"]

    async def test_a_run_given_up_for_its_workers_is_told_and_a_stopped_one_is_not(self, work: Work) -> None:
        await rule(work)
        await work.job()
        await work.submit()
        for number in range(MOST_TAKEOVERS + 1):
            await claimed(work.worker(f"w{number}"))
            await work.let_leases_end(f"w{number}")
            await work.worker().take_back_lost()
        assert await told(work) == ["run-failed"]
        run = await work.submit()
        claim = await claimed(work.worker())
        await work.stop(run)
        await work.worker().fail(claim, "interrupted")
        assert await told(work) == ["run-failed"]

    async def test_a_flow_is_told_of_once_and_not_its_tasks(self, work: Work) -> None:
        await rule(work)
        await work.job("flow", **FLOW)
        run = await work.submit("flow")
        for _ in range(3):
            await move_on(work.database)
            await finish(work.worker(), failing=("SELECT 2", "SELECT 3"))
        await move_on(work.database)
        assert (await work.run(run))["state"] == "failed"
        (delivery,) = (await work.caller.get(f"{NOTIFICATIONS}/all/deliveries"))["items"]
        assert (delivery["event"], delivery["run_id"]) == ("run-failed", run["id"])

    async def test_a_query_is_nobody_elses_business(self, work: Work) -> None:
        await rule(work)
        await work.caller.post("/workspaces/north/queries", {"sql": "SELECT nothing"})
        worker = work.worker()
        claim = await claimed(worker)
        await worker.begin(claim)
        await worker.fail(claim, "no such column")
        assert await told(work) == []

    async def test_only_who_asked_for_the_event_and_the_job_is_told(self, work: Work) -> None:
        await rule(work, "failures", events=["run-failed"])
        await rule(work, "sales", jobs=["sales-*", "daily"])
        await rule(work, "none", enabled=False)
        for name in ("daily", "sales-north", "other"):
            await work.job(name)
            await run_once(work, name, error="no oars")
            await run_once(work, name)
        assert await told(work, "failures") == ["run-failed"] * 3
        assert await told(work, "sales") == ["run-failed", "run-recovered"] * 2
        assert await told(work, "none") == []

    async def test_a_change_that_is_undone_leaves_no_event(self, work: Work) -> None:
        await rule(work)
        await work.job()
        run = await work.submit()
        claim = await claimed(work.worker())
        async with work.database.changing() as session:
            held = await changes.held(session, run["id"], "w1", claim.attempt)
            await changes.failed(session, held, now(), "no oars")
            assert await session.scalar(select(Delivery.id)) is not None
            # As if the process died before its commit.
            await session.rollback()
        assert (await work.run(run))["state"] == "starting"
        assert await told(work) == []


async def let_be_due(work: Work, hours: int) -> None:
    due = now().replace(minute=0, second=0, microsecond=0) - timedelta(hours=hours)
    async with work.database.changing() as session:
        await session.execute(update(Job).values(due_at=due))


class TestSchedules:
    @pytest.mark.parametrize("catch_up", ["none", "latest", "all"])
    async def test_times_that_nobody_was_there_for_are_one_event(self, work: Work, catch_up: str) -> None:
        await rule(work)
        await work.job(schedule={"cron": "0 * * * *", "catch_up": catch_up})
        await let_be_due(work, 3)
        await start_due(work.database)
        await start_due(work.database)
        (delivery,) = (await work.caller.get(f"{NOTIFICATIONS}/all/deliveries"))["items"]
        schedule = delivery["body"]["data"]["schedule"]
        assert (delivery["event"], schedule["reason"]) == ("schedule-missed", "no worker was there in time")
        # Within a minute of the hour the newest is on time.
        assert len(schedule["missed"]) == (3 if now().minute == 0 else 4)
        assert schedule["missed"] == sorted(schedule["missed"])

    async def test_a_time_at_which_the_job_had_no_room_is_missed(self, work: Work) -> None:
        await rule(work)
        await work.job(schedule={"cron": "* * * * *"}, concurrency={"most": 1, "otherwise": "skip"})
        await work.submit()
        async with work.database.changing() as session:
            await session.execute(update(Job).values(due_at=now().replace(second=0, microsecond=0)))
        await start_due(work.database)
        (delivery,) = (await work.caller.get(f"{NOTIFICATIONS}/all/deliveries"))["items"]
        assert "under way" in delivery["body"]["data"]["schedule"]["reason"]
        # One that somebody asked for and that is left out is told to whoever asked.
        assert (await work.submit())["state"] == "cancelled"
        assert await told(work) == ["schedule-missed"]

    async def test_a_time_at_which_the_job_could_not_begin_is_missed_and_says_why(self, work: Work) -> None:
        await rule(work)
        await work.job("part")
        task = {"name": "first", "job": "part"}
        schedule = {"cron": "* * * * *"}
        await work.job("flow", kind="flow", spec={"tasks": [task]}, schedule=schedule, concurrency={"most": 1})
        await work.lose_job("part")
        async with work.database.changing() as session:
            await session.execute(update(Job).values(due_at=now().replace(second=0, microsecond=0)))
        await start_due(work.database)
        (delivery,) = (await work.caller.get(f"{NOTIFICATIONS}/all/deliveries"))["items"]
        reason = delivery["body"]["data"]["schedule"]["reason"]
        assert "under way" not in reason
        assert "could not begin" in reason
        assert "part" in reason


class TestDeadlines:
    async def let_pass(self, work: Work) -> None:
        async with work.database.changing() as session:
            await session.execute(update(Run).values(deadline_at=now() - timedelta(seconds=1)))

    async def test_a_run_that_is_not_over_in_time_is_told_once_and_goes_on(self, work: Work) -> None:
        await rule(work)
        await work.job(deadline_seconds=60)
        run = await work.submit()
        worker = work.worker()
        claim = await claimed(worker)
        await worker.begin(claim)
        assert await tell_missed(work.database) == 0
        await self.let_pass(work)
        assert [await tell_missed(work.database) for _ in range(2)] == [1, 0]
        assert (await work.run(run))["state"] == "running"
        await worker.succeed(claim, None)
        assert await told(work) == ["deadline-missed"]

    async def test_one_that_ends_too_late_before_anybody_looked_is_told_too(self, work: Work) -> None:
        await rule(work)
        await work.job(deadline_seconds=60)
        await work.submit()
        worker = work.worker()
        claim = await claimed(worker)
        await worker.begin(claim)
        await self.let_pass(work)
        await worker.fail(claim, "no oars")
        assert await tell_missed(work.database) == 0
        assert sorted(await told(work)) == ["deadline-missed", "run-failed"]

    async def test_it_counts_from_the_schedule_though_nobody_has_begun(self, work: Work) -> None:
        await rule(work, events=["deadline-missed"])
        await work.job(schedule={"cron": "0 * * * *"}, deadline_seconds=1)
        await let_be_due(work, 1)
        await start_due(work.database)
        assert await tell_missed(work.database) == 1
        (delivery,) = (await work.caller.get(f"{NOTIFICATIONS}/all/deliveries"))["items"]
        data = delivery["body"]["data"]
        assert data["run"]["state"] == "pending"
        assert data["deadline_at"] > data["run"]["scheduled_for"]

    async def test_a_flow_is_told_of_and_not_its_tasks(self, work: Work) -> None:
        await rule(work)
        await work.job("part", deadline_seconds=60)
        await work.job("flow", kind="flow", spec={"tasks": [{"name": "first", "job": "part"}]}, deadline_seconds=60)
        run = await work.submit("flow")
        await move_on(work.database)
        claim = await claimed(work.worker())
        await work.worker().begin(claim)
        await self.let_pass(work)
        assert [await tell_missed(work.database) for _ in range(2)] == [1, 0]
        await work.worker().succeed(claim, None)
        await move_on(work.database)
        (delivery,) = (await work.caller.get(f"{NOTIFICATIONS}/all/deliveries"))["items"]
        assert (delivery["event"], delivery["run_id"]) == ("deadline-missed", run["id"])

    async def test_one_in_time_is_no_news_and_a_repaired_one_has_its_time_again(self, work: Work) -> None:
        await rule(work, events=["deadline-missed"])
        await work.job(deadline_seconds=60)
        run = await run_once(work, error="no oars")
        await self.let_pass(work)
        await work.again(run)
        claim = await claimed(work.worker())
        await work.worker().begin(claim)
        assert await tell_missed(work.database) == 0
        assert await told(work) == []
        await self.let_pass(work)
        assert await tell_missed(work.database) == 1
        await work.worker().fail(claim, "no boat")
        # Its new time is one that can be missed again.
        await work.again(run)
        await work.worker().begin(await claimed(work.worker()))
        await self.let_pass(work)
        assert [await tell_missed(work.database) for _ in range(2)] == [1, 0]
        assert await told(work) == ["deadline-missed"] * 2

    async def test_it_is_a_part_of_the_jobs_version(self, work: Work) -> None:
        await work.job()
        changed = await work.caller.ask("PUT", "/workspaces/north/jobs/daily", {**SQL, "deadline_seconds": 60})
        assert (changed["changed"], changed["job"]["version"]) == (True, 2)
        diff = await work.caller.get("/workspaces/north/jobs/daily/diff", params={"before": 1, "after": 2})
        assert diff == [{"path": "deadline_seconds", "before": None, "after": 60}]

    async def test_a_version_from_before_there_were_deadlines_is_the_same_without_one(self, work: Work) -> None:
        job = await work.job()
        async with work.database.changing() as session:
            version = await session.get_one(JobVersion, (job["id"], 1))
            version.definition = {name: value for name, value in version.definition.items() if "deadline" not in name}
        path = "/workspaces/north/jobs/daily"
        assert await work.caller.post(f"{path}/compare", SQL, status=200) == []
        assert (await work.caller.ask("PUT", path, SQL))["changed"] is False
