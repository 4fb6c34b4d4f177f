"""Where a staged table will lie, remembered by its client: nothing is kept of a table before it is created.

A client writes a staged table's files before the table is there. What it was told about the location comes back with every
request, sealed with a key that all servers of the warehouse have: its own secret key.
"""

import hmac
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256

import orjson

from boathouse.catalog.errors import Forbidden

# A table may take long to fill before it is committed.
_LIFETIME = 24 * 3600


class StagedLocations:
    def __init__(self, warehouse: str, secret: str, clock: Callable[[], float] = time.time) -> None:
        self._warehouse = warehouse
        self._key = hmac.new(secret.encode(), b"boathouse staged location", sha256).digest()
        self._clock = clock

    def seal(self, table: str, location: str) -> str:
        content = orjson.dumps({"location": location, "until": int(self._clock()) + _LIFETIME})
        return f"{urlsafe_b64encode(content).decode().rstrip('=')}.{self._mark(table, content)}"

    def open(self, table: str, sealed: str) -> str:
        text, _, mark = sealed.partition(".")
        try:
            content = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        except ValueError:
            content = b""
        if not hmac.compare_digest(self._mark(table, content).encode(), mark.encode()):
            raise Forbidden("The location of the staged table is not one that was given out for it")
        known = orjson.loads(content)
        if self._clock() >= known["until"]:
            raise Forbidden("The table was staged too long ago. Stage it again")
        return known["location"]

    def _mark(self, table: str, content: bytes) -> str:
        whole = b"\0".join((self._warehouse.encode(), table.encode(), content))
        return hmac.new(self._key, whole, sha256).hexdigest()
