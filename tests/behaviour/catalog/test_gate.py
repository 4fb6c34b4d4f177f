"""What every request passes through: the token, the limits, and answers to what nobody asked for."""

from collections.abc import AsyncGenerator

import pytest
from structlog.testing import capture_logs

from boathouse.catalog.api.app import OPERATIONS
from boathouse.catalog.api.requests import LARGEST_BODY
from tests.behaviour.catalog.http_catalog import TOKEN, HttpCatalog, commit, table_path


@pytest.mark.parametrize(
    "header",
    [None, "", "Bearer", "Bearer ", "Bearer wrong", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN}x", "Bearer \xff"],
)
async def test_without_the_token_nothing_is_told(lake: HttpCatalog, header: str | None) -> None:
    del lake.http.headers["Authorization"]
    headers: dict[bytes, bytes] = {} if header is None else {b"Authorization": header.encode("latin-1")}
    for path in ("/v1/config", "/v1/lake/namespaces", "/nowhere"):
        response = await lake.http.get(path, headers=headers)
        assert response.status_code == 401
        assert response.json()["error"]["type"] == "NotAuthorizedException"


async def test_the_scheme_may_be_written_in_any_case(lake: HttpCatalog) -> None:
    response = await lake.http.get("/v1/config", headers={"Authorization": f"bearer {TOKEN}"})
    assert response.status_code == 200


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
async def test_anybody_may_ask_how_it_is(lake: HttpCatalog, path: str) -> None:
    del lake.http.headers["Authorization"]
    assert (await lake.http.get(path)).json() == {"status": "ok"}


async def test_it_is_not_ready_without_its_store(lake: HttpCatalog) -> None:
    await lake.store.close()
    assert (await lake.http.get("/readyz")).status_code == 503
    assert (await lake.http.get("/healthz")).status_code == 200


async def test_being_asked_how_it_is_is_told_only_when_it_is_not_well(lake: HttpCatalog) -> None:
    with capture_logs() as told:
        for path in ("/healthz", "/readyz", "/v1/config"):
            await lake.http.get(path)
        await lake.store.close()
        await lake.http.get("/readyz")
    assert [(line["path"], line["status"]) for line in told] == [("/v1/config", 200), ("/readyz", 503)]


@pytest.mark.parametrize("query", ["", "?warehouse=lake", "?warehouse={url}", "?warehouse={url}/"])
async def test_a_client_is_told_its_prefix_and_what_there_is(lake: HttpCatalog, query: str) -> None:
    config = (await lake.http.get(f"/v1/config{query.replace('{url}', lake.url)}")).json()
    assert config["overrides"] == {"prefix": "lake"}
    assert config["defaults"] == {}
    assert config["idempotency-key-lifetime"] == "PT30M"
    assert "GET /v1/{prefix}/namespaces/{namespace}/tables/{table}" in config["endpoints"]
    assert "HEAD /v1/{prefix}/namespaces/{namespace}/tables/{table}" in config["endpoints"]
    assert "POST /v1/{prefix}/transactions/commit" in config["endpoints"]
    served = [f"{one.method} {one.path}" for one in OPERATIONS if one.path.startswith("/v1/{prefix}")]
    assert sorted(config["endpoints"]) == sorted(set(served))


async def test_a_warehouse_that_is_not_there(lake: HttpCatalog) -> None:
    for path in ("/v1/config?warehouse=pond", "/v1/pond/namespaces", "/v1/pond/namespaces/ns/tables/t"):
        response = await lake.http.get(path)
        assert response.status_code == 404
        assert response.json()["error"]["type"] == "NoSuchWarehouseException"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 404),
        ("GET", "/v1/lake/views", 404),
        ("GET", "/v1/lake/namespaces/ns/views", 404),
        ("PUT", "/v1/lake/namespaces", 405),
        ("PATCH", "/v1/lake/namespaces/ns/tables/t", 405),
        ("GET", "/v1/lake/transactions/commit", 405),
    ],
)
async def test_what_is_not_there_has_an_error_of_the_usual_form(
    lake: HttpCatalog, method: str, path: str, status: int
) -> None:
    response = await lake.http.request(method, path)
    assert response.status_code == status
    assert response.json()["error"]["code"] == status


