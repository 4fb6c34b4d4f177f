"""Moments that a request asks for."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, AwareDatetime


def _in_utc(moment: datetime) -> datetime:
    """One without a zone is in UTC: where the server stands is nothing that a caller knows."""
    try:
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except OverflowError:
        raise ValueError("it is before the year 1 or after 9999 in UTC") from None


Instant = Annotated[datetime, AfterValidator(_in_utc)]
AwareInstant = Annotated[AwareDatetime, AfterValidator(_in_utc)]
"""Where what has no zone is refused."""
