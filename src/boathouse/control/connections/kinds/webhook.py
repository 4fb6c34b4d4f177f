"""A webhook: somebody's address that is told of events, each signed as Standard Webhooks describes it."""

import base64
import binascii
import hmac
import time
from collections.abc import Mapping
from hashlib import sha256
from typing import ClassVar

import orjson
from pydantic import Field

from boathouse.control.connections import posting
from boathouse.control.connections.addresses import HttpUrl, reach_address
from boathouse.control.connections.kinds.kind import Config, Kind
from boathouse.control.connections.steps import Step
from boathouse.control.database.base import now
from boathouse.kit.errors import InvalidInput
from boathouse.kit.ids import new_uuid

SECRET = "secret"  # noqa: S105 - the field's name
_PREFIX = "whsec_"


class WebhookConfig(Config):
    url: HttpUrl = Field(
        max_length=2000, description="Where events are posted to, such as https://hooks.example.org/x."
    )


class Webhook(Kind):
    name = "webhook"
    title = "Webhook"
    config = WebhookConfig
    secrets: ClassVar = {SECRET: "What signs events: 16 to 64 bytes in base 64, with or without whsec_ before it."}

    def refuse_unusable(self, field: str, secret: str) -> None:
        del field
        _key(secret)

    def steps(self, config: WebhookConfig, secrets: Mapping[str, str]) -> list[Step]:
        async def send() -> str:
            body = {"type": "test", "timestamp": now().isoformat(), "data": {}}
            return await post(config, secrets, new_uuid(), orjson.dumps(body))

        return [*reach_address(config.url), Step("send a signed event", send)]


async def post(config: WebhookConfig, secrets: Mapping[str, str], message_id: str, body: bytes) -> str:
    """What it answered. The same id is sent with each try, so that a receiver can drop what it has already."""
    at = int(time.time())
    headers = {
        "webhook-id": message_id,
        "webhook-timestamp": str(at),
        "webhook-signature": signature(secrets.get(SECRET, ""), message_id, at, body),
    }
    return await posting.post("The webhook", config.url, body, headers)


def signature(secret: str, message_id: str, at: int, body: bytes) -> str:
    signed = hmac.digest(_key(secret), f"{message_id}.{at}.".encode() + body, sha256)
    return f"v1,{base64.b64encode(signed).decode()}"


def _key(secret: str) -> bytes:
    text = secret.removeprefix(_PREFIX)
    try:
        # Some leave out the padding at its end.
        key = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not 16 <= len(key) <= 64:
        raise InvalidInput(
            "The secret of a webhook must be 16 to 64 bytes in base 64.",
            hint="`openssl rand -base64 32` makes one; the receiver needs the same.",
        )
    return key
