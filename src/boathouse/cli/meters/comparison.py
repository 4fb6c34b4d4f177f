"""Postgres, ClickHouse and the lake held against each other: of each table how many rows, and a sum of their checksums.

Every row is written as one text in the same way by all three, which then take its CRC-32. So nothing but two numbers
leaves any of them, however large the tables are.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathouse.cli.meters.clickhouse import ClickHouse
from boathouse.cli.meters.database import Connection
from boathouse.kit.errors import NotFound

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

TABLES = ("customers", "meters", "readings")
_NUMERIC = re.compile(r"numeric\(\d+,(\d+)\)")
_NOTHING = "~"
_COLUMNS = """
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute
WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum
"""


@dataclass(frozen=True)
class Sum:
    rows: int
    checksum: int


@dataclass(frozen=True)
class Compared:
    table: str
    postgres: Sum
    clickhouse: Sum | None
    """None where there is no such table yet."""
    lake: Sum | None

    @property
    def equal(self) -> bool:
        return self.postgres == self.clickhouse == self.lake


@dataclass(frozen=True)
class Comparison:
    """`database` in ClickHouse and `namespace` in the lake have the tables under the same names."""

    clickhouse: ClickHouse
    spark: "SparkSession"
    database: str = "meters"
    namespace: str = "meters"

    async def of(self, connection: Connection, table: str) -> Compared:
        columns: dict[str, str] = dict(await connection.fetch(_COLUMNS, f"public.{table}"))
        first = await connection.fetchrow(postgres_sum(table, columns))
        return Compared(table, _sum(first), self._in_clickhouse(table, columns), self._in_lake(table, columns))

    def _in_clickhouse(self, table: str, columns: Mapping[str, str]) -> Sum | None:
        try:
            return _sum(self.clickhouse.ask(clickhouse_sum(f"{self.database}.{table}", columns))[0])
        except NotFound:
            return None

    def _in_lake(self, table: str, columns: Mapping[str, str]) -> Sum | None:
        name = f"{self.namespace}.{table}"
        if not self.spark.catalog.tableExists(name):
            return None
        return _sum(self.spark.sql(spark_sum(name, columns)).collect()[0])


def postgres_sum(table: str, columns: Mapping[str, str]) -> str:
    texts = [f"coalesce({_postgres(name, kind)}, '{_NOTHING}')" for name, kind in columns.items()]
    row = " || '|' || ".join(texts)
    return f"SELECT count(*), coalesce(sum(crc32(convert_to({row}, 'UTF8'))), 0)::bigint FROM {table}"  # noqa: S608 - our own names


def clickhouse_sum(table: str, columns: Mapping[str, str]) -> str:
    texts = [f"ifNull({_clickhouse(name, kind)}, '{_NOTHING}')" for name, kind in columns.items()]
    row = ", '|', ".join(texts)
    return f"SELECT count(), sum(CRC32(concat({row}, ''))) FROM {table} FINAL"  # noqa: S608 - our own names


def spark_sum(table: str, columns: Mapping[str, str]) -> str:
    texts = [f"coalesce({_spark(name, kind)}, '{_NOTHING}')" for name, kind in columns.items()]
    return f"SELECT count(*), coalesce(sum(crc32(concat_ws('|', {', '.join(texts)}))), 0) FROM {table}"  # noqa: S608 - our own names


def _postgres(name: str, kind: str) -> str:
    if kind == "timestamp with time zone":
        return f"(extract(epoch FROM {name}) * 1000000)::bigint::text"
    if found := _NUMERIC.fullmatch(kind):
        return f"({name} * {10 ** int(found[1])})::numeric(40, 0)::text"
    return f"{name}::text"


def _clickhouse(name: str, kind: str) -> str:
    if kind == "timestamp with time zone":
        return f"toString(toUnixTimestamp64Micro({name}))"
    if found := _NUMERIC.fullmatch(kind):
        return f"toString(toInt64({name} * {10 ** int(found[1])}))"
    return f"toString({name})"


def _spark(name: str, kind: str) -> str:
    if kind == "timestamp with time zone":
        return f"cast(unix_micros({name}) as string)"
    if found := _NUMERIC.fullmatch(kind):
        return f"cast(cast({name} * {10 ** int(found[1])} as bigint) as string)"
    return f"cast({name} as string)"


def _sum(row: Any) -> Sum:
    return Sum(int(row[0]), int(row[1]))
