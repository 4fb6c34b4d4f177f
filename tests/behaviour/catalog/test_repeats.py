"""Requests with an idempotency key: carried out once, however often they are sent."""

import asyncio
from typing import Any
from uuid import uuid4

import httpx
import pytest

from boathouse.catalog.service.repeats import LIFETIME_SECONDS
from boathouse.kit.ids import new_uuid
from tests.behaviour.catalog.http_catalog import (
    SCHEMA,
    HttpCatalog,
    append,
    change,
    commit,
    main_at,
    path_of,
    set_properties,
    table_path,
)

RENAME = {"source": {"namespace": ["ns"], "name": "t"}, "destination": {"namespace": ["ns"], "name": "u"}}
OPERATIONS: list[tuple[str, str, Any]] = [
    ("POST", "/namespaces", {"namespace": ["new"], "properties": {"a": "b"}}),
    ("DELETE", path_of("empty"), None),
    ("POST", f"{path_of('empty')}/properties", {"updates": {"a": "b"}, "removals": ["c"]}),
    ("POST", f"{path_of('ns')}/tables", {"name": "new", "schema": SCHEMA}),
    ("POST", table_path("t"), commit(*append(1, 1), requirements=[main_at(None)])),
    ("POST", "/transactions/commit", {"table-changes": [change("t", *append(1, 1), requirements=[main_at(None)])]}),
    ("DELETE", table_path("t"), None),
    ("POST", "/tables/rename", RENAME),
]


@pytest.fixture(autouse=True)
async def table(lake: HttpCatalog) -> None:
    await lake.namespace("ns")
    await lake.namespace("empty")
    await lake.table()


async def send(lake: HttpCatalog, key: str, method: str, path: str, body: Any) -> httpx.Response:
    return await lake.call(method, path, body, headers={"Idempotency-Key": key})


@pytest.mark.parametrize(("method", "path", "body"), OPERATIONS)
async def test_a_repeat_is_told_what_the_first_was(lake: HttpCatalog, method: str, path: str, body: Any) -> None:
    key = new_uuid()
    first = await send(lake, key, method, path, body)
    files = lake.files()
    assert first.is_success, first.text
    for _ in range(2):
        again = await send(lake, key, method, path, body)
        assert (again.status_code, again.content) == (first.status_code, first.content)
    assert lake.files() == files


@pytest.mark.parametrize(("method", "path", "body"), OPERATIONS)
async def test_repeats_sent_at_once_are_carried_out_once(lake: HttpCatalog, method: str, path: str, body: Any) -> None:
    key = new_uuid()
    answers = await asyncio.gather(*(send(lake, key, method, path, body) for _ in range(6)))
    assert {(answer.status_code, answer.content) for answer in answers} == {
        (answers[0].status_code, answers[0].content)
    }
    assert answers[0].is_success, answers[0].text


async def test_a_repeat_is_told_so_even_when_the_table_has_changed_since(lake: HttpCatalog) -> None:
    key = new_uuid()
    first = await send(lake, key, "POST", table_path("t"), commit(set_properties(a="1")))
    await lake.set_property("a", "2")
    again = await send(lake, key, "POST", table_path("t"), commit(set_properties(a="1")))
    assert again.json() == first.json()
    assert (await lake.load())["metadata"]["properties"]["a"] == "2"


async def test_a_refusal_is_repeated_too(lake: HttpCatalog) -> None:
    key = new_uuid()
    body = {"name": "t", "schema": SCHEMA}
    first = await send(lake, key, "POST", f"{path_of('ns')}/tables", body)
    await lake.ok("DELETE", table_path("t"))
    again = await send(lake, key, "POST", f"{path_of('ns')}/tables", body)
    assert first.status_code == again.status_code == 409
    assert again.json() == first.json()


async def test_a_key_is_for_one_request(lake: HttpCatalog) -> None:
    key = new_uuid()
    await send(lake, key, "POST", table_path("t"), commit(set_properties(a="1")))
    for path, body in ((table_path("t"), commit(set_properties(a="2"))), ("/namespaces", {"namespace": ["n"]})):
        other = await send(lake, key, "POST", path, body)
        assert other.status_code == 422
        assert other.json()["error"]["type"] == "UnprocessableEntityException"


@pytest.mark.parametrize(
    "key", ["", "x", "1234", "not-a-uuid-but-of-the-same-length-36", str(uuid4()).replace("-", "")]
)
async def test_a_key_is_a_uuid(lake: HttpCatalog, key: str) -> None:
    answer = await send(lake, key, "POST", "/namespaces", {"namespace": ["n"]})
    assert answer.status_code == 400
    assert "Idempotency-Key" in answer.json()["error"]["message"]


async def test_upper_and_lower_case_are_the_same_key(lake: HttpCatalog) -> None:
    key = new_uuid()
    body = {"namespace": ["n"]}
    assert (await send(lake, key.lower(), "POST", "/namespaces", body)).status_code == 200
    assert (await send(lake, key.upper(), "POST", "/namespaces", body)).status_code == 200


async def test_a_key_is_forgotten_after_its_time(lake: HttpCatalog) -> None:
    key = new_uuid()
    body = {"namespace": ["n"]}
    await send(lake, key, "POST", "/namespaces", body)
    now = lake.catalog.repeats._clock()
    lake.catalog.repeats._clock = lambda: now + LIFETIME_SECONDS
    assert (await send(lake, key, "POST", "/namespaces", body)).status_code == 200, "still within its time"
    lake.catalog.repeats._clock = lambda: now + 2 * LIFETIME_SECONDS
    assert (await send(lake, key, "POST", "/namespaces", body)).status_code == 409, "carried out anew"


async def test_a_table_that_was_purged_since_is_said_to_be(lake: HttpCatalog) -> None:
    key = new_uuid()
    body = {"name": "new", "schema": SCHEMA}
    await send(lake, key, "POST", f"{path_of('ns')}/tables", body)
    await lake.ok("DELETE", f"{table_path('new')}?purgeRequested=true")
    await lake.catalog.purging.finished()
    lake.catalog.tables.files._cache.clear()
    again = await send(lake, key, "POST", f"{path_of('ns')}/tables", body)
    assert (again.status_code, again.json()["error"]["type"]) == (404, "NoSuchTableException")


async def test_a_key_that_is_swept_while_it_is_used_again_does_not_stand_in_the_way(lake: HttpCatalog) -> None:
    key = new_uuid()
    await send(lake, key, "POST", "/namespaces", {"namespace": ["n"]})
    now = lake.catalog.repeats._clock()
    lake.catalog.repeats._clock = lambda: now + 2 * LIFETIME_SECONDS
    answer, _ = await asyncio.gather(
        send(lake, key, "POST", "/namespaces", {"namespace": ["m"]}), lake.catalog.repeats.forget_expired()
    )
    assert answer.status_code == 200


async def test_old_records_are_swept(lake: HttpCatalog) -> None:
    for number in range(3):
        await send(lake, new_uuid(), "POST", "/namespaces", {"namespace": [f"n{number}"]})
    assert await lake.catalog.repeats.forget_expired() == 0
    now = lake.catalog.repeats._clock()
    lake.catalog.repeats._clock = lambda: now + 2 * LIFETIME_SECONDS
    assert await lake.catalog.repeats.forget_expired() == 3
    assert await lake.store.list("repeat/", limit=10) == []
