"""How far a source is behind its log, and how long a connector that fails is left alone."""

from itertools import pairwise

from boathouse.pipelines.stream.behind import Behind, Restarts
from boathouse.pipelines.stream.postgres import LogPlace


def test_what_has_been_read_is_as_old_as_the_log_was_then() -> None:
    behind = Behind()
    assert (behind.bytes, behind.seconds()) == (None, None)
    behind.see(LogPlace(written=100_000, read=100_000), 0.0)
    assert (behind.bytes, behind.seconds()) == (0, 0.0)
    # It stands still while the log grows.
    for at in (10.0, 20.0, 600.0):
        behind.see(LogPlace(written=100_000 + int(at) * 1000, read=100_000), at)
    assert (behind.bytes, behind.seconds()) == (600_000, 600.0)
    behind.see(LogPlace(written=800_000, read=125_000), 610.0)
    assert (behind.bytes, behind.seconds()) == (675_000, 590.0)
    behind.see(LogPlace(written=800_000, read=800_000), 620.0)
    assert (behind.bytes, behind.seconds()) == (0, 0.0)


def test_what_is_written_with_nobody_changing_anything_is_not_old() -> None:
    behind = Behind()
    for look in range(10):
        behind.see(LogPlace(written=128 + look * 128, read=look * 128), look * 5.0)
    assert (behind.bytes, behind.seconds()) == (128, 0.0)


def test_one_that_was_behind_before_anybody_looked_is_so_at_least_since_then() -> None:
    behind = Behind()
    behind.see(LogPlace(written=1_000_000, read=1), 5.0)
    behind.see(LogPlace(written=1_010_000, read=2), 65.0)
    assert behind.seconds() == 60.0


def test_a_connector_that_keeps_failing_is_begun_again_less_and_less_often() -> None:
    restarts = Restarts()
    times = [now for now in range(3000) if restarts.is_time("one", float(now))]
    assert times[:5] == [0, 5, 15, 35, 75]
    assert max(later - sooner for sooner, later in pairwise(times)) == 300


def test_a_connector_that_runs_for_a_moment_before_it_fails_again_has_not_recovered() -> None:
    restarts = Restarts()
    assert [restarts.is_time("one", now) for now in (0.0, 5.0)] == [True, True]
    restarts.went_well("one", 10.0)
    assert not restarts.is_time("one", 11.0)
    restarts.went_well("one", 400.0)
    assert restarts.is_time("one", 401.0)
    assert restarts.is_time("one", 406.0)
