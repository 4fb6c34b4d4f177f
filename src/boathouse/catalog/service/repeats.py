"""Requests that carry an idempotency key are carried out once, however often they are sent.

The answer is recorded in the same store commit as the change it tells of, so that either both are there or neither.
A table or view is recorded by the location of its metadata file, which is immutable: repeats are told what the first was told.
"""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import orjson

from boathouse.catalog.errors import Forbidden, NoSuchFile, NoSuchTable, Unprocessable, error_body
from boathouse.catalog.metadata import Json, uuid_of
from boathouse.catalog.names import repeat_key
from boathouse.catalog.service.answers import Answer
from boathouse.catalog.service.files import MetadataFile, MetadataFiles
from boathouse.catalog.store import Comparison, Delete, Entry, Put, Store, Unchanged, as_read
from boathouse.catalog.telemetry.metrics import REPLAYS
from boathouse.kit.errors import BoathouseError

LIFETIME_SECONDS = 30 * 60
LIFETIME = "PT30M"
# Clocks differ and networks are slow: a repeat that was sent in time is still known when it arrives.
_GRACE_SECONDS = 5 * 60
_PAGE = 500


@dataclass(frozen=True)
class Ticket:
    """The right to carry out one request, as long as nobody else has with the same key."""

    key: str
    fingerprint: str
    expires: int
    found: Entry | None
    """An expired record under the same key, which the new one replaces."""

    def unused(self) -> Comparison:
        return as_read(self.key, self.found)

    def record(self, answer: Answer) -> Put:
        record = {
            "fingerprint": self.fingerprint,
            "expires": self.expires,
            "status": answer.status,
            "body": answer.body,
            "metadata-location": answer.version.location if answer.version else None,
            "pointer": answer.pointer,
            "uuid": uuid_of(answer.version.metadata) if answer.version and answer.pointer else None,
        }
        return Put(self.key, orjson.dumps(record))


Operation = Callable[[Ticket | None], Awaitable[Answer]]


class Repeats:
    def __init__(
        self, store: Store, warehouse: str, files: MetadataFiles, clock: Callable[[], float] = time.time
    ) -> None:
        self._store = store
        self._warehouse = warehouse
        self._files = files
        self._clock = clock

    async def once(self, key: str, fingerprint: str, operation: Operation) -> Answer:
        """The operation's answer: the recorded one if it was carried out before, refusals included."""
        ticket, earlier = await self._admit(repeat_key(self._warehouse, key.lower()), fingerprint)
        if earlier is not None:
            return earlier
        try:
            return await operation(ticket)
        except BoathouseError as error:
            # A grant may come any moment, and then the same request is another.
            if error.http_status >= 500 or error.retryable or isinstance(error, Forbidden):
                raise
            refusal = Answer(error.http_status, error_body(error))
            if await self._store.commit([ticket.unused()], [ticket.record(refusal)]):
                raise
            _, earlier = await self.again(ticket)
            return earlier or refusal

    async def again(self, ticket: Ticket) -> tuple[Ticket, Answer | None]:
        """A ticket as things stand now, and what another request with its key was told meanwhile."""
        return await self._admit(ticket.key, ticket.fingerprint)

    async def forget_expired(self) -> int:
        """Delete the records whose time is over, and say how many there were."""
        prefix, after, forgotten = repeat_key(self._warehouse, ""), "", 0
        while page := await self._store.list(prefix, after=after, limit=_PAGE):
            after = page[-1].key
            for entry in page:
                if orjson.loads(entry.value)["expires"] <= self._clock():
                    unchanged = Unchanged(entry.key, entry.revision)
                    forgotten += await self._store.commit([unchanged], [Delete(entry.key)])
        return forgotten

    async def _admit(self, key: str, fingerprint: str) -> tuple[Ticket, Answer | None]:
        found = await self._store.read(key)
        now = self._clock()
        ticket = Ticket(key, fingerprint, int(now) + LIFETIME_SECONDS + _GRACE_SECONDS, found)
        record = orjson.loads(found.value) if found else None
        if record is None or record["expires"] <= now:
            return ticket, None
        if record["fingerprint"] != fingerprint:
            raise Unprocessable("Idempotency-Key was already used for a different request")
        return ticket, await self._answer(record)

    async def _answer(self, record: Json) -> Answer:
        location = record["metadata-location"]
        try:
            version = await self._files.read(location) if location else None
        except NoSuchFile:
            version = await self._later(record)
        REPLAYS.inc()
        return Answer(record["status"], record["body"], version, replayed=True)

    async def _later(self, record: Json) -> MetadataFile:
        """The current version of what was changed, when the one the change made is already deleted."""
        entry = await self._store.read(record["pointer"]) if record["pointer"] else None
        version = await self._files.read(orjson.loads(entry.value)["metadata-location"]) if entry else None
        if version is None or uuid_of(version.metadata) != record["uuid"]:
            raise NoSuchTable("Table does not exist: it was purged since the request was carried out")
        return version
