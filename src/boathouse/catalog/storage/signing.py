"""A client's request to S3, signed with the catalog's keys."""

from datetime import UTC, datetime
from hashlib import sha256

from boathouse.catalog.errors import Forbidden
from boathouse.catalog.storage.s3_request import S3Request, signable_headers
from boathouse.catalog.storage.sigv4 import UNSIGNED, Keys, Unsigned, signed_headers

# S3 allows a quarter of an hour between clocks; a signature must not last longer because its client dates it ahead.
_CLOCKS_APART = 300


def signature_for(request: S3Request, keys: Keys, region: str, now: float, *, bind_body: bool) -> dict[str, list[str]]:
    """The headers to add. What the client already has it keeps, so it is not given again."""
    unsigned = Unsigned(request.method, request.uri, signable_headers(request), _payload(request, bind_body=bind_body))
    headers = signed_headers(unsigned, keys, region, "s3", _moment(request, now))
    return {name: [value] for name, value in headers.items() if request.header(name) is None}


def _payload(request: S3Request, *, bind_body: bool) -> str:
    stated = request.header("x-amz-content-sha256")
    if not bind_body:
        return stated or UNSIGNED
    actual = sha256((request.body or "").encode()).hexdigest()
    if stated is not None and stated != actual:
        raise Forbidden("Cannot sign the request: its body is not the one that it states")
    return actual


def _moment(request: S3Request, now: float) -> float:
    stated = request.header("x-amz-date")
    if stated is None:
        return now
    try:
        moment = datetime.strptime(stated, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC).timestamp()
    except ValueError as error:
        raise Forbidden("Cannot sign the request: x-amz-date is not a time") from error
    if abs(moment - now) > _CLOCKS_APART:
        raise Forbidden("Cannot sign the request: x-amz-date is too far from the catalog's own time")
    return moment
