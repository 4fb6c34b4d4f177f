"""A small client of any Iceberg REST catalog: what pipelines and the command line ask of it.

Engines bring their own clients; this one exists for what they do not offer, first of all a transaction over several
tables. Metadata stays plain JSON, so that what this client does not know passes through untouched.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx

from boathouse.kit.access import CatalogAccess
from boathouse.kit.errors import (
    BoathouseError,
    Conflict,
    Forbidden,
    InvalidInput,
    NotFound,
    Unauthenticated,
    Unavailable,
)
from boathouse.kit.ids import new_uuid

Json = dict[str, Any]
Namespace = tuple[str, ...]
SEPARATOR = "\x1f"
# Of one listing. Each page of a catalog holds hundreds of names, and one that never ends would be asked for ever.
_MOST_PAGES = 10_000

_ERRORS: dict[int, type[BoathouseError]] = {
    400: InvalidInput,
    401: Unauthenticated,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
}


@dataclass(frozen=True, order=True)
class TableName:
    """A table's or view's full name without its catalog, such as `sales.orders`."""

    namespace: Namespace
    name: str

    @classmethod
    def parse(cls, text: str) -> Self:
        *namespace, name = text.split(".")
        if not namespace or not all(text.split(".")):
            raise InvalidInput(f"{text!r} is not a table's full name.", hint="Write it as namespace.table.")
        return cls(tuple(namespace), name)

    def beside(self, suffix: str) -> "TableName":
        return TableName(self.namespace, self.name + suffix)

    def __str__(self) -> str:
        return ".".join((*self.namespace, self.name))

    def json(self) -> Json:
        return {"namespace": list(self.namespace), "name": self.name}


@dataclass(frozen=True)
class LoadedTable:
    metadata: Json
    metadata_location: str | None
    config: Json = field(default_factory=dict[str, Any])
    """What the catalog gave with it to reach its files."""


@dataclass(frozen=True)
class TableChange:
    """One table's part in a commit: what must still hold, and what changes."""

    table: TableName
    requirements: Sequence[Json]
    updates: Sequence[Json]

    def json(self) -> Json:
        return {"identifier": self.table.json(), "requirements": list(self.requirements), "updates": list(self.updates)}


