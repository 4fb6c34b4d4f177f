"""Addresses of what speaks HTTP, as connections take them."""

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator

from boathouse.control.connections.steps import Step, reach


def _checked(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username:
        raise ValueError("must be http://HOST:PORT or https://HOST:PORT, without a login in it")
    _ = parts.port  # raises for one that cannot be a port
    return value


HttpUrl = Annotated[str, AfterValidator(_checked)]
"""As it stands, down to its last slash."""
HttpAddress = Annotated[HttpUrl, AfterValidator(lambda value: value.rstrip("/"))]
"""What paths are put behind."""


def reach_address(address: str) -> list[Step]:
    parts = urlsplit(address)
    return reach(parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80))
