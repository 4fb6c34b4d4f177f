"""Grants given and taken over HTTP, and what comes of them."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import httpx
import pytest

from boathouse.catalog.access.privileges import Privilege
from boathouse.catalog.access.securables import Securable
from boathouse.catalog.api.app import create_app
from boathouse.catalog.api.auth import NoAuthentication, StaticToken
from tests.behaviour.catalog.guarded_catalog import LAKE, NS, TABLE, GuardedCatalog
from tests.behaviour.catalog.http_catalog import table_path

READ, WRITE, MANAGE = Privilege.READ, Privilege.WRITE, Privilege.MANAGE
OF_TABLE = "/management/v1/lake/namespaces/ns/tables/t/grants"


@pytest.fixture
async def lake(tmp_path: Path) -> AsyncGenerator[GuardedCatalog]:
    lake = GuardedCatalog(tmp_path)
    await lake.caller("admin", (MANAGE, LAKE))
    await lake.namespace("ns")
    await lake.table()
    await lake.principal("bob")
    yield lake
    await lake.close()


async def held(lake: GuardedCatalog, path: str = OF_TABLE) -> list[tuple[str, str, Any, Any]]:
    told = (await lake.http.get(path)).raise_for_status().json()
    assert told["enforced"] is True
    return [(one["principal"], one["privilege"], one["namespace"], one["table"]) for one in told["grants"]]


async def test_a_grant_is_felt_and_so_is_its_end(lake: GuardedCatalog) -> None:
    for _ in range(2):
        assert (await lake.http.put(f"{OF_TABLE}/bob/read")).status_code == 204
    await lake.become("bob")
    assert (await lake.call("GET", table_path("t"))).status_code == 200
    assert (await lake.http.get(OF_TABLE)).status_code == 403
    await lake.become("admin")
    for _ in range(2):
        assert (await lake.http.delete(f"{OF_TABLE}/bob/read")).status_code == 204
    lake.a_moment_later()
    await lake.become("bob")
    assert (await lake.call("GET", table_path("t"))).status_code == 403


async def test_what_holds_for_a_thing_is_listed_also_where_it_was_granted_above(lake: GuardedCatalog) -> None:
    await lake.hold(
        "bob", (READ, NS), (WRITE, TABLE), (READ, Securable("lake", ("ns",), "u")), (READ, Securable("pond"))
    )
    assert await held(lake) == [
        ("admin", "manage", None, None),
        ("bob", "read", ["ns"], None),
        ("bob", "write", ["ns"], "t"),
    ]
    assert await held(lake, "/management/v1/lake/namespaces/ns/grants") == [
        ("admin", "manage", None, None),
        ("bob", "read", ["ns"], None),
    ]
    assert await held(lake, "/management/v1/lake/grants") == [("admin", "manage", None, None)]
    principals = (await lake.http.get("/management/v1/lake/principals")).json()
    assert principals == {"principals": ["admin", "bob"]}


async def test_who_manages_a_table_gives_grants_on_it_and_on_nothing_else(lake: GuardedCatalog) -> None:
    await lake.principal("carl", (MANAGE, TABLE))
    await lake.become("carl")
    assert (await lake.http.put(f"{OF_TABLE}/bob/write")).status_code == 204
    assert (await lake.http.put("/management/v1/lake/namespaces/ns/grants/bob/read")).status_code == 403
    assert (await lake.http.get("/management/v1/lake/principals")).status_code == 403


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (f"{OF_TABLE}/nobody/read", 404),
        (f"{OF_TABLE}/bob/fly", 400),
        (f"{OF_TABLE}/bo:b/read", 404),
        ("/management/v1/nowhere/grants/bob/read", 403),
    ],
)
async def test_what_makes_no_sense_is_refused(lake: GuardedCatalog, path: str, status: int) -> None:
    assert (await lake.http.put(path)).status_code == status


async def test_a_token_for_everything_may_also_grant_but_it_is_said_that_nobody_is_asked(lake: GuardedCatalog) -> None:
    app = create_app(lake.store, {"lake": lake.catalog}, StaticToken("t"))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://catalog") as http:
        assert (await http.put(f"{OF_TABLE}/bob/read")).status_code == 401
        http.headers["Authorization"] = "Bearer t"
        assert (await http.put(f"{OF_TABLE}/bob/read")).status_code == 204
        assert (await http.get("/management/v1/nowhere/grants")).status_code == 404
        told = (await http.get(OF_TABLE)).json()
        assert (told["enforced"], len(told["grants"])) == (False, 2)


async def test_where_nobody_is_asked_who_they_are_nobody_changes_grants(lake: GuardedCatalog) -> None:
    app = create_app(lake.store, {"lake": lake.catalog}, NoAuthentication())
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://catalog") as http:
        for method in ("PUT", "DELETE"):
            assert (await http.request(method, f"{OF_TABLE}/bob/read")).status_code == 403
    assert await held(lake) == [("admin", "manage", None, None)]
