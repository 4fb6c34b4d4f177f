"""Which tables need care, and why."""

from collections.abc import AsyncGenerator, Generator
from contextlib import closing
from pathlib import Path

import pytest

from boathouse.control.database import Database
from boathouse.control.datasets import care
from boathouse.control.options import ApiOptions
from tests.behaviour.control.control_plane import ControlPlane
from tests.behaviour.control.lake import Lake
from tests.integration.catalog_process import CatalogProcess

IN_NEED = "/workspaces/north/tables-in-need"


@pytest.fixture
def lake(tmp_path: Path) -> Generator[Lake]:
    with CatalogProcess(tmp_path) as catalog, closing(Lake(tmp_path / "home", catalog)) as lake:
        yield lake


@pytest.fixture
async def control(database: Database, lake: Lake) -> AsyncGenerator[ControlPlane]:
    async with ControlPlane(database, options=ApiOptions(lake=lake.home)) as control:
        await control.workspace("north")
        yield control


async def test_tables_come_with_the_facts_that_speak_for_care(
    control: ControlPlane, lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("sales.small", "sales.old", "sales.fine"):
        lake.table(name)
    for _ in range(10):
        lake.write("sales.small")
    lake.pretend_snapshots("sales.old", 600)
    lake.write("sales.fine")
    assert await control.admin.get(IN_NEED) == {"items": [], "looked_at": 0, "tables": 0}
    await control.admin.post("/workspaces/north/datasets/sync", {}, status=200)
    assert (await control.admin.get(IN_NEED))["tables"] == 0, "what was found a moment ago still holds"
    monkeypatch.setattr(care, "_KEPT_SECONDS", 0.0)
    control.app.state.care = care.Care(control.app.state.catalogs)
    told = await control.admin.get(IN_NEED)
    assert (told["looked_at"], told["tables"]) == (3, 3)
    facts = {one["name"]: {fact["name"] for fact in one["facts"]} for one in told["items"]}
    assert facts == {"sales.small": {"average-file"}, "sales.old": {"snapshots"}}
    lake.drop("sales.old")
    gone = {one["name"]: one["unreadable"] for one in (await control.admin.get(IN_NEED))["items"]}
    assert gone["sales.small"] is None
    assert gone["sales.old"]
