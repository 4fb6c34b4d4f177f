"""No request may be larger than a server has room for."""

from starlette.exceptions import HTTPException
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
