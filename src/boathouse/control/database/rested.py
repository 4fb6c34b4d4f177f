"""Whether a connection is still there, asked of those that were at rest.

One that was in use a moment ago is there. To ask each time it is taken would be one more step to the database for each read.
"""

from time import monotonic
from typing import Any

from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine

_AT_REST_SINCE = "boathouse_at_rest_since"
_SECONDS = 1.0


def ask_after_rest(engine: AsyncEngine) -> None:
    dialect, dbapi = engine.dialect, engine.dialect.loaded_dbapi

    def given_back(_connection: Any, record: Any) -> None:
        record.info[_AT_REST_SINCE] = monotonic()

    def taken(connection: Any, record: Any, _proxy: Any) -> None:
        since = record.info.get(_AT_REST_SINCE)
        if since is None or monotonic() - since < _SECONDS:
            return
        try:
            dialect.do_ping(connection)
        except (dbapi.Error, DBAPIError, OSError) as error:
            # Then the pool makes another one.
            raise DisconnectionError("the connection has ended while it was at rest") from error

    event.listen(engine.sync_engine.pool, "checkin", given_back)
    event.listen(engine.sync_engine.pool, "checkout", taken)
