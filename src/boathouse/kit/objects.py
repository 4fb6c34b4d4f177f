"""Object storage by URL: `s3://bucket/prefix` on any S3 store, or `file:///directory`.

A store is opened once at a root and then addressed by paths below it. What goes wrong in storage comes out as one of
our own errors, saying which object it was about.
"""

import posixpath
import re
from collections.abc import Generator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

from obstore.exceptions import BaseError
from obstore.store import LocalStore, S3Store

from boathouse.kit.errors import ConfigurationError, Forbidden, InvalidInput, NotFound, Unavailable

Store = S3Store | LocalStore

_REFUSED = re.compile(r"status code: (401|403)")
_TOO_LONG = ("File name too long", "<Code>KeyTooLongError</Code>")
_ENDPOINT = re.compile(r"performing [A-Z]+ (https?://[^/\s]+)")
_S3_SCHEMES = frozenset({"s3", "s3a", "s3n"})
# What no two programs agree on: some drop it silently, so that one text would name two places.
_UNFIT = re.compile(r"^\s|[\x00-\x1f\x7f\ud800-\udfff\U0010ffff]")
_SHOWN = 200


def open_store(
    url: str,
    *,
    endpoint: str | None = None,
    region: str | None = None,
    access_key: str | None = None,
    secret_key: str | None = None,
    session_token: str | None = None,
    path_style: bool = True,
    tidy: bool = False,
) -> Store:
    """A store whose paths are relative to `url`. Opening makes no request.

    A tidy one removes directories that become empty; an object store has none.
    """
    url = canonical_url(url)
    parts = urlsplit(url)
    if parts.scheme == "file":
        return _open_directory(Path(parts.path), tidy=tidy)
    options = {
        # A bucket that stands in the host is part of the endpoint for the library.
        "endpoint": endpoint if path_style or not endpoint else endpoint.replace("://", f"://{parts.netloc}.", 1),
        "region": region,
        "access_key_id": access_key,
        "secret_access_key": secret_key,
        "session_token": session_token,
    }
    return S3Store(
        parts.netloc,
        prefix=parts.path.strip("/") or None,
        virtual_hosted_style_request=not path_style,
        client_options={"allow_http": True, "timeout": timedelta(seconds=30)},
        # A store that is away is reported, not waited for: whoever called knows better how long to try.
        retry_config={"max_retries": 4, "retry_timeout": timedelta(seconds=15)},
        **{name: value for name, value in options.items() if value},  # pyright: ignore[reportArgumentType]
    )


def canonical_url(url: str) -> str:
    """One spelling for each place: `file:/x` is `file:///x`, `s3a://b/x/` is `s3://b/x`."""
    parts = urlsplit(url)
    if ".." in parts.path.split("/") or parts.query or parts.fragment:
        raise InvalidInput(f"Not a plain location: {shown(url)}", hint="Write it without '..', '?' and '#'.")
    # Two slashes at the start mean something of their own to POSIX, but nothing here.
    path = posixpath.normpath(f"/{parts.path.lstrip('/')}").rstrip("/") if parts.path else ""
    if parts.scheme == "file" and parts.netloc in {"", "localhost"} and parts.path.startswith("/"):
        return f"file:///{path.strip('/')}"
    if parts.scheme in _S3_SCHEMES and parts.netloc:
        return f"s3://{parts.netloc}{path}"
    raise InvalidInput(f"Not a storage location: {shown(url)!r}", hint="Use s3://bucket/prefix or file:///directory.")


def check_plain(url: str) -> None:
    """Refuse a new place that not every program would read alike. What is there already is still found, however it is written."""
    if _UNFIT.search(url):
        raise InvalidInput(
            f"Not a plain location: {shown(url)!r}", hint="Write it without control characters, and no space before it."
        )


def shown(text: str) -> str:
    """As much of it as an error needs."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def path_below(root: str, url: str) -> str | None:
    """Where `url` lies relative to `root`, or None when it lies elsewhere. Both may be in any spelling."""
    root, url = canonical_url(root), canonical_url(url)
    if url == root:
        return ""
    return url.removeprefix(root + "/") if url.startswith(root + "/") else None


@contextmanager
def storage_errors(url: str) -> Generator[None]:
    """Say what storage said about `url` in our own errors."""
    try:
        yield
    except FileNotFoundError as error:
        raise _no_bucket(url, error) or NotFound(f"There is no object at {url}.") from error
    except PermissionError as error:
        raise _forbidden(url) from error
    except (BaseError, OSError) as error:
        if _REFUSED.search(str(error)):  # what some operations of the library say of a refusal
            raise _forbidden(url) from error
        if any(reason in str(error) for reason in _TOO_LONG):
            raise InvalidInput(f"Storage cannot hold {shown(url)}: the name is too long.") from error
        raise _no_bucket(url, error) or Unavailable(
            f"Storage failed at {url}: {_first_line(error)}", hint="Check that the store is running."
        ) from error
    except ValueError as error:
        raise InvalidInput(f"Storage cannot hold {url}: {_first_line(error)}") from error
    except BaseException as error:
        # What the library did not think of passes every other net, and its class cannot be imported.
        if type(error).__name__ != "PanicException":
            raise
        raise InvalidInput(
            f"The storage of {shown(url)} cannot be asked: an address or a key is not what it should be.",
            hint="Check the endpoint, the region and the keys.",
        ) from error


def _open_directory(directory: Path, *, tidy: bool) -> LocalStore:
    try:
        return LocalStore(directory, automatic_cleanup=tidy, mkdir=True)
    except (BaseError, OSError) as error:
        raise ConfigurationError(
            f"The directory {directory} cannot be used: {_first_line(error)}", hint="Name one that you may write to."
        ) from error


def _no_bucket(url: str, error: Exception) -> NotFound | None:
    """The bucket itself is missing: only the text of the answer tells, and where it came from."""
    text = str(error)
    if "<Code>NoSuchBucket</Code>" not in text:
        return None
    endpoint = _ENDPOINT.search(text)
    return NotFound(
        f"There is no bucket {urlsplit(url).netloc}{f' at {endpoint[1]}' if endpoint else ''}.",
        hint="Check its name; `boathouse config` shows that of the lake's own as object_store.bucket.",
    )


def _forbidden(url: str) -> Forbidden:
    return Forbidden(f"Storage does not allow access to {url}.", hint="Check the keys and the bucket's policy.")


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
