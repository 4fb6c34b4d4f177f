"""Tables over HTTP: created, found, renamed, registered, dropped."""

import gzip
import json
from typing import Any

import pytest

from boathouse.catalog.service import pages, places
from tests.behaviour.catalog.http_catalog import (
    SCHEMA,
    HttpCatalog,
    append,
    commit,
    creation,
    new_view,
    path_of,
    set_properties,
    table_path,
)


@pytest.fixture(autouse=True)
async def namespace(lake: HttpCatalog) -> None:
    await lake.namespace("ns")


class TestCreating:
    async def test_a_new_table_is_written_and_found(self, lake: HttpCatalog) -> None:
        created = await lake.table(properties={"owner": "ann"})
        assert created["metadata"]["location"] == f"{lake.url}/ns/t"
        assert created["metadata-location"].startswith(f"{lake.url}/ns/t/metadata/00000-")
        assert await lake.load() == created
        assert len(lake.files()) == 1
        assert json.loads((lake.root / lake.files()[0]).read_bytes()) == created["metadata"]

    async def test_a_name_is_given_once(self, lake: HttpCatalog) -> None:
        await lake.table()
        error = await lake.refused(409, "POST", f"{path_of('ns')}/tables", {"name": "t", "schema": SCHEMA})
        assert error == {"message": "Table already exists: ns.t", "type": "AlreadyExistsException", "code": 409}
        assert len(lake.files()) == 1

    async def test_a_table_lies_in_a_namespace_that_is_there(self, lake: HttpCatalog) -> None:
        error = await lake.refused(404, "POST", f"{path_of('nope')}/tables", {"name": "t", "schema": SCHEMA})
        assert error["type"] == "NoSuchNamespaceException"

    async def test_a_staged_table_is_not_there(self, lake: HttpCatalog) -> None:
        staged = await lake.stage()
        assert staged["metadata"]["location"] == f"{lake.url}/ns/t"
        assert "metadata-location" not in staged
        assert lake.files() == []
        await lake.refused(404, "GET", table_path("t"))

    async def test_a_table_may_say_where_it_lies(self, lake: HttpCatalog) -> None:
        created = await lake.table(location=f"{lake.url}/else/where/")
        assert created["metadata"]["location"] == f"{lake.url}/else/where"

    async def test_tables_lie_where_their_namespace_says(self, lake: HttpCatalog) -> None:
        await lake.namespace("far", location=f"{lake.url}/far/away")
        created = await lake.table(namespace=["far"])
        assert created["metadata"]["location"] == f"{lake.url}/far/away/t"

    async def test_metadata_lies_where_the_table_says(self, lake: HttpCatalog) -> None:
        created = await lake.table(properties={"write.metadata.path": f"{lake.url}/meta/t"})
        assert created["metadata-location"].startswith(f"{lake.url}/meta/t/00000-")

    async def test_metadata_may_be_compressed(self, lake: HttpCatalog) -> None:
        created = await lake.table(properties={"write.metadata.compression-codec": "gzip"})
        assert created["metadata-location"].endswith(".gz.metadata.json")
        assert json.loads(gzip.decompress((lake.root / lake.files()[0]).read_bytes())) == created["metadata"]
        lake.catalog.tables.files._cache.clear()
        assert await lake.load() == created

    @pytest.mark.parametrize("name", ["tab/le", "with.dot", "with space", "a+b", "50%", "ünï", "..x", "#1?"])
    async def test_names_may_hold_what_paths_may_not(self, lake: HttpCatalog, name: str) -> None:
        created = await lake.table(name)
        assert await lake.load(name) == created
        listed = (await lake.ok("GET", f"{path_of('ns')}/tables"))["identifiers"]
        assert listed == [{"namespace": ["ns"], "name": name}]
        await lake.ok("DELETE", table_path(name))

    @pytest.mark.parametrize(
        "body",
        [
            None,
            [],
            {},
            {"name": "t"},
            {"schema": SCHEMA},
            {"name": "", "schema": SCHEMA},
            {"name": "..", "schema": SCHEMA},
            {"name": 5, "schema": SCHEMA},
            {"name": "t", "schema": []},
            {"name": "t", "schema": {"type": "struct", "fields": [5]}},
            {"name": "t", "schema": SCHEMA, "location": 5},
            {"name": "t", "schema": SCHEMA, "properties": {"a": 5}},
            {"name": "t", "schema": SCHEMA, "properties": {"format-version": "x"}},
            {"name": "t", "schema": SCHEMA, "stage-create": "yes"},
            {"name": "t", "schema": SCHEMA, "partition-spec": {"fields": [{}]}},
            {"name": "t", "schema": SCHEMA, "write-order": 5},
        ],
    )
    async def test_a_request_that_cannot_be_read_is_refused(self, lake: HttpCatalog, body: Any) -> None:
        await lake.refused(400, "POST", f"{path_of('ns')}/tables", body)
        assert lake.files() == []


