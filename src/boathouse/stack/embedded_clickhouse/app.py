"""What answers where: queries at `/`, whether it lives at `/ping`, its figures at `/metrics`."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Sequence
from typing import Any

import structlog
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.applications import Starlette
from starlette.datastructures import FormData
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from boathouse.stack.embedded_clickhouse import metrics
from boathouse.stack.embedded_clickhouse.answers import Answer, ClientGone
from boathouse.stack.embedded_clickhouse.asked import Arrived
from boathouse.stack.embedded_clickhouse.asking import Asking
from boathouse.stack.embedded_clickhouse.bodies import taken_in
from boathouse.stack.embedded_clickhouse.encodings import chosen_encoding
from boathouse.stack.embedded_clickhouse.errors import ClickHouseError
from boathouse.stack.embedded_clickhouse.forms import (
    LONGEST_FIELD,
    ExternalTable,
    fields_of,
    is_about_a_table,
    tables_of,
)
from boathouse.stack.embedded_clickhouse.login import check_login
from boathouse.stack.embedded_clickhouse.options import Options
from boathouse.stack.embedded_clickhouse.questions import Question, read_question

_LONGEST_HEAD = 1 << 20
_SESSIONS_LOOKED_AT_SECONDS = 5.0


def create_app(asking: Asking, options: Options) -> Starlette:
    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        keeping = [asyncio.create_task(_expire(asking)), asyncio.create_task(_stop_in_time(app, asking, options))]
        yield
        for task in keeping:
            task.cancel()
        await asyncio.to_thread(asking.close)

    routes = [
        Route("/ping", _ok),
        Route("/replicas_status", _ok),
        Route("/metrics", _metrics),
        Route("/", Questions(asking, options), methods=["GET", "HEAD", "POST"]),
    ]
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers={404: _no_such_path},
        middleware=[Middleware(ShortHeads)],
    )
    app.state.draining = False
    return app


class ShortHeads:
    """Refuses headers longer than ClickHouse takes them. A long address does not come so far: 64 KiB is all that is read of it."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and sum(len(name) + len(value) for name, value in scope["headers"]) > _LONGEST_HEAD:
            await PlainTextResponse("The headers are too long.\n", 431)(scope, receive, send)
            return
        await self._app(scope, receive, send)


class Questions:
    """The endpoint of queries: ASGI itself, as bodies go both ways in pieces."""

    def __init__(self, asking: Asking, options: Options) -> None:
        self._asking = asking
        self._options = options

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        request = Request(scope, receive)
        engine = self._asking.engine
        headers = {"X-ClickHouse-Server-Display-Name": engine.name, "X-ClickHouse-Timezone": engine.timezone}
        parameters = dict(request.query_params)
        if request.method in {"GET", "HEAD"} and not parameters.keys() - {"user", "password"}:
            await PlainTextResponse("Ok.\n")(scope, receive, send)
            return
        answer = Answer(send, headers, engine.content_types)
        try:
            self._check(request, parameters)
            async with _form(request) as form:
                parameters |= fields_of(form)
                tables = tables_of(form, parameters)
                told = {name: value for name, value in parameters.items() if not is_about_a_table(name, tables)}
                question = read_question(request.method, told, request.headers)
                encoding = chosen_encoding(request.headers.get("accept-encoding", "")) if question.encoded else None
                headers["X-ClickHouse-Query-Id"] = question.query_id
                answer = Answer(send, headers, engine.content_types, encoding)
                await self._answer(request, question, answer, tables)
        except ClickHouseError as error:
            await answer.fail(error, engine.version)
        except OSError as error:
            # What is kept aside for a moment is kept on a disk, and that may be full.
            await answer.fail(ClickHouseError(243, "NOT_ENOUGH_SPACE", error.strerror or str(error)), engine.version)
        except (ClientDisconnect, ClientGone):
            structlog.get_logger().info("client gone")

    def _check(self, request: Request, parameters: dict[str, str]) -> None:
        try:
            check_login(self._options.user, self._options.password.get_secret_value(), request.headers, parameters)
        except ClickHouseError:
            metrics.REFUSED.inc()
            raise

    async def _answer(
        self, request: Request, question: Question, answer: Answer, tables: Sequence[ExternalTable]
    ) -> None:
        encoding = request.headers.get("content-encoding", "")
        # Of a form nothing is left to be taken in.
        body_of = _nothing if _is_form(request) else request.receive
        async with taken_in(question.query, body_of, encoding, self._asking.scratch) as body:
            gone = asyncio.Event()
            watching = asyncio.create_task(_until_gone(request.receive, gone))
            try:
                await self._asking.answer(Arrived(question, body, answer, gone, tables))
            finally:
                watching.cancel()


def _is_form(request: Request) -> bool:
    return request.headers.get("content-type", "").startswith("multipart/form-data")


@contextlib.asynccontextmanager
async def _form(request: Request) -> AsyncGenerator[FormData]:
    if not _is_form(request):
        yield FormData()
        return
    async with request.form(max_part_size=LONGEST_FIELD) as form:
        yield form


async def _nothing() -> dict[str, Any]:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _until_gone(receive: Any, gone: asyncio.Event) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    gone.set()


async def _ok(_: Request) -> Response:
    return PlainTextResponse("Ok.\n")


async def _metrics(_: Request) -> Response:
    return Response(generate_latest(metrics.REGISTRY), media_type=CONTENT_TYPE_LATEST)


async def _no_such_path(request: Request, _: Exception) -> Response:
    told = f"There is no handle {request.url.path}\n\nUse / or /ping for health checks.\n\nSend queries from your program with POST method or GET /?query=...\n"
    return PlainTextResponse(told, 404)


async def _expire(asking: Asking) -> None:
    while True:
        await asyncio.sleep(_SESSIONS_LOOKED_AT_SECONDS)
        asking.expire_sessions()


async def _stop_in_time(app: Starlette, asking: Asking, options: Options) -> None:
    """Once told to stop: what runs is given its time, and then cancelled."""
    while not app.state.draining:  # noqa: ASYNC110 - it is set where there is no loop yet
        await asyncio.sleep(0.1)
    await asyncio.sleep(options.stop_seconds)
    while True:
        await asking.stop_all()
        await asyncio.sleep(0.3)
