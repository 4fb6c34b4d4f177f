"""Namespaces over HTTP."""

from typing import Any

import pytest

from tests.behaviour.catalog.http_catalog import HttpCatalog, path_of


async def test_a_new_namespace_has_its_properties(lake: HttpCatalog) -> None:
    body = {"namespace": ["sales"], "properties": {"owner": "ann"}}
    assert await lake.ok("POST", "/namespaces", body) == body
    found = await lake.ok("GET", path_of("sales"))
    assert (found["namespace"], found["properties"]["owner"]) == (["sales"], "ann")


async def test_it_says_where_its_tables_lie(lake: HttpCatalog) -> None:
    await lake.namespace("sales")
    assert (await lake.ok("GET", path_of("sales")))["properties"] == {"location": f"{lake.url}/sales"}
    metadata = (await lake.table("orders", ("sales",)))["metadata"]
    assert metadata["location"] == f"{lake.url}/sales/orders"
    chosen = {"updates": {"location": f"{lake.url}/elsewhere"}}
    await lake.ok("POST", f"{path_of('sales')}/properties", chosen)
    assert (await lake.ok("GET", path_of("sales")))["properties"] == chosen["updates"]
    removed = await lake.ok("POST", f"{path_of('sales')}/properties", {"removals": ["location"]})
    assert removed["removed"] == ["location"]
    assert (await lake.ok("GET", path_of("sales")))["properties"] == {"location": f"{lake.url}/sales"}


async def test_it_exists_from_then_on(lake: HttpCatalog) -> None:
    await lake.refused(404, "HEAD", path_of("sales"))
    await lake.namespace("sales")
    assert (await lake.call("HEAD", path_of("sales"))).status_code == 204


async def test_a_name_is_given_once(lake: HttpCatalog) -> None:
    await lake.namespace("sales")
    error = await lake.refused(409, "POST", "/namespaces", {"namespace": ["sales"]})
    assert error == {"message": "Namespace already exists: sales", "type": "AlreadyExistsException", "code": 409}


@pytest.mark.parametrize(("method", "path"), [("GET", ""), ("DELETE", ""), ("POST", "/properties"), ("GET", "/tables")])
async def test_one_that_is_not_there(lake: HttpCatalog, method: str, path: str) -> None:
    error = await lake.refused(404, method, path_of("a", "b") + path, {} if method == "POST" else None)
    assert error == {"message": "Namespace does not exist: a.b", "type": "NoSuchNamespaceException", "code": 404}


async def test_lists_hold_one_level(lake: HttpCatalog) -> None:
    for levels in (["a"], ["a", "x"], ["a", "x", "deep"], ["a", "y"], ["ab"], ["b"]):
        await lake.namespace(*levels)
    assert (await lake.ok("GET", "/namespaces"))["namespaces"] == [["a"], ["ab"], ["b"]]
    assert (await lake.ok("GET", "/namespaces?parent=a"))["namespaces"] == [["a", "x"], ["a", "y"]]
    assert (await lake.ok("GET", "/namespaces?parent=a%1Fx"))["namespaces"] == [["a", "x", "deep"]]
    assert (await lake.ok("GET", "/namespaces?parent="))["namespaces"] == [["a"], ["ab"], ["b"]]
    await lake.refused(404, "GET", "/namespaces?parent=nope")


async def test_a_namespace_lies_in_one_that_is_there(lake: HttpCatalog) -> None:
    error = await lake.refused(404, "POST", "/namespaces", {"namespace": ["a", "b"]})
    assert error["message"] == "Namespace does not exist: a"


async def test_lists_come_by_pages_when_asked(lake: HttpCatalog) -> None:
    for number in range(7):
        await lake.namespace(f"n{number}")
    seen: list[list[str]] = []
    token: str | None = ""
    while token is not None:
        page = await lake.ok("GET", "/namespaces", params={"pageToken": token, "pageSize": "3"})
        assert len(page["namespaces"]) <= 3
        seen += page["namespaces"]
        token = page["next-page-token"]
    assert seen == [[f"n{number}"] for number in range(7)]


