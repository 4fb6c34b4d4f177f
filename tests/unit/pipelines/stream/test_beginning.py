"""A hop goes on where its table ends, by what the table says and what Kafka still has."""

import json
from typing import Any
from unittest.mock import Mock

import pytest

from boathouse.kit.errors import Conflict, WorkFailed
from boathouse.pipelines.stream.beginning import Beginning, Said
from boathouse.pipelines.stream.offsets import Offsets


def at(offset: int) -> Offsets:
    return {"t": {"0": offset}}


def beginning(*, first: int = 120, goes_on_at: Offsets | None = None) -> Beginning:
    """Of a topic whose events from `first` to 200 there still are."""
    context: Any = Mock(**{"spec.topics": ["t"]})
    made = Beginning(context, "bronze", "lake.log", "bronze.table")
    topics, checkpoint = Mock(), Mock()
    topics.ids.return_value = {"t": "1"}
    topics.beginnings.return_value, topics.ends.return_value = at(first), at(200)
    checkpoint.goes_on_at.return_value = goes_on_at
    vars(made).update(_topics=topics, checkpoint=checkpoint)
    return made


def begin(made: Beginning, said: Said) -> Offsets:
    """As Spark does then: its first batch begins there, unless a checkpoint leads on."""
    began = json.loads(made.start(made.counted(said)))
    checkpoint: Any = made.checkpoint
    checkpoint.beginning_of.return_value = began
    return began


@pytest.mark.parametrize("last", [99, 119], ids=["events are gone", "a marker of a transaction"])
def test_what_lies_between_the_last_row_and_kafkas_first_event_is_told_and_gone_on_from(last: int) -> None:
    said = Said(at(last), by_rows=True)
    made = beginning()
    assert begin(made, said) == at(120)
    made.check(0, said.offsets, first=True)
    # Nor is the checkpoint dropped that was made by it, if the batch was not written.
    again = beginning(goes_on_at=at(120))
    begin(again, said)
    checkpoint: Any = again.checkpoint
    checkpoint.drop.assert_not_called()


def test_rows_that_are_gone_are_read_again_where_kafka_has_them() -> None:
    said = Said(at(150), by_rows=True)
    made = beginning()
    assert begin(made, said) == at(150)
    with pytest.raises(Conflict, match="has lost what it had"):
        made.check(0, at(130), first=True)


def test_what_a_snapshot_says_is_missing_is_never_left_out() -> None:
    said = Said(at(99))
    with pytest.raises(WorkFailed, match="no longer has 21 events"):
        begin(beginning(), said)
    made = beginning(first=0)
    assert begin(made, said) == at(99)
    with pytest.raises(Conflict, match="has lost what it had"):
        made.check(0, at(50), first=True)


def test_nor_is_what_kafka_has_lost_taken_for_what_the_table_has() -> None:
    said = Said(at(120))
    made = beginning()
    assert begin(made, said) == at(120)
    with pytest.raises(Conflict, match="has lost what it had"):
        made.check(0, at(99), first=True)
