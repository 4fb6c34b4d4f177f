"""Every endpoint there is, asked by nobody and by a stranger. Whoever adds one is tested here without doing anything."""

from contextlib import suppress
from dataclasses import dataclass

import pytest

from boathouse.control.http.bodies import LARGEST
from boathouse.control.http.routers import API
from tests.behaviour.control.control_plane import Caller, ControlPlane, Json
from tests.control_contents import MARK, Contents

# What somebody needs who is about to log in; the last two lead nowhere without a provider.
OPEN = {"/login", "/login/once", "/sessions/ways", "/sessions/oidc/start", "/sessions/oidc/callback"}


# What a change says, so that it is not refused for that before anybody looks for what it is to change.
BODIES: Json = {
    "Job.Apply": {"kind": "sql", "spec": {"sql": "SELECT 1"}},
    "Job.Compare": {"kind": "sql", "spec": {"sql": "SELECT 1"}},
    "Job.Roll-Back": {"version": 1},
    "Saved-Query.Save": {"sql": "SELECT 1"},
    "Saved-Query.Change": {"description": "mine"},
    "Member.Set": {"role": "admin"},
    "Dataset.Roll-Back": {"snapshot_id": "1", "seen": None},
    "Dataset.Grant": {"principal": "ann", "privilege": "read"},
    "Reject.Discard": {"ids": ["0" * 32], "note": "mine"},
    "Reject.Reopen": {"ids": ["0" * 32], "note": "mine"},
    "Reject.Replay": {"ids": ["0" * 32]},
    "Reject.Mend": {"raw": "1;2"},
}


@dataclass(frozen=True)
class Endpoint:
    name: str
    method: str
    template: str

    def aimed(self, contents: Contents, **places: str) -> str:
        """Its path, at what is in a workspace."""
        return self.template.format(**(contents.parameters(self.template) | places))


def endpoints(control: ControlPlane) -> list[Endpoint]:
    spec = control.app.openapi()
    return [
        Endpoint(operation["summary"], method.upper(), template.removeprefix(API))
        for template, operations in spec["paths"].items()
        for method, operation in operations.items()
    ]


async def filled(caller: Caller, contents: Contents) -> Contents:
    wishes, answer = contents.wishes(), None
    with suppress(StopIteration):
        while True:
            wish = wishes.send(answer)
            response = await caller.http.request(wish.method, API + wish.path, json=wish.body)
            assert response.is_success, f"{wish.method} {wish.path}: {response.text}"
            answer = response.json()
    return contents


@pytest.fixture
async def foreign(control: ControlPlane) -> Contents:
    """Everything there is, in a workspace of somebody else's."""
    await control.workspace("south")
    return await filled(await control.user("foreign-member", south="admin"), Contents("south", "far", MARK))


async def test_nobody_is_asked_for_a_login_everywhere(control: ControlPlane, foreign: Contents) -> None:
    asked = endpoints(control)
    assert len(asked) > 15
    assert all(path.startswith(API) for path in control.app.openapi()["paths"])
    for one in asked:
        if one.template in OPEN:
            continue
        error = await control.caller().ask(one.method, one.aimed(foreign), {}, status=401)
        assert error["code"] == "unauthenticated", one


async def test_a_stranger_finds_no_workspace_anywhere(control: ControlPlane, foreign: Contents) -> None:
    stranger = await control.user("ann")
    inside = [one for one in endpoints(control) if one.template.startswith("/workspaces/{workspace}")]
    assert len(inside) > 80
    before = await everything_in(control, foreign)
    for one in inside:
        response = await stranger.http.request(one.method, API + one.aimed(foreign), json=BODIES.get(one.name, {}))
        assert response.status_code in {403, 404}, f"{one}: {response.text}"
        assert MARK not in response.text, one
        if response.status_code == 403:
            assert "platform admin" in response.text
    assert await everything_in(control, foreign) == before


