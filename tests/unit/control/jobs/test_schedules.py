from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boathouse.control.jobs.schedules import CatchUp, Schedule

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def hourly(catch_up: CatchUp) -> Schedule:
    return Schedule(cron="0 * * * *", catch_up=catch_up)


def test_the_next_time_is_after_the_moment_and_in_utc() -> None:
    schedule = Schedule(cron="30 6 * * *", timezone="Europe/Zurich")
    assert schedule.next_after(NOON) == datetime(2026, 3, 2, 5, 30, tzinfo=UTC)
    assert hourly(CatchUp.ALL).next_after(NOON) == NOON + timedelta(hours=1)


def test_an_hour_that_the_clock_leaves_out_or_has_twice_is_one_run() -> None:
    """In Zurich the clock went from 2 to 3 on 29 March 2026, and from 3 to 2 on 25 October."""
    schedule = Schedule(cron="30 2 * * *", timezone="Europe/Zurich", catch_up=CatchUp.ALL)
    for day in (datetime(2026, 3, 28, tzinfo=UTC), datetime(2026, 10, 24, tzinfo=UTC)):
        times = [time for time in schedule.due(day, day + timedelta(days=3)) if time >= day]
        assert len(times) == 3


def test_what_was_missed_is_left_out_made_up_for_once_or_each_time() -> None:
    since = NOON - timedelta(hours=5)
    later = NOON + timedelta(minutes=20)
    assert hourly(CatchUp.LATEST).due(since, later) == [NOON]
    assert hourly(CatchUp.ALL).due(since, later) == [since + timedelta(hours=number) for number in range(6)]
    assert hourly(CatchUp.NONE).due(since, later) == []
    assert hourly(CatchUp.NONE).due(NOON, NOON + timedelta(seconds=5)) == [NOON]


def test_late_is_what_nobody_was_there_for_within_a_minute() -> None:
    since = NOON - timedelta(hours=2)
    assert hourly(CatchUp.LATEST).late(since, NOON + timedelta(seconds=59)) == [since, since + timedelta(hours=1)]
    assert hourly(CatchUp.NONE).late(NOON, NOON + timedelta(minutes=1)) == [NOON]
    assert hourly(CatchUp.ALL).late(NOON, NOON + timedelta(seconds=5)) == []


def test_a_long_absence_is_not_made_up_for_without_end() -> None:
    year = timedelta(days=365)
    assert hourly(CatchUp.LATEST).due(NOON - year, NOON) == [NOON]
    assert len(hourly(CatchUp.ALL).due(NOON - year, NOON)) == 100


@given(st.integers(min_value=0, max_value=60 * 24 * 40), st.sampled_from(["UTC", "Europe/Zurich", "Asia/Kolkata"]))
def test_what_is_due_lies_between_and_is_in_order(minutes: int, timezone: str) -> None:
    schedule = Schedule(cron="*/15 6-20 * * 1-5", timezone=timezone, catch_up=CatchUp.ALL)
    since = schedule.next_after(NOON)
    assert since is not None
    until = since + timedelta(minutes=minutes)
    due = schedule.due(since, until)
    assert due == sorted(set(due))
    assert all(since <= time <= until for time in due)
    assert len(due) == 100 or due[0] == since


# Of 2026, in UTC: forwards and back.
CHANGES = {
    "Europe/Zurich": ("2026-03-29T01:00", "2026-10-25T01:00"),
    "America/Havana": ("2026-03-08T05:00", "2026-11-01T05:00"),
    "Australia/Lord_Howe": ("2026-10-03T15:30", "2026-04-04T15:00"),
}
AROUND = ("59 2 * * *", "30 2 * * *", "0 0 * * *", "30 1 * * *", "*/15 * * * *", "30 * * * *", "0-59/20 1-3 * * *")


@pytest.mark.parametrize("cron", AROUND)
@pytest.mark.parametrize("timezone", CHANGES)
def test_who_looks_every_so_often_finds_each_time_once_when_the_clocks_change(timezone: str, cron: str) -> None:
    schedule = Schedule(cron=cron, timezone=timezone, catch_up=CatchUp.ALL)
    for change in CHANGES[timezone]:
        at = datetime.fromisoformat(change).replace(tzinfo=UTC)
        begins, ends = at - timedelta(hours=26), at + timedelta(hours=26)
        wanted = list(takewhile(lambda time, ends=ends: time <= ends, schedule.times(begins)))
        assert list(_found(schedule, begins, ends)) == wanted


def _found(schedule: Schedule, begins: datetime, ends: datetime) -> Iterator[datetime]:
    """By looks as a worker makes them."""
    at, due_at = begins, schedule.next_after(begins)
    while at < ends:
        at = min(at + timedelta(minutes=13), ends)
        if due_at is not None and due_at <= at:
            yield from schedule.due(due_at, at)
            due_at = schedule.next_after(at)
            assert due_at is None or due_at > at


@pytest.mark.parametrize("cron", ["", "* * * *", "0 6 31 2 *", "60 * * * *", "@hourly please"])
def test_what_is_no_schedule_is_refused(cron: str) -> None:
    with pytest.raises(ValueError, match="is not a schedule"):
        Schedule(cron=cron)
