"""What a request to S3 would do: read out of the request itself, so that nothing is signed that nobody looked at.

Only requests that tables need are known. All others are refused, whoever asks: what is not understood cannot be granted.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from boathouse.catalog.errors import Forbidden
from boathouse.catalog.storage.bulk_delete import keys_of
from boathouse.catalog.storage.s3_storage import S3Storage

_PRINTABLE = re.compile(r"[!-~]+")
# A slash that is written as a code, and what some stores take for one.
_HIDDEN_SLASH = re.compile(r"%2f|%5c|\\", re.IGNORECASE)
# Who may see an object, where it is copied from, how long it is locked: not for clients to say.
_HARMLESS = re.compile(
    r"x-amz-(content-sha256|date|checksum-[a-z0-9-]+|sdk-checksum-algorithm|decoded-content-length|trailer|te"
    r"|storage-class|tagging|server-side-encryption[a-z-]*|meta-[a-z0-9_.-]+|user-agent|expected-bucket-owner)"
)
_VERSION = frozenset({"versionId", "partNumber"})
_PARTS = frozenset({"max-parts", "part-number-marker"})
_LISTING = frozenset(
    {
        "list-type",
        "delimiter",
        "encoding-type",
        "max-keys",
        "continuation-token",
        "start-after",
        "marker",
        "fetch-owner",
    }
)


@dataclass(frozen=True)
class S3Request:
    method: str
    uri: str = field(repr=False)
    headers: Mapping[str, Sequence[str]] = field(repr=False)
    body: str | None = field(default=None, repr=False)

    @property
    def writes(self) -> bool:
        """Nothing that these two methods do in S3 changes anything, and all that the others do may."""
        return self.method not in {"GET", "HEAD"}

    def header(self, name: str) -> str | None:
        found = [value for key, values in self.headers.items() if key.lower() == name for value in values]
        return ",".join(found) if found else None


@dataclass(frozen=True)
class Effect:
    keys: tuple[str, ...]
    """What is read or written; for a listing, what the keys begin with."""
    writes: bool
    in_bulk: bool = False
    """The keys stand in the body."""


@dataclass(frozen=True)
class _Form:
    """A known request: its method, the parameters it has, and those it may have."""

    method: str
    needs: frozenset[str] = frozenset()
    may: frozenset[str] = frozenset()

    def fits(self, method: str, names: frozenset[str]) -> bool:
        return method == self.method and self.needs <= names <= self.needs | self.may


_ON_OBJECT = (
    _Form("GET", may=_VERSION),
    _Form("HEAD", may=_VERSION),
    _Form("PUT"),
    _Form("DELETE"),
    _Form("POST", needs=frozenset({"uploads"})),
    _Form("PUT", needs=frozenset({"partNumber", "uploadId"})),
    _Form("POST", needs=frozenset({"uploadId"})),
    _Form("DELETE", needs=frozenset({"uploadId"})),
    _Form("GET", needs=frozenset({"uploadId"}), may=_PARTS),
)
_LIST = _Form("GET", needs=frozenset({"prefix"}), may=_LISTING)
_DELETE_MANY = _Form("POST", needs=frozenset({"delete"}))


def effect_of(storage: S3Storage, request: S3Request) -> Effect:
    """What the request would do in the warehouse's bucket; raises Forbidden for what is not known to be harmless."""
    _check_headers(request)
    key, parameters = _target(storage, request.uri)
    names = frozenset(parameters) - {"x-id"}  # says only what the method and the others say
    if key:
        _check_segments(key.split("/"))
        for form in _ON_OBJECT:
            if form.fits(request.method, names):
                return Effect((key,), writes=request.writes)
    elif _LIST.fits(request.method, names):
        _check_segments(parameters["prefix"].removesuffix("/").split("/"))
        return Effect((parameters["prefix"],), writes=False)
    elif _DELETE_MANY.fits(request.method, names):
        keys = keys_of(request.body)
        for one in keys:
            _check_segments(one.split("/"))
        return Effect(keys, writes=True, in_bulk=True)
    raise Forbidden("Cannot sign the request: it is none of those that tables need")


def signable_headers(request: S3Request) -> dict[str, str]:
    """The headers that S3 wants to be signed, but for those that signing makes itself."""
    made = {"x-amz-date", "x-amz-content-sha256", "x-amz-user-agent"}
    names = {name.lower() for name in request.headers}
    return {name: request.header(name) or "" for name in names if name.startswith("x-amz-") and name not in made}


def _target(storage: S3Storage, uri: str) -> tuple[str, dict[str, str]]:
    """The key and the parameters, once it is sure that the URL is the bucket's."""
    if not _PRINTABLE.fullmatch(uri) or "#" in uri:
        raise Forbidden("Cannot sign the request: its URL is not written as a URL")
    parts = urlsplit(uri)
    origin = f"{parts.scheme}://{parts.netloc}"
    path = parts.path.removeprefix("/")
    if _HIDDEN_SLASH.search(path):
        raise Forbidden("Cannot sign the request: its path hides a slash")
    if origin in storage.path_origins():
        bucket, _, path = path.partition("/")
        if bucket != storage.bucket:
            raise Forbidden("Cannot sign the request: it is not for the warehouse's bucket")
    elif origin not in storage.bucket_origins():
        raise Forbidden("Cannot sign the request: it is not for the warehouse's store")
    return _decoded(path), _parameters(parts.query)


def _parameters(query: str) -> dict[str, str]:
    # A plus sign is a space to some and a plus sign to others, and a semicolon ends a parameter for some.
    if "+" in query or ";" in query:
        raise Forbidden("Cannot sign the request: its query can be read in more than one way")
    pairs = [pair.partition("=") for pair in query.split("&") if pair]
    found = {_decoded(name): _decoded(value) for name, _, value in pairs}
    if len(found) != len(pairs):
        raise Forbidden("Cannot sign the request: a parameter is given twice")
    return found


def _check_segments(segments: Sequence[str]) -> None:
    if not {"", ".", ".."}.isdisjoint(segments) or any(ord(letter) < 32 for part in segments for letter in part):
        raise Forbidden("Cannot sign the request: its key is a path that leads elsewhere")


def _check_headers(request: S3Request) -> None:
    names = [name.lower() for name in request.headers]
    if len(set(names)) != len(names):
        raise Forbidden("Cannot sign the request: a header is given twice")
    refused = sorted(name for name in names if name.startswith("x-amz-") and not _HARMLESS.fullmatch(name))
    if refused:
        raise Forbidden(f"Cannot sign the request: the header {refused[0][:100]} is not allowed")
    host = request.header("host")
    if host is not None and host != urlsplit(request.uri).netloc:
        raise Forbidden("Cannot sign the request: its host is not that of its URL")


def _decoded(text: str) -> str:
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError as error:
        raise Forbidden("Cannot sign the request: its URL is not UTF-8") from error