async def test_an_admin_of_one_workspace_reaches_nothing_of_another_by_its_names_and_ids(
    control: ControlPlane, foreign: Contents
) -> None:
    await control.workspace("north")
    neighbour = await control.user("ann", north="admin")
    before = await everything_in(control, foreign)
    runs = [{"run_id": foreign.ids["run_id"]}, {"run_id": foreign.ids["query_run_id"]}]
    for one in endpoints(control):
        for run in runs if "{run_id}" in one.template else [{}]:
            path = one.aimed(foreign, workspace="north", **run) if one.template not in OPEN else one.template
            response = await neighbour.http.request(one.method, API + path, json=BODIES.get(one.name, {}))
            assert response.status_code < 500, f"{one}: {response.text}"
            assert MARK not in response.text, f"{one}: {response.text}"
            if one.template.startswith("/users/"):
                assert response.status_code == 403, f"{one}: {response.text}"
            elif "{run_id}" in one.template or "{query_id}" in one.template or "{token_id}" in one.template:
                assert response.status_code == 404, f"{one}: {response.text}"
        if one.name == "Session.Log-Out":
            await neighbour.log_in("ann")
    assert await everything_in(control, foreign) == before


async def everything_in(control: ControlPlane, contents: Contents) -> Json:
    """All that a platform admin is told of the workspace, but the audit, where refusals are noted too."""
    found = [one for one in endpoints(control) if one.method == "GET" and "{workspace}" in one.template]
    asked = {one: one.aimed(contents) for one in found if "/audit" not in one.template}
    answers = {one.name: await control.admin.http.get(API + path) for one, path in asked.items()}
    assert sum(MARK in answer.text for answer in answers.values()) > 10
    # An error has the number of its request in it.
    return {name: answer.text if answer.is_success else answer.status_code for name, answer in answers.items()}


async def test_what_every_answer_carries(control: ControlPlane) -> None:
    response = await control.admin.http.get("/api/v1/me", headers={"X-Request-Id": "given-by-the-caller"})
    assert response.headers["x-request-id"] == "given-by-the-caller"
    response = await control.admin.http.get("/api/v1/nowhere", headers={"X-Request-Id": "not allowed\t!"})
    assert response.status_code == 404
    assert response.json()["error"]["request_id"] == response.headers["x-request-id"] != "not allowed\t!"
    response = await control.admin.http.put("/api/v1/me")
    assert (response.status_code, response.json()["error"]["code"]) == (405, "method-not-allowed")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PUT", "/workspaces/north/jobs/a", {"kind": "sql", "spec": {"sql": "SELECT 1"}}),
        ("PUT", "/workspaces/north/jobs/Daily%20Sales", {"kind": "sql", "spec": {"sql": "SELECT 1"}}),
        ("PUT", "/workspaces/north/saved-queries/a", {"sql": "SELECT 1"}),
        ("POST", "/workspaces", {"name": "a"}),
        ("POST", "/users", {"name": "_"}),
        ("POST", "/workspaces/north/connections", {"name": "a-", "kind": "s3", "config": {}}),
    ],
)
async def test_a_name_that_cannot_be_one_is_told_what_it_may_be(
    control: ControlPlane, method: str, path: str, body: Json
) -> None:
    await control.workspace("north")
    error = await control.admin.ask(method, path, body, status=422)
    assert "name: must be 2 to " in error["message"]
    assert "pattern" not in error["message"]
    assert "pattern" in str(control.app.openapi()["components"]["schemas"]["NewWorkspace"]["properties"]["name"])


async def test_a_body_that_is_too_large_is_refused(control: ControlPlane) -> None:
    response = await control.admin.http.post("/api/v1/workspaces", content=b" " * (LARGEST + 1))
    assert (response.status_code, response.json()["error"]["code"]) == (413, "too-large")


async def test_what_the_database_cannot_keep_is_refused_or_kept(control: ControlPlane) -> None:
    response = await control.admin.http.post("/api/v1/workspaces", json={"name": "north", "description": "a\u0000b"})
    assert response.status_code in {201, 400, 422}


async def test_health_and_figures_are_for_machines_without_a_login(control: ControlPlane) -> None:
    caller = control.caller()
    assert (await caller.http.get("/healthz")).json() == {"status": "alive"}
    assert (await caller.http.get("/readyz")).json() == {"status": "ready"}
    await control.admin.get("/workspaces")
    figures = (await caller.http.get("/metrics")).text
    assert 'boathouse_control_requests_total{method="GET",route="/api/v1/workspaces",status="200"}' in figures
    control.app.state.draining = True
    assert (await caller.http.get("/readyz")).status_code == 503
