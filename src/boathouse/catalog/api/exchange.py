"""One request and its answer, as the log, the metrics and the traces tell of it. No secret is ever among what they tell."""

import time

from starlette.responses import Response
from starlette.types import Message, Scope, Send

from boathouse.catalog.api.health import PROBES
from boathouse.catalog.api.operations import CHANGING
from boathouse.catalog.telemetry.outcomes import Outcome, outcome_of
from boathouse.catalog.telemetry.requests import UNMATCHED, count_request


class Exchange:
    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope = scope
        self._send = send
        self._started = time.perf_counter()
        self._seconds = 0.0
        self._status = 0

    async def answer(self, response: Response) -> None:
        """All of it at once. Nothing here streams, so nothing has to be asked of the response."""
        await self.send(
            {"type": "http.response.start", "status": response.status_code, "headers": response.raw_headers}
        )
        await self._send({"type": "http.response.body", "body": response.body})

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            headers = [*message["headers"], (b"x-request-id", self._scope["state"]["request"].encode("latin-1"))]
            if self._scope["app"].state.draining:
                # The next request goes to a server that stays.
                headers.append((b"connection", b"close"))
            message["headers"] = headers
        await self._send(message)

    @property
    def routine(self) -> bool:
        """A probe that found all well: with one every few seconds nobody would find the requests between them."""
        return self._scope["path"] in PROBES and 200 <= self._status < 300

    def end(self, route: str | None) -> None:
        """Once it is answered: how long that took, and one more in the metrics."""
        self._seconds = time.perf_counter() - self._started
        count_request(self._scope["method"], route or UNMATCHED, self._status, self._seconds)

    def facts(self, route: str | None) -> dict[str, object]:
        state = self._scope["state"]
        facts: dict[str, object] = {
            "request": state["request"],
            "method": self._scope["method"],
            "path": self._scope["path"],
            "route": route,
            "status": self._status,
            "ms": round(self._seconds * 1000, 2),
        }
        if client := self._scope.get("client"):
            facts["client"] = client[0]
        if "caller" in state:
            facts["principal"] = state["caller"].name
        if self._scope["method"] in CHANGING:
            facts["outcome"] = self._outcome()
        # What an endpoint noted: the table or view, the hash of the idempotency key, and whether it was known; who failed to log in.
        facts |= {name: state[name] for name in ("table", "key", "replayed", "claimed_principal") if name in state}
        if "error" in state:
            facts["error"] = str(state["error"])
        return facts

    def attributes(self, route: str | None) -> dict[str, str | int]:
        """What a span says of it, in OpenTelemetry's words where it has some."""
        state = self._scope["state"]
        told: dict[str, str | int] = {
            "http.request.method": self._scope["method"],
            "http.route": route or UNMATCHED,
            "http.response.status_code": self._status,
            "boathouse.request": state["request"],
        }
        if "table" in state:
            told["boathouse.table"] = state["table"]
        if self._scope["method"] in CHANGING:
            told["boathouse.outcome"] = self._outcome()
        return told

    def _outcome(self) -> str:
        error = self._scope["state"].get("error")
        if isinstance(error, BaseException):
            return outcome_of(error).value
        if self._status == 0:
            # The body never came whole, so nothing was begun; else whoever was answering was cut off.
            return (Outcome.REJECTED if error else Outcome.UNKNOWN).value
        # A refusal that is told again, because its idempotency key was known, is no error here.
        return (Outcome.APPLIED if self._status < 400 else Outcome.REJECTED).value
