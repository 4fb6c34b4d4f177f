"""Identifiers."""

import time
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from uuid import RFC_4122, UUID

from boathouse.kit.ids import first_uuid, new_uuid


def test_an_identifier_is_a_version_7_uuid() -> None:
    for _ in range(100):
        made = UUID(new_uuid())
        assert (made.version, made.variant) == (7, RFC_4122)


def test_identifiers_differ() -> None:
    assert len({new_uuid() for _ in range(1000)}) == 1000


def test_identifiers_sort_by_the_time_they_were_made() -> None:
    made: list[str] = []
    for _ in range(5):
        made.append(new_uuid())
        time.sleep(0.002)
    assert all(earlier < later for earlier, later in pairwise(made))


def test_an_identifier_tells_when_it_was_made() -> None:
    before = time.time_ns() // 1_000_000
    made = UUID(new_uuid()).int >> 80
    assert before <= made <= time.time_ns() // 1_000_000


def test_a_moment_has_an_identifier_between_those_made_before_and_after_it() -> None:
    made = new_uuid()
    at = datetime.fromtimestamp((UUID(made).int >> 80) / 1000, UTC)
    assert first_uuid(at) < made < first_uuid(at + timedelta(milliseconds=1))
