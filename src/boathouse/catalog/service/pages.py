"""Lists are answered by pages when the caller asks for pages, and whole when not."""

from base64 import b64decode, urlsafe_b64encode
from dataclasses import dataclass

from boathouse.catalog.errors import BadRequest
from boathouse.catalog.store import Store

_LARGEST = 1000


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
    entries = await store.list(prefix, after=prefix + _decoded(page.token), limit=limit + 1)
    names = [entry.key.removeprefix(prefix) for entry in entries[:limit]]
    return names, _encoded(names[-1]) if len(entries) > limit else None


def check_token(page: Page) -> None:
    """A list that is always empty refuses a token that never was one, as all lists do."""
    _decoded(page.token or "")


async def _everything(store: Store, prefix: str) -> list[str]:
    names: list[str] = []
    after = ""
    while entries := await store.list(prefix, after=after, limit=_LARGEST):
        names += [entry.key.removeprefix(prefix) for entry in entries]
        after = entries[-1].key
    return names


def _encoded(name: str) -> str:
    return urlsafe_b64encode(name.encode()).decode()


def _decoded(token: str) -> str:
    try:
        return b64decode(token, altchars="-_", validate=True).decode()
    except ValueError:
        raise BadRequest(f"Invalid page token: {token[:100]!r}") from None
