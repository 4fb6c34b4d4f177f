"""How many events come in a second, whatever a batch and an interval are."""

import pytest

from boathouse.pipelines.stream.pace import Pace


@pytest.mark.parametrize("every", [0.05, 0.5, 1.0, 10.0])
@pytest.mark.parametrize("per_second", [1, 2, 3, 7, 1000])
def test_a_limit_is_kept_and_used(per_second: int, every: float) -> None:
    at_most, pause = Pace(per_second).batch(100_000, every)
    assert at_most / pause == pytest.approx(per_second)
    assert pause >= every


def test_what_may_come_at_once_is_no_more_than_is_allowed_at_once() -> None:
    assert Pace(1000).batch(100, 10.0) == (100, 10.0)


def test_without_a_limit_there_is_none() -> None:
    assert Pace(None).batch(100, 0.5) == (100, 0.5)
