"""Calls of the identity provider, and what its refusals mean."""

from typing import Any

import httpx

from boathouse.kit.errors import BoathouseError, Unauthenticated, Unavailable

_SECONDS = 10


async def call(method: str, address: str, **options: Any) -> httpx.Response:
    # By the environment's proxy, if it names one: providers are often outside.
    try:
        async with httpx.AsyncClient(timeout=_SECONDS) as client:
            return await client.request(method, address, **options)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise unusable(f"{address} is not answered ({error or type(error).__name__})") from error


async def mapping_at(address: str, **options: Any) -> dict[str, Any]:
    return mapping_in(await call("GET", address, **options))


def mapping_in(response: httpx.Response) -> dict[str, Any]:
    try:
        told = response.json() if response.is_success else None
    except ValueError:
        told = None
    if not isinstance(told, dict):
        raise unusable(f"{response.url.copy_with(query=None)} is answered with {response.status_code}")
    return told


def refusal(response: httpx.Response) -> BoathouseError:
    """Of a code: it is either too old, or we are not who we say."""
    try:
        error = str(response.json()["error"])[:100]
    except (ValueError, KeyError, TypeError):
        error = f"status {response.status_code}"
    if error == "invalid_grant":
        return Unauthenticated("The identity provider no longer knows of this login.", hint="Start again.")
    return unusable(f"it refuses the control plane's own login ({error}): client id and secret should be compared")


def unusable(reason: str) -> Unavailable:
    return Unavailable(
        f"The identity provider cannot be used: {reason}.",
        hint="Try again in a minute. If it stays so, ask a platform admin.",
    )