async def test_a_body_that_is_too_large_is_not_read(lake: HttpCatalog) -> None:
    response = await lake.http.post("/v1/lake/namespaces", content=b"x" * (LARGEST_BODY + 1))
    assert response.status_code == 413
    assert response.json()["error"]["code"] == 413


@pytest.mark.parametrize(("announced", "status"), [(b"9" * 5000, 413), ("²".encode("latin-1"), 400)])
async def test_what_a_body_announces_of_itself_need_not_be_a_number(
    lake: HttpCatalog, announced: bytes, status: int
) -> None:
    headers = [(b"authorization", f"Bearer {TOKEN}".encode()), (b"content-length", announced)]
    response = await lake.http.post("/v1/lake/namespaces", content=b"{}", headers=headers)
    assert response.status_code == status


async def test_nor_is_one_that_does_not_say_how_large_it_is(lake: HttpCatalog) -> None:
    async def endless() -> AsyncGenerator[bytes]:
        while True:
            yield b"x" * 1_000_000

    response = await lake.http.post("/v1/lake/namespaces", content=endless())
    assert response.status_code == 413


@pytest.mark.parametrize(
    "body", [b"", b"{", b"\xff\xfe", b'{"namespace":["\\ud800"]}', b"[" * 5000, b"nan", b'{"namespace":[NaN]}', b"\x00"]
)
async def test_a_body_that_is_no_json_is_refused(lake: HttpCatalog, body: bytes) -> None:
    for path in ("/v1/lake/namespaces", "/v1/lake/tables/rename", "/v1/lake/transactions/commit"):
        response = await lake.http.post(path, content=body)
        assert response.status_code == 400
        assert response.json()["error"]["type"] == "BadRequestException"


@pytest.mark.parametrize("path", ["%00", "%1F", "a%1F", "..", "%2E%2E", "%FF", "a%0A"])
async def test_a_name_that_cannot_be_is_refused(lake: HttpCatalog, path: str) -> None:
    response = await lake.http.get(f"/v1/lake/namespaces/{path}/tables")
    assert response.status_code in {400, 404}


async def test_every_answer_carries_the_id_of_its_request(lake: HttpCatalog) -> None:
    given = await lake.http.get("/v1/config", headers={"X-Request-Id": "mine"})
    assert given.headers["x-request-id"] == "mine"
    assert (await lake.http.get("/v1/config")).headers["x-request-id"]


async def test_what_was_not_foreseen_is_no_stack_trace(lake: HttpCatalog, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> None:
        raise ZeroDivisionError("secret detail")

    monkeypatch.setattr(type(lake.catalog.tables), "load", broken)
    monkeypatch.setattr(type(lake.catalog.changes), "commit", broken)
    for method, kind in (("GET", "InternalServerError"), ("POST", "CommitStateUnknownException")):
        response = await lake.call(method, table_path("t"), {} if method == "POST" else None)
        assert response.status_code == 500
        assert response.json()["error"]["type"] == kind
        assert "secret" not in response.text


@pytest.mark.parametrize("number", [2**64, -(2**63) - 1, 10**30])
async def test_a_whole_number_that_would_become_another_is_refused(lake: HttpCatalog, number: int) -> None:
    await lake.namespace("ns")
    await lake.table()
    body = commit({"action": "set-snapshot-ref", "ref-name": "main", "type": "branch", "snapshot-id": 1, "x": number})
    error = await lake.refused(400, "POST", table_path("t"), body)
    assert "more than 64 bits" in error["message"]
    fits = commit(
        {"action": "set-properties", "updates": {"a": "9" * 30}, "x": 2**63 - 1, "y": 0.12345678901234567890123}
    )
    await lake.ok("POST", table_path("t"), fits)
