"""When a job is due: cron expressions in a time zone, and what becomes of times that were missed."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import islice
from zoneinfo import ZoneInfo, available_timezones

from cronsim import CronSim, CronSimError
from pydantic import BaseModel, ConfigDict, Field, field_validator

from boathouse.kit.errors import InvalidInput

# Nobody wants more runs of one job at once; what lies further back is not caught up.
_MOST_CAUGHT_UP = 100
_FIELDS = 5
# More than any zone sets its clock by, twice a year.
_LONGEST_CHANGE = timedelta(hours=2)
# A worker looks every second or so; whatever is later than this was missed.
_ON_TIME = timedelta(minutes=1)


class CatchUp(StrEnum):
    NONE = "none"
    """A time that was missed is left out."""
    LATEST = "latest"
    """However many were missed, one run makes up for them."""
    ALL = "all"
    """One run for each, up to a hundred."""


class Schedule(BaseModel):
    model_config = ConfigDict(extra="forbid")

    cron: str = Field(max_length=100, description="Minute, hour, day, month, day of the week: `0 6 * * 1-5`.")
    timezone: str = Field(default="UTC", max_length=60, description="Such as Europe/Zurich.")
    catch_up: CatchUp = CatchUp.LATEST

    @field_validator("cron")
    @classmethod
    def _is_cron(cls, cron: str) -> str:
        try:
            next(CronSim(cron, datetime(2026, 1, 1, tzinfo=UTC)))
        except (CronSimError, StopIteration) as error:
            raise ValueError(
                f"{cron!r} is not a schedule that ever comes ({error}); write minute, hour, day, month and day of the "
                "week, such as 0 6 * * 1-5"
            ) from None
        return cron

    @field_validator("timezone")
    @classmethod
    def _is_known(cls, timezone: str) -> str:
        if timezone not in available_timezones():
            raise ValueError(f"{timezone!r} is not a time zone; write one such as UTC or Europe/Zurich")
        return timezone

    def refuse_seconds(self) -> None:
        """Of what somebody writes. One that is stored may have them, and goes on: six fields were taken once."""
        if len(self.cron.split()) != _FIELDS:
            raise InvalidInput(
                f"The schedule {self.cron!r} has a field too many: seconds, before the minute.",
                hint="Write minute, hour, day, month and day of the week, such as 0 6 * * 1-5.",
            )

    def times(self, after: datetime) -> Iterator[datetime]:
        """Each time that comes after a moment, in UTC."""
        for time in CronSim(self.cron, after.astimezone(ZoneInfo(self.timezone))):
            yield time.astimezone(UTC)

    def next_after(self, moment: datetime) -> datetime | None:
        # Within an hour that the clock has twice, times of its first half come again.
        return next((time for time in self.times(moment) if time > moment), None)

    def due(self, since: datetime, until: datetime) -> list[datetime]:
        """The times to start a run for, the oldest first, of all from `since` up to `until`."""
        missed = self._latest(since, until)
        if self.catch_up is CatchUp.ALL:
            return missed[::-1]
        if self.catch_up is CatchUp.NONE:
            return [time for time in missed[:1] if until - time < _ON_TIME]
        return missed[:1]

    def late(self, since: datetime, until: datetime) -> list[datetime]:
        """The times that nobody was there for, whether or not a run makes up for them; the oldest first."""
        return [time for time in self._latest(since, until)[::-1] if until - time >= _ON_TIME]

    def _latest(self, since: datetime, until: datetime) -> list[datetime]:
        return list(islice(self._back(since, until), _MOST_CAUGHT_UP))

    def _back(self, since: datetime, until: datetime) -> Iterator[datetime]:
        # It goes by what the clock shows, which is an hour less after a change: to miss nothing it starts beyond that.
        for time in CronSim(self.cron, (until + _LONGEST_CHANGE).astimezone(ZoneInfo(self.timezone)), reverse=True):
            if time < since:
                return
            if time <= until:
                yield time.astimezone(UTC)
