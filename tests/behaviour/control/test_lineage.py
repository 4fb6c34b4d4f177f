"""Lineage: told by runs that ended well, by others as OpenLineage, and followed up and down."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from openlineage.client import OpenLineageClient, event_v2, set_producer
from openlineage.client.facet_v2 import DatasetFacet, error_message_run, symlinks_dataset
from openlineage.client.transport.http import HttpConfig, HttpTransport

from boathouse.control.jobs.touched import Touched
from tests.behaviour.control.control_plane import ControlPlane
from tests.behaviour.control.work import Work
from tests.integration.control_process import ControlProcess

DATASETS = "/workspaces/north/datasets"
AT = datetime(2026, 2, 1, 12, tzinfo=UTC)


@pytest.fixture
async def work(control: ControlPlane) -> Work:
    await control.workspace("north")
    return Work(control)


async def carried_out(work: Work, name: str, reads: set[str], writes: set[str], **definition: Any) -> str:
    """A run of the job that told so at its end; its id."""
    await work.job(name, **definition)
    run = await work.submit(name)
    await ended_well(work, reads, writes)
    return run["id"]


async def ended_well(work: Work, reads: set[str], writes: set[str]) -> None:
    worker = work.worker()
    claim = await worker.claim()
    assert claim is not None
    await worker.begin(claim)
    await worker.succeed(claim, None, Touched(reads=frozenset(reads), writes=frozenset(writes)))


async def graph(work: Work, dataset: str, **query: Any) -> tuple[set[str], set[tuple[str, str]]]:
    """The nodes, and the edges, by their names."""
    told = await work.caller.get("/workspaces/north/lineage", params={"dataset": dataset, **query})
    assert told["complete"]
    ids = {node["id"]: node["name"] for node in told["nodes"]}
    return set(ids.values()), {(ids[edge["source"]], ids[edge["target"]]) for edge in told["edges"]}


def event(run_id: str, kind: str, minutes: int = 0, **more: Any) -> dict[str, Any]:
    return {
        "eventType": kind,
        "eventTime": (AT + timedelta(minutes=minutes)).isoformat(),
        "run": {"runId": run_id},
        "job": {"namespace": "airflow", "name": "daily.copy"},
        "producer": "https://example.org/x",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        **more,
    }


class TestOfOurRuns:
    async def test_a_graph_is_followed_up_and_down(self, work: Work) -> None:
        await carried_out(work, "ingest", {"s3://in"}, {"raw.orders"})
        run = await carried_out(work, "clean", {"raw.orders"}, {"sales.orders"})
        await carried_out(work, "report", {"sales.orders", "sales.prices"}, {"sales.report"})
        nodes, edges = await graph(work, "sales.orders")
        assert nodes == {
            *("s3://in", "ingest", "raw.orders", "clean", "sales.orders", "report", "sales.report"),
        }
        assert edges == {
            *{("s3://in", "ingest"), ("ingest", "raw.orders"), ("raw.orders", "clean"), ("clean", "sales.orders")},
            *{("sales.orders", "report"), ("report", "sales.report")},
        }
        assert (await graph(work, "sales.orders", depth=1, way="up"))[0] == {"raw.orders", "clean", "sales.orders"}
        assert (await graph(work, "sales.orders", way="down"))[0] == {"sales.orders", "report", "sales.report"}
        told = await work.caller.get(f"{DATASETS}/sales.orders/lineage", params={"depth": 1, "way": "up"})
        assert {edge["last_run"] for edge in told["edges"]} == {run}

    async def test_a_job_tells_what_it_reads_and_writes_and_when_last(self, work: Work) -> None:
        await carried_out(work, "clean", {"raw.orders"}, {"sales.orders"})
        last = await carried_out(work, "clean", {"raw.orders"}, {"sales.orders"})
        await work.caller.post(DATASETS, {"name": "sales.orders"})
        told = await work.caller.get("/workspaces/north/jobs/clean/lineage")
        assert [(use["dataset"], use["last_run"], use["registered"]) for use in told["reads"]] == [
            ("raw.orders", last, False)
        ]
        assert [(use["dataset"], use["registered"]) for use in told["writes"]] == [("sales.orders", True)]
        await work.caller.ask("DELETE", "/workspaces/north/jobs/clean", status=204)
        assert (await graph(work, "sales.orders"))[0] == {"sales.orders"}

    async def test_a_run_that_fails_tells_nothing(self, work: Work) -> None:
        await work.job("clean")
        await work.submit("clean")
        worker = work.worker()
        claim = await worker.claim()
        assert claim is not None
        await worker.begin(claim)
        await worker.fail(claim, "no wind")
        assert (await work.caller.get("/workspaces/north/jobs/clean/lineage")) == {"reads": [], "writes": []}

    async def test_runs_that_end_at_once_both_tell(self, work: Work) -> None:
        await work.job("clean")
        runs = [await work.submit("clean") for _ in range(4)]
        workers = [work.worker(f"w{number}") for number in range(4)]
        claims = [await worker.claim() for worker in workers]
        touched = Touched(reads=frozenset({"a.b", "a.c"}), writes=frozenset({"a.d"}))
        ends = [worker.succeed(claim, None, touched) for worker, claim in zip(workers, claims, strict=True) if claim]
        await asyncio.gather(*ends)
        assert {(await work.run(run))["state"] for run in runs} == {"succeeded"}
        assert len((await work.caller.get("/workspaces/north/jobs/clean/lineage"))["reads"]) == 2

    async def test_queries_are_told_together_and_without_their_runs(self, work: Work) -> None:
        await work.caller.post("/workspaces/north/queries", {"sql": "SELECT * FROM sales.orders"})
        await ended_well(work, {"sales.orders"}, set())
        told = await work.caller.get(f"{DATASETS}/sales.orders/lineage")
        assert [(node["kind"], node["name"]) for node in told["nodes"]] == [
            ("dataset", "sales.orders"),
            ("queries", "queries"),
        ]
        assert told["edges"][0]["last_run"] is None

    async def test_what_is_too_long_or_cannot_be_kept_does_not_fail_a_run(self, work: Work) -> None:
        await carried_out(work, "clean", {"a." + "x" * 5000, "a.b\0c"}, {"é" * 300})
        told = await work.caller.get("/workspaces/north/jobs/clean/lineage")
        assert [len(use["dataset"]) for use in told["reads"]] == [5, 300]

    async def test_other_workspaces_see_nothing_of_it(self, work: Work) -> None:
        run = await carried_out(work, "clean", {"raw.orders"}, {"sales.orders"})
        await work.control.workspace("south")
        other = await work.control.user("ann", south="admin")
        told = await other.get("/workspaces/south/datasets/sales.orders/lineage")
        assert (len(told["nodes"]), told["edges"]) == (1, [])
        await other.get(f"/workspaces/south/runs/{run}/openlineage", status=404)


class TestOpenLineageOut:
    async def test_our_runs_are_events_that_its_own_types_take(self, work: Work) -> None:
        run = await carried_out(work, "clean", {"raw.orders"}, {"sales.orders"})
        start, end = await work.caller.get(f"/workspaces/north/runs/{run}/openlineage")
        assert (start["eventType"], end["eventType"]) == ("START", "COMPLETE")
        for one in (start, end):
            taken = event_v2.RunEvent(
                eventType=event_v2.RunState(one["eventType"]),
                eventTime=one["eventTime"],
                run=event_v2.Run(**one["run"]),
                job=event_v2.Job(**one["job"]),
                inputs=[event_v2.InputDataset(**dataset) for dataset in one["inputs"]],
                outputs=[event_v2.OutputDataset(**dataset) for dataset in one["outputs"]],
                producer=one["producer"],
            )
            assert taken.run.runId == run
            assert taken.schemaURL == one["schemaURL"]
        assert [(one["namespace"], one["name"]) for one in end["inputs"] + end["outputs"]] == [
            ("boathouse://north", "raw.orders"),
            ("boathouse://north", "sales.orders"),
        ]

    async def test_a_failure_says_why_and_a_run_that_waits_nothing(self, work: Work) -> None:
        await work.job("clean")
        run = await work.submit("clean")
        assert await work.caller.get(f"/workspaces/north/runs/{run['id']}/openlineage") == []
        worker = work.worker()
        claim = await worker.claim()
        assert claim is not None
        await worker.begin(claim)
        await worker.fail(claim, "no wind")
        end = (await work.caller.get(f"/workspaces/north/runs/{run['id']}/openlineage"))[-1]
        facet = {name: end["run"]["facets"]["errorMessage"][name] for name in ("message", "programmingLanguage")}
        assert error_message_run.ErrorMessageRunFacet(**facet).message == "no wind"
        assert end["eventType"] == "FAIL"

    async def test_what_goes_out_may_come_in_again(self, work: Work) -> None:
        run = await carried_out(work, "clean", {"raw.orders"}, {"sales.orders"})
        await work.control.workspace("south")
        for one in await work.caller.get(f"/workspaces/north/runs/{run}/openlineage"):
            await work.caller.post("/workspaces/south/lineage", one)
        query = {"dataset": "boathouse://north/sales.orders"}
        told = await work.caller.get("/workspaces/south/lineage", params=query)
        assert [node["name"] for node in told["nodes"]][1:] == ["boathouse://north/sales.orders", "clean"]


class TestOpenLineageIn:
    async def test_events_count_once_in_any_order(self, work: Work) -> None:
        run = str(uuid4())
        inputs = [{"namespace": "postgres://db:5432", "name": "shop.public.orders"}]
        outputs = [{"namespace": "boathouse://north", "name": "raw.orders", "facets": {"schema": {"fields": []}}}]
        complete = event(run, "COMPLETE", 5, outputs=outputs)
        start = event(run, "START", 0, inputs=inputs)
        for one in (complete, start, start, complete):
            told = await work.caller.post("/workspaces/north/lineage", one)
        assert told == {"run": run, "datasets": 2}
        nodes, edges = await graph(work, "raw.orders")
        assert nodes == {"postgres://db:5432/shop.public.orders", "daily.copy", "raw.orders"}
        assert len(edges) == 2
        entry = (await work.caller.get("/audit", params={"action": "lineage.tell-workspace"}))["items"][0]
        assert entry["details"] == {"run": run, "type": "COMPLETE"}

    async def test_what_did_not_complete_wrote_nothing(self, work: Work) -> None:
        run = str(uuid4())
        outputs = [{"namespace": "boathouse://north", "name": "raw.orders"}]
        for one in (event(run, "START", outputs=outputs), event(run, "FAIL", 1), event(run, "RUNNING", 2)):
            await work.caller.post("/workspaces/north/lineage", one)
        assert (await graph(work, "raw.orders"))[1] == set()

    async def test_a_run_is_one_jobs(self, work: Work) -> None:
        run, outputs = str(uuid4()), [{"namespace": "x", "name": "y"}]
        await work.caller.post("/workspaces/north/lineage", event(run, "START"))
        forged = event(run, "COMPLETE", job={"namespace": "airflow", "name": "other"}, outputs=outputs)
        error = await work.caller.post("/workspaces/north/lineage", forged, status=409)
        assert "another job's" in error["message"]
        assert (await graph(work, "x/y"))[1] == set()

    @pytest.mark.parametrize(
        "change",
        [
            {"run": {"runId": "not-a-uuid"}},
            {"job": {"namespace": "", "name": "x"}},
            {"eventTime": "yesterday"},
            {"eventTime": "2026-01-01T00:00:00"},
            {"eventTime": "0001-01-01T00:00:00+14:00"},
            {"eventTime": "9999-12-31T23:59:59-14:00"},
            {"eventType": "BEGIN"},
            {"inputs": [{"name": "x"}]},
            {"producer": None},
        ],
    )
    async def test_what_is_no_event_is_refused(self, work: Work, change: dict[str, Any]) -> None:
        await work.caller.post("/workspaces/north/lineage", {**event(str(uuid4()), "START"), **change}, status=422)

    async def test_of_a_run_of_ours_nobody_else_tells(self, work: Work) -> None:
        await work.job("clean")
        run = await work.submit("clean")
        runner = await work.control.user("rob", north="runner")
        told = event(run["id"], "COMPLETE", outputs=[{"namespace": "s3://x", "name": "made.up"}])
        error = await runner.post("/workspaces/north/lineage", told, status=409)
        assert "one of north's own" in error["message"]
        await ended_well(work, {"raw.orders"}, {"sales.orders"})
        nodes, _ = await graph(work, "sales.orders")
        assert nodes == {"raw.orders", "clean", "sales.orders"}

    async def test_it_takes_the_role_of_a_runner(self, work: Work) -> None:
        viewer = await work.control.user("vera", north="viewer")
        await viewer.post("/workspaces/north/lineage", event(str(uuid4()), "START"), status=403)

    async def test_the_plain_address_is_for_a_token_of_one_workspace(self, work: Work) -> None:
        error = await work.caller.post("/lineage", event(str(uuid4()), "START"), status=400)
        assert "For which workspace" in error["message"]
        secrets = {
            role: (await work.caller.post("/tokens", {"name": role, "role": role, "workspace": "north"}))["secret"]
            for role in ("viewer", "runner")
        }
        await work.control.caller(secrets["viewer"]).post("/lineage", event(str(uuid4()), "START"), status=403)
        await work.control.caller(secrets["runner"]).post("/lineage", event(str(uuid4()), "START"))


def test_the_official_client_tells_us_over_http(tmp_path: Path) -> None:
    import httpx

    with ControlProcess(tmp_path) as control, httpx.Client(base_url=f"{control.url}/api/v1", trust_env=False) as http:
        login = http.post("/login", json={"name": "admin", "password": control.password}).json()
        http.headers["X-Boathouse-CSRF"] = login["csrf"]
        http.post("/workspaces", json={"name": "north"}).raise_for_status()
        wanted = {"name": "spark", "role": "runner", "workspace": "north"}
        token = http.post("/tokens", json=wanted).raise_for_status().json()["secret"]
        told_by_client(control.url, token)
        graph = http.get("/workspaces/north/datasets/sales.orders/lineage").raise_for_status().json()
        assert [node["name"] for node in graph["nodes"]] == ["kafka://broker:9092/orders", "sales.orders", "copy"]


def told_by_client(url: str, token: str) -> None:
    set_producer("https://example.org/tests")
    auth = {"type": "api_key", "apiKey": token}
    client = OpenLineageClient(transport=HttpTransport(HttpConfig.from_dict({"url": url, "auth": auth})))
    run, job = event_v2.Run(runId=str(uuid4())), event_v2.Job(namespace="spark", name="copy")
    table = symlinks_dataset.Identifier(namespace="s3://lake", name="sales.orders", type="TABLE")
    links: dict[str, DatasetFacet] = {"symlinks": symlinks_dataset.SymlinksDatasetFacet(identifiers=[table])}
    source = event_v2.InputDataset(namespace="kafka://broker:9092", name="orders")
    target = event_v2.OutputDataset(namespace="s3://lake", name="wh/sales/orders", facets=links)
    for kind in (event_v2.RunState.START, event_v2.RunState.COMPLETE):
        client.emit(
            event_v2.RunEvent(
                eventType=kind, eventTime=AT.isoformat(), run=run, job=job, inputs=[source], outputs=[target]
            )
        )
    client.close()
