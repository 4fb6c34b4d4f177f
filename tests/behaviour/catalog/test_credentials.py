"""Keys given to clients, and that none are given where they could not be confined."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from boathouse.catalog.access.privileges import Privilege
from boathouse.catalog.storage.s3_storage import Vend
from boathouse.kit.ids import new_uuid
from tests.behaviour.catalog.guarded_catalog import LAKE, TABLE
from tests.behaviour.catalog.http_catalog import SCHEMA, HttpCatalog, table_path
from tests.behaviour.catalog.s3_catalog import SIGNING, STORE, VENDED, S3Catalog

BOTH = {"X-Iceberg-Access-Delegation": "vended-credentials,remote-signing"}


@pytest.fixture
async def unscoped(tmp_path: Path) -> AsyncGenerator[S3Catalog]:
    """A warehouse whose owner said that its keys may be given away."""
    lake = S3Catalog(tmp_path, vend=Vend.STATIC)
    await lake.caller("admin", (Privilege.MANAGE, LAKE))
    await lake.namespace("ns")
    await lake.table()
    yield lake
    await lake.close()


async def test_without_a_setting_no_keys_are_given(tmp_path: Path) -> None:
    lake = S3Catalog(tmp_path)
    await lake.caller("admin", (Privilege.MANAGE, LAKE))
    await lake.namespace("ns")
    await lake.table()
    loaded = await lake.ok("GET", table_path("t"), headers=BOTH)
    assert loaded["config"]["s3.remote-signing-enabled"] == "true"
    assert "catalogs-secret" not in str(loaded)
    assert await lake.ok("GET", f"{table_path('t')}/credentials") == {"storage-credentials": []}
    await lake.close()


async def test_a_directory_has_no_keys_to_give(lake: HttpCatalog) -> None:
    await lake.namespace("ns")
    await lake.table()
    assert (await lake.ok("GET", table_path("t"), headers=BOTH))["config"] == {}
    assert await lake.ok("GET", f"{table_path('t')}/credentials") == {"storage-credentials": []}
    body = {"region": "r", "method": "GET", "uri": "http://x/y", "headers": {}}
    await lake.refused(400, "POST", f"{table_path('t')}/sign", body)


async def test_keys_come_with_a_table_to_those_who_ask(unscoped: S3Catalog) -> None:
    loaded = await unscoped.ok("GET", table_path("t"), headers=BOTH)
    (credential,) = loaded["storage-credentials"]
    assert credential["prefix"] == "s3://bucket/wh/ns/t"
    for config in (credential["config"], loaded["config"]):
        assert config["s3.access-key-id"] == "catalogs-key"
        assert config["s3.secret-access-key"] == "catalogs-secret"
        assert config["s3.endpoint"] == STORE
    assert loaded["config"]["client.refresh-credentials-endpoint"] == "v1/lake/namespaces/ns/tables/t/credentials"
    assert "s3.remote-signing-enabled" not in loaded["config"]
    assert (await unscoped.ok("GET", table_path("t")))["config"] == {}
    assert "s3.secret-access-key" not in (await unscoped.ok("GET", table_path("t"), headers=SIGNING))["config"]


@pytest.mark.parametrize("staged", [False, True])
async def test_keys_come_with_a_new_table_too(unscoped: S3Catalog, staged: bool) -> None:  # noqa: FBT001
    body = {"name": "new", "schema": SCHEMA, "stage-create": staged}
    response = await unscoped.call("POST", "/namespaces/ns/tables", body, headers=VENDED)
    assert response.json()["storage-credentials"][0]["prefix"] == "s3://bucket/wh/ns/new"
    assert response.headers["cache-control"] == "no-store"


async def test_keys_come_with_a_registered_table_too(unscoped: S3Catalog) -> None:
    location = (await unscoped.load())["metadata-location"]
    await unscoped.ok("DELETE", table_path("t"))
    body = {"name": "back", "metadata-location": location}
    registered = await unscoped.ok("POST", "/namespaces/ns/register", body, headers=VENDED)
    assert registered["storage-credentials"][0]["prefix"] == "s3://bucket/wh/ns/t"


async def test_keys_come_with_the_plan_of_a_scan_too(unscoped: S3Catalog) -> None:
    loaded = await unscoped.ok("GET", table_path("t"), headers=BOTH)
    planned = await unscoped.call("POST", f"{table_path('t')}/plan", {}, headers=BOTH)
    fetched = await unscoped.call("GET", f"{table_path('t')}/plan/{planned.json()['plan-id']}", headers=BOTH)
    for response in (planned, fetched):
        assert response.json()["status"] == "completed"
        assert response.json()["storage-credentials"] == loaded["storage-credentials"]
        assert response.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("headers", [{}, SIGNING])
async def test_but_only_if_keys_are_asked_for(unscoped: S3Catalog, headers: dict[str, str]) -> None:
    planned = await unscoped.call("POST", f"{table_path('t')}/plan", {}, headers=headers)
    assert "storage-credentials" not in planned.json()
    assert "cache-control" not in planned.headers


async def test_a_cancelled_plan_comes_without_keys(unscoped: S3Catalog) -> None:
    many = {"type": "in", "term": "id", "values": [number * 7919 % 100_003 for number in range(5000)]}
    planned = await unscoped.ok("POST", f"{table_path('t')}/plan", {"filter": many})
    plan = f"{table_path('t')}/plan/{planned['plan-id']}"
    await unscoped.ok("DELETE", plan)
    assert await unscoped.ok("GET", plan, headers=VENDED) == {"status": "cancelled"}


async def test_no_cache_keeps_keys(unscoped: S3Catalog) -> None:
    plain = await unscoped.call("GET", table_path("t"))
    with_keys = await unscoped.call("GET", table_path("t"), headers={**VENDED, "If-None-Match": plain.headers["etag"]})
    assert with_keys.status_code == 200
    assert with_keys.headers["cache-control"] == "no-store"
    assert "etag" not in with_keys.headers
    renewed = await unscoped.call("GET", f"{table_path('t')}/credentials")
    assert renewed.headers["cache-control"] == "no-store"


async def test_a_repeated_request_gets_keys_again_and_none_are_kept(unscoped: S3Catalog) -> None:
    for path, body in (("/namespaces/ns/tables", {"name": "new", "schema": SCHEMA}), (f"{table_path('t')}/plan", {})):
        headers = {**VENDED, "Idempotency-Key": new_uuid()}
        first = await unscoped.ok("POST", path, body, headers=headers)
        assert await unscoped.ok("POST", path, body, headers=headers) == first
        assert first["storage-credentials"]
    kept = await unscoped.store.list("", limit=10_000)
    assert not [entry.key for entry in kept if b"catalogs-secret" in entry.value]


async def test_who_may_only_list_a_table_gets_none(unscoped: S3Catalog) -> None:
    await unscoped.caller("ann", (Privilege.LIST, TABLE))
    await unscoped.refused(403, "GET", f"{table_path('t')}/credentials")
    await unscoped.refused(403, "GET", table_path("t"), headers=VENDED)


async def test_the_warehouse_says_where_its_store_is(unscoped: S3Catalog) -> None:
    config = (await unscoped.http.get("/v1/config")).json()
    assert config["defaults"] == {
        "s3.endpoint": STORE,
        "client.region": "us-east-1",
        "s3.region": "us-east-1",
        "s3.path-style-access": "true",
    }
