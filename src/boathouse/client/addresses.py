"""Addresses of servers: whole, without secrets, and whether they lead to this machine."""

import ipaddress
from urllib.parse import urlsplit

from boathouse.kit.errors import InvalidInput


def checked_url(url: str) -> str:
    """Without a slash at its end; an error if it cannot be a server's address."""
    try:
        parts = urlsplit(url)
        whole = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        whole, parts = False, urlsplit("")
    if not whole or parts.query or parts.fragment:
        raise InvalidInput(f"{url!r} is not a server's address.", hint=_whole(url))
    if parts.username or parts.password:
        raise InvalidInput(
            "An address may not hold a user or password: it is shown and kept where they must not be.",
            hint="Use `boathouse login`, which asks for them.",
        )
    return url.rstrip("/")


def _whole(url: str) -> str:
    """What an address without its beginning would be; else one that is whole."""
    guess = f"{'http' if is_loopback(f'//{url}') else 'https'}://{url}"
    is_host = url and "://" not in url and "/" not in url and "@" not in url
    return f"Say how to reach it: {guess}." if is_host else "Such as https://boathouse.example.org."


def is_loopback(url: str) -> bool:
    host = ""
    try:
        host = urlsplit(url).hostname or ""
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
