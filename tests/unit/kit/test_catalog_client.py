"""The catalog's client, against a small server that answers as it is told and remembers what it was asked."""

import json
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from boathouse.kit.access import CatalogAccess
from boathouse.kit.catalog_client import CatalogClient, TableChange, TableName
from boathouse.kit.errors import (
    BoathouseError,
    Conflict,
    Forbidden,
    InvalidInput,
    NotFound,
    Unauthenticated,
    Unavailable,
)

ORDERS = TableName(("sales",), "orders")


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class Catalog:
    """Answers in the order given; the configuration is answered by itself."""

    uri: str = ""
    prefix: str = ""
    answers: list[tuple[int, Any]] = field(default_factory=list[tuple[int, Any]])
    asked: list[Asked] = field(default_factory=list[Asked])

    def answer(self, asked: Asked) -> tuple[int, Any]:
        if asked.path.startswith("/v1/config"):
            return 200, {"defaults": {}, "overrides": {"prefix": self.prefix} if self.prefix else {}}
        self.asked.append(asked)
        return self.answers.pop(0)


def handler_of(catalog: Catalog) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            status, answer = catalog.answer(Asked(self.command, self.path, dict(self.headers), body))
            content = (
                answer if isinstance(answer, bytes) else json.dumps(answer).encode() if answer is not None else b""
            )
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_DELETE = _serve  # noqa: N815

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    return Handler


@pytest.fixture
def catalog() -> Iterator[Catalog]:
    told = Catalog()
    with ThreadingHTTPServer(("127.0.0.1", 0), handler_of(told)) as server:
        told.uri = f"http://127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield told
        server.shutdown()
        thread.join()


@pytest.fixture
def connect(catalog: Catalog) -> Iterator[Callable[[], CatalogClient]]:
    clients: list[CatalogClient] = []

    def do() -> CatalogClient:
        access = CatalogAccess.model_validate({"uri": catalog.uri, "warehouse": "lake", "token": "hush"})
        clients.append(CatalogClient(access, timeout=10))
        return clients[-1]

    yield do
    for client in clients:
        client.close()


Connect = Callable[[], CatalogClient]


def test_every_request_carries_the_token(catalog: Catalog, connect: Connect) -> None:
    catalog.answers = [(200, {"namespaces": []})]
    assert list(connect().namespaces()) == []
    assert catalog.asked[0].headers["Authorization"] == "Bearer hush"


def test_the_prefix_the_catalog_asks_for_is_in_every_path(catalog: Catalog, connect: Connect) -> None:
    catalog.prefix = "my lake"
    catalog.answers = [(200, {"metadata": {}, "metadata-location": "s3://x"})]
    connect().load_table(ORDERS)
    assert catalog.asked[0].path == "/v1/my%20lake/namespaces/sales/tables/orders"


def test_a_listing_goes_on_page_by_page(catalog: Catalog, connect: Connect) -> None:
    catalog.answers = [
        (200, {"identifiers": [{"namespace": ["sales"], "name": "a"}], "next-page-token": "2"}),
        (200, {"identifiers": [{"namespace": ["sales"], "name": "b"}]}),
    ]
    assert [str(table) for table in connect().tables(("sales",))] == ["sales.a", "sales.b"]
    assert catalog.asked[1].path.endswith("pageToken=2")


def test_views_are_listed_beside_tables(catalog: Catalog, connect: Connect) -> None:
    catalog.answers = [(200, {"identifiers": [{"namespace": ["sales"], "name": "recent"}]})]
    assert [str(view) for view in connect().views(("sales",))] == ["sales.recent"]
    assert catalog.asked[0].path.startswith("/v1/namespaces/sales/views")


def test_names_with_odd_characters_travel_whole(catalog: Catalog, connect: Connect) -> None:
    catalog.answers = [(200, {"metadata": {}})]
    connect().load_table(TableName(("a b", "c/d"), "e?f"))
    assert catalog.asked[0].path == "/v1/namespaces/a%20b%1Fc%2Fd/tables/e%3Ff"


def test_a_namespace_is_created_with_those_above_it_where_they_are_missing(catalog: Catalog, connect: Connect) -> None:
    catalog.answers = [(409, {"error": {"message": "is there"}}), (200, {})]
    connect().create_namespace(("a", "b"))
    assert [asked.body["namespace"] for asked in catalog.asked] == [["a"], ["a", "b"]]


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, InvalidInput),
        (401, Unauthenticated),
        (403, Forbidden),
        (404, NotFound),
        (409, Conflict),
        (418, InvalidInput),
        (500, Unavailable),
        (503, Unavailable),
    ],
)
def test_a_refusal_becomes_the_error_of_its_kind(
    catalog: Catalog, connect: Connect, status: int, kind: type[BoathouseError]
) -> None:
    catalog.answers = [(status, {"error": {"message": "because", "type": "X", "code": status}})]
    with pytest.raises(kind, match="because"):
        connect().load_table(ORDERS)


