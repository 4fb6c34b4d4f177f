"""The sweeper: what nothing names goes, and nothing else."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest

from boathouse.catalog.errors import CommitStateUnknown
from boathouse.catalog.store import Store
from boathouse.catalog.sweeping import Sweeper, Sweeping, parse_grace, sweeper
from boathouse.kit.errors import InvalidInput, WorkFailed
from tests.behaviour.catalog.http_catalog import (
    HttpCatalog,
    commit,
    path_of,
    replacement,
    set_properties,
    table_path,
    view_path,
)

DAY = timedelta(hours=24)


async def swept(lake: HttpCatalog, *, delete: bool = True, days: int = 2) -> Sweeping:
    """A sweep as it would go so many days from now."""
    later = datetime.now(UTC) + timedelta(days=days)
    return await Sweeper(lake.store, lake.catalog.warehouse).sweep(DAY, delete=delete, now=later)


def orphan(lake: HttpCatalog, current: dict[str, Any], number: int = 1) -> Path:
    """What a commit leaves behind that was killed before it reached the store."""
    at = Path(current["metadata-location"].removeprefix("file://"))
    left = at.with_name(f"{number:05}-0198a000-0000-7000-8000-{number:012}.metadata.json")
    left.write_bytes(orjson.dumps(current["metadata"]))
    return left


def lost(current: dict[str, Any]) -> None:
    Path(current["metadata-location"].removeprefix("file://")).unlink()


async def test_what_a_killed_commit_left_goes(lake: HttpCatalog) -> None:
    await lake.namespace("ns")
    left = [orphan(lake, await lake.table()), orphan(lake, await lake.view())]
    result = await swept(lake)
    assert (result.relations, result.deleted, result.foreign) == (2, 2, 0)
    assert not any(map(Path.exists, left))
    await lake.load()
    await lake.ok("GET", view_path("v"))


async def test_a_file_that_was_half_written_goes_too(lake: HttpCatalog) -> None:
    """The storage library writes under such a name first, and then does not list what has it."""
    await lake.namespace("ns")
    left = orphan(lake, await lake.table())
    half = left.rename(f"{left}#1")
    half.write_bytes(half.read_bytes()[:10])
    assert (await swept(lake, days=0)).deleted == 0
    assert (await swept(lake, delete=False)).deleted == 0
    assert half.exists()
    result = await swept(lake)
    assert (result.deleted, result.bytes, result.foreign) == (1, 10, 0)
    assert not half.exists()
    await lake.load()


async def test_without_being_told_to_it_only_looks(lake: HttpCatalog) -> None:
    await lake.namespace("ns")
    left = orphan(lake, await lake.table())
    entry = await lake.store.read("table/lake/ns\x1et")
    result = await swept(lake, delete=False)
    assert [file.url for file in result.orphans] == [f"file://{left}"]
    assert result.deleted == 0
    assert left.exists()
    assert await lake.store.read("table/lake/ns\x1et") == entry


async def test_what_is_younger_than_the_grace_stays(lake: HttpCatalog) -> None:
    await lake.namespace("ns")
    left = orphan(lake, await lake.table())
    result = await swept(lake, days=0)
    assert (result.files, result.deleted) == (0, 0)
    assert left.exists()


async def test_an_old_version_that_is_registered_during_the_sweep_stays(
    lake: HttpCatalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    await lake.namespace("ns")
    left = orphan(lake, await lake.table())
    names_in_use = sweeper.names_in_use

    async def then_registered(*arguments: Any) -> set[str]:
        named = await names_in_use(*arguments)
        body = {"name": "t", "metadata-location": f"file://{left}", "overwrite": True}
        await lake.ok("POST", "/namespaces/ns/register", body)
        return named

    monkeypatch.setattr(sweeper, "names_in_use", then_registered)
    result = await swept(lake)
    assert (result.deleted, result.busy) == (0, 1)
    assert (await lake.load())["metadata-location"] == f"file://{left}"


async def test_all_that_the_log_names_stays(lake: HttpCatalog) -> None:
    await lake.namespace("ns")
    await lake.table()
    for number in range(5):
        await lake.set_property("n", str(number))
    before = lake.files()
    assert (await swept(lake)).deleted == 0
    assert lake.files() == before


async def test_what_an_idempotency_record_names_stays_until_the_record_goes(lake: HttpCatalog) -> None:
    await lake.namespace("ns")
    await lake.view()
    key = {"Idempotency-Key": "0198a0c9-55a1-7000-8000-0123456789ab"}
    changed = await lake.call("POST", view_path("v"), commit(*replacement("SELECT 2")), headers=key)
    await lake.ok("POST", view_path("v"), commit(*replacement("SELECT 3")))
    assert (await swept(lake)).deleted == 1, "a view has no log: the version it was created with is named by nothing"
    again = await lake.call("POST", view_path("v"), commit(*replacement("SELECT 2")), headers=key)
    assert again.json() == changed.json()


async def test_what_a_dropped_table_left_stays(lake: HttpCatalog) -> None:
    await lake.namespace("ns")
    first = await lake.table()
    await lake.ok("DELETE", table_path("t"))
    second = await lake.table(location=first["metadata"]["location"])
    assert (await swept(lake)).foreign == 1
    await lake.ok("DELETE", table_path("t"))
    await lake.ok("POST", f"{path_of('ns')}/register", {"name": "t", "metadata-location": first["metadata-location"]})
    assert second["metadata"]["table-uuid"] != (await lake.load())["metadata"]["table-uuid"]


async def test_files_that_are_no_commits_of_ours_stay(lake: HttpCatalog) -> None:
    await lake.namespace("ns")
    left = orphan(lake, await lake.table())
    others = [left.with_name(name) for name in ("v3.metadata.json", "snap-1.avro", "00001-x.metadata.json", "stats")]
    for other in others:
        left.rename(other) if other is others[0] else other.write_bytes(b"{}")
    assert (await swept(lake)).deleted == 0
    assert all(map(Path.exists, others))


async def test_a_table_that_keeps_its_files_keeps_them(lake: HttpCatalog) -> None:
    await lake.namespace("ns")
    left = orphan(lake, await lake.table(properties={"gc.enabled": "false"}))
    assert (await swept(lake)).deleted == 0
    assert left.exists()


async def test_nothing_goes_while_a_metadata_file_cannot_be_read(lake: HttpCatalog) -> None:
    await lake.namespace("ns")
    left = orphan(lake, await lake.table())
    other = await lake.table("other")
    lost(other)
    with pytest.raises(WorkFailed, match="what it names is unknown"):
        await swept(lake)
    assert left.exists()


async def test_files_in_a_directory_of_their_own_are_found(lake: HttpCatalog) -> None:
    await lake.namespace("ns")
    await lake.table(properties={"write.metadata.path": f"{lake.url}/meta/t"})
    left = orphan(lake, await lake.load())
    assert (await swept(lake)).deleted == 1
    assert not left.exists()
    await lake.load()


async def test_a_location_that_storage_spells_in_another_way_does_no_harm(lake: HttpCatalog) -> None:
    await lake.namespace("ns")
    await lake.table(location=f"{lake.url}/ns/o ü~[x]")
    await lake.set_property("a", "1")
    before = lake.files()
    assert (await swept(lake)).deleted == 0
    assert lake.files() == before


class Stalled:
    """A store whose commit stands still before it is sent, as in a process that is paused."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.reached = asyncio.Event()
        self.resume = asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def commit(self, comparisons: Any, writes: Any) -> bool:
        if not self.reached.is_set():
            self.reached.set()
            await self.resume.wait()
        return await self._store.commit(comparisons, writes)


