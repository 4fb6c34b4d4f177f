"""Scans of a warehouse's tables: planned here on any server, as nothing about them is kept in one.

What is too long for an address, the store keeps for a while: filters with thousands of values.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, TypeVar

import obstore
import orjson

from boathouse.catalog.errors import IllegalArgument, NoSuchFile, NoSuchPlanId, NoSuchPlanTask, TooLarge, Validation
from boathouse.catalog.metadata import Json
from boathouse.catalog.names import TableName, plan_key
from boathouse.catalog.planning.planner import Limits, Planner
from boathouse.catalog.planning.requests import ScanRequest
from boathouse.catalog.planning.snapshots import pinned
from boathouse.catalog.planning.tokens import Scan, Unit, read_scan, read_task, scan_text, task_text
from boathouse.catalog.service.answers import DONE, Answer
from boathouse.catalog.service.asker import Asker
from boathouse.catalog.service.commits import Plan
from boathouse.catalog.service.places import Claimant
from boathouse.catalog.service.repeats import Ticket
from boathouse.catalog.service.tables import Tables
from boathouse.catalog.store import Delete, Put, Store, Unchanged
from boathouse.catalog.warehouse import Warehouse
from boathouse.kit.errors import NotFound
from boathouse.kit.objects import storage_errors

# With the rest of its path, an address that every proxy and server lets pass.
_LONGEST_ID = 4000
# What etcd takes in one request, less what goes with it.
_LARGEST_KEPT = 1024 * 1024
_KEPT_SECONDS = 24 * 3600
_KEPT = "~"
"""Starts the id of a plan that the store keeps: no other text of ours does."""
# Each reads a few megabytes at a time. More at once would only wait for the same processors.
_AT_ONCE = 2
# Thirty times as long as writers make a manifest.
_LONGEST_FILE = 256 * 1024 * 1024
_PAGE = 500
T = TypeVar("T")


@dataclass(frozen=True)
class _Table:
    metadata: Json
    read: Callable[[str], bytes]
    """The content of one of its files, for the threads that plan."""

    @property
    def uuid(self) -> str:
        return self.metadata["table-uuid"]


class Scans:
    def __init__(
        self, store: Store, warehouse: Warehouse, tables: Tables, clock: Callable[[], float] = time.time
    ) -> None:
        self._store = store
        self._warehouse = warehouse
        self._tables = tables
        self._clock = clock
        self.limits = Limits()
        self._turns = asyncio.Semaphore(_AT_ONCE)

    async def submit(self, name: TableName, request: ScanRequest, asker: Asker, ticket: Ticket | None) -> Answer:
        """Choose the snapshot, check the filter, and give the plan its id."""
        table = await self._table(name, asker)
        text = await self._apart(lambda: self._submitted(table, request))
        plan_id = text if len(text) <= _LONGEST_ID else _kept_as(text)
        writes = () if plan_id == text else (self._kept(plan_id, text),)

        async def planned() -> Plan:
            return Plan(Answer(200, {"plan-id": plan_id}), writes=writes)

        return await self._tables.commits.carry_out(planned, ticket)

    async def result(self, name: TableName, plan_id: str, asker: Asker) -> Json:
        table = await self._table(name, asker)
        text = await self._text(plan_id)
        if text == "":
            return {"status": "cancelled"}
        found = await self._apart(lambda: planner.whole() if (planner := self._again(table, text)) else None)
        if found is None:
            raise NoSuchPlanId("The plan id does not exist")
        tasks, units = found
        more = {"plan-tasks": [task_text(plan_id, unit) for unit in units]} if units else {}
        return {"status": "completed", **tasks, **more}

    async def tasks(self, name: TableName, plan_task: str, asker: Asker) -> Json:
        table = await self._table(name, asker)
        plan_id, unit = read_task(plan_task) or ("", Unit(0))
        text = await self._text(plan_id)
        found = await self._apart(lambda: planner.unit(unit) if (planner := self._again(table, text)) else None)
        if found is None:
            raise NoSuchPlanTask("The plan task does not exist")
        return found

    async def check_task(self, name: TableName, plan_task: str, asker: Asker, ticket: Ticket | None) -> Answer:
        """That there is such a task, written down under an idempotency key: doing it again gives the same."""
        table = await self._table(name, asker)
        found = read_task(plan_task)
        if found is None or not await self._is_known(table, await self._text(found[0])):
            raise NoSuchPlanTask("The plan task does not exist")

        async def planned() -> Plan:
            return Plan(Answer(200, {"plan-task": plan_task}))

        return await self._tables.commits.carry_out(planned, ticket)

    async def cancel(self, name: TableName, plan_id: str, asker: Asker, ticket: Ticket | None) -> Answer:
        """Nothing is under way between requests: only what the store keeps is let go, and that it was cancelled kept."""
        table = await self._table(name, asker)
        text = await self._text(plan_id)
        if text != "" and not await self._is_known(table, text):
            raise NoSuchPlanId("The plan id does not exist")
        writes = (self._kept(_kept_as(plan_id), ""),)

        async def planned() -> Plan:
            return Plan(DONE, writes=writes)

        return await self._tables.commits.carry_out(planned, ticket)

    async def forget_expired(self) -> int:
        """Delete the plans whose time is over, and say how many there were."""
        prefix, after, forgotten = plan_key(self._warehouse.name, ""), "", 0
        while page := await self._store.list(prefix, after=after, limit=_PAGE):
            after = page[-1].key
            for entry in page:
                if orjson.loads(entry.value)["expires"] <= self._clock():
                    forgotten += await self._store.commit([Unchanged(entry.key, entry.revision)], [Delete(entry.key)])
        return forgotten

    async def _table(self, name: TableName, asker: Asker) -> _Table:
        pointer = await self._tables.pointers.get(name)
        metadata = (await self._tables.files.read(pointer.metadata_location)).metadata
        return _Table(metadata, self._reader(pointer.held, Claimant(self._tables.kind, name, asker)))

    def _kept(self, plan_id: str, text: str) -> Put:
        if len(text) > _LARGEST_KEPT:
            raise TooLarge(
                f"Cannot plan the scan: its filter is {len(text)} bytes, more than {_LARGEST_KEPT}. Name fewer values in it."
            )
        record = {"scan": text, "expires": int(self._clock()) + _KEPT_SECONDS}
        return Put(plan_key(self._warehouse.name, plan_id), orjson.dumps(record))

    async def _text(self, plan_id: str) -> str | None:
        """What the plan's id stands for; empty if it was cancelled, None if it is nobody's."""
        kept = plan_id.startswith(_KEPT)
        if not plan_id or (kept and (len(plan_id) != 65 or not plan_id[1:].isalnum())):
            return None
        entry = await self._store.read(plan_key(self._warehouse.name, _kept_as(plan_id)))
        record: dict[str, Any] | None = orjson.loads(entry.value) if entry else None
        if record is None or record["expires"] <= self._clock():
            return None if kept else plan_id
        return record["scan"]

    def _submitted(self, table: _Table, request: ScanRequest) -> str:
        request = pinned(request, table.metadata)
        # As it was understood: halved where it was a long chain, so that it can be written at all.
        understood = replace(request, filter=self._planner(table, request).filter)
        return scan_text(Scan(table.uuid, understood))

    async def _is_known(self, table: _Table, text: str | None) -> bool:
        return await self._apart(lambda: self._again(table, text) is not None)

    def _again(self, table: _Table, text: str | None) -> Planner | None:
        """The planner of a scan that was submitted, if its table and its snapshots are still there."""
        scan = read_scan(text) if text else None
        if scan is None or scan.table != table.uuid:
            return None
        try:
            return self._planner(table, scan.request)
        except (IllegalArgument, Validation):
            return None

    def _planner(self, table: _Table, request: ScanRequest) -> Planner:
        return Planner(table.metadata, request, table.read, self.limits)

    async def _apart(self, work: Callable[[], T]) -> T:
        """Beside the event loop, so that nobody else waits for it: reading a filter of thousands of parts takes its time too."""
        async with self._turns:
            return await asyncio.to_thread(work)

    def _reader(self, held: tuple[str, ...], reader: Claimant) -> Callable[[str], bytes]:
        loop = asyncio.get_running_loop()

        def read(location: str) -> bytes:
            path = self._warehouse.path(location)
            if not self._tables.places.holds(held, location):
                checked = self._tables.places.check_readable(location, reader)
                asyncio.run_coroutine_threadsafe(checked, loop).result()
            return self._content(location, path)

        return read

    def _content(self, location: str, path: str) -> bytes:
        try:
            with storage_errors(location):
                answer = obstore.get(self._warehouse.objects, path)
                if answer.meta["size"] > _LONGEST_FILE:
                    raise Validation(f"Cannot read {location}: it is longer than {_LONGEST_FILE} bytes")
                return bytes(answer.bytes())
        except NotFound as error:
            raise NoSuchFile(f"Failed to open input stream for file: {location}") from error


def _kept_as(text: str) -> str:
    """Under which id the store keeps what it knows of a plan."""
    return text if text.startswith(_KEPT) else _KEPT + sha256(text.encode()).hexdigest()
