"""Commits to one table and to several, alone and against rivals."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from boathouse.catalog.errors import CommitStateUnknown
from boathouse.catalog.store import Comparison, Write
from boathouse.catalog.store.sqlite import SqliteStore
from boathouse.kit.errors import Unavailable
from tests.behaviour.catalog.http_catalog import (
    HttpCatalog,
    append,
    change,
    commit,
    creation,
    main_at,
    set_properties,
    table_path,
)


@pytest.fixture(autouse=True)
async def table(lake: HttpCatalog) -> None:
    await lake.namespace("ns")
    await lake.table()


class TestOneTable:
    async def test_a_commit_writes_the_next_version(self, lake: HttpCatalog) -> None:
        before = await lake.load()
        after = (await lake.set_property("a", "b")).json()
        assert after["metadata"]["properties"]["a"] == "b"
        assert "/ns/t/metadata/00001-" in after["metadata-location"]
        assert after["metadata"]["metadata-log"][-1]["metadata-file"] == before["metadata-location"]
        assert await lake.load() == after

    async def test_what_changes_nothing_writes_no_version(self, lake: HttpCatalog) -> None:
        before = await lake.load()
        assert await lake.ok("POST", table_path("t"), commit()) == before
        uuid = {"action": "assign-uuid", "uuid": before["metadata"]["table-uuid"]}
        assert await lake.ok("POST", table_path("t"), commit(uuid)) == before
        assert len(lake.files()) == 1

    async def test_a_requirement_that_does_not_hold_is_a_conflict(self, lake: HttpCatalog) -> None:
        error = await lake.refused(409, "POST", table_path("t"), commit(*append(2, 1), requirements=[main_at(1)]))
        assert error["type"] == "CommitFailedException"
        assert error["message"] == "Requirement failed: branch or tag main is missing, expected 1"
        assert len(lake.files()) == 1

    async def test_a_staged_table_is_created_by_its_commit(self, lake: HttpCatalog) -> None:
        staged = (await lake.stage("new"))["metadata"]
        updates = [*creation(staged["location"]), *append(9, 1)]
        body = commit(*updates, requirements=[{"type": "assert-create"}])
        created = await lake.ok("POST", table_path("new"), body)
        assert created["metadata"]["current-snapshot-id"] == 9
        assert "/ns/new/metadata/00000-" in created["metadata-location"]
        error = await lake.refused(409, "POST", table_path("new"), body)
        assert error["message"] == "Requirement failed: table already exists"

    async def test_a_table_is_not_created_where_no_namespace_is(self, lake: HttpCatalog) -> None:
        body = commit(*creation(), requirements=[{"type": "assert-create"}])
        assert (await lake.refused(404, "POST", table_path("t", "nope"), body))["type"] == "NoSuchNamespaceException"

    @pytest.mark.parametrize(
        "body",
        [
            None,
            [],
            {"updates": {}},
            {"updates": [5]},
            {"updates": [{"action": "dance"}]},
            {"updates": [{"action": "set-properties"}]},
            {"requirements": [{"type": "assert-luck"}], "updates": []},
            {"requirements": [{}], "updates": []},
            {"requirements": "none", "updates": []},
            {"identifier": {"namespace": ["ns"], "name": "other"}, "updates": []},
            {"updates": [{"action": "add-snapshot", "snapshot": {"snapshot-id": 2**70}}]},
        ],
    )
    async def test_a_commit_that_cannot_be_read_is_refused(self, lake: HttpCatalog, body: Any) -> None:
        await lake.refused(400, "POST", table_path("t"), body)
        assert len(lake.files()) == 1

    async def test_metadata_too_deep_to_be_written_is_refused(self, lake: HttpCatalog) -> None:
        deep: Any = []
        for _ in range(400):
            deep = [deep]
        snapshot = {**append(1, 1)[0]["snapshot"], "x-deep": deep}
        await lake.refused(400, "POST", table_path("t"), commit({"action": "add-snapshot", "snapshot": snapshot}))


class TestRivals:
    async def test_of_appends_to_the_same_version_exactly_one_wins(self, lake: HttpCatalog) -> None:
        async def rival(number: int) -> int:
            body = commit(*append(number, 1), requirements=[main_at(None)])
            return (await lake.call("POST", table_path("t"), body)).status_code

        statuses = await asyncio.gather(*(rival(number) for number in range(1, 9)))
        metadata = (await lake.load())["metadata"]
        assert sorted(statuses) == [200] + [409] * 7
        assert metadata["current-snapshot-id"] == statuses.index(200) + 1
        assert len(metadata["snapshots"]) == 1
        assert len(lake.files()) == 2, "losers leave no metadata files behind"

    async def test_appends_that_try_again_lose_nothing(self, lake: HttpCatalog) -> None:
        async def writer(number: int) -> None:
            for turn in range(5):
                while True:
                    metadata = (await lake.load())["metadata"]
                    parent = metadata["current-snapshot-id"] if metadata["snapshots"] else None
                    snapshot_id = 100 * number + turn + 1
                    updates = append(snapshot_id, metadata["last-sequence-number"] + 1, parent)
                    response = await lake.call(
                        "POST", table_path("t"), commit(*updates, requirements=[main_at(parent)])
                    )
                    if response.status_code == 200:
                        break
                    assert response.status_code == 409

        await asyncio.gather(*(writer(number) for number in range(1, 9)))
        metadata = (await lake.load())["metadata"]
        assert len(metadata["snapshots"]) == 40
        assert len(metadata["snapshot-log"]) == 40
        assert metadata["last-sequence-number"] == 40
        parents = [snapshot.get("parent-snapshot-id") for snapshot in metadata["snapshots"]]
        assert len(set(parents)) == 40, "every version had exactly one successor"
        assert len(lake.files()) == 41

    async def test_changes_that_do_not_touch_are_all_made(self, lake: HttpCatalog) -> None:
        responses = await asyncio.gather(*(lake.set_property(f"p{number}", "x") for number in range(6)))
        assert [response.status_code for response in responses] == [200] * 6
        assert {f"p{number}" for number in range(6)} <= (await lake.load())["metadata"]["properties"].keys()

    async def test_a_table_dropped_under_a_commit_is_not_brought_back(self, lake: HttpCatalog) -> None:
        outcomes = await asyncio.gather(
            lake.call("DELETE", table_path("t")), *(lake.set_property(f"p{n}", "x") for n in range(4))
        )
        assert outcomes[0].status_code == 204
        assert {outcome.status_code for outcome in outcomes[1:]} <= {200, 404}
        await lake.refused(404, "GET", table_path("t"))

    async def test_a_namespace_is_not_dropped_under_a_new_table(self, lake: HttpCatalog) -> None:
        await lake.namespace("b")
        dropped, created = await asyncio.gather(
            lake.call("DELETE", "/namespaces/b"),
            lake.call("POST", "/namespaces/b/tables", {"name": "t", "schema": {"type": "struct", "fields": []}}),
        )
        assert (dropped.status_code, created.status_code) in {(204, 404), (409, 200)}

    async def test_a_name_is_given_once_however_many_ask(self, lake: HttpCatalog) -> None:
        body = {"name": "new", "schema": {"type": "struct", "fields": []}}
        responses = await asyncio.gather(*(lake.call("POST", "/namespaces/ns/tables", body) for _ in range(8)))
        assert sorted(response.status_code for response in responses) == [200] + [409] * 7
        assert len(lake.files("ns/new")) == 1


class TestTransactions:
    async def test_all_the_changes_are_made(self, lake: HttpCatalog) -> None:
        await lake.table("u")
        changes = [
            change("t", *append(1, 1), requirements=[main_at(None)]),
            change("u", set_properties(a="b")),
            change("new", *creation(), *append(5, 1), requirements=[{"type": "assert-create"}]),
        ]
        response = await lake.call("POST", "/transactions/commit", {"table-changes": changes})
        assert (response.status_code, response.content) == (204, b"")
        assert (await lake.load("t"))["metadata"]["current-snapshot-id"] == 1
        assert (await lake.load("u"))["metadata"]["properties"]["a"] == "b"
        assert (await lake.load("new"))["metadata"]["current-snapshot-id"] == 5

    @pytest.mark.parametrize(
        ("broken", "status"),
        [
            (change("t", set_properties(a="b"), requirements=[main_at(7)]), 409),
            (change("t", {"action": "dance"}), 400),
            (change("nope", set_properties(a="b")), 404),
            (change("t", *creation(), requirements=[{"type": "assert-create"}]), 409),
            (change("x", *creation(), requirements=[{"type": "assert-create"}], namespace=["nope"]), 404),
            (change("x", *creation("file:///elsewhere/x"), requirements=[{"type": "assert-create"}]), 400),
        ],
    )
    async def test_or_none_of_them(self, lake: HttpCatalog, broken: dict[str, Any], status: int) -> None:
        before = lake.files()
        changes = [change("new", *creation(), requirements=[{"type": "assert-create"}]), broken]
        await lake.refused(status, "POST", "/transactions/commit", {"table-changes": changes})
        await lake.refused(404, "GET", table_path("new"))
        assert lake.files() == before

    @pytest.mark.parametrize("inner", ["p", "p/q"])
    async def test_one_that_would_put_a_table_into_another_is_refused(self, lake: HttpCatalog, inner: str) -> None:
        changes = [
            change(name, *creation(f"{lake.url}/x/{place}"), requirements=[{"type": "assert-create"}])
            for name, place in (("outer", "p"), ("inner", inner))
        ]
        error = await lake.refused(400, "POST", "/transactions/commit", {"table-changes": changes})
        assert "overlap" in error["message"]

    async def test_two_that_overlap_do_not_both_go_through(self, lake: HttpCatalog) -> None:
        await lake.table("u")

        async def transaction(number: int) -> int:
            changes = [change(name, *append(number, 1), requirements=[main_at(None)]) for name in ("t", "u")]
            return (await lake.call("POST", "/transactions/commit", {"table-changes": changes})).status_code

        statuses = await asyncio.gather(*(transaction(number) for number in range(1, 6)))
        assert sorted(statuses) == [204, 409, 409, 409, 409]
        winner = statuses.index(204) + 1
        for name in ("t", "u"):
            assert (await lake.load(name))["metadata"]["current-snapshot-id"] == winner

    async def test_one_that_changes_nothing_is_still_true_of_one_moment(
        self, lake: HttpCatalog, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await lake.table("u")
        carried_out, asked = lake.store.commit, list[int]()

        async def contended(comparisons: Sequence[Comparison], writes: Sequence[Write]) -> bool:
            """The first time, one of the tables has changed since it was looked at."""
            asked.append(len(comparisons))
            assert not writes
            return len(asked) > 1 and await carried_out(comparisons, writes)

        monkeypatch.setattr(lake.store, "commit", contended)
        await lake.ok("POST", "/transactions/commit", {"table-changes": [change("t"), change("u")]})
        assert asked == [2, 2]

    async def test_a_published_table_takes_over_what_its_staging_table_wrote(self, lake: HttpCatalog) -> None:
        """As the ingest pipeline does it: stage, register under another name, write there, publish, forget."""
        await lake.namespace("_staging")
        target = (await lake.stage("orders"))["metadata"]
        paths = {
            "write.metadata.path": f"{target['location']}/metadata",
            "write.data.path": f"{target['location']}/data",
            "gc.enabled": "false",
        }
        staged = {**target, "location": f"{lake.url}/_staging/run-1", "properties": {**target["properties"], **paths}}
        file = lake.root / "ns" / "orders" / "metadata" / "staged.metadata.json"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(staged))
        body = {"name": "run-1", "metadata-location": f"{target['location']}/metadata/staged.metadata.json"}
        await lake.ok("POST", "/namespaces/_staging/register", body)
        written = await lake.ok(
            "POST", table_path("run-1", "_staging"), commit(*append(3, 1), requirements=[main_at(None)])
        )
        assert written["metadata-location"].startswith(f"{target['location']}/metadata/00000-")
        publish = change(
            "orders", *creation(target["location"]), *append(3, 1), requirements=[{"type": "assert-create"}]
        )
        await lake.ok("POST", "/transactions/commit", {"table-changes": [publish]})
        await lake.ok("DELETE", table_path("run-1", "_staging"))
        assert (await lake.load("orders"))["metadata"]["current-snapshot-id"] == 3

    @pytest.mark.parametrize(
        "body",
        [
            None,
            {},
            {"table-changes": {}},
            {"table-changes": [5]},
            {"table-changes": [{"updates": []}]},
            {"table-changes": [change("t", set_properties(a="b")), change("t", set_properties(a="c"))]},
        ],
    )
    async def test_one_that_cannot_be_read_is_refused(self, lake: HttpCatalog, body: Any) -> None:
        await lake.refused(400, "POST", "/transactions/commit", body)


class SilentStore(SqliteStore):
    """Commits, and then may not say so: as a store does whose reply is lost."""

    failure: Exception | None = None
    applies = True

    async def commit(self, comparisons: Any, writes: Any) -> bool:
        applied = await self._really(comparisons, writes) if self.applies else True
        if self.failure is not None:
            raise self.failure
        return applied

    async def _really(self, comparisons: list[Comparison], writes: list[Write]) -> bool:
        return await super().commit(comparisons, writes)


class TestNoAnswer:
    async def test_an_unknown_outcome_is_said_to_be_unknown_and_nothing_is_cleaned_up(self, tmp_path: Path) -> None:
        store = SilentStore(tmp_path / "silent.db")
        lake = HttpCatalog(tmp_path / "silent", store)
        await lake.namespace("ns")
        await lake.table()
        store.failure = CommitStateUnknown("The store did not confirm.")
        error = await lake.refused(500, "POST", table_path("t"), commit(set_properties(a="b")))
        assert error["type"] == "CommitStateUnknownException"
        store.failure = None
        assert (await lake.load())["metadata"]["properties"]["a"] == "b", "it was applied, and its file is there"
        await lake.close()

    async def test_a_store_that_is_away_changes_nothing(self, tmp_path: Path) -> None:
        store = SilentStore(tmp_path / "silent.db")
        lake = HttpCatalog(tmp_path / "silent", store)
        await lake.namespace("ns")
        await lake.table()
        before = lake.files()
        store.failure, store.applies = Unavailable("The store is away."), False
        response = await lake.set_property("a", "b")
        assert (response.status_code, response.json()["error"]["type"]) == (503, "ServiceUnavailableException")
        assert response.headers["retry-after"]
        assert lake.files() == before, "the file that was written for it is gone"
        store.failure, store.applies = None, True
        await lake.close()
