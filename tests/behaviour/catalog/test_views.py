"""Views over HTTP: created, found, replaced, renamed, registered, dropped."""

import asyncio
import json
from collections.abc import Coroutine, Sequence
from typing import Any

import pytest

from boathouse.catalog.service.places import Claim
from boathouse.catalog.store import Comparison, Write
from tests.behaviour.catalog.http_catalog import (
    SCHEMA,
    HttpCatalog,
    Json,
    change,
    commit,
    creation,
    new_view,
    path_of,
    renaming,
    replacement,
    set_properties,
    table_path,
    view_path,
    view_version,
)

VIEWS = f"{path_of('ns')}/views"
TABLES = f"{path_of('ns')}/tables"
TABLE_COMERS: list[tuple[str, Json]] = [
    (TABLES, {"name": "x", "schema": SCHEMA}),
    (table_path("x"), commit(*creation(), requirements=[{"type": "assert-create"}])),
    ("/tables/rename", renaming(["ns", "t"], ["ns", "x"])),
]
VIEW_COMERS: list[tuple[str, Json]] = [
    (VIEWS, new_view("x")),
    ("/views/rename", renaming(["ns", "v"], ["ns", "x"])),
]


@pytest.fixture(autouse=True)
async def namespace(lake: HttpCatalog) -> None:
    await lake.namespace("ns")


async def names(lake: HttpCatalog, path: str) -> list[str]:
    return [found["name"] for found in (await lake.ok("GET", path))["identifiers"]]


def before_the_next_commit(
    lake: HttpCatalog, monkeypatch: pytest.MonkeyPatch, rival: Coroutine[Any, Any, Json]
) -> None:
    """Let somebody else be faster, when everything has been looked at and nothing written."""
    commit_to_store = lake.store.commit

    async def late(comparisons: Sequence[Comparison], writes: Sequence[Write]) -> bool:
        monkeypatch.setattr(lake.store, "commit", commit_to_store)
        await rival
        return await commit_to_store(comparisons, writes)

    monkeypatch.setattr(lake.store, "commit", late)


class TestCreating:
    async def test_a_new_view_is_written_and_found(self, lake: HttpCatalog) -> None:
        created = await lake.view(properties={"owner": "ann"})
        metadata = created["metadata"]
        assert metadata["location"] == f"{lake.url}/ns/v"
        assert created["metadata-location"].startswith(f"{lake.url}/ns/v/metadata/00000-")
        assert metadata["versions"] == [view_version("SELECT 1")]
        assert metadata["properties"] == {"owner": "ann"}
        assert await lake.ok("GET", view_path("v")) == created
        assert json.loads((lake.root / lake.files()[0]).read_bytes()) == metadata
        assert (await lake.call("HEAD", view_path("v"))).status_code == 204

    async def test_clients_are_told_that_there_are_views(self, lake: HttpCatalog) -> None:
        config = (await lake.http.get("/v1/config")).json()
        assert "GET /v1/{prefix}/namespaces/{namespace}/views/{view}" in config["endpoints"]
        assert "POST /v1/{prefix}/namespaces/{namespace}/register-view" in config["endpoints"]
        assert "POST /v1/{prefix}/views/rename" in config["endpoints"]

    async def test_a_name_is_given_once(self, lake: HttpCatalog) -> None:
        await lake.view()
        error = await lake.refused(409, "POST", VIEWS, new_view("v"))
        assert error == {"message": "View already exists: ns.v", "type": "AlreadyExistsException", "code": 409}
        assert len(lake.files()) == 1

    async def test_a_view_lies_in_a_namespace_that_is_there(self, lake: HttpCatalog) -> None:
        error = await lake.refused(404, "POST", f"{path_of('nope')}/views", new_view("v"))
        assert error["type"] == "NoSuchNamespaceException"

    async def test_a_view_may_say_where_it_lies(self, lake: HttpCatalog) -> None:
        created = await lake.view(location=f"{lake.url}/else/where/")
        assert created["metadata"]["location"] == f"{lake.url}/else/where"

    @pytest.mark.parametrize("name", ["vi/ew", "with.dot", "with space", "a+b", "50%", "ünï"])
    async def test_names_may_hold_what_paths_may_not(self, lake: HttpCatalog, name: str) -> None:
        created = await lake.view(name)
        assert await lake.ok("GET", view_path(name)) == created
        assert await names(lake, VIEWS) == [name]

    @pytest.mark.parametrize(
        "broken",
        [
            {"name": None},
            {"name": ".."},
            {"schema": None},
            {"schema": []},
            {"view-version": None},
            {"view-version": {}},
            {"view-version": {**view_version("SELECT 1"), "representations": []}},
            {"view-version": {**view_version("SELECT 1"), "representations": [{"type": "sql", "sql": "SELECT 1"}]}},
            {"location": 5},
            {"location": "s3://elsewhere/x"},
            {"properties": {"a": 5}},
            {"properties": {"version.history.num-entries": "0"}},
        ],
    )
    async def test_a_request_that_cannot_be_met_is_refused(self, lake: HttpCatalog, broken: Json) -> None:
        await lake.refused(400, "POST", VIEWS, new_view("v") | broken)
        assert lake.files() == []
        assert await names(lake, VIEWS) == []


