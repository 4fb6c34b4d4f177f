"""Datasets: what people write of tables, what a sync finds, and what is read of a table at the moment."""

import pytest

from boathouse.control.database import Database
from boathouse.kit.catalog_client import CatalogClient, LoadedTable
from tests.behaviour.control.control_plane import ControlPlane, Json
from tests.behaviour.control.lake import Lake
from tests.integration.catalog_process import TOKEN

DATASETS = "/workspaces/north/datasets"
ORDERS: Json = {
    "name": "sales.orders",
    "format": "parquet",
    "location": "s3://shop/orders",
    "owner": "Sales",
    "description": "Every order since the shop opened",
    "tags": ["pii", "gold"],
}


@pytest.fixture
def control(control_of_lake: ControlPlane) -> ControlPlane:
    return control_of_lake


async def synced(control: ControlPlane, status: int = 200, **wanted: Json) -> Json:
    told = await control.admin.post(f"{DATASETS}/sync", wanted, status=status)
    return {name: count for name, count in told.items() if count} if status == 200 else told


async def names(control: ControlPlane, **query: Json) -> list[str]:
    return [one["name"] for one in (await control.admin.get(DATASETS, params=query))["items"]]


class TestByHand:
    async def test_a_dataset_is_registered_changed_and_removed(self, control: ControlPlane) -> None:
        made = await control.admin.post(DATASETS, ORDERS)
        assert (made["owner"], made["tags"], made["catalog"]) == ("Sales", ["gold", "pii"], None)
        changed = await control.admin.ask("PATCH", f"{DATASETS}/sales.orders", {"owner": "Ann", "tags": []})
        assert (changed["owner"], changed["tags"], changed["description"]) == ("Ann", [], ORDERS["description"])
        assert await control.admin.get(f"{DATASETS}/sales.orders") == changed
        await control.admin.ask("DELETE", f"{DATASETS}/sales.orders", status=204)
        await control.admin.get(f"{DATASETS}/sales.orders", status=404)
        actions = [entry["action"] for entry in (await control.admin.get("/audit"))["items"]]
        assert actions[:3] == ["dataset.remove", "dataset.change", "dataset.register"]

    async def test_whoever_registers_it_owns_it_if_nobody_is_named(self, control: ControlPlane) -> None:
        editor = await control.user("ann", north="editor")
        assert (await editor.post(DATASETS, {"name": "a.b"}))["owner"] == "ann"

    async def test_viewers_see_and_editors_change(self, control: ControlPlane) -> None:
        await control.admin.post(DATASETS, ORDERS)
        viewer = await control.user("ann", north="viewer")
        assert (await viewer.get(f"{DATASETS}/sales.orders"))["owner"] == "Sales"
        for method, path in (("POST", ""), ("PATCH", "/sales.orders"), ("DELETE", "/sales.orders"), ("POST", "/sync")):
            error = await viewer.ask(method, DATASETS + path, {"name": "a.b"} if not path else {}, status=403)
            assert "takes the role editor" in error["message"]

    async def test_a_name_is_taken_once_in_a_workspace(self, control: ControlPlane) -> None:
        await control.admin.post(DATASETS, ORDERS)
        await control.admin.post(DATASETS, ORDERS, status=409)
        await control.workspace("south")
        await control.admin.post("/workspaces/south/datasets", ORDERS)

    @pytest.mark.parametrize(
        "change",
        [
            {"name": "orders"},
            {"name": "sales..orders"},
            {"name": "sales.or/ders"},
            {"name": "sales.orders\n"},
            {"format": "excel"},
            {"tags": ["Has Space"]},
            {"connection": "lake"},
            {"more": 1},
        ],
    )
    async def test_what_makes_no_sense_is_refused(self, control: ControlPlane, change: Json) -> None:
        await control.admin.post(DATASETS, {**ORDERS, **change}, status=422)

    async def test_a_connection_must_be_to_a_catalog(self, control: ControlPlane) -> None:
        wanted = {"name": "a.b", "connection": "store"}
        await control.admin.post(DATASETS, wanted, status=404)
        store = {"endpoint": "http://h:1", "bucket": "boats", "access_key": "k"}
        await control.admin.post("/workspaces/north/connections", {"name": "store", "kind": "s3", "config": store})
        error = await control.admin.post(DATASETS, wanted, status=400)
        assert "of the kind s3" in error["message"]

    async def test_one_without_a_catalog_has_no_table_to_read(self, control: ControlPlane) -> None:
        await control.admin.post(DATASETS, {"name": "a.b"})
        for what in ("table", "schemas", "snapshots", "files", "sizes", "health"):
            error = await control.admin.get(f"{DATASETS}/a.b/{what}", status=409)
            assert "No catalog is known to hold a.b" in error["message"]


