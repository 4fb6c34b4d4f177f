"""Every endpoint there is, asked by nobody and by a stranger. Whoever adds one is tested here without doing anything."""

import pytest

from boathouse.control.app import API
from boathouse.control.http.bodies import LARGEST
from tests.behaviour.control.control_plane import ControlPlane, Json

# What somebody needs who is about to log in; the last two lead nowhere without a provider.
OPEN = {"/login", "/login/once", "/sessions/ways", "/sessions/oidc/start", "/sessions/oidc/callback"}


def endpoints(control: ControlPlane) -> list[tuple[str, str, str]]:
    """Name, method and path of each, with something in every place of the path."""
    spec = control.app.openapi()
    found: list[tuple[str, str, str]] = []
    for template, operations in spec["paths"].items():
        path = template.removeprefix(API).replace("{workspace}", "north").replace("{name}", "ann")
        for method, operation in operations.items():
            for place in ("{token_id}", "{run_id}", "{query_id}", "{reject}"):
                path = path.replace(place, "x")
            found.append((operation["summary"], method.upper(), path.replace("{number}", "1")))
    return found


async def test_nobody_is_asked_for_a_login_everywhere(control: ControlPlane) -> None:
    await control.workspace("north")
    asked = endpoints(control)
    assert len(asked) > 15
    assert all(path.startswith(API) for path in control.app.openapi()["paths"])
    for name, method, path in asked:
        assert "{" not in path
        if path in OPEN:
            continue
        error = await control.caller().ask(method, path, {}, status=401)
        assert error["code"] == "unauthenticated", name


async def test_a_stranger_finds_no_workspace_anywhere(control: ControlPlane) -> None:
    await control.workspace("north")
    stranger = await control.user("ann")
    inside = [(method, path) for _, method, path in endpoints(control) if path.startswith("/workspaces/north")]
    assert len(inside) >= 6
    before = await control.admin.get("/workspaces/north")
    for method, path in inside:
        expected = {403, 404}
        response = await stranger.http.request(method, API + path, json={})
        assert response.status_code in expected, f"{method} {path}: {response.text}"
        if response.status_code == 403:
            assert "platform admin" in response.text
    assert await control.admin.get("/workspaces/north") == before


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
    assert 'boathouse_control_requests_total{method="GET",route="/workspaces",status="200"}' in figures
    control.app.state.draining = True
    assert (await caller.http.get("/readyz")).status_code == 503