class TestListing:
    async def test_views_and_tables_are_listed_apart(self, lake: HttpCatalog) -> None:
        await lake.view()
        await lake.table()
        assert (await names(lake, VIEWS), await names(lake, TABLES)) == (["v"], ["t"])

    async def test_lists_come_by_pages_when_asked(self, lake: HttpCatalog) -> None:
        for number in range(5):
            await lake.view(f"v{number}")
        seen: list[str] = []
        token: str | None = ""
        while token is not None:
            page = await lake.ok("GET", VIEWS, params={"pageToken": token, "pageSize": "2"})
            assert len(page["identifiers"]) <= 2
            seen += [found["name"] for found in page["identifiers"]]
            token = page["next-page-token"]
        assert seen == [f"v{number}" for number in range(5)]

    async def test_a_namespace_that_is_not_there_has_no_list(self, lake: HttpCatalog) -> None:
        error = await lake.refused(404, "GET", f"{path_of('nope')}/views")
        assert error["type"] == "NoSuchNamespaceException"

    async def test_a_namespace_with_views_is_not_empty(self, lake: HttpCatalog) -> None:
        await lake.view()
        error = await lake.refused(409, "DELETE", path_of("ns"))
        assert error["type"] == "NamespaceNotEmptyException"
        await lake.ok("DELETE", view_path("v"))
        await lake.ok("DELETE", path_of("ns"))