class TestSearch:
    async def test_words_are_found_wherever_they_are(self, control: ControlPlane) -> None:
        await control.admin.post(DATASETS, ORDERS)
        await control.admin.post(DATASETS, {"name": "shop.prices", "description": "Zürich 100%", "owner": "Ann"})
        for text in ("ORDERS", "shop OPENED", "pii", "#gold sales", "order since"):
            assert await names(control, text=text) == ["sales.orders"], text
        for text in ("ZÜRICH", "100%", "ann prices"):
            assert await names(control, text=text) == ["shop.prices"], text
        assert await names(control, text="s") == ["sales.orders", "shop.prices"]
        assert await names(control, text="orders prices") == []
        assert await names(control, text="1_0%") == []

    async def test_by_tag_and_owner(self, control: ControlPlane) -> None:
        await control.admin.post(DATASETS, ORDERS)
        await control.admin.post(DATASETS, {"name": "a.b", "tags": ["goldish"], "owner": "Ann"})
        assert await names(control, tag="gold") == ["sales.orders"]
        assert await names(control, owner="Ann") == ["a.b"]

    async def test_lists_come_in_pages(self, control: ControlPlane) -> None:
        for number in range(3):
            await control.admin.post(DATASETS, {"name": f"n{'x' * 150}.t{number}"})
        page = await control.admin.get(DATASETS, params={"limit": 2, "text": "t"})
        rest = await control.admin.get(DATASETS, params={"limit": 2, "text": "t", "cursor": page["next"]})
        assert (len(page["items"]), len(rest["items"]), rest["next"]) == (2, 1, None)

    async def test_by_namespace_and_how_many_are_where(self, control: ControlPlane) -> None:
        for name in ("sales.orders", "sales.eu.orders", "sales_old.orders", "stock.items"):
            await control.admin.post(DATASETS, {"name": name, "tags": ["gold"] if "eu" in name else []})
        assert await names(control, namespace="sales") == ["sales.eu.orders", "sales.orders"]
        assert await names(control, namespace="sales.eu") == ["sales.eu.orders"]
        groups = await control.admin.get("/workspaces/north/dataset-groups")
        assert {one["name"]: one["datasets"] for one in groups["namespaces"]} == {
            "sales": 1,
            "sales.eu": 1,
            "sales_old": 1,
            "stock": 1,
        }
        assert (groups["datasets"], groups["tags"]) == (4, [{"name": "gold", "datasets": 1}])

    async def test_columns_are_found_after_a_sync(self, control: ControlPlane, lake: Lake) -> None:
        lake.table("sales.orders", ["id", "customer_mail"])
        lake.table("sales.items", ["id"])
        await synced(control)
        assert await names(control, text="customer_mail") == ["sales.orders"]