async def test_a_commit_that_stood_still_for_days_is_planned_again(tmp_path: Path, store: Store) -> None:
    """Its metadata file is gone when it goes on; the pointer must not move there."""
    lake = HttpCatalog(tmp_path, store)
    await lake.namespace("ns")
    await lake.table()
    stalled = Stalled(store)
    other = HttpCatalog(tmp_path, stalled)  # pyright: ignore[reportArgumentType] - the rest is the store's own
    waiting = asyncio.create_task(other.set_property("a", "1"))
    await stalled.reached.wait()
    assert (await swept(lake)).deleted == 1
    stalled.resume.set()
    assert (await waiting).status_code == 200
    assert (await lake.load())["metadata"]["properties"]["a"] == "1"


class Mute:
    """A store whose next commit is done, but whose answer is lost."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def commit(self, comparisons: Any, writes: Any) -> bool:
        await self._store.commit(comparisons, writes)
        raise CommitStateUnknown("The answer was lost.")


async def test_a_commit_whose_answer_was_lost_keeps_its_file(tmp_path: Path, store: Store) -> None:
    lake = HttpCatalog(tmp_path, store)
    await lake.namespace("ns")
    await lake.table()
    key = {"Idempotency-Key": "0198a0c9-55a1-7000-8000-0123456789ab"}
    mute = HttpCatalog(tmp_path, Mute(store))  # pyright: ignore[reportArgumentType] - the rest is the store's own
    assert (await mute.set_property("a", "1", headers=key)).status_code == 500
    assert (await swept(lake)).deleted == 0
    assert (await lake.set_property("a", "1", headers=key)).json() == await lake.load()


@pytest.mark.parametrize("text", ["", "24", "1s", "59m", "0d", "-1h", "1w", "999999999d"])
def test_a_grace_that_is_none_or_too_short_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        parse_grace(text)


@pytest.mark.parametrize(("text", "hours"), [("60m", 1), ("24h", 24), ("7d", 168)])
def test_a_grace_is_written_with_its_unit(text: str, hours: int) -> None:
    assert parse_grace(text) == timedelta(hours=hours)


async def test_writers_beside_a_sweep_lose_nothing(lake: HttpCatalog) -> None:
    await lake.namespace("ns")
    for name in ("a", "b"):
        orphan(lake, await lake.table(name))

    async def write(name: str) -> None:
        for number in range(15):
            body = commit(set_properties(**{f"p{number}": "x"}))
            await lake.ok("POST", table_path(name), body)

    writers = asyncio.gather(write("a"), write("b"))
    for _ in range(5):
        await swept(lake)
        await asyncio.sleep(0.01)
    await writers
    await swept(lake)
    for name in ("a", "b"):
        loaded = await lake.load(name)
        assert {f"p{number}" for number in range(15)} <= loaded["metadata"]["properties"].keys()
        logged = [entry["metadata-file"] for entry in loaded["metadata"]["metadata-log"]]
        directory = Path(loaded["metadata-location"].removeprefix("file://")).parent
        assert {f"file://{file}" for file in directory.iterdir()} == {*logged, loaded["metadata-location"]}