class TestReplacing:
    async def test_a_replacement_is_the_next_version(self, lake: HttpCatalog) -> None:
        created = await lake.view()
        uuid = {"type": "assert-view-uuid", "uuid": created["metadata"]["view-uuid"]}
        replaced = await lake.ok("POST", view_path("v"), commit(*replacement("SELECT 2"), requirements=[uuid]))
        assert replaced["metadata-location"].startswith(f"{lake.url}/ns/v/metadata/00001-")
        assert replaced["metadata"]["current-version-id"] == 2
        assert [entry["version-id"] for entry in replaced["metadata"]["version-log"]] == [1, 2]
        assert await lake.ok("GET", view_path("v")) == replaced

    async def test_a_replacement_by_the_same_writes_nothing(self, lake: HttpCatalog) -> None:
        created = await lake.view()
        assert await lake.ok("POST", view_path("v"), commit(*replacement("SELECT 1"))) == created
        assert len(lake.files()) == 1

    async def test_another_view_of_the_name_is_a_conflict(self, lake: HttpCatalog) -> None:
        created = await lake.view()
        await lake.ok("DELETE", view_path("v"))
        await lake.view()
        uuid = {"type": "assert-view-uuid", "uuid": created["metadata"]["view-uuid"]}
        body = commit(*replacement("SELECT 2"), requirements=[uuid])
        error = await lake.refused(409, "POST", view_path("v"), body)
        assert error["type"] == "CommitFailedException"
        assert error["message"].startswith("Requirement failed: view UUID does not match")

    async def test_rivals_all_get_their_version(self, lake: HttpCatalog) -> None:
        await lake.view(properties={"version.history.num-entries": "100"})
        bodies = [commit(*replacement(f"SELECT {number}")) for number in range(2, 10)]
        answers = await asyncio.gather(*(lake.call("POST", view_path("v"), body) for body in bodies))
        assert {answer.status_code for answer in answers} == {200}
        metadata = (await lake.ok("GET", view_path("v")))["metadata"]
        assert [version["version-id"] for version in metadata["versions"]] == list(range(1, 10))

    async def test_a_rival_who_added_the_same_schema_does_no_harm(self, lake: HttpCatalog) -> None:
        await lake.view()
        wider = {**SCHEMA, "fields": [*SCHEMA["fields"], {"id": 3, "name": "x", "required": False, "type": "int"}]}
        for query in ("SELECT 2", "SELECT 3"):
            add, make_current = replacement(query)
            add["view-version"]["schema-id"] = -1
            body = commit({"action": "add-schema", "schema": wider}, add, make_current)
            metadata = (await lake.ok("POST", view_path("v"), body))["metadata"]
            assert metadata["versions"][-1]["schema-id"] == 1
            assert len(metadata["schemas"]) == 2

    @pytest.mark.parametrize(
        "body",
        [
            None,
            {"updates": 5},
            {"updates": [{"action": "add-snapshot", "snapshot": {}}]},
            {"updates": [{"action": "set-current-view-version", "view-version-id": 9}]},
            {"requirements": [{"type": "assert-create"}], "updates": []},
            {"identifier": {"namespace": ["ns"], "name": "w"}, "updates": []},
        ],
    )
    async def test_a_commit_that_cannot_be_met_is_refused(self, lake: HttpCatalog, body: Any) -> None:
        created = await lake.view()
        await lake.refused(400, "POST", view_path("v"), body)
        assert await lake.ok("GET", view_path("v")) == created
        assert len(lake.files()) == 1


class TestNotThere:
    @pytest.mark.parametrize(
        ("method", "path", "body"),
        [
            ("GET", view_path("v"), None),
            ("POST", view_path("v"), commit(set_properties(a="1"))),
            ("DELETE", view_path("v"), None),
            ("POST", "/views/rename", renaming(["ns", "v"], ["ns", "w"])),
        ],
    )
    async def test_a_view_that_is_not_there(self, lake: HttpCatalog, method: str, path: str, body: Any) -> None:
        error = await lake.refused(404, method, path, body)
        assert error == {"message": "View does not exist: ns.v", "type": "NoSuchViewException", "code": 404}
        assert (await lake.call("HEAD", view_path("v"))).status_code == 404

    async def test_a_table_is_no_view_and_a_view_no_table(self, lake: HttpCatalog) -> None:
        await lake.table("t")
        await lake.view("v")
        assert (await lake.refused(404, "GET", view_path("t")))["type"] == "NoSuchViewException"
        assert (await lake.refused(404, "GET", table_path("v")))["type"] == "NoSuchTableException"
        assert (await lake.refused(404, "DELETE", view_path("t")))["type"] == "NoSuchViewException"
        assert (await lake.refused(404, "DELETE", table_path("v")))["type"] == "NoSuchTableException"