class TestSync:
    async def test_it_adds_what_is_there_and_again_changes_nothing(self, control: ControlPlane, lake: Lake) -> None:
        for name in ("sales.orders", "sales.orders__loads", "sales.deep.items", "_staging.x"):
            lake.table(name)
        lake.write("sales.orders", 5)
        assert await synced(control) == {"found": 2, "added": 2}
        assert await synced(control) == {"found": 2, "unchanged": 2}
        assert await names(control) == ["sales.deep.items", "sales.orders"]
        told = await control.admin.get(f"{DATASETS}/sales.orders")
        assert (told["catalog"], told["columns"], told["rows"], told["files"]) == ("lake", ["id"], 5, 1)
        assert told["committed_at"] is not None
        assert told["bytes"] > 0
        entry = (await control.admin.get("/audit", params={"action": "dataset.sync"}))["items"][1]
        assert (entry["result"], entry["details"]["added"]) == ("done", 2)

    async def test_what_people_wrote_stays_whatever_becomes_of_the_table(
        self, control: ControlPlane, lake: Lake
    ) -> None:
        lake.table("sales.orders")
        await synced(control)
        written = {"owner": "Ann", "description": "Ours", "tags": ["gold"]}
        await control.admin.ask("PATCH", f"{DATASETS}/sales.orders", written)
        lake.write("sales.orders")
        assert await synced(control) == {"found": 1, "changed": 1}
        lake.rename("sales.orders", "sales.bookings")
        assert await synced(control) == {"found": 1, "renamed": 1}
        lake.drop("sales.bookings")
        assert await synced(control) == {"gone": 1}
        assert await synced(control) == {}
        told = await control.admin.get(f"{DATASETS}/sales.bookings")
        assert {name: told[name] for name in written} == written
        assert told["gone_at"] is not None
        assert await names(control, gone=False) == []
        await control.admin.get(f"{DATASETS}/sales.bookings/table", status=404)
        lake.table("sales.bookings")
        assert await synced(control) == {"found": 1, "returned": 1}
        told = await control.admin.get(f"{DATASETS}/sales.bookings")
        assert ({name: told[name] for name in written}, told["gone_at"]) == (written, None)

    async def test_one_registered_by_hand_is_taken_up(self, control: ControlPlane, lake: Lake) -> None:
        await control.admin.post(DATASETS, {"name": "sales.orders", "owner": "Ann"})
        lake.table("sales.orders")
        assert await synced(control) == {"found": 1, "changed": 1}
        told = await control.admin.get(f"{DATASETS}/sales.orders")
        assert (told["owner"], told["catalog"]) == ("Ann", "lake")

    async def test_the_lakehouses_own_catalog_is_for_platform_admins(self, control: ControlPlane, lake: Lake) -> None:
        lake.table("sales.orders")
        editor = await control.user("ann", north="admin")
        error = await editor.post(f"{DATASETS}/sync", {}, status=403)
        assert "platform admin" in error["message"]
        # Nor is a table of it read for who only gives its name.
        await editor.post(DATASETS, {"name": "sales.orders"})
        await editor.get(f"{DATASETS}/sales.orders/table", status=409)

    async def test_a_connection_is_synced_with_rights_of_its_own(self, control: ControlPlane, lake: Lake) -> None:
        lake.table("sales.orders")
        connection = {
            "name": "partner",
            "kind": "iceberg-rest",
            "config": {"uri": lake.catalog.uri, "warehouse": "lake"},
            "secrets": {"token": TOKEN},
        }
        await control.admin.post("/workspaces/north/connections", connection)
        editor = await control.user("ann", north="editor")
        told = await editor.post(f"{DATASETS}/sync", {"connection": "partner"}, status=200)
        assert (told["found"], told["added"]) == (1, 1)
        assert (await editor.get(f"{DATASETS}/sales.orders"))["catalog"] == "connection partner"
        assert (await editor.get(f"{DATASETS}/sales.orders/table"))["columns"][0]["name"] == "id"
        # The same name in another catalog is left alone, and said so.
        told = await synced(control)
        assert told["left_out"][0]["name"] == "sales.orders"
        # Files on the server's own machine are nobody's to read by a connection.
        lake.write("sales.orders")
        error = await editor.get(f"{DATASETS}/sales.orders/files", status=400)
        assert "gives no keys" in error["message"]
        await control.admin.ask("DELETE", "/workspaces/north/connections/partner", status=204)
        assert (await editor.get(f"{DATASETS}/sales.orders"))["catalog"] is None

    async def test_a_catalog_that_is_away_changes_nothing(self, control: ControlPlane, lake: Lake) -> None:
        lake.table("sales.orders")
        await synced(control)
        lake.catalog.stop()
        try:
            await control.admin.post(f"{DATASETS}/sync", {}, status=503)
            assert await names(control, gone=False) == ["sales.orders"]
            await control.admin.get(f"{DATASETS}/sales.orders/table", status=503)
        finally:
            lake.catalog.start()

    async def test_a_server_without_a_lakehouse_says_so(self, database: Database) -> None:
        async with ControlPlane(database) as control:
            await control.workspace("north")
            error = await control.admin.post(f"{DATASETS}/sync", {}, status=400)
            assert "belongs to no lakehouse" in error["message"]


