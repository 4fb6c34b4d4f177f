"""What a request may bring: no more than a server has room for, and JSON that can be kept and told again."""

from json import JSONDecodeError
from math import isfinite
from typing import Any

from pydantic_core import from_json
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST = 8 * 1024 * 1024
"""Bytes. Programs and data go to object storage; here go definitions of them."""


class BodyLimit:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        read = 0

        async def receiving() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > LARGEST:
                # The framework's own: any other error here it takes for a body that cannot be read.
                raise HTTPException(413)
            return message

        await self._app(scope, receiving, send)


class JsonRequest(Request):
    """Its JSON by the letter. Python's own reader takes half a character, which nothing can write, and numbers that are none."""

    async def json(self) -> Any:
        body = await self.body()
        try:
            found = from_json(body, allow_inf_nan=False)
        except ValueError as error:
            # What the framework answers as a body that cannot be read.
            raise JSONDecodeError(str(error), "", 0) from error
        if not _is_finite(found):
            raise JSONDecodeError("a number is too large", "", 0)
        return found


def _is_finite(value: Any) -> bool:
    """What is too large for a number is read as infinity, which would be kept as nothing at all."""
    match value:
        case float():
            return isfinite(value)
        case dict():
            return all(map(_is_finite, value.values()))
        case list():
            return all(map(_is_finite, value))
        case _:
            return True
