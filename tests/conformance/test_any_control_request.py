"""Whatever is sent to the control plane by whomever, it answers as its own description says, never with a 5xx, and tells
nobody of a workspace that they are no member of."""

from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import cycle
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
from boathouse.control.http.routers import API
from boathouse.control.vault import Keyring, Vault
from tests.conformance.rest_specification import operations_of
from tests.control_contents import MARK, Contents, Wish
from tests.integration.control_process import ControlProcess
from tests.postgres_server import PostgresServer

_APP = create_app(open_database("sqlite://"), Connections(Vault(Keyring("1", {"1": b"k" * 32})), SecretPlaces()))
OPERATIONS = operations_of(_APP.openapi())
MEMBERS = ("viewer", "runner", "editor", "admin")
# Who may least comes first: what a later one changes was there for those before.
CALLERS = ("nobody", *MEMBERS, "platform")
OWN = "north"
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


@dataclass(frozen=True)
class House:
    """A control plane with two workspaces, and somebody of each role in the first of them."""

    control: ControlProcess
    tokens: dict[str, str]
    own: Contents
    spare: Contents
    """In the own workspace too: what may be removed."""
    foreign: Contents

    def aims(self, label: str) -> list[dict[str, str]]:
        """What may stand in the places of the operation's address."""
        method, _, template = label.partition(" ")
        changes = method == "DELETE" or template.endswith(("/stop", "/retry")) or label.startswith("PATCH")
        own = (self.spare if changes else self.own).parameters(template)
        foreign = self.foreign.parameters(template)
        if label == f"DELETE {API}/workspaces/{{workspace}}":
            own["workspace"] = "spare"
        if "/members/{name}" in template or "/users/{name}" in template:
            # Never one of the callers, who would be somebody else from then on.
            own["name"], foreign["name"] = "spare-member", "foreign-member"
        queries = "query_run_id" if "run_id" in foreign else ""
        return [
            own,
            own | {place: value for place, value in foreign.items() if place != "workspace"},
            foreign,
            *([own | {"run_id": self.foreign.ids[queries]}] if queries else []),
            {"workspace": OWN} if "workspace" in own else {},
        ]


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Generator[House]:
    directory = tmp_path_factory.mktemp("control")
    with ExitStack() as stack:
        database = stack.enter_context(PostgresServer()).url() if request.param == "postgres" else None
        yield _furnished(stack.enter_context(ControlProcess(directory, database)))


def _furnished(control: ControlProcess) -> House:
    with _logged_in(control, "admin") as platform:
        tokens = {"platform": _token(platform)}
        for workspace in (OWN, "south", "spare"):
            _asked(platform, Wish("POST", "/workspaces", {"name": workspace, "description": workspace}))
        _asked(platform, Wish("PATCH", "/workspaces/south", {"description": MARK}))
        members = {**{f"{OWN}-{role}": (OWN, role) for role in MEMBERS}, "spare-member": (OWN, "viewer")}
        for name, (workspace, role) in {**members, "foreign-member": ("south", "admin")}.items():
            _asked(platform, Wish("POST", "/users", {"name": name, "password": control.password}))
            _asked(platform, Wish("PUT", f"/workspaces/{workspace}/members/{name}", {"role": role}))
    own, spare, foreign = Contents(OWN, "own"), Contents(OWN, "spare"), Contents("south", "far", MARK)
    for role in MEMBERS:
        with _logged_in(control, f"{OWN}-{role}") as member:
            tokens[role] = _token(member)
            if role == "editor":
                _filled(member, own)
                _filled(member, spare)
    with _logged_in(control, "foreign-member") as stranger:
        _filled(stranger, foreign)
    return House(control, tokens, own, spare, foreign)


@contextmanager
def _logged_in(control: ControlProcess, name: str) -> Generator[httpx.Client]:
    with httpx.Client(base_url=f"{control.url}{API}", trust_env=False, timeout=30) as browser:
        login = _asked(browser, Wish("POST", "/login", {"name": name, "password": control.password}))
        browser.headers["X-Boathouse-CSRF"] = login["csrf"]
        yield browser


def _token(browser: httpx.Client) -> str:
    """That may do whatever its user may."""
    return _asked(browser, Wish("POST", "/tokens", {"name": "all", "role": "admin"}))["secret"]


def _filled(browser: httpx.Client, contents: Contents) -> None:
    wishes, answer = contents.wishes(), None
    with suppress(StopIteration):
        while True:
            answer = _asked(browser, wishes.send(answer))


def _asked(browser: httpx.Client, wish: Wish) -> Any:
    response = browser.request(wish.method, wish.path, json=wish.body)
    assert response.is_success, f"{wish.method} {wish.path}: {response.text}"
    return response.json()


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["well-formed", "malformed"])
@pytest.mark.parametrize("label", OPERATIONS)
def test_every_request_gets_an_answer_and_nobody_is_told_of_anothers_workspace(
    house: House, label: str, mode: GenerationMode
) -> None:
    aims = cycle(house.aims(label))
    # What is malformed seldom comes as far as a database.
    seldom = mode is GenerationMode.NEGATIVE and house.control.database.startswith("postgres")

    @settings(_BOUNDED, max_examples=2 if seldom else _BOUNDED.max_examples)
    @given(case=OPERATIONS[label].as_strategy(generation_mode=mode))
    def check(case: Case[Any]) -> None:
        case.path_parameters.update(next(aims))
        # Made once for all of them: to make a request takes longer than to answer it.
        for caller in CALLERS:
            _answered(house, case, caller)

    try:
        check()
    except Unsatisfiable:
        # It takes nothing that could be wrong.
        assert mode is GenerationMode.NEGATIVE


def _answered(house: House, case: Case[Any], caller: str) -> None:
    headers = {"Authorization": f"Bearer {house.tokens[caller]}"} if caller in house.tokens else {}
    response = case.call(base_url=house.control.url, headers=headers)
    if response.text == _NOT_HTTP:
        return
    assert response.status_code < 500, f"{caller}: {response.text}"
    assert "Traceback" not in response.text
    if response.status_code >= 400:
        error = response.json()["error"]
        assert error["code"]
        assert error["message"]
    elif response.status_code != 204:
        case.validate_response(response, checks=[response_schema_conformance])
    told_to_everybody = case.operation.label.endswith("/sessions/ways")
    assert caller != "nobody" or told_to_everybody or response.status_code in _REFUSALS, response.text
    if caller != "platform":
        assert MARK not in response.text, f"{caller}: {response.text}"