class TestTables:
    async def test_what_a_table_is_like_is_read_at_the_moment(self, control: ControlPlane, lake: Lake) -> None:
        table = lake.table("sales.orders", ["id", "amount"])
        await synced(control)
        told = await control.admin.get(f"{DATASETS}/sales.orders/table")
        assert (told["rows"], told["files"], told["current_snapshot_id"], told["committed_at"]) == (0, 0, None, None)
        lake.write("sales.orders", 7)
        with table.refresh().update_schema() as update:
            update.rename_column("amount", "total")
            update.add_column("note", table.schema().find_field("id").field_type)
        told = await control.admin.get(f"{DATASETS}/sales.orders/table")
        assert [column["name"] for column in told["columns"]] == ["id", "total", "note"]
        assert (told["rows"], told["files"], told["snapshots"], told["schemas"]) == (7, 1, 1, 2)
        assert told["refs"] == [{"name": "main", "type": "branch", "snapshot_id": told["current_snapshot_id"]}]
        assert told["seconds_since_commit"] >= 0
        schemas = await control.admin.get(f"{DATASETS}/sales.orders/schemas")
        assert [schema["current"] for schema in schemas] == [True, False]
        assert [(change["what"], change["column"], change["before"]) for change in schemas[0]["changes"]] == [
            ("added", "note", None),
            ("renamed", "total", "amount long"),
        ]

    async def test_files_with_their_sizes_and_partitions(self, control: ControlPlane, lake: Lake) -> None:
        table = lake.table("sales.orders", ["id", "region"])
        with table.update_spec() as update:
            update.add_identity("region")
        lake.write("sales.orders", 2)
        await synced(control)
        files = (await control.admin.get(f"{DATASETS}/sales.orders/files"))["items"]
        assert [(file["content"], file["format"], file["rows"]) for file in files] == [("data", "parquet", 1)] * 2
        assert sorted(file["partition"]["region"] for file in files) == [0, 1]
        assert all(file["bytes"] > 0 for file in files)
        told = await control.admin.get(f"{DATASETS}/sales.orders/table")
        assert told["partitions"] == ["region"]

    async def test_ten_thousand_files_come_in_pages(self, control: ControlPlane, lake: Lake) -> None:
        lake.table("sales.orders")
        lake.pretend_files("sales.orders", manifests=10, each=1000, size=1024)
        await synced(control)
        seen: set[str] = set()
        cursor: str | None = None
        while True:
            query = {"limit": 500} | ({"cursor": cursor} if cursor else {})
            page = await control.admin.get(f"{DATASETS}/sales.orders/files", params=query)
            seen |= {file["path"] for file in page["items"]}
            cursor = page["next"]
            if cursor is None:
                break
        assert len(seen) == 10_000
        sizes = await control.admin.get(f"{DATASETS}/sales.orders/sizes")
        assert (sizes["files"], sizes["bytes"], sizes["small_share"], sizes["median"]) == (10_000, 10_240_000, 1, 1024)
        assert [one["files"] for one in sizes["classes"]][:2] == [10_000, 0]
        health = await control.admin.get(f"{DATASETS}/sales.orders/health")
        facts = {fact["name"]: fact for fact in health["facts"]}
        assert (facts["small-files"]["verdict"], health["score"]) == ("attention", None)
        assert "10,000 of 10,000 data files are smaller than 64 MiB" in facts["small-files"]["because"]
        assert set(facts) == {"small-files", "delete-files", "snapshots", "freshness"}

    async def test_a_thousand_snapshots_come_in_pages(self, control: ControlPlane, lake: Lake) -> None:
        lake.table("sales.orders")
        lake.pretend_snapshots("sales.orders", 1000)
        await synced(control)
        first = await control.admin.get(f"{DATASETS}/sales.orders/snapshots", params={"limit": 400})
        assert (first["items"][0]["id"], first["items"][0]["current"]) == ("1000", True)
        told = [snapshot["id"] for snapshot in first["items"]]
        while first["next"]:
            query = {"limit": 400, "cursor": first["next"]}
            first = await control.admin.get(f"{DATASETS}/sales.orders/snapshots", params=query)
            told += [snapshot["id"] for snapshot in first["items"]]
        assert told == [str(number) for number in range(1000, 0, -1)]
        health = await control.admin.get(f"{DATASETS}/sales.orders/health")
        assert {fact["name"]: fact["verdict"] for fact in health["facts"]}["snapshots"] == "attention"
        for what in ("snapshots", "files"):
            await control.admin.get(f"{DATASETS}/sales.orders/{what}", params={"cursor": "x.y"}, status=400)

    async def test_strangers_and_other_workspaces_see_nothing_of_it(self, control: ControlPlane, lake: Lake) -> None:
        lake.table("sales.orders")
        await synced(control)
        await control.workspace("south")
        other = await control.user("ann", south="admin")
        await other.get("/workspaces/south/datasets/sales.orders/table", status=404)
        await other.get(f"{DATASETS}/sales.orders/table", status=404)
        assert (await other.get("/workspaces/south/datasets"))["items"] == []

    @pytest.mark.parametrize("metadata", [{}, {"table-uuid": 1, "location": None, "schemas": "x"}])
    async def test_what_is_no_metadata_is_said_to_be_none(
        self, control: ControlPlane, lake: Lake, metadata: Json, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lake.table("sales.orders")
        await synced(control)

        def load_table(*_: Json, **__: Json) -> LoadedTable:
            return LoadedTable(metadata, None)

        monkeypatch.setattr(CatalogClient, "load_table", load_table)
        for what in ("table", "schemas", "health"):
            error = await control.admin.get(f"{DATASETS}/sales.orders/{what}", status=409)
            assert "not a table's metadata" in error["message"]
        assert (await synced(control))["left_out"][0]["name"] == "sales.orders"
