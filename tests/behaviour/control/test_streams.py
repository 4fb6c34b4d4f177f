"""Streaming pipelines: carried out by real workers until somebody stops them, watched meanwhile, and told of when they fall behind.

A program that needs no Postgres, Kafka and ClickHouse stands in for ours.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from time import monotonic
from typing import Any

import orjson
import pytest
from prometheus_client import generate_latest
from sqlalchemy import text, update

from boathouse.control.connections.given import GivenConnection
from boathouse.control.database import Database
from boathouse.control.database.base import now
from boathouse.control.jobs.stream_status import Alert, RaisedAlert
from boathouse.control.pipelines.repository import LATELY
from boathouse.control.runs.changes import MOST_TAKEOVERS, RAN_WELL
from boathouse.control.runs.leases import Claim, Leases
from boathouse.control.runs.models import RunAttempt
from boathouse.control.worker import streams
from boathouse.control.worker.connecting import SecretSources
from boathouse.control.worker.metrics import REGISTRY
from boathouse.control.worker.worker import Worker, WorkerOptions
from boathouse.kit.errors import Unavailable
from tests.behaviour.control.control_plane import ControlPlane
from tests.behaviour.control.lake import Lake
from tests.behaviour.control.test_notifications import NOTIFICATIONS, hook, rule, told
from tests.behaviour.control.test_pipelines import LOST, LOST_ID
from tests.behaviour.control.test_runs import claimed
from tests.behaviour.control.work import JOBS, RUNS, Work
from tests.fake_stream.program import HERE

PIPELINES = "/workspaces/north/pipelines"
PIPELINE: dict[str, Any] = {
    "pipeline": "meters",
    "source": {"kind": "postgres", "tables": ["public.readings"]},
    "bronze": {"table": "meters_log.changes"},
    "silver": {"namespace": "meters"},
    "speed": {"database": "meters"},
    "aims": {"events_per_second": 2000, "lag": 100},
}
STATUS: dict[str, Any] = {
    "pipeline": "meters",
    "state": "running",
    "since": "2026-01-31T00:00:00Z",
    "at": "2026-01-31T00:00:01Z",
    "aims": {"lag": 100},
    "hops": [],
    "rejected": 0,
    "alerts": [],
}
ALERT = {"hop": "speed", "what": "lag", "since": "2026-01-31T00:00:00Z", "text": "It is 250 events behind."}
PATIENCE = 60


@pytest.fixture
async def work(control: ControlPlane, monkeypatch: pytest.MonkeyPatch) -> Work:
    monkeypatch.setenv("PYTHONPATH", str(HERE))
    await control.workspace("north")
    return Work(control)


async def stream(work: Work, wishes: dict[str, Any] | None = None, **more: Any) -> None:
    spec = {"pipeline": {**PIPELINE, "description": json.dumps(wishes or {})}, **more.pop("spec", {})}
    await work.caller.ask("PUT", f"{JOBS}/meters", {"kind": "stream", "spec": spec, **more})


@asynccontextmanager
async def at_work(
    work: Work, results: Path, name: str = "w1", lease: float = 30, secrets: SecretSources | None = None
) -> AsyncGenerator[Worker]:
    options = WorkerOptions(results=f"file://{results}", drain_seconds=0, secrets=secrets or SecretSources())
    worker = Worker(Leases(work.database, name, timedelta(seconds=lease)), options)
    under_way = asyncio.create_task(worker.work())
    try:
        yield worker
    finally:
        worker.stop()
        await under_way


async def until(look: Callable[[], Any], holds: Callable[[Any], Any]) -> Any:
    deadline = monotonic() + PATIENCE
    while not holds(found := await look()):
        assert monotonic() < deadline, found
        await asyncio.sleep(0.1)
    return found


async def flows(work: Work, run: Any, *, events: int = 1) -> Any:
    """Once it tells that so many have come."""

    def so_many(told: Any) -> bool:
        status = (told["progress"] or {}).get("stream")
        return bool(status) and status["state"] == "running" and status["hops"][0]["events"] >= events

    return await until(lambda: work.run(run), so_many)


async def over(work: Work, run: Any) -> Any:
    return await until(lambda: work.run(run), lambda told: told["ended_at"] is not None)


async def log(work: Work, run: Any) -> list[str]:
    return [line["text"] for line in (await work.caller.get(f"{RUNS}/{run['id']}/logs"))["lines"]]


def figures() -> list[str]:
    lines = generate_latest(REGISTRY).decode().splitlines()
    return [line for line in lines if line.startswith("boathouse_stream_") and 'job="meters"' in line]


class AwayAtFirst(SecretSources):
    """As if the database went away just when the worker wants to know what a run needs."""

    async def connections_for(self, database: Database, claim: Claim) -> dict[str, GivenConnection]:
        if claim.run_id not in AWAY_FOR:
            AWAY_FOR.add(claim.run_id)
            raise Unavailable("The database is away.")
        return await super().connections_for(database, claim)


AWAY_FOR: set[str] = set()


# Real processes, which wait for seconds each. On SQLite a lakehouse of its own carries streams out (tests/integration).
@pytest.mark.parametrize("database", ["postgres"], indirect=True)
class TestAtWork:
    async def test_it_is_followed_live_and_stopped_well_however_long_that_takes(
        self, work: Work, tmp_path: Path
    ) -> None:
        # Longer than the lease, which it must not lose over it.
        await stream(work, {"last_batch": 8})
        async with at_work(work, tmp_path, lease=6):
            run = await work.submit("meters")
            status = (await flows(work, run))["progress"]["stream"]
            assert [hop["name"] for hop in status["hops"]] == ["source", "bronze", "speed", "silver"]
            assert status["aims"]["events_per_second"] == 2000
            pipeline = await work.caller.get(f"{PIPELINES}/meters")
            assert (pipeline["kind"], pipeline["table"], pipeline["format"]) == (
                "stream",
                "meters_log.changes",
                "postgres",
            )
            assert (pipeline["stream"]["run_id"], pipeline["stream"]["state"]) == (run["id"], "running")
            assert len(pipeline["stream"]["status"]["hops"]) == 4
            assert [line for line in figures() if line.startswith("boathouse_stream_events_per_second{")]
            await work.stop(run)
            stopping = await until(
                lambda: work.run(run), lambda told: told["progress"]["stream"]["state"] in {"stopping", "ended"}
            )
            # On a busy machine it may be over before anybody looks.
            assert stopping["state"] == "running" or stopping["progress"]["stream"]["state"] == "ended"
            ended = await over(work, run)
        assert (ended["state"], ended["error"], ended["attempt"]) == ("cancelled", "Stopped by admin.", 1)
        assert ended["progress"]["stream"]["state"] == "ended"
        assert "The last batch is written" in await log(work, run)
        assert figures() == []

    async def test_what_it_reads_and_writes_is_known_while_it_runs(self, work: Work, tmp_path: Path) -> None:
        await stream(work)
        async with at_work(work, tmp_path):
            await flows(work, await work.submit("meters"), events=1024)
            lineage = await work.caller.get("/workspaces/north/jobs/meters/lineage")
            reads, writes = ({one["dataset"] for one in lineage[way]} for way in ("reads", "writes"))
        assert reads == {"postgres.public.readings"}
        assert writes == {"meters_log.changes", "meters.readings", "clickhouse.meters.readings"}

    async def test_one_that_fails_is_started_again_by_its_retries(self, work: Work, tmp_path: Path) -> None:
        await stream(work, {"fails": "Kafka is away"}, retries={"count": 1, "delay_seconds": 0})
        async with at_work(work, tmp_path):
            ended = await over(work, await work.submit("meters"))
        assert (ended["state"], ended["attempt"]) == ("failed", 2)
        assert "Kafka is away" in ended["error"]

    async def test_a_moment_without_a_database_fails_no_run(self, work: Work, tmp_path: Path) -> None:
        await stream(work, spec={"once": True})
        async with at_work(work, tmp_path, secrets=AwayAtFirst()):
            ended = await over(work, run := await work.submit("meters"))
        assert (ended["state"], ended["attempt"]) == ("succeeded", 1)
        assert run["id"] in AWAY_FOR

    async def test_an_error_that_a_database_cannot_keep_as_it_is_fails_the_run_once(
        self, work: Work, tmp_path: Path
    ) -> None:
        await stream(work, {"fails": "Kafka\0 is away"})
        async with at_work(work, tmp_path):
            ended = await over(work, await work.submit("meters"))
        assert (ended["state"], ended["attempt"]) == ("failed", 1)
        assert "Kafka\ufffd is away" in ended["error"]

    async def test_one_whose_end_the_database_refuses_fails_and_is_not_run_again(
        self, work: Work, tmp_path: Path
    ) -> None:
        refusal = "BEGIN RAISE EXCEPTION 'too odd' USING ERRCODE = '22000'; END"
        async with work.database.changing() as session:
            await session.execute(text(f"CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $${refusal}$$"))
            when = "WHEN (NEW.state = 'succeeded')"
            await session.execute(
                text(f"CREATE TRIGGER odd BEFORE UPDATE ON runs FOR EACH ROW {when} EXECUTE FUNCTION refuse()")
            )
        await stream(work, spec={"once": True})
        async with at_work(work, tmp_path):
            ended = await over(work, await work.submit("meters"))
        assert (ended["state"], ended["attempt"]) == ("failed", 1)
        assert "cannot be kept" in ended["error"]
        assert "too odd" in ended["error"]

    async def test_a_worker_that_is_told_to_stop_hands_it_to_another(self, work: Work, tmp_path: Path) -> None:
        await stream(work)
        async with at_work(work, tmp_path):
            run = await work.submit("meters")
            await flows(work, run)
        waiting = await work.run(run)
        assert (waiting["state"], waiting["error"]) == ("pending", "The worker w1 was stopped.")
        assert "The last batch is written" in await log(work, run)
        async with at_work(work, tmp_path, "w2"):
            again = await flows(work, run)
        assert (again["attempt"], again["attempts"][1]["worker"]) == (2, "w2")

    async def test_one_that_is_to_end_ends(self, work: Work, tmp_path: Path) -> None:
        await stream(work, spec={"once": True})
        async with at_work(work, tmp_path):
            assert (await over(work, await work.submit("meters")))["state"] == "succeeded"

    async def test_an_alert_is_told_once_in_the_log_and_by_notifications(self, work: Work, tmp_path: Path) -> None:
        await hook(work.control)
        await rule(work)
        await stream(work, {"every": 0.2, "alert": [2, 1000], "lag": 250})
        async with at_work(work, tmp_path):
            run = await work.submit("meters")
            await until(lambda: told(work), bool)
            await flows(work, run, events=512 * 12)
            assert any(line.startswith("boathouse_stream_alerts{") for line in figures())
        (delivery,) = (await work.caller.get(f"{NOTIFICATIONS}/all/deliveries"))["items"]
        said = "Kafka to ClickHouse is 250 events behind; the aim is 100."
        assert (delivery["event"], delivery["run_id"]) == ("stream-alert", run["id"])
        assert delivery["body"]["data"]["alert"].items() >= {"hop": "speed", "what": "lag", "text": said}.items()
        assert (await log(work, run)).count(f"Alert: {said}") == 1

    async def test_one_that_falls_silent_is_an_alert(
        self, work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(streams, "SILENT_AFTER", 1.0)
        await hook(work.control)
        await rule(work)
        await stream(work, {"every": 4})
        async with at_work(work, tmp_path):
            run = await work.submit("meters")
            await until(lambda: told(work), bool)
        (delivery,) = (await work.caller.get(f"{NOTIFICATIONS}/all/deliveries"))["items"]
        assert (delivery["event"], delivery["run_id"]) == ("stream-alert", run["id"])
        assert delivery["body"]["data"]["alert"]["what"] == "silence"

    async def test_progress_is_sent_as_it_comes(self, work: Work, tmp_path: Path) -> None:
        await stream(work, spec={"once": True})
        run = await work.submit("meters")
        async with at_work(work, tmp_path):
            answer = await work.caller.http.get(f"/api/v1{RUNS}/{run['id']}/progress/stream", timeout=PATIENCE)
        events = [part.splitlines() for part in answer.text.split("\n\n") if part.startswith("event")]
        assert events[-1][0] == "event: end"
        statuses = [orjson.loads(event[1][6:])["stream"] for event in events if event[0] == "event: progress"]
        assert statuses[-1]["state"] == "ended"

    async def test_an_alert_whose_answer_was_lost_is_told_once_to_each(self, work: Work) -> None:
        await hook(work.control)
        await rule(work)
        await rule(work, "others")
        await stream(work)
        await work.submit("meters")
        worker = work.worker()
        claim = await claimed(worker)
        await worker.begin(claim)
        alerts = [RaisedAlert(Alert.model_validate({**ALERT, "hop": hop})) for hop in ("speed", "bronze")]
        for said in (alerts[:1], alerts, alerts[1:]):
            await worker.beat(claim, alerts=said)
        for name in ("all", "others"):
            deliveries = (await work.caller.get(f"{NOTIFICATIONS}/{name}/deliveries"))["items"]
            assert sorted(one["body"]["data"]["alert"]["hop"] for one in deliveries) == ["bronze", "speed"]


class TestListed:
    @pytest.mark.parametrize(
        ("state", "ago", "silent"),
        [("running", 60, True), ("running", 5, False), ("starting", 60, False)],
    )
    async def test_one_that_tells_nothing_any_more_is_told_to_be_silent(
        self, work: Work, state: str, ago: int, *, silent: bool
    ) -> None:
        await stream(work, retries={"count": 1, "delay_seconds": 600})
        await work.submit("meters")
        worker = work.worker()
        claim = await claimed(worker)
        await worker.begin(claim)
        at = (now() - timedelta(seconds=ago)).isoformat()
        await worker.beat(claim, progress={"stream": {**STATUS, "state": state, "at": at}})
        seconds = (await work.caller.get(f"{PIPELINES}/meters"))["stream"]["silent_seconds"]
        assert ago <= seconds < ago + PATIENCE if silent else seconds is None
        # While it waits to be tried again nobody expects a word.
        await worker.fail(claim, "Kafka is away")
        waits = (await work.caller.get(f"{PIPELINES}/meters"))["stream"]
        assert (waits["state"], waits["silent_seconds"], waits["status"]["state"]) == ("pending", None, state)

    async def test_streams_are_listed_with_the_other_pipelines_or_by_themselves(self, work: Work) -> None:
        await stream(work)
        files = {"pipeline": "orders", "source": {"path": "s3://lake/x"}, "target": {"table": "sales.orders"}}
        await work.caller.ask("PUT", f"{JOBS}/orders", {"kind": "pipeline", "spec": {"pipeline": files}})
        for query, names in (
            ({}, ["meters", "orders"]),
            ({"kind": "stream"}, ["meters"]),
            ({"kind": "pipeline"}, ["orders"]),
        ):
            found = (await work.caller.get(PIPELINES, params=query))["items"]
            assert [one["job"] for one in found] == names
        assert found[0]["stream"] is None

    async def test_replays_do_not_hide_that_it_was_at_work(self, work: Work) -> None:
        await stream(work)
        run, worker = await work.submit("meters"), work.worker()
        claim = await claimed(worker)
        await worker.begin(claim)
        await worker.succeed(claim, None)
        for _ in range(LATELY + 1):
            await work.caller.post(f"{PIPELINES}/meters/rejects/replay", {"everything": True})
        told = await work.caller.get(f"{PIPELINES}/meters")
        assert {one["report"]["kind"] for one in told["lately"]} == {"replay"}
        assert (told["stream"]["run_id"], told["stream"]["state"]) == (run["id"], "succeeded")


class TestStarting:
    async def test_a_second_start_is_left_out_and_hides_nothing(self, work: Work) -> None:
        await stream(work)
        first = await work.submit("meters")
        assert "Left out" in (await work.submit("meters"))["error"]
        claim = await claimed(work.worker())
        await work.worker().begin(claim)
        second = await work.submit("meters")
        assert (second["state"], "Left out" in second["error"]) == ("cancelled", True)
        pipeline = await work.caller.get(f"{PIPELINES}/meters")
        assert (pipeline["stream"]["run_id"], pipeline["stream"]["state"]) == (first["id"], "running")
        await work.stop(first)
        await work.worker().fail(claim, "stopped")
        assert (await work.caller.get(f"{PIPELINES}/meters"))["stream"]["run_id"] == first["id"]

    async def test_it_is_started_anew_instead_of_the_one_at_work(self, work: Work) -> None:
        await stream(work)
        first, worker = await work.submit("meters"), work.worker()
        claim = await claimed(worker)
        await worker.begin(claim)
        second = await work.submit("meters", otherwise="replace")
        assert second["state"] == "pending"
        assert (await work.run(first))["stop_by"] == f"a newer run, {second['id']}"
        # Not before the other has ended.
        assert await worker.claim() is None
        assert (await work.caller.get(f"{PIPELINES}/meters"))["stream"]["run_id"] == first["id"]
        await worker.fail(claim, "stopped")
        assert (await claimed(worker)).run_id == second["id"]

    async def test_one_that_is_tried_again_waits_behind_no_other(self, work: Work) -> None:
        await stream(work)
        first, worker = await work.submit("meters"), work.worker()
        await worker.fail(await claimed(worker), "Kafka is away")
        second = await work.submit("meters")
        claim = await claimed(worker)
        error = await work.again(first, status=409)
        assert f"Another run of meters is under way, {second['id']}" in error["message"]
        assert (await work.run(first))["state"] == "failed"
        await worker.fail(claim, "stopped")
        assert (await work.again(first))["state"] == "pending"

    async def test_of_two_that_are_tried_again_at_once_one_is(self, work: Work) -> None:
        await stream(work)
        runs = list[Any]()
        for _ in range(2):
            runs.append(await work.submit("meters"))
            await work.worker().fail(await claimed(work.worker()), "Kafka is away")
        tried = [work.caller.http.post(f"/api/v1{RUNS}/{run['id']}/retry") for run in runs]
        assert sorted([answer.status_code for answer in await asyncio.gather(*tried)]) == [200, 409]

    async def test_only_a_timeout_of_its_own_ends_it(self, work: Work) -> None:
        defaults = {"timeout_seconds": 60, "retries": 2}
        await work.caller.ask("PATCH", "/workspaces/north", {"defaults": defaults})
        for own, timeout in ((None, None), (3600, 3600)):
            await stream(work, timeout_seconds=own)
            await work.submit("meters")
            claim = await claimed(work.worker())
            assert claim.timeout_seconds == timeout
            await work.worker().succeed(claim, None)

    async def test_others_are_told_that_it_is_a_stream(self, work: Work) -> None:
        await stream(work)
        await work.job()
        for job, processing in (("meters", "STREAMING"), ("daily", "BATCH")):
            run, worker = await work.submit(job), work.worker()
            await worker.begin(await claimed(worker))
            (start,) = await work.caller.get(f"{RUNS}/{run['id']}/openlineage")
            assert start["job"]["facets"]["jobType"]["processingType"] == processing

    async def test_it_is_no_task_of_a_flow(self, work: Work) -> None:
        await stream(work)
        flow = {"kind": "flow", "spec": {"tasks": [{"name": "first", "job": "meters"}]}}
        error = await work.caller.ask("PUT", f"{JOBS}/nightly", flow, status=400)
        assert "does not end by itself" in error["message"]


class TestLongLife:
    """What goes on for months fails and loses workers now and then."""

    async def lasted(self, work: Work, run: Any, attempt: int, how_long: timedelta) -> None:
        async with work.database.changing() as session:
            of = update(RunAttempt).where(RunAttempt.run_id == run["id"], RunAttempt.number == attempt)
            await session.execute(of.values(started_at=now() - how_long))

    async def test_lost_workers_count_only_in_a_row(self, work: Work) -> None:
        await stream(work)
        run = await work.submit("meters")
        for number in range(1, MOST_TAKEOVERS + 4):
            worker = work.worker(f"w{number}")
            await worker.begin(await claimed(worker))
            await self.lasted(work, run, number, RAN_WELL if number == 3 else timedelta())
            await work.let_leases_end(f"w{number}")
            await worker.take_back_lost()
            expected = "pending" if number < MOST_TAKEOVERS + 3 else "failed"
            assert (await work.run(run))["state"] == expected

    async def test_failures_count_only_in_a_row(self, work: Work) -> None:
        await stream(work, retries={"count": 1, "delay_seconds": 0})
        run, worker, states = await work.submit("meters"), work.worker(), list[str]()
        for number, how_long in enumerate((timedelta(), RAN_WELL, timedelta()), 1):
            await work.let_delays_end()
            claim = await claimed(worker)
            await worker.begin(claim)
            await self.lasted(work, run, number, how_long)
            await worker.fail(claim, "Kafka is away")
            states.append((await work.run(run))["state"])
        assert states == ["pending", "pending", "failed"]


class TestRejects:
    @pytest.fixture
    def bronze(self, lake: Lake) -> Lake:
        lake.table("meters_log.changes")
        lake.write("meters_log.changes", 3)
        lake.rejects("meters_log.changes", [LOST])
        return lake

    async def test_what_is_no_text_is_mended_by_its_bytes(self, control_of_lake: ControlPlane, bronze: Lake) -> None:
        source = {"kind": "kafka", "topics": ["t"], "format": "avro", "avro_schema": {"type": "record", "fields": []}}
        spec = {"pipeline": {**PIPELINE, "source": source}}
        await control_of_lake.admin.ask("PUT", f"{JOBS}/meters", {"kind": "stream", "spec": spec})
        mend = f"{PIPELINES}/meters/rejects/{LOST_ID}/mend"
        error = await control_of_lake.admin.ask("PUT", mend, {"raw": '{"id": 7}'}, status=400)
        assert "mended as its bytes" in error["message"]
        assert (await control_of_lake.admin.ask("PUT", mend, {"raw": "AgQ="}))["mended"] == "AgQ="

    @pytest.mark.parametrize(
        ("source", "stood", "edit", "form"),
        [
            # What is no text is so also where it could be taken for one.
            ({"format": "avro", "avro_schema": {"type": "record", "fields": []}}, ("\x02\x04", None), "AgQ=", "base64"),
            ({"format": "binary"}, ("\ufffd1", b"\xff1"), "/zE=", "base64"),
            ({"format": "text", "encoding": "latin-1"}, ("G\ufffdteborg", b"G\xf6teborg"), "G\xf6teborg", "text"),
            ({"format": "text", "encoding": "no such"}, ("G\ufffdteborg", b"G\xf6teborg"), "G\ufffdteborg", "text"),
            ({"format": "json"}, ('{"id": 7}', None), '{"id": 7}', "text"),
            ({"format": "json"}, (None, None), "", "text"),
        ],
    )
    async def test_it_is_told_what_is_to_be_edited_and_in_which_form(
        self,
        control_of_lake: ControlPlane,
        lake: Lake,
        source: dict[str, Any],
        stood: tuple[str | None, bytes | None],
        edit: str,
        form: str,
    ) -> None:
        lake.table("meters_log.changes")
        raw, raw_bytes = stood
        lake.rejects("meters_log.changes", [(*LOST[:4], raw)], raw_bytes)
        pipeline = {**PIPELINE, "source": {"kind": "kafka", "topics": ["t"], **source}}
        await control_of_lake.admin.ask("PUT", f"{JOBS}/meters", {"kind": "stream", "spec": {"pipeline": pipeline}})
        one = f"{PIPELINES}/meters/rejects/{LOST_ID}"
        told = await control_of_lake.admin.get(one)
        assert (told["edit"], told["form"]) == (edit, form)
        if source.get("encoding") != "no such":
            told = await control_of_lake.admin.ask("PUT", f"{one}/mend", {"raw": "QUFB"})
            assert (told["edit"], told["form"]) == ("QUFB", form)

    async def test_those_of_the_bronze_table_are_seen_and_replayed_while_it_goes_on(
        self, control_of_lake: ControlPlane, bronze: Lake
    ) -> None:
        work = Work(control_of_lake)
        await stream(work, concurrency={"otherwise": "skip"})
        standing = await work.caller.get(f"{PIPELINES}/meters/standing")
        assert (standing["table"], standing["rows"], standing["open"]) == ("meters_log.changes", 3, 1)
        assert [one["id"] for one in (await work.caller.get(f"{PIPELINES}/meters/rejects"))["items"]] == [LOST_ID]
        await work.submit("meters")
        worker = work.worker()
        following = await claimed(worker)
        await worker.begin(following)
        await worker.beat(following, progress={"stream": STATUS})
        run = await work.caller.post(f"{PIPELINES}/meters/rejects/replay", {"everything": True})
        assert (run["state"], run["kind"], run["report"]) == ("pending", "pipeline", {"kind": "replay"})
        claim = await claimed(worker)
        assert claim.run_id == run["id"]
        assert claim.definition.spec["replay"] == {"by": "admin"}
        assert claim.definition.spec["pipeline"]["source"]["kind"] == "postgres"
        # Another replay waits, and the stream is what it was.
        await work.caller.post(f"{PIPELINES}/meters/rejects/replay", {"ids": [LOST_ID]})
        stream_now = (await work.caller.get(f"{PIPELINES}/meters"))["stream"]
        assert (stream_now["run_id"], stream_now["state"]) == (following.run_id, "running")
        await worker.succeed(following, None)
        # Nor does a replay keep it from being started.
        assert (await work.submit("meters"))["state"] == "pending"
