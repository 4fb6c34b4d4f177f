"""An answer's head goes out with its body, and nothing of an answer is lost or late."""

import asyncio
import socket
from collections.abc import AsyncGenerator

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from boathouse.kit.whole_answers import WholeAnswers

LONG = b"x" * 3_000_000


async def answer(request: Request) -> Response:
    return Response(LONG if request.path_params["size"] == "long" else b"short")


async def nothing(_request: Request) -> Response:
    return Response(status_code=204)


async def slow(request: Request) -> Response:
    async def parts() -> AsyncGenerator[bytes]:
        await request.app.state.asked.wait()
        yield b"HTTP/1.1 is not always a head"
        yield b", and more"

    return StreamingResponse(parts())


@pytest.fixture
async def app() -> AsyncGenerator[Starlette]:
    app = Starlette(routes=[Route("/slow", slow), Route("/nothing", nothing), Route("/{size}", answer)])
    app.state.asked = asyncio.Event()
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, http=WholeAnswers, log_config=None, lifespan="off"))
    serving = asyncio.create_task(server.serve([listening]))
    app.state.address = listening.getsockname()[:2]
    yield app
    server.should_exit = True
    await serving


@pytest.fixture
async def http(app: Starlette) -> AsyncGenerator[httpx.AsyncClient]:
    host, port = app.state.address
    async with httpx.AsyncClient(base_url=f"http://{host}:{port}", trust_env=False) as client:
        yield client


async def test_answers_arrive_whole(http: httpx.AsyncClient) -> None:
    for _ in range(3):
        assert (await http.get("/short")).content == b"short"
        assert (await http.get("/long")).content == LONG
        assert (await http.get("/nothing")).status_code == 204
        assert (await http.head("/short")).headers["content-length"] == "5"


async def test_the_last_answer_of_a_connection_arrives_before_it_is_closed(http: httpx.AsyncClient) -> None:
    for method in ("GET", "HEAD"):
        assert (await http.request(method, "/short", headers={"Connection": "close"})).status_code == 200


async def test_a_head_does_not_wait_for_a_body_that_is_slow(app: Starlette, http: httpx.AsyncClient) -> None:
    async with http.stream("GET", "/slow") as response:
        assert response.status_code == 200
        app.state.asked.set()
        assert await response.aread() == b"HTTP/1.1 is not always a head, and more"


async def test_head_and_body_are_written_at_once(app: Starlette) -> None:
    reader, writer = await asyncio.open_connection(*app.state.address)
    written: list[int] = []
    writer.write(b"GET /short HTTP/1.1\r\nHost: x\r\n\r\n")
    # What one write brought is in one piece of TCP, and is there at once.
    written.append(len(await reader.read(65_536)))
    writer.write(b"GET /short HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    written.append(len(await reader.read()))
    writer.close()
    assert written[1] == written[0] + len("connection: close\r\n")
