"""Calls of systems that speak HTTP, as the steps of a test make them."""

import ipaddress
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import httpx

from boathouse.control.connections.steps import SECONDS
from boathouse.kit.errors import Forbidden, InvalidInput, Unavailable

_HINT = "Check the address."


async def call(
    method: str, address: str, path: str, *, headers: Mapping[str, str] | None = None, **options: Any
) -> httpx.Response:
    """The answer, whatever it says; Unavailable if there is none."""
    # The library would send nothing but ASCII, and a password may have any letter.
    sent = httpx.Headers(headers, encoding="utf-8")
    try:
        async with httpx.AsyncClient(timeout=SECONDS, trust_env=False) as client:
            return await client.request(method, address + path, headers=sent, **options)
    except httpx.LocalProtocolError as error:
        # Its text repeats the header as bytes, in which nobody would find the secret to take it out.
        raise InvalidInput(
            f"{path} cannot be asked with what the login holds.", hint="Check user and secrets for line breaks."
        ) from error
    except httpx.HTTPError as error:
        raise Unavailable(f"{path} is not answered: {error or type(error).__name__}.", hint=_HINT) from error
    except httpx.InvalidURL as error:
        raise Unavailable(f"{path} cannot be called: {error}.", hint=_HINT) from error


def mapping_in(response: httpx.Response) -> dict[str, Any]:
    """The JSON object that was answered; an empty one if it is something else."""
    try:
        told = response.json()
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def refuse_in_clear(address: str, *, encrypted: bool) -> None:
    """A secret is sent encrypted, or does not leave the machine."""
    host = urlsplit(address).hostname or ""
    if not encrypted and not _is_this_machine(host):
        raise Forbidden(
            f"The secret would be sent to {host} in clear.", hint="Use an encrypted address, or leave the secret out."
        )


def _is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
