"""What is no longer kept: results, logs, queries and lineage, with their owner or after their time."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, func, select, update

from boathouse.control.database import Database
from boathouse.control.database.base import now
from boathouse.control.jobs.touched import Touched
from boathouse.control.lineage.models import LineageEdge, LineageRun, LineageUse
from boathouse.control.queries.models import Query
from boathouse.control.runs.models import Run
from boathouse.control.runs.results import Results
from boathouse.control.worker.retention import Keeper
from boathouse.kit.errors import Unavailable
from boathouse.kit.ids import first_uuid
from boathouse.kit.settings import ControlSettings
from tests.behaviour.control.control_plane import ControlPlane
from tests.behaviour.control.test_runs import claimed
from tests.behaviour.control.work import RUNS, Work

COLUMNS = [{"name": "n", "type": "int32"}]


class Kept:
    """A workspace whose runs leave rows in a directory, and whoever tidies it up."""

    def __init__(self, control: ControlPlane, directory: Path) -> None:
        self.work = Work(control)
        self.directory = directory
        self.results = Results(f"file://{directory}")

    def keeper(self, **keep: int) -> Keeper:
        return Keeper(self.work.database, self.results, ControlSettings(**keep))

    async def carry_out(self, error: str | None = None) -> str:
        """The next run, which leaves a line in the log and rows; its id."""
        worker = self.work.worker()
        claim = await claimed(worker)
        await worker.begin(claim)
        await worker.beat(claim, log=[(1, "out", "oars")], number=0)
        if error is not None:
            await worker.fail(claim, error)
            return claim.run_id
        path = self.directory / claim.workspace_id / claim.run_id / "1.parquet"
        path.parent.mkdir(parents=True)
        path.write_bytes(b"rows")
        kept = {"path": str(path.relative_to(self.directory)), "rows": 1, "truncated": False, "columns": COLUMNS}
        await worker.succeed(claim, kept, Touched(reads=frozenset({"sales.orders"})))
        return claim.run_id

    async def ran(self, error: str | None = None) -> str:
        await self.work.submit()
        return await self.carry_out(error)

    def files(self) -> list[str]:
        return sorted(path.parent.name for path in self.directory.rglob("*.parquet"))

    async def log(self, run_id: str) -> list[str]:
        return [line["text"] for line in (await self.work.caller.get(f"{RUNS}/{run_id}/logs"))["lines"]]


@pytest.fixture
async def kept(control: ControlPlane, tmp_path: Path) -> Kept:
    await control.workspace("north")
    kept = Kept(control, tmp_path / "results")
    await kept.work.job()
    return kept


async def let_pass(database: Database, days: int, run_id: str) -> None:
    """As if the run had ended so long ago."""
    at = now() - timedelta(days=days)
    async with database.changing() as session:
        await session.execute(update(Run).where(Run.id == run_id).values(ended_at=at))
        lineage = select(LineageRun.id).where(LineageRun.run_id == run_id)
        await session.execute(delete(LineageUse).where(LineageUse.lineage_run_id.in_(lineage)))
        await session.execute(update(LineageRun).where(LineageRun.run_id == run_id).values(id=first_uuid(at), at=at))
        await session.execute(update(Query).where(Query.run_id == run_id).values(id=first_uuid(at)))


async def count(database: Database, what: Any) -> int:
    async with database.reading() as session:
        return await session.scalar(select(func.count()).select_from(what)) or 0


async def test_rows_go_with_their_job(kept: Kept) -> None:
    await kept.ran()
    await kept.work.job("other")
    await kept.work.submit("other")
    stays = await kept.carry_out()
    await kept.work.caller.ask("DELETE", "/workspaces/north/jobs/daily", status=204)
    assert await kept.keeper().tidy() == 1
    assert kept.files() == [stays]
    assert await kept.keeper().tidy() == 0


async def test_everything_goes_with_the_workspace(kept: Kept) -> None:
    await kept.ran()
    await kept.work.caller.ask("DELETE", "/workspaces/north", status=204)
    await kept.keeper().tidy()
    assert list(kept.directory.iterdir()) == []


async def test_rows_are_removed_when_their_time_is_over_and_who_asks_is_told(kept: Kept) -> None:
    old, young, failed = await kept.ran(), await kept.ran(), await kept.ran(error="no oars")
    for run_id in (old, failed):
        await let_pass(kept.work.database, 31, run_id)
    await kept.keeper(keep_results_days=0).tidy()
    assert len(kept.files()) == 2
    await kept.keeper(keep_results_days=30).tidy()
    assert kept.files() == [young]
    for path in ("result", "result/download"):
        error = await kept.work.caller.get(f"{RUNS}/{old}/{path}", status=404)
        assert "no longer kept" in error["message"]
        assert "keep_results_days" in error["hint"]
    assert (await kept.work.caller.get(f"{RUNS}/{old}"))["result"]["rows"] == 1
    assert await kept.log(old) == ["oars"]
    assert await kept.keeper(keep_results_days=30).tidy() == 0


async def test_a_log_gives_way_to_one_line_when_its_time_is_over(kept: Kept) -> None:
    old, young = await kept.ran(), await kept.ran()
    await let_pass(kept.work.database, 91, old)
    await kept.keeper(keep_results_days=0, keep_logs_days=90).tidy()
    assert [text.partition(":")[0] for text in await kept.log(old)] == ["The log was removed"]
    assert await kept.log(young) == ["oars"]
    assert len(kept.files()) == 2


async def test_a_run_that_is_tried_again_has_a_log_again(kept: Kept) -> None:
    old = await kept.ran(error="no oars")
    await let_pass(kept.work.database, 91, old)
    await kept.keeper().tidy()
    await kept.work.again({"id": old})
    await kept.carry_out()
    await let_pass(kept.work.database, 1, old)
    await kept.keeper().tidy()
    assert (await kept.log(old))[-1] == "oars"
    assert kept.files() == [old]


async def test_an_old_query_leaves_the_history_with_all_that_is_of_it(kept: Kept) -> None:
    for sql in ("select 1", "select 2"):
        await kept.work.caller.post("/workspaces/north/queries", {"sql": sql})
    old, young = await kept.carry_out(), await kept.carry_out()
    await let_pass(kept.work.database, 366, old)
    keeper = kept.keeper(keep_results_days=0, keep_logs_days=0)
    await keeper.tidy()
    await keeper.tidy()
    history = await kept.work.caller.get("/workspaces/north/queries")
    assert [one["run_id"] for one in history["items"]] == [young]
    await kept.work.caller.get(f"{RUNS}/{old}", status=404)
    assert kept.files() == [young]


async def test_what_an_old_run_touched_is_forgotten_and_what_its_job_touches_is_not(kept: Kept) -> None:
    old = await kept.ran()
    await kept.ran()
    await let_pass(kept.work.database, 366, old)
    await kept.keeper().tidy()
    assert await count(kept.work.database, LineageRun) == 1
    assert await count(kept.work.database, LineageEdge) == 1


async def test_a_run_under_way_loses_nothing_however_long_ago_it_began(kept: Kept) -> None:
    await kept.work.submit()
    worker = kept.work.worker()
    claim = await claimed(worker)
    await worker.begin(claim)
    await worker.beat(claim, log=[(1, "out", "oars")], number=0)
    async with kept.work.database.changing() as session:
        await session.execute(update(Run).values(created_at=now() - timedelta(days=1000)))
    assert await kept.keeper().tidy() == 0
    assert await kept.log(claim.run_id) == ["oars"]


@pytest.mark.parametrize("error", [RuntimeError("nobody thought of that"), Unavailable("no storage")])
async def test_what_cannot_be_removed_keeps_nothing_else(
    kept: Kept, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    async def broken(_results: Results, _runs: dict[str, int]) -> None:
        raise error

    old = await kept.ran()
    await let_pass(kept.work.database, 100, old)
    monkeypatch.setattr(Results, "remove_attempts", broken)
    assert await kept.keeper(keep_results_days=30, keep_logs_days=90).tidy() == 1
    assert await kept.log(old) != ["oars"]
    assert kept.files() == [old]


async def test_a_run_that_was_done_again_meanwhile_keeps_its_rows(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    old = await kept.ran()
    await let_pass(kept.work.database, 31, old)
    remove = Results.remove_attempts
    path = next(kept.directory.rglob("1.parquet"))

    async def done_again(results: Results, runs: dict[str, int]) -> None:
        async with kept.work.database.changing() as session:
            await session.execute(update(Run).where(Run.id == old).values(ended_at=now(), attempt=2))
        path.with_name("2.parquet").write_bytes(b"rows")
        await remove(results, runs)

    monkeypatch.setattr(Results, "remove_attempts", done_again)
    await kept.keeper(keep_results_days=30).tidy()
    async with kept.work.database.reading() as session:
        assert await session.scalar(select(Run.result_gone_at).where(Run.id == old)) is None
    assert [one.name for one in kept.directory.rglob("*.parquet")] == ["2.parquet"]


async def test_rows_of_an_attempt_that_was_lost_go_too(kept: Kept) -> None:
    failed = await kept.ran(error="no oars")
    path = kept.directory / await workspace_of(kept.work.database, failed) / failed / "1.parquet"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"rows")
    await let_pass(kept.work.database, 31, failed)
    await kept.keeper(keep_results_days=30).tidy()
    assert kept.files() == []


async def workspace_of(database: Database, run_id: str) -> str:
    async with database.reading() as session:
        return await session.scalar(select(Run.workspace_id).where(Run.id == run_id)) or ""