PATHS = pytest.mark.parametrize(
    "path", ["write.metadata.path", "write.data.path", "write.object-storage.path", "write.folder-storage.path"]
)


@PATHS
class TestPaths:
    """Where properties put a table's files."""

    async def refused(self, lake: HttpCatalog, path: str, place: str, **more: str) -> str:
        """However it is asked for, and nothing is left behind."""
        properties = {path: place, **more}
        before = lake.files()
        body = {"name": "u", "schema": SCHEMA, "properties": properties}
        error = await lake.refused(400, "POST", f"{path_of('ns')}/tables", body)
        assert path in error["message"]
        await lake.refused(400, "POST", f"{path_of('ns')}/tables", {**body, "stage-create": True})
        created = commit(*creation(), set_properties(**properties), requirements=[{"type": "assert-create"}])
        await lake.refused(400, "POST", table_path("u"), created)
        await lake.refused(400, "POST", table_path("mine"), commit(set_properties(**properties)))
        await lake.refused(400, "POST", f"{path_of('ns')}/views", new_view("v", properties=properties))
        assert lake.files() == before
        return error["message"]

    @pytest.mark.parametrize("place", ["s3://lake/x", "file:///etc/x", "/x", "{url}", "{url}/../x", "{url}side/x"])
    async def test_outside_the_warehouse_is_refused(self, lake: HttpCatalog, path: str, place: str) -> None:
        await lake.table("mine")
        await self.refused(lake, path, place.replace("{url}", lake.url))

    @pytest.mark.parametrize("below", ["ns/t", "ns/t/metadata", "ns/t/deep/inside", "ns"])
    async def test_overlapping_another_table_is_refused(self, lake: HttpCatalog, path: str, below: str) -> None:
        await lake.table()
        await lake.table("mine")
        message = await self.refused(lake, path, f"{lake.url}/{below}", **{"gc.enabled": "true"})
        assert "overlaps the location of table ns." in message

    async def test_what_is_registered_is_held_to_the_same(self, lake: HttpCatalog, path: str) -> None:
        await lake.table()
        metadata = (await lake.stage("u"))["metadata"]
        file = lake.root / "ns" / "u.metadata.json"
        file.write_text(json.dumps(metadata | {"properties": {path: f"{lake.url}/ns/t/metadata"}}))
        body = {"name": "u", "metadata-location": f"file://{file}"}
        error = await lake.refused(400, "POST", f"{path_of('ns')}/register", body)
        assert "overlaps the location of table ns.t" in error["message"]

    @pytest.mark.parametrize("below", ["ns/t/elsewhere", "apart/t", "ns/t"])
    async def test_ones_own_place_and_what_is_nobodys_may_be_used(
        self, lake: HttpCatalog, path: str, below: str
    ) -> None:
        await lake.table(properties={path: f"{lake.url}/{below}"})
        assert (await lake.set_property("a", "b")).status_code == 200

    async def test_a_table_that_leaves_its_files_to_others_may_write_where_they_lie(
        self, lake: HttpCatalog, path: str
    ) -> None:
        """As the ingest pipeline's copies do: what they write becomes the other table's. Nothing is deleted by them."""
        await lake.table()
        await lake.table("copy", properties={path: f"{lake.url}/ns/t/files", "gc.enabled": "false"})
        assert (await lake.set_property("a", "b", "copy")).status_code == 200
        error = await lake.refused(400, "POST", table_path("copy"), commit(set_properties(**{"gc.enabled": "true"})))
        assert "overlaps the location of table ns.t" in error["message"]

    @pytest.mark.parametrize("below", ["apart/t", "apart/t/in", "apart"])
    async def test_the_place_is_the_tables_as_long_as_it_is_there(
        self, lake: HttpCatalog, path: str, below: str
    ) -> None:
        await lake.table(properties={path: f"{lake.url}/apart/t"})
        await rename(lake, "t", "renamed")
        removal = {"action": "remove-properties", "removals": [path]}
        await lake.ok("POST", table_path("renamed"), commit(removal))
        body = {"name": "u", "schema": SCHEMA, "location": f"{lake.url}/{below}"}
        error = await lake.refused(400, "POST", f"{path_of('ns')}/tables", body)
        assert "overlaps that of table ns.renamed" in error["message"]
        await lake.ok("DELETE", table_path("renamed"))
        await lake.ok("POST", f"{path_of('ns')}/tables", body)

    async def test_a_place_around_its_own_is_refused(self, lake: HttpCatalog, path: str) -> None:
        await lake.table(location=f"{lake.url}/ns/mine/t")
        around = commit(set_properties(**{path: f"{lake.url}/ns/mine"}))
        assert "encloses" in (await lake.refused(400, "POST", table_path("t"), around))["message"]

    async def test_a_purge_deletes_what_lies_there_too(self, lake: HttpCatalog, path: str) -> None:
        await lake.table(properties={path: f"{lake.url}/apart/t"})
        for place in ("apart/t/data", "apart/other"):
            (lake.root / place).mkdir(parents=True)
            (lake.root / place / "part.parquet").write_bytes(b"rows")
        await lake.ok("DELETE", f"{table_path('t')}?purgeRequested=true")
        await lake.catalog.purging.finished()
        assert lake.files() == ["apart/other/part.parquet"]
        await lake.table("u", location=f"{lake.url}/apart/t")

    async def test_who_deletes_nothing_has_no_place_of_its_own_there(self, lake: HttpCatalog, path: str) -> None:
        await lake.table(properties={path: f"{lake.url}/ns/later/x", "gc.enabled": "false"})
        await lake.table("later", location=f"{lake.url}/ns/later")
        assert (await lake.set_property("a", "b")).status_code == 200
        assert (await lake.set_property(path, f"{lake.url}/ns/free")).status_code == 200


