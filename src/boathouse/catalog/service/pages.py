"""Lists are answered by pages when the caller asks for pages, and whole when not."""

from base64 import b64decode, urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass

from boathouse.catalog.errors import BadRequest
from boathouse.catalog.store import Store

_LARGEST = 1000
# Of a list that is answered whole: some milliseconds in which nobody else is answered, and about a megabyte from etcd.
_AT_ONCE = 10_000


@dataclass(frozen=True)
class Page:
    """`token` is None for the whole list, empty for the first page, else where the page before it ended."""

    token: str | None = None
    size: int = _LARGEST


async def page_of(store: Store, prefix: str, page: Page) -> tuple[list[str], str | None]:
    """The names under `prefix`, and the token of the next page if there is one."""
    if page.token is None:
        return await _everything(store, prefix), None
    limit = min(page.size, _LARGEST)
    keys = await store.keys(prefix, after=prefix + _decoded(page.token), limit=limit + 1)
    names = _names(keys[:limit], prefix)
    return names, _encoded(names[-1]) if len(keys) > limit else None


def check_token(page: Page) -> None:
    """A list that is always empty refuses a token that never was one, as all lists do."""
    _decoded(page.token or "")


async def _everything(store: Store, prefix: str) -> list[str]:
    names: list[str] = []
    after = ""
    while keys := await store.keys(prefix, after=after, limit=_AT_ONCE):
        names += _names(keys, prefix)
        after = keys[-1]
        if len(keys) < _AT_ONCE:
            break
    return names


def _names(keys: Sequence[str], prefix: str) -> list[str]:
    start = len(prefix)
    return [key[start:] for key in keys]


def _encoded(name: str) -> str:
    return urlsafe_b64encode(name.encode()).decode()


def _decoded(token: str) -> str:
    try:
        return b64decode(token, altchars="-_", validate=True).decode()
    except ValueError:
        raise BadRequest(f"Invalid page token: {token[:100]!r}") from None
