"""Pipelines: what their runs did in figures, and what is done with the rows that they rejected."""

from collections.abc import AsyncGenerator, Generator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from boathouse.control.database import Database
from boathouse.control.options import ApiOptions
from boathouse.control.runs.leases import Leases
from boathouse.kit.deadletters.ledger import reject_id
from tests.behaviour.control.control_plane import ControlPlane
from tests.behaviour.control.lake import Lake
from tests.behaviour.control.work import JOBS, RUNS, SQL
from tests.integration.catalog_process import CatalogProcess

PIPELINES = "/workspaces/north/pipelines"
REJECTS = f"{PIPELINES}/orders/rejects"
SPEC: dict[str, Any] = {
    "pipeline": "orders",
    "source": {"path": "s3://lake/{{day}}.csv", "format": "csv"},
    "target": {"table": "sales.orders"},
}
ORDERS: dict[str, Any] = {
    "kind": "pipeline",
    "spec": {"pipeline": SPEC},
    "parameters": [{"name": "day", "default": "monday"}],
}
LOST = ("load-1", "s3://lake/monday.csv", 3, "quantity is not int: two", "2;two")
FOUND = ("load-1", "s3://lake/monday.csv", 4, "quantity is not int: 3.5", "3;3.5")
BROKEN = ("load-1", "s3://lake/monday.csv", 9, "breaks: quantity > 0", "9;-1")
LOST_ID = reject_id(*LOST[:3])
BROKEN_ID = reject_id(*BROKEN[:3])
REPORT: dict[str, Any] = {"kind": "load", "load_id": "load-1", "rows_in": 9, "rows_written": 6, "rows_quarantined": 3}


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Generator[CatalogProcess]:
    with CatalogProcess(tmp_path_factory.mktemp("catalog")) as catalog:
        yield catalog


@pytest.fixture
def lake(tmp_path: Path, catalog: CatalogProcess) -> Generator[Lake]:
    with closing(Lake(tmp_path / "home", catalog)) as lake:
        lake.table("sales.orders")
        lake.write("sales.orders", 6)
        yield lake


@pytest.fixture
async def control(database: Database, tmp_path: Path) -> AsyncGenerator[ControlPlane]:
    async with ControlPlane(database, options=ApiOptions(lake=tmp_path / "home")) as control:
        await control.workspace("north")
        await control.admin.ask("PUT", f"{JOBS}/orders", ORDERS)
        yield control


async def ended(control: ControlPlane, report: dict[str, Any] | None) -> str:
    """A run that a worker carried out, and what it told."""
    run = await control.admin.post(f"{JOBS}/orders/runs", {})
    worker = Leases(control.database, "w1")
    claim = await worker.claim()
    assert claim is not None
    await worker.begin(claim)
    await worker.succeed(claim, None, report=report)
    return run["id"]