class TestLocations:
    @pytest.mark.parametrize(
        "location", ["s3://lake/x", "file:///etc/x", "/x", "{url}", "{url}/../x", "{url}/a/../../x", "{url}side/x", ""]
    )
    async def test_outside_the_warehouse_is_refused(self, lake: HttpCatalog, location: str) -> None:
        body = {"name": "t", "schema": SCHEMA, "location": location.replace("{url}", lake.url)}
        if location:
            await lake.refused(400, "POST", f"{path_of('ns')}/tables", body)
        else:
            await lake.table(location="")

    @pytest.mark.parametrize("below", ["ns/t", "ns/t/inside", "ns/t/deep/inside", "ns"])
    async def test_overlapping_another_table_is_refused(self, lake: HttpCatalog, below: str) -> None:
        await lake.table()
        body = {"name": "u", "schema": SCHEMA, "location": f"{lake.url}/{below}"}
        error = await lake.refused(400, "POST", f"{path_of('ns')}/tables", body)
        assert "overlaps that of table ns.t" in error["message"]

    async def test_a_neighbour_with_a_longer_name_is_no_overlap(self, lake: HttpCatalog) -> None:
        await lake.table("t")
        await lake.table("t2", location=f"{lake.url}/ns/t-2")

    async def test_a_place_is_free_again_after_a_drop(self, lake: HttpCatalog) -> None:
        first = await lake.table()
        await lake.ok("DELETE", table_path("t"))
        assert (await lake.table())["metadata"]["location"] == first["metadata"]["location"]

    async def test_after_a_rename_the_old_name_gets_another_place(self, lake: HttpCatalog) -> None:
        first = await lake.table()
        await rename(lake, "t", "renamed")
        second = await lake.table()
        assert second["metadata"]["location"] != first["metadata"]["location"]
        assert second["metadata"]["location"].startswith(f"{lake.url}/ns/t-")

    async def test_a_table_and_a_namespace_of_the_same_name_do_not_overlap(self, lake: HttpCatalog) -> None:
        await lake.table("x")
        await lake.namespace("ns", "x")
        inner = await lake.table("y", ["ns", "x"])
        assert not inner["metadata"]["location"].startswith(f"{lake.url}/ns/x/")

    async def test_moving_a_table_takes_the_new_place_and_keeps_the_old_where_its_files_are(
        self, lake: HttpCatalog
    ) -> None:
        first = (await lake.table())["metadata-location"]
        moved = await lake.ok("POST", table_path("t"), commit(moving(f"{lake.url}/moved")))
        assert moved["metadata-location"].startswith(f"{lake.url}/moved/metadata/00001-")
        for place in ("moved/in", "ns/t", "ns/t/in", "ns"):
            body = {"name": "v", "schema": SCHEMA, "location": f"{lake.url}/{place}"}
            await lake.refused(400, "POST", f"{path_of('ns')}/tables", body)
        await lake.ok("POST", table_path("t"), commit(moving(f"{lake.url}/ns/t")))
        assert (await lake.table("u"))["metadata"]["location"] == f"{lake.url}/ns/u"
        assert lake.root / first.removeprefix(f"{lake.url}/") in {lake.root / file for file in lake.files()}

    async def test_a_purge_deletes_all_the_places_a_table_had_and_a_drop_frees_them(self, lake: HttpCatalog) -> None:
        await lake.table()
        for place in ("one", "two", "two/deeper"):
            await lake.ok("POST", table_path("t"), commit(moving(f"{lake.url}/{place}")))
        assert {file.partition("/")[0] for file in lake.files()} == {"ns", "one", "two"}
        await lake.ok("DELETE", f"{table_path('t')}?purgeRequested=true")
        await lake.catalog.purging.finished()
        assert lake.files() == []
        for name, place in (("t", "ns/t"), ("u", "one"), ("v", "two")):
            await lake.table(name, location=f"{lake.url}/{place}")
        await lake.ok("POST", table_path("t"), commit(moving(f"{lake.url}/moved")))
        await lake.ok("DELETE", table_path("t"))
        for name, place in (("t", "ns/t"), ("w", "moved")):
            await lake.table(name, location=f"{lake.url}/{place}")

    async def test_an_older_version_that_is_registered_keeps_them_and_another_table_does_not(
        self, lake: HttpCatalog
    ) -> None:
        first, other = await lake.table(), await lake.table("other")
        await lake.ok("POST", table_path("t"), commit(moving(f"{lake.url}/moved")))
        again = {"name": "t", "metadata-location": first["metadata-location"], "overwrite": True}
        assert (await lake.ok("POST", f"{path_of('ns')}/register", again)) == first
        body = {"name": "u", "schema": SCHEMA, "location": f"{lake.url}/moved"}
        await lake.refused(400, "POST", f"{path_of('ns')}/tables", body)
        await lake.ok("DELETE", table_path("other"))
        replaced = {**again, "metadata-location": other["metadata-location"]}
        assert (await lake.ok("POST", f"{path_of('ns')}/register", replaced)) == other
        await lake.ok("POST", f"{path_of('ns')}/tables", body)
        await lake.table("v", location=f"{lake.url}/ns/t")

    async def test_a_table_does_not_move_without_end(self, lake: HttpCatalog, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(places, "_MOST_PLACES", 2)
        await lake.table()
        for place in ("one", "two"):
            await lake.ok("POST", table_path("t"), commit(moving(f"{lake.url}/{place}")))
        await lake.refused(400, "POST", table_path("t"), commit(moving(f"{lake.url}/three")))
        await lake.ok("POST", table_path("t"), commit(moving(f"{lake.url}/one")))

    async def test_two_slashes_are_one(self, lake: HttpCatalog) -> None:
        await lake.table()
        body = {"name": "u", "schema": SCHEMA, "location": f"{lake.url}//ns//t"}
        error = await lake.refused(400, "POST", f"{path_of('ns')}/tables", body)
        assert "overlaps that of table ns.t" in error["message"]

    @pytest.mark.parametrize(
        "place", ["ns/a\nb", "ns/a\tb", "ns/\x00", "ns/\x7f", "ns/t/\U0010ffff", "ns/" + "x" * 256, "x/" * 600]
    )
    async def test_a_place_that_not_everybody_can_name_is_refused(self, lake: HttpCatalog, place: str) -> None:
        await lake.table("mine")
        url = f"{lake.url}/{place}"
        await lake.refused(400, "POST", f"{path_of('ns')}/tables", {"name": "t", "schema": SCHEMA, "location": url})
        await lake.refused(400, "POST", table_path("mine"), commit(moving(url)))
        await lake.refused(400, "POST", table_path("mine"), commit(set_properties(**{"write.data.path": url})))
        body = {"namespace": ["there"], "properties": {"location": url}}
        await lake.refused(400, "POST", "/namespaces", body)

    async def test_a_table_may_move_within_its_own_place(self, lake: HttpCatalog) -> None:
        await lake.table()
        for place in ("ns/t/deeper", "ns/t"):
            await lake.ok("POST", table_path("t"), commit(moving(f"{lake.url}/{place}")))
        body = {"name": "u", "schema": SCHEMA, "location": f"{lake.url}/ns/t/in"}
        await lake.refused(400, "POST", f"{path_of('ns')}/tables", body)

    @pytest.mark.parametrize("place", ["ns", "ns/t"])
    async def test_but_not_to_one_around_it_where_others_may_come_to_lie(self, lake: HttpCatalog, place: str) -> None:
        await lake.table(location=f"{lake.url}/ns/t/deeper")
        move = {"action": "set-location", "location": f"{lake.url}/{place}"}
        assert "encloses" in (await lake.refused(400, "POST", table_path("t"), commit(move)))["message"]

    async def test_but_not_out_of_the_warehouse(self, lake: HttpCatalog) -> None:
        await lake.table()
        move = {"action": "set-location", "location": "file:///elsewhere"}
        await lake.refused(400, "POST", table_path("t"), commit(move))


class TestLoading:
    async def test_one_that_is_not_there(self, lake: HttpCatalog) -> None:
        for method in ("GET", "POST", "DELETE"):
            error = await lake.refused(404, method, table_path("t"), commit() if method == "POST" else None)
            assert error == {"message": "Table does not exist: ns.t", "type": "NoSuchTableException", "code": 404}
        await lake.refused(404, "HEAD", table_path("t"))

    async def test_it_exists(self, lake: HttpCatalog) -> None:
        await lake.table()
        assert (await lake.call("HEAD", table_path("t"))).status_code == 204

    async def test_an_etag_says_whether_it_changed(self, lake: HttpCatalog) -> None:
        await lake.table()
        tag = (await lake.call("GET", table_path("t"))).headers["etag"]
        unchanged = await lake.call("GET", table_path("t"), headers={"If-None-Match": tag})
        assert (unchanged.status_code, unchanged.content) == (304, b"")
        changed = await lake.set_property("a", "b")
        assert changed.headers["etag"] != tag
        again = await lake.call("GET", table_path("t"), headers={"If-None-Match": tag})
        assert (again.status_code, again.headers["etag"]) == (200, changed.headers["etag"])

    @pytest.mark.parametrize("known", ["W/{tag}", '"other", {tag}', '"other",W/{tag} , "more"', "*", " * "])
    async def test_a_client_may_know_several_versions(self, lake: HttpCatalog, known: str) -> None:
        await lake.table()
        tag = (await lake.call("GET", table_path("t"))).headers["etag"]
        headers = {"If-None-Match": known.format(tag=tag)}
        assert (await lake.call("GET", table_path("t"), headers=headers)).status_code == 304

    @pytest.mark.parametrize("known", ["", '"other"', '"{tag}', "{half}", '"*"'])
    async def test_or_none_that_is_this_one(self, lake: HttpCatalog, known: str) -> None:
        await lake.table()
        tag = (await lake.call("GET", table_path("t"))).headers["etag"].strip('"')
        headers = {"If-None-Match": known.format(tag=tag, half=tag[:10])}
        assert (await lake.call("GET", table_path("t"), headers=headers)).status_code == 200

    async def test_how_files_are_to_be_reached_may_be_asked(self, lake: HttpCatalog) -> None:
        await lake.table()
        headers = {"X-Iceberg-Access-Delegation": "vended-credentials,remote-signing"}
        assert (await lake.call("GET", table_path("t"), headers=headers)).status_code == 200

    async def test_only_referenced_snapshots(self, lake: HttpCatalog) -> None:
        await lake.table()
        await lake.ok("POST", table_path("t"), commit(*append(1, 1)))
        await lake.ok("POST", table_path("t"), commit(*append(2, 2, parent=1)))
        whole = await lake.call("GET", f"{table_path('t')}?snapshots=all")
        slim = await lake.call("GET", f"{table_path('t')}?snapshots=refs")
        assert [s["snapshot-id"] for s in whole.json()["metadata"]["snapshots"]] == [1, 2]
        assert [s["snapshot-id"] for s in slim.json()["metadata"]["snapshots"]] == [2]
        assert whole.headers["etag"] != slim.headers["etag"]
        await lake.refused(400, "GET", f"{table_path('t')}?snapshots=some")

    async def test_lists_come_by_pages_when_asked(self, lake: HttpCatalog) -> None:
        for number in range(5):
            await lake.table(f"t{number}")
        page = await lake.ok("GET", f"{path_of('ns')}/tables", params={"pageToken": "", "pageSize": "3"})
        assert [table["name"] for table in page["identifiers"]] == ["t0", "t1", "t2"]
        rest = await lake.ok("GET", f"{path_of('ns')}/tables", params={"pageToken": page["next-page-token"]})
        assert [table["name"] for table in rest["identifiers"]] == ["t3", "t4"]
        assert rest["next-page-token"] is None

    async def test_names_are_listed_as_they_are_whatever_is_in_them(self, lake: HttpCatalog) -> None:
        namespace = ('it","s', "ü")
        for level in range(1, 3):
            await lake.namespace(*namespace[:level])
        for names in (["plain", "ünï"], ['a","b', 'say "x"', "back\\slash"]):
            for name in names:
                await lake.table(name, namespace)
            listed = (await lake.ok("GET", f"{path_of(*namespace)}/tables"))["identifiers"]
            assert all(one["namespace"] == list(namespace) for one in listed)
            assert {one["name"] for one in listed} >= set(names)
        assert len(listed) == 5
        assert await lake.ok("GET", f"{path_of(namespace[0])}/tables") == {"identifiers": [], "next-page-token": None}

    @pytest.mark.parametrize("count", [5, 6])
    async def test_a_list_is_whole_however_long_it_is(
        self, lake: HttpCatalog, monkeypatch: pytest.MonkeyPatch, count: int
    ) -> None:
        monkeypatch.setattr(pages, "_AT_ONCE", 3)
        for number in range(count):
            await lake.table(f"t{number}")
        listed = await lake.ok("GET", f"{path_of('ns')}/tables")
        assert listed["identifiers"] == [{"namespace": ["ns"], "name": f"t{number}"} for number in range(count)]
        assert listed["next-page-token"] is None

    async def test_a_metadata_file_that_is_gone_is_named(self, lake: HttpCatalog) -> None:
        await lake.table()
        await lake.load()
        (lake.root / lake.files()[0]).unlink()
        error = await lake.refused(404, "GET", table_path("t"))
        assert error["type"] == "NotFoundException", "which is not that of a table that is missing"
        assert error["message"].startswith("Failed to open input stream for file: file://")


class TestRenaming:
    async def test_a_table_keeps_everything_but_its_name(self, lake: HttpCatalog) -> None:
        await lake.namespace("other")
        created = await lake.table()
        await rename(lake, "t", "u", to=["other"])
        assert await lake.load("u", ["other"]) == created
        await lake.refused(404, "GET", table_path("t"))

    async def test_not_onto_another(self, lake: HttpCatalog) -> None:
        await lake.table("t")
        await lake.table("u")
        error = await lake.refused(409, "POST", "/tables/rename", renaming("t", "u"))
        assert "Table already exists" in error["message"]

    async def test_not_from_or_to_nowhere(self, lake: HttpCatalog) -> None:
        error = await lake.refused(404, "POST", "/tables/rename", renaming("t", "u"))
        assert error["type"] == "NoSuchTableException"
        await lake.table()
        error = await lake.refused(404, "POST", "/tables/rename", renaming("t", "u", to=["nope"]))
        assert error["type"] == "NoSuchNamespaceException"

    @pytest.mark.parametrize("body", [{}, {"source": {}}, {"source": {"namespace": ["ns"], "name": "t"}}, 5])
    async def test_what_cannot_be_read_is_refused(self, lake: HttpCatalog, body: Any) -> None:
        await lake.refused(400, "POST", "/tables/rename", body)


class TestRegistering:
    async def test_a_dropped_table_is_taken_up_again(self, lake: HttpCatalog) -> None:
        await lake.table()
        last = (await lake.set_property("a", "b")).json()
        await lake.ok("DELETE", table_path("t"))
        body = {"name": "back", "metadata-location": last["metadata-location"]}
        assert await lake.ok("POST", f"{path_of('ns')}/register", body) == last
        changed = await lake.set_property("c", "d", "back")
        assert "/metadata/00002-" in changed.json()["metadata-location"]

    async def test_a_name_that_is_taken_is_refused_unless_it_is_to_be_replaced(self, lake: HttpCatalog) -> None:
        created = await lake.table()
        await lake.set_property("a", "b")
        body = {"name": "t", "metadata-location": created["metadata-location"]}
        error = await lake.refused(409, "POST", f"{path_of('ns')}/register", body)
        assert error["message"] == "Table already exists: ns.t"
        assert await lake.ok("POST", f"{path_of('ns')}/register", {**body, "overwrite": True}) == created
        assert await lake.load() == created

    async def test_a_table_is_not_taken_up_twice(self, lake: HttpCatalog) -> None:
        created = await lake.table()
        body = {"name": "twin", "metadata-location": created["metadata-location"]}
        error = await lake.refused(400, "POST", f"{path_of('ns')}/register", body)
        assert "overlaps that of table ns.t" in error["message"]

    @pytest.mark.parametrize(
        "content", [b"", b"{", b"5", b"{}", b'{"format-version": 2}', b"\x1f\x8bnot gzip", b"\xff\xfe"]
    )
    async def test_what_is_no_metadata_is_refused(self, lake: HttpCatalog, content: bytes) -> None:
        (lake.root / "stray.metadata.json").write_bytes(content)
        body = {"name": "t", "metadata-location": f"{lake.url}/stray.metadata.json"}
        await lake.refused(400, "POST", f"{path_of('ns')}/register", body)

    @pytest.mark.parametrize("location", ["file:///etc/passwd", "{url}/../x", "s3://x/y", "", 5])
    async def test_nothing_outside_the_warehouse_is_read(self, lake: HttpCatalog, location: Any) -> None:
        where = location.replace("{url}", lake.url) if isinstance(location, str) else location
        await lake.refused(400, "POST", f"{path_of('ns')}/register", {"name": "t", "metadata-location": where})

    async def test_a_file_that_is_not_there(self, lake: HttpCatalog) -> None:
        body = {"name": "t", "metadata-location": f"{lake.url}/nope.json"}
        await lake.refused(404, "POST", f"{path_of('ns')}/register", body)


class TestDropping:
    async def test_a_plain_drop_only_forgets(self, lake: HttpCatalog) -> None:
        await lake.table()
        before = lake.files()
        await lake.ok("DELETE", f"{table_path('t')}?purgeRequested=false")
        assert lake.files() == before
        await lake.refused(404, "GET", table_path("t"))

    async def test_a_purge_deletes_the_tables_files_and_no_others(self, lake: HttpCatalog) -> None:
        await lake.table("t")
        await lake.table("t2")
        (lake.root / "ns" / "t" / "data").mkdir()
        (lake.root / "ns" / "t" / "data" / "part.parquet").write_bytes(b"rows")
        await lake.ok("DELETE", f"{table_path('t')}?purgeRequested=true")
        await lake.catalog.purging.finished()
        assert lake.files("ns/t") == []
        assert len(lake.files("ns/t2")) == 1

    async def test_a_place_is_free_once_it_is_purged(self, lake: HttpCatalog) -> None:
        where = f"{lake.url}/mine"
        for _ in range(3):
            created = await lake.table(location=where)
            await lake.ok("DELETE", f"{table_path('t')}?purgeRequested=true")
            assert created["metadata"]["location"] == where
        await lake.catalog.purging.finished()
        assert lake.files() == []

    async def test_a_purge_that_a_dead_server_left_is_finished_by_the_next(self, lake: HttpCatalog) -> None:
        await lake.table()
        lake.catalog.purging.start = lambda: None  # pyright: ignore[reportAttributeAccessIssue] - the server dies here
        await lake.ok("DELETE", f"{table_path('t')}?purgeRequested=true")
        assert len(lake.files()) == 1
        successor = type(lake.catalog).over(lake.store, lake.catalog.warehouse)
        successor.purging.start()
        await successor.purging.finished()
        assert lake.files() == []

    async def test_a_table_that_keeps_its_files_is_not_purged(self, lake: HttpCatalog) -> None:
        await lake.table(properties={"gc.enabled": "false"})
        error = await lake.refused(400, "DELETE", f"{table_path('t')}?purgeRequested=true")
        assert "GC is disabled" in error["message"]
        await lake.ok("DELETE", table_path("t"))

    async def test_what_is_neither_yes_nor_no_is_refused(self, lake: HttpCatalog) -> None:
        await lake.table()
        await lake.refused(400, "DELETE", f"{table_path('t')}?purgeRequested=maybe")


def moving(location: str) -> dict[str, Any]:
    return {"action": "set-location", "location": location}


def renaming(source: str, target: str, to: list[str] | None = None) -> dict[str, Any]:
    return {"source": {"namespace": ["ns"], "name": source}, "destination": {"namespace": to or ["ns"], "name": target}}


async def rename(lake: HttpCatalog, source: str, target: str, to: list[str] | None = None) -> None:
    await lake.ok("POST", "/tables/rename", renaming(source, target, to))


class TestUnregistering:
    async def test_the_table_is_forgotten_and_its_last_version_told(self, lake: HttpCatalog) -> None:
        await lake.table()
        last = (await lake.set_property("a", "b")).json()
        told = await lake.ok("POST", f"{table_path('t')}/unregister")
        assert (told["metadata-location"], told["metadata"]) == (last["metadata-location"], last["metadata"])
        await lake.refused(404, "GET", table_path("t"))
        await lake.refused(404, "POST", table_path("t"), commit(set_properties(a="c")))

    async def test_its_files_stay_and_can_be_registered_again(self, lake: HttpCatalog) -> None:
        await lake.table()
        before = lake.files()
        told = await lake.ok("POST", f"{table_path('t')}/unregister")
        assert lake.files() == before
        body = {"name": "u", "metadata-location": told["metadata-location"]}
        again = await lake.ok("POST", f"{path_of('ns')}/register", body)
        assert again["metadata"] == told["metadata"]

    async def test_a_repeat_is_told_the_same(self, lake: HttpCatalog) -> None:
        await lake.table()
        key = {"Idempotency-Key": "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"}
        told = await lake.ok("POST", f"{table_path('t')}/unregister", headers=key)
        assert await lake.ok("POST", f"{table_path('t')}/unregister", headers=key) == told

    async def test_one_that_is_not_there(self, lake: HttpCatalog) -> None:
        error = await lake.refused(404, "POST", f"{table_path('t')}/unregister")
        assert error["type"] == "NoSuchTableException"


async def test_a_table_keeps_what_a_newer_writer_put_there(lake: HttpCatalog) -> None:
    created = await lake.table()
    path = lake.root / lake.files()[0]
    path.write_text(json.dumps({**created["metadata"], "x-future": [1]}))
    lake.catalog.tables.files._cache.clear()
    changed = await lake.ok("POST", table_path("t"), commit(set_properties(a="b")))
    assert changed["metadata"]["x-future"] == [1]
