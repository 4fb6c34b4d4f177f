"""What a hop does, in figures."""

import time

from boathouse.pipelines.stream.meter import Meter


def test_a_moment_that_is_yet_to_come_does_not_hide_what_comes_late() -> None:
    meter = Meter()
    meter.took(0, 1, 0, 0.1, time.time_ns() // 1_000_000 + 3_600_000)
    first = meter.reading(5).freshness
    time.sleep(0.01)
    later = meter.reading(5).freshness
    assert first is not None
    assert later is not None
    # As old as if it had been made when it came, and older as long as others wait.
    assert 0 <= first < later
