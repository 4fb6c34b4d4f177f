"""Requests to storage, signed for those who have no keys: whose, for which objects, and what is told about it."""

from collections.abc import AsyncGenerator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from boathouse.catalog.access.privileges import Privilege
from boathouse.catalog.access.securables import Securable
from tests.behaviour.catalog.guarded_catalog import LAKE, NS, TABLE
from tests.behaviour.catalog.http_catalog import SCHEMA, Json, commit, creation, set_properties, table_path
from tests.behaviour.catalog.s3_catalog import SIGNING, STORE, VENDED, S3Catalog

LIST, READ, WRITE, CREATE, MANAGE = Privilege


@pytest.fixture
async def lake(tmp_path: Path) -> AsyncGenerator[S3Catalog]:
    lake = S3Catalog(tmp_path)
    await prepare(lake)
    yield lake
    await lake.close()


async def prepare(lake: S3Catalog) -> None:
    """Two tables of an administrator's, whose token is brought."""
    await lake.caller("admin", (MANAGE, LAKE))
    await lake.namespace("ns")
    for name in ("t", "t2"):
        await lake.table(name)
    await lake.principal("ann")


async def become(lake: S3Catalog, *grants: tuple[Privilege, Securable]) -> None:
    await lake.hold("ann", *grants)
    await lake.become("ann")


async def test_a_signed_request_carries_what_the_store_asks_for(lake: S3Catalog) -> None:
    signed = await lake.sign("PUT", "bucket/wh/ns/t/data/a", headers={"x-amz-meta-a": ["b"], "Content-Length": ["3"]})
    assert signed["uri"] == f"{STORE}/bucket/wh/ns/t/data/a"
    (authorization,) = signed["headers"]["authorization"]
    assert authorization.startswith("AWS4-HMAC-SHA256 Credential=catalogs-key/")
    assert "SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-meta-a," in authorization
    assert signed["headers"]["x-amz-content-sha256"] == ["UNSIGNED-PAYLOAD"]
    assert "catalogs-secret" not in str(signed)


async def test_what_a_client_has_set_it_keeps(lake: S3Catalog) -> None:
    signed = await lake.sign("GET", "bucket/wh/ns/t/a", headers={"X-Amz-Content-SHA256": ["stated"]})
    assert signed["headers"].keys() == {"authorization", "x-amz-date"}
    await lake.sign("GET", "bucket/wh/ns/t/a", headers={"x-amz-date": ["20200101T000000Z"]}, status=403)
    await lake.sign("GET", "bucket/wh/ns/t/a", headers={"x-amz-date": ["tomorrow"]}, status=403)


async def test_a_reader_reads_and_lists_and_nothing_else(lake: S3Catalog) -> None:
    await become(lake, (READ, TABLE))
    await lake.sign("GET", "bucket/wh/ns/t/data/a")
    await lake.sign("HEAD", "bucket/wh/ns/t/data/a")
    await lake.sign("GET", "bucket?list-type=2&prefix=wh/ns/t/data/")
    for method in ("PUT", "DELETE", "POST"):
        error = await lake.sign(method, "bucket/wh/ns/t/data/a", status=403)
        assert "lacks the grant 'write' on table ns.t" in error["message"]


async def test_a_writer_writes(lake: S3Catalog) -> None:
    await become(lake, (WRITE, TABLE))
    await lake.sign("PUT", "bucket/wh/ns/t/data/a")
    await lake.sign("POST", "bucket/wh/ns/t/data/a?uploads")
    await lake.sign("DELETE", "bucket/wh/ns/t/data/a")


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
@pytest.mark.parametrize(
    "target",
    [
        "bucket/wh/ns/t2/data/a",
        "bucket/wh/ns/t",
        "bucket/wh/ns/ta",
        "bucket/wh/a",
        "bucket/ns/t/a",
        "bucket/wh/ns/t/../t2/a",
        "bucket/wh/ns/t/%2e%2e/t2/a",
        "bucket/wh/ns/t%2F..%2Ft2/a",
        "bucket2/wh/ns/t/a",
    ],
)
async def test_nothing_outside_of_the_table_is_signed(lake: S3Catalog, method: str, target: str) -> None:
    await lake.sign(method, target, status=403)