class TestFigures:
    async def test_what_a_run_did_is_kept_with_it_and_told_run_by_run(self, control: ControlPlane) -> None:
        first, second = await ended(control, REPORT), await ended(control, None)
        assert (await control.admin.get(f"{RUNS}/{first}"))["report"] == REPORT
        page = await control.admin.get(f"{PIPELINES}/orders/history", params={"limit": 1})
        assert [one["run_id"] for one in page["items"]] == [second]
        rest = await control.admin.get(f"{PIPELINES}/orders/history", params={"limit": 1, "cursor": page["next"]})
        assert [(one["run_id"], one["report"]) for one in rest["items"]] == [(first, REPORT)]
        assert rest["next"] is None

    async def test_only_jobs_that_are_pipelines_are_listed_each_with_its_last_runs(self, control: ControlPlane) -> None:
        await control.admin.ask("PUT", f"{JOBS}/daily", SQL)
        await control.admin.ask("PUT", f"{JOBS}/zebras", {**ORDERS, "spec": {"pipeline": {"pipeline": "zebras"}}})
        run = await ended(control, REPORT)
        orders, zebras = (await control.admin.get(PIPELINES))["items"]
        assert (orders["job"], orders["table"], orders["format"]) == ("orders", "sales.orders", "csv")
        assert [one["run_id"] for one in orders["lately"]] == [run]
        assert (zebras["job"], zebras["table"], zebras["lately"]) == ("zebras", None, [])
        page = await control.admin.get(PIPELINES, params={"limit": 1})
        assert ([one["job"] for one in page["items"]], page["next"]) == (["orders"], "orders")
        found = await control.admin.get(PIPELINES, params={"text": "ZEB"})
        assert [one["job"] for one in found["items"]] == ["zebras"]
        await control.admin.get(f"{PIPELINES}/daily", status=404)

    async def test_how_its_table_and_its_rejects_stand(self, control: ControlPlane, lake: Lake) -> None:
        told = await control.admin.get(f"{PIPELINES}/orders/standing")
        assert (told["table"], told["rows"], told["rejects"], told["open"]) == ("sales.orders", 6, 0, 0)
        lake.rejects("sales.orders", [LOST, BROKEN])
        await control.admin.post(f"{REJECTS}/discard", {"ids": [LOST_ID]}, status=200)
        told = await control.admin.get(f"{PIPELINES}/orders/standing")
        assert (told["rejects"], told["open"]) == (2, 1)

    async def test_what_was_decided_about_rejects_that_are_gone_again_counts_for_nothing(
        self, control: ControlPlane, lake: Lake
    ) -> None:
        rows = [("load-1", "s3://lake/monday.csv", line, "is odd", str(line)) for line in range(10)]
        lake.rejects("sales.orders", rows[:5])
        seen = lake.load("sales.orders__rejects").metadata.current_snapshot_id
        assert seen is not None
        lake.rejects("sales.orders", rows[5:])
        ids = [reject_id(*row[:3]) for row in rows[1:]]
        await control.admin.post(f"{REJECTS}/discard", {"ids": ids}, status=200)
        told = await control.admin.get(f"{PIPELINES}/orders/standing")
        assert (told["rejects"], told["open"]) == (10, 1)
        lake.roll_back("sales.orders__rejects", seen)
        told = await control.admin.get(f"{PIPELINES}/orders/standing")
        assert (told["rejects"], told["open"]) == (5, 1)

    async def test_a_table_that_a_parameter_names_is_known_by_its_default(self, control: ControlPlane) -> None:
        spec = {**SPEC, "target": {"table": "{{where}}.orders"}}
        with_default = {"name": "where", "default": "sales"}
        for name, parameter in (("given", with_default), ("open", {"name": "where"})):
            job = {**ORDERS, "spec": {"pipeline": {**spec, "source": {}}}, "parameters": [parameter]}
            await control.admin.ask("PUT", f"{JOBS}/{name}", job)
        assert (await control.admin.get(f"{PIPELINES}/given"))["table"] == "sales.orders"
        assert (await control.admin.get(f"{PIPELINES}/open"))["table"] is None
        error = await control.admin.get(f"{PIPELINES}/open/rejects", status=400)
        assert "depends on a parameter" in error["message"]


