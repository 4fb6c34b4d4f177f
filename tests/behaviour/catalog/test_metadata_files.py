"""Metadata files are kept once read, and yet one that is taken away in storage is missed."""

import gzip
import shutil
from typing import cast

import pytest
from obstore.store import MemoryStore, S3Store

from boathouse.catalog.errors import BadRequest, NoSuchFile
from boathouse.catalog.metadata import Json, new_table
from boathouse.catalog.service import files
from boathouse.catalog.service.files import MetadataFiles
from boathouse.catalog.warehouse import Warehouse
from tests.behaviour.catalog.http_catalog import SCHEMA, HttpCatalog, change, commit, set_properties, table_path

ROOT = "s3://bucket/lake"


def table() -> Json:
    schema: Json = {"type": "struct", "fields": []}
    return new_table(
        uuid="6b1f0a1c-6a39-4b6f-9a0a-0f4a8c9f0007",
        location=f"{ROOT}/ns/t",
        schema=schema,
        partition_spec=None,
        write_order=None,
        properties={},
        now_ms=1,
    )


@pytest.fixture
def objects() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def kept(objects: MemoryStore) -> MetadataFiles:
    return MetadataFiles(Warehouse.at("lake", ROOT, cast(S3Store, objects)))


def path_of(location: str) -> str:
    return location.removeprefix(f"{ROOT}/")


async def test_a_file_in_an_object_store_is_trusted_for_a_while(kept: MetadataFiles, objects: MemoryStore) -> None:
    written = await kept.write(table(), None)
    objects.delete(path_of(written.location))
    assert await kept.read(written.location) is written


@pytest.mark.parametrize("content", [bytes(2_000), gzip.compress(bytes(2_000))], ids=["plain", "packed"])
async def test_one_that_is_too_large_is_not_taken_in(
    kept: MetadataFiles, objects: MemoryStore, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    monkeypatch.setattr(files, "_LARGEST", 1_000)
    objects.put("ns/t/metadata/00000-a.metadata.json", content)
    with pytest.raises(BadRequest, match="larger than"):
        await kept.read(f"{ROOT}/ns/t/metadata/00000-a.metadata.json")


async def test_and_then_asked_for_again(
    kept: MetadataFiles, objects: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_TRUSTED_SECONDS", 0.0)
    written = await kept.write(table(), None)
    assert await kept.read(written.location) is written
    objects.delete(path_of(written.location))
    with pytest.raises(NoSuchFile):
        await kept.read(written.location)


class TestDeletingOldOnes:
    """Tables that say `write.metadata.delete-after-commit.enabled`."""

    @pytest.fixture(autouse=True)
    async def forgetful(self, lake: HttpCatalog) -> None:
        await lake.namespace("ns")
        kept = {
            "write.metadata.delete-after-commit.enabled": "true",
            "write.metadata.previous-versions-max": "2",
        }
        await lake.table(properties=kept)

    async def test_a_commit_deletes_what_it_drops_from_the_log(self, lake: HttpCatalog) -> None:
        for number in range(5):
            await lake.set_property("number", str(number))
        assert [int(name.rpartition("/")[2][:5]) for name in lake.files("ns/t")] == [3, 4, 5]

    async def test_so_does_a_transaction(self, lake: HttpCatalog) -> None:
        for number in range(5):
            await lake.ok(
                "POST", "/transactions/commit", {"table-changes": [change("t", set_properties(n=str(number)))]}
            )
        assert len(lake.files("ns/t")) == 3

    async def test_a_rejected_commit_deletes_nothing(self, lake: HttpCatalog) -> None:
        for number in range(2):
            await lake.set_property("number", str(number))
        before = lake.files()
        stale = commit(
            set_properties(a="b"), requirements=[{"type": "assert-current-schema-id", "current-schema-id": 7}]
        )
        await lake.refused(409, "POST", table_path("t"), stale)
        assert lake.files() == before

    async def test_a_repeat_whose_version_is_deleted_is_told_the_current_one(self, lake: HttpCatalog) -> None:
        key = {"Idempotency-Key": "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"}
        await lake.set_property("mine", "1", headers=key)
        for number in range(5):
            await lake.set_property("number", str(number))
        repeated = await lake.set_property("mine", "1", headers=key)
        assert repeated.status_code == 200
        assert repeated.json() == await lake.load()

    async def test_but_not_that_of_another_table_of_its_name(self, lake: HttpCatalog) -> None:
        key = {"Idempotency-Key": "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"}
        await lake.set_property("mine", "1", headers=key)
        await lake.ok("DELETE", f"{table_path('t')}?purgeRequested=true")
        await lake.catalog.purging.finished()
        await lake.table()
        assert (await lake.set_property("mine", "1", headers=key)).status_code == 404


async def test_a_warehouse_whose_directory_is_gone_is_not_begun_anew(lake: HttpCatalog) -> None:
    await lake.namespace("ns")
    await lake.table()
    shutil.rmtree(lake.root)
    for _ in range(2):
        await lake.refused(503, "POST", "/namespaces/ns/tables", {"name": "u", "schema": SCHEMA})
        assert not lake.root.exists()