class CatalogClient:
    def __init__(
        self, access: CatalogAccess, *, timeout: float = 60.0, fit_to_tell: Callable[[str], str] = str
    ) -> None:
        """What the catalog says when it refuses is told as `fit_to_tell` makes it: some say what was sent to them."""
        self._access = access
        self._timeout = timeout
        self._fit_to_tell = fit_to_tell
        self._http = httpx.Client(
            base_url=access.uri.rstrip("/"),
            headers=_login(access.token.get_secret_value()),
            timeout=timeout,
            trust_env=False,
        )
        self._prefix: str | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def namespaces(self, parent: Namespace = ()) -> Iterator[Namespace]:
        """The namespaces directly below `parent`."""
        query = {"parent": SEPARATOR.join(parent)} if parent else {}
        for page in self._pages("/namespaces", query):
            with self._as_catalogs_say_it("/namespaces"):
                found = [_namespace(entry) for entry in page["namespaces"]]
            yield from found

    def create_namespace(self, namespace: Namespace) -> None:
        """Create it and the ones above it, where they are not there yet."""
        for depth in range(1, len(namespace) + 1):
            try:
                self._call("POST", "/namespaces", json={"namespace": list(namespace[:depth])})
            except Conflict:
                continue

    def tables(self, namespace: Namespace) -> Iterator[TableName]:
        return self._names(f"{_path(namespace)}/tables")

    def views(self, namespace: Namespace) -> Iterator[TableName]:
        return self._names(f"{_path(namespace)}/views")

    def load_table(self, table: TableName, *, with_keys: bool = False) -> LoadedTable:
        """With keys for its files, if they are asked for and the catalog gives any."""
        headers = {"X-Iceberg-Access-Delegation": "vended-credentials"} if with_keys else {}
        return _loaded(self._call("GET", _table_path(table), headers=headers))

    def find_table(self, table: TableName) -> LoadedTable | None:
        try:
            return self.load_table(table)
        except NotFound:
            return None

    def stage_create(self, table: TableName, request: Json) -> LoadedTable:
        """The metadata a table would have if it were created now; nothing is changed yet."""
        body = {**request, "name": table.name, "stage-create": True}
        return _loaded(self._call("POST", f"{_path(table.namespace)}/tables", json=body))

    def create_table(self, table: TableName, request: Json) -> LoadedTable:
        """Create it; if somebody else did meanwhile, theirs."""
        try:
            return _loaded(self._call("POST", f"{_path(table.namespace)}/tables", json={**request, "name": table.name}))
        except Conflict:
            return self.load_table(table)

    def register_table(self, table: TableName, metadata_location: str) -> LoadedTable:
        body = {"name": table.name, "metadata-location": metadata_location}
        return _loaded(self._call("POST", f"{_path(table.namespace)}/register", json=body))

    def drop_table(self, table: TableName, *, purge: bool = False) -> None:
        """Forget the table; its files stay where they are, unless they are to be purged."""
        self._call("DELETE", _table_path(table), params={"purgeRequested": str(purge).lower()})

    def commit(self, changes: Sequence[TableChange]) -> None:
        """All the changes, or none of them. A lost reply is asked for again under the same key."""
        headers = {"Idempotency-Key": new_uuid()}
        body = {"table-changes": [change.json() for change in changes]}
        try:
            self._call("POST", "/transactions/commit", json=body, headers=headers)
        except Unavailable:
            self._call("POST", "/transactions/commit", json=body, headers=headers)

    def commit_table(self, change: TableChange) -> None:
        """One table's change, in the way that every catalog has. A lost reply is asked for again under the same key."""
        headers, body = {"Idempotency-Key": new_uuid()}, change.json()
        try:
            self._call("POST", _table_path(change.table), json=body, headers=headers)
        except Unavailable:
            self._call("POST", _table_path(change.table), json=body, headers=headers)

    def grants(self, table: TableName) -> Json:
        """What holds for a table of our own catalog: granted on it or on what it lies in, and whether it is asked for."""
        return self._manage("GET", f"{_table_path(table)}/grants")

    def grant(self, table: TableName, principal: str, privilege: str) -> None:
        self._manage("PUT", f"{_table_path(table)}/grants/{quote(principal, safe='')}/{quote(privilege, safe='')}")

    def revoke(self, table: TableName, principal: str, privilege: str) -> None:
        self._manage("DELETE", f"{_table_path(table)}/grants/{quote(principal, safe='')}/{quote(privilege, safe='')}")

    def principals(self) -> list[str]:
        return self._manage("GET", "/principals")["principals"]

    def _names(self, path: str) -> Iterator[TableName]:
        for page in self._pages(path, {}):
            with self._as_catalogs_say_it(path):
                found = [
                    TableName(_namespace(entry["namespace"]), _text(entry["name"])) for entry in page["identifiers"]
                ]
            yield from found

    def _pages(self, path: str, query: dict[str, str]) -> Iterator[Json]:
        token, seen = "", set[str]()
        while token not in seen and len(seen) < _MOST_PAGES:
            seen.add(token)
            page = self._call("GET", path, params={**query, "pageToken": token})
            yield page
            if page.get("next-page-token") is None:
                return
            with self._as_catalogs_say_it(path):
                token = _text(page["next-page-token"])
        raise Unavailable(
            f"What the catalog at {self._access.uri} lists at {path} has no end.",
            hint="Look at it with another client of the catalog.",
        )

    def _call(self, method: str, path: str, **options: Any) -> Json:
        prefix = self._known_prefix()
        root = f"/v1/{quote(prefix, safe='')}" if prefix else "/v1"
        return self._send(method, root + path, **options)

    def _manage(self, method: str, path: str) -> Json:
        return self._send(method, f"/management/v1/{quote(self._known_prefix(), safe='')}{path}")

    def _known_prefix(self) -> str:
        if self._prefix is None:
            chosen = {"warehouse": self._access.warehouse} if self._access.warehouse else {}
            config = self._send("GET", "/v1/config", params=chosen)
            with self._as_catalogs_say_it("/v1/config"):
                told: Json = {**(config.get("defaults") or {}), **(config.get("overrides") or {})}
                self._prefix = _text(told.get("prefix") or "")
        return self._prefix

    def _send(self, method: str, path: str, **options: Any) -> Json:
        try:
            response = self._http.request(method, path, **options)
        except httpx.TimeoutException as error:
            raise Unavailable(
                f"The catalog at {self._access.uri} does not answer: nothing came within {self._timeout:.0f} s.",
                hint="It may hang: see `boathouse status` and `boathouse logs catalog`.",
            ) from error
        except httpx.LocalProtocolError as error:
            # Its text repeats the header, and the token in it.
            raise _unsendable() from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            said = self._fit_to_tell(str(error) or type(error).__name__)
            raise Unavailable(
                f"The catalog at {self._access.uri} does not answer: {said}.",
                hint="See `boathouse status` and `boathouse logs catalog`.",
            ) from error
        if not response.is_success:
            raise _error(response, self._fit_to_tell)
        with self._as_catalogs_say_it(path):
            return _object(response.json()) if response.content else {}

    @contextmanager
    def _as_catalogs_say_it(self, path: str) -> Generator[None]:
        """Whatever answers at an address may be no catalog at all, such as a page for browsers."""
        try:
            yield
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise Unavailable(
                f"What {self._access.uri} answers to {path} is nothing that a catalog says.",
                hint="Check the address: is it that of an Iceberg REST catalog?",
            ) from error


