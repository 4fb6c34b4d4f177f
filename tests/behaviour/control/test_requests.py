"""What is told of requests, above all of those that break."""

import re
from typing import Any

import pytest
from fastapi.routing import APIRoute
from prometheus_client import generate_latest
from starlette.requests import Request
from starlette.routing import Route
from structlog.testing import capture_logs

from boathouse.control.http.metrics import REGISTRY
from tests.behaviour.control.control_plane import ControlPlane


async def breaks(_: Request) -> Any:
    raise KeyError("nobody thought of this")


async def test_one_that_breaks_is_logged_counted_and_answered_as_such(control: ControlPlane) -> None:
    control.app.router.routes.insert(0, Route("/breaks", breaks))
    with capture_logs() as lines:
        answer = await control.admin.http.get("/breaks", headers={"X-Request-Id": "mine"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal")
    assert answer.headers.get_list("X-Request-Id") == ["mine"]
    (line,) = [line for line in lines if line["event"] == "request"]
    assert (line["status"], line["request_id"], line["code"]) == (500, "mine", "internal")
    assert 'status="500"' in generate_latest(REGISTRY).decode()


async def test_each_answer_has_one_id(control: ControlPlane) -> None:
    for path in ("/healthz", "/api/v1/nothing"):
        assert len((await control.admin.http.get(path)).headers.get_list("X-Request-Id")) == 1


HALF = "\\ud800"
"""As JSON writes half of a character, which no text has."""
PIPELINE = '{"kind": "pipeline", "spec": {"pipeline": {"pipeline": "%s"}}}'
EVENT = """{"eventType": "COMPLETE", "run": {"runId": "r"}, "job": {"namespace": "n", "name": "j"}, "outputs": [
    {"namespace": "n", "name": "o", "facets": {"symlinks": {"identifiers": [{"namespace": "n", "name": "%s"}]}}}]}"""


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/login", '{"name": "a", "password": "%s"}'),
        ("PUT", "/workspaces/north/jobs/daily", PIPELINE),
        ("POST", "/workspaces/north/jobs/daily/compare", PIPELINE),
        ("POST", "/workspaces/north/lineage", EVENT),
        ("PUT", "/workspaces/north/jobs/daily", '{"kind": "sql", "spec": {"sql": "SELECT 1", "%s": NaN}}'),
        ("PUT", "/workspaces/north/jobs/daily", '{"kind": "sql", "spec": {"sql": "SELECT 1"}, "labels": [1e400]}'),
    ],
    ids=["login", "job", "comparison", "event", "number", "too large"],
)
@pytest.mark.parametrize(
    "half",
    [HALF.encode(), HALF.encode().decode("unicode_escape").encode("utf8", "surrogatepass")],
    ids=["escaped", "as it is"],
)
async def test_what_no_text_can_hold_is_refused(
    control: ControlPlane, method: str, path: str, body: str, half: bytes
) -> None:
    await control.workspace("north")
    content = body.encode().replace(b"%s", b"x" if b"NaN" in body.encode() else half)
    sent = await control.admin.http.request(
        method, f"/api/v1{path}", content=content, headers={"Content-Type": "application/json"}
    )
    error = sent.json()["error"]
    assert (sent.status_code, error["code"], list(error["fields"])) == (422, "invalid-input", ["body"])
    assert "is no JSON" in error["message"]
    assert "both halves" in error["message"]


async def test_a_whole_character_of_two_halves_is_kept(control: ControlPlane) -> None:
    body = b'{"name": "north", "description": "\\ud83d\\udea3 \xf0\x9f\x9a\xa3"}'
    sent = await control.admin.http.post(
        "/api/v1/workspaces", content=body, headers={"Content-Type": "application/json"}
    )
    assert sent.json()["description"] == "🚣 🚣"


async def test_a_body_that_ends_too_early_is_said_to(control: ControlPlane) -> None:
    sent = await control.admin.http.post(
        "/api/v1/workspaces", content=b'{"name": ', headers={"Content-Type": "application/json"}
    )
    assert sent.status_code == 422
    assert "EOF" in sent.json()["error"]["message"]


async def test_so_it_is_wherever_a_body_is_taken(control: ControlPlane) -> None:
    stranger = control.caller()
    taking = [route for route in control.app.routes if isinstance(route, APIRoute) and route.body_field is not None]
    assert len(taking) > 30
    for route in taking:
        method = next(iter(route.methods or ()))
        path = re.sub(r"\{\w+\}", "1", route.path)
        sent = await stranger.http.request(
            method, path, content=f'["{HALF}"]', headers={"Content-Type": "application/json"}
        )
        assert (sent.status_code, "is no JSON" in sent.text) == (422, True), f"{method} {path}: {sent.text}"
