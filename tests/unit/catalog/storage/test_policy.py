"""What vended keys may do."""

import json

from hypothesis import given
from hypothesis import strategies as st

from boathouse.catalog.storage.policy import can_be_told, session_policy


def test_readers_get_no_action_that_writes() -> None:
    objects, listing = json.loads(session_policy("lake", ["wh/ns/t"], writes=False))["Statement"]
    assert objects["Action"] == ["s3:GetObject", "s3:GetObjectVersion"]
    assert objects["Resource"] == ["arn:aws:s3:::lake/wh/ns/t/*"]
    assert listing["Resource"] == ["arn:aws:s3:::lake"]
    assert listing["Condition"] == {"StringLike": {"s3:prefix": ["wh/ns/t/*"]}}


def test_writers_may_delete_too() -> None:
    objects, _ = json.loads(session_policy("lake", ["wh/ns/t"], writes=True))["Statement"]
    assert {"s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload"} < set(objects["Action"])


def test_a_location_that_would_stand_for_others_cannot_be_told() -> None:
    assert can_be_told(["wh/ns/t"])
    for location in ("wh/ns/*", "wh/ns/?", "wh/${aws:username}"):
        assert not can_be_told(["wh/ns/t", location])


@given(st.text(max_size=50))
def test_no_location_can_say_more_than_itself(location: str) -> None:
    """A quotation mark in it ends nothing."""
    policy = json.loads(session_policy("lake", [location], writes=False))
    assert policy["Statement"][0]["Resource"] == [f"arn:aws:s3:::lake/{location}/*"]
