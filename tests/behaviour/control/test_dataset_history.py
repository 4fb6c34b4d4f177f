"""What a table was and is made of: snapshots and the way back, partitions, files, and who may do what with it."""

import asyncio

import pytest

from boathouse.catalog.access.principals import Principals
from boathouse.catalog.store import open_store
from boathouse.kit.catalog_client import CatalogClient, LoadedTable, TableName
from tests.behaviour.control.control_plane import ControlPlane, Json
from tests.behaviour.control.lake import Lake
from tests.integration.catalog_process import TOKEN

DATASETS = "/workspaces/north/datasets"
ORDERS = f"{DATASETS}/sales.orders"


@pytest.fixture
def control(control_of_lake: ControlPlane) -> ControlPlane:
    return control_of_lake


async def sync(control: ControlPlane, **wanted: Json) -> None:
    await control.admin.post(f"{DATASETS}/sync", wanted, status=200)


async def three_commits(control: ControlPlane, lake: Lake) -> list[str]:
    """Of one, two and three rows. Ids of the snapshots, the oldest first."""
    lake.table("sales.orders")
    for rows in (1, 2, 3):
        lake.write("sales.orders", rows)
    await sync(control)
    found = await control.admin.get(f"{ORDERS}/snapshots")
    return [one["id"] for one in reversed(found["items"])]


