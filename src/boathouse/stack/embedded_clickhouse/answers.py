"""An answer on its way: its head, its encoding, and how an error is told once the head has gone."""

import asyncio
import secrets
from collections.abc import Mapping
from typing import Any

import orjson
from starlette.concurrency import run_in_threadpool

from boathouse.stack.embedded_clickhouse.encodings import Encoder, encoder
from boathouse.stack.embedded_clickhouse.engine import Outcome
from boathouse.stack.embedded_clickhouse.errors import ClickHouseError

# A client that takes nothing for so long has gone; whatever it asked for is let go.
_STALLED_SECONDS = 300
# Encoding less than this is quicker than handing it to a thread.
_AT_ONCE = 64 << 10
_TEXT = "text/plain; charset=UTF-8"
_BYTES = "application/octet-stream"


class ClientGone(Exception):  # noqa: N818 - what happened
    """Nobody is there to be answered."""


class Answer:
    def __init__(
        self, send: Any, headers: Mapping[str, str], content_types: Mapping[str, str], encoding: str | None = None
    ) -> None:
        """`content_types` has each format's, by its name in small letters."""
        self._send = send
        self._headers = dict(headers)
        self._content_types = content_types
        self._encoding = encoding
        self._encoder: Encoder = encoder(encoding)
        self._tag = secrets.token_hex(8)
        self.started = False

    async def whole(self, content: bytes, data_format: str | None, outcome: Outcome) -> None:
        """All of it at once, when all is known."""
        encoded = await self._encoded(content) + self._encoder.finish() if content else b""
        length = {"Content-Length": str(len(encoded))}
        encoding = {"Content-Encoding": self._encoding} if self._encoding and content else {}
        await self._head(200, {**summary(outcome), **self._format(data_format), **encoding, **length})
        await self._pass({"type": "http.response.body", "body": encoded})

    async def begin(self, data_format: str, outcome: Outcome) -> None:
        encoding = {"Content-Encoding": self._encoding} if self._encoding else {}
        tag = {"X-ClickHouse-Exception-Tag": self._tag}
        await self._head(200, {**summary(outcome), **self._format(data_format), **encoding, **tag})

    async def piece(self, content: bytes) -> None:
        if encoded := await self._encoded(content):
            await self._pass({"type": "http.response.body", "body": encoded, "more_body": True})

    async def end(self) -> None:
        await self._pass({"type": "http.response.body", "body": self._encoder.finish()})

    async def fail(self, error: ClickHouseError, version: str) -> None:
        """Before the head has gone: a status. After it: told in the body, which then does not end as it should."""
        text = error.text(version).encode()
        code = {"X-ClickHouse-Exception-Code": str(error.code)}
        if not self.started:
            plain = {"Content-Type": _TEXT, "Content-Length": str(len(text))}
            await self._head(error.status, {**code, **plain})
            await self._pass({"type": "http.response.body", "body": text})
            return
        tag = self._tag.encode()
        told = b"\r\n__exception__\r\n%b\r\n%b\r\n%d %b\r\n__exception__\r\n" % (tag, text, len(text), tag)
        last = await self._encoded(told) + self._encoder.finish()
        await self._pass({"type": "http.response.body", "body": last, "more_body": True})

    def _format(self, name: str | None) -> dict[str, str]:
        if name is None:
            return {"Content-Type": _TEXT}
        return {"X-ClickHouse-Format": name, "Content-Type": self._content_types.get(name.lower(), _BYTES)}

    async def _encoded(self, content: bytes) -> bytes:
        if self._encoding is None or len(content) < _AT_ONCE:
            return self._encoder.encode(content)
        return await run_in_threadpool(self._encoder.encode, content)

    async def _head(self, status: int, headers: Mapping[str, str]) -> None:
        self.started = True
        pairs = [(name.lower().encode(), value.encode()) for name, value in {**self._headers, **headers}.items()]
        await self._pass({"type": "http.response.start", "status": status, "headers": pairs})

    async def _pass(self, message: Mapping[str, Any]) -> None:
        try:
            async with asyncio.timeout(_STALLED_SECONDS):
                await self._send(message)
        except TimeoutError:
            raise ClientGone from None


def summary(outcome: Outcome) -> dict[str, str]:
    numbers = {
        "read_rows": outcome.read_rows,
        "read_bytes": outcome.read_bytes,
        "written_rows": outcome.written_rows,
        "written_bytes": outcome.written_bytes,
        "total_rows_to_read": outcome.total_rows,
        "result_rows": outcome.result_rows,
        "result_bytes": outcome.result_bytes,
        "elapsed_ns": outcome.elapsed_ns,
    }
    return {"X-ClickHouse-Summary": orjson.dumps({name: str(value) for name, value in numbers.items()}).decode()}
