"""Signature Version 4, AWS's way to sign an HTTP request, for its headers.

A pure function of the request, the keys and the time. See docs/decisions/0014-storage-access.md for why it is ours.
"""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from urllib.parse import quote, unquote, urlsplit

UNSIGNED = "UNSIGNED-PAYLOAD"
_ALGORITHM = "AWS4-HMAC-SHA256"
_UNRESERVED = "-_.~"


@dataclass(frozen=True)
class Keys:
    access_key: str
    secret_key: str = field(repr=False)
    session_token: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Unsigned:
    """A request as it will be sent. Of its headers, those that are given are signed, and the host."""

    method: str
    url: str
    headers: Mapping[str, str]
    payload_hash: str = UNSIGNED


def signed_headers(request: Unsigned, keys: Keys, region: str, service: str, now: float) -> dict[str, str]:
    """The headers to send besides those of the request."""
    stamp = datetime.fromtimestamp(now, UTC).strftime("%Y%m%dT%H%M%SZ")
    added = {"x-amz-date": stamp}
    # S3 alone wants to be told what was signed for the body; elsewhere it is the body's own hash.
    if service == "s3":
        added["x-amz-content-sha256"] = request.payload_hash
    if keys.session_token:
        added["x-amz-security-token"] = keys.session_token
    signed = {name.lower(): _trimmed(value) for name, value in {**request.headers, **added}.items()}
    signed["host"] = urlsplit(request.url).netloc
    scope = f"{stamp[:8]}/{region}/{service}/aws4_request"
    text = "\n".join((_ALGORITHM, stamp, scope, _digest(_canonical(request, signed))))
    signature = hmac.new(_signing_key(keys.secret_key, scope), text.encode(), sha256).hexdigest()
    names = ";".join(sorted(signed))
    credential = f"Credential={keys.access_key}/{scope}"
    return {**added, "authorization": f"{_ALGORITHM} {credential}, SignedHeaders={names}, Signature={signature}"}


def _canonical(request: Unsigned, signed: Mapping[str, str]) -> str:
    parts = urlsplit(request.url)
    headers = "".join(f"{name}:{signed[name]}\n" for name in sorted(signed))
    path = quote(unquote(parts.path), safe=f"/{_UNRESERVED}") or "/"
    lines = (request.method, path, _canonical_query(parts.query), headers, ";".join(sorted(signed)))
    return "\n".join((*lines, request.payload_hash))


def _canonical_query(query: str) -> str:
    """A parameter without a value has an empty one; a plus sign is a plus sign."""
    pairs = (pair.partition("=") for pair in query.split("&") if pair)
    return "&".join(
        f"{name}={value}" for name, value in sorted((_once(name), _once(value)) for name, _, value in pairs)
    )


def _once(text: str) -> str:
    return quote(unquote(text), safe=_UNRESERVED)


def _trimmed(value: str) -> str:
    return " ".join(value.split())


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _signing_key(secret: str, scope: str) -> bytes:
    key = f"AWS4{secret}".encode()
    for part in scope.split("/"):
        key = hmac.new(key, part.encode(), sha256).digest()
    return key
