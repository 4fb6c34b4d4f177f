"""What is asked of each server."""

import time
from collections.abc import Callable

from benchmarks.catalog.client import Client
from benchmarks.plain_http import Json, Refused
from benchmarks.timing import CLIENTS, Cannot, Work

NAMESPACE = "bench"
GROWN = "grown"
SNAPSHOTS = 1_000


def create(client: Client, number: int) -> None:
    client.create(NAMESPACE, f"t{number}")


def commit_to(name: str) -> Work[Client]:
    """A small change that cannot conflict but must be ordered: what server-side retry is for."""

    def work(client: Client, number: int) -> None:
        change = [_property(f"p{number % CLIENTS}", number)]
        _insist(lambda: client.commit(NAMESPACE, name.format(number % CLIENTS), change))

    return work


def create_in(namespace: str) -> Work[Client]:
    """Whatever it takes: only what comes after it is measured."""

    def work(client: Client, number: int) -> None:
        _insist(lambda: client.create(namespace, f"t{number:05}"))

    return work


def snapshot_to(name: str) -> Work[Client]:
    """What an engine's append sends: a snapshot, and main moved to it."""

    def work(client: Client, number: int) -> None:
        client.commit(NAMESPACE, name, [_snapshot(number, number), _main(number)])

    return work


def load_of(name: str) -> Work[Client]:
    def work(client: Client, _number: int) -> None:
        client.load(NAMESPACE, name)

    return work


def grow(client: Client) -> None:
    """A thousand snapshots, by ten commits."""
    client.create(NAMESPACE, GROWN)
    for first in range(1, SNAPSHOTS + 1, 100):
        added = [_snapshot(number, number) for number in range(first, first + 100)]
        client.commit(NAMESPACE, GROWN, [*added, _main(first + 99)])
    require_snapshots(client)


def require_snapshots(client: Client) -> None:
    """A server that forgets them has less to write and to read, and is not compared."""
    kept = client.snapshots(NAMESPACE, GROWN)
    if kept != SNAPSHOTS:
        raise Cannot(f"it keeps {kept:,} of {SNAPSHOTS:,} snapshots")


def _insist(ask: Callable[[], None]) -> None:
    while True:
        try:
            return ask()
        except Refused as refused:
            # Peers answer 409 or 500 when writers meet, some having done it; a client of theirs tries again.
            if refused.exists:
                return None
            if refused.status not in (409, 500, 503):
                raise


def _property(name: str, value: int) -> Json:
    return {"action": "set-properties", "updates": {name: str(value)}}


def _snapshot(number: int, sequence: int) -> Json:
    snapshot: Json = {
        "snapshot-id": number,
        "sequence-number": sequence,
        "timestamp-ms": int(time.time() * 1000) + number,
        "manifest-list": f"s3://lake/bench/metadata/snap-{number}-1-2f8b8f3c-2e57-4f9a-8f6c-0d1d7d1c1e11.avro",
        "summary": {"operation": "append", "added-data-files": "1", "added-records": "1000", "total-records": "1000"},
        "schema-id": 0,
    }
    if number > 1:
        snapshot["parent-snapshot-id"] = number - 1
    return {"action": "add-snapshot", "snapshot": snapshot}


def _main(number: int) -> Json:
    return {"action": "set-snapshot-ref", "ref-name": "main", "type": "branch", "snapshot-id": number}
