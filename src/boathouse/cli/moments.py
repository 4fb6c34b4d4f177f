"""Times as options of commands."""

from datetime import UTC, datetime
from typing import Annotated

import typer

Moment = Annotated[
    datetime | None, typer.Option(metavar="TIME", help="Such as 2026-01-31 or 2026-01-31T12:00:00, in UTC.")
]


def utc(given: datetime | None) -> datetime | None:
    return given.replace(tzinfo=UTC) if given is not None and given.tzinfo is None else given