def test_a_refusal_without_a_reason_is_told_by_its_status(catalog: Catalog, connect: Connect) -> None:
    catalog.answers = [(502, b"<html>bad gateway</html>")]
    with pytest.raises(Unavailable, match="status 502"):
        connect().load_table(ORDERS)


def test_a_table_that_is_not_there_may_be_asked_for(catalog: Catalog, connect: Connect) -> None:
    catalog.answers = [
        (404, {"error": {"message": "no"}}),
        (200, {"metadata": {"a": 1}, "metadata-location": "s3://x"}),
    ]
    client = connect()
    assert client.find_table(ORDERS) is None
    found = client.find_table(ORDERS)
    assert found is not None
    assert (found.metadata, found.metadata_location) == ({"a": 1}, "s3://x")


def test_a_catalog_that_does_not_answer_is_unavailable_and_says_where_to_look() -> None:
    access = CatalogAccess.model_validate({"uri": "http://127.0.0.1:1", "warehouse": "lake", "token": "hush"})
    with CatalogClient(access) as client, pytest.raises(Unavailable, match="does not answer") as caught:
        client.load_table(ORDERS)
    assert caught.value.hint is not None
    assert "boathouse logs catalog" in caught.value.hint


def test_a_catalog_that_hangs_is_waited_for_only_so_long() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listens_only:
        uri = f"http://127.0.0.1:{listens_only.getsockname()[1]}"
        access = CatalogAccess.model_validate({"uri": uri, "warehouse": "lake", "token": "hush"})
        with (
            CatalogClient(access, timeout=1) as client,
            pytest.raises(Unavailable, match=f"The catalog at {uri} does not answer: nothing came within 1 s"),
        ):
            client.load_table(ORDERS)


def test_a_commit_names_every_table_with_its_conditions_and_changes(catalog: Catalog, connect: Connect) -> None:
    catalog.answers = [(204, None)]
    connect().commit([TableChange(ORDERS, [{"type": "assert-create"}], [{"action": "x"}])])
    assert catalog.asked[0].body == {
        "table-changes": [
            {
                "identifier": {"namespace": ["sales"], "name": "orders"},
                "requirements": [{"type": "assert-create"}],
                "updates": [{"action": "x"}],
            }
        ]
    }


def test_a_commit_whose_outcome_is_unknown_is_asked_for_again_under_the_same_key(
    catalog: Catalog, connect: Connect
) -> None:
    catalog.answers = [(503, {"error": {"message": "who knows"}}), (204, None)]
    connect().commit([TableChange(ORDERS, [], [])])
    first, second = (asked.headers["Idempotency-Key"] for asked in catalog.asked)
    assert first == second


def test_a_commit_that_was_refused_is_not_tried_again(catalog: Catalog, connect: Connect) -> None:
    catalog.answers = [(409, {"error": {"message": "changed meanwhile"}})]
    with pytest.raises(Conflict, match="changed meanwhile"):
        connect().commit([TableChange(ORDERS, [], [])])
    assert len(catalog.asked) == 1


def test_a_staged_table_is_asked_for_as_such(catalog: Catalog, connect: Connect) -> None:
    catalog.answers = [(200, {"metadata": {"format-version": 2}})]
    staged = connect().stage_create(ORDERS, {"schema": {}})
    assert staged.metadata_location is None
    assert catalog.asked[0].body == {"schema": {}, "name": "orders", "stage-create": True}


def test_dropping_a_table_leaves_its_files(catalog: Catalog, connect: Connect) -> None:
    catalog.answers = [(204, None)]
    connect().drop_table(ORDERS)
    assert catalog.asked[0].method == "DELETE"
    assert "purgeRequested=false" in catalog.asked[0].path


@pytest.mark.parametrize("text", ["orders", "", "sales.", ".orders", "a..b"])
def test_a_table_needs_its_full_name(text: str) -> None:
    with pytest.raises(InvalidInput, match="full name"):
        TableName.parse(text)


def test_a_full_name_reads_as_it_was_written() -> None:
    assert str(TableName.parse("a.b.c")) == "a.b.c"
    assert TableName.parse("a.b.c").namespace == ("a", "b")
