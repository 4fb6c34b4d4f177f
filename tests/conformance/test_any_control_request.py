"""Whatever is sent to the control plane by whomever, it answers as its own description says, and never with a 5xx."""

from collections.abc import Generator
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.specs.openapi.checks import response_schema_conformance

from boathouse.control.app import create_app
from boathouse.control.connections.references import SecretPlaces
from boathouse.control.connections.service import Connections
from boathouse.control.database import open_database
from boathouse.control.vault import Keyring, Vault
from tests.conformance.rest_specification import operations_of
from tests.integration.control_process import ControlProcess
from tests.postgres_server import PostgresServer

_APP = create_app(open_database("sqlite://"), Connections(Vault(Keyring("1", {"1": b"k" * 32})), SecretPlaces()))
OPERATIONS = operations_of(_APP.openapi())
CALLERS = ("nobody", "viewer", "editor", "admin")
# Who may do what does not depend on the database; of Postgres it is asked what it makes of all that gets through.
ASKED = [*(("sqlite", caller) for caller in CALLERS), ("postgres", "admin")]
# Of a header that cannot be one, such as a cookie with a line feed: no route ever sees it.
_NOT_HTTP = "Invalid HTTP request received."
_REFUSALS = {400, 401, 404, 405, 422, 429}
# The same requests each time, few enough that all of them take minutes.
_BOUNDED = settings(
    max_examples=6,
    derandomize=True,
    database=None,
    # What fails is told as it was sent: to make it smaller takes minutes.
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)


@pytest.fixture(scope="module")
def control(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Generator[ControlProcess]:
    directory = tmp_path_factory.mktemp("control")
    if request.param == "sqlite":
        with ControlProcess(directory) as control:
            yield control
        return
    with PostgresServer() as server, ControlProcess(directory, server.url()) as control:
        yield control


@pytest.fixture(scope="module")
def tokens(control: ControlProcess) -> dict[str, str]:
    """Of somebody with each role in a workspace, with something in it to aim at."""
    with httpx.Client(base_url=f"{control.url}/api/v1", trust_env=False) as admin:
        login = admin.post("/login", json={"name": "admin", "password": control.password}).json()
        admin.headers["X-Boathouse-CSRF"] = login["csrf"]
        admin.post("/workspaces", json={"name": "north"}).raise_for_status()
        return {role: admin.post("/tokens", json={"name": role, "role": role}).json()["secret"] for role in CALLERS[1:]}


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["well-formed", "malformed"])
# By module, so that a database's tests come together: it is started once.
@pytest.mark.parametrize(("control", "caller"), ASKED, indirect=["control"], scope="module")
@pytest.mark.parametrize("label", OPERATIONS)
def test_every_request_gets_an_answer(
    control: ControlProcess, tokens: dict[str, str], label: str, caller: str, mode: GenerationMode
) -> None:
    headers = {"Authorization": f"Bearer {tokens[caller]}"} if caller in tokens else {}

    @_BOUNDED
    @given(case=OPERATIONS[label].as_strategy(generation_mode=mode))
    def check(case: Case[Any]) -> None:
        if "workspace" in case.path_parameters:
            case.path_parameters["workspace"] = "north"
        response = case.call(base_url=control.url, headers=headers)
        if response.text == _NOT_HTTP:
            return
        assert response.status_code < 500, response.text
        assert "Traceback" not in response.text
        if response.status_code >= 400:
            error = response.json()["error"]
            assert error["code"]
            assert error["message"]
        elif response.status_code != 204:
            case.validate_response(response, checks=[response_schema_conformance])
        told_to_everybody = label.endswith("/sessions/ways")
        assert caller != "nobody" or told_to_everybody or response.status_code in _REFUSALS, response.text

    try:
        check()
    except Unsatisfiable:
        # It takes nothing that could be wrong.
        assert mode is GenerationMode.NEGATIVE
