"""What clients are given to reach a table's files without keys of their own: keys that end, or signatures."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from boathouse.catalog.errors import Forbidden, IllegalArgument
from boathouse.catalog.metadata import Json
from boathouse.catalog.names import TableName
from boathouse.catalog.service.places import Places
from boathouse.catalog.service.pointers import Pointers
from boathouse.catalog.storage.policy import can_be_told
from boathouse.catalog.storage.s3_request import S3Request, effect_of
from boathouse.catalog.storage.s3_storage import S3Storage, Vend
from boathouse.catalog.storage.sessions import Scope, Session, Sessions
from boathouse.catalog.storage.signing import signature_for
from boathouse.catalog.storage.staged import StagedLocations
from boathouse.catalog.warehouse import Warehouse

VENDED = "vended-credentials"
SIGNING = "remote-signing"
_OUTSIDE = ("write.data.path", "write.metadata.path")


@dataclass(frozen=True)
class Extent:
    """Where a table's files may lie."""

    location: str
    prefixes: tuple[str, ...]
    """What the keys there begin with, without the slash that follows."""

    def holds(self, key: str) -> bool:
        return any(key.startswith(f"{prefix}/") for prefix in self.prefixes)


@dataclass(frozen=True)
class Bearer:
    """Who will use it, and whether to write."""

    principal: str
    writes: bool


@dataclass(frozen=True)
class Delegation:
    """What goes out with a table."""

    config: dict[str, str] = field(repr=False)
    credentials: Sequence[Json] = field(default=(), repr=False)

    @property
    def secret(self) -> bool:
        return bool(self.credentials)


