"""Lists are answered by pages when the caller asks for pages, and whole when not."""

from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
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


async def page_of(
    store: Store, prefix: str, page: Page, shown: Callable[[str], bool] | None = None
) -> tuple[list[str], str | None]:
    """The names under `prefix`, and the token of the next page if there is one.

    With only those that are to be `shown`, pages are as full as without, and no token tells of another.
    """
    if page.token is None:
        names = await _everything(store, prefix)
        return names if shown is None else list(filter(shown, names)), None
    limit = min(page.size, _LARGEST)
    at_once = limit + 1 if shown is None else _LARGEST
    names, after = list[str](), prefix + _decoded(page.token)
    while len(names) <= limit:
        keys = await store.keys(prefix, after=after, limit=at_once)
        names += filter(shown, _names(keys, prefix)) if shown else _names(keys, prefix)
        if len(keys) < at_once:
            break
        after = keys[-1]
    return names[:limit], _encoded(names[limit - 1]) if len(names) > limit else None


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