class TestRollBack:
    async def test_a_table_goes_back_and_what_was_newer_stays(self, control: ControlPlane, lake: Lake) -> None:
        first, second, third = await three_commits(control, lake)
        editor = await control.user("ann", north="editor")
        done = await editor.post(f"{ORDERS}/roll-back", {"snapshot_id": second, "seen": third}, status=200)
        assert done == {"snapshot_id": second, "before": third, "changed": True}
        assert lake.load("sales.orders").scan().to_arrow().num_rows == 3
        told = await control.admin.get(f"{ORDERS}/snapshots")
        assert {one["id"]: (one["current"], one["ancestor"]) for one in told["items"]} == {
            third: (False, False),
            second: (True, True),
            first: (False, True),
        }
        assert (await control.admin.get(ORDERS))["rows"] == 3
        entry = (await control.admin.get("/audit", params={"action": "dataset.roll-back"}))["items"][0]
        assert (entry["user_name"], entry["result"], entry["details"]["before"]) == ("ann", "done", third)
        # Sent again, as after a lost answer, it changes nothing.
        again = await editor.post(f"{ORDERS}/roll-back", {"snapshot_id": second, "seen": third}, status=200)
        assert again["changed"] is False
        # What it was rolled back from is no ancestor, so there is no way forward by a roll back.
        error = await editor.post(f"{ORDERS}/roll-back", {"snapshot_id": third}, status=400)
        assert "does not go back to" in error["message"]
        # Written to again, it goes on from there.
        lake.write("sales.orders", 4)
        assert lake.load("sales.orders").scan().to_arrow().num_rows == 7

    async def test_a_table_that_moved_on_is_left_alone_and_it_is_said(
        self, control: ControlPlane, lake: Lake, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first, second, third = await three_commits(control, lake)
        error = await control.admin.post(f"{ORDERS}/roll-back", {"snapshot_id": first, "seen": second}, status=409)
        assert "has moved on meanwhile" in error["message"]
        # Also between our look and our change: the catalog itself refuses.
        seen = lake.client.load_table(TableName.parse("sales.orders"))
        lake.write("sales.orders", 4)
        with monkeypatch.context() as patch:

            def load_table(*_: Json, **__: Json) -> LoadedTable:
                return seen

            patch.setattr(CatalogClient, "load_table", load_table)
            error = await control.admin.post(f"{ORDERS}/roll-back", {"snapshot_id": first, "seen": third}, status=409)
        assert "branch main has changed" in error["message"]
        assert lake.load("sales.orders").scan().to_arrow().num_rows == 10

    async def test_it_takes_an_editor_and_a_snapshot_that_is_there(self, control: ControlPlane, lake: Lake) -> None:
        first, *_ = await three_commits(control, lake)
        runner = await control.user("ann", north="runner")
        error = await runner.post(f"{ORDERS}/roll-back", {"snapshot_id": first}, status=403)
        assert "takes the role editor" in error["message"]
        await control.admin.post(f"{ORDERS}/roll-back", {"snapshot_id": "77"}, status=400)
        for wrong in ({}, {"snapshot_id": "-1"}, {"snapshot_id": first, "more": 1}):
            await control.admin.post(f"{ORDERS}/roll-back", wrong, status=422)
        lake.table("sales.empty")
        await sync(control)
        error = await control.admin.post(f"{DATASETS}/sales.empty/roll-back", {"snapshot_id": first}, status=409)
        assert "Nothing was ever written" in error["message"]

    async def test_behind_a_connection_it_is_done_with_rights_of_its_own(
        self, control: ControlPlane, lake: Lake
    ) -> None:
        lake.table("sales.orders")
        for rows in (1, 2):
            lake.write("sales.orders", rows)
        connection = {
            "name": "partner",
            "kind": "iceberg-rest",
            "config": {"uri": lake.catalog.uri, "warehouse": "lake"},
            "secrets": {"token": TOKEN},
        }
        await control.admin.post("/workspaces/north/connections", connection)
        await sync(control, connection="partner")
        newest, oldest = (await control.admin.get(f"{ORDERS}/snapshots"))["items"]
        wanted = {"snapshot_id": oldest["id"], "seen": newest["id"]}
        await control.admin.post(f"{ORDERS}/roll-back", wanted, status=200)
        assert lake.load("sales.orders").scan().to_arrow().num_rows == 1


async def test_two_snapshots_are_compared_by_counts_files_and_columns(control: ControlPlane, lake: Lake) -> None:
    table = lake.table("sales.orders", ["id", "amount"])
    lake.write("sales.orders", 2)
    with table.refresh().update_schema() as update:
        update.add_column("note", table.schema().find_field("id").field_type)
    lake.write("sales.orders", 3)
    lake.load("sales.orders").delete("id = 1")
    await sync(control)
    snapshots = (await control.admin.get(f"{ORDERS}/snapshots"))["items"]
    oldest, newest = snapshots[-1]["id"], snapshots[0]["id"]
    told = await control.admin.get(f"{ORDERS}/snapshots/diff", params={"before": oldest, "after": newest})
    assert told["counts"]["rows"] == {"before": 2, "after": 3}
    assert [(one["what"], one["column"]) for one in told["columns"]] == [("added", "note")]
    assert (told["removed"]["files"], told["removed"]["rows"]) == (1, 2)
    assert (told["added"]["files"], told["added"]["rows"], told["complete"]) == (2, 3, True)
    paths = {file["path"] for file in told["added"]["first"]}
    assert paths == {file["path"] for file in (await control.admin.get(f"{ORDERS}/files"))["items"]}
    same = await control.admin.get(f"{ORDERS}/snapshots/diff", params={"before": newest, "after": newest})
    assert (same["added"]["files"], same["removed"]["files"], same["columns"]) == (0, 0, [])
    back = await control.admin.get(f"{ORDERS}/snapshots/diff", params={"before": newest, "after": oldest})
    assert (back["added"]["files"], back["removed"]["files"]) == (1, 2)
    await control.admin.get(f"{ORDERS}/snapshots/diff", params={"before": "77", "after": newest}, status=400)
    # Files of an older snapshot can be listed too.
    older = await control.admin.get(f"{ORDERS}/files", params={"snapshot": oldest})
    assert [file["rows"] for file in older["items"]] == [2]


async def test_partitions_with_their_files_rows_and_bytes(control: ControlPlane, lake: Lake) -> None:
    table = lake.table("sales.orders", ["id", "region"])
    with table.update_spec() as update:
        update.add_identity("region")
    lake.write("sales.orders", 3)
    lake.write("sales.orders", 2)
    await sync(control)
    told = await control.admin.get(f"{ORDERS}/partitions", params={"order": "-files"})
    assert [(one["label"], one["files"], one["rows"], one["small_files"]) for one in told["items"]] == [
        ("region=0", 2, 2, 2),
        ("region=1", 2, 2, 2),
        ("region=2", 1, 1, 1),
    ]
    assert (told["total"], told["next"], told["complete"]) == (3, None, True)
    first = await control.admin.get(f"{ORDERS}/partitions", params={"order": "name", "limit": 2})
    rest = await control.admin.get(
        f"{ORDERS}/partitions", params={"order": "name", "limit": 2, "cursor": first["next"]}
    )
    assert [one["values"]["region"] for one in first["items"] + rest["items"]] == [0, 1, 2]
    assert (await control.admin.get(f"{ORDERS}/partitions", params={"text": "=2"}))["total"] == 1
    files = await control.admin.get(f"{ORDERS}/files", params={"partition": "region=1"})
    assert [file["partition"] for file in files["items"]] == [{"region": 1}] * 2


async def test_files_in_an_order_and_narrowed(control: ControlPlane, lake: Lake) -> None:
    lake.table("sales.orders")
    lake.pretend_files("sales.orders", manifests=3, each=5, size=1024)
    await sync(control)
    seen: list[str] = []
    query: Json = {"order": "-path", "limit": 4}
    while True:
        page = await control.admin.get(f"{ORDERS}/files", params=query)
        seen += [file["path"].rpartition("/")[2] for file in page["items"]]
        if page["next"] is None:
            break
        query["cursor"] = page["next"]
    assert seen == [f"{number}-{one}.parquet" for number in (2, 1, 0) for one in (4, 3, 2, 1, 0)]
    found = await control.admin.get(f"{ORDERS}/files", params={"text": "/1-"})
    assert len(found["items"]) == 5
    assert len((await control.admin.get(f"{ORDERS}/files", params={"small": True}))["items"]) == 15
    assert (await control.admin.get(f"{ORDERS}/files", params={"partition": "a=1"}))["items"] == []
    await control.admin.get(f"{ORDERS}/files", params={"snapshot": "77"}, status=400)


class TestGrants:
    @pytest.fixture
    def principal(self, lake: Lake) -> str:
        """One that the catalog's owner made."""

        async def make() -> None:
            store = open_store(lake.catalog.store, {})
            principals = Principals(store)
            if "etl" not in {one.name for one in await principals.all()}:
                await principals.create("etl")
            await store.close()

        asyncio.run(make())
        return "etl"

    async def test_a_platform_admin_grants_and_revokes_and_everybody_sees(
        self, principal: str, control: ControlPlane, lake: Lake
    ) -> None:
        lake.table("sales.orders")
        await sync(control)
        wanted = {"principal": principal, "privilege": "read"}
        await control.admin.post(f"{ORDERS}/grants", wanted, status=204)
        told = await control.admin.get(f"{ORDERS}/grants")
        given = {**wanted, "kind": "table", "on": "sales.orders", "inherited": False}
        assert told == {"enforced": False, "grants": [given], "principals": [principal]}
        editor = await control.user("ann", north="admin")
        assert await editor.get(f"{ORDERS}/grants") == {**told, "principals": None}
        for method, options in (("POST", {"body": wanted}), ("DELETE", {"params": wanted})):
            error = await editor.ask(method, f"{ORDERS}/grants", status=403, **options)
            assert "platform admin" in error["message"]
        await control.admin.ask("DELETE", f"{ORDERS}/grants", params=wanted, status=204)
        assert (await control.admin.get(f"{ORDERS}/grants"))["grants"] == []
        for action in ("dataset.grant", "dataset.revoke"):
            entries = (await control.admin.get("/audit", params={"action": action}))["items"]
            assert sorted(entry["result"] for entry in entries) == ["done", "forbidden"]

    async def test_what_makes_no_sense_is_refused(self, control: ControlPlane, lake: Lake) -> None:
        lake.table("sales.orders")
        await sync(control)
        await control.admin.post(f"{ORDERS}/grants", {"principal": "nobody", "privilege": "read"}, status=404)
        await control.admin.post(f"{ORDERS}/grants", {"principal": "a/b", "privilege": "read"}, status=422)
        await control.admin.post(f"{ORDERS}/grants", {"principal": "etl", "privilege": "fly"}, status=422)
        await control.admin.post(DATASETS, {"name": "paper.logs", "format": "csv"})
        error = await control.admin.get(f"{DATASETS}/paper.logs/grants", status=409)
        assert "not in the lakehouse's own catalog" in error["message"]