class StorageAccess:
    def __init__(
        self, warehouse: Warehouse, tables: Pointers, places: Places, clock: Callable[[], float] = time.time
    ) -> None:
        storage = warehouse.storage
        self._warehouse = warehouse
        self._storage = storage
        self._tables = tables
        self._places = places
        self._clock = clock
        self._sessions = Sessions(storage, clock) if storage and storage.vend is Vend.STS else None
        self._staged = StagedLocations(warehouse.name, storage.keys.secret_key) if storage and storage.keys else None

    async def close(self) -> None:
        if self._sessions is not None:
            await self._sessions.close()

    async def extent(self, table: TableName) -> Extent:
        file = await self._tables.load(table)
        return await self.extent_of(table, file.metadata)

    async def extent_of(self, table: TableName, metadata: Json) -> Extent:
        """Its location, and where its properties put files, if that may be elsewhere and is nobody else's."""
        location, outside = metadata["location"], list(self._outside(metadata))
        if outside:
            pointer = await self._tables.find(table)
            held = pointer.held if pointer else (location,)
            outside = [path for path in outside if await self._is_free(path, held)]
        return Extent(location, tuple(dict.fromkeys(self._prefix(path) for path in (location, *outside))))

    async def staged_extent(self, table: TableName, sealed: str) -> Extent:
        """That of a table which is not there yet. Whoever meanwhile has the location to himself keeps it so."""
        if self._staged is None:
            raise _no_storage(self._warehouse)
        location = self._staged.open(self._tables.key(table), sealed)
        if not await self._places.is_free(location):
            raise Forbidden("The location of the staged table is another's by now. Stage it again")
        return Extent(location, (self._prefix(location),))

    def seal(self, table: TableName, location: str) -> str | None:
        return self._staged.seal(self._tables.key(table), location) if self._staged else None

    async def exists(self, table: TableName) -> bool:
        return await self._tables.find(table) is not None

    async def sign(self, request: S3Request, extent: Extent, principal: str) -> dict[str, list[str]]:
        """The headers that make it a request of the catalog's; raises Forbidden if it leaves the table's files."""
        storage = self._known_storage()
        effect = effect_of(storage, request)
        if not all(extent.holds(key) for key in effect.keys):
            raise Forbidden("Cannot sign the request: it leaves the table's location")
        session = await self._session(extent, Bearer(principal, effect.writes))
        if session is None and storage.vend is Vend.STS:
            raise Forbidden("Cannot sign the request: the table's location cannot be told in a policy that confines it")
        # Only a store that compares the body with what was signed for it keeps another from being sent instead.
        if effect.in_bulk and session is None and not storage.aws:
            raise Forbidden(
                "Cannot sign the request: this store may delete other objects than it shows. Delete one by one"
            )
        keys = session.keys if session else storage.keys
        if keys is None:
            raise _no_storage(self._warehouse)
        return signature_for(request, keys, storage.region, self._clock(), bind_body=effect.in_bulk)

    async def delegate(
        self, asked: Iterable[str], extent: Extent, bearer: Bearer, endpoints: "Endpoints"
    ) -> Delegation | None:
        """The best of what is asked for: keys before signatures, which cost a request each."""
        wanted, storage = frozenset(asked), self._storage
        if storage is None or storage.keys is None:
            return None
        if VENDED in wanted and (credentials := await self.credentials(extent, bearer)):
            refresh = {"client.refresh-credentials-endpoint": endpoints.credentials}
            config = {**storage.client_properties(), **credentials[0]["config"], **refresh}
            return Delegation(config, [{**one, "config": config} for one in credentials])
        if SIGNING in wanted:
            return Delegation({**storage.client_properties(), **_signer(endpoints.sign)})
        return None

    async def credentials(self, extent: Extent, bearer: Bearer) -> list[Json]:
        """Keys for the table's files, if the warehouse gives keys and they can be confined to them."""
        storage = self._storage
        if storage is None or storage.keys is None:
            return []
        if storage.vend is Vend.STATIC:
            config = _keys(storage.keys.access_key, storage.keys.secret_key)
        elif session := await self._session(extent, bearer):
            config = _keys(session.keys.access_key, session.keys.secret_key)
            config["s3.session-token"] = session.keys.session_token or ""
            config["s3.session-token-expires-at-ms"] = str(int(session.expires * 1000))
        else:
            return []
        # Java's client refreshes one set of keys, so there is one, for as much as it is good for.
        prefix = extent.location if len(extent.prefixes) == 1 else self._warehouse.root
        return [{"prefix": prefix, "config": config}]

    async def _session(self, extent: Extent, bearer: Bearer) -> Session | None:
        if self._sessions is None or not can_be_told(extent.prefixes):
            return None
        return await self._sessions.get(Scope(bearer.principal, extent.prefixes, bearer.writes))

    def _known_storage(self) -> S3Storage:
        if self._storage is None or self._storage.keys is None:
            raise _no_storage(self._warehouse)
        return self._storage

    def _prefix(self, location: str) -> str:
        path = self._warehouse.path(location)
        return self._storage.key(path) if self._storage else path

    def _outside(self, metadata: Json) -> Iterator[str]:
        if self._storage is None or not self._storage.outside_paths:
            return
        for name in _OUTSIDE:
            if path := metadata.get("properties", {}).get(name):
                yield path

    async def _is_free(self, outside: str, held: tuple[str, ...]) -> bool:
        try:
            return await self._places.is_free(outside, held=held)
        except IllegalArgument:  # not inside the warehouse
            return False


@dataclass(frozen=True)
class Endpoints:
    """Where a table's keys are renewed and its requests signed, relative to the catalog."""

    sign: str
    credentials: str


def _keys(access_key: str, secret_key: str) -> dict[str, str]:
    return {"s3.access-key-id": access_key, "s3.secret-access-key": secret_key}


def _signer(endpoint: str) -> dict[str, str]:
    """In the names of the specification, of Java before it had them, and of pyiceberg, which signs in one of its two ways."""
    return {
        "s3.remote-signing-enabled": "true",
        "signer.endpoint": endpoint,
        "s3.signer.endpoint": endpoint,
        "s3.signer": "S3V4RestSigner",
        "py-io-impl": "pyiceberg.io.fsspec.FsspecFileIO",
    }


def _no_storage(warehouse: Warehouse) -> IllegalArgument:
    return IllegalArgument(f"Warehouse {warehouse.name} is not on an S3 store that the catalog has keys for")
