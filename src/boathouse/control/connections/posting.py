"""A message posted to somebody's address, and what they said to it."""

from collections.abc import Mapping

import httpx

from boathouse.control.connections.steps import SECONDS
from boathouse.kit.errors import Unavailable

# Of an answer that refuses; whoever answers with more is not read to the end.
_MOST_READ = 500


async def post(receiver: str, url: str, body: bytes, headers: Mapping[str, str]) -> str:
    """What it answered; Unavailable unless it took the message. `receiver` is what it is called in that case."""
    sent = {"content-type": "application/json", "user-agent": "boathouse", **headers}
    try:
        # Redirects are not followed: what is meant for one address is not for another.
        async with (
            httpx.AsyncClient(timeout=SECONDS, trust_env=False, follow_redirects=False) as client,
            client.stream("POST", url, content=body, headers=sent) as response,
        ):
            if not response.is_success:
                raise await _refusal(receiver, response)
            return f"It answered {response.status_code}."
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise unanswered(receiver, error) from error


def unanswered(receiver: str, error: Exception) -> Unavailable:
    return Unavailable(
        f"{receiver} does not answer: {error or type(error).__name__}.",
        hint="Check the address, and that it may be reached from here.",
    )


async def _refusal(receiver: str, response: httpx.Response) -> Unavailable:
    if response.is_redirect:
        return Unavailable(
            f"{receiver} answered {response.status_code}, a redirect, which is not followed.",
            hint="Give the address that it leads to.",
        )
    said = (await _beginning(response)).decode(errors="replace").strip().partition("\n")[0].rstrip(".")
    return Unavailable(
        f"{receiver} answered {response.status_code}{f': {said}' if said else ''}.", hint="Look at the receiver's log."
    )


async def _beginning(response: httpx.Response) -> bytes:
    async for piece in response.aiter_bytes(_MOST_READ):
        return piece
    return b""
