"""Time in a table never goes back, whatever the clocks of its writers and of the catalog say.

Iceberg's readers refuse metadata with a log whose entries are out of order by more than a minute.
"""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from boathouse.catalog.metadata import Json
from tests.unit.catalog.metadata.sample import NOW, add_snapshot, changed, set_main, set_ref, table, with_history

HOUR = 3_600_000
SET_PROPERTIES: Json = {"action": "set-properties", "updates": {"owner": "ann"}}


def snapshot_at(timestamp_ms: int, snapshot_id: int, *, sequence: int) -> tuple[Json, Json]:
    added = add_snapshot(snapshot_id, sequence=sequence, **{"timestamp-ms": timestamp_ms})
    return added, set_main(snapshot_id)


def in_order(metadata: Json) -> bool:
    return all(
        earlier <= later
        for log in ("snapshot-log", "metadata-log")
        for earlier, later in pairwise(
            [entry["timestamp-ms"] for entry in metadata[log]] + [metadata["last-updated-ms"]]
        )
    )


def test_a_clock_that_was_set_back_does_not_set_the_table_back() -> None:
    metadata = changed(table(), SET_PROPERTIES, now_ms=NOW - HOUR)
    assert metadata["last-updated-ms"] == NOW


def test_nor_does_a_writer_whose_clock_is_behind() -> None:
    metadata = changed(with_history(1), *snapshot_at(NOW - HOUR, 2, sequence=2))
    assert metadata["last-updated-ms"] == NOW + 1
    assert metadata["snapshot-log"][-1] == {"timestamp-ms": NOW + 1, "snapshot-id": 2}


def test_its_snapshot_is_kept_as_it_wrote_it() -> None:
    metadata = changed(with_history(1), *snapshot_at(NOW - HOUR, 2, sequence=2))
    assert metadata["snapshots"][-1]["timestamp-ms"] == NOW - HOUR


def test_a_writer_whose_clock_is_ahead_does_not_stop_the_others() -> None:
    ahead = changed(table(), *snapshot_at(NOW + HOUR, 1, sequence=1))
    metadata = changed(changed(ahead, SET_PROPERTIES), *snapshot_at(NOW + 5, 2, sequence=2))
    assert metadata["current-snapshot-id"] == 2
    assert in_order(metadata)


def test_nor_within_one_commit() -> None:
    base = changed(with_history(1, 2), set_ref("old", 1))
    metadata = changed(base, set_main(1), *snapshot_at(NOW + 3, 3, sequence=3), now_ms=NOW + HOUR)
    assert [entry["snapshot-id"] for entry in metadata["snapshot-log"]] == [1, 2, 1, 3]
    assert in_order(metadata)


def test_somebody_elses_metadata_may_be_older_than_its_logs() -> None:
    logs = {
        "metadata-log": [{"timestamp-ms": NOW + HOUR, "metadata-file": "s3://lake/v.metadata.json"}],
        "snapshot-log": [{"timestamp-ms": NOW + 2 * HOUR, "snapshot-id": 1}],
    }
    metadata = changed({**with_history(1), **logs}, SET_PROPERTIES)
    assert metadata["last-updated-ms"] == NOW + 2 * HOUR
    assert in_order(metadata)


@given(st.lists(st.tuples(st.booleans(), st.integers(-HOUR, HOUR), st.integers(-HOUR, HOUR)), max_size=8))
def test_whatever_the_clocks_say(commits: list[tuple[bool, int, int]]) -> None:
    metadata = table()
    for number, (appends, writer, catalog) in enumerate(commits, start=1):
        appended = snapshot_at(NOW + writer, number, sequence=number)
        named = {"action": "set-properties", "updates": {"commit": str(number)}}
        metadata = changed(metadata, *(appended if appends else (named,)), now_ms=NOW + catalog)
        assert in_order(metadata)
