"""Whatever is sent, the catalog answers: as the specification says, or with an error in its form, and never with a 5xx."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.specs.openapi.checks import response_schema_conformance

from tests.conformance.rest_specification import served_operations, specified_operations
from tests.integration.catalog_process import TOKEN, CatalogProcess

OPERATIONS = served_operations()
AUTHORIZATION = {"Authorization": f"Bearer {TOKEN}"}
_SCHEMA = {"type": "struct", "fields": [{"id": 1, "name": "id", "required": True, "type": "long"}]}
# The same requests each time, few enough that all operations together take about a minute.
_BOUNDED = settings(
    max_examples=15,
    derandomize=True,
    database=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.filter_too_much,
        HealthCheck.data_too_large,
        HealthCheck.function_scoped_fixture,
    ],
)


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CatalogProcess]:
    with CatalogProcess(tmp_path_factory.mktemp("catalog")) as catalog:
        yield catalog


@pytest.fixture
def table(catalog: CatalogProcess) -> None:
    """Something to aim at, whatever the operation before did to it."""
    with httpx.Client(base_url=f"{catalog.uri}/v1/lake", headers=AUTHORIZATION, trust_env=False) as http:
        for levels in (["ns"], ["ns", "inner"]):
            http.post("/namespaces", json={"namespace": levels})
        http.post("/namespaces/ns/tables", json={"name": "t", "schema": _SCHEMA})


def test_every_operation_of_the_specification_is_served() -> None:
    assert specified_operations() == OPERATIONS.keys()


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["well-formed", "malformed"])
@pytest.mark.parametrize("label", OPERATIONS)
@pytest.mark.usefixtures("table")
def test_every_request_gets_an_answer(catalog: CatalogProcess, label: str, mode: GenerationMode) -> None:
    cases = OPERATIONS[label].as_strategy(generation_mode=mode)

    @_BOUNDED
    @given(case=cases)
    def check(case: Case[Any]) -> None:
        check_answer(case, catalog.uri)

    check()


def check_answer(case: Case[Any], uri: str) -> None:
    response = case.call(base_url=uri, headers=AUTHORIZATION)
    assert response.status_code < 500, response.text
    assert "Traceback" not in response.text
    if response.status_code < 400:
        case.validate_response(response, checks=[response_schema_conformance])
    elif case.method != "HEAD":
        error = response.json()["error"]
        if "/oauth/" in case.path:  # which has a form of its own
            return
        assert error["code"] == response.status_code
        assert error["type"]
        assert error["message"]


BODIES = (b"", b"{", b"[]", b"null", b"1e999", b'{"a":1', b"\xff\xfe", b"[" * 100_000, b'{"name":"\\ud800"}', b"\x00")


@pytest.mark.usefixtures("table")
@given(body=st.sampled_from(BODIES), label=st.sampled_from([name for name in OPERATIONS if name.startswith("POST")]))
@_BOUNDED
def test_what_is_not_json_is_refused(catalog: CatalogProcess, body: bytes, label: str) -> None:
    path = label.removeprefix("POST ").format(prefix="lake", namespace="ns", table="t", view="v", **{"plan-id": "p"})
    answer = httpx.post(f"{catalog.uri}{path}", content=body, headers=AUTHORIZATION, trust_env=False)
    assert answer.status_code < 500, answer.text