def _object(told: Any) -> Json:
    if not isinstance(told, dict):
        raise TypeError("no object")
    return told


def _namespace(told: Any) -> Namespace:
    if not isinstance(told, list) or not told:
        raise TypeError("no namespace")
    parts: list[Any] = told
    return tuple(_text(part) for part in parts)


def _text(told: Any) -> str:
    """One that can be asked for: half a character cannot be sent."""
    if not isinstance(told, str):
        raise TypeError("no text")
    told.encode()
    return told


def _login(token: str) -> httpx.Headers:
    """The library would send nothing but ASCII, and a token may have any letter."""
    try:
        return httpx.Headers({"Authorization": f"Bearer {token}"} if token else {}, encoding="utf-8")
    except UnicodeEncodeError:
        # Without the error, whose text has the letter.
        raise _unsendable() from None


def _unsendable() -> InvalidInput:
    return InvalidInput(
        "The catalog cannot be asked with the token: it has a character that cannot be sent.",
        hint="Look for a line break in it, and give it anew.",
    )


def _loaded(body: Json) -> LoadedTable:
    credentials: list[Json] = body.get("storage-credentials") or []
    given: Json = {}
    for one in credentials:
        given |= one.get("config", {})
    return LoadedTable(body["metadata"], body.get("metadata-location"), {**body.get("config", {}), **given})


def _error(response: httpx.Response, fit_to_tell: Callable[[str], str]) -> BoathouseError:
    try:
        message = fit_to_tell(str(response.json()["error"]["message"]))
    except (ValueError, KeyError, TypeError):
        message = f"status {response.status_code} from {response.request.url.path}"
    default = Unavailable if response.status_code >= 500 else InvalidInput
    return _ERRORS.get(response.status_code, default)(f"The catalog refused: {message}")


def _path(namespace: Namespace) -> str:
    return f"/namespaces/{quote(SEPARATOR.join(namespace), safe='')}"


def _table_path(table: TableName) -> str:
    return f"{_path(table.namespace)}/tables/{quote(table.name, safe='')}"
