"""A receiver of OpenLineage's events, such as Marquez, DataHub or OpenMetadata."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import ClassVar

import httpx
from pydantic import Field

from boathouse.control.connections import posting
from boathouse.control.connections.addresses import HttpUrl, reach_address
from boathouse.control.connections.kinds.kind import Config, Kind
from boathouse.control.connections.posting import unanswered
from boathouse.control.connections.steps import SECONDS, Step
from boathouse.kit.errors import Unavailable

API_KEY = "api_key"
_RECEIVER = "The receiver of lineage"
_REFUSALS = {
    HTTPStatus.UNAUTHORIZED: "Give the connection the key that it wants.",
    HTTPStatus.FORBIDDEN: "Its key may not do this.",
    HTTPStatus.NOT_FOUND: "Give the whole address, such as https://lineage.example.org/api/v1/lineage.",
}


class OpenLineageConfig(Config):
    url: HttpUrl = Field(
        max_length=2000,
        description="Where events are posted to, such as https://lineage.example.org/api/v1/lineage.",
    )


class OpenLineage(Kind):
    name = "openlineage"
    title = "OpenLineage"
    config = OpenLineageConfig
    secrets: ClassVar = {API_KEY: "What it knows us by, sent as a bearer token."}

    def steps(self, config: OpenLineageConfig, secrets: Mapping[str, str]) -> list[Step]:
        async def ask() -> str:
            return await _asked(config, secrets)

        return [*reach_address(config.url), Step("ask it", ask)]


async def post(config: OpenLineageConfig, secrets: Mapping[str, str], event: bytes) -> str:
    return await posting.post(_RECEIVER, config.url, event, _headers(secrets))


async def _asked(config: OpenLineageConfig, secrets: Mapping[str, str]) -> str:
    """Without sending an event, which would stay there: what it says to a question is enough to know it by."""
    try:
        async with httpx.AsyncClient(timeout=SECONDS, trust_env=False, follow_redirects=False) as client:
            answer = await client.get(config.url, headers=_headers(secrets))
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise unanswered(_RECEIVER, error) from error
    status = answer.status_code
    if status in _REFUSALS or status >= HTTPStatus.INTERNAL_SERVER_ERROR or answer.is_redirect:
        hint = _REFUSALS.get(HTTPStatus(status), "Look at its log, and at the address.")
        raise Unavailable(f"{_RECEIVER} answered {status}.", hint=hint)
    return f"It answered {status}, and takes events."


def _headers(secrets: Mapping[str, str]) -> dict[str, str]:
    key = secrets.get(API_KEY)
    return {"authorization": f"Bearer {key}"} if key else {}
