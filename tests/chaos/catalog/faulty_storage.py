"""A proxy before a real S3 store that answers 500 or slowly when it is told to."""

import asyncio
import random
from asyncio import StreamReader, StreamWriter
from contextlib import suppress
from http import HTTPStatus

import httpx

from tests.chaos.catalog.proxy import Proxy


class FaultyStorage(Proxy):
    """Speaks HTTP on both sides. `failing` is the share of requests that are answered 500, half of them carried out."""

    def __init__(self, target: int, luck: random.Random) -> None:
        super().__init__(target)
        self._luck = luck
        self._forward = httpx.AsyncClient(base_url=f"http://127.0.0.1:{target}", trust_env=False, timeout=30)
        self.failing = 0.0
        self.slow_seconds = 0.0

    async def __aexit__(self, *_: object) -> None:
        await super().__aexit__()
        await self._forward.aclose()

    async def serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        try:
            with suppress(asyncio.IncompleteReadError, OSError):
                while True:
                    head = await reader.readuntil(b"\r\n\r\n")
                    request, *lines = head.decode("latin-1").splitlines()[:-1]
                    headers = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines)]
                    length = next((int(value) for name, value in headers if name.lower() == "content-length"), 0)
                    method, target, _ = request.split()
                    writer.write(await self._answer(method, target, headers, await reader.readexactly(length)))
                    await writer.drain()
        finally:
            writer.transport.abort()

    async def _answer(self, method: str, target: str, headers: list[tuple[str, str]], body: bytes) -> bytes:
        await asyncio.sleep(self._luck.random() * self.slow_seconds)
        fails, happens = self._luck.random() < self.failing, self._luck.random() < 0.5
        if fails and not happens:
            return _FAILED
        try:
            answer = await self._forward.request(method, target, headers=headers, content=body)
        except httpx.HTTPError:
            return _FAILED
        return _FAILED if fails else _passed_on(method, answer)


def _passed_on(method: str, answer: httpx.Response) -> bytes:
    """The answer in one piece. That to HEAD keeps its length, which is of a body it does not have."""
    own = {"transfer-encoding"} if method == "HEAD" else {"transfer-encoding", "content-length"}
    headers = [(name, value) for name, value in answer.headers.items() if name not in own]
    if method != "HEAD":
        headers.append(("Content-Length", str(len(answer.content))))
    return _response(answer.status_code, headers, answer.content)


def _response(status: int, headers: list[tuple[str, str]], body: bytes) -> bytes:
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


_FAILED = _response(500, [("Content-Length", "0")], b"")
