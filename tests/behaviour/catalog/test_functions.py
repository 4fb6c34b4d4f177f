"""Functions over HTTP: there are none, because nobody can create one."""

import pytest

from tests.behaviour.catalog.http_catalog import HttpCatalog, path_of


@pytest.fixture(autouse=True)
async def namespace(lake: HttpCatalog) -> None:
    await lake.namespace("ns")


async def test_a_namespace_has_none(lake: HttpCatalog) -> None:
    assert await lake.ok("GET", f"{path_of('ns')}/functions") == {"identifiers": [], "next-page-token": None}
    error = await lake.refused(404, "GET", f"{path_of('ns')}/functions/add_one")
    assert (error["type"], error["message"]) == ("NoSuchFunctionException", "Function does not exist: ns.add_one")


async def test_a_namespace_that_is_not_there(lake: HttpCatalog) -> None:
    for path in ("functions", "functions/add_one"):
        error = await lake.refused(404, "GET", f"{path_of('other')}/{path}")
        assert error["type"] == "NoSuchNamespaceException"


@pytest.mark.parametrize("parameters", [{"pageToken": "no token"}, {"pageSize": "0"}, {"pageSize": "many"}])
async def test_pages_that_cannot_be(lake: HttpCatalog, parameters: dict[str, str]) -> None:
    await lake.refused(400, "GET", f"{path_of('ns')}/functions", params=parameters)


async def test_a_name_that_is_none(lake: HttpCatalog) -> None:
    await lake.refused(400, "GET", f"{path_of('ns')}/functions/%00")
