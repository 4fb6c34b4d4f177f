"""Requests with an idempotency key: carried out once, however often they are sent."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
import yaml

from boathouse.catalog.names import repeat_key
from boathouse.catalog.service.repeats import LIFETIME_SECONDS
from boathouse.catalog.store import Comparison, Write
from boathouse.kit.ids import new_uuid
from tests.behaviour.catalog.http_catalog import (
    SCHEMA,
    HttpCatalog,
    append,
    change,
    commit,
    main_at,
    new_view,
    path_of,
    renaming,
    replacement,
    set_properties,
    table_path,
    view_path,
)

SPECIFICATION = Path(__file__).parents[2] / "conformance/rest-catalog-open-api.yaml"


@dataclass(frozen=True)
class Case:
    """A request that succeeds once, and what the specification calls it."""

    operation: str
    path: str
    body: Any = None

    @property
    def method(self) -> str:
        return self.operation.split()[0]


_NAMESPACES = "/v1/{prefix}/namespaces"
_NAMESPACE = f"{_NAMESPACES}/{{namespace}}"
_TABLE = f"{_NAMESPACE}/tables/{{table}}"
_VIEW = f"{_NAMESPACE}/views/{{view}}"
APPEND = commit(*append(1, 1), requirements=[main_at(None)])
CASES = [
    Case(f"POST {_NAMESPACES}", "/namespaces", {"namespace": ["new"], "properties": {"a": "b"}}),
    Case(f"DELETE {_NAMESPACE}", path_of("empty")),
    Case(f"POST {_NAMESPACE}/properties", f"{path_of('empty')}/properties", {"updates": {"a": "b"}, "removals": ["c"]}),
    Case(f"POST {_NAMESPACE}/tables", f"{path_of('ns')}/tables", {"name": "new", "schema": SCHEMA}),
    Case(
        f"POST {_NAMESPACE}/register", f"{path_of('ns')}/register", {"name": "new", "metadata-location": "gone table"}
    ),
    Case(
        f"POST {_NAMESPACE}/tables",
        f"{path_of('ns')}/tables",
        {"name": "new", "schema": SCHEMA, "stage-create": True},
    ),
    Case(f"POST {_TABLE}", table_path("t"), APPEND),
    Case(f"DELETE {_TABLE}", table_path("t")),
    Case(f"DELETE {_TABLE}", f"{table_path('t')}?purgeRequested=true"),
    Case(f"POST {_TABLE}/unregister", f"{table_path('t')}/unregister"),
    Case("POST /v1/{prefix}/tables/rename", "/tables/rename", renaming(["ns", "t"], ["ns", "u"])),
    Case(
        "POST /v1/{prefix}/transactions/commit",
        "/transactions/commit",
        {"table-changes": [change("t", *append(1, 1), requirements=[main_at(None)])]},
    ),
    Case(f"POST {_NAMESPACE}/views", f"{path_of('ns')}/views", new_view("new")),
    Case(
        f"POST {_NAMESPACE}/register-view",
        f"{path_of('ns')}/register-view",
        {"name": "new", "metadata-location": "gone view"},
    ),
    Case(f"POST {_VIEW}", view_path("v"), commit(*replacement("SELECT 2"))),
    Case(f"DELETE {_VIEW}", view_path("v")),
    Case("POST /v1/{prefix}/views/rename", "/views/rename", renaming(["ns", "v"], ["ns", "w"])),
]
# The specification forgot the key here; creating a view twice would be as bad as creating a table twice.
WITHOUT_BEING_ASKED = {f"POST {_NAMESPACE}/views"}
EVERY_CASE = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.method} {case.path}")


@pytest.fixture(autouse=True)
async def gone(lake: HttpCatalog) -> dict[str, str]:
    """Something of everything, and where the metadata files of a dropped table and a dropped view lie."""
    await lake.namespace("ns")
    await lake.namespace("empty")
    await lake.table()
    await lake.view()
    gone = {"gone table": await lake.table("gone"), "gone view": await lake.view("gone_view")}
    await lake.ok("DELETE", table_path("gone"))
    await lake.ok("DELETE", view_path("gone_view"))
    return {name: created["metadata-location"] for name, created in gone.items()}


@pytest.fixture
def body(case: Case, gone: dict[str, str]) -> Any:
    location = case.body.get("metadata-location") if case.body else None
    return {**case.body, "metadata-location": gone[location]} if location else case.body


async def send(lake: HttpCatalog, key: str, method: str, path: str, body: Any) -> httpx.Response:
    return await lake.call(method, path, body, headers={"Idempotency-Key": key})


def later(lake: HttpCatalog, seconds: float) -> None:
    now = lake.catalog.repeats._clock()
    lake.catalog.repeats._clock = lambda: now + seconds


def test_every_change_that_the_specification_gives_a_key_is_among_the_cases() -> None:
    asked = {operation for operation in specified_with("idempotency-key") if not is_about_scans(operation)}
    assert {case.operation for case in CASES} == asked | WITHOUT_BEING_ASKED


def specified_with(parameter: str) -> set[str]:
    paths: dict[str, Any] = yaml.safe_load(SPECIFICATION.read_text())["paths"]
    reference = {"$ref": f"#/components/parameters/{parameter}"}
    return {
        f"{method.upper()} {path}"
        for path, methods in paths.items()
        for method, operation in methods.items()
        if method != "parameters" and reference in operation.get("parameters", [])
    }


def is_about_scans(operation: str) -> bool:
    """A scan that is planned twice changes nothing twice."""
    return "/plan" in operation or operation.endswith("/tasks")


@EVERY_CASE
async def test_a_repeat_is_told_what_the_first_was(lake: HttpCatalog, case: Case, body: Any) -> None:
    key = new_uuid()
    first = await send(lake, key, case.method, case.path, body)
    await lake.catalog.purging.finished()
    files = lake.files()
    assert first.is_success, first.text
    for _ in range(2):
        again = await send(lake, key, case.method, case.path, body)
        assert (again.status_code, again.content) == (first.status_code, first.content)
    assert lake.files() == files


@EVERY_CASE
async def test_repeats_sent_at_once_are_carried_out_once(lake: HttpCatalog, case: Case, body: Any) -> None:
    key = new_uuid()
    answers = await asyncio.gather(*(send(lake, key, case.method, case.path, body) for _ in range(6)))
    assert {(answer.status_code, answer.content) for answer in answers} == {
        (answers[0].status_code, answers[0].content)
    }
    assert answers[0].is_success, answers[0].text


@EVERY_CASE
async def test_its_key_is_for_nothing_else_until_its_time_is_over(lake: HttpCatalog, case: Case, body: Any) -> None:
    key, other = new_uuid(), {"namespace": ["other"]}
    first = await send(lake, key, case.method, case.path, body)
    later(lake, LIFETIME_SECONDS)
    again = await send(lake, key, case.method, case.path, body)
    assert (again.status_code, again.content) == (first.status_code, first.content), "within the advertised lifetime"
    refused = [await send(lake, key, "POST", "/namespaces", other)]
    if body is not None:
        refused.append(await send(lake, key, case.method, case.path, {**body, "more": 1}))
    assert {answer.status_code for answer in refused} == {422}
    assert {answer.json()["error"]["type"] for answer in refused} == {"UnprocessableEntityException"}
    later(lake, 2 * LIFETIME_SECONDS)
    assert (await send(lake, key, "POST", "/namespaces", other)).status_code == 200


@EVERY_CASE
async def test_the_record_is_written_in_the_commit_that_makes_the_change(
    lake: HttpCatalog, case: Case, body: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = new_uuid()
    commits: list[set[str]] = []
    commit_to_store: Callable[..., Awaitable[bool]] = lake.store.commit

    async def recorded(comparisons: Sequence[Comparison], writes: Sequence[Write]) -> bool:
        commits.append({write.key for write in writes})
        return await commit_to_store(comparisons, writes)

    monkeypatch.setattr(lake.store, "commit", recorded)
    assert (await send(lake, key, case.method, case.path, body)).is_success
    assert repeat_key("lake", key) in commits[0]
    assert len(commits[0]) > 1 or (body or {}).get("stage-create"), "which changes nothing else"
    assert not any(repeat_key("lake", key) in others for others in commits[1:])


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
    later(lake, LIFETIME_SECONDS)
    assert (await send(lake, key, "POST", "/namespaces", body)).status_code == 200, "still within its time"
    later(lake, LIFETIME_SECONDS)
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
    later(lake, 2 * LIFETIME_SECONDS)
    answer, _ = await asyncio.gather(
        send(lake, key, "POST", "/namespaces", {"namespace": ["m"]}), lake.catalog.repeats.forget_expired()
    )
    assert answer.status_code == 200


async def test_old_records_are_swept(lake: HttpCatalog) -> None:
    for number in range(3):
        await send(lake, new_uuid(), "POST", "/namespaces", {"namespace": [f"n{number}"]})
    assert await lake.catalog.repeats.forget_expired() == 0
    later(lake, 2 * LIFETIME_SECONDS)
    assert await lake.catalog.repeats.forget_expired() == 3
    assert await lake.store.list("repeat/", limit=10) == []


async def test_a_refused_create_is_refused_in_the_same_words_whatever_is_to_be_delegated(lake: HttpCatalog) -> None:
    await lake.namespace("there")
    await lake.table("t", ["there"])
    headers = {"Idempotency-Key": str(uuid4()), "X-Iceberg-Access-Delegation": "vended-credentials,remote-signing"}
    body = {"name": "t", "schema": SCHEMA}
    first = await lake.refused(409, "POST", "/namespaces/there/tables", body, headers=headers)
    assert await lake.refused(409, "POST", "/namespaces/there/tables", body, headers=headers) == first