class TestNamesShared:
    """A view and a table may not have the same name."""

    VIEW_THERE = "View with same name already exists: ns.v"
    TABLE_THERE = "Table with same name already exists: ns.t"

    @pytest.fixture(autouse=True)
    async def both(self, lake: HttpCatalog, namespace: None) -> None:
        del namespace
        await lake.view("v")
        await lake.table("t")

    @pytest.mark.parametrize("staged", [False, True])
    async def test_creating(self, lake: HttpCatalog, *, staged: bool) -> None:
        error = await lake.refused(409, "POST", TABLES, {"name": "v", "schema": SCHEMA, "stage-create": staged})
        assert (error["message"], error["type"]) == (self.VIEW_THERE, "AlreadyExistsException")
        error = await lake.refused(409, "POST", VIEWS, new_view("t"))
        assert (error["message"], error["type"]) == (self.TABLE_THERE, "AlreadyExistsException")

    async def test_creating_by_a_commit(self, lake: HttpCatalog) -> None:
        created = [{"type": "assert-create"}]
        error = await lake.refused(409, "POST", table_path("v"), commit(*creation(), requirements=created))
        assert (error["message"], error["type"]) == (self.VIEW_THERE, "AlreadyExistsException")
        body = {"table-changes": [change("v", *creation(), requirements=created)]}
        assert (await lake.refused(409, "POST", "/transactions/commit", body))["message"] == self.VIEW_THERE

    async def test_renaming(self, lake: HttpCatalog) -> None:
        error = await lake.refused(409, "POST", "/views/rename", renaming(["ns", "v"], ["ns", "t"]))
        assert error["message"] == "Cannot rename ns.v to ns.t. Table already exists"
        error = await lake.refused(409, "POST", "/tables/rename", renaming(["ns", "t"], ["ns", "v"]))
        assert error["message"] == "Cannot rename ns.t to ns.v. View already exists"

    @pytest.mark.parametrize("overwrite", [False, True])
    async def test_registering(self, lake: HttpCatalog, *, overwrite: bool) -> None:
        table = (await lake.load("t"))["metadata-location"]
        body = {"name": "v", "metadata-location": table, "overwrite": overwrite}
        assert (await lake.refused(409, "POST", f"{path_of('ns')}/register", body))["message"] == self.VIEW_THERE
        view = (await lake.ok("GET", view_path("v")))["metadata-location"]
        body = {"name": "t", "metadata-location": view}
        assert (await lake.refused(409, "POST", f"{path_of('ns')}/register-view", body))["message"] == self.TABLE_THERE

    @pytest.mark.parametrize(("path", "body"), TABLE_COMERS)
    async def test_a_view_that_comes_first_at_the_last_moment(
        self, lake: HttpCatalog, monkeypatch: pytest.MonkeyPatch, path: str, body: Json
    ) -> None:
        before_the_next_commit(lake, monkeypatch, lake.view("x", location=f"{lake.url}/other"))
        await lake.refused(409, "POST", path, body)
        assert "x" not in await names(lake, TABLES)

    @pytest.mark.parametrize("rival", ["table", "view"])
    @pytest.mark.parametrize(("path", "body"), [*TABLE_COMERS[:2], VIEW_COMERS[0]])
    async def test_whoever_takes_name_and_place_meanwhile_took_the_name(
        self, lake: HttpCatalog, monkeypatch: pytest.MonkeyPatch, path: str, body: Json, rival: str
    ) -> None:
        places = lake.catalog.tables.places
        claim = places.claim

        async def late(*arguments: Any, **options: Any) -> Claim:
            monkeypatch.setattr(places, "claim", claim)
            await getattr(lake, rival)("x")
            return await claim(*arguments, **options)

        monkeypatch.setattr(places, "claim", late)
        assert "already exists" in (await lake.refused(409, "POST", path, body))["message"]

    @pytest.mark.parametrize(("path", "body"), VIEW_COMERS)
    async def test_a_table_that_does(
        self, lake: HttpCatalog, monkeypatch: pytest.MonkeyPatch, path: str, body: Json
    ) -> None:
        before_the_next_commit(lake, monkeypatch, lake.table("x", location=f"{lake.url}/other"))
        await lake.refused(409, "POST", path, body)
        assert "x" not in await names(lake, VIEWS)