@pytest.mark.parametrize("prefix", ["wh/ns/t", "wh/ns/", "wh/ns/t2/", "", "wh/ns/t/../"])
async def test_no_other_table_is_listed(lake: S3Catalog, prefix: str) -> None:
    await lake.sign("GET", f"bucket?list-type=2&prefix={prefix}", status=403)


async def test_many_are_not_deleted_at_once_on_a_store_that_would_take_another_body(lake: S3Catalog) -> None:
    body = "<Delete><Object><Key>wh/ns/t/a</Key></Object></Delete>"
    error = await lake.sign("POST", "bucket?delete", body=body, status=403)
    assert "Delete one by one" in error["message"]


async def test_on_aws_the_body_of_many_deletions_is_part_of_what_is_signed(tmp_path: Path) -> None:
    lake = S3Catalog(tmp_path, endpoint=None)
    await prepare(lake)
    body = "<Delete><Object><Key>wh/ns/t/a</Key></Object></Delete>"
    asked: Json = {"uri": "https://bucket.s3.us-east-1.amazonaws.com/?delete", "body": body}
    signed = await lake.sign("POST", "", **asked)
    assert signed["headers"]["x-amz-content-sha256"] == [sha256(body.encode()).hexdigest()]
    unsigned = {"x-amz-content-sha256": ["UNSIGNED-PAYLOAD"]}
    await lake.sign("POST", "", **asked, headers=unsigned, status=403)
    for foreign in (body.replace("/t/", "/t2/"), body.replace("</Delete>", "<Object><Key>x</Key></Object></Delete>")):
        await lake.sign("POST", "", **{**asked, "body": foreign}, status=403)
    await lake.close()


async def test_a_reader_may_use_a_signature_again_and_a_writer_may_not(lake: S3Catalog) -> None:
    body = {"region": "r", "method": "GET", "uri": f"{STORE}/bucket/wh/ns/t/a", "headers": {}}
    path = f"{table_path('t')}/sign"
    assert (await lake.call("POST", path, body)).headers["cache-control"] == "private"
    assert (await lake.call("POST", path, {**body, "method": "PUT"})).headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "wrong",
    [{"headers": {"a": "b"}}, {"headers": {"a": [1]}}, {"headers": None}, {"provider": "gcs"}, {"uri": 1}, {"body": 1}],
)
async def test_what_is_no_request_is_refused(lake: S3Catalog, wrong: dict[str, Any]) -> None:
    await lake.sign("GET", "bucket/wh/ns/t/a", status=400, **wrong)


async def test_for_a_table_that_is_not_there_nothing_is_signed(lake: S3Catalog) -> None:
    error = await lake.sign("GET", "bucket/wh/ns/nope/a", table="nope", status=404)
    assert error["type"] == "NoSuchTableException"


async def test_who_asks_is_told_how_to_have_requests_signed(lake: S3Catalog) -> None:
    loaded = await lake.ok("GET", table_path("t"), headers=SIGNING)
    assert loaded["config"]["s3.remote-signing-enabled"] == "true"
    assert loaded["config"]["s3.signer.endpoint"] == "v1/lake/namespaces/ns/tables/t/sign"
    assert loaded["config"]["s3.endpoint"] == STORE
    assert "storage-credentials" not in loaded
    assert (await lake.ok("GET", table_path("t")))["config"] == {}
    assert (await lake.ok("GET", table_path("t"), headers=VENDED))["config"] == {}


async def test_the_two_answers_are_two_versions_to_a_cache(lake: S3Catalog) -> None:
    plain = await lake.call("GET", table_path("t"))
    known = {**SIGNING, "If-None-Match": plain.headers["etag"]}
    signing = await lake.call("GET", table_path("t"), headers=known)
    assert signing.status_code == 200
    known["If-None-Match"] = signing.headers["etag"]
    assert (await lake.call("GET", table_path("t"), headers=known)).status_code == 304


