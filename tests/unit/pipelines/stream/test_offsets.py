"""How far topics have been taken in: never back, and by the newest snapshot that says."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from boathouse.pipelines.stream import offsets

places = st.dictionaries(
    st.sampled_from(["a", "b"]),
    st.dictionaries(st.sampled_from(["0", "1"]), st.integers(0, 100), min_size=1),
    max_size=2,
)


@given(places, places)
def test_together_reaches_both_and_no_further(one: offsets.Offsets, other: offsets.Offsets) -> None:
    both = offsets.together(one, other)
    assert offsets.reaches(both, one)
    assert offsets.reaches(both, other)
    assert offsets.between(both, one) == offsets.between(both, other) == 0
    assert both == offsets.together(other, one)


@given(places, places)
def test_what_lies_between_is_nothing_exactly_when_it_is_reached(done: offsets.Offsets, end: offsets.Offsets) -> None:
    assert (offsets.between(done, end) == 0) is offsets.reaches(done, end)


def snapshot(number: int, parent: int | None, said: offsets.Offsets | None = None) -> dict[str, Any]:
    summary = {offsets.PROPERTY: json.dumps(said)} if said is not None else {}
    return {"snapshot-id": number, "parent-snapshot-id": parent, "summary": summary}


def test_a_snapshot_that_says_nothing_leaves_it_to_the_one_before() -> None:
    snapshots = [snapshot(1, None, {"t": {"0": 5}}), snapshot(2, 1, {"t": {"0": 9}}), snapshot(3, 2)]
    assert offsets.recorded({"current-snapshot-id": 3, "snapshots": snapshots}) == {"t": {"0": 9}}


def test_a_table_that_was_rolled_back_has_what_it_had_then() -> None:
    snapshots = [snapshot(1, None, {"t": {"0": 5}}), snapshot(2, 1, {"t": {"0": 9}})]
    assert offsets.recorded({"current-snapshot-id": 1, "snapshots": snapshots}) == {"t": {"0": 5}}


def test_no_snapshot_says_nothing() -> None:
    assert offsets.recorded({"snapshots": []}) is None
    assert offsets.recorded({"current-snapshot-id": 3, "snapshots": [snapshot(3, 2)]}) is None


def test_what_a_topic_had_before_it_was_made_anew_does_not_count() -> None:
    done = {"same": {"0": 5}, "anew": {"0": 9}, "old": {"0": 3}, "not followed any more": {"0": 1}}
    of = {"same": "1", "anew": "2", "not followed any more": "4"}
    now = {"same": "1", "anew": "7", "old": "3"}
    assert offsets.of_these_topics(done, of, now).keys() == {"same", "old", "not followed any more"}
