"""What is told of requests, above all of those that break."""

from typing import Any

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
    assert (line["status"], line["request_id"]) == (500, "mine")
    assert 'status="500"' in generate_latest(REGISTRY).decode()


async def test_each_answer_has_one_id(control: ControlPlane) -> None:
    for path in ("/healthz", "/api/v1/nothing"):
        assert len((await control.admin.http.get(path)).headers.get_list("X-Request-Id")) == 1