class TestStagedTables:
    async def stage(self, lake: S3Catalog, name: str = "new") -> str:
        """The query with which its client is to ask for signatures."""
        body = {"name": name, "schema": SCHEMA, "stage-create": True}
        staged = await lake.ok("POST", "/namespaces/ns/tables", body, headers=SIGNING)
        path, _, query = staged["config"]["s3.signer.endpoint"].partition("?")
        assert path == f"v1/lake/namespaces/ns/tables/{name}/sign"
        return f"?{query}"

    async def test_who_may_create_a_table_may_write_it_before_it_is_there(self, lake: S3Catalog) -> None:
        await become(lake, (CREATE, NS))
        query = await self.stage(lake)
        await lake.sign("PUT", "bucket/wh/ns/new/data/a", "new", query=query)
        await lake.sign("GET", "bucket/wh/ns/new/data/a", "new", query=query)
        await lake.sign("PUT", "bucket/wh/ns/t/data/a", "new", query=query, status=403)

    async def test_once_it_is_there_it_takes_a_grant(self, lake: S3Catalog) -> None:
        await become(lake, (CREATE, NS))
        query = await self.stage(lake)
        body = commit(*creation(), requirements=[{"type": "assert-create"}])
        await lake.ok("POST", table_path("new"), body)
        error = await lake.sign("PUT", "bucket/wh/ns/new/data/a", "new", query=query, status=403)
        assert "lacks the grant 'write' on table ns.new" in error["message"]
        await lake.hold("ann", (CREATE, NS), (WRITE, Securable("lake", ("ns",), "new")))
        await lake.sign("PUT", "bucket/wh/ns/new/data/a", "new", query=query)

    async def test_a_location_that_was_not_given_out_is_refused(self, lake: S3Catalog) -> None:
        await become(lake, (CREATE, NS))
        query = await self.stage(lake)
        await lake.sign("PUT", "bucket/wh/ns/new/data/a", "other", query=query, status=403)
        for forged in (query[:-1] + "x", "?staged=", "?staged=e30.x", "?staged=%F0"):
            await lake.sign("PUT", "bucket/wh/ns/new/data/a", "new", query=forged, status=403)

    async def test_whoever_is_there_first_has_the_location_to_himself(self, lake: S3Catalog) -> None:
        query = await self.stage(lake)
        await lake.table("rival", location="s3://bucket/wh/ns/new/inner")
        error = await lake.sign("PUT", "bucket/wh/ns/new/inner/a", "new", query=query, status=403)
        assert "another's by now" in error["message"]


class TestPathsOutsideOfTheLocation:
    async def test_they_are_not_signed_for_unless_the_warehouse_allows_it(self, lake: S3Catalog) -> None:
        await lake.set_property("write.data.path", "s3://bucket/wh/shared/t")
        await lake.sign("PUT", "bucket/wh/shared/t/a", status=403)

    async def test_where_they_are_allowed_they_stay_in_the_warehouse_and_out_of_other_tables(
        self, tmp_path: Path
    ) -> None:
        lake = S3Catalog(tmp_path, outside_paths=True)
        await prepare(lake)
        await lake.set_property("write.data.path", "s3://bucket/wh/shared/t")
        await lake.sign("PUT", "bucket/wh/shared/t/a")
        await lake.sign("PUT", "bucket/wh/ns/t/a")
        for claimed in ("s3://bucket/wh/ns/t2", "s3://bucket/wh/ns/t2/data", "s3://bucket/wh/ns", "s3://bucket/wh"):
            await lake.refused(400, "POST", table_path("t"), commit(set_properties(**{"write.data.path": claimed})))
            await lake.sign("PUT", "bucket/wh/ns/t2/data/a", status=403)
        await lake.refused(400, "POST", table_path("t"), commit(set_properties(**{"write.data.path": "s3://other/x"})))
        await lake.sign("PUT", "other/x/a", status=403)

    async def test_who_comes_to_lie_there_later_has_it_to_himself(self, tmp_path: Path) -> None:
        lake = S3Catalog(tmp_path, outside_paths=True)
        await prepare(lake)
        await lake.set_property("gc.enabled", "false")
        await lake.set_property("write.data.path", "s3://bucket/wh/shared/t")
        await lake.table("later", location="s3://bucket/wh/shared")
        await lake.sign("PUT", "bucket/wh/shared/t/a", status=403)
        await lake.close()
