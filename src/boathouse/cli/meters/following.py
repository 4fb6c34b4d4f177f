"""One change, followed: made in Postgres, and timed until ClickHouse and the lake have it."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from boathouse.cli.meters.clickhouse import ClickHouse
from boathouse.engines.spark.errors import translated
from boathouse.kit.catalog_client import CatalogClient, TableName
from boathouse.kit.errors import BoathouseError, InvalidInput, NotFound
from boathouse.kit.table_metadata import current_snapshot

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

_POLL_CLICKHOUSE, _POLL_LAKE = 0.02, 0.25
# A cold Spark on a busy machine takes most of it.
_PATIENCE = 300.0


@dataclass
class Followed:
    """What became of it, as far as is known yet."""

    text: str
    clickhouse: float | None = None
    """Seconds after Postgres had it."""
    lake: float | None = None
    error: BoathouseError | None = None
    over: threading.Event = field(default_factory=threading.Event)

    def __str__(self) -> str:
        if self.error is not None:
            return f"{self.text} {self.error}"
        fast = "…" if self.clickhouse is None else f"after {self.clickhouse * 1000:,.0f} ms"
        slow = "…" if self.lake is None else f"after {self.lake:.1f} s"
        return f"{self.text}\n  in ClickHouse {fast}\n  in the lake   {slow}"


@dataclass(frozen=True)
class Follower:
    clickhouse: ClickHouse
    catalog: CatalogClient
    spark: "SparkSession"
    database: str = "meters"
    namespace: str = "meters"

    def follow(self, text: str, change: Callable[[], None], table: str, condition: str) -> Followed:
        """`condition` holds of one row of the table once the change is there. It goes on beside the caller."""
        found = Followed(text)
        # The first statement of a session takes seconds, which are not the stream's.
        self.spark.sql("SELECT 1").collect()
        threading.Thread(target=self._watch, args=(found, change, table, condition), daemon=True).start()
        return found

    def _watch(self, found: Followed, change: Callable[[], None], table: str, condition: str) -> None:
        try:
            change()
            began = time.time()
            until = began + _PATIENCE
            while found.clickhouse is None and time.time() < until:
                if self._in_clickhouse(table, condition):
                    found.clickhouse = time.time() - began
                time.sleep(_POLL_CLICKHOUSE)
            before: int | None = None
            while found.lake is None and time.time() < until:
                snapshot = self._snapshot(table)
                if snapshot is not None and snapshot[0] != before and self._in_lake(table, condition, snapshot[0]):
                    found.lake = snapshot[1] - began
                before = snapshot[0] if snapshot else None
                time.sleep(_POLL_LAKE)
        except BoathouseError as error:
            found.error = error
        finally:
            found.over.set()

    def _in_clickhouse(self, table: str, condition: str) -> bool:
        try:
            statement = f"SELECT count() FROM {self.database}.{table} FINAL WHERE {condition}"  # noqa: S608 - our own
            return self.clickhouse.ask(statement) == [[1]]
        except NotFound:
            return False

    def _in_lake(self, table: str, condition: str, snapshot: int) -> bool:
        name = f"{self.namespace}.{table} VERSION AS OF {snapshot}"
        try:
            with translated():
                return self.spark.sql(f"SELECT 1 FROM {name} WHERE {condition}").count() == 1  # noqa: S608 - our own
        except InvalidInput:
            # Its column has not arrived.
            return False

    def _snapshot(self, table: str) -> tuple[int, float] | None:
        """The newest of the table, and when it was made: what takes a question to Spark is not the stream's time."""
        found = self.catalog.find_table(TableName((self.namespace,), table))
        snapshot = current_snapshot(found.metadata) if found else None
        return (snapshot["snapshot-id"], snapshot["timestamp-ms"] / 1000) if snapshot else None