class TestRejects:
    async def test_they_are_listed_by_pages_filtered_and_counted(self, control: ControlPlane, lake: Lake) -> None:
        assert (await control.admin.get(REJECTS))["items"] == []
        lake.rejects("sales.orders", [LOST, FOUND, BROKEN])
        page = await control.admin.get(REJECTS, params={"limit": 2})
        assert [one["line"] for one in page["items"]] == [3, 4]
        rest = await control.admin.get(REJECTS, params={"limit": 2, "cursor": page["next"]})
        assert ([one["raw"] for one in rest["items"]], rest["next"]) == (["9;-1"], None)
        found = await control.admin.get(REJECTS, params={"reason": "quantity is not int", "state": "open"})
        assert [one["line"] for one in found["items"]] == [3, 4]
        counts = await control.admin.get(f"{REJECTS}/counts")
        assert counts["states"] == {"open": 3, "replayed": 0, "discarded": 0}
        assert counts["reasons"][0] == {"value": "quantity is not int", "rows": 2}
        assert counts["files"] == [{"value": "s3://lake/monday.csv", "rows": 3}]
        assert counts["complete"]
        await control.admin.get(REJECTS, params={"cursor": "no such row"}, status=400)

    async def test_a_row_is_mended_and_others_read_the_same_of_it(self, control: ControlPlane, lake: Lake) -> None:
        lake.rejects("sales.orders", [LOST, FOUND, BROKEN])
        told = await control.admin.ask("PUT", f"{REJECTS}/{LOST_ID}/mend", {"raw": "2;2"})
        assert (told["state"], told["raw"], told["mended"], told["changed_by"]) == ("open", "2;two", "2;2", "admin")
        again = await control.admin.ask("PUT", f"{REJECTS}/{LOST_ID}/mend", {"raw": "2;22"})
        assert again["changed_at"] > told["changed_at"]
        assert (await control.admin.get(f"{REJECTS}/{LOST_ID}"))["mended"] == "2;22"
        rows = sorted(lake.rows("sales.orders__mends"), key=lambda row: row["at"])
        assert [(row["reject"], row["action"], row["raw"], row["by"]) for row in rows] == [
            (LOST_ID, "mended", "2;2", "admin"),
            (LOST_ID, "mended", "2;22", "admin"),
        ]
        await control.admin.ask("PUT", f"{REJECTS}/{'0' * 32}/mend", {"raw": "x"}, status=404)
        await control.admin.ask("PUT", f"{REJECTS}/{LOST_ID}/mend", {"raw": " \n"}, status=422)
        entry = next(one for one in (await control.admin.get("/audit"))["items"] if one["result"] == "done")
        assert (entry["action"], entry["details"]) == ("reject.mend", {"reject": LOST_ID})

    async def test_rows_are_discarded_by_what_is_said_of_them_and_opened_again(
        self, control: ControlPlane, lake: Lake
    ) -> None:
        lake.rejects("sales.orders", [LOST, FOUND, BROKEN])
        wanted = {"reason": "quantity is not int", "note": "test data"}
        assert (await control.admin.post(f"{REJECTS}/discard", wanted, status=200))["rows"] == 2
        found = (await control.admin.get(REJECTS, params={"state": "discarded"}))["items"]
        assert [(one["line"], one["note"]) for one in found] == [(3, "test data"), (4, "test data")]
        assert (await control.admin.post(f"{REJECTS}/reopen", {"ids": [LOST_ID]}, status=200))["rows"] == 1
        error = await control.admin.post(f"{REJECTS}/reopen", {"ids": [BROKEN_ID]}, status=400)
        assert "is open" in error["message"]
        await control.admin.post(f"{REJECTS}/discard", {"note": "all of them?"}, status=422)
        assert (await control.admin.post(f"{REJECTS}/discard", {"everything": True}, status=200))["rows"] == 2

    async def test_what_came_since_somebody_looked_is_not_discarded_with_what_they_saw(
        self, control: ControlPlane, lake: Lake
    ) -> None:
        assert (await control.admin.get(f"{REJECTS}/counts"))["seen"] is None
        lake.rejects("sales.orders", [LOST])
        seen = (await control.admin.get(f"{REJECTS}/counts"))["seen"]
        lake.rejects("sales.orders", [FOUND, BROKEN])
        for wanted, rows in (({"reason": "quantity is not int"}, 1), ({"everything": True}, 0)):
            told = await control.admin.post(f"{REJECTS}/discard", {**wanted, "seen": seen}, status=200)
            assert told["rows"] == rows
        found = (await control.admin.get(REJECTS, params={"state": "open"}))["items"]
        assert [one["line"] for one in found] == [4, 9]
        told = await control.admin.post(f"{REJECTS}/reopen", {"everything": True, "seen": seen}, status=200)
        assert told["rows"] == 1
        error = await control.admin.post(f"{REJECTS}/discard", {"everything": True, "seen": "1"}, status=409)
        assert "no longer those that were seen" in error["message"]
        await control.admin.post(f"{REJECTS}/discard", {"everything": True, "seen": "now"}, status=422)

    async def test_a_replay_is_a_run_of_the_job_that_loads_no_files(self, control: ControlPlane, lake: Lake) -> None:
        lake.rejects("sales.orders", [LOST])
        run = await control.admin.post(f"{REJECTS}/replay", {"ids": [LOST_ID]})
        assert (run["job"], run["kind"], run["report"]) == ("orders", "pipeline", {"kind": "replay"})
        worker = Leases(control.database, "w1")
        claim = await worker.claim()
        assert claim is not None
        assert claim.definition.spec["replay"] == {"ids": [LOST_ID], "by": "admin"}
        assert claim.values == {"day": "monday"}
        await worker.begin(claim)
        await worker.fail(claim, "Spark is away")
        assert (await control.admin.get(f"{RUNS}/{run['id']}"))["report"] == {"kind": "replay"}
        assert (await control.admin.get(f"{JOBS}/orders"))["definition"]["spec"] == {"pipeline": SPEC, "again": False}

    async def test_a_viewer_only_looks_a_runner_replays_and_an_editor_decides(
        self, control: ControlPlane, lake: Lake
    ) -> None:
        lake.rejects("sales.orders", [LOST])
        viewer = await control.user("vera", north="viewer")
        runner = await control.user("rolf", north="runner")
        editor = await control.user("edda", north="editor")
        assert len((await viewer.get(REJECTS))["items"]) == 1
        error = await viewer.post(f"{REJECTS}/replay", {"everything": True}, status=403)
        assert "this takes the role runner" in error["message"]
        error = await runner.ask("PUT", f"{REJECTS}/{LOST_ID}/mend", {"raw": "2;2"}, status=403)
        assert "this takes the role editor" in error["message"]
        await runner.post(f"{REJECTS}/discard", {"everything": True}, status=403)
        await runner.post(f"{REJECTS}/replay", {"everything": True})
        await editor.ask("PUT", f"{REJECTS}/{LOST_ID}/mend", {"raw": "2;2"})
