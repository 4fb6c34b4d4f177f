"""How a commit whose answer was lost is found out about: every commit also writes its own name into a slot.

A slot is a key that one commit at a time uses. The commit compares the slot's revision and writes its token there, in the
same transaction, so on the good path it costs no round trip. When the answer is lost, one transaction settles it: if
the slot is as it was, it is written, and the lost request can never apply; else the slot says whose commit it was.
"""

import time
from collections.abc import AsyncIterator
from dataclasses import dataclass

from boathouse.catalog.store.etcd.connection import RANGE, TXN, Connection
from boathouse.catalog.store.etcd.messages_pb2 import (
    DeleteRangeRequest,
    RangeRequest,
    RequestOp,
    TxnRequest,
    TxnResponse,
)
from boathouse.catalog.store.etcd.requests import end_of, put, unchanged
from boathouse.kit.ids import new_uuid

# No request is on its way for so long, and no server stands still for so long and then goes on.
_ABANDONED_SECONDS = 24 * 3600
_FENCE = "fence"
_PAGE = 100


@dataclass
class Slot:
    key: bytes
    revision: int = 0
    """0: it was never written."""
    guards: bool = False
    """Whether a commit that found it new was lost: were the slot gone again, that commit could still happen."""

    def claim(self, request: TxnRequest, token: str) -> TxnRequest:
        """The commit, bound to this slot."""
        return TxnRequest(
            compare=[unchanged(self.key, self.revision), *request.compare],
            success=[*request.success, self._write(token)],
            failure=[RequestOp(request_range=RangeRequest(key=self.key))],
        )

    def lose(self) -> None:
        """The commit that was bound to it got no answer, and may be on its way for longer than this server lives."""
        self.guards = self.guards or self.revision == 0

    def fence(self) -> TxnRequest:
        """Keeps what was bound to this slot from ever happening, unless it has happened."""
        return TxnRequest(
            compare=[unchanged(self.key, self.revision)],
            success=[self._write(_FENCE)],
            failure=[RequestOp(request_range=RangeRequest(key=self.key))],
        )

    def _write(self, token: str) -> RequestOp:
        return put(self.key, f"{token} {int(time.time())}".encode())


class Slots:
    """The slots of one server: as many as it has commits at once."""

    def __init__(self, prefix: bytes) -> None:
        self._prefix = prefix
        self._own = prefix + f"{new_uuid()}/".encode()
        self._free: list[Slot] = []
        self._made = 0

    def take(self) -> Slot:
        if self._free:
            return self._free.pop()
        self._made += 1
        return Slot(self._own + str(self._made).encode())

    def give_back(self, slot: Slot) -> None:
        """Only one whose revision is known: another's commit would be settled wrongly by it."""
        self._free.append(slot)

    async def remove(self, connection: Connection) -> None:
        """Leave nothing behind but what keeps a lost commit from happening; it is swept up once none can be on its way."""
        done = [slot.key for slot in self._free if not slot.guards]
        for first in range(0, len(done), _PAGE):
            deletes = [_delete(key) for key in done[first : first + _PAGE]]
            await connection.ask(TXN, TxnRequest(success=deletes))

    async def sweep(self, connection: Connection) -> int:
        """Remove what servers left that were killed, and say how much there was."""
        swept = 0
        async for key, revision in self._abandoned(connection):
            request = TxnRequest(compare=[unchanged(key, revision)], success=[_delete(key)])
            swept += (await connection.ask(TXN, request)).succeeded
        return swept

    async def _abandoned(self, connection: Connection) -> AsyncIterator[tuple[bytes, int]]:
        start, end = self._prefix, end_of(self._prefix)
        while True:
            page = (await connection.ask(RANGE, RangeRequest(key=start, range_end=end, limit=_PAGE))).kvs
            for found in page:
                if int(found.value.split()[-1]) < time.time() - _ABANDONED_SECONDS:
                    yield found.key, found.mod_revision
            if len(page) < _PAGE:
                return
            start = page[-1].key + b"\0"


def _delete(key: bytes) -> RequestOp:
    return RequestOp(request_delete_range=DeleteRangeRequest(key=key))


def slot_in(response: TxnResponse) -> tuple[str, int]:
    """The token and the revision that a transaction whose comparisons failed found in its slot."""
    found = response.responses[0].response_range.kvs
    return (found[0].value.decode().split()[0], found[0].mod_revision) if found else ("", 0)
