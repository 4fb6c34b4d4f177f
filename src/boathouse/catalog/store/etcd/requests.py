"""Comparisons and writes in etcd's words. Pure: nothing is sent from here."""

from collections.abc import Sequence
from typing import assert_never

from boathouse.catalog.errors import TooLarge
from boathouse.catalog.store.etcd.messages_pb2 import (
    Compare,
    DeleteRangeRequest,
    PutRequest,
    RangeRequest,
    RequestOp,
    TxnRequest,
)
from boathouse.catalog.store.protocol import Absent, Comparison, Delete, Empty, Present, Put, Unchanged, Write

# etcd's defaults (--max-txn-ops, --max-request-bytes). One operation of each kind is the slot's.
LARGEST_OPERATIONS = 128 - 1
LARGEST_BYTES = 3 * 512 * 1024


class Keys:
    """Which key of etcd stands for which key of the store."""

    def __init__(self, root: str) -> None:
        self._entries = f"{root}/entry/"
        self.slots = f"{root}/commit/".encode()

    def encode(self, key: str) -> bytes:
        return (self._entries + key).encode()

    def decode(self, key: bytes) -> str:
        return key.decode().removeprefix(self._entries)

    def page(self, prefix: str, *, after: str, limit: int, revision: int = 0) -> RangeRequest:
        # With a zero byte at its end, `after` is the first key that may follow it.
        start = max(self.encode(prefix), self.encode(after) + b"\0") if after else self.encode(prefix)
        return RangeRequest(key=start, range_end=end_of(self.encode(prefix)), limit=limit, revision=revision)

    def compare(self, comparison: Comparison) -> Compare:
        match comparison:
            case Unchanged(key, revision):
                return unchanged(self.encode(key), revision)
            case Absent(key):
                return Compare(target=Compare.CREATE, key=self.encode(key), create_revision=0)
            case Present(key):
                return Compare(target=Compare.CREATE, result=Compare.GREATER, key=self.encode(key), create_revision=0)
            case Empty(prefix):
                start = self.encode(prefix)
                return Compare(target=Compare.CREATE, key=start, range_end=end_of(start), create_revision=0)
            case _:
                assert_never(comparison)

    def write(self, write: Write) -> RequestOp:
        match write:
            case Put(key, value):
                return put(self.encode(key), value)
            case Delete(key):
                return RequestOp(request_delete_range=DeleteRangeRequest(key=self.encode(key)))
            case _:
                assert_never(write)


def unchanged(key: bytes, revision: int) -> Compare:
    """Revision 0: it is not there."""
    return Compare(target=Compare.MOD, key=key, mod_revision=revision)


def put(key: bytes, value: bytes) -> RequestOp:
    return RequestOp(request_put=PutRequest(key=key, value=value))


def transaction(keys: Keys, comparisons: Sequence[Comparison], writes: Sequence[Write]) -> TxnRequest:
    """The whole commit but for its slot, or a refusal if etcd would refuse it for its size."""
    # etcd takes a key once a transaction; the last write is the one that would remain.
    last = {write.key: write for write in writes}
    request = TxnRequest(
        compare=[keys.compare(comparison) for comparison in dict.fromkeys(comparisons)],
        success=[keys.write(write) for write in last.values()],
    )
    if (operations := max(len(request.compare), len(request.success))) > LARGEST_OPERATIONS:
        raise TooLarge(
            f"The commit has {operations} changes or conditions; etcd takes {LARGEST_OPERATIONS} at once.",
            hint="Change fewer tables in one transaction.",
        )
    if request.ByteSize() > LARGEST_BYTES - 1024:
        raise TooLarge(
            f"The commit has {request.ByteSize():,} bytes; etcd takes {LARGEST_BYTES:,} at once.",
            hint="Change less in one transaction, or shorten properties.",
        )
    return request


def end_of(prefix: bytes) -> bytes:
    """The first key after all those that start with `prefix`; UTF-8 never ends in the byte that has no next."""
    return prefix[:-1] + bytes([prefix[-1] + 1])