async def test_without_a_token_a_list_is_whole(lake: HttpCatalog) -> None:
    for number in range(7):
        await lake.namespace(f"n{number}")
    page = await lake.ok("GET", "/namespaces", params={"pageSize": "3"})
    assert (len(page["namespaces"]), page["next-page-token"]) == (7, None)


@pytest.mark.parametrize("query", ["pageToken=%21%21", "pageToken=a", "pageToken=&pageSize=0", "pageToken=&pageSize=x"])
async def test_a_page_that_cannot_be_is_refused(lake: HttpCatalog, query: str) -> None:
    await lake.refused(400, "GET", f"/namespaces?{query}")


async def test_properties_are_updated_and_removed(lake: HttpCatalog) -> None:
    await lake.namespace("sales", owner="ann", old="1")
    body = {"updates": {"owner": "bob", "new": "2"}, "removals": ["old", "nope"]}
    answer = await lake.ok("POST", f"{path_of('sales')}/properties", body)
    assert answer == {"updated": ["owner", "new"], "removed": ["old"], "missing": ["nope"]}
    assert (await lake.ok("GET", path_of("sales")))["properties"] == {
        "location": f"{lake.url}/sales",
        "owner": "bob",
        "new": "2",
    }


async def test_a_property_is_not_set_and_removed_at_once(lake: HttpCatalog) -> None:
    await lake.namespace("sales")
    error = await lake.refused(
        422, "POST", f"{path_of('sales')}/properties", {"updates": {"a": "1"}, "removals": ["a"]}
    )
    assert error["type"] == "UnprocessableEntityException"


async def test_an_empty_namespace_is_dropped(lake: HttpCatalog) -> None:
    await lake.namespace("sales")
    await lake.ok("DELETE", path_of("sales"))
    await lake.refused(404, "GET", path_of("sales"))


async def test_one_with_tables_or_namespaces_is_not(lake: HttpCatalog) -> None:
    await lake.namespace("a")
    await lake.namespace("a", "b")
    await lake.namespace("ns")
    await lake.table()
    for name in ("a", "ns"):
        error = await lake.refused(409, "DELETE", path_of(name))
        assert error["type"] == "NamespaceNotEmptyException"
        assert error["message"] == f"Namespace {name} is not empty."


@pytest.mark.parametrize("name", ["new/db", "with.dot", "with space", "a+b", "50%", "ünï", "..a", "a&b=c"])
async def test_names_may_hold_what_paths_may_not(lake: HttpCatalog, name: str) -> None:
    await lake.namespace(name)
    assert (await lake.ok("GET", path_of(name)))["namespace"] == [name]
    assert (await lake.ok("GET", "/namespaces"))["namespaces"] == [[name]]
    await lake.ok("DELETE", path_of(name))


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        "text",
        {},
        {"namespace": "sales"},
        {"namespace": []},
        {"namespace": [""]},
        {"namespace": [1]},
        {"namespace": [".."]},
        {"namespace": ["a\x1fb"]},
        {"namespace": ["a"], "properties": {"a": 1}},
        {"namespace": ["a"], "properties": []},
    ],
)
async def test_a_request_that_cannot_be_read_is_refused(lake: HttpCatalog, body: Any) -> None:
    await lake.refused(400, "POST", "/namespaces", body)
    assert (await lake.ok("GET", "/namespaces"))["namespaces"] == []


@pytest.mark.parametrize("body", [{"updates": []}, {"updates": {"a": None}}, {"removals": {}}, {"removals": [1]}, 5])
async def test_so_are_properties_that_cannot(lake: HttpCatalog, body: Any) -> None:
    await lake.namespace("sales")
    await lake.refused(400, "POST", f"{path_of('sales')}/properties", body)


@pytest.mark.parametrize("location", ["file:///etc", "garbage", "{url}/../x", "{url}/a\nb", "s3://other/x"])
async def test_a_place_outside_of_the_warehouse_is_refused(lake: HttpCatalog, location: str) -> None:
    properties = {"location": location.replace("{url}", lake.url)}
    await lake.refused(400, "POST", "/namespaces", {"namespace": ["a"], "properties": properties})
    await lake.namespace("a", location=lake.url)
    await lake.refused(400, "POST", "/namespaces/a/properties", {"updates": properties})
