"""The store's protocol on etcd. Reads are linearizable, which is etcd's default; revisions are its mod revisions."""

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import structlog

from boathouse.catalog.errors import CommitStateUnknown
from boathouse.catalog.store.etcd.address import EtcdAddress
from boathouse.catalog.store.etcd.connection import RANGE, STATUS, TXN, Connection, Lost, NotSent, bridge
from boathouse.catalog.store.etcd.messages_pb2 import (
    RangeRequest,
    RangeResponse,
    StatusRequest,
    StatusResponse,
    TxnRequest,
)
from boathouse.catalog.store.etcd.requests import Keys, transaction
from boathouse.catalog.store.etcd.slots import Slot, Slots, slot_in
from boathouse.catalog.store.protocol import Comparison, Cut, Entry, StoreHealth, Write
from boathouse.kit.errors import BoathouseError, Unavailable
from boathouse.kit.ids import new_uuid

_T = TypeVar("_T")


class EtcdStore:
    def __init__(self, address: EtcdAddress) -> None:
        self._connection = Connection(address)
        self._keys = Keys(address.root)
        self._slots = Slots(self._keys.slots)
        self._running: set[asyncio.Task[Any]] = set()
        self._swept = False
        self._closed = False

    async def read(self, key: str) -> Entry | None:
        found = self._entries(await self._connection.ask(RANGE, RangeRequest(key=self._keys.encode(key))))
        return found[0] if found else None

    async def list(self, prefix: str, *, after: str = "", limit: int) -> list[Entry]:
        request = self._keys.page(prefix, after=after, limit=limit)
        return self._entries(await self._connection.ask(RANGE, request))

    async def keys(self, prefix: str, *, after: str = "", limit: int) -> Sequence[str]:
        request = self._keys.page(prefix, after=after, limit=limit)
        request.keys_only = True
        return [self._keys.decode(found.key) for found in (await self._connection.ask(RANGE, request)).kvs]

    @asynccontextmanager
    async def cut(self) -> AsyncGenerator[Cut]:
        """etcd keeps what is no longer current until it is compacted, so a cut holds nothing open."""
        now = await self._connection.ask(RANGE, self._keys.page("", after="", limit=1))
        yield _EtcdCut(now.header.revision, self)

    async def list_at(self, revision: int, prefix: str, *, after: str, limit: int) -> "list[Entry]":
        request = self._keys.page(prefix, after=after, limit=limit, revision=revision)
        return self._entries(await self._connection.ask(RANGE, request))

    async def commit(self, comparisons: Sequence[Comparison], writes: Sequence[Write]) -> bool:
        if self._closed:
            raise Unavailable("The catalog is shutting down.", hint="Try again.")
        request = transaction(self._keys, comparisons, writes)
        self._sweep_once()
        # Shielded: a caller who goes away does not take the commit along, it may be under way.
        return await asyncio.shield(self._start(self._commit(request)))

    async def check(self) -> None:
        """Nothing answers for a cluster but the cluster itself."""

    async def health(self) -> StoreHealth:
        endpoints = self._connection.endpoints
        found = await asyncio.gather(*(self._status(endpoint) for endpoint in endpoints))
        answers = {endpoint: status for endpoint, status in zip(endpoints, found, strict=True) if status}
        # After an election some members are behind; who is in the latest term knows best.
        latest = max(answers.values(), key=lambda status: status.raft_term, default=None)
        return StoreHealth(
            form="etcd",
            endpoints=endpoints,
            reachable=tuple(answers),
            leader=f"{latest.leader:x}" if latest and latest.leader else None,
            term=latest.raft_term if latest else 0,
            leader_changes=self._connection.elections,
        )

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        await asyncio.gather(*self._running, return_exceptions=True)
        # A cluster that is away keeps a few bytes, which another server sweeps up later.
        with suppress(BoathouseError):
            await self._slots.remove(self._connection)
        await self._connection.close()

    def _entries(self, response: RangeResponse) -> "list[Entry]":
        return [Entry(self._keys.decode(found.key), found.value, found.mod_revision) for found in response.kvs]

    async def _commit(self, request: TxnRequest) -> bool:
        token, deadline = new_uuid(), bridge()
        slot = self._slots.take()
        while True:
            try:
                response = await self._connection.attempt(TXN, slot.claim(request, token))
            except NotSent as error:
                await self._pause(slot, deadline, error)
                continue
            except Lost as error:
                slot.lose()
                if await self._settled(slot, token, error):
                    self._slots.give_back(slot)
                    return True
                await self._pause(slot, deadline, error)
                continue
            except BoathouseError:
                self._slots.give_back(slot)
                raise
            found, revision = ("", response.header.revision) if response.succeeded else slot_in(response)
            # The commit's own token: it arrived twice, and this is the answer to the second, which did nothing.
            applied = response.succeeded or found == token
            if not applied and revision != slot.revision:
                # Somebody swept it up, because this server stood still for so long.
                slot = self._slots.take()
                continue
            slot.revision = revision
            self._slots.give_back(slot)
            return applied

    async def _pause(self, slot: Slot, deadline: float, error: Exception) -> None:
        try:
            await self._connection.pause(deadline, error)
        except Unavailable:
            self._slots.give_back(slot)
            raise

    async def _settled(self, slot: Slot, token: str, lost: Lost) -> bool:
        """Whether the commit happened. If not, it never will. The time for finding out is its own."""
        try:
            response = await self._connection.ask(TXN, slot.fence())
        except BoathouseError as error:
            raise CommitStateUnknown(f"The catalog's store did not confirm the commit: {lost}.") from error
        # A fence whose own answer was lost is found in the slot by the next one, and does as well.
        found, slot.revision = ("", response.header.revision) if response.succeeded else slot_in(response)
        return found == token

    async def _status(self, endpoint: str) -> StatusResponse | None:
        try:
            return await self._connection.ask_member(endpoint, STATUS, StatusRequest())
        except (NotSent, Lost, BoathouseError):
            return None

    def _sweep_once(self) -> None:
        if not self._swept:
            self._swept = True
            self._start(self._sweep())

    async def _sweep(self) -> None:
        try:
            await self._slots.sweep(self._connection)
        except BoathouseError as error:
            structlog.get_logger().warning("slots of commits not swept", error=str(error))

    def _start(self, work: Coroutine[object, object, _T]) -> asyncio.Task[_T]:
        """Run it to its end whatever its caller does; `close` waits for it."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task


@dataclass(frozen=True)
class _EtcdCut:
    revision: int
    store: EtcdStore

    async def list(self, prefix: str, *, after: str = "", limit: int) -> list[Entry]:
        return await self.store.list_at(self.revision, prefix, after=after, limit=limit)