class TestLocations:
    async def test_views_and_tables_do_not_overlap(self, lake: HttpCatalog) -> None:
        await lake.view()
        await lake.table()
        body = {"name": "u", "schema": SCHEMA, "location": f"{lake.url}/ns/v/inside"}
        error = await lake.refused(400, "POST", TABLES, body)
        assert "overlaps that of view ns.v" in error["message"]
        error = await lake.refused(400, "POST", VIEWS, new_view("w", location=f"{lake.url}/ns/t"))
        assert "overlaps that of table ns.t" in error["message"]

    async def test_a_view_may_move_and_keeps_its_places(self, lake: HttpCatalog) -> None:
        await lake.view()
        move = {"action": "set-location", "location": f"{lake.url}/ns/moved"}
        moved = await lake.ok("POST", view_path("v"), commit(move))
        assert moved["metadata-location"].startswith(f"{lake.url}/ns/moved/metadata/00001-")
        for place in ("ns/v", "ns/moved"):
            body = {"name": "w", "schema": SCHEMA, "location": f"{lake.url}/{place}"}
            await lake.refused(400, "POST", TABLES, body)

    async def test_a_dropped_views_place_is_free_again(self, lake: HttpCatalog) -> None:
        await lake.view()
        await lake.ok("DELETE", view_path("v"))
        await lake.table("v", location=f"{lake.url}/ns/v")


class TestRenaming:
    async def test_a_renamed_view_is_the_same_view(self, lake: HttpCatalog) -> None:
        await lake.namespace("far")
        created = await lake.view()
        await lake.ok("POST", "/views/rename", renaming(["ns", "v"], ["far", "w"]))
        assert await lake.ok("GET", view_path("w", "far")) == created
        await lake.refused(404, "GET", view_path("v"))

    async def test_to_a_name_that_is_taken_is_refused(self, lake: HttpCatalog) -> None:
        await lake.view("v")
        await lake.view("w")
        error = await lake.refused(409, "POST", "/views/rename", renaming(["ns", "v"], ["ns", "w"]))
        assert error["message"] == "Cannot rename ns.v to ns.w. View already exists"

    async def test_to_a_namespace_that_is_not_there_is_refused(self, lake: HttpCatalog) -> None:
        await lake.view()
        error = await lake.refused(404, "POST", "/views/rename", renaming(["ns", "v"], ["nope", "v"]))
        assert error["message"] == "Namespace does not exist: nope"

    async def test_to_itself_changes_nothing(self, lake: HttpCatalog) -> None:
        created = await lake.view()
        await lake.ok("POST", "/views/rename", renaming(["ns", "v"], ["ns", "v"]))
        assert await lake.ok("GET", view_path("v")) == created


class TestRegistering:
    PATH = f"{path_of('ns')}/register-view"

    async def test_a_dropped_view_can_be_registered_again(self, lake: HttpCatalog) -> None:
        created = await lake.view()
        await lake.ok("DELETE", view_path("v"))
        body = {"name": "w", "metadata-location": created["metadata-location"]}
        assert await lake.ok("POST", self.PATH, body) == created
        assert await lake.ok("GET", view_path("w")) == created

    async def test_a_name_that_is_taken_is_refused(self, lake: HttpCatalog) -> None:
        created = await lake.view()
        body = {"name": "v", "metadata-location": created["metadata-location"]}
        assert (await lake.refused(409, "POST", self.PATH, body))["message"] == "View already exists: ns.v"

    async def test_a_tables_file_is_no_view_and_the_other_way_round(self, lake: HttpCatalog) -> None:
        table, view = await lake.table(), await lake.view()
        body = {"name": "w", "metadata-location": table["metadata-location"]}
        assert "not the metadata of a view" in (await lake.refused(400, "POST", self.PATH, body))["message"]
        body = {"name": "w", "metadata-location": view["metadata-location"]}
        error = await lake.refused(400, "POST", f"{path_of('ns')}/register", body)
        assert "not the metadata of a table" in error["message"]

    @pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b'{"view-uuid": "x"}'])
    async def test_what_is_no_metadata_is_refused(self, lake: HttpCatalog, content: bytes) -> None:
        lake.root.mkdir(parents=True, exist_ok=True)
        (lake.root / "x.json").write_bytes(content)
        await lake.refused(400, "POST", self.PATH, {"name": "w", "metadata-location": f"{lake.url}/x.json"})
        await lake.refused(404, "GET", view_path("w"))

    async def test_a_file_that_is_not_there_is_not_found(self, lake: HttpCatalog) -> None:
        await lake.refused(404, "POST", self.PATH, {"name": "w", "metadata-location": f"{lake.url}/nope.json"})
